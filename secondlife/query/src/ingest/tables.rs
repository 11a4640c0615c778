//! The tables of `OpenSimulator` that say what there is: of `MySQL`, of `PostgreSQL`, or dumped as CSV.
//!
//! | table | what is read | rows come as |
//! |---|---|---|
//! | `fsassets` | all columns | [`FsAssetRecord`] |
//! | `assets` | the older form, with the bytes in it; types 6 and 49 alone | [`AssetRecord`] |
//! | `prims`, `primshapes` | what stands in regions, joined and grouped by object; `primitems` for scripts, if it is there | [`RezzedObject`] |
//!
//! A database is asked nothing but `SELECT`, in sessions that may only read, and an account that may do no more
//! suffices. CSV has a header and doubles quotes within quotes, as `COPY … TO … (FORMAT csv, HEADER)` of `PostgreSQL`
//! and most exports of `MySQL` do; blobs are hexadecimal behind `0x` or `\x`, or base64.

mod blob;
mod blocks;
mod dump;
mod joined;
mod layout;
mod record;
mod rezzed;
mod row;
mod server;
mod sql;
mod words;

use std::path::PathBuf;

use url::Url;

use dump::{Dump, Line, each_row};
use joined::Joined;
use layout::Layout;
pub use record::{
    AssetRecord, Flow, FsAssetRecord, MESH, OBJECT, Present, RezzedObject, TableError,
};
use rezzed::{Grouping, PrimRow};
use row::{Row, asset, fs_asset};
use server::Server;

/// Tables of one database, or of CSV files that lie together. Everything is streamed: no table is held.
#[derive(Debug)]
pub struct Tables {
    name: String,
    present: Present,
    from: From,
}

#[derive(Debug)]
enum From {
    Server(Box<Server>),
    Dumps(Dumps),
}

/// CSV files by what is in them; a table may be in several.
#[derive(Debug, Default)]
struct Dumps {
    fs_assets: Vec<Dump>,
    assets: Vec<Dump>,
    rezzed: Option<Joined>,
}

impl Tables {
    /// Connects to a database, which is only read. The password may stand in the URL or in the environment variable
    /// `LODGER_GRID_PASSWORD`. Not for threads of an async runtime.
    ///
    /// # Errors
    /// It cannot be reached, or none of the tables is in it.
    pub fn connect(url: &Url) -> Result<Self, TableError> {
        let server = Server::open(url)?;
        let present = server.present()?;
        Ok(Self { name: server.name().to_owned(), present, from: From::Server(Box::new(server)) })
    }

    /// Opens CSV files, and counts their rows. Which table each is, its header says. They have to be sorted by nothing.
    ///
    /// # Errors
    /// One cannot be read, or its header is that of none of the tables; `prims` without `primshapes`, or one of these
    /// without the other.
    pub fn open(files: &[PathBuf]) -> Result<Self, TableError> {
        Self::open_until(files, &|| false)
    }

    /// The same. `stop` is asked for each row; once it is true, no more are counted.
    ///
    /// # Errors
    /// Those of [`open`](Self::open).
    pub fn open_until(files: &[PathBuf], stop: &dyn Fn() -> bool) -> Result<Self, TableError> {
        let (mut dumps, mut prims, mut shapes, mut items) =
            (Dumps::default(), Vec::new(), Vec::new(), Vec::new());
        for file in files {
            let dump = Dump::open(file)?;
            match dump.layout() {
                Layout::FsAssets => dumps.fs_assets.push(dump),
                Layout::Assets => dumps.assets.push(dump),
                Layout::Prims => prims.push(dump),
                Layout::PrimShapes => shapes.push(dump),
                Layout::PrimItems => items.push(dump),
            }
        }
        let name = files.first().map(|file| match file.parent() {
            Some(folder) if files.len() > 1 => dump::shown(folder),
            _ => dump::shown(file),
        });
        let name = name.unwrap_or_default();
        match (prims.is_empty(), shapes.is_empty() && items.is_empty()) {
            (true, true) => {}
            (false, false) if !shapes.is_empty() => {
                dumps.rezzed = Some(Joined::new(prims, shapes, items, stop)?);
            }
            (false, _) => {
                return Err(TableError::new(
                    name,
                    "there is `prims` without `primshapes`: dump both",
                ));
            }
            (true, false) => {
                let what = "there is `primshapes` or `primitems` without `prims`: dump all three";
                return Err(TableError::new(name, what));
            }
        }
        let present = dumps.present(stop)?;
        Ok(Self { name, present, from: From::Dumps(dumps) })
    }

    /// Whether the beginning of a file is the header of one of the tables. 4 KiB of it are enough.
    #[must_use]
    pub fn is_table(start: &[u8]) -> bool {
        dump::is_table(start)
    }

    /// What reports call it: no password is in it.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Which tables there are.
    #[must_use]
    pub fn present(&self) -> Present {
        self.present
    }

    /// All rows of `fsassets`. A row that makes no sense is told as an error and does not end it.
    ///
    /// # Errors
    /// The source is lost.
    pub fn fsassets(
        &self,
        each: &mut dyn FnMut(Result<FsAssetRecord, String>) -> Flow,
    ) -> Result<(), TableError> {
        match &self.from {
            From::Server(server) if server.schema().has(Layout::FsAssets) => {
                server.rows(&server.schema().fs_assets(), &mut |row| each(fs_asset(row)))
            }
            From::Server(_) => Ok(()),
            From::Dumps(dumps) => {
                each_row(&dumps.fs_assets, |line| line.read(fs_asset), each).map(drop)
            }
        }
    }

    /// The rows of types 6 and 49 of `assets`. A row that makes no sense is told as an error and does not end it.
    ///
    /// # Errors
    /// The source is lost.
    pub fn assets(
        &self,
        each: &mut dyn FnMut(Result<AssetRecord, String>) -> Flow,
    ) -> Result<(), TableError> {
        match &self.from {
            From::Server(server) if server.schema().has(Layout::Assets) => {
                server.rows(&server.schema().assets(), &mut |row| each(asset(row)))
            }
            From::Server(_) => Ok(()),
            From::Dumps(dumps) => {
                let read = |line: &Line<'_>| is_wanted(line).then(|| line.read(asset));
                let take = |row: Option<_>| row.map_or(Flow::Go, &mut *each);
                each_row(&dumps.assets, read, take).map(drop)
            }
        }
    }

    /// All objects that stand in regions, one after the other, sorted by their identifiers.
    ///
    /// # Errors
    /// The source is lost.
    pub fn rezzed(&self, each: &mut dyn FnMut(RezzedObject) -> Flow) -> Result<(), TableError> {
        match &self.from {
            From::Server(server) if server.schema().has(Layout::Prims) => {
                let mut grouping = Grouping::new(&self.name, each);
                let mut flow = Flow::Go;
                server.rows(&server.schema().prims(), &mut |row| {
                    flow = prim(row, &mut grouping);
                    flow
                })?;
                if flow == Flow::Go {
                    grouping.finish();
                }
                Ok(())
            }
            From::Server(_) => Ok(()),
            From::Dumps(dumps) => match &dumps.rezzed {
                Some(joined) => joined.rezzed(&self.name, each),
                None => Ok(()),
            },
        }
    }
}

impl Dumps {
    fn present(&self, stop: &dyn Fn() -> bool) -> Result<Present, TableError> {
        let count = |dumps: &[Dump], wanted: fn(&Line<'_>) -> bool| {
            let mut count = 0_u64;
            each_row(dumps, wanted, |is_wanted| {
                count += u64::from(is_wanted);
                if stop() { Flow::Stop } else { Flow::Go }
            })?;
            Ok((!dumps.is_empty()).then_some(count))
        };
        Ok(Present {
            fsassets: count(&self.fs_assets, |_| true)?,
            assets: count(&self.assets, is_wanted)?,
            objects: self.rezzed.as_ref().map(Joined::objects),
        })
    }
}

/// A row of the three tables of a region, as [`Schema::prims`](sql::Schema::prims) asks for it.
fn prim(row: Row<'_>, grouping: &mut Grouping<'_>) -> Flow {
    let (own, rest) = row.0.split_at(row.0.len().min(Layout::Prims.columns().len()));
    match PrimRow::read(Row(own)) {
        Ok((id, mut prim)) => {
            let looks = Row(rest);
            prim.shape = looks.bytes(0).map(|_| rezzed::shape(looks));
            let scripts = rest.len().checked_sub(1).and_then(|last| looks.text(last));
            prim.scripts = scripts.and_then(|count| count.parse().ok()).unwrap_or_default();
            grouping.add(id, prim)
        }
        Err(lost) => grouping.lost(*lost),
    }
}

/// Whether a row of `assets` is a mesh or an object. What its type is not, its error says.
fn is_wanted(line: &Line<'_>) -> bool {
    let kind = line.text(1).and_then(|text| std::str::from_utf8(text).ok());
    kind.and_then(|text| text.trim().parse().ok())
        .is_none_or(|kind: i64| [MESH, OBJECT].into_iter().any(|wanted| i64::from(wanted) == kind))
}
