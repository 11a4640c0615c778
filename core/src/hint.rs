//! Branch hints. Compilers older than Rust 1.95 get a cold call, which is a weaker hint.

/// Marks the calling branch as rarely taken.
#[cfg(has_cold_path)]
#[inline(always)]
#[allow(clippy::inline_always)] // the hint applies where it is inlined
#[allow(clippy::incompatible_msrv)] // the build script checks the compiler
pub(crate) fn cold_path() {
    core::hint::cold_path();
}

/// Marks the calling branch as rarely taken.
#[cfg(not(has_cold_path))]
#[cold]
pub(crate) fn cold_path() {}
