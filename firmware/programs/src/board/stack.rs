//! The stack: it begins below what the program holds in memory and grows towards where memory begins,
//! as build.rs has the linker place it. cortex-m-rt paints all of it before `main`.

use core::ptr;

use cortex_m_rt::STACK_PAINT_VALUE;

// Only their addresses mean something, which the linker gives them.
#[allow(unsafe_code)]
unsafe extern "C" {
    safe static _stack_end: u32;
    safe static _stack_start: u32;
}

/// How much of the stack a program has needed since it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct StackUse {
    /// Bytes that were used.
    pub used: usize,
    /// Bytes that were not.
    pub left: usize,
}

impl StackUse {
    /// Looks for the paint that is left. Room that was taken and never written to does not count.
    #[must_use]
    pub fn measure() -> Self {
        let (bottom, top) = (bottom(), top());
        let is_painted = |address: &usize| word(*address) == Some(STACK_PAINT_VALUE);
        let left = (bottom..top).step_by(4).take_while(is_painted).count() * 4;
        Self { used: top - bottom - left, left }
    }
}

/// The address of the last byte that the stack can have.
pub(super) fn bottom() -> usize {
    ptr::from_ref(&_stack_end).addr()
}

/// The address after the first.
fn top() -> usize {
    ptr::from_ref(&_stack_start).addr()
}

/// The word at that address, if it is one of the stack's.
pub(super) fn word(address: usize) -> Option<u32> {
    let is_there = address.is_multiple_of(4) && (bottom()..top()).contains(&address);
    is_there.then(|| {
        // SAFETY: it is aligned memory of the board, which no value of Rust's owns that is not read
        // as words can be; what is above the stack's pointer is only looked at.
        #[allow(unsafe_code)]
        unsafe {
            ptr::with_exposed_provenance::<u32>(address).read_volatile()
        }
    })
}
