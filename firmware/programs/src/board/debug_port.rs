//! The debug port of an nRF52833 or nRF52840.

use cortex_m::peripheral::SCB;

use super::register::Register;
use crate::access_port::{Action, CHIP, SW_DISABLE, UICR_OPEN, action};

const PART: Register = Register::at(CHIP);
const REVISION: Register = Register::at(CHIP + 4);
const UICR_APPROTECT: Register = Register::at(0x1000_1208);
/// The register crates of the chips do not have this one.
const APPROTECT_DISABLE: Register = Register::at(0x4000_0558);
const NVMC_READY: Register = Register::at(0x4001_e400);
const NVMC_CONFIG: Register = Register::at(0x4001_e504);
const READ_ONLY: u32 = 0;
const WRITE: u32 = 1;

/// Keeps the debug port open, if the chip would close it.
pub(super) fn open() {
    match action(PART.read(), REVISION.read(), UICR_APPROTECT.read()) {
        Action::Nothing => {}
        Action::Open => APPROTECT_DISABLE.write(SW_DISABLE),
        Action::AllowToOpen => {
            let wait = || while NVMC_READY.read() & 1 == 0 {};
            NVMC_CONFIG.write(WRITE);
            wait();
            UICR_APPROTECT.write(UICR_OPEN);
            wait();
            NVMC_CONFIG.write(READ_ONLY);
            wait();
            // The chip reads it at reset. If the write failed, the reset would repeat endlessly.
            if UICR_APPROTECT.read() == UICR_OPEN {
                SCB::sys_reset();
            }
        }
    }
}
