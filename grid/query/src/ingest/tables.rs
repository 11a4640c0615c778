//! The tables of `OpenSimulator` that say what there is: of MySQL, of `PostgreSQL`, or dumped as CSV.
//!
//! | table | what is read | rows come as |
//! |---|---|---|
//! | `fsassets` | all columns | [`FsAssetRecord`] |
//! | `assets` | the older form, with the bytes in it; types 6 and 49 alone | [`AssetRecord`] |
//! | `prims`, `primshapes` | what stands in regions, joined and grouped by object; `primitems` for scripts, if it is there | [`RezzedObject`] |

use std::fmt;
use std::path::PathBuf;

use lodger_archive::Object;
use url::Url;
use uuid::Uuid;

/// The asset type of a mesh.
pub const MESH: i32 = 49;
/// The asset type of an object.
pub const OBJECT: i32 = 6;

/// A row of `fsassets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FsAssetRecord {
    /// `id`
    pub id: Uuid,
    /// `type`: [`MESH`], [`OBJECT`] or another.
    pub kind: i32,
    /// `hash`, as it stands there.
    pub hash: String,
    /// `create_time`, seconds since 1970.
    pub created: Option<i64>,
    /// `access_time`, seconds since 1970.
    pub accessed: Option<i64>,
    /// `name`, where the table has it.
    pub name: Option<String>,
    /// `description`, where the table has it.
    pub description: Option<String>,
}

/// A row of the older table `assets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetRecord {
    /// `id`
    pub id: Uuid,
    /// `assetType`: [`MESH`] or [`OBJECT`].
    pub kind: i32,
    /// `data`
    pub data: Vec<u8>,
    /// `create_time`, seconds since 1970.
    pub created: Option<i64>,
    /// `access_time`, seconds since 1970.
    pub accessed: Option<i64>,
    /// `name`
    pub name: Option<String>,
    /// `description`
    pub description: Option<String>,
}

/// An object that stands in a region, made of the rows of its prims.
#[derive(Clone, Debug, PartialEq)]
pub struct RezzedObject {
    /// `SceneGroupID`, the identifier of its root.
    pub id: Uuid,
    /// `RegionUUID`
    pub region: Uuid,
    /// The object, or why a prim of it cannot be read.
    pub object: Result<Object, String>,
}

/// Which tables there are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// `fsassets`, with so many rows.
    pub fsassets: Option<u64>,
    /// `assets`, with so many rows of types 6 and 49.
    pub assets: Option<u64>,
    /// `prims` and `primshapes`, with so many objects.
    pub objects: Option<u64>,
}

/// Why a table cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub struct TableError {
    /// The database without its password, or the file.
    pub source: String,
    /// What is wrong, in one line.
    pub problem: String,
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.source, self.problem)
    }
}

impl std::error::Error for TableError {}

/// Whether there is to be more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// The next one, please.
    Go,
    /// No more.
    Stop,
}

/// Tables of one database, or of CSV files that lie together. Everything is streamed: no table is held.
#[derive(Debug)]
pub struct Tables {}

impl Tables {
    /// Connects to a database, which is only read. The password may stand in the URL or in the environment variable
    /// `LODGER_GRID_PASSWORD`.
    ///
    /// # Errors
    /// It cannot be reached, or none of the tables is in it.
    pub fn connect(_url: &Url) -> Result<Self, TableError> {
        todo!()
    }

    /// Opens CSV files. Which table each is, its header says. `prims` and `primshapes` have to be sorted by nothing.
    ///
    /// # Errors
    /// One cannot be read, or its header is that of none of the tables.
    pub fn open(_files: &[PathBuf]) -> Result<Self, TableError> {
        todo!()
    }

    /// Whether the beginning of a file is the header of one of the tables.
    #[must_use]
    pub fn is_table(_start: &[u8]) -> bool {
        todo!()
    }

    /// What reports call it: no password is in it.
    #[must_use]
    pub fn name(&self) -> &str {
        todo!()
    }

    /// Which tables there are.
    #[must_use]
    pub fn present(&self) -> Present {
        todo!()
    }

    /// All rows of `fsassets`. A row that makes no sense is told as an error and does not end it.
    ///
    /// # Errors
    /// The source is lost.
    pub fn fsassets(
        &self,
        _each: &mut dyn FnMut(Result<FsAssetRecord, String>) -> Flow,
    ) -> Result<(), TableError> {
        todo!()
    }

    /// The rows of types 6 and 49 of `assets`.
    ///
    /// # Errors
    /// The source is lost.
    pub fn assets(
        &self,
        _each: &mut dyn FnMut(Result<AssetRecord, String>) -> Flow,
    ) -> Result<(), TableError> {
        todo!()
    }

    /// All objects that stand in regions, one after the other.
    ///
    /// # Errors
    /// The source is lost.
    pub fn rezzed(&self, _each: &mut dyn FnMut(RezzedObject) -> Flow) -> Result<(), TableError> {
        todo!()
    }
}
