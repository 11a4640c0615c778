//! Asset stores: tables of a database or their dumps, and trees of files.

use std::ops::ControlFlow;
use std::path::Path;

use lodger_opensim::files::{FileKind, SniffedReader};
use lodger_quota::{Quota, QuotaExceeded};

use super::options::IngestError;
use super::rows::{self, IngestedRows, empty};
use super::run::{Feed, IngestRun, IngestTask};
use super::tables::{AssetRecord, MESH, OBJECT, OpenSimTables, RezzedObject};
use super::tree::{self, FileTree, Hash, ReadError, TreeFile};
use crate::dataset::{AssetKind, AssetRow, SourceKind};

/// Reads tables: `fsassets` with the files of trees, `assets`, and the objects in regions.
pub(super) fn read_tables(
    run: &mut IngestRun<'_>,
    tables: &OpenSimTables,
    kind: SourceKind,
    trees: &[FileTree],
) -> Result<(), IngestError> {
    let name = tables.name().to_owned();
    let present = tables.present();
    let counts = [present.fsassets, present.assets, present.objects];
    run.begin(&name, kind, Some(counts.into_iter().flatten().sum()))?;
    if present.fsassets.is_some() && !run.is_stopped() {
        let task = |asset, hash| (StoreTask::File { asset, hash, trees }, 0);
        read_assets(run, &name, "fsassets", |each| tables.fsassets(each), task)?;
    }
    if present.assets.is_some() && !run.is_stopped() {
        let task = |asset, data: Vec<u8>| {
            let bytes = data.len();
            (StoreTask::Row { asset, data }, bytes)
        };
        read_assets(run, &name, "assets", |each| tables.assets(each), task)?;
    }
    if present.objects.is_some() && !run.is_stopped() {
        read_rezzed(run, tables, &name)?;
    }
    run.end()
}

struct TableAsset {
    /// The row without the hash and the content.
    row: AssetRow,
    /// Whether the asset has a row already, with missing bytes.
    is_retry: bool,
}

impl TableAsset {
    fn key(&self) -> String {
        self.row.id.unwrap_or_default().to_string()
    }

    fn row(&self, hash: Option<&Hash>) -> AssetRow {
        AssetRow { hash: hash.map(Hash::to_string), ..self.row.clone() }
    }
}

/// An asset of a store, and the location of its bytes.
enum StoreTask<'t> {
    /// The bytes are in a file of the hash in the row.
    File { asset: TableAsset, hash: String, trees: &'t [FileTree] },
    /// The bytes are in the row.
    Row { asset: TableAsset, data: Vec<u8> },
    /// A file of a tree without a table; `is_retry` as in [`TableAsset`].
    Unnamed { file: TreeFile, is_retry: bool },
    /// The row or the folder cannot be read.
    Error(String),
}

impl IngestTask for StoreTask<'_> {
    fn read(&self, with_names: bool, quota: &Quota) -> Result<IngestedRows, QuotaExceeded> {
        match self {
            Self::File { asset, hash: text, trees } => {
                let Some(hash) = Hash::parse(text) else {
                    return Ok(IngestedRows::bad(asset.row(None), "its hash is no SHA-256"));
                };
                let row = asset.row(Some(&hash));
                match tree::read(trees, &hash, quota) {
                    Ok(bytes) => rows::read(row, &bytes, &asset.key(), with_names, quota),
                    Err(ReadError::Unreadable(problem)) => Ok(IngestedRows::bad(row, problem)),
                    Err(ReadError::QuotaExceeded(exceeded)) => Err(exceeded),
                }
            }
            Self::Row { asset, data } => {
                let row = asset.row(Some(&Hash::from_bytes(data)));
                if data.is_empty() {
                    return Ok(IngestedRows::bad(row, "it has 0 bytes"));
                }
                rows::read(row, data, &asset.key(), with_names, quota)
            }
            Self::Unnamed { file, .. } => read_first_valid(file, with_names, quota),
            Self::Error(problem) => Ok(IngestedRows::bad(AssetRow::new(AssetKind::Mesh), problem)),
        }
    }

    fn exceeded(&self, exceeded: QuotaExceeded) -> IngestedRows {
        let row = match self {
            Self::File { asset, hash, .. } => asset.row(Hash::parse(hash).as_ref()),
            Self::Row { asset, data } => asset.row(Some(&Hash::from_bytes(data))),
            Self::Unnamed { file, .. } => empty(None, Some(&file.hash), AssetKind::Mesh),
            Self::Error(_) => AssetRow::new(AssetKind::Mesh),
        };
        IngestedRows::bad(row, exceeded.to_string())
    }

    fn is_retry(&self) -> bool {
        match self {
            Self::File { asset, .. } | Self::Row { asset, .. } => asset.is_retry,
            Self::Unnamed { is_retry, .. } => *is_retry,
            Self::Error(_) => false,
        }
    }
}

/// The asset of a row with its content, unless the dataset has it with its bytes, or it has another
/// kind.
fn new_asset<C>(run: &mut IngestRun<'_>, record: AssetRecord<C>) -> Option<(TableAsset, C)> {
    let kind = match record.kind {
        MESH => AssetKind::Mesh,
        OBJECT => AssetKind::Object,
        _ => {
            run.skip_other();
            return None;
        }
    };
    let is_retry = run.index.remove_missing(Some(record.id), None);
    if !is_retry && !run.index.insert(record.id) {
        run.skip_known();
        return None;
    }
    let with_names = run.options.with_names;
    let row = AssetRow {
        created: record.created,
        accessed: record.accessed,
        name: record.name.filter(|_| with_names),
        description: record.description.filter(|_| with_names),
        ..empty(Some(record.id), None, kind)
    };
    Some((TableAsset { row, is_retry }, record.content))
}

/// Reads the assets of a table. `task` returns a task and the bytes that it holds.
fn read_assets<'t, C>(
    run: &mut IngestRun<'_>,
    source: &str,
    table: &str,
    read: impl FnOnce(AssetCallback<'_, C>) -> Result<(), IngestError>,
    task: impl Fn(TableAsset, C) -> (StoreTask<'t>, usize),
) -> Result<(), IngestError> {
    let mut feed = Feed::new(run, source);
    let read = read(&mut |row| match row.map(|record| new_asset(feed.run, record)) {
        Err(problem) => feed.push(StoreTask::Error(format!("{table}: {problem}")), 0),
        Ok(Some((asset, content))) => {
            let (task, bytes) = task(asset, content);
            feed.push(task, bytes)
        }
        Ok(None) => feed.flow(),
    });
    feed.finish()?;
    read
}

type AssetCallback<'c, C> = &'c mut dyn FnMut(Result<AssetRecord<C>, String>) -> ControlFlow<()>;

impl IngestTask for RezzedObject {
    fn read(&self, with_names: bool, quota: &Quota) -> Result<IngestedRows, QuotaExceeded> {
        let object = match &self.object {
            Ok(object) => object,
            Err(problem) => return Ok(bad_object(self, problem)),
        };
        let (key, region) = (self.id.to_string(), self.region.to_string());
        let parts = rows::part_rows(object, &key, Some(&region), with_names, quota)?;
        Ok(match parts {
            Ok(parts) => IngestedRows { parts, objects: 1, ..IngestedRows::default() },
            Err(problem) => bad_object(self, &problem),
        })
    }

    fn exceeded(&self, exceeded: QuotaExceeded) -> IngestedRows {
        bad_object(self, &exceeded.to_string())
    }
}

fn bad_object(RezzedObject { id, region, .. }: &RezzedObject, problem: &str) -> IngestedRows {
    let problem = format!("the object {id} in the region {region}: {problem}");
    IngestedRows::bad(AssetRow::new(AssetKind::Object), problem)
}

/// Reads the objects in regions, each once, even if several sources have it.
fn read_rezzed(
    run: &mut IngestRun<'_>,
    tables: &OpenSimTables,
    source: &str,
) -> Result<(), IngestError> {
    let mut feed = Feed::new(run, source);
    let read = tables.rezzed(&mut |record| {
        let Ok(object) = &record.object else { return feed.push(record, 0) };
        if !feed.run.index.insert_rezzed(record.id) {
            feed.run.skip_known();
            return feed.flow();
        }
        let bytes = size_of_val(object) * (object.linked.len() + 1);
        feed.push(record, bytes)
    });
    feed.finish()?;
    read
}

/// Reads the meshes and objects of a tree without a table; their content tells their kind.
pub(super) fn read_tree(run: &mut IngestRun<'_>, tree: &FileTree) -> Result<(), IngestError> {
    let name = tree.root().display().to_string();
    run.begin(&name, SourceKind::FsAssets, None)?;
    let mut feed = Feed::new(run, &name);
    for file in tree.files() {
        let flow = match file {
            Ok(file) => {
                let is_retry = feed.run.index.remove_missing(None, Some(&file.hash));
                if !is_retry && feed.run.index.has_hash(&file.hash) {
                    feed.run.skip_known();
                    feed.flow()
                } else {
                    feed.push(StoreTask::Unnamed { file, is_retry }, 0)
                }
            }
            Err(problem) => feed.push(StoreTask::Error(problem), 0),
        };
        if flow == ControlFlow::Break(()) {
            break;
        }
    }
    feed.finish()?;
    run.end()
}

/// Reads the first file of a hash that contains its bytes, else returns the error of the first
/// file.
fn read_first_valid(
    file: &TreeFile,
    with_names: bool,
    quota: &Quota,
) -> Result<IngestedRows, QuotaExceeded> {
    let mut first = None;
    for path in &file.paths {
        let rows = read_file(path, &file.hash, with_names, quota)?;
        if !rows.is_missing_bytes() {
            return Ok(rows);
        }
        first.get_or_insert(rows);
    }
    Ok(first.unwrap_or_default())
}

fn read_file(
    path: &Path,
    hash: &Hash,
    with_names: bool,
    quota: &Quota,
) -> Result<IngestedRows, QuotaExceeded> {
    let bad = |kind, problem| Ok(IngestedRows::bad(empty(None, Some(hash), kind), problem));
    if !path.is_file() {
        return bad(AssetKind::Mesh, "its path is not a file".to_owned());
    }
    let stream = match SniffedReader::open(path) {
        Ok(stream) => stream,
        Err(problem) => return bad(AssetKind::Mesh, format!("its file: {problem}")),
    };
    let kind = match stream.kind() {
        FileKind::MeshAsset => AssetKind::Mesh,
        FileKind::ObjectXml => AssetKind::Object,
        FileKind::Empty => return bad(AssetKind::Mesh, "its file has 0 bytes".to_owned()),
        _ => return Ok(IngestedRows::skipped()),
    };
    let bytes = match tree::read_all(Ok(stream), quota) {
        Ok(bytes) => bytes,
        Err(ReadError::Unreadable(problem)) => return bad(kind, problem),
        Err(ReadError::QuotaExceeded(exceeded)) => return Err(exceeded),
    };
    if let Err(problem) = tree::check(&bytes, hash) {
        return bad(kind, problem);
    }
    rows::read(empty(None, Some(hash), kind), &bytes, &hash.to_string(), with_names, quota)
}
