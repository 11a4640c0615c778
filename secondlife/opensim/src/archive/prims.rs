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

/// Builds an object from parsed rows.
///
/// # Examples
/// ```
/// use lodger_opensim::archive::{ObjectBuilder, PrimRecord, PrimShapeRecord};
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
/// let (prim, shape) = (PrimRecord::parse(prim)?, PrimShapeRecord::parse(shape, None)?);
/// let id = Uuid::from_u128(7);
/// let object = ObjectBuilder::new("tables".into(), id, "Sandbox".into(), prim, shape, 0).build();
/// assert_eq!((object.name(), object.root.scale), ("post", [0.2, 0.2, 2.0]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct ObjectBuilder {
    object: Object,
}

impl ObjectBuilder {
    /// Starts with the root: the prim whose UUID is the UUID of the object. `region` names the region in
    /// [`ObjectLocation::Region`]; `scripts` is the number of scripts in the prim.
    #[must_use]
    pub fn new(
        source: Arc<str>,
        id: Uuid,
        region: Arc<str>,
        root: PrimRecord,
        shape: PrimShapeRecord,
        scripts: u32,
    ) -> Self {
        let place = root.position.map_or(ObjectLocation::Unknown, |position| {
            ObjectLocation::Region { region: Some(region), position }
        });
        let part = root.properties.part(shape.0, scripts);
        Self { object: Object::from_parts(source, id, place, root.owner, part, Vec::new()) }
    }

    /// Appends a linked prim.
    pub fn add_prim(&mut self, prim: PrimRecord, shape: PrimShapeRecord, scripts: u32) {
        self.object.linked.push(prim.properties.part(shape.0, scripts));
    }

    /// Returns the object.
    #[must_use]
    pub fn build(mut self) -> Object {
        self.object.linked.shrink_to_fit();
        self.object
    }
}
