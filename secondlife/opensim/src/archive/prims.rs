//! Objects from the rows of a region's tables: `prims`, `primshapes` and `primitems`. Columns map to XML elements and
//! are checked by the same rules.
//!
//! Source: `OpenSimulator`, `RegionStore.migrations` (the columns) and `MySQLSimulationData.cs` (`LoadObjects`,
//! `BuildPrim`, `BuildShape`).

use std::borrow::Cow;
use std::sync::Arc;

use uuid::Uuid;

use crate::archive::error::ArchiveErrorKind;
use crate::archive::object::{Object, ObjectLocation, parse_position};
use crate::archive::part::{PartProperties, PartShape, parse_properties, parse_shape};
use crate::archive::raw::{Field, RawPart, RawShape};
use crate::archive::xml::{identifier, non_nil};

/// A parsed row of `prims`.
#[derive(Clone, Debug, PartialEq)]
pub struct PrimRecord {
    owner: Option<Uuid>,
    position: Option<[f64; 3]>,
    properties: PartProperties,
}

impl PrimRecord {
    /// Names of the columns that are read, besides the identifiers of prim and object.
    pub const COLUMNS: [&'static str; 15] = [
        "Name",
        "CreatorID",
        "OwnerID",
        "ObjectFlags",
        "GroupPositionX",
        "GroupPositionY",
        "GroupPositionZ",
        "PositionX",
        "PositionY",
        "PositionZ",
        "RotationX",
        "RotationY",
        "RotationZ",
        "RotationW",
        "PhysicsShapeType",
    ];

    /// Parses the texts of the columns [`COLUMNS`](Self::COLUMNS), in order; `None` for a null.
    ///
    /// # Errors
    /// [`ArchiveErrorKind::Invalid`], with the XML name of the column.
    pub fn parse(texts: [Option<Cow<'_, str>>; 15]) -> Result<Self, ArchiveErrorKind> {
        let [name, creator, owner, flags, texts @ .., physics_shape_type] = texts;
        let [x, y, z, offset_x, offset_y, offset_z, rotation @ ..] = texts;
        let id = |text: Option<&str>| text.map(identifier).unwrap_or_default();
        // The UUID of a creator from another grid is followed by the address of the grid.
        let creator = creator.as_deref().and_then(|creator| creator.split(';').next());
        let raw = RawPart {
            name: name.unwrap_or_default(),
            creator: id(creator),
            flags: flags.unwrap_or_default(),
            offset: [offset_x, offset_y, offset_z, None],
            rotation,
            physics_shape_type,
            ..RawPart::default()
        };
        Ok(Self {
            owner: non_nil(id(owner.as_deref())),
            position: parse_position(&[x, y, z, None])?,
            properties: parse_properties(&raw)?,
        })
    }
}

/// A parsed row of `primshapes`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrimShapeRecord(PartShape);

const SIDES: [&str; 3] = ["ScaleX", "ScaleY", "ScaleZ"];

impl PrimShapeRecord {
    /// Names of the text columns that are read: the size, then the other fields.
    pub const COLUMNS: [&'static str; 22] = {
        let mut names = [""; SIDES.len() + Field::IN_TABLE];
        let mut at = 0;
        while at < names.len() {
            names[at] =
                if at < SIDES.len() { SIDES[at] } else { Field::ALL[at - SIDES.len()].name() };
            at += 1;
        }
        names
    };

    /// Parses the texts of the columns [`COLUMNS`](Self::COLUMNS), in order, and the bytes of `ExtraParams`; `None` for
    /// a null.
    ///
    /// # Errors
    /// [`ArchiveErrorKind::Invalid`], with the XML name of the column.
    pub fn parse(
        texts: [Option<Cow<'_, str>>; 22],
        extra_params: Option<&[u8]>,
    ) -> Result<Self, ArchiveErrorKind> {
        let [x, y, z, texts @ ..] = texts;
        let mut raw = RawShape::new([x, y, z, None], extra_params);
        for (field, text) in Field::ALL.into_iter().zip(texts) {
            raw.set(field, text);
        }
        parse_shape(&raw, &raw.scale).map(Self)
    }
}

impl Object {
    /// Builds an object from parsed rows of prims with the number of scripts in each, the root first; `None` without a
    /// row.
    ///
    /// `id` is the UUID of the object and of its root; `region` names the region in [`ObjectLocation::Region`].
    ///
    /// # Examples
    /// ```
    /// use lodger_opensim::archive::{Object, PrimRecord, PrimShapeRecord};
    /// use uuid::Uuid;
    ///
    /// let prim = PrimRecord::COLUMNS.map(|name| (name == "Name").then_some("post".into()));
    /// let shape = PrimShapeRecord::COLUMNS.map(|name| match name {
    ///     "PathCurve" => Some("16".into()),
    ///     "ProfileCurve" => Some("1".into()),
    ///     "ScaleX" | "ScaleY" => Some("0.2".into()),
    ///     "ScaleZ" => Some("2".into()),
    ///     _ => None,
    /// });
    /// let root = (PrimRecord::parse(prim)?, PrimShapeRecord::parse(shape, None)?, 0);
    /// let post = Object::from_records("tables".into(), Uuid::from_u128(7), "Sandbox".into(), [root]);
    /// assert_eq!(post.map(|post| post.root.scale), Some([0.2, 0.2, 2.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn from_records(
        source: Arc<str>,
        id: Uuid,
        region: Arc<str>,
        records: impl IntoIterator<Item = (PrimRecord, PrimShapeRecord, u32)>,
    ) -> Option<Self> {
        let mut records = records.into_iter();
        let (root, shape, scripts) = records.next()?;
        let place = root.position.map_or(ObjectLocation::Unknown, |position| {
            ObjectLocation::Region { region: Some(region), position }
        });
        let linked = records.map(|(prim, shape, scripts)| prim.properties.part(shape.0, scripts));
        let mut linked: Vec<_> = linked.collect();
        linked.shrink_to_fit();
        let part = root.properties.part(shape.0, scripts);
        Some(Self::from_parts(source, id, place, root.owner, part, linked))
    }
}
