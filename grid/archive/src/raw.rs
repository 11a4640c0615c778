//! The texts of a part as its XML has them, before any is checked.
//!
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs`, which writes and reads these elements.

use std::borrow::Cow;

use uuid::Uuid;

use crate::problem::Problem;
use crate::value::identifier;
use crate::xml::Cursor;

/// The asset type and inventory type of a script (`AssetType.LSLText`, `InventoryType.LSL`).
const SCRIPT: &str = "10";
/// The asset type of an object (`AssetType.Object`).
pub(crate) const OBJECT: &str = "6";

/// A text: one of XML by itself, one of a table where its row is.
pub(crate) type Text<'t> = Cow<'t, str>;

/// `X`, `Y`, `Z` and `W` of a vector or a rotation.
pub(crate) type Axes<'t> = [Option<Text<'t>>; 4];

/// A `SceneObjectPart`.
#[derive(Debug, Default)]
pub(crate) struct RawPart<'t> {
    /// Nil if it has none; older archives have a `Guid` in it, newer ones a `UUID`.
    pub(crate) id: Uuid,
    /// Nil if it has none.
    pub(crate) owner: Uuid,
    /// Nil if it has none.
    pub(crate) creator: Uuid,
    pub(crate) name: Text<'t>,
    /// Where the whole object is.
    pub(crate) position: Axes<'t>,
    pub(crate) scale: Axes<'t>,
    pub(crate) offset: Axes<'t>,
    pub(crate) rotation: Axes<'t>,
    pub(crate) flags: Text<'t>,
    pub(crate) physics_shape_type: Option<Text<'t>>,
    pub(crate) scripts: u32,
    /// The assets of the objects in it.
    pub(crate) inside: Vec<Uuid>,
    pub(crate) shape: RawShape<'t>,
}

/// Its `Shape`.
#[derive(Debug, Default)]
pub(crate) struct RawShape<'t> {
    pub(crate) scale: Axes<'t>,
    /// The block `ExtraParams`, where it is not the base64 of an element.
    pub(crate) extra_params: Option<&'t [u8]>,
    fields: [Option<Text<'t>>; Field::ALL.len()],
}

macro_rules! fields {
    ($($name:ident),* $(,)?) => {
        /// What counts in a `Shape` beside its scale, by the name of its element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field {
            $($name),*
        }

        impl Field {
            const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            /// The name of the element.
            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name)),*
                }
            }
        }
    };
}

fields!(
    ExtraParams,
    PCode,
    PathBegin,
    PathCurve,
    PathEnd,
    PathRadiusOffset,
    PathRevolutions,
    PathScaleX,
    PathScaleY,
    PathShearX,
    PathShearY,
    PathSkew,
    PathTaperX,
    PathTaperY,
    PathTwist,
    PathTwistBegin,
    ProfileBegin,
    ProfileCurve,
    ProfileEnd,
    ProfileHollow,
    ProfileShape,
    SculptEntry,
    SculptTexture,
    SculptType,
);

impl Field {
    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

impl<'t> RawShape<'t> {
    /// A shape of that size without elements.
    pub(crate) fn new(scale: Axes<'t>, extra_params: Option<&'t [u8]>) -> Self {
        Self { scale, extra_params, ..Self::default() }
    }

    /// Takes the text of an element; of several, the last counts.
    pub(crate) fn set(&mut self, field: Field, text: Option<Text<'t>>) {
        if let Some(slot) = self.fields.get_mut(field as usize) {
            *slot = text;
        }
    }

    /// The text of an element.
    pub(crate) fn get(&self, field: Field) -> Option<&str> {
        self.fields.get(field as usize)?.as_deref().map(str::trim)
    }
}

/// Reads the part that the cursor is in.
pub(crate) fn part(cursor: &mut Cursor<'_>) -> Result<RawPart<'static>, Problem> {
    let mut part = RawPart::default();
    cursor.children(|cursor, name| {
        match name {
            "UUID" => part.id = identifier(&cursor.text()?),
            "OwnerID" => part.owner = identifier(&cursor.text()?),
            "CreatorID" => part.creator = identifier(&cursor.text()?),
            "Name" => part.name = cursor.text()?.into(),
            "GroupPosition" => part.position = axes(cursor)?,
            "Scale" => part.scale = axes(cursor)?,
            "OffsetPosition" => part.offset = axes(cursor)?,
            "RotationOffset" => part.rotation = axes(cursor)?,
            "Flags" | "ObjectFlags" => {
                part.flags += " ";
                part.flags += Cow::Owned(cursor.text()?);
            }
            "PhysicsShapeType" | "PhysicsType" => {
                part.physics_shape_type = Some(cursor.text()?.into());
            }
            "Shape" => part.shape = shape(cursor)?,
            "TaskInventory" => contents(cursor, &mut part)?,
            _ => cursor.skip()?,
        }
        Ok(())
    })?;
    Ok(part)
}

fn shape(cursor: &mut Cursor<'_>) -> Result<RawShape<'static>, Problem> {
    let mut shape = RawShape::default();
    cursor.children(|cursor, name| {
        if name == "Scale" {
            shape.scale = axes(cursor)?;
        } else if let Some(field) = Field::named(name) {
            shape.set(field, Some(cursor.text()?.into()));
        } else {
            cursor.skip()?;
        }
        Ok(())
    })?;
    Ok(shape)
}

fn axes(cursor: &mut Cursor<'_>) -> Result<Axes<'static>, Problem> {
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
        *axis = Some(cursor.text()?.into());
        Ok(())
    })?;
    Ok(axes)
}

/// Counts the scripts in a `TaskInventory`, and notes the objects.
fn contents(cursor: &mut Cursor<'_>, part: &mut RawPart<'_>) -> Result<(), Problem> {
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
