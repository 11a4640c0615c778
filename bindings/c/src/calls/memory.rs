//! Memory of the module's own, for hosts that cannot allocate in it.
#![allow(unsafe_code, reason = "a host that is no Rust takes blocks and gives them back")]

use std::alloc::{Layout, alloc, dealloc};
use std::ptr;

/// What any element of the header is aligned to.
const ALIGNMENT: usize = 16;

/// A block of so many bytes; null where there is none, and for 0.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_alloc(size: usize) -> *mut u8 {
    match Layout::from_size_align(size, ALIGNMENT) {
        // SAFETY: the size is not 0.
        Ok(layout) if size > 0 => unsafe { alloc(layout) },
        _ => ptr::null_mut(),
    }
}

/// Gives a block back.
///
/// # Safety
/// The block is null, or was taken with [`lodger_alloc`], was of this size, and was not given back yet.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn lodger_free(block: *mut u8, size: usize) {
    if let Ok(layout) = Layout::from_size_align(size, ALIGNMENT)
        && !block.is_null()
    {
        // SAFETY: it was allocated with this layout, by the condition above.
        unsafe { dealloc(block, layout) };
    }
}
