//! The texts of a part as its XML has them, before any is checked.
//!
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs`, which writes and reads these elements.

use uuid::Uuid;

use crate::problem::Problem;
use crate::value::identifier;
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

/// The asset type and inventory type of a script (`AssetType.LSLText`, `InventoryType.LSL`).
const SCRIPT: &str = "10";
/// The asset type of an object (`AssetType.Object`).
pub(crate) const OBJECT: &str = "6";

/// `X`, `Y`, `Z` and `W` of a vector or a rotation.
pub(crate) type Axes = [Option<String>; 4];

/// A `SceneObjectPart`.
#[derive(Debug, Default)]
pub(crate) struct RawPart {
    /// Nil if it has none; older archives have a `Guid` in it, newer ones a `UUID`.
    pub(crate) id: Uuid,
    /// Nil if it has none.
    pub(crate) owner: Uuid,
    /// Nil if it has none.
    pub(crate) creator: Uuid,
    pub(crate) name: String,
    /// Where the whole object is.
    pub(crate) position: Axes,
    pub(crate) scale: Axes,
    pub(crate) offset: Axes,
    pub(crate) rotation: Axes,
    pub(crate) flags: String,
    pub(crate) physics_shape_type: Option<String>,
    pub(crate) scripts: u32,
    /// The assets of the objects in it.
    pub(crate) inside: Vec<Uuid>,
    pub(crate) shape: RawShape,
}

/// Its `Shape`.
#[derive(Debug, Default)]
pub(crate) struct RawShape {
    pub(crate) scale: Axes,
    /// The block `ExtraParams`, where it is not the base64 of an element.
    pub(crate) extra_params: Option<Vec<u8>>,
    fields: Vec<(&'static str, String)>,
}

impl RawShape {
    /// Takes the text of an element, if it is one that counts.
    pub(crate) fn set(&mut self, name: &str, text: impl Into<String>) {
        if let Some(field) = SHAPE_FIELDS.iter().find(|field| **field == name) {
            self.fields.push((field, text.into()));
        }
    }

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
            "UUID" => part.id = identifier(&cursor.text()?),
            "OwnerID" => part.owner = identifier(&cursor.text()?),
            "CreatorID" => part.creator = identifier(&cursor.text()?),
            "Name" => part.name = cursor.text()?,
            "GroupPosition" => part.position = axes(cursor)?,
            "Scale" => part.scale = axes(cursor)?,
            "OffsetPosition" => part.offset = axes(cursor)?,
            "RotationOffset" => part.rotation = axes(cursor)?,
            "Flags" | "ObjectFlags" => {
                part.flags.push(' ');
                part.flags.push_str(&cursor.text()?);
            }
            "PhysicsShapeType" | "PhysicsType" => part.physics_shape_type = Some(cursor.text()?),
            "Shape" => part.shape = shape(cursor)?,
            "TaskInventory" => contents(cursor, &mut part)?,
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
        } else if SHAPE_FIELDS.contains(&name) {
            shape.set(name, cursor.text()?);
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

/// Counts the scripts in a `TaskInventory`, and notes the objects.
fn contents(cursor: &mut Cursor<'_>, part: &mut RawPart) -> Result<(), Problem> {
    cursor.children(|cursor, _| {
        let (mut is_script, mut is_object, mut asset) = (false, false, Uuid::nil());
        cursor.children(|cursor, name| {
            match name {
                "Type" | "InvType" => {
                    let kind = cursor.text()?;
                    is_script |= kind.trim() == SCRIPT;
                    is_object |= name == "Type" && kind.trim() == OBJECT;
                }
                "AssetID" => asset = identifier(&cursor.text()?),
                _ => cursor.skip()?,
            }
            Ok(())
        })?;
        part.scripts = part.scripts.saturating_add(u32::from(is_script));
        if is_object && !asset.is_nil() {
            part.inside.push(asset);
        }
        Ok(())
    })
}
