use std::collections::HashSet;
use std::fmt::Display;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::{filter_record_batch, not};

use super::files::{TableFile, for_each_batch};
use super::manifest::{
    DataFile, DatasetError, DatasetManifest, DatasetTable, SourceEntry, SourceKind, sync_folder,
};
use super::rows::AssetRowColumns;

const EXTENSION: &str = ".parquet";

/// The only writer of a dataset. A [`commit`](Self::commit) makes the rows of both tables valid at
/// once; rows that are not committed are lost.
///
/// # Examples
///
/// ```
/// use lodger_grid::dataset::{AssetRowColumns, AssetKind, AssetRow, DatasetTable, DatasetWriter, DatasetManifest, SourceKind};
///
/// # let folder = tempfile::tempdir()?;
/// # let dataset = folder.path();
/// let missing = AssetRow { error: Some("it is missing".to_owned()), ..AssetRow::new(AssetKind::Mesh) };
/// let mut columns = AssetRowColumns::default();
/// columns.append("region.oar", &missing);
///
/// let mut writer = DatasetWriter::open(dataset, false)?;
/// writer.begin_source("region.oar", SourceKind::Files)?;
/// writer.push(DatasetTable::Assets, &columns.finish_batch()?)?;
/// writer.end_source(true)?;
/// drop(writer);
/// assert_eq!(DatasetManifest::read(dataset)?.map(|manifest| manifest.files[0].rows), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct DatasetWriter {
    dataset: PathBuf,
    manifest: DatasetManifest,
    source: Option<usize>,
    file_rows: usize,
    next: [u32; 2],
    open: [Option<TableFile>; 2],
    /// Complete files that are not committed.
    pending: Vec<DataFile>,
    _lock: DatasetLock,
}

impl DatasetWriter {
    /// The default limit of rows of a file.
    pub const FILE_ROWS: usize = 128 << 10;

    /// Opens the dataset in a folder, which is created if necessary. Removes files that an
    /// interrupted ingest left, which the manifest does not name.
    ///
    /// # Errors
    ///
    /// The folder contains other files, has another writer, or cannot be written; the dataset has
    /// names contrary to `with_names`; and errors of [`DatasetManifest::read`].
    pub fn open(dataset: &Path, with_names: bool) -> Result<Self, DatasetError> {
        let made = fs::create_dir_all(dataset);
        made.map_err(|error| DatasetError::io(dataset, "be made", &error))?;
        check_folder(dataset)?;
        let lock = DatasetLock::acquire(dataset)?;
        let manifest = match DatasetManifest::read(dataset)? {
            Some(manifest) => {
                check_names(dataset, manifest.with_names, with_names)?;
                manifest
            }
            None => DatasetManifest::new(with_names),
        };
        manifest.write(dataset)?;
        let mut next = [0; 2];
        for (table, next) in DatasetTable::ALL.into_iter().zip(&mut next) {
            let folder = dataset.join(table.folder());
            let made = fs::create_dir_all(&folder);
            made.map_err(|error| DatasetError::io(&folder, "be made", &error))?;
            remove_unlisted(&folder, &manifest, table)?;
            let numbers = manifest.paths(table).filter_map(|path| number(path.rsplit('/').next()?));
            *next = numbers.max().map_or(0, |last| last + 1);
        }
        Ok(Self {
            dataset: dataset.to_owned(),
            manifest,
            source: None,
            file_rows: Self::FILE_ROWS,
            next,
            open: [None, None],
            pending: Vec::new(),
            _lock: lock,
        })
    }

    /// Sets the limit of rows of a file, at least 1.
    #[must_use]
    pub fn file_rows(mut self, rows: usize) -> Self {
        self.file_rows = rows.max(1);
        self
    }

    /// Returns the committed manifest.
    #[must_use]
    pub const fn manifest(&self) -> &DatasetManifest {
        &self.manifest
    }

    /// Begins a source, new or known. Earlier rows are committed first.
    ///
    /// # Errors
    ///
    /// Errors of [`commit`](Self::commit).
    pub fn begin_source(&mut self, name: &str, kind: SourceKind) -> Result<(), DatasetError> {
        self.commit()?;
        let sources = &mut self.manifest.sources;
        let known = sources.iter().position(|source| source.name == name && source.kind == kind);
        self.source = Some(known.unwrap_or_else(|| {
            sources.push(SourceEntry { name: name.to_owned(), kind, whole: false });
            sources.len() - 1
        }));
        Ok(())
    }

    /// Reserves the path, relative to the dataset, of a new file of a table.
    fn next_path(&mut self, table: DatasetTable) -> String {
        let next = &mut self.next[index(table)];
        *next += 1;
        path_of(table, *next - 1)
    }

    /// Replaces the manifest; its files must be complete.
    fn replace(&mut self, manifest: DatasetManifest) -> Result<(), DatasetError> {
        self.sync_folders()?;
        manifest.write(&self.dataset)?;
        self.manifest = manifest;
        Ok(())
    }

    fn sync_folders(&self) -> Result<(), DatasetError> {
        DatasetTable::ALL.into_iter().try_for_each(|table| {
            let folder = self.dataset.join(table.folder());
            let synced = sync_folder(&folder);
            synced.map_err(|error| DatasetError::io(&folder, "be written", &error))
        })
    }

    /// Appends rows of a table, which the next commit makes valid.
    ///
    /// # Errors
    ///
    /// They cannot be written, or there is no [source](Self::begin_source) yet.
    pub fn push(&mut self, table: DatasetTable, rows: &RecordBatch) -> Result<(), DatasetError> {
        let mut from = 0;
        while from < rows.num_rows() {
            let max = self.file_rows;
            let file = self.file(table)?;
            let space = max - file.rows();
            let count = space.min(rows.num_rows() - from);
            file.push(&rows.slice(from, count))?;
            from += count;
            if count == space {
                self.close(table)?;
            }
        }
        Ok(())
    }

    /// Whether a full file is not committed.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.pending.iter().any(|file| file.rows >= self.file_rows as u64)
    }

    /// Makes all rows of both tables valid by one replacement of the manifest.
    ///
    /// # Errors
    ///
    /// They cannot be written.
    pub fn commit(&mut self) -> Result<(), DatasetError> {
        for table in DatasetTable::ALL {
            self.close(table)?;
        }
        if self.pending.is_empty() {
            return Ok(());
        }
        self.sync_folders()?;
        self.manifest.files.append(&mut self.pending);
        self.manifest.write(&self.dataset)
    }

    /// [Commits](Self::commit), and records whether all of the source was read.
    ///
    /// # Errors
    ///
    /// Errors of [`commit`](Self::commit).
    pub fn end_source(&mut self, whole: bool) -> Result<(), DatasetError> {
        self.commit()?;
        let Some(source) = self.source.take() else { return Ok(()) };
        if let Some(entry) = self.manifest.sources.get_mut(source) {
            entry.whole = whole;
        }
        self.manifest.write(&self.dataset)
    }

    /// Drops the rows that are not committed.
    pub fn abandon(&mut self) {
        let open = self.open.iter_mut().filter_map(Option::take);
        let open = open.map(|file| file.path().to_owned());
        let pending = self.pending.drain(..).map(|file| self.dataset.join(file.path));
        for path in open.chain(pending) {
            // The next writer removes files that stay.
            let _ = fs::remove_file(path);
        }
    }

    fn file(&mut self, table: DatasetTable) -> Result<&mut TableFile, DatasetError> {
        if self.source.is_none() {
            return Err(DatasetError::new(
                &self.dataset,
                "rows without a source cannot be written",
            ));
        }
        let index = index(table);
        let file = if let Some(file) = self.open[index].take() {
            file
        } else {
            let path = self.next_path(table);
            TableFile::create(self.dataset.join(path), table.schema())?
        };
        Ok(self.open[index].insert(file))
    }

    fn close(&mut self, table: DatasetTable) -> Result<(), DatasetError> {
        let index = index(table);
        let (Some(file), Some(source)) = (self.open[index].take(), self.source) else {
            return Ok(());
        };
        // The open file has the last number.
        let path = path_of(table, self.next[index] - 1);
        let rows = file.rows() as u64;
        file.finish()?;
        self.pending.push(DataFile { table, path, rows, source });
        Ok(())
    }
}

pub(crate) trait RowFilter {
    /// The columns that [`matches`](Self::matches) needs.
    fn columns(&self) -> &'static [&'static str];
    /// Returns true for each row to delete; no value is null.
    fn matches(&self, rows: &RecordBatch) -> BooleanArray;
}

impl DatasetWriter {
    /// Deletes rows of `assets`. Files with such rows are written anew without them, and made valid
    /// by one replacement of the manifest; their sources count as incomplete. The old files stay
    /// until the dataset is opened again, because queries may be reading them.
    pub(crate) fn delete_rows(&mut self, filter: &dyn RowFilter) -> Result<(), DatasetError> {
        self.commit()?;
        let mut manifest = self.manifest().clone();
        let mut files = Vec::with_capacity(manifest.files.len());
        for file in manifest.files {
            let path = self.dataset.join(&file.path);
            if file.table != DatasetTable::Assets || !contains_match(&path, filter)? {
                files.push(file);
                continue;
            }
            if let Some(source) = manifest.sources.get_mut(file.source) {
                source.whole = false;
            }
            files.extend(self.copy_without(&path, file.source, filter)?);
        }
        manifest.files = files;
        self.replace(manifest)
    }

    /// Copies a file without the selected rows; `None` if no row is left.
    fn copy_without(
        &mut self,
        path: &Path,
        source: usize,
        filter: &dyn RowFilter,
    ) -> Result<Option<DataFile>, DatasetError> {
        let name = self.next_path(DatasetTable::Assets);
        let mut copy = TableFile::create(self.dataset.join(&name), AssetRowColumns::schema())?;
        for_each_batch(path, &[], |rows| {
            let kept = not(&filter.matches(rows)).and_then(|keep| filter_record_batch(rows, &keep));
            let kept = kept.and_then(|rows| {
                RecordBatch::try_new(AssetRowColumns::schema(), rows.columns().to_vec())
            });
            let kept = kept.map_err(|error| DatasetError::io(path, "be written anew", &error))?;
            copy.push(&kept)
        })?;
        let rows = copy.rows() as u64;
        copy.finish()?;
        let file = DataFile { table: DatasetTable::Assets, path: name, rows, source };
        Ok((rows > 0).then_some(file))
    }
}

fn contains_match(path: &Path, filter: &dyn RowFilter) -> Result<bool, DatasetError> {
    let mut found = false;
    for_each_batch(path, filter.columns(), |rows| {
        found |= filter.matches(rows).true_count() > 0;
        Ok(())
    })?;
    Ok(found)
}

impl Drop for DatasetWriter {
    fn drop(&mut self) {
        self.abandon();
    }
}

/// The lock of a dataset's only writer. The file stays, but the lock ends with the process.
#[derive(Debug)]
struct DatasetLock {
    _file: File,
}

impl DatasetLock {
    const FILE: &str = "lodger-grid.lock";

    fn acquire(dataset: &Path) -> Result<Self, DatasetError> {
        let path = dataset.join(Self::FILE);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| DatasetError::io(&path, "be opened", &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(DatasetError::new(
                dataset,
                "another ingest writes this dataset; wait for its end, or choose another folder",
            )),
            Err(TryLockError::Error(error)) => Err(DatasetError::io(&path, "be locked", &error)),
        }
    }
}

fn index(table: DatasetTable) -> usize {
    usize::from(table == DatasetTable::Parts)
}

fn path_of(table: DatasetTable, number: u32) -> String {
    format!("{}/{number:05}{EXTENSION}", table.folder())
}

fn number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(EXTENSION)?;
    let is_number = digits.len() >= 5 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_number)
}

fn check_folder(dataset: &Path) -> Result<(), DatasetError> {
    let fail = |error: &dyn Display| DatasetError::io(dataset, "be read", error);
    if fs::exists(dataset.join(DatasetManifest::FILE)).map_err(|error| fail(&error))? {
        return Ok(());
    }
    let known = [DatasetLock::FILE, DatasetManifest::TEMPORARY];
    for entry in fs::read_dir(dataset).map_err(|error| fail(&error))? {
        let name = entry.map_err(|error| fail(&error))?.file_name();
        if !known.iter().any(|known| name == *known) {
            let problem = "this folder contains other files and is no dataset; choose a new one";
            return Err(DatasetError::new(dataset, problem));
        }
    }
    Ok(())
}

fn check_names(dataset: &Path, has_names: bool, with_names: bool) -> Result<(), DatasetError> {
    let problem = match (has_names, with_names) {
        (true, false) => "this dataset has names; use --with-names, or choose another folder",
        (false, true) => {
            "this dataset has no names; leave out --with-names, or choose another folder"
        }
        _ => return Ok(()),
    };
    Err(DatasetError::new(dataset, problem))
}

/// Removes data files that the manifest does not name.
fn remove_unlisted(
    folder: &Path,
    manifest: &DatasetManifest,
    table: DatasetTable,
) -> Result<(), DatasetError> {
    let named: HashSet<&str> =
        manifest.paths(table).filter_map(|path| path.rsplit('/').next()).collect();
    let fail = |error: &dyn Display| DatasetError::io(folder, "be read", error);
    for entry in fs::read_dir(folder).map_err(|error| fail(&error))? {
        let entry = entry.map_err(|error| fail(&error))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if number(name).is_some() && !named.contains(name) {
            let path = entry.path();
            let removed = fs::remove_file(&path);
            removed.map_err(|error| DatasetError::io(&path, "be removed", &error))?;
        }
    }
    Ok(())
}
