//! The `HardFault` handler of a Cortex-M: reports the fault to an open host, and ends the program; with `rtt` it waits
//! endlessly. A debug probe that catches the exception stops the processor before.
//!
//! build.rs places the stack below static data, and cortex-m-rt paints it before `main`.

use core::arch::naked_asm;
use core::cell::Cell;
use core::ptr;

#[cfg(has_fault_status)]
use cortex_m::Peripherals;
use cortex_m::interrupt::{self, Mutex};
use cortex_m_rt::STACK_PAINT_VALUE;

#[cfg(has_fault_status)]
use crate::fault::FaultStatus;
use crate::fault::{FaultRecord, StackedRegisters};

type FaultHandler = fn(&FaultRecord);

static FAULT_HANDLER: Mutex<Cell<Option<FaultHandler>>> = Mutex::new(Cell::new(None));

pub(super) fn set_fault_handler(handler: FaultHandler) -> Option<()> {
    let earlier = interrupt::free(|section| FAULT_HANDLER.borrow(section).replace(Some(handler)));
    earlier.is_none().then_some(())
}

const ROOM: usize = 1024;

// cortex-m-rt's vector table refers to this name, and its linker script to the section, near all code. Only registers are
// changed.
/// If the stack is full, the handler starts at its top again, because nothing returns. It pushes nothing before, so that
/// a debugger finds the exception frame.
#[allow(unsafe_code, non_snake_case)]
#[unsafe(naked)]
#[unsafe(no_mangle)]
#[unsafe(link_section = ".HardFault.report_fault")]
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
        "bl {report_fault}",
        ".cfi_endproc",
        ".pool",
        room = const ROOM,
        report_fault = sym report_fault,
    )
}

extern "C" fn report_fault(frame: usize) -> ! {
    let fault = FaultRecord {
        registers: stacked_registers(frame),
        is_overflow: frame < stack_bottom(),
        status: status(),
    };
    if let Some(report) = interrupt::free(|section| FAULT_HANDLER.borrow(section).get()) {
        report(&fault);
    }
    end()
}

#[cfg(not(feature = "rtt"))]
fn end() -> ! {
    super::exit(1)
}

/// Waits endlessly: a probe has stopped the processor before, and a semihosting exit within a fault locks up a processor
/// without a probe.
#[cfg(feature = "rtt")]
fn end() -> ! {
    loop {
        core::hint::spin_loop();
    }
}

fn stacked_registers(frame: usize) -> Option<StackedRegisters> {
    /// Indices of words of the frame, after R0 to R3 and R12.
    const CALLER: usize = 5;
    const AT: usize = 6;
    let word = |index| stack_word(frame + 4 * index);
    Some(StackedRegisters { at: word(AT)?, caller: word(CALLER)? })
}

#[cfg(has_fault_status)]
#[allow(clippy::unnecessary_wraps)] // as without status registers
fn status() -> Option<FaultStatus> {
    // SAFETY: the registers are only read, and nothing else runs in this exception.
    #[allow(unsafe_code)]
    let registers = unsafe { Peripherals::steal() }.SCB;
    Some(FaultStatus {
        configurable: registers.cfsr.read(),
        hard: registers.hfsr.read(),
        memory_address: registers.mmfar.read(),
        bus_address: registers.bfar.read(),
    })
}

/// A Cortex-M0 has no fault status registers.
#[cfg(not(has_fault_status))]
const fn status() -> Option<crate::fault::FaultStatus> {
    None
}

// Symbols of the linker script, of which only the addresses are used.
#[allow(unsafe_code)]
unsafe extern "C" {
    safe static _stack_end: u32;
    safe static _stack_start: u32;
}

/// The used and unused stack of a program so far, in bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackUse {
    pub used: usize,
    pub left: usize,
}

impl StackUse {
    /// Measures the remaining paint. Reserved stack that was never written does not count.
    #[must_use]
    pub fn measure() -> Self {
        let (bottom, top) = (stack_bottom(), stack_top());
        let is_painted = |address: &usize| stack_word(*address) == Some(STACK_PAINT_VALUE);
        let left = (bottom..top).step_by(4).take_while(is_painted).count() * 4;
        Self { used: top - bottom - left, left }
    }
}

fn stack_bottom() -> usize {
    ptr::from_ref(&_stack_end).addr()
}

/// Returns the address after the stack.
fn stack_top() -> usize {
    ptr::from_ref(&_stack_start).addr()
}

fn stack_word(address: usize) -> Option<u32> {
    let is_there = address.is_multiple_of(4) && (stack_bottom()..stack_top()).contains(&address);
    is_there.then(|| {
        // SAFETY: it is aligned memory of the stack, which is only read.
        #[allow(unsafe_code)]
        unsafe {
            ptr::with_exposed_provenance::<u32>(address).read_volatile()
        }
    })
}
