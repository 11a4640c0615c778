//! What the sources are, before anything is written.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use lodger_opensim::files::{Kind, Search, Stream, find};

use super::error::IngestError;
use super::options::SourceSpec;
use super::outlet::Message;
use super::tables::Tables;
use super::tree::Tree;
use super::work::Work;
use super::{from_files, from_tables, from_tree};
use crate::dataset::SourceKind;

/// Bytes of a file that tell whether it is the dump of a table.
const START: u64 = 8 << 10;

/// What the sources are.
#[derive(Debug, Default)]
pub(super) struct Plan {
    tables: Vec<(Tables, SourceKind)>,
    trees: Vec<Tree>,
    files: Vec<PathBuf>,
    paths: Vec<PathBuf>,
}

impl Plan {
    /// Opens the sources. Once `stop` is true, no more is counted of them.
    pub(super) fn of(sources: &[SourceSpec], stop: &dyn Fn() -> bool) -> Result<Self, IngestError> {
        let mut plan = Self::default();
        let (mut dumps, mut urls) = (Vec::new(), Vec::new());
        for source in sources {
            match source {
                SourceSpec::Path(path) => plan.add(path, &mut dumps)?,
                SourceSpec::Database(url) if urls.contains(&url) => {}
                SourceSpec::Database(url) => urls.push(url),
            }
        }
        if !dumps.is_empty() {
            plan.tables.push((Tables::open_until(&dumps, stop)?, SourceKind::Csv));
        }
        for url in urls {
            plan.tables.push((Tables::connect(url)?, SourceKind::Database));
        }
        plan.check_trees()?;
        Ok(plan)
    }

    fn add(&mut self, path: &Path, dumps: &mut Vec<PathBuf>) -> Result<(), IngestError> {
        let name = path.display().to_string();
        let told = |problem: String| IngestError::source(&name, problem);
        // The name by which a second run knows it.
        let path = fs::canonicalize(path)
            .map_err(|error| told(format!("it cannot be opened: {error}")))?;
        if self.paths.contains(&path) {
            return Ok(());
        }
        self.paths.push(path.clone());
        if path.is_dir() {
            if let Some(tree) = Tree::recognise(&path) {
                self.trees.push(tree);
            } else {
                check_holds_some(&path).map_err(told)?;
                self.files.push(path);
            }
            return Ok(());
        }
        if !path.is_file() {
            return Err(told("it is neither a file nor a folder".to_owned()));
        }
        if is_dump(&path).map_err(|error| told(format!("it cannot be read: {error}")))? {
            dumps.push(path);
            return Ok(());
        }
        let stream = Stream::open(&path).map_err(|problem| told(problem.to_string()))?;
        match stream.kind() {
            Kind::MeshAsset | Kind::Tar | Kind::ObjectXml => self.files.push(path),
            kind => {
                return Err(told(format!(
                    "it is {kind}; a source is an archive, a mesh asset, object XML, a folder with such, \
                 a folder of FSAssets, a table of OpenSimulator as CSV with its header, or the URL of a database"
                )));
            }
        }
        Ok(())
    }

    /// Refuses a table that names files, without those.
    fn check_trees(&self) -> Result<(), IngestError> {
        match self.tables.iter().find(|(tables, _)| names_files(tables)) {
            Some((tables, _)) if self.trees.is_empty() => Err(IngestError::source(
                tables.name(),
                "its table fsassets names files by their hash; give the folder that they are in as one more source",
            )),
            _ => Ok(()),
        }
    }

    /// Refuses to write into a source, or to read what is written.
    pub(super) fn check_apart(&self, dataset: &Path) -> Result<(), IngestError> {
        let place = std::path::absolute(dataset).unwrap_or_else(|_| dataset.to_owned());
        let there = place.ancestors().find_map(|folder| {
            let rest = place.strip_prefix(folder).ok()?;
            Some(fs::canonicalize(folder).ok()?.join(rest))
        });
        let place = there.unwrap_or(place);
        match self.paths.iter().find(|path| place.starts_with(path) || path.starts_with(&place)) {
            Some(path) => Err(IngestError::source(
                dataset.display().to_string(),
                format!(
                    "the dataset and the source {} lie in each other; choose another folder with --out",
                    path.display()
                ),
            )),
            None => Ok(()),
        }
    }

    /// Reads all of them.
    pub(super) fn run(&self, work: &mut Work<'_>) -> Result<(), IngestError> {
        for path in &self.files {
            if work.is_over() {
                return Ok(());
            }
            from_files::read(work, path)?;
        }
        self.run_stores(work)?;
        let found = work.known.forget_found();
        if found.0.is_empty() || work.is_over() {
            return Ok(());
        }
        // Their older rows go first, so that no identifier is there twice at any moment.
        work.outlet.send(Message::Forget(found))?;
        work.once_more = true;
        self.run_stores(work)
    }

    /// Reads tables and trees.
    fn run_stores(&self, work: &mut Work<'_>) -> Result<(), IngestError> {
        for (tables, kind) in &self.tables {
            if work.is_over() {
                return Ok(());
            }
            from_tables::read(work, tables, *kind, &self.trees)?;
        }
        let are_named = self.tables.iter().any(|(tables, _)| names_files(tables));
        for tree in &self.trees {
            if work.is_over() {
                return Ok(());
            }
            if are_named {
                // What the tables name was read of it.
                work.begin(&tree.root().display().to_string(), SourceKind::FsAssets, Some(0))?;
                work.end()?;
            } else {
                from_tree::read(work, tree)?;
            }
        }
        Ok(())
    }
}

/// Whether a table names files of a tree.
fn names_files(tables: &Tables) -> bool {
    tables.present().fsassets.is_some_and(|rows| rows > 0)
}

/// Refuses a folder in which nothing is found, and says which one cannot be read. One that is read in part is a source.
fn check_holds_some(folder: &Path) -> Result<(), String> {
    let found = find(&[folder.to_owned()], Search::Everything);
    match found.first() {
        Some(Err(error)) if found.iter().all(Result::is_err) => {
            Err(format!("{error}, and no files named by their SHA-256"))
        }
        _ => Ok(()),
    }
}

/// Whether a file is the dump of a table.
fn is_dump(path: &Path) -> std::io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(START).read_to_end(&mut start)?;
    Ok(Tables::is_table(&start))
}
