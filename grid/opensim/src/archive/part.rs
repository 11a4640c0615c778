//! From the texts of a part to a checked part.

use std::sync::Arc;

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{Primitive, Solid};
use uuid::Uuid;

use crate::archive::error::{Problem, ellipsized};
use crate::archive::object::{Part, Plant, Shape};
use crate::archive::raw::{Axes, Extra, Field, RawPart, RawShape, Sculpt};
use crate::archive::xml::{length, number, somebody, truth, whole, wrong};

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
pub(crate) struct PartShape {
    scale: [f64; 3],
    shape: Shape,
    animated: bool,
}

/// What a part says beside its shape.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartProperties {
    name: Arc<str>,
    creator: Option<Uuid>,
    offset: [f64; 3],
    rotation: [f64; 4],
    /// `PhysicsShapeType`.
    shape_type: Option<i64>,
    physical: bool,
}

/// Checks a part.
pub(crate) fn check_part(raw: &RawPart<'_>) -> Result<Part, Problem> {
    let own = raw.scale.iter().any(Option::is_some);
    let shape = parse_shape(&raw.shape, if own { &raw.scale } else { &raw.shape.scale })?;
    Ok(parse_properties(raw)?.part(shape, raw.scripts))
}

/// Checks a shape, of a part of that size.
pub(crate) fn parse_shape(raw: &RawShape<'_>, size: &Axes<'_>) -> Result<PartShape, Problem> {
    let Extra { sculpt, animated } = extra(raw)?;
    let shape = check_shape(raw, sculpt)?;
    Ok(PartShape { scale: scale(size)?, shape, animated })
}

/// Checks a part but for its shape.
pub(crate) fn parse_properties(raw: &RawPart<'_>) -> Result<PartProperties, Problem> {
    let value = raw.physics_shape_type.as_deref();
    Ok(PartProperties {
        name: ellipsized(raw.name.trim()).into(),
        creator: somebody(raw.creator),
        offset: offset(&raw.offset)?,
        rotation: rotation(&raw.rotation)?,
        shape_type: value.map(|text| whole("PhysicsShapeType", Some(text))).transpose()?,
        physical: is_physical(&raw.flags),
    })
}

impl PartProperties {
    /// The bytes of its name.
    pub(crate) fn name_bytes(&self) -> usize {
        self.name.len()
    }

    /// The part with that shape and so many scripts.
    pub(crate) fn part(self, looks: PartShape, scripts: u32) -> Part {
        let PartShape { scale, shape, animated } = looks;
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

/// The low bits of `SculptType`; the others mirror and invert (viewers: `LL_SCULPT_TYPE_MASK`).
const SCULPT_MASK: i64 = 7;
/// A `SculptType` that means a mesh (`SculptType.Mesh`).
const SCULPT_MESH: i64 = 5;
/// `PCode` (`PCodeEnum`): what is shaped by its numbers, and plants. The others, avatars and sources of
/// particles, are shapes of no name.
const PRIMITIVE: i64 = 9;
const GRASS: i64 = 95;
const NEW_TREE: i64 = 111;
const TREE: i64 = 255;
/// `PathCurve` (`Extrusion`) of a straight path, of one that bends and is straight at rest, of a
/// circle, and of another circle, whose only known solid is the sphere.
const STRAIGHT: i64 = 16;
const FLEXIBLE: i64 = 128;
const CIRCULAR: i64 = 32;
const CIRCULAR_TOO: i64 = 48;
/// The bits of `ProfileCurve` that are the profile; the others are the shape of the hollow.
const PROFILE_MASK: i64 = 0x0f;
/// Profiles (`ProfileShape`) with the names that stand for them in `ProfileShape`.
const PROFILES: [(&str, i64); 6] = [
    ("Circle", CIRCLE),
    ("Square", SQUARE),
    ("IsometricTriangle", ISOMETRIC),
    ("EquilateralTriangle", EQUILATERAL),
    ("RightTriangle", RIGHT),
    ("HalfCircle", HALF),
];
const CIRCLE: i64 = 0;
const SQUARE: i64 = 1;
const ISOMETRIC: i64 = 2;
const EQUILATERAL: i64 = 3;
const RIGHT: i64 = 4;
const HALF: i64 = 5;
/// A profile that makes none of the known solids.
const OTHER: i64 = -1;

/// The size of the hole in a torus, a tube and a ring; of all others, how much they narrow.
/// Source: viewers, `LLPathParams` (`setScale`) and the hole size in `LLPanelObject`.
const HOLE: [Field; 2] = [Field::PathScaleX, Field::PathScaleY];
/// What makes a prim other than plain, with the value that does not.
/// Source: `OpenSimulator`, `BSShapeCollection.cs` (`PrimHasNoCuts`), and the rest of a torus.
const ALTERATIONS: [(Field, i64); 16] = [
    (Field::ProfileBegin, 0),
    (Field::ProfileEnd, 0),
    (Field::ProfileHollow, 0),
    (Field::PathBegin, 0),
    (Field::PathEnd, 0),
    (Field::PathTwist, 0),
    (Field::PathTwistBegin, 0),
    (Field::PathTaperX, 0),
    (Field::PathTaperY, 0),
    (Field::PathScaleX, 100),
    (Field::PathScaleY, 100),
    (Field::PathShearX, 0),
    (Field::PathShearY, 0),
    (Field::PathSkew, 0),
    (Field::PathRevolutions, 0),
    (Field::PathRadiusOffset, 0),
];

/// Checks a shape. What it has no element for, `ExtraParams` says.
///
/// Source: `OpenSimulator`, `SceneObjectSerializer.cs` (`ReadShape`, `WriteShape`): elements count in
/// the order of the file, and those of a sculpt are written behind `ExtraParams`.
fn check_shape(raw: &RawShape<'_>, extra: Option<Sculpt>) -> Result<Shape, Problem> {
    let kind =
        or(raw, Field::SculptType, extra.map_or(0, |extra| extra.kind.into()))? & SCULPT_MASK;
    let sculpted = match (raw.get(Field::SculptEntry), raw.get(Field::SculptType)) {
        (None, None) => extra.is_some(),
        (None, Some(_)) => kind != 0,
        (entry, _) => truth("SculptEntry", entry)?,
    };
    if sculpted && kind == SCULPT_MESH {
        return mesh(raw.get(Field::SculptTexture), extra).map(Shape::Mesh);
    }
    let code = or(raw, Field::PCode, PRIMITIVE)?;
    match code {
        TREE | NEW_TREE => return Ok(Shape::Plant(Plant::Tree)),
        GRASS => return Ok(Shape::Plant(Plant::Grass)),
        _ if sculpted => {
            return Ok(Shape::Prim(Primitive { solid: Solid::Sculpt, altered: false }));
        }
        _ => {}
    }
    let solid = match (whole("PathCurve", raw.get(Field::PathCurve))?, profile(raw)?) {
        _ if code != PRIMITIVE => Solid::Other,
        (path, profile) => solid(path, profile),
    };
    let mut altered = false;
    for (field, plain) in ALTERATIONS {
        altered |= or(raw, field, plain)? != plain && !(HOLE.contains(&field) && has_hole(solid));
    }
    Ok(Shape::Prim(Primitive { solid, altered }))
}

/// The solid that a profile along a path makes.
/// Source: viewers, `LLPanelObject` (`getState`), which names them; any triangle makes a ring, for
/// `LLProfile` draws all three alike; a sphere along either circle: `OpenSimulator`, `LSL_Api.cs`
/// (`getScriptPrimType`).
fn solid(path: i64, profile: i64) -> Solid {
    match (path, profile) {
        (STRAIGHT | FLEXIBLE, SQUARE) => Solid::Box,
        (STRAIGHT | FLEXIBLE, CIRCLE) => Solid::Cylinder,
        (STRAIGHT | FLEXIBLE, ISOMETRIC | EQUILATERAL | RIGHT) => Solid::Prism,
        (CIRCULAR | CIRCULAR_TOO, HALF) => Solid::Sphere,
        (CIRCULAR, CIRCLE) => Solid::Torus,
        (CIRCULAR, SQUARE) => Solid::Tube,
        (CIRCULAR, ISOMETRIC | EQUILATERAL | RIGHT) => Solid::Ring,
        _ => Solid::Other,
    }
}

const fn has_hole(solid: Solid) -> bool {
    matches!(solid, Solid::Torus | Solid::Tube | Solid::Ring)
}

/// The mesh of an element, or else of `ExtraParams`.
fn mesh(element: Option<&str>, extra: Option<Sculpt>) -> Result<Uuid, Problem> {
    let id = match element {
        Some(text) => Uuid::try_parse(text).ok(),
        None => extra.map(|extra| extra.texture),
    };
    id.filter(|id| !id.is_nil()).ok_or_else(|| {
        let nil = extra.map(|extra| extra.texture.to_string());
        wrong("SculptTexture", element.or(nil.as_deref()), "the UUID of a mesh")
    })
}

fn profile(raw: &RawShape<'_>) -> Result<i64, Problem> {
    match (raw.get(Field::ProfileCurve), raw.get(Field::ProfileShape)) {
        (None, Some(name)) => {
            Ok(PROFILES.iter().find(|(known, _)| *known == name).map_or(OTHER, |(_, value)| *value))
        }
        (curve, _) => Ok(whole("ProfileCurve", curve)? & PROFILE_MASK),
    }
}

/// A whole number, or what stands for one that is left out.
fn or(raw: &RawShape<'_>, field: Field, left_out: i64) -> Result<i64, Problem> {
    raw.get(field).map_or(Ok(left_out), |text| whole(field.name(), Some(text)))
}
