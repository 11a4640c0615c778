//! Registers that no crate has.

use core::marker::PhantomData;

/// A register of 32 bits, or of as many as `T` has: an integer, which any bits are one of.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Register<T = u32> {
    address: usize,
    width: PhantomData<T>,
}

impl<T> Register<T> {
    /// The register at that address. It must be one of the machine's.
    pub(crate) const fn at(address: usize) -> Self {
        Self { address, width: PhantomData }
    }

    // The addresses are constants of boards and examples, from the machines' memory maps: what is there is
    // aligned, may be read and written at any time, and is no memory of Rust's.
    #[allow(unsafe_code)]
    pub(crate) fn read(self) -> T {
        // SAFETY: see above.
        unsafe { core::ptr::with_exposed_provenance::<T>(self.address).read_volatile() }
    }

    #[allow(unsafe_code)] // as for reading
    pub(crate) fn write(self, value: T) {
        // SAFETY: see above.
        unsafe { core::ptr::with_exposed_provenance_mut::<T>(self.address).write_volatile(value) }
    }
}
