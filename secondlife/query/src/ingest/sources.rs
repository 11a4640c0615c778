//! Sources, opened before anything is written.

use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};

use lodger_opensim::files::{FileFilter, FileKind, SniffedReader, expand_paths};

use super::options::{IngestError, SourceSpec};
use super::row_sink::RowMessage;
use super::run::IngestRun;
use super::tables::OpenSimTables;
use super::tree::FileTree;
use super::{from_files, from_stores};
use crate::dataset::SourceKind;

const HEADER_BYTES: u64 = 8 << 10;

#[derive(Debug, Default)]
pub(super) struct OpenSources {
    tables: Vec<(OpenSimTables, SourceKind)>,
    trees: Vec<FileTree>,
    files: Vec<PathBuf>,
    paths: Vec<PathBuf>,
}

impl OpenSources {
    pub(super) fn open(specs: &[SourceSpec], stop: &dyn Fn() -> bool) -> Result<Self, IngestError> {
        let mut sources = Self::default();
        let (mut csv_files, mut urls) = (Vec::new(), Vec::new());
        for spec in specs {
            match spec {
                SourceSpec::Path(path) => sources.add(path, &mut csv_files)?,
                SourceSpec::Database(url) if urls.contains(&url) => {}
                SourceSpec::Database(url) => urls.push(url),
            }
        }
        if !csv_files.is_empty() {
            let tables = OpenSimTables::open_until(&csv_files, stop)?;
            sources.tables.push((tables, SourceKind::Csv));
        }
        for url in urls {
            sources.tables.push((OpenSimTables::connect(url)?, SourceKind::Database));
        }
        sources.check_trees()?;
        Ok(sources)
    }

    fn add(&mut self, path: &Path, csv_files: &mut Vec<PathBuf>) -> Result<(), IngestError> {
        let name = path.display().to_string();
        let fail = |problem: String| IngestError::new(&name, problem);
        // The canonical path is the name of the source in later runs.
        let path = fs::canonicalize(path)
            .map_err(|error| fail(format!("it cannot be opened: {error}")))?;
        if self.paths.contains(&path) {
            return Ok(());
        }
        self.paths.push(path.clone());
        if path.is_dir() {
            if let Some(tree) = FileTree::detect(&path) {
                self.trees.push(tree);
            } else {
                check_not_empty(&path).map_err(fail)?;
                self.files.push(path);
            }
            return Ok(());
        }
        if !path.is_file() {
            return Err(fail("it is neither a file nor a folder".to_owned()));
        }
        if is_csv_table(&path).map_err(|error| fail(format!("it cannot be read: {error}")))? {
            csv_files.push(path);
            return Ok(());
        }
        let stream = SniffedReader::open(&path).map_err(|problem| fail(problem.to_string()))?;
        match stream.kind() {
            FileKind::MeshAsset | FileKind::Tar | FileKind::ObjectXml => self.files.push(path),
            kind => {
                return Err(fail(format!(
                    "it is {kind}; a source is an archive, a mesh asset, object XML, a folder with such, \
                 a folder of FSAssets, a table of OpenSimulator as CSV with its header, or the URL of a database"
                )));
            }
        }
        Ok(())
    }

    /// Rejects a table that names files, if there is no tree.
    fn check_trees(&self) -> Result<(), IngestError> {
        match self.tables.iter().find(|(tables, _)| names_files(tables)) {
            Some((tables, _)) if self.trees.is_empty() => Err(IngestError::new(
                tables.name(),
                "its table fsassets names files by their hash; give the folder that they are in as one more source",
            )),
            _ => Ok(()),
        }
    }

    pub(super) fn check_apart(&self, dataset: &Path) -> Result<(), IngestError> {
        let path = std::path::absolute(dataset).unwrap_or_else(|_| dataset.to_owned());
        let canonical = path.ancestors().find_map(|folder| {
            let rest = path.strip_prefix(folder).ok()?;
            Some(fs::canonicalize(folder).ok()?.join(rest))
        });
        let dataset_path = canonical.unwrap_or(path);
        let is_nested =
            |path: &&PathBuf| dataset_path.starts_with(path) || path.starts_with(&dataset_path);
        match self.paths.iter().find(is_nested) {
            Some(path) => Err(IngestError::new(
                dataset.display().to_string(),
                format!(
                    "the dataset and the source {} lie in each other; choose another folder with --out",
                    path.display()
                ),
            )),
            None => Ok(()),
        }
    }

    pub(super) fn read(&self, run: &mut IngestRun<'_>) -> Result<(), IngestError> {
        for path in &self.files {
            if run.is_stopped() {
                return Ok(());
            }
            from_files::read(run, path)?;
        }
        self.read_stores(run)?;
        let recovered = run.index.take_recovered();
        if recovered.0.is_empty() || run.is_stopped() {
            return Ok(());
        }
        // Old rows are deleted first, so that identifiers are always unique.
        run.sink.send(RowMessage::Delete(recovered))?;
        run.is_second_pass = true;
        self.read_stores(run)
    }

    fn read_stores(&self, run: &mut IngestRun<'_>) -> Result<(), IngestError> {
        for (tables, kind) in &self.tables {
            if run.is_stopped() {
                return Ok(());
            }
            from_stores::read_tables(run, tables, *kind, &self.trees)?;
        }
        let has_table = self.tables.iter().any(|(tables, _)| names_files(tables));
        for tree in &self.trees {
            if run.is_stopped() {
                return Ok(());
            }
            if has_table {
                // The files that the table names were read.
                run.begin(&tree.root().display().to_string(), SourceKind::FsAssets, Some(0))?;
                run.end()?;
            } else {
                from_stores::read_tree(run, tree)?;
            }
        }
        Ok(())
    }
}

fn names_files(tables: &OpenSimTables) -> bool {
    tables.present().fsassets.is_some_and(|rows| rows > 0)
}

fn check_not_empty(folder: &Path) -> Result<(), String> {
    let found = expand_paths(&[folder.to_owned()], FileFilter::All);
    match found.first() {
        Some(Err(error)) if found.iter().all(Result::is_err) => {
            Err(format!("{error}, and no files named by their SHA-256"))
        }
        _ => Ok(()),
    }
}

fn is_csv_table(path: &Path) -> std::io::Result<bool> {
    let mut start = Vec::new();
    File::open(path)?.take(HEADER_BYTES).read_to_end(&mut start)?;
    Ok(OpenSimTables::is_table(&start))
}
