//! What an `ExtraParams` block says that has no element of its own.
//!
//! Source: `OpenSimulator`, `PrimitiveBaseShape.cs` (`ExtraParamsToBytes`), and the viewers'
//! `LLExtendedMeshParams`: a count, then for each parameter a type (u16), a length (u32) and its
//! bytes, all little-endian; type 0x70 holds flags (u32), of which bit 0 is an animated mesh.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use crate::problem::Problem;
use crate::value::wrong;

const EXTENDED_MESH: u16 = 0x70;
const ANIMATED: u8 = 1;

/// Whether the block switches on animation. A block that ends early says what it says until there.
pub(crate) fn is_animated(block: &str) -> Result<bool, Problem> {
    let text: String = block.split_ascii_whitespace().collect();
    let bytes = STANDARD.decode(text).map_err(|_| wrong("ExtraParams", Some(block), "base64"))?;
    Ok(flags(&bytes).is_some_and(|flags| flags & ANIMATED != 0))
}

/// The lowest byte of the flags of the extended mesh parameter.
fn flags(bytes: &[u8]) -> Option<u8> {
    let (&count, mut rest) = bytes.split_first()?;
    for _ in 0..count {
        let (&[t0, t1, l0, l1, l2, l3], after) = rest.split_first_chunk()?;
        let length = usize::try_from(u32::from_le_bytes([l0, l1, l2, l3])).ok()?;
        let (data, next) = after.split_at_checked(length)?;
        if u16::from_le_bytes([t0, t1]) == EXTENDED_MESH {
            return data.first().copied();
        }
        rest = next;
    }
    None
}

#[cfg(test)]
mod tests {
    use base64::Engine as _;
    use base64::engine::general_purpose::STANDARD;

    use super::is_animated;

    #[test]
    fn finds_the_flag_behind_other_parameters() {
        let sculpt = [&[0x30, 0, 17, 0, 0, 0][..], &[5; 17]].concat();
        let with = |flag| [&[2], &sculpt[..], &[0x70, 0, 4, 0, 0, 0, flag, 0, 0, 0]].concat();
        let animated = |block: &[u8]| is_animated(&STANDARD.encode(block)).ok();
        assert_eq!(animated(&with(1)), Some(true));
        assert_eq!(animated(&with(2)), Some(false));
        let whole = with(1);
        for end in 0..whole.len() {
            assert!(animated(&whole[..end]).is_some());
        }
        assert!(is_animated("").is_ok_and(|animated| !animated));
        assert!(is_animated(" AA==\n").is_ok_and(|animated| !animated));
        assert!(is_animated("%").is_err());
        assert_eq!(animated(&[1, 0x10, 0, 255, 255, 255, 255]), Some(false));
    }
}
