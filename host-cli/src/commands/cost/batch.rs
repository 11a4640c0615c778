//! Prices many files at once.

use std::io::Read;

use lodger_archive::{Archive, Error as ArchiveError};
use lodger_mesh_asset::Limits;
use lodger_pricing::Mesh;
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

/// The mesh of a single file.
pub(super) fn read_mesh(source: &Source) -> Result<Mesh, String> {
    match source.open() {
        Ok(Content::Mesh(bytes)) => decode(&bytes),
        Ok(Content::Archive(_)) => Err("it is an archive, not a mesh asset".to_owned()),
        Err(error) => Err(format!("it cannot be read: {error}")),
    }
}

fn decode(bytes: &[u8]) -> Result<Mesh, String> {
    Mesh::read(bytes, Limits::default())
        .map_err(|error| format!("it is no mesh asset, or a damaged one: {error}"))
}

fn rows(source: &Source, conditions: &Conditions, progress: &Progress) -> Rows {
    let mut rows = Rows::default();
    let name = &source.name;
    match source.open() {
        Ok(Content::Mesh(bytes)) => match decode(&bytes) {
            Ok(read) => rows = mesh(name, &read, conditions),
            Err(error) => rows.error(name.clone(), error),
        },
        Ok(Content::Archive(input)) => {
            progress.say(format!("reading {}", plain(name)));
            archive(name, input, conditions, progress, &mut rows);
        }
        Err(error) => rows.error(name.clone(), format!("it cannot be read: {error}")),
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
            let Conditions { pricing, usage } = conditions;
            let priced = pricing.archive(&found, usage, Limits::default(), |_| progress.done());
            rows.archive(name, priced, conditions.rules());
        }
    }
}
