//! Keeps the debug port of an nRF52840 open.
//!
//! From build code F on (revision 3) the chip closes its access port at every reset, unless both UICR, which is flash, and a
//! register, which firmware writes, open it. A closed chip only accepts an erase of all flash. On older chips UICR alone
//! decides, by other values, and nothing is done.
//!
//! Source: nRF52840 Product Specification 1.7, "Access port protection"; configuration 249 of Nordic's list of errata;
//! `nrf52_handle_approtect` in `system_nrf52_approtect.h` of Nordic's MDK, which copies UICR to the register. Only Nordic's
//! tools write UICR, so it is written here.

/// The value of APPROTECT.DISABLE that opens the port (`SwDisable`).
pub const SW_DISABLE: u32 = 0x5a;
/// The value of UICR.APPROTECT that opens the port (`HwDisabled`); the other bits stay erased.
pub const UICR_OPEN: u32 = 0xffff_ff5a;

const ERASED: u32 = u32::MAX;

/// The action that keeps the port open.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Action {
    /// The chip does not close the port, or it is closed on purpose.
    Nothing,
    /// Write [`SW_DISABLE`] to the register.
    Open,
    /// Write [`UICR_OPEN`] to UICR, and reset.
    AllowToOpen,
}

/// Returns the action for the values of FICR.INFO.VARIANT and UICR.APPROTECT.
///
/// A variant is four letters, for example AAF0; the third is the build code.
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
    fn only_new_chips_close_the_port() {
        for letters in [*b"AAF0", *b"BAF0", *b"AAH0"] {
            assert_eq!(action(variant(letters), UICR_OPEN), Action::Open, "{letters:?}");
        }
        // On these chips the value that opens others closes the port.
        for letters in [*b"AAC0", *b"AAD1", *b"AAE0", [0xff; 4], [0; 4]] {
            assert_eq!(action(variant(letters), ERASED), Action::Nothing, "{letters:?}");
            assert_eq!(action(variant(letters), UICR_OPEN), Action::Nothing, "{letters:?}");
        }
    }

    #[test]
    fn uicr_is_written_only_if_it_is_erased() {
        let new = variant(*b"AAF0");
        assert_eq!(action(new, ERASED), Action::AllowToOpen);
        // Some tools write it so.
        assert_eq!(action(new, 0x5a), Action::Open);
        for closed in [0xffff_ff00, 0, 0xffff_ff5b] {
            assert_eq!(action(new, closed), Action::Nothing, "{closed:#x}");
        }
    }
}
