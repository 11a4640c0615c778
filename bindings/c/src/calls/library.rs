//! The library itself: its version, and words for what went wrong.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use std::ffi::{CStr, c_char};

use crate::abi::{ABI_VERSION, Status};
use crate::failure;
use crate::memory::Out;

/// The version of the ABI that this library has.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_abi_version() -> u32 {
    ABI_VERSION
}

/// A status in words; static, never null.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_status_text(status: Status) -> *const c_char {
    text(status).as_ptr()
}

fn text(status: Status) -> &'static CStr {
    match status {
        Status::OK => c"done",
        Status::NO_SUCH_SCENE => c"there is no such scene",
        Status::NO_SUCH_VIEW => c"there is no such view",
        Status::NO_SUCH_MODULE => c"there is no such module",
        Status::NO_SUCH_ACTOR => c"there is no such actor",
        Status::REFUSED => c"a value was refused",
        Status::INVALID_ARGUMENT => c"an argument is invalid",
        Status::BUSY => c"another thread is in this scene",
        Status::PANICKED => c"lodger panicked in this scene",
        _ => c"no status of lodger's",
    }
}

/// What the last call of this thread that failed said; returns the length of all of it in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_last_error(out: Out<c_char>, capacity: usize) -> usize {
    let text = failure::last();
    // Where there is nothing to write to, the length is still told.
    let _ = out.write_text(&text, if out.is_null() { 0 } else { capacity });
    text.len()
}
