//! The tables of `OpenSimulator` with their columns, and the records of their rows.
//!
//! Source: `OpenSimulator`, `FSAssetStore.migrations`, `AssetStore.migrations` and
//! `RegionStore.migrations`, each in `OpenSim/Data/MySQL/Resources` and
//! `OpenSim/Data/PGSQL/Resources`. Types differ (`char(36)` and `uuid`, `int` and `smallint`,
//! `longblob` and `bytea`), and `fsassets` has no names in `PostgreSQL`.

use std::borrow::Cow;
use std::str::FromStr;

use lodger_opensim::archive::{Object, PrimRecord, PrimShapeRecord};
use uuid::Uuid;

/// The asset type of a mesh.
pub const MESH: i32 = 49;
/// The asset type of an object.
pub const OBJECT: i32 = 6;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum TableKind {
    FsAssets,
    Assets,
    Prims,
    PrimShapes,
    PrimItems,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct DatabaseColumn {
    pub(super) name: &'static str,
    pub(super) is_required: bool,
    pub(super) is_blob: bool,
}

impl DatabaseColumn {
    /// Whether it has 64-bit floating-point numbers: an axis of a vector or a rotation.
    pub(super) fn is_real(self) -> bool {
        let vectors = ["GroupPosition", "Position", "Rotation", "Scale"];
        vectors.iter().any(|vector| self.name.starts_with(vector))
    }
}

const FS_ASSETS: [DatabaseColumn; 7] = [
    required("id"),
    required("type"),
    required("hash"),
    optional("create_time"),
    optional("access_time"),
    optional("name"),
    optional("description"),
];
const ASSETS: [DatabaseColumn; 7] = [
    required("id"),
    required("assetType"),
    blob("data"),
    optional("create_time"),
    optional("access_time"),
    optional("name"),
    optional("description"),
];
const PRIMS: [DatabaseColumn; 4] =
    [required("UUID"), required("SceneGroupID"), required("RegionUUID"), optional("LinkNumber")];
const PRIM_SHAPES: [DatabaseColumn; 2] = [required("UUID"), blob("ExtraParams")];
const PRIM_ITEMS: [DatabaseColumn; 3] =
    [required("primID"), required("assetType"), required("invType")];

const NEW_COLUMNS: [&str; 2] = ["PhysicsShapeType", "CreatorID"];

const fn required(name: &'static str) -> DatabaseColumn {
    DatabaseColumn { name, is_required: true, is_blob: false }
}

const fn optional(name: &'static str) -> DatabaseColumn {
    DatabaseColumn { name, is_required: false, is_blob: false }
}

const fn blob(name: &'static str) -> DatabaseColumn {
    DatabaseColumn { name, is_required: true, is_blob: true }
}

pub(super) const PRIM: usize = PRIMS.len();
pub(super) const SHAPE: usize = PRIM_SHAPES.len();

impl TableKind {
    pub(super) const ALL: [Self; 5] =
        [Self::FsAssets, Self::Assets, Self::Prims, Self::PrimShapes, Self::PrimItems];

    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::FsAssets => "fsassets",
            Self::Assets => "assets",
            Self::Prims => "prims",
            Self::PrimShapes => "primshapes",
            Self::PrimItems => "primitems",
        }
    }

    pub(super) fn columns(self) -> Vec<DatabaseColumn> {
        let parsed = |names: &[&'static str]| -> Vec<DatabaseColumn> {
            let column = |name: &&'static str| DatabaseColumn {
                is_required: !NEW_COLUMNS.contains(name),
                ..optional(name)
            };
            names.iter().map(column).collect()
        };
        match self {
            Self::FsAssets => FS_ASSETS.to_vec(),
            Self::Assets => ASSETS.to_vec(),
            Self::Prims => [PRIMS.to_vec(), parsed(&PrimRecord::COLUMNS)].concat(),
            Self::PrimShapes => [PRIM_SHAPES.to_vec(), parsed(&PrimShapeRecord::COLUMNS)].concat(),
            Self::PrimItems => PRIM_ITEMS.to_vec(),
        }
    }

    /// Detects a table by its required columns; `names` are in lower case.
    pub(super) fn detect(names: &[String]) -> Option<Self> {
        let has = |column: &DatabaseColumn| names.contains(&column.name.to_ascii_lowercase());
        Self::ALL
            .into_iter()
            .find(|table| table.columns().iter().filter(|column| column.is_required).all(has))
    }
}

/// A row of `fsassets`, with a hash as its content, or of the older table `assets`, with bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AssetRecord<C> {
    /// `id`
    pub id: Uuid,
    /// The column `type` or `assetType`: [`MESH`], [`OBJECT`], or another in `fsassets`.
    pub kind: i32,
    /// The column `hash`: 64 hexadecimal digits for a mesh or an object, any text for others; or
    /// the column `data`, empty for null.
    pub content: C,
    /// `create_time` in seconds since 1970; `None` for the default 0 and for invalid numbers.
    pub created: Option<i64>,
    /// `access_time` in seconds since 1970; `None` for the default 0 and for invalid numbers.
    pub accessed: Option<i64>,
    /// The column `name`, if the table has it and it is not empty.
    pub name: Option<String>,
    /// The column `description`, if the table has it and it is not empty.
    pub description: Option<String>,
}

/// An object in a region, built from the rows of its prims.
#[derive(Clone, Debug, PartialEq)]
pub struct RezzedObject {
    /// `SceneGroupID`, the identifier of its root; for a prim without it, the identifier of the
    /// prim.
    pub id: Uuid,
    /// `RegionUUID`; nil if missing.
    pub region: Uuid,
    /// The object, or the reason that a prim of it cannot be read. The error contains no name.
    pub object: Result<Object, String>,
}

/// The tables that exist, with their numbers of rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Present {
    /// Rows of `fsassets`.
    pub fsassets: Option<u64>,
    /// Rows of types 6 and 49 of `assets`.
    pub assets: Option<u64>,
    /// Objects of `prims` and `primshapes`.
    pub objects: Option<u64>,
}

/// The bytes of a value, in UTF-8 for a text; `None` for null.
pub(super) type RecordValue<'v> = Option<Cow<'v, [u8]>>;

#[derive(Clone, Copy, Debug)]
pub(super) struct TableRow<'v>(pub(super) &'v [RecordValue<'v>]);

impl<'v> TableRow<'v> {
    pub(super) fn bytes(self, index: usize) -> Option<&'v [u8]> {
        self.0.get(index)?.as_deref()
    }

    /// A text; invalid UTF-8 is replaced by `U+FFFD`.
    pub(super) fn text(self, index: usize) -> Option<Cow<'v, str>> {
        let bytes = self.bytes(index)?;
        // Valid UTF-8 is checked faster by `str::from_utf8`.
        Some(str::from_utf8(bytes).map_or_else(|_| String::from_utf8_lossy(bytes), Cow::Borrowed))
    }

    fn parsed<T>(
        self,
        index: usize,
        column: &str,
        expected: &str,
        parse: impl Fn(&str) -> Option<T>,
    ) -> Result<T, String> {
        let text = self.text(index).ok_or_else(|| format!("`{column}` is missing"))?;
        // The text is not quoted: in a shifted row, it may be a name.
        parse(text.trim()).ok_or_else(|| format!("`{column}` must be {expected}"))
    }

    pub(super) fn uuid(self, index: usize, column: &str) -> Result<Uuid, String> {
        self.parsed(index, column, "a UUID", |text| Uuid::try_parse(text).ok())
    }

    /// A UUID, unless it is invalid or nil.
    pub(super) fn optional_uuid(self, index: usize) -> Option<Uuid> {
        let id = Uuid::try_parse(self.text(index)?.trim()).ok();
        id.filter(|id| !id.is_nil())
    }

    pub(super) fn integer<T: FromStr>(self, index: usize, column: &str) -> Result<T, String> {
        self.parsed(index, column, "a whole number", |text| text.parse().ok())
    }

    /// A time in seconds; `None` for null, invalid numbers and the default 0.
    fn time(self, index: usize) -> Option<i64> {
        self.text(index)?.trim().parse().ok().filter(|time| *time != 0)
    }

    /// A name, unless it is empty.
    fn name(self, index: usize) -> Option<String> {
        self.text(index).filter(|name| !name.is_empty()).map(Cow::into_owned)
    }
}

pub(super) fn fs_asset(row: TableRow<'_>) -> Result<AssetRecord<String>, String> {
    let is_hash = |text: &str| text.len() == 64 && text.bytes().all(|c| c.is_ascii_hexdigit());
    let hash = |text: &str| is_hash(text).then(|| text.to_owned());
    record(row, "type", |kind| match kind {
        MESH | OBJECT => row.parsed(2, "hash", "64 hexadecimal digits", hash),
        _ => Ok(row.text(2).unwrap_or_default().into_owned()),
    })
}

pub(super) fn asset(row: TableRow<'_>) -> Result<AssetRecord<Vec<u8>>, String> {
    let data = row.bytes(2).unwrap_or_default();
    record(row, "assetType", |_| check_size(data, "data").map(<[u8]>::to_vec))
}

fn record<C>(
    row: TableRow<'_>,
    kind: &str,
    content: impl FnOnce(i32) -> Result<C, String>,
) -> Result<AssetRecord<C>, String> {
    let id = row.uuid(0, "id")?;
    let with_id = |problem: String| format!("asset {id}: {problem}");
    let kind = row.integer(1, kind).map_err(with_id)?;
    Ok(AssetRecord {
        id,
        kind,
        content: content(kind).map_err(with_id)?,
        created: row.time(3),
        accessed: row.time(4),
        name: row.name(5),
        description: row.name(6),
    })
}

pub(super) fn max_blob_bytes() -> usize {
    let bytes = lodger_opensim::archive::ArchiveLimits::default().entry_bytes;
    usize::try_from(bytes).unwrap_or(usize::MAX)
}

pub(super) fn check_size<'b>(bytes: &'b [u8], column: &str) -> Result<&'b [u8], String> {
    if bytes.len() <= max_blob_bytes() {
        Ok(bytes)
    } else {
        Err(format!("`{column}` has more than {} bytes", max_blob_bytes()))
    }
}
