//! Memory in a static for one large value, so that the stack need not have it.
//!
//! The types of a board's parts have no names, and so has none what holds them: a static of such a type
//! cannot be written down. What can be is a static of that size.

use core::mem::MaybeUninit;

/// Memory for one value of up to `BYTES` bytes.
#[derive(Debug)]
#[repr(align(8))]
pub struct Place<const BYTES: usize>(MaybeUninit<[u8; BYTES]>);

/// How many bytes a value takes that `make` makes of what `parts` returns. Neither is called.
#[must_use]
pub const fn bytes<P, T>(_: fn() -> Option<P>, _: fn(P) -> T) -> usize {
    size_of::<T>()
}

impl<const BYTES: usize> Default for Place<BYTES> {
    fn default() -> Self {
        Self::EMPTY
    }
}

impl<const BYTES: usize> Place<BYTES> {
    /// Memory that nothing is in.
    pub const EMPTY: Self = Self(MaybeUninit::uninit());

    /// Keeps a value here for ever. One that is too large does not compile.
    // What making it takes of the stack is given back: the value may be there first.
    #[inline(never)]
    pub fn keep<T>(&'static mut self, make: impl FnOnce() -> T) -> &'static mut T {
        const { assert!(size_of::<T>() <= BYTES && align_of::<T>() <= align_of::<Self>()) };
        // SAFETY: memory that is large enough and aligned, and borrowed for as long as there is.
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
        let place = Box::leak(Box::new(Place::<BYTES>::EMPTY));
        let address = std::ptr::from_ref(place).addr();
        let value = place.keep(|| five(7));
        value[1] += 40;
        assert_eq!(*value, [7, 47, 7, 7, 7]);
        assert_eq!(std::ptr::from_ref(value).addr(), address);
    }
}
