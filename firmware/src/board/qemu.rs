//! What QEMU's machines have in common: semihosting, and time that is counted in instructions.

use core::panic::PanicInfo;

use cortex_m::peripheral::SYST;
use cortex_m::peripheral::syst::SystClkSource;
use cortex_m_rt::{ExceptionFrame, exception};
use semihosting::io::{self, Read, Stdin, Stdout, Write};
use semihosting::process;

use lodger_wire::Transport;

/// Ends the program and QEMU with it; the code is that of QEMU.
pub fn exit(code: u8) -> ! {
    process::exit(code.into())
}

/// Ends the program: code 0 for success, 1 for failure.
pub fn finish<T, E>(outcome: &Result<T, E>) -> ! {
    exit(outcome.is_err().into())
}

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

/// The host, over semihosting's console: QEMU's standard input and output.
#[derive(Debug)]
pub struct Host {
    input: Stdin,
    output: Stdout,
}

impl Host {
    /// Opens both directions.
    ///
    /// # Errors
    /// That of semihosting, if the console cannot be opened.
    pub fn open() -> io::Result<Self> {
        Ok(Self { input: io::stdin()?, output: io::stdout()? })
    }
}

impl Transport for Host {
    type Error = io::Error;

    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.input.read(buffer)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.output.write_all(bytes)
    }
}

/// Counts instructions by `SysTick`. Under `-icount shift=6` an instruction takes 64 ns of the
/// machine's time, so the count is exact and repeats; without it, it is noise.
#[derive(Debug)]
pub struct InstructionCounter {
    overhead: u32,
}

impl InstructionCounter {
    /// The greatest count of the 24-bit timer.
    const TOP: u32 = 0xff_ffff;

    /// Starts the timer; `None` if it belongs to somebody already.
    #[must_use]
    pub fn start() -> Option<Self> {
        let mut timer = cortex_m::Peripherals::take()?.SYST;
        timer.set_clock_source(SystClkSource::Core);
        timer.set_reload(Self::TOP);
        timer.clear_current();
        timer.enable_counter();
        Some(Self { overhead: Self::ticks(|| ()) })
    }

    /// How many instructions `work` takes, within one; less than ten million of them.
    pub fn count(&self, work: impl FnOnce()) -> u32 {
        let ticks = u64::from(Self::ticks(work).saturating_sub(self.overhead));
        let scale = u64::from(super::TICKS_PER_1000_INSTRUCTIONS);
        let instructions = (ticks * 1_000 + scale / 2).checked_div(scale).unwrap_or(0);
        u32::try_from(instructions).unwrap_or(u32::MAX)
    }

    #[inline(never)]
    fn ticks(work: impl FnOnce()) -> u32 {
        let before = SYST::get_current();
        work();
        before.wrapping_sub(SYST::get_current()) & Self::TOP
    }
}
