//! All reads and writes through a caller's pointers.
//!
//! [`In`] and [`Out`] have the layout of C pointers; their constructors are `unsafe`. Null, misaligned pointers and
//! impossible strides or sizes are rejected. All other files are safe code.
#![allow(unsafe_code, reason = "only this file dereferences pointers of C callers")]

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::ptr;

use crate::error::CallError;

/// Plain old data: any bits are a value.
///
/// # Safety
/// Every bit pattern is a value, and there is no destructor.
pub unsafe trait Pod: Copy {}

// SAFETY: numbers, and arrays of them.
unsafe impl Pod for u8 {}
// SAFETY: as above.
unsafe impl Pod for u32 {}
// SAFETY: as above.
unsafe impl Pod for u64 {}
// SAFETY: as above.
unsafe impl Pod for f32 {}
// SAFETY: as above.
unsafe impl Pod for f64 {}
// SAFETY: as above.
unsafe impl<T: Pod, const N: usize> Pod for [T; N] {}

/// A struct of the header whose first field is its size, in bytes.
///
/// # Safety
/// It is `repr(C)`, any bits are a value of it, and its first field is a `u32`.
pub unsafe trait Sized32: Copy + Default {}

const MAX_STRUCT: usize = 1_024;

/// A pointer to an input.
#[repr(transparent)]
pub struct In<T>(*const T);

impl<T> Clone for In<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for In<T> {}

impl<T> std::fmt::Debug for In<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Default for In<T> {
    fn default() -> Self {
        Self::NULL
    }
}

impl<T> In<T> {
    /// The null pointer of an input.
    pub const NULL: Self = Self(ptr::null());

    /// Wraps a pointer for a call.
    ///
    /// # Safety
    /// Until the call returns, the pointer is null or valid for the reads that the header states for the argument.
    #[must_use]
    pub const unsafe fn new(pointer: *const T) -> Self {
        Self(pointer)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn cast<U>(self) -> In<U> {
        In(self.0.cast())
    }
}

impl<T: Pod> In<T> {
    /// Reads one value.
    pub(crate) fn one(self) -> Result<T, CallError> {
        Ok(self.slice(1)?[0])
    }

    pub(crate) fn slice(&self, count: usize) -> Result<&[T], CallError> {
        if count == 0 {
            return Ok(&[]);
        }
        check(self.0, count, size_of::<T>())?;
        // SAFETY: `check` tested null, alignment and size; by the condition of `new` it is valid for `count` values until
        // the call returns, which `self` does not outlive.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }

    /// Iterates over values `stride` bytes apart; a stride of 0 repeats the first.
    pub(crate) fn strided(&self, count: usize, stride: usize) -> Result<Strided<'_, T>, CallError> {
        if count > 0 {
            check(self.0, count, stride)?;
            check_stride::<T>(stride, size_of::<T>())?;
        }
        Ok(Strided { first: self.0, stride, row: 0, count, borrowed: PhantomData })
    }
}

impl<T: Sized32> In<T> {
    /// Reads a struct of its own size.
    pub(crate) fn desc(self) -> Result<T, CallError> {
        check(self.0, 1, size_of::<u32>())?;
        self.read(MAX_STRUCT)
    }

    /// Iterates over structs of their own sizes, `stride` bytes apart; a stride of 0 repeats the first.
    pub(crate) fn descs(
        &self,
        count: usize,
        stride: usize,
    ) -> Result<impl ExactSizeIterator<Item = Result<T, CallError>> + '_, CallError> {
        if count > 0 {
            check(self.0, count, stride)?;
            check_stride::<T>(stride, 1)?;
        }
        let max_size = if stride == 0 { MAX_STRUCT } else { stride };
        Ok((0..count).map(move |row| In(self.0.wrapping_byte_add(row * stride)).read(max_size)))
    }

    /// Reads the present fields; the others have defaults.
    fn read(self, max_size: usize) -> Result<T, CallError> {
        let size = struct_size(self, max_size)?;
        let mut value = T::default();
        let known = size.min(size_of::<T>());
        // SAFETY: by the condition of `new` the caller's struct has the `size` bytes that it states; ours has at least
        // `known`, and any bits are a value of it.
        unsafe { ptr::copy_nonoverlapping(self.0.cast::<u8>(), (&raw mut value).cast(), known) };
        Ok(value)
    }
}

impl In<c_char> {
    /// Reads a string that ends with NUL; empty for null.
    pub(crate) fn text(&self) -> Result<&str, CallError> {
        if self.is_null() {
            return Ok("");
        }
        // SAFETY: not null, and ends with NUL by the condition of `new`.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map_err(|_| CallError::Argument("a text is not UTF-8"))
    }
}

/// Returns the size that a struct states, if possible.
fn struct_size<T: Sized32>(of: In<T>, max_size: usize) -> Result<usize, CallError> {
    // SAFETY: callers tested null and alignment; the condition of `new` covers the first field.
    let size = unsafe { of.0.cast::<u32>().read() } as usize;
    let fits = 2 * size_of::<u32>() <= size && size <= max_size.min(MAX_STRUCT);
    // The size of a struct is a multiple of its alignment.
    if !fits || !size.is_multiple_of(align_of::<T>()) {
        return Err(CallError::StructSize(size));
    }
    let rest = size_of::<T>()..size;
    // SAFETY: within the stated size of the struct, which the condition of `new` covers.
    let is_zero = |at| unsafe { of.0.cast::<u8>().add(at).read() } == 0;
    if rest.into_iter().all(is_zero) {
        Ok(size)
    } else {
        Err(CallError::Argument("a struct is longer than this library's, and its rest is not 0"))
    }
}

pub(crate) struct Strided<'a, T> {
    first: *const T,
    stride: usize,
    row: usize,
    count: usize,
    borrowed: PhantomData<&'a T>,
}

impl<T: Pod> Iterator for Strided<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.row == self.count {
            return None;
        }
        // SAFETY: `strided` tested null, alignment at each row, and overflow of offsets; by the condition of `In::new` it
        // is valid for reading `count` values.
        let value = unsafe { self.first.byte_add(self.row * self.stride).read() };
        self.row += 1;
        Some(value)
    }
}

/// A pointer to an output.
#[repr(transparent)]
pub struct Out<T>(*mut T);

impl<T> Clone for Out<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Out<T> {}

impl<T> std::fmt::Debug for Out<T> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl<T> Out<T> {
    /// The null pointer of an output.
    pub const NULL: Self = Self(ptr::null_mut());

    /// Wraps a pointer for a call.
    ///
    /// # Safety
    /// Until the call returns, the pointer is null, or valid for the writes that the header states for the argument and
    /// not accessed otherwise.
    #[must_use]
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Rejects an invalid pointer before the call does anything.
    pub(crate) fn check(self) -> Result<Self, CallError> {
        self.check_many(1, size_of::<T>())
    }

    pub(crate) fn check_many(self, count: usize, stride: usize) -> Result<Self, CallError> {
        if count > 0 {
            check(self.0, count, stride)?;
            check_stride::<T>(stride, size_of::<T>())?;
            if stride == 0 {
                return Err(CallError::Argument("the stride of an output is 0"));
            }
        }
        Ok(self)
    }

    pub(crate) fn write(self, value: T) -> Result<(), CallError> {
        self.write_all(1, size_of::<T>(), [value])
    }

    pub(crate) fn write_all(
        self,
        count: usize,
        stride: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), CallError> {
        self.check_many(count, stride)?;
        for (row, value) in (0..count).zip(values) {
            // SAFETY: `check_many` tested null, alignment at each row and overflow; by the condition of `new` it is
            // valid for writing `count` values.
            unsafe { self.0.byte_add(row * stride).write(value) };
        }
        Ok(())
    }
}

impl<T: Sized32> Out<T> {
    pub(crate) fn check_struct(self) -> Result<Self, CallError> {
        check(self.0, 1, size_of::<u32>())?;
        struct_size(In(self.0.cast_const()), MAX_STRUCT)?;
        Ok(self)
    }

    /// Writes the fields behind the size, up to the caller's size.
    pub(crate) fn write_struct(self, value: T) -> Result<(), CallError> {
        self.check_struct()?;
        let size = struct_size(In(self.0.cast_const()), MAX_STRUCT)?.min(size_of::<T>());
        let after = size_of::<u32>();
        let from = (&raw const value).cast::<u8>();
        // SAFETY: by the condition of `new` the caller's struct has the `size` bytes that it states, and ours has at
        // least as many; a size exceeds its own field.
        unsafe {
            ptr::copy_nonoverlapping(from.add(after), self.0.cast::<u8>().add(after), size - after);
        }
        Ok(())
    }
}

impl Out<c_char> {
    /// Cuts the string to `capacity`, with its NUL.
    pub(crate) fn write_text(self, text: &str, capacity: usize) -> Result<(), CallError> {
        if capacity == 0 {
            return Ok(());
        }
        let end = text.floor_char_boundary(capacity - 1);
        let bytes = text.as_bytes()[..end].iter().copied().chain([0]);
        self.write_all(capacity, 1, bytes.map(u8::cast_signed).map(|byte| byte as c_char))
    }
}

fn check<T>(pointer: *const T, count: usize, stride: usize) -> Result<(), CallError> {
    if pointer.is_null() {
        return Err(CallError::Argument("a pointer is NULL"));
    }
    if !pointer.addr().is_multiple_of(align_of::<T>()) {
        return Err(CallError::Argument("a pointer is not aligned"));
    }
    let bytes = count.checked_mul(stride.max(size_of::<T>()));
    if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(CallError::Argument("an array is larger than memory"));
    }
    Ok(())
}

fn check_stride<T>(stride: usize, min: usize) -> Result<(), CallError> {
    if !stride.is_multiple_of(align_of::<T>()) {
        return Err(CallError::Argument("a stride is not a multiple of the element's alignment"));
    }
    if stride != 0 && stride < min {
        return Err(CallError::Argument("a stride is shorter than the element"));
    }
    Ok(())
}
