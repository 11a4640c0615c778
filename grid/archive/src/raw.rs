//! The texts of a part as its XML has them, before any is checked.
//!
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs`, which writes and reads these elements.

use crate::error::Problem;
use crate::xml::Cursor;

/// What counts in a `Shape`, beside its scale.
const SHAPE_FIELDS: [&str; 24] = [
    "ExtraParams",
    "PCode",
    "PathBegin",
    "PathCurve",
    "PathEnd",
    "PathRadiusOffset",
    "PathRevolutions",
    "PathScaleX",
    "PathScaleY",
    "PathShearX",
    "PathShearY",
    "PathSkew",
    "PathTaperX",
    "PathTaperY",
    "PathTwist",
    "PathTwistBegin",
    "ProfileBegin",
    "ProfileCurve",
    "ProfileEnd",
    "ProfileHollow",
    "ProfileShape",
    "SculptEntry",
    "SculptTexture",
    "SculptType",
];

/// The asset type and inventory type of a script.
const SCRIPT: &str = "10";

/// `X`, `Y`, `Z` and `W` of a vector or a rotation.
pub(crate) type Axes = [Option<String>; 4];

/// A `SceneObjectPart`.
#[derive(Debug, Default)]
pub(crate) struct RawPart {
    pub(crate) name: String,
    pub(crate) scale: Axes,
    pub(crate) offset: Axes,
    pub(crate) rotation: Axes,
    pub(crate) flags: String,
    pub(crate) physics_shape_type: Option<String>,
    pub(crate) scripts: u32,
    pub(crate) shape: RawShape,
}

/// Its `Shape`.
#[derive(Debug, Default)]
pub(crate) struct RawShape {
    pub(crate) scale: Axes,
    fields: Vec<(&'static str, String)>,
}

impl RawShape {
    /// The text of an element; of several, the last counts.
    pub(crate) fn get(&self, field: &'static str) -> Option<&str> {
        self.fields.iter().rev().find(|(name, _)| *name == field).map(|(_, text)| text.trim())
    }
}

/// Reads the part that the cursor is in.
pub(crate) fn part(cursor: &mut Cursor<'_>) -> Result<RawPart, Problem> {
    let mut part = RawPart::default();
    cursor.children(|cursor, name| {
        match name {
            "Name" => part.name = cursor.text()?,
            "Scale" => part.scale = axes(cursor)?,
            "OffsetPosition" => part.offset = axes(cursor)?,
            "RotationOffset" => part.rotation = axes(cursor)?,
            "Flags" | "ObjectFlags" => {
                part.flags.push(' ');
                part.flags.push_str(&cursor.text()?);
            }
            "PhysicsShapeType" | "PhysicsType" => part.physics_shape_type = Some(cursor.text()?),
            "Shape" => part.shape = shape(cursor)?,
            "TaskInventory" => part.scripts = part.scripts.saturating_add(scripts(cursor)?),
            _ => cursor.skip()?,
        }
        Ok(())
    })?;
    Ok(part)
}

fn shape(cursor: &mut Cursor<'_>) -> Result<RawShape, Problem> {
    let mut shape = RawShape::default();
    cursor.children(|cursor, name| {
        if name == "Scale" {
            shape.scale = axes(cursor)?;
        } else if let Some(field) = SHAPE_FIELDS.iter().find(|field| **field == name) {
            shape.fields.push((field, cursor.text()?));
        } else {
            cursor.skip()?;
        }
        Ok(())
    })?;
    Ok(shape)
}

fn axes(cursor: &mut Cursor<'_>) -> Result<Axes, Problem> {
    let mut axes = Axes::default();
    cursor.children(|cursor, name| {
        let [x, y, z, w] = &mut axes;
        let axis = match name {
            "X" | "x" => x,
            "Y" | "y" => y,
            "Z" | "z" => z,
            "W" | "w" => w,
            _ => return cursor.skip(),
        };
        *axis = Some(cursor.text()?);
        Ok(())
    })?;
    Ok(axes)
}

/// The number of scripts in a `TaskInventory`.
fn scripts(cursor: &mut Cursor<'_>) -> Result<u32, Problem> {
    let mut scripts = 0_u32;
    cursor.children(|cursor, _| {
        let mut is_script = false;
        cursor.children(|cursor, name| match name {
            "Type" | "InvType" => {
                is_script |= cursor.text()?.trim() == SCRIPT;
                Ok(())
            }
            _ => cursor.skip(),
        })?;
        scripts = scripts.saturating_add(u32::from(is_script));
        Ok(())
    })?;
    Ok(scripts)
}
