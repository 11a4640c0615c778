//! Objects by the rows of a region's tables: `prims`, `primshapes` and `primitems`.
//!
//! The columns are those of the XML under names of their own, and are checked by the same rules.
//! Source: `OpenSimulator`, `RegionStore.migrations` (the columns) and `MySQLSimulationData.cs`
//! (`LoadObjects`, `BuildPrim`, `BuildShape`).

use std::sync::Arc;

use uuid::Uuid;

use crate::object::Object;
use crate::part::{self, Looks, Stance};
use crate::place::{self, Place};
use crate::problem::Problem;
use crate::raw::{Axes, RawPart, RawShape};
use crate::value::{identifier, somebody};

/// The columns of a row of `prims`, as texts. A column that is null is not set.
#[derive(Debug, Default)]
pub struct PrimColumns {
    raw: RawPart,
}

impl PrimColumns {
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

    /// Takes the text of a column; any that does not count is passed over.
    pub fn set(&mut self, column: &str, text: &str) {
        let raw = &mut self.raw;
        match column {
            "Name" => text.clone_into(&mut raw.name),
            // That of somebody from another grid has the address of that grid behind it.
            "CreatorID" => raw.creator = identifier(text.split(';').next().unwrap_or_default()),
            "OwnerID" => raw.owner = identifier(text),
            "ObjectFlags" => text.clone_into(&mut raw.flags),
            "PhysicsShapeType" => raw.physics_shape_type = Some(text.to_owned()),
            _ => {
                set_axis(&mut raw.position, "GroupPosition", column, text);
                set_axis(&mut raw.offset, "Position", column, text);
                set_axis(&mut raw.rotation, "Rotation", column, text);
            }
        }
    }

    /// Checks them.
    ///
    /// # Errors
    /// [`Problem::Value`], with the name that the XML has for the column.
    pub fn check(&self) -> Result<Prim, Problem> {
        Ok(Prim {
            owner: somebody(self.raw.owner),
            position: place::position(&self.raw.position)?,
            stance: part::stance(&self.raw)?,
        })
    }
}

/// The columns of a row of `primshapes`. A column that is null is not set.
#[derive(Debug, Default)]
pub struct ShapeColumns {
    raw: RawShape,
}

impl ShapeColumns {
    /// The columns that count and are texts.
    pub const NAMES: [&'static str; 22] = [
        "ScaleX",
        "ScaleY",
        "ScaleZ",
        "PCode",
        "PathBegin",
        "PathEnd",
        "PathScaleX",
        "PathScaleY",
        "PathShearX",
        "PathShearY",
        "PathSkew",
        "PathCurve",
        "PathRadiusOffset",
        "PathRevolutions",
        "PathTaperX",
        "PathTaperY",
        "PathTwist",
        "PathTwistBegin",
        "ProfileBegin",
        "ProfileEnd",
        "ProfileCurve",
        "ProfileHollow",
    ];

    /// Takes the text of a column; any that does not count is passed over.
    pub fn set(&mut self, column: &str, text: &str) {
        if Self::NAMES.contains(&column) && !set_axis(&mut self.raw.scale, "Scale", column, text) {
            self.raw.set(column, text);
        }
    }

    /// Takes the column `ExtraParams`.
    pub fn set_extra_params(&mut self, bytes: Vec<u8>) {
        self.raw.extra_params = Some(bytes);
    }

    /// Checks them.
    ///
    /// # Errors
    /// [`Problem::Value`], with the name that the XML has for the column.
    pub fn check(&self) -> Result<PrimShape, Problem> {
        part::looks(&self.raw, &self.raw.scale).map(PrimShape)
    }
}

/// A checked row of `prims`.
#[derive(Clone, Debug, PartialEq)]
pub struct Prim {
    owner: Option<Uuid>,
    position: Option<[f64; 3]>,
    stance: Stance,
}

impl Prim {
    /// Bytes that it takes in memory beside its own.
    #[must_use]
    pub fn bytes_elsewhere(&self) -> usize {
        self.stance.name_bytes()
    }
}

/// A checked row of `primshapes`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PrimShape(Looks);

/// An object that is put together of checked rows.
///
/// # Examples
/// ```
/// use lodger_archive::{PrimColumns, Prims, ShapeColumns};
/// use uuid::Uuid;
///
/// let (mut post, mut shape) = (PrimColumns::default(), ShapeColumns::default());
/// post.set("Name", "post");
/// for (column, text) in [("PathCurve", "16"), ("ProfileCurve", "1"), ("ScaleX", "0.2"), ("ScaleY", "0.2"), ("ScaleZ", "2")] {
///     shape.set(column, text);
/// }
/// let id = Uuid::from_u128(7);
/// let object = Prims::new("tables".into(), id, "Sandbox".into(), post.check()?, shape.check()?, 0).object();
/// assert_eq!((object.name(), object.root.scale), ("post", [0.2, 0.2, 2.0]));
/// # Ok::<(), lodger_archive::Problem>(())
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
        let part = root.stance.part(shape.0, scripts);
        Self { object: Object::linked_up(source, id, place, root.owner, part, Vec::new()) }
    }

    /// Links one more prim, behind those that are there.
    pub fn link(&mut self, prim: Prim, shape: PrimShape, scripts: u32) {
        self.object.linked.push(prim.stance.part(shape.0, scripts));
    }

    /// The object.
    #[must_use]
    pub fn object(mut self) -> Object {
        self.object.linked.shrink_to_fit();
        self.object
    }
}

/// Takes the text of a column, if its name is that of the vector with an axis behind it.
fn set_axis(axes: &mut Axes, vector: &str, column: &str, text: &str) -> bool {
    let axis =
        ["X", "Y", "Z", "W"].iter().position(|axis| column.strip_prefix(vector) == Some(axis));
    if let Some(slot) = axis.and_then(|axis| axes.get_mut(axis)) {
        *slot = Some(text.to_owned());
    }
    axis.is_some()
}
