//! Memory in a static for one large value, to save stack.
//!
//! The types of the hardware of a board are opaque, so that a static of a type that contains them cannot be declared. A
//! static of the same size can.

use core::mem::MaybeUninit;

/// Memory for one value of up to `BYTES` bytes.
#[derive(Debug)]
#[repr(align(8))]
pub struct StaticBuffer<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

/// Returns the size of the value that the second function returns for the value of the first one. Neither is called.
#[must_use]
pub const fn bytes<P, T>(_: fn() -> Option<P>, _: fn(P) -> T) -> usize {
    size_of::<T>()
}

impl<const BYTES: usize> Default for StaticBuffer<BYTES> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const BYTES: usize> StaticBuffer<BYTES> {
    pub const EMPTY: Self = Self(MaybeUninit::uninit());

    /// Keeps a value here for ever. Does not compile if it is too large.
    // Not inlined: the value may be on the stack first, which is released here.
    #[inline(never)]
    pub fn keep<T>(&'static mut self, make: impl FnOnce() -> T) -> &'static mut T {
        const { assert!(size_of::<T>() <= BYTES && align_of::<T>() <= align_of::<Self>()) };
        // SAFETY: the memory is large enough, aligned, and borrowed for ever.
        #[allow(unsafe_code)]
        let memory = unsafe { &mut *self.0.as_mut_ptr().cast::<MaybeUninit<T>>() };
        memory.write(make())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BYTES: usize = bytes(|| Some(7), five);

    fn five(part: u64) -> [u64; 5] {
        [part; 5]
    }

    #[test]
    fn a_value_stays_where_it_was_made() {
        let place = Box::leak(Box::new(StaticBuffer::<BYTES>::EMPTY));
        let address = std::ptr::from_ref(place).addr();
        let value = place.keep(|| five(7));
        value[1] += 40;
        assert_eq!(*value, [7, 47, 7, 7, 7]);
        assert_eq!(std::ptr::from_ref(value).addr(), address);
    }
}
