//! Blocks of the WebAssembly module's memory.
#![allow(unsafe_code, reason = "a host outside of Rust allocates and frees blocks")]

use std::alloc::{Layout, alloc, dealloc};
use std::ptr;

/// The largest alignment of the header's types.
const ALIGNMENT: usize = 16;

/// Allocates a block of `size` bytes; null on failure, and for 0.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_alloc(size: usize) -> *mut u8 {
    match Layout::from_size_align(size, ALIGNMENT) {
        // SAFETY: the size is not 0.
        Ok(layout) if size > 0 => unsafe { alloc(layout) },
        _ => ptr::null_mut(),
    }
}

/// Frees a block.
///
/// # Safety
/// The block is null, or was allocated by [`lodger_alloc`] with this size and not yet freed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lodger_free(block: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, ALIGNMENT)
        && !block.is_null()
    {
        // SAFETY: it was allocated with this layout, as this function requires.
        unsafe { dealloc(block, layout) };
    }
}
