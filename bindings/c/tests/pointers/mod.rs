//! Pointers for C to values that outlive the call, and sizes of structs.
#![allow(dead_code, reason = "tests and benches use different parts")]
#![allow(unsafe_code, reason = "making a pointer for a C function is unsafe")]

use std::ptr;

use lodger::{In, Out};

pub(crate) fn input<T>(value: &T) -> In<T> {
    // SAFETY: a reference is valid for reading.
    unsafe { In::new(ptr::from_ref(value)) }
}

pub(crate) fn inputs<T>(values: &[T]) -> In<T> {
    // SAFETY: a slice is valid for reading.
    unsafe { In::new(values.as_ptr()) }
}

pub(crate) fn output<T>(value: &mut T) -> Out<T> {
    // SAFETY: a unique reference is valid for writing.
    unsafe { Out::new(ptr::from_mut(value)) }
}

pub(crate) fn outputs<T>(values: &mut [T]) -> Out<T> {
    // SAFETY: a unique slice is valid for writing.
    unsafe { Out::new(values.as_mut_ptr()) }
}

pub(crate) fn struct_size<T>() -> u32 {
    u32::try_from(size_of::<T>()).expect("structs are small")
}
