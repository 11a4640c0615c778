//! The end of a program: the reason of a halted core, and the backtrace of a crash.

use std::path::PathBuf;

use probe_rs::semihosting::{ExitErrorDetails, SemihostingCommand};
use probe_rs::{BreakpointCause, Core, CoreStatus, HaltReason};
use probe_rs_debug::{DebugInfo, DebugRegisters, exception_handler_for_core};

use crate::event::{Crash, StackFrame};
use crate::program::Program;

#[derive(Debug, PartialEq, Eq)]
pub(super) enum ProgramState {
    Runs,
    /// The program made an unsupported semihosting call, and can be resumed.
    Resumable,
    Exit(u32),
    Crash(&'static str),
}

pub(super) fn program_state(status: CoreStatus) -> ProgramState {
    use SemihostingCommand::{ExitError, ExitSuccess};
    match status {
        CoreStatus::Running | CoreStatus::Sleeping | CoreStatus::Unknown => ProgramState::Runs,
        CoreStatus::LockedUp => {
            ProgramState::Crash("the core locked up: a fault in a fault handler")
        }
        CoreStatus::Halted(HaltReason::Breakpoint(BreakpointCause::Semihosting(command))) => {
            match command {
                ExitSuccess => ProgramState::Exit(0),
                ExitError(details) => ProgramState::Exit(exit_code(&details)),
                _ => ProgramState::Resumable,
            }
        }
        CoreStatus::Halted(HaltReason::Exception) => ProgramState::Crash("a hard fault"),
        CoreStatus::Halted(HaltReason::Breakpoint(_) | HaltReason::Multiple) => {
            ProgramState::Crash("it ran into a breakpoint")
        }
        CoreStatus::Halted(_) => ProgramState::Crash("another debugger halted it"),
    }
}

/// The code of a failed exit, never 0.
fn exit_code(details: &ExitErrorDetails) -> u32 {
    details.exit_status.or(details.subcode).filter(|&code| code != 0).unwrap_or(1)
}

/// A crash and its backtrace, which tells a panic from a fault.
pub(super) fn crash(core: &mut Core<'_>, what: &'static str, program: Option<&Program>) -> Crash {
    let backtrace = program.map_or_else(Vec::new, |program| backtrace(core, program));
    let panicked = backtrace.iter().any(|frame| frame.function.contains("panic"));
    Crash { what: if panicked { "it panicked" } else { what }, backtrace }
}

const MAX_FRAMES: usize = 64;

/// The calls of a halted core, innermost first. Symbols name functions without debug information.
fn backtrace(core: &mut Core<'_>, program: &Program) -> Vec<StackFrame> {
    let Ok(debug) = DebugInfo::from_raw(program.elf()) else { return Vec::new() };
    let registers = DebugRegisters::from_core(core);
    let handler = exception_handler_for_core(core.core_type());
    let instructions = core.instruction_set().ok();
    let frames =
        debug.unwind(core, registers, &*handler, instructions, MAX_FRAMES).unwrap_or_default();
    let call = |frame: probe_rs_debug::StackFrame| StackFrame {
        function: named(&frame, program).unwrap_or(frame.function_name),
        place: frame.source_location.and_then(|location| {
            let path = location.path.to_string_lossy().into_owned();
            Some((PathBuf::from(path), location.line?))
        }),
        inlined: frame.is_inlined,
    };
    frames.into_iter().map(call).collect()
}

/// A function's full path; an inlined function has none.
fn named(frame: &probe_rs_debug::StackFrame, program: &Program) -> Option<String> {
    if frame.is_inlined {
        return None;
    }
    program.function_at(frame.pc.try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(exit_status: Option<u32>, subcode: Option<u32>) -> ProgramState {
        let details = ExitErrorDetails { reason: 0x20023, exit_status, subcode };
        let cause = BreakpointCause::Semihosting(SemihostingCommand::ExitError(details));
        program_state(CoreStatus::Halted(HaltReason::Breakpoint(cause)))
    }

    #[test]
    fn an_exit_has_a_code_and_a_failure_is_never_0() {
        let cause = BreakpointCause::Semihosting(SemihostingCommand::ExitSuccess);
        let success = CoreStatus::Halted(HaltReason::Breakpoint(cause));
        assert_eq!(program_state(success), ProgramState::Exit(0));
        assert_eq!(exit(Some(42), None), ProgramState::Exit(42));
        assert_eq!(exit(None, Some(7)), ProgramState::Exit(7));
        assert_eq!(exit(None, None), ProgramState::Exit(1));
        assert_eq!(exit(Some(0), None), ProgramState::Exit(1));
    }

    #[test]
    fn faults_and_lock_ups_are_crashes() {
        assert_eq!(program_state(CoreStatus::Running), ProgramState::Runs);
        assert_eq!(program_state(CoreStatus::Sleeping), ProgramState::Runs);
        for status in [
            CoreStatus::LockedUp,
            CoreStatus::Halted(HaltReason::Exception),
            CoreStatus::Halted(HaltReason::Breakpoint(BreakpointCause::Software)),
        ] {
            assert!(matches!(program_state(status), ProgramState::Crash(_)), "{status:?}");
        }
    }
}
