//! The boards that QEMU emulates: a clock that counts instructions, an LED in memory and a frame buffer.

use core::convert::Infallible;

#[cfg(target_arch = "arm")]
pub use cortex_m_rt::entry;
use embedded_hal::digital::{ErrorType, OutputPin, StatefulOutputPin};
#[cfg(target_arch = "riscv32")]
pub use riscv_rt::entry;

use super::{Board, COUNTS_INSTRUCTIONS};
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, FrameBuffer};

#[cfg(any(feature = "mps2-an386", feature = "mps2-an505", feature = "riscv32imafc"))]
pub type BoardNumber = f32;
#[cfg(not(any(feature = "mps2-an386", feature = "mps2-an505", feature = "riscv32imafc")))]
pub type BoardNumber = lodger_core::Fixed;

/// Ticks of the timer in 1 000 instructions. On a Cortex-M an instruction takes 64 ns (`-icount shift=6`), and `SysTick`
/// runs at 16, 25 or 20 MHz; a RISC-V counts instructions (`-icount shift=0`).
pub const TICKS_PER_1000_INSTRUCTIONS: u32 = if cfg!(feature = "microbit") {
    1_024
} else if cfg!(any(feature = "mps2-an385", feature = "mps2-an386")) {
    1_600
} else if cfg!(feature = "mps2-an505") {
    1_280
} else {
    1_000
};

/// Takes the hardware; `None` after the first call.
///
/// The clock counts instructions. On a Cortex-M that is `SysTick`, exact under `-icount shift=6`; behind a debug probe
/// `-icount` is off, and the clock measures nanoseconds.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    timer::start()?;
    // Ticks in 1 000 instructions are ticks in a microsecond of the clock.
    let counting = TICKS_PER_1000_INSTRUCTIONS * 1_000_000;
    let rate = TickRate::from_hz(if COUNTS_INSTRUCTIONS { counting } else { counting / 64 });
    Some(Board {
        clock: Ticks::new(timer::ticks, timer::BITS, rate),
        led: MemoryLed::default(),
        display: FrameBuffer::<128, 8>::new(),
    })
}

#[derive(Debug, Default)]
struct MemoryLed {
    is_on: bool,
}

impl ErrorType for MemoryLed {
    type Error = Infallible;
}

impl OutputPin for MemoryLed {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.is_on = false;
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.is_on = true;
        Ok(())
    }
}

impl StatefulOutputPin for MemoryLed {
    fn is_set_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.is_on)
    }

    fn is_set_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.is_on)
    }
}

/// Counts instructions with the timer of the clock, rounded to whole instructions.
#[derive(Debug)]
pub struct InstructionCounter {
    overhead: u32,
}

impl InstructionCounter {
    #[must_use]
    pub fn start() -> Option<Self> {
        timer::start()?;
        Some(Self { overhead: Self::ticks(|| ()) })
    }

    /// Counts the instructions of `work`, ± 1, below ten million.
    pub fn count(&self, work: impl FnOnce()) -> u32 {
        let ticks = u64::from(Self::ticks(work).saturating_sub(self.overhead));
        let scale = u64::from(TICKS_PER_1000_INSTRUCTIONS);
        let instructions = (ticks * 1_000 + scale / 2).checked_div(scale).unwrap_or(0);
        u32::try_from(instructions).unwrap_or(u32::MAX)
    }

    #[inline(never)]
    fn ticks(work: impl FnOnce()) -> u32 {
        let before = timer::ticks();
        work();
        timer::ticks().wrapping_sub(before) & (u32::MAX >> (u32::BITS - timer::BITS))
    }
}

/// The timer of a Cortex-M, which counts down with the processor's clock.
#[cfg(target_arch = "arm")]
mod timer {
    use cortex_m::peripheral::SYST;
    use cortex_m::peripheral::syst::SystClkSource;

    pub(super) const BITS: u32 = 24;
    const TOP: u32 = (1 << BITS) - 1;

    pub(super) fn start() -> Option<()> {
        let mut timer = cortex_m::Peripherals::take()?.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(TOP);
        timer.clear_current();
        timer.enable_counter();
        Some(())
    }

    /// Returns the ticks modulo 2^[`BITS`]; higher bits are undefined.
    pub(super) fn ticks() -> u32 {
        !SYST::get_current()
    }
}

/// The counter of retired instructions of a RISC-V, `minstret`.
#[cfg(target_arch = "riscv32")]
mod timer {
    use riscv::register::minstret;

    pub(super) const BITS: u32 = 32;

    /// Claims the counter, which always runs; `None` if it is already in use.
    pub(super) fn start() -> Option<()> {
        riscv::singleton!(: () = ()).map(|()| ())
    }

    /// Returns the instructions modulo 2^[`BITS`].
    #[allow(clippy::cast_possible_truncation)] // a register has 32 bits
    pub(super) fn ticks() -> u32 {
        minstret::read() as u32
    }
}

/// Prints a panic and ends the program. With a debug probe, panic-probe does this.
#[cfg(not(feature = "rtt"))]
#[panic_handler]
fn panic(info: &core::panic::PanicInfo<'_>) -> ! {
    use defmt_semihosting as _;

    semihosting::eprintln!("{info}");
    super::exit(1)
}
