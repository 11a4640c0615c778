//! The tables of `OpenSimulator`, in `MySQL`, in `PostgreSQL` or as CSV files.
//!
//! | table | rows read | rows become |
//! |---|---|---|
//! | `fsassets` | all | [`AssetRecord<String>`](AssetRecord) |
//! | `assets` | types 6 and 49 | [`AssetRecord<Vec<u8>>`](AssetRecord) |
//! | `prims`, `primshapes` | objects in regions, joined and grouped by object; `primitems` for scripts, if it exists | [`RezzedObject`] |
//!
//! Databases are only queried with `SELECT` in read-only sessions. CSV files have a header and
//! double quotes within quotes, as `COPY … TO … (FORMAT csv, HEADER)` of `PostgreSQL` and most
//! exports of `MySQL` do; blobs are hexadecimal after `0x` or `\x`, or base64.

mod csv_chunks;
mod csv_join;
mod csv_table;
mod database;
mod objects;
mod records;
mod sql;

use std::ops::ControlFlow::{self, Break, Continue};
use std::path::PathBuf;

use url::Url;

use super::options::IngestError;
use csv_join::CsvJoin;
use csv_table::{CsvRow, CsvTable, each_row};
use database::LiveDatabase;
use objects::{ObjectAssembler, PrimRow};
pub use records::{AssetRecord, MESH, OBJECT, Present, RezzedObject};
use records::{TableKind, TableRow, asset, fs_asset};

/// The tables of a database or of CSV files. Rows are streamed; no table is held in memory.
#[derive(Debug)]
pub struct OpenSimTables {
    name: String,
    present: Present,
    backend: TableBackend,
}

#[derive(Debug)]
enum TableBackend {
    LiveDatabase(Box<LiveDatabase>),
    CsvTables(CsvTables),
}

/// CSV files by their table; a table may have several files.
#[derive(Debug, Default)]
struct CsvTables {
    fs_assets: Vec<CsvTable>,
    assets: Vec<CsvTable>,
    rezzed: Option<CsvJoin>,
}

impl OpenSimTables {
    /// Connects to a database, which is only read. The password is in the URL or in the environment
    /// variable `LODGER_GRID_PASSWORD`. Not for threads of an async runtime.
    ///
    /// # Errors
    ///
    /// The database cannot be reached, or contains none of the tables.
    pub fn connect(url: &Url) -> Result<Self, IngestError> {
        let database = LiveDatabase::open(url)?;
        let present = database.present()?;
        Ok(Self {
            name: database.name().to_owned(),
            present,
            backend: TableBackend::LiveDatabase(Box::new(database)),
        })
    }

    /// Opens CSV files, and counts their rows, which may have any order. The header of a file tells
    /// its table.
    ///
    /// # Errors
    ///
    /// A file cannot be read or has the header of no table, or `prims` and `primshapes` are not
    /// both there.
    pub fn open(files: &[PathBuf]) -> Result<Self, IngestError> {
        Self::open_until(files, &|| false)
    }

    /// Like [`open`](Self::open), but counts rows only until `stop` returns true, which is called
    /// for each row.
    ///
    /// # Errors
    ///
    /// Errors of [`open`](Self::open).
    pub fn open_until(files: &[PathBuf], stop: &dyn Fn() -> bool) -> Result<Self, IngestError> {
        let (mut csv, mut prims, mut shapes, mut items) =
            (CsvTables::default(), Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let table = CsvTable::open(file)?;
            match table.kind() {
                TableKind::FsAssets => csv.fs_assets.push(table),
                TableKind::Assets => csv.assets.push(table),
                TableKind::Prims => prims.push(table),
                TableKind::PrimShapes => shapes.push(table),
                TableKind::PrimItems => items.push(table),
            }
        }
        let name = files.first().map(|file| match file.parent() {
            Some(folder) if files.len() > 1 => csv_table::display_path(folder),
            _ => csv_table::display_path(file),
        });
        let name = name.unwrap_or_default();
        match (prims.is_empty(), shapes.is_empty() && items.is_empty()) {
            (true, true) => {}
            (false, false) if !shapes.is_empty() => {
                csv.rezzed = Some(CsvJoin::new(prims, shapes, items, stop)?);
            }
            (false, _) => {
                return Err(IngestError::new(
                    name,
                    "there is `prims` without `primshapes`: dump both",
                ));
            }
            (true, false) => {
                let problem =
                    "there is `primshapes` or `primitems` without `prims`: dump all three";
                return Err(IngestError::new(name, problem));
            }
        }
        let present = csv.present(stop)?;
        Ok(Self { name, present, backend: TableBackend::CsvTables(csv) })
    }

    /// Whether the first bytes of a file are the header of a table; 4 KiB are enough.
    #[must_use]
    pub fn is_table(start: &[u8]) -> bool {
        csv_table::is_table(start)
    }

    /// The name in reports, without a password.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The tables that exist.
    #[must_use]
    pub fn present(&self) -> Present {
        self.present
    }

    /// Calls `each` with all rows of `fsassets`. An invalid row is an error, and does not end the
    /// table.
    ///
    /// # Errors
    ///
    /// The connection or the file is lost.
    pub fn fsassets(
        &self,
        each: &mut dyn FnMut(Result<AssetRecord<String>, String>) -> ControlFlow<()>,
    ) -> Result<(), IngestError> {
        match &self.backend {
            TableBackend::LiveDatabase(database) if database.schema().has(TableKind::FsAssets) => {
                database.rows(&database.schema().fs_assets(), &mut |row| each(fs_asset(row)))
            }
            TableBackend::LiveDatabase(_) => Ok(()),
            TableBackend::CsvTables(csv) => {
                each_row(&csv.fs_assets, |line| line.read(fs_asset), each).map(drop)
            }
        }
    }

    /// Calls `each` with the rows of types 6 and 49 of `assets`. An invalid row is an error, and
    /// does not end the table.
    ///
    /// # Errors
    ///
    /// The connection or the file is lost.
    pub fn assets(
        &self,
        each: &mut dyn FnMut(Result<AssetRecord<Vec<u8>>, String>) -> ControlFlow<()>,
    ) -> Result<(), IngestError> {
        match &self.backend {
            TableBackend::LiveDatabase(database) if database.schema().has(TableKind::Assets) => {
                database.rows(&database.schema().assets(), &mut |row| each(asset(row)))
            }
            TableBackend::LiveDatabase(_) => Ok(()),
            TableBackend::CsvTables(csv) => {
                let read = |line: &CsvRow<'_>| is_mesh_or_object(line).then(|| line.read(asset));
                let take = |row: Option<_>| row.map_or(Continue(()), &mut *each);
                each_row(&csv.assets, read, take).map(drop)
            }
        }
    }

    /// Calls `each` with all objects in regions, sorted by their identifiers.
    ///
    /// # Errors
    ///
    /// The connection or the file is lost.
    pub fn rezzed(
        &self,
        each: &mut dyn FnMut(RezzedObject) -> ControlFlow<()>,
    ) -> Result<(), IngestError> {
        match &self.backend {
            TableBackend::LiveDatabase(database) if database.schema().has(TableKind::Prims) => {
                let mut assembler = ObjectAssembler::new(&self.name, each);
                let mut flow = Continue(());
                database.rows(&database.schema().prims(), &mut |row| {
                    flow = add_prim(row, &mut assembler);
                    flow
                })?;
                if flow.is_continue() {
                    let _ = assembler.finish();
                }
                Ok(())
            }
            TableBackend::LiveDatabase(_) => Ok(()),
            TableBackend::CsvTables(csv) => match &csv.rezzed {
                Some(joined) => joined.rezzed(&self.name, each),
                None => Ok(()),
            },
        }
    }
}

impl CsvTables {
    fn present(&self, stop: &dyn Fn() -> bool) -> Result<Present, IngestError> {
        let count = |csv: &[CsvTable], wanted: fn(&CsvRow<'_>) -> bool| {
            let mut count = 0_u64;
            let _ = each_row(csv, wanted, |is_counted| {
                count += u64::from(is_counted);
                if stop() { Break(()) } else { Continue(()) }
            })?;
            Ok::<_, IngestError>((!csv.is_empty()).then_some(count))
        };
        Ok(Present {
            fsassets: count(&self.fs_assets, |_| true)?,
            assets: count(&self.assets, is_mesh_or_object)?,
            objects: self.rezzed.as_ref().map(CsvJoin::objects),
        })
    }
}

fn add_prim(row: TableRow<'_>, assembler: &mut ObjectAssembler<'_>) -> ControlFlow<()> {
    let (own, rest) = row.0.split_at(row.0.len().min(TableKind::Prims.columns().len()));
    match PrimRow::read(TableRow(own)) {
        Ok((id, mut prim)) => {
            let shape = TableRow(rest);
            prim.shape = shape.bytes(0).map(|_| objects::shape(shape));
            let scripts = rest.len().checked_sub(1).and_then(|last| shape.text(last));
            prim.scripts = scripts.and_then(|count| count.parse().ok()).unwrap_or_default();
            assembler.add(id, prim)
        }
        Err(orphan) => assembler.orphan(*orphan),
    }
}

/// Whether a row of `assets` is a mesh or an object. An invalid type counts, to report its error.
fn is_mesh_or_object(line: &CsvRow<'_>) -> bool {
    let kind = line.text(1).and_then(|text| std::str::from_utf8(text).ok());
    kind.and_then(|text| text.trim().parse().ok())
        .is_none_or(|kind: i64| [MESH, OBJECT].into_iter().any(|wanted| i64::from(wanted) == kind))
}
