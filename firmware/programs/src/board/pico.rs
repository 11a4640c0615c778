//! The Raspberry Pi Pico, an RP2040 with two Cortex-M0+ at 125 MHz, and the Pico 2, an RP2350 with two Cortex-M33 with
//! floating-point units at 150 MHz. One of the two processors is used.

use embedded_hal::digital::StatefulOutputPin;
#[cfg(feature = "pico-2")]
use rp235x_hal as hal;
#[cfg(feature = "pico")]
use rp2040_hal as hal;

use hal::clocks::init_clocks_and_plls;
use hal::fugit::RateExtU32;
use hal::gpio::{FunctionI2C, Pin, Pins, PullUp};
use hal::pac::Peripherals;
use hal::sio::Sio;
use hal::{Clock as _, I2C, Timer, Watchdog};

/// Starts a program with all spinlocks free; the reset of a debugger does not free them.
pub use hal::entry;

use super::Board;
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};

#[cfg(feature = "pico")]
pub type BoardNumber = lodger_core::Fixed;
#[cfg(feature = "pico-2")]
pub type BoardNumber = f32;

/// Sets up the flash before code runs from it.
#[cfg(feature = "pico")]
// The linker places it at the address that the chip expects, and checks its length.
#[allow(unsafe_code)]
#[unsafe(link_section = ".boot2")]
#[used]
static BOOT2: [u8; 256] = rp2040_boot2::BOOT_LOADER_W25Q080;

/// Tells the boot loader of the chip that this is a program, and for which processor.
#[cfg(feature = "pico-2")]
// The linker places it where the boot loader looks for it.
#[allow(unsafe_code)]
#[unsafe(link_section = ".start_block")]
#[used]
static IMAGE: hal::block::ImageDef = hal::block::ImageDef::secure_exe();

/// The frequency of the crystal on the board, in Hz.
const CRYSTAL: u32 = 12_000_000;

/// Takes the hardware; `None` after the first call, or if the clocks do not start.
///
/// The clock is the chip's timer, of microseconds. The LED is the LED on GPIO25. The display is on
/// GPIO5 (SCL) and GPIO4 (SDA).
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let chip = Peripherals::take()?;
    let mut resets = chip.RESETS;
    let mut watchdog = Watchdog::new(chip.WATCHDOG);
    let clocks = init_clocks_and_plls(
        CRYSTAL,
        chip.XOSC,
        chip.CLOCKS,
        chip.PLL_SYS,
        chip.PLL_USB,
        &mut resets,
        &mut watchdog,
    )
    .ok()?;
    #[cfg(feature = "pico")]
    let timer = Timer::new(chip.TIMER, &mut resets, &clocks);
    #[cfg(feature = "pico-2")]
    let timer = Timer::new_timer0(chip.TIMER0, &mut resets, &clocks);

    let bank = Sio::new(chip.SIO).gpio_bank0;
    let pins = Pins::new(chip.IO_BANK0, chip.PADS_BANK0, bank, &mut resets);
    let sda: Pin<_, FunctionI2C, PullUp> = pins.gpio4.reconfigure();
    let scl: Pin<_, FunctionI2C, PullUp> = pins.gpio5.reconfigure();
    let rate = clocks.system_clock.freq();
    let bus = I2C::i2c0(chip.I2C0, sda, scl, 400.kHz(), &mut resets, rate);
    Some(Board {
        clock: Ticks::new(move || timer.get_counter_low(), 32, TickRate::from_hz(1_000_000)),
        led: pins.gpio25.into_push_pull_output(),
        display: Panel::new(bus),
    })
}
