//! Prices many files at once.

use std::error::Error;
use std::fmt;
use std::io::{self, Read};

use lodger_archive::{Archive, Error as ArchiveError};
use lodger_mesh_asset::Limits;
use lodger_pricing::{Error as PricingError, Mesh};
use rayon::prelude::*;

use super::conditions::Conditions;
use super::report::Rows;
use super::sources::{Content, Source};
use lodger_terminal::{Progress, plain};

/// Prices everything, in the order of the sources.
pub(super) fn price(sources: &[Source], conditions: &Conditions, mut all: Rows) -> Rows {
    let progress = Progress::new(sources.len(), sources.iter().any(Source::is_archive));
    let one = |source: &Source| {
        let rows = rows(source, conditions, &progress);
        progress.done();
        rows
    };
    for rows in sources.par_iter().map(one).collect::<Vec<_>>() {
        all.take(rows);
    }
    all
}

/// A mesh, priced or not.
pub(super) fn mesh(name: &str, mesh: &Mesh, conditions: &Conditions) -> Rows {
    let mut rows = Rows::default();
    let detail = conditions.pricing.mesh_in_detail(mesh, &conditions.usage);
    rows.mesh(name, detail, conditions.rules());
    rows
}

/// Why there is no mesh in a file.
#[derive(Debug)]
pub(super) enum NoMesh {
    /// It is another kind of file.
    Archive,
    /// It cannot be read.
    Unreadable(io::Error),
    /// It is not what it should be.
    Damaged(Box<PricingError>),
}

impl fmt::Display for NoMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Archive => f.write_str("it is an archive, not a mesh asset"),
            Self::Unreadable(error) => write!(f, "it cannot be read: {error}"),
            Self::Damaged(error) => write!(f, "it is no mesh asset, or a damaged one: {error}"),
        }
    }
}

impl Error for NoMesh {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Archive => None,
            Self::Unreadable(error) => Some(error),
            Self::Damaged(error) => Some(&**error),
        }
    }
}

/// The mesh of a single file.
pub(super) fn read_mesh(source: &Source) -> Result<Mesh, NoMesh> {
    match source.open() {
        Ok(Content::Mesh(bytes)) => decode(&bytes),
        Ok(Content::Archive(_)) => Err(NoMesh::Archive),
        Err(error) => Err(NoMesh::Unreadable(error)),
    }
}

fn decode(bytes: &[u8]) -> Result<Mesh, NoMesh> {
    Mesh::read_counted(bytes, Limits::default()).map_err(|error| NoMesh::Damaged(error.into()))
}

fn rows(source: &Source, conditions: &Conditions, progress: &Progress) -> Rows {
    let mut rows = Rows::default();
    let name = &source.name;
    match source.open() {
        Ok(Content::Mesh(bytes)) => match decode(&bytes) {
            Ok(read) => rows = mesh(name, &read, conditions),
            Err(error) => rows.error(name.clone(), error.to_string()),
        },
        Ok(Content::Archive(input)) => {
            progress.say(format!("reading {}", plain(name)));
            archive(name, input, conditions, progress, &mut rows);
        }
        Err(error) => rows.error(name.clone(), NoMesh::Unreadable(error).to_string()),
    }
    rows
}

fn archive(
    name: &str,
    input: impl Read,
    conditions: &Conditions,
    progress: &Progress,
    rows: &mut Rows,
) {
    match lodger_archive::read(input, lodger_archive::Limits::default()) {
        Err(error) => rows.error(name.to_owned(), error.to_string()),
        Ok(Archive { objects, meshes, errors, .. })
            if objects.is_empty() && meshes.is_empty() && errors.is_empty() =>
        {
            let error = "there are no objects and no meshes in this archive";
            rows.error(name.to_owned(), error.to_owned());
        }
        Ok(found) => {
            let errors = found.errors.iter().map(ArchiveError::to_string);
            errors.for_each(|error| rows.error(name.to_owned(), error));
            progress.more(found.meshes.len());
            progress.say(format!("pricing {}", plain(name)));
            let priced = conditions.archive(&found, || progress.done());
            rows.archive(name, priced, conditions.rules());
        }
    }
}
