//! Conversion of the texts of a part to a checked part.

use std::sync::Arc;

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::prims::{SolidKind, SolidPrim};
use uuid::Uuid;

use crate::archive::error::{ArchiveErrorKind, ellipsized};
use crate::archive::object::{ObjectPart, Plant, PrimGeometry};
use crate::archive::raw::{Axes, Extra, Field, RawPart, RawShape, Sculpt};
use crate::archive::xml::{integer, length, non_nil, number, truth, wrong};

const SCALE: [&str; 3] = ["Scale.X", "Scale.Y", "Scale.Z"];
const OFFSET: [&str; 3] = ["OffsetPosition.X", "OffsetPosition.Y", "OffsetPosition.Z"];
const ROTATION: [&str; 4] =
    ["RotationOffset.X", "RotationOffset.Y", "RotationOffset.Z", "RotationOffset.W"];
/// Names of the flag of a part that moves by physics, and its bit (`PrimFlags.Physics`). Tables store flags as signed
/// 32-bit numbers, so a number may be negative.
const PHYSICS: [&str; 2] = ["Physics", "UsesPhysics"];
const PHYSICS_BIT: i64 = 1;
const UPRIGHT: [f64; 4] = [0.0, 0.0, 0.0, 1.0];

#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct PartShape {
    scale: [f64; 3],
    shape: PrimGeometry,
    animated: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PartProperties {
    name: Arc<str>,
    creator: Option<Uuid>,
    offset: [f64; 3],
    rotation: [f64; 4],
    shape_type: Option<i64>,
    physical: bool,
}

pub(crate) fn check_part(raw: &RawPart<'_>) -> Result<ObjectPart, ArchiveErrorKind> {
    let own = raw.scale.iter().any(Option::is_some);
    let shape = parse_shape(&raw.shape, if own { &raw.scale } else { &raw.shape.scale })?;
    Ok(parse_properties(raw)?.part(shape, raw.scripts))
}

pub(crate) fn parse_shape(
    raw: &RawShape<'_>,
    size: &Axes<'_>,
) -> Result<PartShape, ArchiveErrorKind> {
    let Extra { sculpt, animated } = extra(raw)?;
    let shape = check_shape(raw, sculpt)?;
    Ok(PartShape { scale: scale(size)?, shape, animated })
}

pub(crate) fn parse_properties(raw: &RawPart<'_>) -> Result<PartProperties, ArchiveErrorKind> {
    let value = raw.physics_shape_type.as_deref();
    Ok(PartProperties {
        name: ellipsized(raw.name.trim()).into(),
        creator: non_nil(raw.creator),
        offset: axes_or([0.0; 3], &raw.offset, OFFSET)?,
        rotation: rotation(&raw.rotation)?,
        shape_type: value.map(|text| integer("PhysicsShapeType", Some(text))).transpose()?,
        physical: is_physical(&raw.flags),
    })
}

impl PartProperties {
    pub(crate) fn part(self, shape: PartShape, scripts: u32) -> ObjectPart {
        let PartShape { scale, shape, animated } = shape;
        let Self { name, creator, offset, rotation, shape_type, physical } = self;
        let shape_type = physics_shape_type(shape_type, shape);
        ObjectPart {
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

fn extra(raw: &RawShape<'_>) -> Result<Extra, ArchiveErrorKind> {
    match (raw.extra_params, raw.get(Field::ExtraParams)) {
        (Some(bytes), _) => Ok(Extra::from_bytes(bytes)),
        (None, text) => Ok(text.map(Extra::from_base64).transpose()?.unwrap_or_default()),
    }
}

fn scale([x, y, z, _]: &Axes<'_>) -> Result<[f64; 3], ArchiveErrorKind> {
    let [of_x, of_y, of_z] = SCALE;
    Ok([length(of_x, x.as_deref())?, length(of_y, y.as_deref())?, length(of_z, z.as_deref())?])
}

fn axes_or<const N: usize>(
    mut values: [f64; N],
    axes: &Axes<'_>,
    fields: [&'static str; N],
) -> Result<[f64; N], ArchiveErrorKind> {
    for ((value, text), field) in values.iter_mut().zip(axes).zip(fields) {
        if let Some(text) = text {
            *value = number(field, Some(text))?;
        }
    }
    Ok(values)
}

/// Normalizes a rotation; one of length 0 is the identity.
fn rotation(axes: &Axes<'_>) -> Result<[f64; 4], ArchiveErrorKind> {
    let rotation = axes_or(UPRIGHT, axes, ROTATION)?;
    let length = rotation.iter().map(|value| value * value).sum::<f64>().sqrt();
    let turned = rotation.map(|value| value / length);
    Ok(if turned.iter().all(|value| value.is_finite()) { turned } else { UPRIGHT })
}

/// Physics shape type by number: 0 prim, 1 none, 2 convex hull. Any other or missing value is the default of
/// `OpenSimulator` (`SceneObjectPart.DefaultPhysicsShapeType`): the convex hull for a mesh, else the prim.
fn physics_shape_type(value: Option<i64>, shape: PrimGeometry) -> ShapeType {
    match (value, shape) {
        (Some(0), _) => ShapeType::Prim,
        (Some(1), _) => ShapeType::None,
        (Some(2), _) | (_, PrimGeometry::Mesh(_)) => ShapeType::ConvexHull,
        _ => ShapeType::Prim,
    }
}

/// Whether the flags include physics. They are words, with or without commas, or a number.
fn is_physical(flags: &str) -> bool {
    let mut words = flags.split([' ', ',', '\t', '\r', '\n']);
    words.any(|word| {
        PHYSICS.contains(&word) || word.parse::<i64>().is_ok_and(|bits| bits & PHYSICS_BIT != 0)
    })
}

/// The type bits of `SculptType`; the other bits mirror and invert (viewers: `LL_SCULPT_TYPE_MASK`).
const SCULPT_MASK: i64 = 7;
/// `SculptType` of a mesh (`SculptType.Mesh`).
const SCULPT_MESH: i64 = 5;
/// `PCode` (`PCodeEnum`) of parametric prims and plants. All others, avatars and particle sources, have an unknown
/// shape.
const PRIMITIVE: i64 = 9;
const GRASS: i64 = 95;
const NEW_TREE: i64 = 111;
const TREE: i64 = 255;
/// `PathCurve` (`Extrusion`): straight, flexible (straight at rest), a circle, and a second circle, whose only known
/// solid is the sphere.
const STRAIGHT: i64 = 16;
const FLEXIBLE: i64 = 128;
const CIRCULAR: i64 = 32;
const CIRCULAR_TOO: i64 = 48;
/// Profile bits of `ProfileCurve`; the other bits are the shape of the hollow.
const PROFILE_MASK: i64 = 0x0f;
/// Profiles (`ProfileShape`) by their names in `ProfileShape`.
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
const OTHER: i64 = -1;

/// Fields with the hole size of a torus, a tube and a ring; for other solids they are tapers.
/// Source: viewers, `LLPathParams` (`setScale`) and the hole size in `LLPanelObject`.
const HOLE: [Field; 2] = [Field::PathScaleX, Field::PathScaleY];
/// Fields that alter a prim, with their neutral values.
/// Source: `OpenSimulator`, `BSShapeCollection.cs` (`PrimHasNoCuts`), and the other fields of a torus.
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

/// Converts a shape. `ExtraParams` replaces missing elements.
///
/// Source: `OpenSimulator`, `SceneObjectSerializer.cs` (`ReadShape`, `WriteShape`): later elements win, and the
/// elements of a sculpt are written behind `ExtraParams`.
fn check_shape(
    raw: &RawShape<'_>,
    extra: Option<Sculpt>,
) -> Result<PrimGeometry, ArchiveErrorKind> {
    let kind =
        or(raw, Field::SculptType, extra.map_or(0, |extra| extra.kind.into()))? & SCULPT_MASK;
    let sculpted = match (raw.get(Field::SculptEntry), raw.get(Field::SculptType)) {
        (None, None) => extra.is_some(),
        (None, Some(_)) => kind != 0,
        (entry, _) => truth("SculptEntry", entry)?,
    };
    if sculpted && kind == SCULPT_MESH {
        return mesh(raw.get(Field::SculptTexture), extra).map(PrimGeometry::Mesh);
    }
    let code = or(raw, Field::PCode, PRIMITIVE)?;
    match code {
        TREE | NEW_TREE => return Ok(PrimGeometry::Plant(Plant::Tree)),
        GRASS => return Ok(PrimGeometry::Plant(Plant::Grass)),
        _ if sculpted => {
            return Ok(PrimGeometry::Prim(SolidPrim { solid: SolidKind::Sculpt, altered: false }));
        }
        _ => {}
    }
    let solid = match (integer("PathCurve", raw.get(Field::PathCurve))?, profile(raw)?) {
        _ if code != PRIMITIVE => SolidKind::Other,
        (path, profile) => solid(path, profile),
    };
    let mut altered = false;
    for (field, plain) in ALTERATIONS {
        altered |= or(raw, field, plain)? != plain && !(HOLE.contains(&field) && has_hole(solid));
    }
    Ok(PrimGeometry::Prim(SolidPrim { solid, altered }))
}

/// The solid of a profile along a path.
/// Source: viewers, `LLPanelObject` (`getState`); any triangle makes a ring, as `LLProfile` draws all three alike; a
/// sphere along either circle: `OpenSimulator`, `LSL_Api.cs` (`getScriptPrimType`).
fn solid(path: i64, profile: i64) -> SolidKind {
    match (path, profile) {
        (STRAIGHT | FLEXIBLE, SQUARE) => SolidKind::Box,
        (STRAIGHT | FLEXIBLE, CIRCLE) => SolidKind::Cylinder,
        (STRAIGHT | FLEXIBLE, ISOMETRIC | EQUILATERAL | RIGHT) => SolidKind::Prism,
        (CIRCULAR | CIRCULAR_TOO, HALF) => SolidKind::Sphere,
        (CIRCULAR, CIRCLE) => SolidKind::Torus,
        (CIRCULAR, SQUARE) => SolidKind::Tube,
        (CIRCULAR, ISOMETRIC | EQUILATERAL | RIGHT) => SolidKind::Ring,
        _ => SolidKind::Other,
    }
}

const fn has_hole(solid: SolidKind) -> bool {
    matches!(solid, SolidKind::Torus | SolidKind::Tube | SolidKind::Ring)
}

fn mesh(element: Option<&str>, extra: Option<Sculpt>) -> Result<Uuid, ArchiveErrorKind> {
    let id = match element {
        Some(text) => Uuid::try_parse(text).ok(),
        None => extra.map(|extra| extra.texture),
    };
    id.filter(|id| !id.is_nil()).ok_or_else(|| {
        let nil = extra.map(|extra| extra.texture.to_string());
        wrong("SculptTexture", element.or(nil.as_deref()), "the UUID of a mesh")
    })
}

fn profile(raw: &RawShape<'_>) -> Result<i64, ArchiveErrorKind> {
    match (raw.get(Field::ProfileCurve), raw.get(Field::ProfileShape)) {
        (None, Some(name)) => {
            Ok(PROFILES.iter().find(|(known, _)| *known == name).map_or(OTHER, |(_, value)| *value))
        }
        (curve, _) => Ok(integer("ProfileCurve", curve)? & PROFILE_MASK),
    }
}

fn or(raw: &RawShape<'_>, field: Field, left_out: i64) -> Result<i64, ArchiveErrorKind> {
    raw.get(field).map_or(Ok(left_out), |text| integer(field.name(), Some(text)))
}
