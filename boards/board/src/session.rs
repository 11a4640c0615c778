//! Sessions with a chip through a probe. All functions block.

mod conform;
mod flash;
mod link;
mod run;
mod session_end;

use std::sync::Arc;
use std::time::Duration;

use probe_rs::probe::{DebugProbeError, WireProtocol};
use probe_rs::{Core, CoreType, MemoryInterface as _, Permissions, VectorCatchCondition};

use crate::error::BoardError;
use crate::probe::{self, Selector};
use crate::program::Program;
use crate::selection::{Attaching, ResolvedBoard, target};
use crate::task::BoardTask;

pub use run::RunOptions;

const HALT: Duration = Duration::from_secs(2);
/// The register with the part number of a Cortex-M.
const CPUID: u64 = 0xe000_ed00;

const HELP_WRONG_BOARD: &str =
    "choose the board that is connected, and a program that was built for it";

/// An attached board. Dropping it removes all breakpoints, lets the core run without a debugger, and frees the probe.
#[derive(Debug)]
struct Session {
    attached: probe_rs::Session,
    probe: Selector,
    chip: String,
    /// Whether the chip was attached under reset, and so is before its first instruction.
    is_restarted: bool,
}

impl Session {
    /// Opens the probe and attaches to the chip, which continues to run unless it is held in reset.
    fn open(board: &ResolvedBoard) -> Result<Self, BoardError> {
        let target = target(&board.chip, board.chip_description.as_deref())?;
        let selector = board.probe.clone().map_or_else(probe::only_probe, Ok)?;
        let mut probe = probe::open(&selector)?;
        let chip = target.name.clone();
        let not_opened = |error: DebugProbeError| probe::not_opened(&selector, error);
        probe.select_protocol(WireProtocol::Swd).map_err(not_opened)?;
        let Attaching { speed_khz, under_reset, allow_erase_all } = board.attaching;
        if let Some(speed) = speed_khz {
            probe.set_speed(speed).map_err(not_opened)?;
        }
        let mut permissions = Permissions::default();
        if allow_erase_all {
            permissions = permissions.allow_erase_all();
        }
        let attached = if under_reset {
            probe.attach_under_reset(target, permissions)
        } else {
            probe.attach(target, permissions)
        };
        let attached = attached.map_err(|error| BoardError::attaching(&selector, &chip, error))?;
        let mut session = Self { attached, probe: selector, chip, is_restarted: under_reset };
        session.check_core()?;
        Ok(session)
    }

    fn core(&mut self) -> Result<Core<'_>, BoardError> {
        let Self { attached, probe, .. } = self;
        attached.core(0).map_err(|error| BoardError::during("attach to the core", probe, error))
    }

    fn check_core(&mut self) -> Result<(), BoardError> {
        let probe = self.probe.clone();
        let chip = self.chip.clone();
        let mut core = self.core()?;
        let part = core
            .read_word_32(CPUID)
            .map_err(|error| BoardError::during("identify the processor", &probe, error))?;
        // Descriptions of chips do not always distinguish an M4 from an M3.
        let chosen = match core.core_type() {
            CoreType::Armv7em => CoreType::Armv7m,
            other => other,
        };
        match processor(part) {
            Some((found, kind)) if kind != chosen => {
                let message = format!(
                    "the chip at the probe {probe} is no {chip}: its processor is a {found}"
                );
                Err(BoardError::new(message, HELP_WRONG_BOARD))
            }
            _ => Ok(()),
        }
    }

    /// Resets the chip and starts the program with crashes caught. Clears RTT buffers of an earlier program.
    fn restart(&mut self, program: Option<&Program>) -> Result<(), BoardError> {
        use probe_rs::rtt::{Rtt, ScanRegion};

        let probe = self.probe.clone();
        let failed = |error| BoardError::during("reset the chip", &probe, error);
        let mut core = self.core()?;
        core.reset_and_halt(HALT).map_err(failed)?;
        if let Some(address) = program.and_then(Program::control_block) {
            Rtt::clear_control_block(&mut core, &ScanRegion::Exact(address))
                .map_err(|error| BoardError::during("clear the old log", &probe, error))?;
        }
        catch_crashes(&mut core).map_err(failed)?;
        core.run().map_err(failed)
    }
}

/// Halts the core at a hard fault, which otherwise ends in an endless loop.
fn catch_crashes(core: &mut Core<'_>) -> Result<(), probe_rs::Error> {
    core.enable_vector_catch(VectorCatchCondition::HardFault)
}

const fn processor(cpuid: u32) -> Option<(&'static str, CoreType)> {
    Some(match cpuid >> 4 & 0xfff {
        0xc20 => ("Cortex-M0", CoreType::Armv6m),
        0xc21 => ("Cortex-M1", CoreType::Armv6m),
        0xc60 => ("Cortex-M0+", CoreType::Armv6m),
        0xc23 => ("Cortex-M3", CoreType::Armv7m),
        0xc24 => ("Cortex-M4", CoreType::Armv7m),
        0xc27 => ("Cortex-M7", CoreType::Armv7m),
        0xd20 => ("Cortex-M23", CoreType::Armv8m),
        0xd21 => ("Cortex-M33", CoreType::Armv8m),
        _ => return None,
    })
}

/// Writes a program to a board, verifies it, and starts it. The task can be stopped only before it writes.
#[must_use]
pub fn flash(board: ResolvedBoard, program: Arc<Program>) -> BoardTask {
    BoardTask::start(move |reporter| Session::open(&board)?.flash(&program, reporter))
}

/// Runs a program, or listens to a running one. Without a program there is telemetry, but no log.
///
/// # Errors
/// If the program has no RTT; the board is not accessed then.
pub fn run(
    board: ResolvedBoard,
    program: Option<Arc<Program>>,
    options: RunOptions,
) -> Result<BoardTask, BoardError> {
    if let Some(program) = &program {
        program.rtt()?;
    }
    Ok(BoardTask::start(move |reporter| {
        Session::open(&board)?.run(program.as_deref(), options, reporter)
    }))
}

/// Sends a program test vectors in each number type, and compares the results with this computer's.
///
/// # Errors
/// If the program has no RTT.
pub fn conform(
    board: ResolvedBoard,
    program: Arc<Program>,
    vectors: u32,
    flash: bool,
) -> Result<BoardTask, BoardError> {
    program.rtt()?;
    Ok(BoardTask::start(move |reporter| {
        Session::open(&board)?.conform(&program, vectors, flash, reporter)
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn processors_are_distinguished() {
        assert_eq!(processor(0x410c_c200), Some(("Cortex-M0", CoreType::Armv6m)));
        assert_eq!(processor(0x410f_c241), Some(("Cortex-M4", CoreType::Armv7m)));
        assert_eq!(processor(0), None);
    }
}
