//! Archives, unpacked ones, mesh assets and objects by themselves.

use std::collections::HashMap;
use std::path::Path;

use lodger_opensim::archive::{Archive, ArchiveKind, Limits, Object, Place};
use lodger_opensim::files::{Content, FileError, Search, Source, entry_id, find};
use lodger_quota::{Quota, QuotaExceeded};
use uuid::Uuid;

use super::error::IngestError;
use super::hash::Hash;
use super::outlet::{Message, TableRows};
use super::rows::{self, Rows, blank, numbered};
use super::unnamed;
use super::work::{Job, Work};
use crate::dataset::{AssetKind, SourceKind};

/// Mesh assets that are read side by side.
const MESHES: usize = 1024;

/// Reads what a path holds.
pub(super) fn read(work: &mut Work<'_>, path: &Path) -> Result<(), IngestError> {
    let name = path.display().to_string();
    let found = find(&[path.to_owned()], Search::Everything);
    work.begin(&name, SourceKind::Files, None)?;
    let mut meshes = Vec::new();
    for source in found {
        if work.is_over() {
            break;
        }
        match source {
            Ok(source) if work.known.has_file(source.name()) => work.is_known(),
            Ok(source) if source.is_archive() => archive(work, &source)?,
            Ok(source) => mesh(work, &name, &mut meshes, source)?,
            Err(error) => {
                let problem = unnamed::of_file(&error, work.options.with_names);
                one(work, &name, &[Item::Fault(problem)])?;
            }
        }
    }
    if !work.is_over() {
        read_meshes(work, &name, &mut meshes)?;
    }
    work.end()
}

/// Takes a mesh asset by itself, unless its identifier is known.
fn mesh(
    work: &mut Work<'_>,
    name: &str,
    waiting: &mut Vec<Loose>,
    source: Source,
) -> Result<(), IngestError> {
    let id = entry_id(source.name());
    if id.is_some_and(|id| !work.known.take(id)) {
        work.is_known();
        return Ok(());
    }
    waiting.push(Loose { source, id });
    if waiting.len() < MESHES { Ok(()) } else { read_meshes(work, name, waiting) }
}

fn read_meshes(
    work: &mut Work<'_>,
    name: &str,
    waiting: &mut Vec<Loose>,
) -> Result<(), IngestError> {
    let mut out = Vec::new();
    work.round(name, waiting, &mut out)?;
    waiting.clear();
    work.outlet.send(Message::Rows(out))?;
    Ok(work.outlet.send(Message::Whole)?)
}

/// A mesh asset by itself.
struct Loose {
    source: Source,
    id: Option<Uuid>,
}

impl Job for Loose {
    fn read(&self, quota: &Quota) -> Result<Rows, QuotaExceeded> {
        let row = || blank(self.id, None, AssetKind::Mesh);
        match self.source.open(Limits::default(), quota) {
            Ok(Content::Mesh(bytes)) => {
                let row = blank(self.id, Some(&Hash::of(&bytes)), AssetKind::Mesh);
                rows::read(row, &bytes, "", false, quota)
            }
            Ok(Content::Archive { .. }) => {
                Ok(Rows::bad(row(), format!("`{}` changed while it was read", self.source.name())))
            }
            Err(error) => match error.problem().spent() {
                Some(spent) => Err(spent),
                None => Ok(Rows::bad(row(), error.to_string())),
            },
        }
    }

    fn refused(&self, spent: QuotaExceeded) -> Rows {
        let problem = format!("`{}`: {spent}", self.source.name());
        Rows::bad(blank(self.id, None, AssetKind::Mesh), problem)
    }
}

/// Reads an archive: its rows count when all of it was read.
fn archive(work: &mut Work<'_>, source: &Source) -> Result<(), IngestError> {
    let quota = Quota::new(work.options.limits);
    let with_names = work.options.with_names;
    let opened = source.open(Limits::default(), &quota);
    let (archive, unreadable) = match opened {
        Ok(Content::Archive { archive, unreadable, .. }) => (archive, unreadable),
        Ok(Content::Mesh(_)) => {
            let problem = "it changed while it was read".to_owned();
            return one(work, source.name(), &[Item::Fault(problem)]);
        }
        Err(error) => {
            let problem = unnamed::of_file(&error, with_names);
            return one(work, source.name(), &[Item::Fault(problem)]);
        }
    };
    if let Some(end) = archive.errors.iter().find(|error| error.ends_reading()) {
        let end = unnamed::in_archive(end, with_names);
        return one(work, source.name(), &[Item::Fault(format!("it is not whole: {end}"))]);
    }
    let file_name = Path::new(source.file_name()).file_name().unwrap_or_default().to_string_lossy();
    let jobs = items(work, &archive, &unreadable, &file_name);
    let before = work.summary.clone();
    let mut out: Vec<TableRows> = Vec::new();
    if work.round(source.name(), &jobs, &mut out)? {
        work.outlet.send(Message::Rows(out))?;
        work.outlet.send(Message::Whole)?;
        work.known.take_file(source.name());
        for object in standing(&archive) {
            work.known.take_standing(object.id);
        }
    } else {
        work.summary = before;
    }
    Ok(())
}

/// The objects of an archive that stand in its regions.
fn standing(archive: &Archive) -> &[Object] {
    if archive.kind == ArchiveKind::Region { &archive.objects } else { &[] }
}

/// Those that lie in inventories, or in other objects.
fn stowed(archive: &Archive) -> impl Iterator<Item = &Object> {
    let is_region = archive.kind == ArchiveKind::Region;
    let lying = if is_region { &[] } else { &archive.objects[..] };
    lying.iter().chain(&archive.stowed)
}

/// Reads some jobs of a source that count together.
fn one(work: &mut Work<'_>, source: &str, jobs: &[Item<'_>]) -> Result<(), IngestError> {
    let mut out = Vec::new();
    work.round(source, jobs, &mut out)?;
    work.outlet.send(Message::Rows(out))?;
    Ok(work.outlet.send(Message::Whole)?)
}

/// What is in an archive.
enum Item<'a> {
    Mesh {
        id: Uuid,
        bytes: &'a [u8],
    },
    Object {
        object: &'a Object,
        /// The asset that it is of, where the asset's row comes with it.
        asset: Option<Uuid>,
        key: String,
        region: Option<&'a str>,
        with_names: bool,
    },
    /// What cannot be read of an object, or of the file itself.
    Fault(String),
    /// A mesh that cannot be read.
    MeshFault(String),
}

impl Job for Item<'_> {
    fn read(&self, quota: &Quota) -> Result<Rows, QuotaExceeded> {
        let fault = |kind, problem: &str| Rows::bad(blank(None, None, kind), problem);
        Ok(match self {
            Self::Mesh { id, bytes } => {
                let row = blank(Some(*id), Some(&Hash::of(bytes)), AssetKind::Mesh);
                if bytes.is_empty() {
                    return Ok(Rows::bad(row, "it has 0 bytes"));
                }
                return rows::read(row, bytes, "", false, quota);
            }
            Self::Object { object, asset, key, region, with_names } => {
                let row = |id| blank(Some(id), None, AssetKind::Object);
                match rows::parts(object, key, *region, *with_names, quota)? {
                    Ok(parts) => {
                        Rows { asset: asset.map(row), parts, objects: 1, ..Rows::default() }
                    }
                    Err(problem) => Rows::bad(blank(*asset, None, AssetKind::Object), problem),
                }
            }
            Self::Fault(problem) => fault(AssetKind::Object, problem),
            Self::MeshFault(problem) => fault(AssetKind::Mesh, problem),
        })
    }

    fn refused(&self, spent: QuotaExceeded) -> Rows {
        match self {
            Self::Mesh { id, .. } => {
                Rows::bad(blank(Some(*id), None, AssetKind::Mesh), spent.to_string())
            }
            Self::Object { asset, key, .. } => {
                let problem = format!("the object {key}: {spent}");
                Rows::bad(blank(*asset, None, AssetKind::Object), problem)
            }
            Self::Fault(_) | Self::MeshFault(_) => {
                Rows::bad(blank(None, None, AssetKind::Object), spent.to_string())
            }
        }
    }
}

/// All that is in an archive and not known.
fn items<'a>(
    work: &mut Work<'_>,
    archive: &'a Archive,
    unreadable: &[FileError],
    file_name: &'a str,
) -> Vec<Item<'a>> {
    let with_names = work.options.with_names;
    let mut items = Vec::new();
    for (id, bytes) in &archive.meshes {
        if work.known.take(*id) {
            items.push(Item::Mesh { id: *id, bytes });
        } else {
            work.is_known();
        }
    }
    let unreadable = unreadable.iter().map(|error| unnamed::inside(error, with_names));
    items.extend(unreadable.map(Item::MeshFault));
    items.extend(archive.errors.iter().map(|error| {
        let is_mesh = error.entry().is_some_and(|entry| entry.ends_with(".llmesh"));
        let problem = unnamed::in_archive(error, with_names);
        if is_mesh { Item::MeshFault(problem) } else { Item::Fault(problem) }
    }));
    let mut keys = Keys::default();
    add_standing(work, archive, file_name, &mut keys, &mut items);
    add_stowed(work, archive, &mut keys, &mut items);
    items
}

/// The objects that stand in regions, but for those that were found elsewhere.
fn add_standing<'a>(
    work: &mut Work<'_>,
    archive: &'a Archive,
    file_name: &'a str,
    keys: &mut Keys,
    items: &mut Vec<Item<'a>>,
) {
    let with_names = work.options.with_names;
    for object in standing(archive) {
        if work.known.has_standing(object.id) {
            work.is_known();
            continue;
        }
        let region = match &object.place {
            Place::Region { region: Some(folder), .. } => folder,
            _ => file_name,
        };
        let key = keys.unique(Some(object.id));
        items.push(Item::Object { object, asset: None, key, region: Some(region), with_names });
    }
}

/// The objects of assets that are not known; the row of an asset comes with the first of them.
fn add_stowed<'a>(
    work: &mut Work<'_>,
    archive: &'a Archive,
    keys: &mut Keys,
    items: &mut Vec<Item<'a>>,
) {
    let with_names = work.options.with_names;
    let mut assets = HashMap::new();
    for object in stowed(archive) {
        let id = entry_id(&object.source);
        let first = id.filter(|id| !assets.contains_key(id));
        if let Some(id) = first {
            assets.insert(id, work.known.take(id));
        }
        if id.is_none_or(|id| assets.get(&id) == Some(&true)) {
            let key = keys.unique(id);
            items.push(Item::Object { object, asset: first, key, region: None, with_names });
        } else if first.is_some() {
            work.is_known();
        }
    }
}

/// The keys of the objects of an archive.
#[derive(Debug, Default)]
struct Keys {
    /// How many there are of each identifier.
    counts: HashMap<Uuid, u64>,
    /// How many there are without one.
    nameless: u64,
}

impl Keys {
    /// A key that no object before it has: its identifier, with a number where it was there before, or a number alone.
    /// No name is in it.
    fn unique(&mut self, id: Option<Uuid>) -> String {
        let Some(id) = id.filter(|id| !id.is_nil()) else {
            self.nameless += 1;
            return format!("object-{}", self.nameless);
        };
        let count = self.counts.entry(id).or_default();
        *count += 1;
        numbered(&id.to_string(), *count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_objects_have_the_same_key() {
        let (mut keys, one) = (Keys::default(), Uuid::from_u128(1));
        assert_eq!(keys.unique(Some(one)), one.to_string());
        assert_eq!(keys.unique(Some(one)), format!("{one}#2"));
        assert_eq!(keys.unique(None), "object-1");
        assert_eq!(keys.unique(Some(Uuid::nil())), "object-2");
        assert_eq!(keys.unique(Some(one)), format!("{one}#3"));
    }
}
