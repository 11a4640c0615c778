//! Prices many files at once.

use std::error::Error;
use std::fmt;

use lodger_allowance::{Allowance, Limits as Allowed, Spent};
use lodger_input::{bad_asset, needs_more, unreadable};
use lodger_mesh_asset::{Asset, Limits};
use lodger_opensim::archive::{
    Archive, ArchiveKind, Error as ArchiveError, Limits as ArchiveLimits,
};
use lodger_opensim::files::{Content, FileError, Opened, Problem, Source, each};
use lodger_opensim::pricing::{ArchivePrice, Error as PricingError, Mesh};

use super::conditions::Conditions;
use super::linkset_file;
use super::report::Rows;
use super::size::OutputOptions;
use lodger_terminal::{Progress, plain};

/// The bytes of a mesh, or of an error of an archive, as it is told.
const PER_ROW: u64 = 4 << 10;

/// Prices everything, in the order of the sources.
pub(super) fn price(
    found: Vec<Result<Source, FileError>>,
    conditions: &Conditions,
    output: OutputOptions,
    allowed: Allowed,
) -> Rows {
    let lasts = matches!(&found[..], [Ok(only)] if only.is_archive());
    let progress = Progress::new(found.len(), lasts);
    let one = |source: &Source, allowance: &Allowance| {
        let rows = rows(source, (conditions, output), &progress, allowance)?;
        progress.done();
        Ok(rows)
    };
    let mut all = Rows::default();
    for rows in each(found, allowed, one) {
        match rows {
            Ok(rows) => all.take(rows),
            Err(error) => all.error(error.name().to_owned(), unreadable(&error)),
        }
    }
    all
}

/// A mesh, priced or not.
pub(super) fn mesh(name: &str, mesh: &Mesh, conditions: &Conditions) -> Rows {
    let mut rows = Rows::default();
    let detail = conditions.pricing.mesh_in_detail(mesh, &conditions.usage);
    rows.mesh(name, detail, conditions.basis());
    rows
}

/// Why there is no mesh in a file.
#[derive(Debug)]
pub(super) enum NoMesh {
    /// It has objects, and maybe many meshes.
    Archive,
    /// It is another kind of file, or cannot be read.
    NoFile(Box<FileError>),
    /// It needs more than it may take.
    Spent(Spent),
    /// It is not what it should be.
    Damaged(Box<PricingError>),
}

impl fmt::Display for NoMesh {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Archive => f.write_str("it is an archive, not a mesh asset"),
            Self::NoFile(error) => f.write_str(&unreadable(error)),
            Self::Spent(spent) => f.write_str(&needs_more(*spent)),
            Self::Damaged(error) if let PricingError::Asset(error) = &**error => {
                f.write_str(&bad_asset(error))
            }
            Self::Damaged(error) => write!(f, "it is a damaged mesh asset: {error}"),
        }
    }
}

impl Error for NoMesh {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Archive => None,
            Self::Spent(spent) => Some(spent),
            Self::NoFile(error) => Some(&**error),
            Self::Damaged(error) => Some(&**error),
        }
    }
}

/// The mesh of a single file.
pub(super) fn read_mesh(source: &Source, allowed: Allowed) -> Result<Mesh, NoMesh> {
    let allowance = Allowance::new(allowed);
    match source.open(ArchiveLimits::default(), &allowance) {
        Ok(Content::Mesh(bytes)) => decode(&bytes, &allowance).map_err(NoMesh::Spent)?,
        Ok(Content::Archive { .. }) => Err(NoMesh::Archive),
        Err(error) => Err(NoMesh::NoFile(error.into())),
    }
}

fn decode(bytes: &[u8], allowance: &Allowance) -> Result<Result<Mesh, NoMesh>, Spent> {
    let _room = allowance.reserve(Limits::default().most_memory(bytes.len()))?;
    let asset = Asset::parse(bytes).map_err(PricingError::from);
    let mesh = asset.as_ref().map_err(Clone::clone).and_then(Mesh::of_counted);
    allowance.work(asset.map_or(0, |asset| asset.inflated_bytes()))?;
    Ok(mesh.map_err(|error| NoMesh::Damaged(error.into())))
}

fn rows(
    source: &Source,
    (conditions, output): (&Conditions, OutputOptions),
    progress: &Progress,
    allowance: &Allowance,
) -> Result<Rows, Spent> {
    let mut rows = Rows::default();
    let name = source.name();
    progress.say(format!("reading {}", plain(name)));
    allowance.rows(PER_ROW)?;
    match source.open_any(ArchiveLimits::default(), allowance) {
        Ok(Opened::Content(Content::Mesh(bytes))) => match decode(&bytes, allowance)? {
            Ok(read) => rows = mesh(name, &read, conditions),
            Err(error) => rows.error(name.to_owned(), error.to_string()),
        },
        Ok(Opened::Other(stream)) if linkset_file::is_one(name, stream.kind()) => {
            if let Some(priced) =
                linkset_file::price(name, stream, conditions, allowance, &mut rows)?
            {
                let kept = priced.bytes();
                rows.linkset(name, priced, conditions.basis());
                charge(name, &mut rows, output, kept, allowance)?;
            }
        }
        Ok(Opened::Other(stream)) => {
            rows.error(name.to_owned(), Problem::Unwanted(stream.kind()).to_string());
        }
        Ok(Opened::Content(Content::Archive { archive: found, unreadable, .. })) => {
            for error in unreadable {
                rows.error(error.name().to_owned(), error.problem().to_string());
            }
            let priced = archive(name, &found, conditions, (progress, allowance), &mut rows)?;
            let kept = priced.bytes();
            rows.archive(name, priced, conditions.basis());
            charge(name, &mut rows, output, kept, allowance)?;
        }
        Err(error) => match error.problem().spent() {
            Some(spent) => return Err(spent),
            None => rows.error(name.to_owned(), error.problem().to_string()),
        },
    }
    Ok(rows)
}

fn archive(
    name: &str,
    found: &Archive,
    conditions: &Conditions,
    (progress, allowance): (&Progress, &Allowance),
    rows: &mut Rows,
) -> Result<ArchivePrice, Spent> {
    if found.objects.is_empty() && found.meshes.is_empty() && found.errors.is_empty() {
        if found.kind == ArchiveKind::Region {
            rows.note(name.to_owned(), "there are no objects in this region".to_owned());
        } else {
            let error = "there are no objects and no meshes in this archive";
            rows.error(name.to_owned(), error.to_owned());
        }
    }
    allowance.rows(PER_ROW.saturating_mul(found.errors.len() as u64))?;
    let errors = found.errors.iter().map(ArchiveError::to_string);
    errors.for_each(|error| rows.error(name.to_owned(), error));
    progress.more(found.meshes.len());
    progress.say(format!("pricing {}", plain(name)));
    conditions.archive(found, allowance, || progress.done())
}

/// Charges rows. They are replaced by the reason if they are too many.
fn charge(
    name: &str,
    rows: &mut Rows,
    output: OutputOptions,
    kept: u64,
    allowance: &Allowance,
) -> Result<(), Spent> {
    if let Err(why) = output.charge(rows, kept, allowance)? {
        rows.refuse(name.to_owned(), why);
    }
    Ok(())
}
