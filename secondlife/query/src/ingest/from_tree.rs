//! A tree of files that no table names: what they are, their content says.

use std::path::Path;

use lodger_opensim::files::{Kind, Stream};
use lodger_quota::{Quota, QuotaExceeded};

use super::error::IngestError;
use super::feed::Feed;
use super::hash::Hash;
use super::rows::{self, Rows, blank};
use super::tables::Flow;
use super::tree::{self, NoBytes, Tree, TreeFile};
use super::work::{Job, Work};
use crate::dataset::{AssetKind, SourceKind};

/// Reads the meshes and objects of a tree.
pub(super) fn read(work: &mut Work<'_>, tree: &Tree) -> Result<(), IngestError> {
    let name = tree.root().display().to_string();
    work.begin(&name, SourceKind::FsAssets, None)?;
    let with_names = work.options.with_names;
    let mut feed = Feed::new(work, &name);
    for file in tree.files() {
        let flow = match file {
            Ok(file) => {
                let again = feed.work.known.lacks(None, Some(&file.hash));
                if !again && feed.work.known.has_hash(&file.hash) {
                    feed.work.is_known();
                    feed.go()
                } else {
                    feed.push(Found::File { file, again, with_names }, 0)
                }
            }
            Err(problem) => feed.push(Found::Fault(problem), 0),
        };
        if flow == Flow::Stop {
            break;
        }
    }
    feed.finish()?;
    work.end()
}

/// What is found in a tree.
enum Found {
    File {
        file: TreeFile,
        /// Whether it has a row already, because it could not be read.
        again: bool,
        with_names: bool,
    },
    /// A folder that cannot be read.
    Fault(String),
}

impl Job for Found {
    fn read(&self, quota: &Quota) -> Result<Rows, QuotaExceeded> {
        match self {
            Self::File { file, with_names, .. } => first_good(file, *with_names, quota),
            Self::Fault(problem) => Ok(Rows::bad(blank(None, None, AssetKind::Mesh), problem)),
        }
    }

    fn refused(&self, spent: QuotaExceeded) -> Rows {
        let hash = match self {
            Self::File { file, .. } => Some(&file.hash),
            Self::Fault(_) => None,
        };
        Rows::bad(blank(None, hash, AssetKind::Mesh), spent.to_string())
    }

    fn is_again(&self) -> bool {
        matches!(self, Self::File { again: true, .. })
    }
}

/// What comes of the first of an asset's files that has its bytes; if none has, of the first.
fn first_good(file: &TreeFile, with_names: bool, quota: &Quota) -> Result<Rows, QuotaExceeded> {
    let mut first = None;
    for path in &file.paths {
        let rows = one(path, &file.hash, with_names, quota)?;
        if !rows.lacks_bytes() {
            return Ok(rows);
        }
        first.get_or_insert(rows);
    }
    Ok(first.unwrap_or_default())
}

/// What comes of one file.
fn one(path: &Path, hash: &Hash, with_names: bool, quota: &Quota) -> Result<Rows, QuotaExceeded> {
    let bad = |kind, problem| Ok(Rows::bad(blank(None, Some(hash), kind), problem));
    if !path.is_file() {
        return bad(AssetKind::Mesh, "in the place of its file is something else".to_owned());
    }
    let stream = match Stream::open(path) {
        Ok(stream) => stream,
        Err(problem) => return bad(AssetKind::Mesh, format!("its file: {problem}")),
    };
    let kind = match stream.kind() {
        Kind::MeshAsset => AssetKind::Mesh,
        Kind::ObjectXml => AssetKind::Object,
        Kind::Empty => return bad(AssetKind::Mesh, "its file has 0 bytes".to_owned()),
        _ => return Ok(Rows::passed_over()),
    };
    let bytes = match tree::whole(Ok(stream), quota) {
        Ok(bytes) => bytes,
        Err(NoBytes::Because(problem)) => return bad(kind, problem),
        Err(NoBytes::QuotaExceeded(spent)) => return Err(spent),
    };
    if let Err(problem) = tree::check(&bytes, hash) {
        return bad(kind, problem);
    }
    rows::read(blank(None, Some(hash), kind), &bytes, &hash.to_string(), with_names, quota)
}
