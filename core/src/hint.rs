//! What compilers are told of branches. Those older than Rust 1.95 are told by a cold call, which says less.

/// The branch that calls this is rarely taken.
#[cfg(has_cold_path)]
#[inline(always)]
#[allow(clippy::inline_always)] // what is told holds where it stands
#[allow(clippy::incompatible_msrv)] // the build script has asked the compiler
pub(crate) fn cold_path() {
    core::hint::cold_path();
}

/// The branch that calls this is rarely taken.
#[cfg(not(has_cold_path))]
#[cold]
pub(crate) fn cold_path() {}
