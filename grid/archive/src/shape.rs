//! What a part looks like, by the numbers of its shape.

use lodger_core::cost::prims::{Primitive, Solid};
use uuid::Uuid;

use crate::error::Problem;
use crate::object::{Plant, Shape};
use crate::raw::RawShape;
use crate::value::{truth, whole, wrong};

/// The low bits of `SculptType`; the others mirror and invert (viewers: `LL_SCULPT_TYPE_MASK`).
const SCULPT_MASK: i64 = 7;
/// A `SculptType` that means a mesh (`SculptType.Mesh`).
const SCULPT_MESH: i64 = 5;
/// The `PCode` of everything but plants (`PCodeEnum.Primitive`).
const PRIMITIVE: i64 = 9;
/// `PathCurve` of a straight path (`Extrusion.Straight`).
const STRAIGHT: i64 = 16;
/// `PathCurve` of a circular path (`Extrusion.Curve1`).
const CIRCULAR: i64 = 32;
/// The bits of `ProfileCurve` that are the profile; the others are the shape of the hollow.
const PROFILE_MASK: i64 = 0x0f;
/// Profiles (`ProfileShape`) with the names that stand for them in `ProfileShape`.
const PROFILES: [(&str, i64); 3] = [("Circle", CIRCLE), ("Square", SQUARE), ("HalfCircle", HALF)];
const CIRCLE: i64 = 0;
const SQUARE: i64 = 1;
const HALF: i64 = 5;
/// A profile that makes none of the plain solids.
const OTHER: i64 = -1;

/// What makes a prim other than plain, with the value that does not.
/// Source: `OpenSimulator`, `BSShapeCollection.cs` (`PrimHasNoCuts`), and the rest of a torus.
const ALTERATIONS: [(&str, i64); 16] = [
    ("ProfileBegin", 0),
    ("ProfileEnd", 0),
    ("ProfileHollow", 0),
    ("PathBegin", 0),
    ("PathEnd", 0),
    ("PathTwist", 0),
    ("PathTwistBegin", 0),
    ("PathTaperX", 0),
    ("PathTaperY", 0),
    ("PathScaleX", 100),
    ("PathScaleY", 100),
    ("PathShearX", 0),
    ("PathShearY", 0),
    ("PathSkew", 0),
    ("PathRevolutions", 0),
    ("PathRadiusOffset", 0),
];

/// Checks a shape.
pub(crate) fn check(raw: &RawShape) -> Result<Shape, Problem> {
    let kind = or(raw, "SculptType", 0)? & SCULPT_MASK;
    let sculpted = match raw.get("SculptEntry") {
        Some(entry) => truth("SculptEntry", Some(entry))?,
        None => kind != 0,
    };
    if sculpted && kind == SCULPT_MESH {
        return mesh(raw.get("SculptTexture")).map(Shape::Mesh);
    }
    if or(raw, "PCode", PRIMITIVE)? != PRIMITIVE {
        return Ok(Shape::Plant(Plant::Tree));
    }
    if sculpted {
        return Ok(Shape::Prim(Primitive { solid: Solid::Sculpt, altered: false }));
    }
    let solid = match (whole("PathCurve", raw.get("PathCurve"))?, profile(raw)?) {
        (STRAIGHT, SQUARE) => Solid::Box,
        (STRAIGHT, CIRCLE) => Solid::Cylinder,
        (CIRCULAR, HALF) => Solid::Sphere,
        _ => Solid::Other,
    };
    let mut altered = false;
    for (field, plain) in ALTERATIONS {
        altered |= or(raw, field, plain)? != plain;
    }
    Ok(Shape::Prim(Primitive { solid, altered }))
}

fn mesh(text: Option<&str>) -> Result<Uuid, Problem> {
    text.and_then(|text| Uuid::try_parse(text).ok())
        .filter(|id| !id.is_nil())
        .ok_or_else(|| wrong("SculptTexture", text, "the UUID of a mesh"))
}

fn profile(raw: &RawShape) -> Result<i64, Problem> {
    match (raw.get("ProfileCurve"), raw.get("ProfileShape")) {
        (None, Some(name)) => {
            Ok(PROFILES.iter().find(|(known, _)| *known == name).map_or(OTHER, |(_, value)| *value))
        }
        (curve, _) => Ok(whole("ProfileCurve", curve)? & PROFILE_MASK),
    }
}

/// A whole number, or what stands for one that is left out.
fn or(raw: &RawShape, field: &'static str, left_out: i64) -> Result<i64, Problem> {
    raw.get(field).map_or(Ok(left_out), |text| whole(field, Some(text)))
}
