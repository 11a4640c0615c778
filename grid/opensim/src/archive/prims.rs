//! Objects by the rows of a region's tables: `prims`, `primshapes` and `primitems`.
//!
//! The columns are those of the XML under names of their own, and are checked by the same rules.
//! Source: `OpenSimulator`, `RegionStore.migrations` (the columns) and `MySQLSimulationData.cs`
//! (`LoadObjects`, `BuildPrim`, `BuildShape`).

use std::borrow::Cow;
use std::sync::Arc;

use uuid::Uuid;

use crate::archive::error::Problem;
use crate::archive::object::{Object, Place, parse_position};
use crate::archive::part::{PartProperties, PartShape, parse_properties, parse_shape};
use crate::archive::raw::{Field, RawPart, RawShape};
use crate::archive::xml::{identifier, somebody};

/// The columns of a row of `prims`, as texts.
#[derive(Debug)]
pub struct PrimColumns<'t> {
    raw: RawPart<'t>,
}

impl<'t> PrimColumns<'t> {
    /// The columns that count, beside those that say which prim it is and of what.
    pub const NAMES: [&'static str; 15] = [
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

    /// Takes the texts of [these columns](Self::NAMES), in their order; `None` of one that is null.
    #[must_use]
    pub fn new(texts: [Option<Cow<'t, str>>; 15]) -> Self {
        let [name, creator, owner, flags, texts @ .., physics_shape_type] = texts;
        let [x, y, z, offset_x, offset_y, offset_z, rotation @ ..] = texts;
        let id = |text: Option<&str>| text.map(identifier).unwrap_or_default();
        // That of somebody from another grid has the address of that grid behind it.
        let creator = creator.as_deref().and_then(|creator| creator.split(';').next());
        let raw = RawPart {
            name: name.unwrap_or_default(),
            creator: id(creator),
            owner: id(owner.as_deref()),
            flags: flags.unwrap_or_default(),
            position: [x, y, z, None],
            offset: [offset_x, offset_y, offset_z, None],
            rotation,
            physics_shape_type,
            ..RawPart::default()
        };
        Self { raw }
    }

    /// Checks them.
    ///
    /// # Errors
    /// [`Problem::Value`], with the name that the XML has for the column.
    pub fn check(&self) -> Result<Prim, Problem> {
        Ok(Prim {
            owner: somebody(self.raw.owner),
            position: parse_position(&self.raw.position)?,
            properties: parse_properties(&self.raw)?,
        })
    }
}

/// The columns of a row of `primshapes`.
#[derive(Debug)]
pub struct ShapeColumns<'t> {
    raw: RawShape<'t>,
}

/// The columns with the sides.
const SIDES: [&str; 3] = ["ScaleX", "ScaleY", "ScaleZ"];
/// The other columns, which are called what the XML calls them.
const FIELDS: [Field; 19] = [
    Field::PCode,
    Field::PathBegin,
    Field::PathEnd,
    Field::PathScaleX,
    Field::PathScaleY,
    Field::PathShearX,
    Field::PathShearY,
    Field::PathSkew,
    Field::PathCurve,
    Field::PathRadiusOffset,
    Field::PathRevolutions,
    Field::PathTaperX,
    Field::PathTaperY,
    Field::PathTwist,
    Field::PathTwistBegin,
    Field::ProfileBegin,
    Field::ProfileEnd,
    Field::ProfileCurve,
    Field::ProfileHollow,
];

impl<'t> ShapeColumns<'t> {
    /// The columns that count and are texts: those of the scale, then the others.
    pub const NAMES: [&'static str; 22] = {
        let mut names = [""; SIDES.len() + FIELDS.len()];
        let mut at = 0;
        while at < names.len() {
            names[at] = if at < SIDES.len() { SIDES[at] } else { FIELDS[at - SIDES.len()].name() };
            at += 1;
        }
        names
    };

    /// Takes the texts of [these columns](Self::NAMES), in their order, and the bytes of `ExtraParams`; `None` of one
    /// that is null.
    #[must_use]
    pub fn new(texts: [Option<Cow<'t, str>>; 22], extra_params: Option<&'t [u8]>) -> Self {
        let [x, y, z, texts @ ..] = texts;
        let mut raw = RawShape::new([x, y, z, None], extra_params);
        for (field, text) in FIELDS.into_iter().zip(texts) {
            raw.set(field, text);
        }
        Self { raw }
    }

    /// Checks them.
    ///
    /// # Errors
    /// [`Problem::Value`], with the name that the XML has for the column.
    pub fn check(&self) -> Result<PrimShape, Problem> {
        parse_shape(&self.raw, &self.raw.scale).map(PrimShape)
    }
}

/// A checked row of `prims`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prim {
    owner: Option<Uuid>,
    position: Option<[f64; 3]>,
    properties: PartProperties,
}

impl Prim {
    /// Bytes that it takes in memory beside its own.
    #[must_use]
    pub fn bytes_elsewhere(&self) -> usize {
        self.properties.name_bytes()
    }
}

/// A checked row of `primshapes`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrimShape(PartShape);

/// An object that is put together of checked rows.
///
/// # Examples
/// ```
/// use lodger_opensim::archive::{PrimColumns, Prims, ShapeColumns};
/// use uuid::Uuid;
///
/// let prim = PrimColumns::new(PrimColumns::NAMES.map(|column| match column {
///     "Name" => Some("post".into()),
///     _ => None,
/// }));
/// let shape = ShapeColumns::new(
///     ShapeColumns::NAMES.map(|column| match column {
///         "PathCurve" => Some("16".into()),
///         "ProfileCurve" => Some("1".into()),
///         "ScaleX" | "ScaleY" => Some("0.2".into()),
///         "ScaleZ" => Some("2".into()),
///         _ => None,
///     }),
///     None,
/// );
/// let id = Uuid::from_u128(7);
/// let object = Prims::new("tables".into(), id, "Sandbox".into(), prim.check()?, shape.check()?, 0).object();
/// assert_eq!((object.name(), object.root.scale), ("post", [0.2, 0.2, 2.0]));
/// # Ok::<(), lodger_opensim::archive::Problem>(())
/// ```
#[derive(Debug)]
pub struct Prims {
    object: Object,
}

impl Prims {
    /// Begins with the root: the prim whose identifier is that of the object. `region` is what
    /// [`Place::Region`] calls the region; `scripts` are those in the prim.
    #[must_use]
    pub fn new(
        source: Arc<str>,
        id: Uuid,
        region: Arc<str>,
        root: Prim,
        shape: PrimShape,
        scripts: u32,
    ) -> Self {
        let place = root
            .position
            .map_or(Place::Unknown, |position| Place::Region { region: Some(region), position });
        let part = root.properties.part(shape.0, scripts);
        Self { object: Object::linked_up(source, id, place, root.owner, part, Vec::new()) }
    }

    /// Links one more prim, behind those that are there.
    pub fn link(&mut self, prim: Prim, shape: PrimShape, scripts: u32) {
        self.object.linked.push(prim.properties.part(shape.0, scripts));
    }

    /// The object.
    #[must_use]
    pub fn object(mut self) -> Object {
        self.object.linked.shrink_to_fit();
        self.object
    }
}
