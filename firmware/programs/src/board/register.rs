//! Registers that no crate has.

/// A register of 32 bits.
#[derive(Debug, Clone, Copy)]
pub(super) struct Register(usize);

impl Register {
    /// The register at that address. It must be one of the machine's.
    pub(super) const fn at(address: usize) -> Self {
        Self(address)
    }

    // The addresses are constants of this folder, from the machines' memory maps: what is there is
    // aligned, may be read and written at any time, and is no memory of Rust's.
    #[allow(unsafe_code)]
    pub(super) fn read(self) -> u32 {
        // SAFETY: see above.
        unsafe { core::ptr::with_exposed_provenance::<u32>(self.0).read_volatile() }
    }

    #[allow(unsafe_code)] // as for reading
    pub(super) fn write(self, value: u32) {
        // SAFETY: see above.
        unsafe { core::ptr::with_exposed_provenance_mut::<u32>(self.0).write_volatile(value) }
    }
}
