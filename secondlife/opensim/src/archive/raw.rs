//! The unchecked texts of a part's XML, and its block `ExtraParams`.
//!
//! Source: `OpenSimulator`, `SceneObjectSerializer.cs`, which reads and writes these elements.
//!
//! `ExtraParams` is a count, then for each parameter a type (u16), a length (u32) and its bytes, all little-endian;
//! type 0x30 holds the UUID of a sculpt or mesh and a `SculptType` (u8), type 0x70 flags (u32), of which bit 0 is an
//! animated mesh. Source: `OpenSimulator`, `PrimitiveBaseShape.cs` (`ExtraParamsToBytes`, `ReadSculptData`), and the
//! viewers' `LLExtendedMeshParams`.

use std::borrow::Cow;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;

use crate::archive::error::ArchiveErrorKind;
use crate::archive::xml::{XmlCursor, identifier, wrong};

/// Asset type and inventory type of a script (`AssetType.LSLText`, `InventoryType.LSL`).
const SCRIPT: &str = "10";
/// Asset type of an object (`AssetType.Object`).
pub(crate) const OBJECT: &str = "6";

/// A text, owned if from XML, borrowed if from a table.
pub(crate) type RawText<'t> = Cow<'t, str>;

pub(crate) type Axes<'t> = [Option<RawText<'t>>; 4];

/// A `SceneObjectPart`; a missing UUID is nil.
#[derive(Debug, Default)]
pub(crate) struct RawPart<'t> {
    /// Older archives have a `Guid` in it, newer ones a `UUID`.
    pub(crate) id: Uuid,
    pub(crate) owner: Uuid,
    pub(crate) creator: Uuid,
    pub(crate) name: RawText<'t>,
    pub(crate) position: Axes<'t>,
    pub(crate) scale: Axes<'t>,
    pub(crate) offset: Axes<'t>,
    pub(crate) rotation: Axes<'t>,
    pub(crate) flags: RawText<'t>,
    pub(crate) physics_shape_type: Option<RawText<'t>>,
    pub(crate) scripts: u32,
    /// Assets of the objects in its inventory.
    pub(crate) inside: Vec<Uuid>,
    pub(crate) shape: RawShape<'t>,
}

#[derive(Debug, Default)]
pub(crate) struct RawShape<'t> {
    pub(crate) scale: Axes<'t>,
    /// `ExtraParams` of a table; in XML it is an element with base64.
    pub(crate) extra_params: Option<&'t [u8]>,
    fields: [Option<RawText<'t>>; Field::ALL.len()],
}

macro_rules! fields {
    ($($name:ident),* $(,)?) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub(crate) enum Field {
            $($name),*
        }

        impl Field {
            pub(crate) const ALL: [Self; [$(stringify!($name)),*].len()] = [$(Self::$name),*];

            pub(crate) const fn name(self) -> &'static str {
                match self {
                    $(Self::$name => stringify!($name)),*
                }
            }
        }
    };
}

fields!(
    PCode,
    PathBegin,
    PathEnd,
    PathScaleX,
    PathScaleY,
    PathShearX,
    PathShearY,
    PathSkew,
    PathCurve,
    PathRadiusOffset,
    PathRevolutions,
    PathTaperX,
    PathTaperY,
    PathTwist,
    PathTwistBegin,
    ProfileBegin,
    ProfileEnd,
    ProfileCurve,
    ProfileHollow,
    ExtraParams,
    ProfileShape,
    SculptEntry,
    SculptTexture,
    SculptType,
);

impl Field {
    /// Number of fields, the first of [`ALL`](Self::ALL), that are text columns of tables too.
    pub(crate) const IN_TABLE: usize = 19;

    fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|field| field.name() == name)
    }
}

impl<'t> RawShape<'t> {
    pub(crate) fn new(scale: Axes<'t>, extra_params: Option<&'t [u8]>) -> Self {
        Self { scale, extra_params, ..Self::default() }
    }

    pub(crate) fn set(&mut self, field: Field, text: Option<RawText<'t>>) {
        if let Some(slot) = self.fields.get_mut(field as usize) {
            *slot = text;
        }
    }

    pub(crate) fn get(&self, field: Field) -> Option<&str> {
        self.fields.get(field as usize)?.as_deref().map(str::trim)
    }
}

pub(crate) fn read_part(cursor: &mut XmlCursor<'_>) -> Result<RawPart<'static>, ArchiveErrorKind> {
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

fn shape(cursor: &mut XmlCursor<'_>) -> Result<RawShape<'static>, ArchiveErrorKind> {
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

fn axes(cursor: &mut XmlCursor<'_>) -> Result<Axes<'static>, ArchiveErrorKind> {
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

fn contents(cursor: &mut XmlCursor<'_>, part: &mut RawPart<'_>) -> Result<(), ArchiveErrorKind> {
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

const SCULPT: u16 = 0x30;
const EXTENDED_MESH: u16 = 0x70;
const ANIMATED: u8 = 1;

/// A truncated `ExtraParams` has the parameters before its end.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub(crate) sculpt: Option<Sculpt>,
    pub(crate) animated: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sculpt {
    pub(crate) texture: Uuid,
    pub(crate) kind: u8,
}

impl Extra {
    pub(crate) fn from_base64(block: &str) -> Result<Self, ArchiveErrorKind> {
        let text: String = block.split_ascii_whitespace().collect();
        let bytes =
            STANDARD.decode(text).map_err(|_| wrong("ExtraParams", Some(block), "base64"))?;
        Ok(Self::from_bytes(&bytes))
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Self {
        let flags = parameter(bytes, EXTENDED_MESH).and_then(<[u8]>::first);
        Self {
            sculpt: parameter(bytes, SCULPT).and_then(sculpt),
            animated: flags.is_some_and(|flags| flags & ANIMATED != 0),
        }
    }
}

fn sculpt(data: &[u8]) -> Option<Sculpt> {
    let (&texture, rest) = data.split_first_chunk()?;
    Some(Sculpt { texture: Uuid::from_bytes(texture), kind: *rest.first()? })
}

fn parameter(bytes: &[u8], wanted: u16) -> Option<&[u8]> {
    let (&count, mut rest) = bytes.split_first()?;
    for _ in 0..count {
        let (&[t0, t1, l0, l1, l2, l3], after) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok()?;
        let (data, next) = after.split_at_checked(length)?;
        if u16::from_le_bytes([t0, t1]) == wanted {
            return Some(data);
        }
        rest = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;
    use uuid::Uuid;

    use super::{Extra, Sculpt};

    fn read(block: &[u8]) -> Extra {
        Extra::from_base64(&STANDARD.encode(block)).expect("it is base64")
    }

    #[test]
    fn parameters_are_found_in_any_order() {
        let sculpt = [&[0x30, 0, 17, 0, 0, 0][..], &[5; 17]].concat();
        let with = |flag| [&[2], &sculpt[..], &[0x70, 0, 4, 0, 0, 0, flag, 0, 0, 0]].concat();
        assert!(read(&with(1)).animated);
        assert!(!read(&with(2)).animated);
        let swapped = [&[2, 0x70, 0, 4, 0, 0, 0, 1, 0, 0, 0], &sculpt[..]].concat();
        let expected = Some(Sculpt { texture: Uuid::from_bytes([5; 16]), kind: 5 });
        assert_eq!(read(&swapped).sculpt, expected);
        let whole = with(1);
        for end in 0..whole.len() {
            let cut = read(&whole[..end]);
            assert!(!cut.animated);
            assert_eq!(cut.sculpt, expected.filter(|_| end > sculpt.len()));
        }
        assert_eq!(read(&[&[1, 0x30, 0, 16, 0, 0, 0][..], &[5; 16]].concat()).sculpt, None);
        for nothing in ["", " AA==\n"] {
            let extra = Extra::from_base64(nothing).expect("it is base64");
            assert!(!extra.animated && extra.sculpt.is_none());
        }
        assert!(Extra::from_base64("%").is_err());
        assert!(!read(&[1, 0x10, 0, 255, 255, 255, 255]).animated);
    }
}
