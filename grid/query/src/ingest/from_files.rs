//! Archives, unpacked ones, mesh assets and objects by themselves.

use std::collections::HashSet;
use std::path::Path;

use lodger_allowance::{Allowance, Spent};
use lodger_archive::{Archive, ArchiveKind, Limits, Object, Place};
use lodger_files::{Content, FileError, Search, Source, entry_id, find};
use uuid::Uuid;

use super::error::IngestError;
use super::hash::Hash;
use super::outlet::{Message, TableRows};
use super::rows::{self, Rows, blank};
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
            Err(error) => one(work, &name, vec![Item::Fault(error.to_string())])?,
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
    fn read(&self, allowance: &Allowance) -> Result<Rows, Spent> {
        let row = || blank(self.id, None, AssetKind::Mesh);
        match self.source.open(Limits::default(), allowance) {
            Ok(Content::Mesh(bytes)) => {
                let row = blank(self.id, Some(&Hash::of(&bytes)), AssetKind::Mesh);
                rows::read(row, &bytes, "", false, allowance)
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

    fn refused(&self, spent: Spent) -> Rows {
        let problem = format!("`{}`: {spent}", self.source.name());
        Rows::bad(blank(self.id, None, AssetKind::Mesh), problem)
    }
}

/// Reads an archive: its rows count when all of it was read.
fn archive(work: &mut Work<'_>, source: &Source) -> Result<(), IngestError> {
    let allowance = Allowance::new(work.options.limits);
    let opened = source.open(Limits::default(), &allowance);
    let (archive, unreadable) = match opened {
        Ok(Content::Archive { archive, unreadable, .. }) => (archive, unreadable),
        Ok(Content::Mesh(_)) => {
            let problem = "it changed while it was read".to_owned();
            return one(work, source.name(), vec![Item::Fault(problem)]);
        }
        Err(error) => return one(work, source.name(), vec![Item::Fault(error.to_string())]),
    };
    if let Some(end) = archive.errors.iter().find(|error| error.ends_reading()) {
        return one(work, source.name(), vec![Item::Fault(format!("it is not whole: {end}"))]);
    }
    let file_name = Path::new(source.file_name()).file_name().unwrap_or_default().to_string_lossy();
    let jobs = items(work, &archive, &unreadable, &file_name);
    let before = work.summary.clone();
    let mut out: Vec<TableRows> = Vec::new();
    if work.round(source.name(), &jobs, &mut out)? {
        work.outlet.send(Message::Rows(out))?;
        work.outlet.send(Message::Whole)?;
    } else {
        work.summary = before;
    }
    Ok(())
}

/// Reads some jobs of a source that count together.
fn one(work: &mut Work<'_>, source: &str, jobs: Vec<Item<'_>>) -> Result<(), IngestError> {
    let mut out = Vec::new();
    work.round(source, &jobs, &mut out)?;
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
    fn read(&self, allowance: &Allowance) -> Result<Rows, Spent> {
        let fault = |kind, problem: &str| Rows::bad(blank(None, None, kind), problem);
        Ok(match self {
            Self::Mesh { id, bytes } => {
                let row = blank(Some(*id), Some(&Hash::of(bytes)), AssetKind::Mesh);
                if bytes.is_empty() {
                    return Ok(Rows::bad(row, "it has 0 bytes"));
                }
                return rows::read(row, bytes, "", false, allowance);
            }
            Self::Object { object, key, region, with_names } => {
                match rows::parts(object, key, *region, *with_names, allowance)? {
                    Ok(parts) => Rows { parts, objects: 1, ..Rows::default() },
                    Err(problem) => fault(AssetKind::Object, &problem),
                }
            }
            Self::Fault(problem) => fault(AssetKind::Object, problem),
            Self::MeshFault(problem) => fault(AssetKind::Mesh, problem),
        })
    }

    fn refused(&self, spent: Spent) -> Rows {
        match self {
            Self::Mesh { id, .. } => {
                Rows::bad(blank(Some(*id), None, AssetKind::Mesh), spent.to_string())
            }
            Self::Object { key, .. } => {
                let problem = format!("the object {key}: {spent}");
                Rows::bad(blank(None, None, AssetKind::Object), problem)
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
    items.extend(unreadable.iter().map(|error| Item::MeshFault(error.to_string())));
    items.extend(archive.errors.iter().map(|error| {
        let is_mesh = error.entry().is_some_and(|entry| entry.ends_with(".llmesh"));
        if is_mesh { Item::MeshFault(error.to_string()) } else { Item::Fault(error.to_string()) }
    }));
    let mut keys = Keys::default();
    let is_region = archive.kind == ArchiveKind::Region;
    items.extend(archive.objects.iter().map(|object| {
        let region = is_region.then(|| match &object.place {
            Place::Region { region: Some(folder), .. } => &**folder,
            _ => file_name,
        });
        let id = if is_region { Some(object.id) } else { entry_id(&object.source) };
        let key = keys.unique(object, id, is_region);
        Item::Object { object, key, region, with_names }
    }));
    items.extend(archive.stowed.iter().map(|object| {
        let key = keys.unique(object, entry_id(&object.source), false);
        Item::Object { object, key, region: None, with_names }
    }));
    items
}

/// The keys of the objects of an archive.
#[derive(Debug, Default)]
struct Keys(HashSet<String>);

impl Keys {
    /// A key that no object before it has: its identifier, and if there is none, or it was there before, the path of its
    /// entry with a number; in an inventory the identifier with a number.
    fn unique(&mut self, object: &Object, id: Option<Uuid>, in_region: bool) -> String {
        let id = id.filter(|id| !id.is_nil()).map(|id| id.to_string());
        let base = match &id {
            Some(id) if !in_region => id.as_str(),
            _ => &object.source,
        };
        let first = if id.is_some() { 1 } else { 2 };
        let numbered = (first..).map(|number: u64| match (&id, number) {
            (Some(id), 1) => id.clone(),
            (Some(_), number) if !in_region => format!("{base}#{number}"),
            (_, number) => format!("{base}#{}", number - 1),
        });
        let mut free = numbered.filter(|key| !self.0.contains(key));
        let key = free.next().unwrap_or_default();
        self.0.insert(key.clone());
        key
    }
}

#[cfg(test)]
mod tests {
    use lodger_archive::read_objects;

    use super::*;

    #[test]
    fn no_two_objects_have_the_same_key() {
        let xml = b"<SceneObjectGroup><SceneObjectPart><Shape><ProfileCurve>1</ProfileCurve>\
            <PathCurve>16</PathCurve></Shape><Scale><X>1</X><Y>1</Y><Z>1</Z></Scale>\
            </SceneObjectPart></SceneObjectGroup>";
        let allowance = Allowance::new(lodger_allowance::Limits::default());
        let found = read_objects("objects/a.xml", xml, Limits::default(), &allowance).unwrap();
        let object = &found.objects[0];
        let (mut keys, one) = (Keys::default(), Some(Uuid::from_u128(1)));
        let id = Uuid::from_u128(1).to_string();
        assert_eq!(keys.unique(object, one, true), id);
        assert_eq!(keys.unique(object, one, true), "objects/a.xml#1");
        assert_eq!(keys.unique(object, None, true), "objects/a.xml#2");
        assert_eq!(keys.unique(object, Some(Uuid::nil()), true), "objects/a.xml#3");
        assert_eq!(keys.unique(object, one, false), format!("{id}#2"));
        assert_eq!(keys.unique(object, one, false), format!("{id}#3"));
    }
}
