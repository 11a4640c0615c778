//! From the texts of a part to a part.

use std::sync::Arc;

use lodger_core::cost::physics::ShapeType;
use uuid::Uuid;

use crate::clip::clipped;
use crate::extra::Extra;
use crate::object::{Part, Shape};
use crate::problem::Problem;
use crate::raw::{Axes, Field, RawPart, RawShape};
use crate::shape;
use crate::value::{length, number, somebody, whole};

const SCALE: [&str; 3] = ["Scale.X", "Scale.Y", "Scale.Z"];
const OFFSET: [&str; 3] = ["OffsetPosition.X", "OffsetPosition.Y", "OffsetPosition.Z"];
const ROTATION: [&str; 4] =
    ["RotationOffset.X", "RotationOffset.Y", "RotationOffset.Z", "RotationOffset.W"];
/// The words in `Flags` for a part that moves by physics, and their bit (`PrimFlags.Physics`). A number may be negative,
/// as tables hold the flags in 32 bits with a sign.
const PHYSICS: [&str; 2] = ["Physics", "UsesPhysics"];
const PHYSICS_BIT: i64 = 1;
/// A rotation that turns nothing.
const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

/// What a part's shape says of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Looks {
    scale: [f64; 3],
    shape: Shape,
    animated: bool,
}

/// What a part says beside its shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Stance {
    name: Arc<str>,
    creator: Option<Uuid>,
    offset: [f64; 3],
    rotation: [f64; 4],
    /// `PhysicsShapeType`.
    shape_type: Option<i64>,
    physical: bool,
}

/// Checks a part.
pub(crate) fn check(raw: &RawPart<'_>) -> Result<Part, Problem> {
    let own = raw.scale.iter().any(Option::is_some);
    let looks = looks(&raw.shape, if own { &raw.scale } else { &raw.shape.scale })?;
    Ok(stance(raw)?.part(looks, raw.scripts))
}

/// Checks a shape, of a part of that size.
pub(crate) fn looks(raw: &RawShape<'_>, size: &Axes<'_>) -> Result<Looks, Problem> {
    let Extra { sculpt, animated } = extra(raw)?;
    let shape = shape::check(raw, sculpt)?;
    Ok(Looks { scale: scale(size)?, shape, animated })
}

/// Checks a part but for its shape.
pub(crate) fn stance(raw: &RawPart<'_>) -> Result<Stance, Problem> {
    let value = raw.physics_shape_type.as_deref();
    Ok(Stance {
        name: clipped(raw.name.trim()).into(),
        creator: somebody(raw.creator),
        offset: offset(&raw.offset)?,
        rotation: rotation(&raw.rotation)?,
        shape_type: value.map(|text| whole("PhysicsShapeType", Some(text))).transpose()?,
        physical: is_physical(&raw.flags),
    })
}

impl Stance {
    /// The bytes of its name.
    pub(crate) fn name_bytes(&self) -> usize {
        self.name.len()
    }

    /// The part with that shape and so many scripts.
    pub(crate) fn part(self, looks: Looks, scripts: u32) -> Part {
        let Looks { scale, shape, animated } = looks;
        let Self { name, creator, offset, rotation, shape_type, physical } = self;
        let shape_type = collides_as(shape_type, shape);
        Part {
            name,
            creator,
            scale,
            offset,
            rotation,
            shape,
            shape_type,
            physical,
            animated,
            scripts,
        }
    }
}

/// What the block `ExtraParams` says, as bytes or as base64.
fn extra(raw: &RawShape<'_>) -> Result<Extra, Problem> {
    match (raw.extra_params, raw.get(Field::ExtraParams)) {
        (Some(bytes), _) => Ok(Extra::of(bytes)),
        (None, text) => Ok(text.map(Extra::read).transpose()?.unwrap_or_default()),
    }
}

fn scale([x, y, z, _]: &Axes<'_>) -> Result<[f64; 3], Problem> {
    let [of_x, of_y, of_z] = SCALE;
    Ok([length(of_x, x.as_deref())?, length(of_y, y.as_deref())?, length(of_z, z.as_deref())?])
}

fn offset(axes: &Axes<'_>) -> Result<[f64; 3], Problem> {
    let mut offset = [0.0; 3];
    for ((value, text), field) in offset.iter_mut().zip(axes).zip(OFFSET) {
        if let Some(text) = text {
            *value = number(field, Some(text))?;
        }
    }
    Ok(offset)
}

/// A rotation of length 1; one without a length turns nothing.
fn rotation(axes: &Axes<'_>) -> Result<[f64; 4], Problem> {
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
fn collides_as(value: Option<i64>, shape: Shape) -> ShapeType {
    match (value, shape) {
        (Some(0), _) => ShapeType::Prim,
        (Some(1), _) => ShapeType::None,
        (Some(2), _) | (_, Shape::Mesh(_)) => ShapeType::ConvexHull,
        _ => ShapeType::Prim,
    }
}

/// Flags are words with or without commas, or a number.
fn is_physical(flags: &str) -> bool {
    let mut words = flags.split([' ', ',', '\t', '\r', '\n']);
    words.any(|word| {
        PHYSICS.contains(&word) || word.parse::<i64>().is_ok_and(|bits| bits & PHYSICS_BIT != 0)
    })
}
