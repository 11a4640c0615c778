//! The nRF52840-DK: a Cortex-M4 with a floating-point unit at 64 MHz.

use cortex_m::peripheral::DWT;
use embedded_hal::digital::StatefulOutputPin;
use nrf52840_hal::clocks::{Clocks, HFCLK_FREQ};
use nrf52840_hal::gpio::{Level, p0};
use nrf52840_hal::pac::{CorePeripherals, Peripherals};
use nrf52840_hal::twim::{Frequency, Pins, Twim};

pub use cortex_m_rt::entry;

use super::Board;
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};
use lodger_firmware::lamp::ActiveLow;

/// The board's name in boards.toml.
pub const NAME: &str = "nrf52840-dk";

/// The number type of the app: the floating-point unit computes with it.
pub type Number = f32;

/// The parts; `None` if they were taken before, or the clock does not run.
///
/// The clock counts the processor's cycles and wraps after 67 s. The lamp is LED1. The display is on
/// P0.27 (SCL) and P0.26 (SDA), which the Arduino header names so.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let mut core = CorePeripherals::take()?;
    let chip = Peripherals::take()?;
    let _crystal = Clocks::new(chip.CLOCK).enable_ext_hfosc();
    core.DCB.enable_trace();
    core.DWT.enable_cycle_counter();
    // Some processors say that they have the counter, and it stands still.
    let first = DWT::cycle_count();
    cortex_m::asm::delay(16);
    if DWT::cycle_count() == first {
        return None;
    }

    let pins = p0::Parts::new(chip.P0);
    let lamp = ActiveLow::new(pins.p0_13.into_push_pull_output(Level::High));
    let scl = pins.p0_27.into_floating_input().degrade();
    let sda = pins.p0_26.into_floating_input().degrade();
    let bus = Twim::new(chip.TWIM0, Pins { scl, sda }, Frequency::K400);
    Some(Board {
        clock: Ticks::new(DWT::cycle_count, 32, TickRate::from_hz(HFCLK_FREQ)),
        lamp,
        display: Panel::new(bus),
    })
}
