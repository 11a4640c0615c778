//! A tree of files that no table names: what they are, their content says.

use lodger_allowance::{Allowance, Spent};
use lodger_files::{Kind, Stream};

use super::error::IngestError;
use super::feed::Feed;
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
    let mut feed = Feed::new(work, &name, true);
    for file in tree.files() {
        let flow = match file {
            Ok(file) if feed.work.known.has_hash(&file.hash) => {
                feed.work.is_known();
                feed.go()
            }
            Ok(file) => feed.push(Found::File { file, with_names }, 0),
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
        with_names: bool,
    },
    /// A folder that cannot be read.
    Fault(String),
}

impl Job for Found {
    fn read(&self, allowance: &Allowance) -> Result<Rows, Spent> {
        let (file, with_names) = match self {
            Self::File { file, with_names } => (file, *with_names),
            Self::Fault(problem) => {
                return Ok(Rows::bad(blank(None, None, AssetKind::Mesh), problem));
            }
        };
        let bad = |kind, problem| Ok(Rows::bad(blank(None, Some(&file.hash), kind), problem));
        if !file.path.is_file() {
            return bad(AssetKind::Mesh, "in the place of its file is something else".to_owned());
        }
        let stream = match Stream::open(&file.path) {
            Ok(stream) => stream,
            Err(problem) => return bad(AssetKind::Mesh, format!("its file: {problem}")),
        };
        let kind = match stream.kind() {
            Kind::MeshAsset => AssetKind::Mesh,
            Kind::ObjectXml => AssetKind::Object,
            Kind::Empty => return bad(AssetKind::Mesh, "its file has 0 bytes".to_owned()),
            _ => return Ok(Rows::passed_over()),
        };
        let bytes = match tree::whole(Ok(stream), allowance) {
            Ok(bytes) => bytes,
            Err(NoBytes::Because(problem)) => return bad(kind, problem),
            Err(NoBytes::Spent(spent)) => return Err(spent),
        };
        if let Err(problem) = tree::check(&bytes, &file.hash) {
            return bad(kind, problem);
        }
        let row = blank(None, Some(&file.hash), kind);
        rows::read(row, &bytes, &file.hash.to_string(), with_names, allowance)
    }

    fn refused(&self, spent: Spent) -> Rows {
        let hash = match self {
            Self::File { file, .. } => Some(&file.hash),
            Self::Fault(_) => None,
        };
        Rows::bad(blank(None, hash, AssetKind::Mesh), spent.to_string())
    }
}
