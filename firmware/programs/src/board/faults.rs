//! What an emulated board does when it cannot go on: it says why, and ends.

use core::panic::PanicInfo;

use cortex_m_rt::{ExceptionFrame, exception};
use defmt_semihosting as _;

use super::exit;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    semihosting::eprintln!("{info}");
    exit(1)
}

// The signature is cortex-m-rt's: returning from this handler would not be sound. It never returns.
#[allow(unsafe_code)]
#[exception]
unsafe fn HardFault(_frame: &ExceptionFrame) -> ! {
    exit(1)
}
