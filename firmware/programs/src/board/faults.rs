//! What a board does in a `HardFault`: it tells the host why, once that is open, and ends; with `rtt` it waits there.
//!
//! A debug probe that catches the exception stops the processor before any of this.

use core::arch::naked_asm;
use core::cell::Cell;

#[cfg(has_fault_status)]
use cortex_m::Peripherals;
use cortex_m::interrupt::{self, Mutex};

use super::stack;
#[cfg(has_fault_status)]
use crate::fault::Status;
use crate::fault::{Fault, Kept};

/// Tells the host of a fault.
type Tell = fn(&Fault);

/// Who does: nobody, until the host is open. A program that never opens it does without the words.
static TELL: Mutex<Cell<Option<Tell>>> = Mutex::new(Cell::new(None));

/// Has faults told from here on: `None` if somebody else has opened the host.
pub(super) fn tell_by(tell: Tell) -> Option<()> {
    let earlier = interrupt::free(|section| TELL.borrow(section).replace(Some(tell)));
    earlier.is_none().then_some(())
}

/// How many bytes of the stack the handler has, at least.
const ROOM: usize = 1024;

/// The handler. A stack that is full has no room for it: what that holds is given up, as nothing returns.
/// It pushes nothing before, so that a debugger finds the exception's frame where it looks for it.
// cortex-m-rt's table of vectors holds it by its name, and its linker script the section: near all code.
// Nothing but registers is touched.
#[allow(unsafe_code, non_snake_case)]
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[unsafe(link_section = ".HardFault.told")]
extern "C" fn HardFault() -> ! {
    naked_asm!(
        ".cfi_sections .debug_frame",
        ".cfi_startproc",
        "mrs r0, msp",
        "ldr r1, =_stack_end + {room}",
        "cmp r0, r1",
        "bhs 0f",
        "ldr r1, =_stack_start",
        "msr msp, r1",
        "0:",
        "bl {told}",
        ".cfi_endproc",
        ".pool",
        room = const ROOM,
        told = sym told,
    )
}

/// Goes no further, after the host was told, who may not be there. `frame` is where the exception
/// left the stack.
extern "C" fn told(frame: usize) -> ! {
    let fault = Fault { kept: kept(frame), is_overflow: frame < stack::bottom(), status: status() };
    if let Some(tell) = interrupt::free(|section| TELL.borrow(section).get()) {
        tell(&fault);
    }
    end()
}

/// In QEMU the program ends.
#[cfg(not(feature = "rtt"))]
fn end() -> ! {
    super::exit(1)
}

/// A probe that wants to know has stopped the processor already. Without one, what would ask it for an exit is
/// a fault, which in a fault locks the processor up.
#[cfg(feature = "rtt")]
fn end() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

/// Reads the frame of an exception, if it is on the stack.
fn kept(frame: usize) -> Option<Kept> {
    /// Which words of the frame these are: R0 to R3 and R12 come first.
    const CALLER: usize = 5;
    const AT: usize = 6;
    let word = |index| stack::word(frame + 4 * index);
    Some(Kept { at: word(AT)?, caller: word(CALLER)? })
}

/// What a Cortex-M3 and those above it know.
#[cfg(has_fault_status)]
#[allow(clippy::unnecessary_wraps)] // as where there is nothing to know
fn status() -> Option<Status> {
    // SAFETY: the registers are only read, and nothing else is at work in this exception.
    #[allow(unsafe_code)]
    let registers = unsafe { Peripherals::steal() }.SCB;
    Some(Status {
        configurable: registers.cfsr.read(),
        hard: registers.hfsr.read(),
        memory_address: registers.mmfar.read(),
        bus_address: registers.bfar.read(),
    })
}

/// A Cortex-M0 has no registers for it.
#[cfg(not(has_fault_status))]
const fn status() -> Option<crate::fault::Status> {
    None
}
