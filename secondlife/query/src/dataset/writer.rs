//! A dataset while it is written.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use arrow::array::RecordBatch;
use arrow::datatypes::SchemaRef;

use super::asset::AssetColumns;
use super::lock::Lock;
use super::manifest::{DataFile, Manifest, SourceEntry, SourceKind, Table, sync_folder};
use super::part::PartColumns;
use super::table_file::TableFile;
use super::write_error::WriteError;

const TABLES: [Table; 2] = [Table::Assets, Table::Parts];
/// How the names of files end.
const ENDING: &str = ".parquet";

/// A dataset while it is written, by one at a time. Rows count from the [`commit`](Self::commit) after them, those of
/// both tables together; what was not committed is gone.
///
/// # Examples
/// ```
/// use lodger_grid::dataset::{AssetColumns, AssetKind, AssetRow, Manifest, SourceKind, Table, Writer};
///
/// # let folder = tempfile::tempdir()?;
/// # let dataset = folder.path();
/// let bad = AssetRow {
///     id: None, hash: None, kind: AssetKind::Mesh, bytes: None, created: None, accessed: None,
///     name: None, description: None, mesh: None, error: Some("it is not there".to_owned()),
/// };
/// let mut columns = AssetColumns::default();
/// columns.push("region.oar", &bad);
///
/// let mut writer = Writer::open(dataset, false)?;
/// writer.source("region.oar", SourceKind::Files)?;
/// writer.push(Table::Assets, &columns.finish()?)?;
/// writer.end_source(true)?;
/// drop(writer);
/// assert_eq!(Manifest::read(dataset)?.map(|manifest| manifest.files[0].rows), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Writer {
    dataset: PathBuf,
    manifest: Manifest,
    /// The place of the current source.
    source: Option<usize>,
    file_rows: usize,
    /// The numbers of the next files.
    next: [u32; 2],
    open: [Option<TableFile>; 2],
    /// Files that are whole, and wait for a commit.
    waiting: Vec<DataFile>,
    _lock: Lock,
}

impl Writer {
    /// The rows that a file has at most, where nobody says another number.
    pub const FILE_ROWS: usize = 128 << 10;

    /// Opens the dataset in a folder, which is made if it is not there. Files that the manifest does not name are
    /// removed: an earlier ingest was interrupted within them.
    ///
    /// # Errors
    /// The folder has something else in it, is written by somebody else, or cannot be written; the dataset has names
    /// and should have none, or the other way round; and those of [`Manifest::read`].
    pub fn open(dataset: &Path, with_names: bool) -> Result<Self, WriteError> {
        let made = fs::create_dir_all(dataset);
        made.map_err(|error| WriteError::io(dataset, "be made", &error))?;
        check_folder(dataset)?;
        let lock = Lock::take(dataset)?;
        let manifest = match Manifest::read(dataset)? {
            Some(manifest) => {
                check_names(dataset, manifest.with_names, with_names)?;
                manifest
            }
            None => Manifest::new(with_names),
        };
        manifest.write(dataset)?;
        let mut next = [0; 2];
        for (table, next) in TABLES.into_iter().zip(&mut next) {
            let folder = dataset.join(table.folder());
            let made = fs::create_dir_all(&folder);
            made.map_err(|error| WriteError::io(&folder, "be made", &error))?;
            remove_others(&folder, &manifest, table)?;
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
            waiting: Vec::new(),
            _lock: lock,
        })
    }

    /// Lets a file have at most so many rows, and at least one.
    #[must_use]
    pub fn file_rows(mut self, rows: usize) -> Self {
        self.file_rows = rows.max(1);
        self
    }

    /// What is committed.
    #[must_use]
    pub const fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What follows is made from this source, which may be known already. Rows that wait are committed before.
    ///
    /// # Errors
    /// Those of [`commit`](Self::commit).
    pub fn source(&mut self, name: &str, kind: SourceKind) -> Result<(), WriteError> {
        self.commit()?;
        let sources = &mut self.manifest.sources;
        let known = sources.iter().position(|source| source.name == name && source.kind == kind);
        self.source = Some(known.unwrap_or_else(|| {
            sources.push(SourceEntry { name: name.to_owned(), kind, whole: false });
            sources.len() - 1
        }));
        Ok(())
    }

    /// Its folder.
    pub(super) fn dataset(&self) -> &Path {
        &self.dataset
    }

    /// The path from the dataset's folder of the next new file of a table.
    pub(super) fn next_path(&mut self, table: Table) -> String {
        let next = &mut self.next[at(table)];
        *next += 1;
        path_of(table, *next - 1)
    }

    /// Has the files of another manifest count, which are written already.
    pub(super) fn replace(&mut self, manifest: Manifest) -> Result<(), WriteError> {
        self.sync_folders()?;
        manifest.write(&self.dataset)?;
        self.manifest = manifest;
        Ok(())
    }

    /// Has the names of all files on disk.
    fn sync_folders(&self) -> Result<(), WriteError> {
        TABLES.into_iter().try_for_each(|table| {
            let folder = self.dataset.join(table.folder());
            let synced = sync_folder(&folder);
            synced.map_err(|error| WriteError::io(&folder, "be written", &error))
        })
    }

    /// Adds rows of a table, which count from the next commit.
    ///
    /// # Errors
    /// They cannot be written, or there is no [source](Self::source) yet.
    pub fn push(&mut self, table: Table, rows: &RecordBatch) -> Result<(), WriteError> {
        let mut from = 0;
        while from < rows.num_rows() {
            let most = self.file_rows;
            let file = self.file(table)?;
            let room = most - file.rows();
            let taken = room.min(rows.num_rows() - from);
            file.push(&rows.slice(from, taken))?;
            from += taken;
            if taken == room {
                self.close(table)?;
            }
        }
        Ok(())
    }

    /// Whether more rows of one table wait for a commit than a file has.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.waiting.iter().any(|file| file.rows >= self.file_rows as u64)
    }

    /// Has all rows so far count, those of both tables by one replacement of the manifest.
    ///
    /// # Errors
    /// They cannot be written.
    pub fn commit(&mut self) -> Result<(), WriteError> {
        for table in TABLES {
            self.close(table)?;
        }
        if self.waiting.is_empty() {
            return Ok(());
        }
        self.sync_folders()?;
        self.manifest.files.append(&mut self.waiting);
        Ok(self.manifest.write(&self.dataset)?)
    }

    /// [Commits](Self::commit), and notes whether all of the source was read.
    ///
    /// # Errors
    /// Those of [`commit`](Self::commit).
    pub fn end_source(&mut self, whole: bool) -> Result<(), WriteError> {
        self.commit()?;
        let Some(source) = self.source.take() else { return Ok(()) };
        if let Some(entry) = self.manifest.sources.get_mut(source) {
            entry.whole = whole;
        }
        Ok(self.manifest.write(&self.dataset)?)
    }

    /// Drops the rows that were not committed.
    pub fn abandon(&mut self) {
        let open = self.open.iter_mut().filter_map(Option::take);
        let open = open.map(|file| file.path().to_owned());
        let waiting = self.waiting.drain(..).map(|file| self.dataset.join(file.path));
        for path in open.chain(waiting) {
            // What stays is removed by the next one who opens the dataset.
            let _ = fs::remove_file(path);
        }
    }

    /// The file that rows of a table go to.
    fn file(&mut self, table: Table) -> Result<&mut TableFile, WriteError> {
        if self.source.is_none() {
            return Err(WriteError::new(&self.dataset, "rows of no source cannot be written"));
        }
        let place = at(table);
        let file = if let Some(file) = self.open[place].take() {
            file
        } else {
            let path = self.next_path(table);
            TableFile::create(self.dataset.join(path), schema(table))?
        };
        Ok(self.open[place].insert(file))
    }

    /// Ends the file that is open for a table.
    fn close(&mut self, table: Table) -> Result<(), WriteError> {
        let place = at(table);
        let (Some(file), Some(source)) = (self.open[place].take(), self.source) else {
            return Ok(());
        };
        // The last one that was begun; nothing else of this table is begun before it ends.
        let path = path_of(table, self.next[place] - 1);
        let rows = file.rows() as u64;
        file.finish()?;
        // Only a file that is whole may count.
        self.waiting.push(DataFile { table, path, rows, source });
        Ok(())
    }
}

impl Drop for Writer {
    fn drop(&mut self) {
        self.abandon();
    }
}

fn at(table: Table) -> usize {
    usize::from(table == Table::Parts)
}

fn schema(table: Table) -> SchemaRef {
    match table {
        Table::Assets => AssetColumns::schema(),
        Table::Parts => PartColumns::schema(),
    }
}

/// The path of a file from the dataset's folder.
fn path_of(table: Table, number: u32) -> String {
    format!("{}/{number:05}{ENDING}", table.folder())
}

/// The number of a file of ours by its name.
fn number(name: &str) -> Option<u32> {
    let digits = name.strip_suffix(ENDING)?;
    let is_ours = digits.len() >= 5 && digits.bytes().all(|digit| digit.is_ascii_digit());
    digits.parse().ok().filter(|_| is_ours)
}

/// Refuses a folder that holds something else.
fn check_folder(dataset: &Path) -> Result<(), WriteError> {
    let told = |error: &dyn std::fmt::Display| WriteError::io(dataset, "be read", error);
    if fs::exists(dataset.join(Manifest::FILE)).map_err(|error| told(&error))? {
        return Ok(());
    }
    let ours = [Lock::FILE, Manifest::TEMPORARY];
    for entry in fs::read_dir(dataset).map_err(|error| told(&error))? {
        let name = entry.map_err(|error| told(&error))?.file_name();
        if !ours.iter().any(|known| name == *known) {
            let problem = "this folder has other files in it and is no dataset; choose a new one";
            return Err(WriteError::new(dataset, problem));
        }
    }
    Ok(())
}

/// Refuses to mix rows with names and rows without.
fn check_names(dataset: &Path, there: bool, wanted: bool) -> Result<(), WriteError> {
    let problem = match (there, wanted) {
        (true, false) => "this dataset has names; say --with-names, or choose another folder",
        (false, true) => {
            "this dataset has no names; leave out --with-names, or choose another folder"
        }
        _ => return Ok(()),
    };
    Err(WriteError::new(dataset, problem))
}

/// Removes the files of ours that the manifest does not name.
fn remove_others(folder: &Path, manifest: &Manifest, table: Table) -> Result<(), WriteError> {
    let named: HashSet<&str> =
        manifest.paths(table).filter_map(|path| path.rsplit('/').next()).collect();
    let told = |error: &dyn std::fmt::Display| WriteError::io(folder, "be read", error);
    for entry in fs::read_dir(folder).map_err(|error| told(&error))? {
        let entry = entry.map_err(|error| told(&error))?;
        let name = entry.file_name();
        let Some(name) = name.to_str() else { continue };
        if number(name).is_some() && !named.contains(name) {
            let path = entry.path();
            let removed = fs::remove_file(&path);
            removed.map_err(|error| WriteError::io(&path, "be removed", &error))?;
        }
    }
    Ok(())
}
