//! Keeps the debug port of an nRF52833 or nRF52840 open.
//!
//! From revision 2 of an nRF52833 and 3 of an nRF52840 on, the chip closes its access port at every reset, unless both UICR,
//! which is flash, and a register, which firmware writes, open it. A closed chip only accepts an erase of all flash. On older
//! chips UICR alone decides, by other values, and nothing is done.
//!
//! Source: nRF52840 Product Specification 1.7, "Access port protection"; configuration 249 of Nordic's lists of errata;
//! `nrf52_configuration_249` in `nrf52_erratas.h` and `nrf52_handle_approtect` in `system_nrf52_approtect.h` of Nordic's MDK,
//! which copies UICR to the register. Only Nordic's tools write UICR, so it is written here.

/// The value of APPROTECT.DISABLE that opens the port (`SwDisable`).
pub const SW_DISABLE: u32 = 0x5a;
/// The value of UICR.APPROTECT that opens the port (`HwDisabled`); the other bits stay erased.
pub const UICR_OPEN: u32 = 0xffff_ff5a;

/// The address of the number of the part, before the number of its revision. Nordic's MDK reads them.
pub const CHIP: usize = 0x1000_0130;
const NRF52833: u32 = 0x0d;
const NRF52840: u32 = 0x08;

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

/// Returns the action for the two words from [`CHIP`] on, and the value of UICR.APPROTECT.
#[must_use]
pub const fn action(part: u32, revision: u32, approtect: u32) -> Action {
    if !matches!((part, revision), (NRF52833, 2..) | (NRF52840, 5..)) {
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

    #[test]
    fn only_new_chips_close_the_port() {
        for (part, revision) in [(NRF52833, 2), (NRF52833, 3), (NRF52840, 5), (NRF52840, 6)] {
            assert_eq!(action(part, revision, UICR_OPEN), Action::Open, "{part:#x} {revision}");
        }
        // On these chips the value that opens others closes the port.
        let old = [(NRF52833, 0), (NRF52833, 1), (NRF52840, 2), (NRF52840, 4)];
        for (part, revision) in old.into_iter().chain([(u32::MAX, u32::MAX), (0, 9)]) {
            assert_eq!(action(part, revision, ERASED), Action::Nothing, "{part:#x} {revision}");
            assert_eq!(action(part, revision, UICR_OPEN), Action::Nothing, "{part:#x} {revision}");
        }
    }

    #[test]
    fn uicr_is_written_only_if_it_is_erased() {
        assert_eq!(action(NRF52840, 5, ERASED), Action::AllowToOpen);
        // Some tools write it so.
        assert_eq!(action(NRF52840, 5, 0x5a), Action::Open);
        for closed in [0xffff_ff00, 0, 0xffff_ff5b] {
            assert_eq!(action(NRF52840, 5, closed), Action::Nothing, "{closed:#x}");
        }
    }
}
