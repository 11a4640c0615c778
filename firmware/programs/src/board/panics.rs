//! What an emulated board does in a panic: it says why, and ends.

use core::panic::PanicInfo;

use defmt_semihosting as _;

use super::exit;

#[panic_handler]
fn panic(info: &PanicInfo<'_>) -> ! {
    semihosting::eprintln!("{info}");
    exit(1)
}
