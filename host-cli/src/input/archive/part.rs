//! Objects and their parts.

use uuid::Uuid;

use super::error::clipped;
use super::extra;
use super::raw::{Axes, RawPart};
use super::shape::{self, Shape};
use super::value::{Wrong, length, number, whole};

const SCALE: [&str; 3] = ["Scale.X", "Scale.Y", "Scale.Z"];
const OFFSET: [&str; 3] = ["OffsetPosition.X", "OffsetPosition.Y", "OffsetPosition.Z"];
const ROTATION: [&str; 4] =
    ["RotationOffset.X", "RotationOffset.Y", "RotationOffset.Z", "RotationOffset.W"];
/// The words in `Flags` for a part that moves by physics, and their bit (`PrimFlags.Physics`).
const PHYSICS: [&str; 2] = ["Physics", "UsesPhysics"];
const PHYSICS_BIT: u64 = 1;
/// A rotation that turns nothing.
const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// A linkset.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Object {
    /// The path of the entry that it comes from; a coalesced object gives several with one path.
    pub(crate) source: String,
    /// The root part.
    pub(crate) root: Part,
    /// The parts linked to it, in the order of the archive.
    pub(crate) linked: Vec<Part>,
}

impl Object {
    /// The name of the root.
    pub(crate) fn name(&self) -> &str {
        &self.root.name
    }

    /// All parts, the root first.
    pub(crate) fn parts(&self) -> impl Iterator<Item = &Part> {
        std::iter::once(&self.root).chain(&self.linked)
    }

    /// Whether it moves by physics, which its root decides.
    pub(crate) fn physical(&self) -> bool {
        self.root.physical
    }

    /// The scripts in all its parts.
    pub(crate) fn scripts(&self) -> u32 {
        self.parts().fold(0, |sum, part| sum.saturating_add(part.scripts))
    }
}

/// One prim of an object.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Part {
    /// Its name; names are not unique.
    pub(crate) name: String,
    /// Metres along its own axes; finite, at least 0.
    pub(crate) scale: [f64; 3],
    /// Metres from the root along the root's axes; finite. 0 for the root.
    pub(crate) offset: [f64; 3],
    /// The rotation against the root, a quaternion x, y, z, w of length 1. Upright for the root.
    pub(crate) rotation: [f64; 4],
    /// What it looks like.
    pub(crate) shape: Shape,
    /// What it collides as.
    pub(crate) physics_shape_type: PhysicsShapeType,
    /// Whether it moves by physics.
    pub(crate) physical: bool,
    /// Whether its mesh is animated; only the root's counts.
    pub(crate) animated: bool,
    /// The scripts in it.
    pub(crate) scripts: u32,
}

impl Part {
    /// The mesh that it shows.
    pub(crate) fn mesh(&self) -> Option<Uuid> {
        match self.shape {
            Shape::Mesh(id) => Some(id),
            Shape::Sculpt | Shape::Prim { .. } | Shape::Plant => None,
        }
    }
}

/// What a part collides as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PhysicsShapeType {
    /// 0: as it is.
    Prim,
    /// 1: nothing.
    None,
    /// 2: the convex hull around it.
    ConvexHull,
}

/// Checks a part.
pub(super) fn check(raw: &RawPart) -> Result<Part, Wrong> {
    let shape = shape::check(&raw.shape)?;
    let animated = raw.shape.get("ExtraParams").map_or(Ok(false), extra::is_animated)?;
    let own = raw.scale.iter().any(Option::is_some);
    Ok(Part {
        name: clipped(raw.name.trim()),
        scale: scale(if own { &raw.scale } else { &raw.shape.scale })?,
        offset: offset(&raw.offset)?,
        rotation: rotation(&raw.rotation)?,
        shape,
        physics_shape_type: physics_shape_type(raw.physics_shape_type.as_deref(), shape)?,
        physical: is_physical(&raw.flags),
        animated,
        scripts: raw.scripts,
    })
}

fn scale([x, y, z, _]: &Axes) -> Result<[f64; 3], Wrong> {
    let [of_x, of_y, of_z] = SCALE;
    Ok([length(of_x, x.as_deref())?, length(of_y, y.as_deref())?, length(of_z, z.as_deref())?])
}

fn offset(axes: &Axes) -> Result<[f64; 3], Wrong> {
    let mut offset = [0.0; 3];
    for ((value, text), field) in offset.iter_mut().zip(axes).zip(OFFSET) {
        if let Some(text) = text {
            *value = number(field, Some(text))?;
        }
    }
    Ok(offset)
}

/// A rotation of length 1; one without a length turns nothing.
fn rotation(axes: &Axes) -> Result<[f64; 4], Wrong> {
    let mut rotation = UPRIGHT;
    for ((value, text), field) in rotation.iter_mut().zip(axes).zip(ROTATION) {
        if let Some(text) = text {
            *value = number(field, Some(text))?;
        }
    }
    let length = rotation.iter().map(|value| value * value).sum::<f64>().sqrt();
    let turned = rotation.map(|value| value / length);
    Ok(if turned.iter().all(|value| value.is_finite()) { turned } else { UPRIGHT })
}

/// What is left out or is none of the three is what `OpenSimulator` makes of it
/// (`SceneObjectPart.DefaultPhysicsShapeType`): the convex hull of a mesh, else the prim.
fn physics_shape_type(text: Option<&str>, shape: Shape) -> Result<PhysicsShapeType, Wrong> {
    let value = text.map(|text| whole("PhysicsShapeType", Some(text))).transpose()?;
    Ok(match (value, shape) {
        (Some(0), _) => PhysicsShapeType::Prim,
        (Some(1), _) => PhysicsShapeType::None,
        (Some(2), _) | (_, Shape::Mesh(_)) => PhysicsShapeType::ConvexHull,
        _ => PhysicsShapeType::Prim,
    })
}

/// Flags are words with or without commas, or a number.
fn is_physical(flags: &str) -> bool {
    let mut words = flags.split([' ', ',', '\t', '\r', '\n']);
    words.any(|word| {
        PHYSICS.contains(&word) || word.parse::<u64>().is_ok_and(|bits| bits & PHYSICS_BIT != 0)
    })
}
