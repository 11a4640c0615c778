//! The wall: all of the crate's reading and writing through a caller's pointers.
//!
//! [`In`] and [`Out`] are pointers as far as C can tell. Rust makes one only with `unsafe`, whose condition is the
//! header's: a pointer that is not null is good for what the call says. What can be seen to be wrong, null, bad
//! alignment, a stride or a size that cannot be, is refused; everything behind this file is safe code.
#![allow(unsafe_code, reason = "the pointers of C callers are followed here, and nowhere else")]

use std::ffi::{CStr, c_char};
use std::marker::PhantomData;
use std::mem::{align_of, size_of};
use std::ptr;

use crate::failure::Failure;

/// What any bits are a value of.
///
/// # Safety
/// There is no bit pattern that is not a value, and no destructor.
pub unsafe trait Plain: Copy {}

// SAFETY: numbers, and arrays of them.
unsafe impl Plain for u8 {}
// SAFETY: as above.
unsafe impl Plain for u32 {}
// SAFETY: as above.
unsafe impl Plain for u64 {}
// SAFETY: as above.
unsafe impl Plain for f32 {}
// SAFETY: as above.
unsafe impl Plain for f64 {}
// SAFETY: as above.
unsafe impl<T: Plain, const N: usize> Plain for [T; N] {}

/// A struct of the header whose first field is its size, in bytes.
///
/// # Safety
/// It is `repr(C)`, any bits are a value of it, and its first field is a `u32`.
pub unsafe trait Sized32: Copy + Default {}

/// No struct of any version is longer; a size above it is not followed to find out.
const LONGEST_STRUCT: usize = 1_024;

/// A pointer to what is read.
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
    /// Nothing.
    pub const NULL: Self = Self(ptr::null());

    /// Wraps a pointer for a call.
    ///
    /// # Safety
    /// Until the call returns it is null, or good for reading what the header says of the argument.
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

impl<T: Plain> In<T> {
    /// The one value that it points to.
    pub(crate) fn one(self) -> Result<T, Failure> {
        Ok(self.slice(1)?[0])
    }

    /// So many values side by side.
    pub(crate) fn slice(&self, count: usize) -> Result<&[T], Failure> {
        if count == 0 {
            return Ok(&[]);
        }
        check(self.0, count, size_of::<T>())?;
        // SAFETY: not null, aligned and of a size that memory can have, as was checked; good for `count` values by
        // the condition of `new`, for as long as the call, which `self` does not outlive.
        Ok(unsafe { std::slice::from_raw_parts(self.0, count) })
    }

    /// So many values, each so many bytes after the one before, or the first one again.
    pub(crate) fn strided(&self, count: usize, stride: usize) -> Result<Strided<'_, T>, Failure> {
        if count > 0 {
            check(self.0, count, stride)?;
            check_stride::<T>(stride, size_of::<T>())?;
        }
        Ok(Strided { first: self.0, stride, row: 0, count, borrowed: PhantomData })
    }
}

impl<T: Sized32> In<T> {
    /// A struct of the size that it says.
    pub(crate) fn desc(self) -> Result<T, Failure> {
        check(self.0, 1, size_of::<u32>())?;
        self.read(LONGEST_STRUCT)
    }

    /// So many structs of the sizes that they say, each so many bytes after the one before, or the first one again.
    pub(crate) fn descs(
        &self,
        count: usize,
        stride: usize,
    ) -> Result<impl ExactSizeIterator<Item = Result<T, Failure>> + '_, Failure> {
        if count > 0 {
            check(self.0, count, stride)?;
            check_stride::<T>(stride, 1)?;
        }
        let room = if stride == 0 { LONGEST_STRUCT } else { stride };
        Ok((0..count).map(move |row| In(self.0.wrapping_byte_add(row * stride)).read(room)))
    }

    /// What is there of a struct over its defaults.
    fn read(self, room: usize) -> Result<T, Failure> {
        let size = struct_size(self, room)?;
        let mut value = T::default();
        let known = size.min(size_of::<T>());
        // SAFETY: the caller's struct has `size` bytes by its own word, which the condition of `new` covers; ours has
        // at least `known`, and any bits are a value of it.
        unsafe { ptr::copy_nonoverlapping(self.0.cast::<u8>(), (&raw mut value).cast(), known) };
        Ok(value)
    }
}

impl In<c_char> {
    /// A text that ends with NUL; none for null.
    pub(crate) fn text(&self) -> Result<&str, Failure> {
        if self.is_null() {
            return Ok("");
        }
        // SAFETY: not null, and ends with NUL by the condition of `new`.
        let text = unsafe { CStr::from_ptr(self.0) };
        text.to_str().map_err(|_| Failure::Argument("a text is not UTF-8"))
    }
}

/// The size that a struct says, if it can be.
fn struct_size<T: Sized32>(of: In<T>, room: usize) -> Result<usize, Failure> {
    // SAFETY: not null and aligned, as those who call have checked; the condition of `new` covers the first field.
    let size = unsafe { of.0.cast::<u32>().read() } as usize;
    let fits = 2 * size_of::<u32>() <= size && size <= room.min(LONGEST_STRUCT);
    // No compiler has another size than a multiple, and half a pointer is none.
    if !fits || !size.is_multiple_of(align_of::<T>()) {
        return Err(Failure::StructSize(size));
    }
    let rest = size_of::<T>()..size;
    // SAFETY: within the struct by its own word, which the condition of `new` covers.
    let is_zero = |at| unsafe { of.0.cast::<u8>().add(at).read() } == 0;
    if rest.into_iter().all(is_zero) {
        Ok(size)
    } else {
        Err(Failure::Argument("a struct is longer than this library's, and its rest is not 0"))
    }
}

/// Values in a caller's memory, some bytes apart.
pub(crate) struct Strided<'a, T> {
    first: *const T,
    stride: usize,
    row: usize,
    count: usize,
    borrowed: PhantomData<&'a T>,
}

impl<T: Plain> Iterator for Strided<'_, T> {
    type Item = T;

    #[inline]
    fn next(&mut self) -> Option<T> {
        if self.row == self.count {
            return None;
        }
        // SAFETY: `strided` checked that it is not null, aligned at each row, and that no row's offset overflows; it
        // is good for reading `count` of them by the condition of `In::new`.
        let value = unsafe { self.first.byte_add(self.row * self.stride).read() };
        self.row += 1;
        Some(value)
    }
}

/// A pointer to what is written.
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
    /// Nowhere.
    pub const NULL: Self = Self(ptr::null_mut());

    /// Wraps a pointer for a call.
    ///
    /// # Safety
    /// Until the call returns it is null, or good for writing what the header says of the argument, and nobody else
    /// reads or writes there.
    #[must_use]
    pub const unsafe fn new(pointer: *mut T) -> Self {
        Self(pointer)
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    /// Refuses what nothing can be written to, before anything is done.
    pub(crate) fn check(self) -> Result<Self, Failure> {
        self.check_many(1, size_of::<T>())
    }

    /// The same for so many values, each so many bytes after the one before.
    pub(crate) fn check_many(self, count: usize, stride: usize) -> Result<Self, Failure> {
        if count > 0 {
            check(self.0, count, stride)?;
            check_stride::<T>(stride, size_of::<T>())?;
            if stride == 0 {
                return Err(Failure::Argument("the stride of an output is 0"));
            }
        }
        Ok(self)
    }

    /// Writes one value.
    pub(crate) fn write(self, value: T) -> Result<(), Failure> {
        self.write_all(1, size_of::<T>(), [value])
    }

    /// Writes at most `count` values, each so many bytes after the one before.
    pub(crate) fn write_all(
        self,
        count: usize,
        stride: usize,
        values: impl IntoIterator<Item = T>,
    ) -> Result<(), Failure> {
        self.check_many(count, stride)?;
        for (row, value) in (0..count).zip(values) {
            // SAFETY: not null, aligned at each row and without overflow, as was just checked; good for writing
            // `count` of them by the condition of `new`.
            unsafe { self.0.byte_add(row * stride).write(value) };
        }
        Ok(())
    }
}

impl<T: Sized32> Out<T> {
    /// Refuses a struct that nothing can be written to, before anything is done.
    pub(crate) fn check_struct(self) -> Result<Self, Failure> {
        check(self.0, 1, size_of::<u32>())?;
        struct_size(In(self.0.cast_const()), LONGEST_STRUCT)?;
        Ok(self)
    }

    /// Writes as much of a struct as there is room for, behind its size.
    pub(crate) fn write_struct(self, value: T) -> Result<(), Failure> {
        self.check_struct()?;
        let size = struct_size(In(self.0.cast_const()), LONGEST_STRUCT)?.min(size_of::<T>());
        let after = size_of::<u32>();
        let from = (&raw const value).cast::<u8>();
        // SAFETY: the caller's struct has `size` bytes by its own word, which the condition of `new` covers, and ours
        // has at least as many; a size is longer than its own field.
        unsafe {
            ptr::copy_nonoverlapping(from.add(after), self.0.cast::<u8>().add(after), size - after);
        }
        Ok(())
    }
}

impl Out<c_char> {
    /// Writes as much of a text as there is room for, and NUL.
    pub(crate) fn write_text(self, text: &str, capacity: usize) -> Result<(), Failure> {
        if capacity == 0 {
            return Ok(());
        }
        let end = text.floor_char_boundary(capacity - 1);
        let bytes = text.as_bytes()[..end].iter().copied().chain([0]);
        self.write_all(capacity, 1, bytes.map(u8::cast_signed).map(|byte| byte as c_char))
    }
}

/// Whether a pointer can be that of so many rows.
fn check<T>(pointer: *const T, count: usize, stride: usize) -> Result<(), Failure> {
    if pointer.is_null() {
        return Err(Failure::Argument("a pointer is NULL"));
    }
    if !pointer.addr().is_multiple_of(align_of::<T>()) {
        return Err(Failure::Argument("a pointer is not aligned"));
    }
    let bytes = count.checked_mul(stride.max(size_of::<T>()));
    if bytes.is_none_or(|bytes| isize::try_from(bytes).is_err()) {
        return Err(Failure::Argument("an array is larger than memory"));
    }
    Ok(())
}

fn check_stride<T>(stride: usize, least: usize) -> Result<(), Failure> {
    if !stride.is_multiple_of(align_of::<T>()) {
        return Err(Failure::Argument("a stride is not a multiple of the element's alignment"));
    }
    if stride != 0 && stride < least {
        return Err(Failure::Argument("a stride is shorter than the element"));
    }
    Ok(())
}
