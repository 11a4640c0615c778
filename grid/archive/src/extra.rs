//! What an `ExtraParams` block says.
//!
//! Source: `OpenSimulator`, `PrimitiveBaseShape.cs` (`ExtraParamsToBytes`, `ReadSculptData`), and the
//! viewers' `LLExtendedMeshParams`: a count, then for each parameter a type (u16), a length (u32) and
//! its bytes, all little-endian; type 0x30 holds the UUID of a sculpt or mesh and a `SculptType` (u8),
//! type 0x70 flags (u32), of which bit 0 is an animated mesh.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use uuid::Uuid;

use crate::problem::Problem;
use crate::value::wrong;

const SCULPT: u16 = 0x30;
const EXTENDED_MESH: u16 = 0x70;
const ANIMATED: u8 = 1;

/// What counts of the block. One that ends early says what it says until there.
#[derive(Debug, Default)]
pub(crate) struct Extra {
    pub(crate) sculpt: Option<Sculpt>,
    /// Whether animation is switched on.
    pub(crate) animated: bool,
}

/// What elements of their own say, too.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Sculpt {
    /// `SculptTexture`.
    pub(crate) texture: Uuid,
    /// `SculptType`.
    pub(crate) kind: u8,
}

impl Extra {
    /// Reads the block from its base64.
    pub(crate) fn read(block: &str) -> Result<Self, Problem> {
        let text: String = block.split_ascii_whitespace().collect();
        let bytes =
            STANDARD.decode(text).map_err(|_| wrong("ExtraParams", Some(block), "base64"))?;
        Ok(Self::of(&bytes))
    }

    /// Reads the block.
    pub(crate) fn of(bytes: &[u8]) -> Self {
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

/// The bytes of the first parameter of a type.
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
        Extra::read(&STANDARD.encode(block)).expect("it is base64")
    }

    #[test]
    fn finds_what_it_has_in_any_order() {
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
            let extra = Extra::read(nothing).expect("it is base64");
            assert!(!extra.animated && extra.sculpt.is_none());
        }
        assert!(Extra::read("%").is_err());
        assert!(!read(&[1, 0x10, 0, 255, 255, 255, 255]).animated);
    }
}
