//! Archives, unpacked archives, mesh assets and object XML.

use std::collections::HashMap;
use std::path::Path;

use lodger_opensim::archive::{Archive, ArchiveKind, ArchiveLimits, Object, ObjectLocation};
use lodger_opensim::files::{
    FileError, FileFilter, InputSource, SourceContent, entry_id, expand_paths,
};
use lodger_quota::{Quota, QuotaExceeded};
use uuid::Uuid;

use super::options::IngestError;
use super::rows::{self, IngestedRows, empty, numbered};
use super::run::{IngestRun, IngestTask};
use super::tree::Hash;
use crate::dataset::{AssetKind, AssetRow, SourceKind};

const MESHES: usize = 1024;

/// Reads the archives, mesh assets and objects at a path.
pub(super) fn read(run: &mut IngestRun<'_>, path: &Path) -> Result<(), IngestError> {
    let name = path.display().to_string();
    let found = expand_paths(&[path.to_owned()], FileFilter::All);
    run.begin(&name, SourceKind::Files, None)?;
    let mut meshes = Vec::new();
    for source in found {
        if run.is_stopped() {
            break;
        }
        match source {
            Ok(source) if run.index.has_file(source.name()) => run.skip_known(),
            Ok(source) if source.is_archive() => read_archive(run, &source)?,
            Ok(source) => add_mesh(run, &name, &mut meshes, source)?,
            Err(error) => {
                let problem = rows::file_error(&error, run.options.with_names);
                run.store(&name, &[EntryTask::Error(AssetKind::Object, problem)])?;
            }
        }
    }
    if !run.is_stopped() {
        run.store(&name, &meshes)?;
    }
    run.end()
}

/// Adds a mesh asset, unless its identifier is known, and reads the meshes once there are enough.
fn add_mesh(
    run: &mut IngestRun<'_>,
    name: &str,
    meshes: &mut Vec<FileTask>,
    source: InputSource,
) -> Result<(), IngestError> {
    let id = entry_id(source.name());
    if id.is_some_and(|id| !run.index.insert(id)) {
        run.skip_known();
        return Ok(());
    }
    meshes.push(FileTask { source, id });
    if meshes.len() == MESHES {
        run.store(name, meshes)?;
        meshes.clear();
    }
    Ok(())
}

struct FileTask {
    source: InputSource,
    id: Option<Uuid>,
}

impl IngestTask for FileTask {
    fn read(&self, _: bool, quota: &Quota) -> Result<IngestedRows, QuotaExceeded> {
        let row = || empty(self.id, None, AssetKind::Mesh);
        match self.source.open(ArchiveLimits::default(), quota) {
            Ok(SourceContent::Mesh(bytes)) => {
                let row = empty(self.id, Some(&Hash::from_bytes(&bytes)), AssetKind::Mesh);
                rows::read(row, &bytes, "", false, quota)
            }
            Ok(SourceContent::Archive { .. }) => {
                let problem = format!("`{}` changed while it was read", self.source.name());
                Ok(IngestedRows::bad(row(), problem))
            }
            Err(error) => match error.kind().quota_exceeded() {
                Some(exceeded) => Err(exceeded),
                None => Ok(IngestedRows::bad(row(), error.to_string())),
            },
        }
    }

    fn exceeded(&self, exceeded: QuotaExceeded) -> IngestedRows {
        let problem = format!("`{}`: {exceeded}", self.source.name());
        IngestedRows::bad(empty(self.id, None, AssetKind::Mesh), problem)
    }
}

/// Reads an archive, whose rows become valid together.
fn read_archive(run: &mut IngestRun<'_>, source: &InputSource) -> Result<(), IngestError> {
    let quota = Quota::new(run.options.limits);
    let with_names = run.options.with_names;
    let opened = match source.open(ArchiveLimits::default(), &quota) {
        Ok(SourceContent::Archive { archive, unreadable, .. }) => Ok((archive, unreadable)),
        Ok(SourceContent::Mesh(_)) => Err("it changed while it was read".to_owned()),
        Err(error) => Err(rows::file_error(&error, with_names)),
    };
    let opened = opened.and_then(|(archive, unreadable)| {
        match archive.errors.iter().find(|error| error.ends_reading()) {
            Some(end) => Err(format!("it is not whole: {}", rows::archive_error(end, with_names))),
            None => Ok((archive, unreadable)),
        }
    });
    let (archive, unreadable) = match opened {
        Ok(opened) => opened,
        Err(problem) => {
            return run.store(source.name(), &[EntryTask::Error(AssetKind::Object, problem)]);
        }
    };
    let file_name = Path::new(source.file_name()).file_name().unwrap_or_default().to_string_lossy();
    let tasks = entry_tasks(run, &archive, &unreadable, &file_name);
    let before = run.summary.clone();
    let mut out = Vec::new();
    if run.read(source.name(), &tasks, &mut out)? {
        run.send(out)?;
        run.index.insert_file(source.name());
        for object in rezzed_objects(&archive) {
            run.index.insert_rezzed(object.id);
        }
    } else {
        run.summary = before;
    }
    Ok(())
}

fn rezzed_objects(archive: &Archive) -> &[Object] {
    if archive.kind == ArchiveKind::Region { &archive.objects } else { &[] }
}

fn stored_objects(archive: &Archive) -> impl Iterator<Item = &Object> {
    let is_region = archive.kind == ArchiveKind::Region;
    let objects = if is_region { &[] } else { &archive.objects[..] };
    objects.iter().chain(&archive.nested)
}

enum EntryTask<'a> {
    Mesh {
        id: Uuid,
        bytes: &'a [u8],
    },
    Object {
        object: &'a Object,
        /// The asset of the object, if its row comes with this object.
        asset: Option<Uuid>,
        key: String,
        region: Option<&'a str>,
    },
    Error(AssetKind, String),
}

impl IngestTask for EntryTask<'_> {
    fn read(&self, with_names: bool, quota: &Quota) -> Result<IngestedRows, QuotaExceeded> {
        Ok(match self {
            Self::Mesh { id, bytes } => {
                let row = empty(Some(*id), Some(&Hash::from_bytes(bytes)), AssetKind::Mesh);
                if bytes.is_empty() {
                    return Ok(IngestedRows::bad(row, "it has 0 bytes"));
                }
                return rows::read(row, bytes, "", false, quota);
            }
            Self::Object { object, asset, key, region } => {
                let row = |id| empty(id, None, AssetKind::Object);
                match rows::part_rows(object, key, *region, with_names, quota)? {
                    Ok(parts) => IngestedRows {
                        asset: asset.map(|id| row(Some(id))),
                        parts,
                        objects: 1,
                        ..IngestedRows::default()
                    },
                    Err(problem) => IngestedRows::bad(row(*asset), problem),
                }
            }
            Self::Error(kind, problem) => IngestedRows::bad(AssetRow::new(*kind), problem),
        })
    }

    fn exceeded(&self, exceeded: QuotaExceeded) -> IngestedRows {
        let (row, problem) = match self {
            Self::Mesh { id, .. } => {
                (empty(Some(*id), None, AssetKind::Mesh), exceeded.to_string())
            }
            Self::Object { asset, key, .. } => {
                (empty(*asset, None, AssetKind::Object), format!("the object {key}: {exceeded}"))
            }
            Self::Error(kind, _) => (AssetRow::new(*kind), exceeded.to_string()),
        };
        IngestedRows::bad(row, problem)
    }
}

/// Tasks for everything in an archive that is not known.
fn entry_tasks<'a>(
    run: &mut IngestRun<'_>,
    archive: &'a Archive,
    unreadable: &[FileError],
    file_name: &'a str,
) -> Vec<EntryTask<'a>> {
    let with_names = run.options.with_names;
    let mut tasks = Vec::new();
    for (id, bytes) in &archive.meshes {
        if run.index.insert(*id) {
            tasks.push(EntryTask::Mesh { id: *id, bytes });
        } else {
            run.skip_known();
        }
    }
    tasks.extend(
        unreadable
            .iter()
            .map(|error| EntryTask::Error(AssetKind::Mesh, rows::entry_error(error, with_names))),
    );
    tasks.extend(archive.errors.iter().map(|error| {
        let is_mesh = error.entry().is_some_and(|entry| entry.ends_with(".llmesh"));
        let kind = if is_mesh { AssetKind::Mesh } else { AssetKind::Object };
        EntryTask::Error(kind, rows::archive_error(error, with_names))
    }));
    let mut keys = ObjectKeys::default();
    add_rezzed(run, archive, file_name, &mut keys, &mut tasks);
    add_stored(run, archive, &mut keys, &mut tasks);
    tasks
}

/// Adds the objects in regions that are not known from another source.
fn add_rezzed<'a>(
    run: &mut IngestRun<'_>,
    archive: &'a Archive,
    file_name: &'a str,
    keys: &mut ObjectKeys,
    tasks: &mut Vec<EntryTask<'a>>,
) {
    for object in rezzed_objects(archive) {
        if run.index.has_rezzed(object.id) {
            run.skip_known();
            continue;
        }
        let region = match &object.location {
            ObjectLocation::Region { region: Some(folder), .. } => folder,
            _ => file_name,
        };
        let key = keys.unique(Some(object.id));
        tasks.push(EntryTask::Object { object, asset: None, key, region: Some(region) });
    }
}

/// Adds unknown assets' objects. The first object of an asset brings its row.
fn add_stored<'a>(
    run: &mut IngestRun<'_>,
    archive: &'a Archive,
    keys: &mut ObjectKeys,
    tasks: &mut Vec<EntryTask<'a>>,
) {
    let mut is_new = HashMap::new();
    for object in stored_objects(archive) {
        let id = entry_id(&object.source);
        let first = id.filter(|id| !is_new.contains_key(id));
        if let Some(id) = first {
            is_new.insert(id, run.index.insert(id));
        }
        if id.is_none_or(|id| is_new.get(&id) == Some(&true)) {
            let key = keys.unique(id);
            tasks.push(EntryTask::Object { object, asset: first, key, region: None });
        } else if first.is_some() {
            run.skip_known();
        }
    }
}

#[derive(Debug, Default)]
struct ObjectKeys {
    counts: HashMap<Uuid, u64>,
    unnamed: u64,
}

impl ObjectKeys {
    /// Returns a new key without names: the identifier, with a number if it is not the first, or
    /// only a number.
    fn unique(&mut self, id: Option<Uuid>) -> String {
        let Some(id) = id.filter(|id| !id.is_nil()) else {
            self.unnamed += 1;
            return format!("object-{}", self.unnamed);
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
        let (mut keys, one) = (ObjectKeys::default(), Uuid::from_u128(1));
        assert_eq!(keys.unique(Some(one)), one.to_string());
        assert_eq!(keys.unique(Some(one)), format!("{one}#2"));
        assert_eq!(keys.unique(None), "object-1");
        assert_eq!(keys.unique(Some(Uuid::nil())), "object-2");
        assert_eq!(keys.unique(Some(one)), format!("{one}#3"));
    }
}
