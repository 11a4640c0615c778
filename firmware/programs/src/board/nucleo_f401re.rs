//! The Nucleo-F401RE: an STM32F401, a Cortex-M4 with a floating-point unit at 84 MHz.

use embedded_hal::digital::StatefulOutputPin;
use stm32f4xx_hal::i2c::I2c;
use stm32f4xx_hal::pac::{CorePeripherals, Peripherals};
use stm32f4xx_hal::prelude::*;
use stm32f4xx_hal::rcc::Config;

pub use cortex_m_rt::entry;

use super::{Board, start_cycle_counter};
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, Panel};

pub type BoardNumber = f32;

/// Takes the hardware; `None` after the first call, or if the clock does not run.
///
/// The processor runs from the internal oscillator of the chip, which is accurate to 1 % and needs no soldering. The
/// clock counts the processor's cycles and wraps after 51 s. The LED is LD2. The
/// display is on PB8 (SCL) and PB9 (SDA), which the Arduino header names so.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    let core = CorePeripherals::take()?;
    let chip = Peripherals::take()?;
    let mut clocks = chip.RCC.freeze(Config::hsi().sysclk(84.MHz()));
    let cycles = start_cycle_counter(core)?;
    let rate = TickRate::from_hz(clocks.clocks.sysclk().raw());

    let led = chip.GPIOA.split(&mut clocks).pa5.into_push_pull_output();
    let pins = chip.GPIOB.split(&mut clocks);
    let scl = pins.pb8.internal_pull_up(true);
    let sda = pins.pb9.internal_pull_up(true);
    let bus = I2c::new(chip.I2C1, (scl, sda), 400.kHz(), &mut clocks);
    Some(Board { clock: Ticks::new(cycles, 32, rate), led, display: Panel::new(bus) })
}
