//! What the rows of the tables are.

use std::fmt;

use lodger_opensim::archive::Object;
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
    /// `hash`, as it stands there: 64 hexadecimal digits of a mesh or an object, of others anything.
    pub hash: String,
    /// `create_time`, seconds since 1970. 0, its default, is nobody's word, and neither is what is no number.
    pub created: Option<i64>,
    /// `access_time`, seconds since 1970. 0, its default, is nobody's word, and neither is what is no number.
    pub accessed: Option<i64>,
    /// `name`, where the table has it and it is not empty.
    pub name: Option<String>,
    /// `description`, where the table has it and it is not empty.
    pub description: Option<String>,
}

/// A row of the older table `assets`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetRecord {
    /// `id`
    pub id: Uuid,
    /// `assetType`: [`MESH`] or [`OBJECT`].
    pub kind: i32,
    /// `data`; nothing where it is null.
    pub data: Vec<u8>,
    /// `create_time`, seconds since 1970. 0, its default, is nobody's word, and neither is what is no number.
    pub created: Option<i64>,
    /// `access_time`, seconds since 1970. 0, its default, is nobody's word, and neither is what is no number.
    pub accessed: Option<i64>,
    /// `name`, if it is not empty.
    pub name: Option<String>,
    /// `description`, if it is not empty.
    pub description: Option<String>,
}

/// An object that stands in a region, made of the rows of its prims.
#[derive(Clone, Debug, PartialEq)]
pub struct RezzedObject {
    /// `SceneGroupID`, the identifier of its root; that of the prim, where it has none.
    pub id: Uuid,
    /// `RegionUUID`; nil where it has none.
    pub region: Uuid,
    /// The object, or why a prim of it cannot be read. No name is in the reason.
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

impl TableError {
    /// Something that is wrong with a source.
    pub(super) fn new(source: impl Into<String>, problem: impl Into<String>) -> Self {
        Self { source: source.into(), problem: problem.into() }
    }
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
