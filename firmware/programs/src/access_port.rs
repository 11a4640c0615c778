//! How the debug port of an nRF52840 stays open.
//!
//! From build code F on (revision 3) the chip closes its access port at every reset, unless two agree: UICR,
//! which is flash, and a register that the firmware writes after each reset. Closed, it can only be
//! erased as a whole from outside. On older chips UICR alone decides, by other values, and nothing is
//! done.
//!
//! Source: nRF52840 Product Specification 1.7, "Access port protection"; configuration 249 of Nordic's
//! list of errata; and what the start-up code of Nordic's MDK does about it (`nrf52_handle_approtect` in
//! `system_nrf52_approtect.h`): it copies UICR's value to the register. That code leaves UICR to the tool
//! that erased it; others than Nordic's do not write it, so it is done here.

/// What APPROTECT.DISABLE takes to open its half (`SwDisable`).
pub const SW_DISABLE: u32 = 0x5a;
/// UICR.APPROTECT where its half is open (`HwDisabled`); the rest stays as it is erased.
pub const UICR_OPEN: u32 = 0xffff_ff5a;

const ERASED: u32 = u32::MAX;

/// What keeps the port open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// Nothing: the chip does not close it, or somebody meant to.
    Nothing,
    /// Write [`SW_DISABLE`] to the register.
    Open,
    /// Write [`UICR_OPEN`] to UICR, and reset.
    AllowToOpen,
}

/// What to do on a chip whose FICR.INFO.VARIANT and UICR.APPROTECT are these.
///
/// A variant is four letters, as AAF0, of which the third is the build code.
#[must_use]
pub const fn action(variant: u32, approtect: u32) -> Action {
    let [_, _, build_code, _] = variant.to_be_bytes();
    if !matches!(build_code, b'F'..=b'Z') {
        return Action::Nothing;
    }
    match approtect {
        ERASED => Action::AllowToOpen,
        _ if approtect & 0xff == UICR_OPEN & 0xff => Action::Open,
        _ => Action::Nothing,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn variant(letters: [u8; 4]) -> u32 {
        u32::from_be_bytes(letters)
    }

    #[test]
    fn chips_that_close_the_port_are_told_from_those_before() {
        for letters in [*b"AAF0", *b"BAF0", *b"AAH0"] {
            assert_eq!(action(variant(letters), UICR_OPEN), Action::Open, "{letters:?}");
        }
        // For these, what opens the others closes the port.
        for letters in [*b"AAC0", *b"AAD1", *b"AAE0", [0xff; 4], [0; 4]] {
            assert_eq!(action(variant(letters), ERASED), Action::Nothing, "{letters:?}");
            assert_eq!(action(variant(letters), UICR_OPEN), Action::Nothing, "{letters:?}");
        }
    }

    #[test]
    fn uicr_is_written_once_and_never_over_what_somebody_wrote() {
        let new = variant(*b"AAF0");
        assert_eq!(action(new, ERASED), Action::AllowToOpen);
        // As some tools write it.
        assert_eq!(action(new, 0x5a), Action::Open);
        for closed in [0xffff_ff00, 0, 0xffff_ff5b] {
            assert_eq!(action(new, closed), Action::Nothing, "{closed:#x}");
        }
    }
}
