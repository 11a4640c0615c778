//! The tables and their columns.
//!
//! Source: `OpenSimulator`, `FSAssetStore.migrations`, `AssetStore.migrations` and `RegionStore.migrations`, each in
//! `OpenSim/Data/MySQL/Resources` and `OpenSim/Data/PGSQL/Resources`. Types differ (`char(36)` and `uuid`, `int` and
//! `smallint`, `longblob` and `bytea`), and `fsassets` has no names in `PostgreSQL`.

use lodger_opensim::archive::{PrimColumns, ShapeColumns};

/// A table that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Layout {
    FsAssets,
    Assets,
    Prims,
    PrimShapes,
    PrimItems,
}

/// A column that is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Column {
    pub(super) name: &'static str,
    /// Whether nothing can be made of the table without it.
    pub(super) needed: bool,
    /// Whether it is bytes, and no text.
    pub(super) blob: bool,
}

impl Column {
    /// Whether it is a number of 64 bits with a fraction.
    pub(super) fn is_real(self) -> bool {
        REALS.iter().any(|vector| self.name.starts_with(vector))
    }
}

/// The vectors and rotations, whose axes are columns.
const REALS: [&str; 4] = ["GroupPosition", "Position", "Rotation", "Scale"];

const FS_ASSETS: [Column; 7] = [
    needed("id"),
    needed("type"),
    needed("hash"),
    left_out("create_time"),
    left_out("access_time"),
    left_out("name"),
    left_out("description"),
];
const ASSETS: [Column; 7] = [
    needed("id"),
    needed("assetType"),
    Column { name: "data", needed: true, blob: true },
    left_out("create_time"),
    left_out("access_time"),
    left_out("name"),
    left_out("description"),
];
const PRIMS: [Column; 4] =
    [needed("UUID"), needed("SceneGroupID"), needed("RegionUUID"), left_out("LinkNumber")];
const PRIM_SHAPES: [Column; 2] =
    [needed("UUID"), Column { name: "ExtraParams", needed: true, blob: true }];
const PRIM_ITEMS: [Column; 3] = [needed("primID"), needed("assetType"), needed("invType")];

/// Columns of a region's tables that older ones lack.
const LATER: [&str; 2] = ["PhysicsShapeType", "CreatorID"];

const fn needed(name: &'static str) -> Column {
    Column { name, needed: true, blob: false }
}

const fn left_out(name: &'static str) -> Column {
    Column { name, needed: false, blob: false }
}

/// Where the columns that the crate for archives knows begin among those of `prims`.
pub(super) const PRIM: usize = PRIMS.len();
/// Where the columns that the crate for archives knows begin among those of `primshapes`.
pub(super) const SHAPE: usize = PRIM_SHAPES.len();

impl Layout {
    /// All tables.
    pub(super) const ALL: [Self; 5] =
        [Self::FsAssets, Self::Assets, Self::Prims, Self::PrimShapes, Self::PrimItems];

    /// Its name.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::FsAssets => "fsassets",
            Self::Assets => "assets",
            Self::Prims => "prims",
            Self::PrimShapes => "primshapes",
            Self::PrimItems => "primitems",
        }
    }

    /// The columns that are read.
    pub(super) fn columns(self) -> Vec<Column> {
        let known = |names: &[&'static str]| -> Vec<Column> {
            names
                .iter()
                .map(|name| Column { needed: !LATER.contains(name), ..left_out(name) })
                .collect()
        };
        match self {
            Self::FsAssets => FS_ASSETS.to_vec(),
            Self::Assets => ASSETS.to_vec(),
            Self::Prims => [PRIMS.to_vec(), known(&PrimColumns::NAMES)].concat(),
            Self::PrimShapes => [PRIM_SHAPES.to_vec(), known(&ShapeColumns::NAMES)].concat(),
            Self::PrimItems => PRIM_ITEMS.to_vec(),
        }
    }

    /// The table that has columns of these names, in small letters. It is known by what it has to have.
    pub(super) fn known_by(names: &[String]) -> Option<Self> {
        let has = |column: &Column| names.contains(&column.name.to_ascii_lowercase());
        Self::ALL
            .into_iter()
            .find(|table| table.columns().iter().filter(|column| column.needed).all(has))
    }
}
