//! What a part looks like, by the numbers of its shape.

use lodger_core::cost::prims::{Primitive, Solid};
use uuid::Uuid;

use crate::extra::Sculpt;
use crate::object::{Plant, Shape};
use crate::problem::Problem;
use crate::raw::{Field, RawShape};
use crate::value::{truth, whole, wrong};

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
pub(crate) fn check(raw: &RawShape<'_>, extra: Option<Sculpt>) -> Result<Shape, Problem> {
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
