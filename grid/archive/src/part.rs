//! From the texts of a part to a part.

use lodger_core::cost::physics::ShapeType;

use crate::clip::clipped;
use crate::extra::Extra;
use crate::object::{Part, Shape};
use crate::problem::Problem;
use crate::raw::{Axes, RawPart};
use crate::shape;
use crate::value::{length, number, whole};

const SCALE: [&str; 3] = ["Scale.X", "Scale.Y", "Scale.Z"];
const OFFSET: [&str; 3] = ["OffsetPosition.X", "OffsetPosition.Y", "OffsetPosition.Z"];
const ROTATION: [&str; 4] =
    ["RotationOffset.X", "RotationOffset.Y", "RotationOffset.Z", "RotationOffset.W"];
/// The words in `Flags` for a part that moves by physics, and their bit (`PrimFlags.Physics`).
const PHYSICS: [&str; 2] = ["Physics", "UsesPhysics"];
const PHYSICS_BIT: u64 = 1;
/// A rotation that turns nothing.
const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// Checks a part.
pub(crate) fn check(raw: &RawPart) -> Result<Part, Problem> {
    let Extra { sculpt, animated } =
        raw.shape.get("ExtraParams").map(Extra::read).transpose()?.unwrap_or_default();
    let shape = shape::check(&raw.shape, sculpt)?;
    let own = raw.scale.iter().any(Option::is_some);
    Ok(Part {
        name: clipped(raw.name.trim()).into(),
        creator: (!raw.creator.is_nil()).then_some(raw.creator),
        scale: scale(if own { &raw.scale } else { &raw.shape.scale })?,
        offset: offset(&raw.offset)?,
        rotation: rotation(&raw.rotation)?,
        shape,
        shape_type: shape_type(raw.physics_shape_type.as_deref(), shape)?,
        physical: is_physical(&raw.flags),
        animated,
        scripts: raw.scripts,
    })
}

fn scale([x, y, z, _]: &Axes) -> Result<[f64; 3], Problem> {
    let [of_x, of_y, of_z] = SCALE;
    Ok([length(of_x, x.as_deref())?, length(of_y, y.as_deref())?, length(of_z, z.as_deref())?])
}

fn offset(axes: &Axes) -> Result<[f64; 3], Problem> {
    let mut offset = [0.0; 3];
    for ((value, text), field) in offset.iter_mut().zip(axes).zip(OFFSET) {
        if let Some(text) = text {
            *value = number(field, Some(text))?;
        }
    }
    Ok(offset)
}

/// A rotation of length 1; one without a length turns nothing.
fn rotation(axes: &Axes) -> Result<[f64; 4], Problem> {
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

/// 0 is the prim, 1 is nothing, 2 the convex hull. What is left out or is none of the three is what `OpenSimulator` makes of it
/// (`SceneObjectPart.DefaultPhysicsShapeType`): the convex hull of a mesh, else the prim.
fn shape_type(text: Option<&str>, shape: Shape) -> Result<ShapeType, Problem> {
    let value = text.map(|text| whole("PhysicsShapeType", Some(text))).transpose()?;
    Ok(match (value, shape) {
        (Some(0), _) => ShapeType::Prim,
        (Some(1), _) => ShapeType::None,
        (Some(2), _) | (_, Shape::Mesh(_)) => ShapeType::ConvexHull,
        _ => ShapeType::Prim,
    })
}

/// Flags are words with or without commas, or a number.
fn is_physical(flags: &str) -> bool {
    let mut words = flags.split([' ', ',', '\t', '\r', '\n']);
    words.any(|word| {
        PHYSICS.contains(&word) || word.parse::<u64>().is_ok_and(|bits| bits & PHYSICS_BIT != 0)
    })
}
