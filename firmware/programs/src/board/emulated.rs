//! What QEMU's machines have in common: time that is counted in instructions, and nothing to see.

use core::convert::Infallible;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
pub use cortex_m_rt::entry;
use embedded_hal::digital::{ErrorType, OutputPin, StatefulOutputPin};

use super::{Board, COUNTS_INSTRUCTIONS, TICKS_PER_1000_INSTRUCTIONS};
use lodger_firmware::clock::{Clock, TickRate, Ticks};
use lodger_firmware::display::{Display, FrameBuffer};

/// The greatest count of the 24-bit timer.
const TOP: u32 = 0xff_ffff;

/// The parts; `None` if they were taken before.
///
/// The clock is `SysTick`. Its nanoseconds are instructions: under `-icount shift=6` an instruction
/// takes 64 ns of the machine's time, so the count is exact and repeats. Behind a debug probe that
/// way of counting is off, and they are nanoseconds.
pub(super) fn take() -> Option<Board<impl Clock, impl StatefulOutputPin, impl Display>> {
    start_timer()?;
    // So many ticks in a thousand instructions are so many in a microsecond.
    let counting = TICKS_PER_1000_INSTRUCTIONS * 1_000_000;
    let rate = TickRate::from_hz(if COUNTS_INSTRUCTIONS { counting } else { counting / 64 });
    Some(Board {
        clock: Ticks::new(|| !SYST::get_current(), 24, rate),
        lamp: Lamp::default(),
        display: FrameBuffer::<128, 8>::new(),
    })
}

fn start_timer() -> Option<()> {
    let mut timer = cortex_m::Peripherals::take()?.SYST;
    timer.set_clock_source(SystClkSource::Core);
    timer.set_reload(TOP);
    timer.clear_current();
    timer.enable_counter();
    Some(())
}

/// The lamp that an emulated board does not have.
#[derive(Debug, Default)]
struct Lamp {
    is_on: bool,
}

impl ErrorType for Lamp {
    type Error = Infallible;
}

impl OutputPin for Lamp {
    fn set_low(&mut self) -> Result<(), Infallible> {
        self.is_on = false;
        Ok(())
    }

    fn set_high(&mut self) -> Result<(), Infallible> {
        self.is_on = true;
        Ok(())
    }
}

impl StatefulOutputPin for Lamp {
    fn is_set_high(&mut self) -> Result<bool, Infallible> {
        Ok(self.is_on)
    }

    fn is_set_low(&mut self) -> Result<bool, Infallible> {
        Ok(!self.is_on)
    }
}

/// Counts instructions by `SysTick`, more finely than the clock: without the fractions.
#[derive(Debug)]
pub struct InstructionCounter {
    overhead: u32,
}

impl InstructionCounter {
    /// Starts the timer; `None` if it belongs to somebody already.
    #[must_use]
    pub fn start() -> Option<Self> {
        start_timer()?;
        Some(Self { overhead: Self::ticks(|| ()) })
    }

    /// How many instructions `work` takes, within one; less than ten million of them.
    pub fn count(&self, work: impl FnOnce()) -> u32 {
        let ticks = u64::from(Self::ticks(work).saturating_sub(self.overhead));
        let scale = u64::from(TICKS_PER_1000_INSTRUCTIONS);
        let instructions = (ticks * 1_000 + scale / 2).checked_div(scale).unwrap_or(0);
        u32::try_from(instructions).unwrap_or(u32::MAX)
    }

    #[inline(never)]
    fn ticks(work: impl FnOnce()) -> u32 {
        let before = SYST::get_current();
        work();
        before.wrapping_sub(SYST::get_current()) & TOP
    }
}
