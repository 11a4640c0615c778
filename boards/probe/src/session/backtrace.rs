//! Who called whom, when a program crashed.

use std::path::PathBuf;

use probe_rs::Core;
use probe_rs_debug::{DebugInfo, DebugRegisters, exception_handler_for_core};

use crate::program::Program;

/// More frames than a sound program of a small chip has.
const MOST: usize = 64;

/// A call.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StackFrame {
    /// The function.
    pub function: String,
    /// The file, as the compiler knew it, and the line from 1.
    pub place: Option<(PathBuf, u64)>,
    /// Whether the function was inlined into the next one.
    pub inlined: bool,
}

impl StackFrame {
    /// A call of a function that was not inlined, at a place that is not known.
    #[must_use]
    pub const fn new(function: String) -> Self {
        Self { function, place: None, inlined: false }
    }
}

/// The calls that led to where a halted core stands, the innermost first; as far as the debug
/// information of the program goes. Where it has none, symbols name the functions.
pub(super) fn of(core: &mut Core<'_>, program: &Program) -> Vec<StackFrame> {
    let Ok(debug) = DebugInfo::from_raw(program.elf()) else { return Vec::new() };
    let registers = DebugRegisters::from_core(core);
    let handler = exception_handler_for_core(core.core_type());
    let instructions = core.instruction_set().ok();
    let frames = debug.unwind(core, registers, &*handler, instructions, MOST).unwrap_or_default();
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
