//! How a program ends: the meaning of a halted core, and the calls that led to a crash.

use std::fmt;
use std::path::PathBuf;

use probe_rs::semihosting::{ExitErrorDetails, SemihostingCommand};
use probe_rs::{BreakpointCause, Core, CoreStatus, HaltReason};
use probe_rs_debug::{DebugInfo, DebugRegisters, exception_handler_for_core};

use crate::program::Program;

/// How a session with a program ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SessionEnd {
    /// The program left with this code; 0 is success.
    Exit(u32),
    /// The program crashed.
    Crash(Crash),
    /// It was left alone, as asked, and runs on.
    Stopped,
}

/// A crash.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Crash {
    /// What happened, in a few words.
    pub what: &'static str,
    /// The calls that led there, the innermost first; empty without debug information.
    pub backtrace: Vec<StackFrame>,
}

impl fmt::Display for SessionEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Exit(code) => write!(f, "it exited with {code}"),
            Self::Crash(crash) => write!(f, "it crashed: {}", crash.what),
            Self::Stopped => write!(f, "it runs on"),
        }
    }
}

/// What is to be done about a core.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Judged {
    /// It runs, or sleeps until an interrupt.
    Runs,
    /// It asks for something that nobody here does: it may go on.
    GoOn,
    /// The program exited.
    Exit(u32),
    /// The program crashed.
    Crash(&'static str),
}

/// What a core's status means.
pub(super) fn judge(status: CoreStatus) -> Judged {
    use SemihostingCommand::{ExitError, ExitSuccess};
    match status {
        CoreStatus::Running | CoreStatus::Sleeping | CoreStatus::Unknown => Judged::Runs,
        CoreStatus::LockedUp => Judged::Crash("the core locked up: a fault in a fault handler"),
        CoreStatus::Halted(HaltReason::Breakpoint(BreakpointCause::Semihosting(command))) => {
            match command {
                ExitSuccess => Judged::Exit(0),
                ExitError(details) => Judged::Exit(code(&details)),
                _ => Judged::GoOn,
            }
        }
        CoreStatus::Halted(HaltReason::Exception) => Judged::Crash("a hard fault"),
        CoreStatus::Halted(HaltReason::Breakpoint(_) | HaltReason::Multiple) => {
            Judged::Crash("it ran into a breakpoint")
        }
        CoreStatus::Halted(_) => Judged::Crash("another debugger halted it"),
    }
}

/// The code of a failed exit; it is never that of a success.
fn code(details: &ExitErrorDetails) -> u32 {
    details.exit_status.or(details.subcode).filter(|&code| code != 0).unwrap_or(1)
}

/// A crash, with the calls that led there. A panic ends in a fault, so the calls tell which it was.
pub(super) fn crash(core: &mut Core<'_>, what: &'static str, program: Option<&Program>) -> Crash {
    let backtrace = program.map_or_else(Vec::new, |program| backtrace(core, program));
    let panicked = backtrace.iter().any(|frame| frame.function.contains("panic"));
    Crash { what: if panicked { "it panicked" } else { what }, backtrace }
}

/// More frames than a sound program of a small chip has.
const MAX_FRAMES: usize = 64;

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StackFrame {
    /// The function.
    pub function: String,
    /// The file, as the compiler knew it, and the line from 1.
    pub place: Option<(PathBuf, u64)>,
    /// Whether the function was inlined into the next one.
    pub inlined: bool,
}

/// The calls that led to where a halted core stands, the innermost first; as far as the debug
/// information of the program goes. Where it has none, symbols name the functions.
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

/// The whole path of a function, which only its symbol has; an inlined function has no symbol.
fn named(frame: &probe_rs_debug::StackFrame, program: &Program) -> Option<String> {
    if frame.is_inlined {
        return None;
    }
    program.function_at(frame.pc.try_into().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn exit(exit_status: Option<u32>, subcode: Option<u32>) -> Judged {
        let details = ExitErrorDetails { reason: 0x20023, exit_status, subcode };
        let cause = BreakpointCause::Semihosting(SemihostingCommand::ExitError(details));
        judge(CoreStatus::Halted(HaltReason::Breakpoint(cause)))
    }

    #[test]
    fn an_exit_has_a_code_and_a_failure_is_never_0() {
        let cause = BreakpointCause::Semihosting(SemihostingCommand::ExitSuccess);
        let success = CoreStatus::Halted(HaltReason::Breakpoint(cause));
        assert_eq!(judge(success), Judged::Exit(0));
        assert_eq!(exit(Some(42), None), Judged::Exit(42));
        assert_eq!(exit(None, Some(7)), Judged::Exit(7));
        assert_eq!(exit(None, None), Judged::Exit(1));
        assert_eq!(exit(Some(0), None), Judged::Exit(1));
    }

    #[test]
    fn faults_and_lock_ups_are_crashes() {
        assert_eq!(judge(CoreStatus::Running), Judged::Runs);
        assert_eq!(judge(CoreStatus::Sleeping), Judged::Runs);
        for status in [
            CoreStatus::LockedUp,
            CoreStatus::Halted(HaltReason::Exception),
            CoreStatus::Halted(HaltReason::Breakpoint(BreakpointCause::Software)),
        ] {
            assert!(matches!(judge(status), Judged::Crash(_)), "{status:?}");
        }
    }
}
