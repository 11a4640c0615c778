//! Properties of the target that select between two computations of the same bits, and branch hints.

/// Armv6-M, the smallest Cortex-M: no division, count of leading zeros or 64-bit product, few registers, least flash.
pub(crate) const IS_SMALLEST: bool = cfg!(all(target_arch = "arm", not(target_has_atomic = "32")));

/// A board: scalar code, where a predictable branch costs less than a select.
pub(crate) const IS_BOARD: bool = cfg!(target_os = "none");

/// Whether one instruction compares floating-point numbers; otherwise comparing their bits is faster.
pub(crate) const HAS_FLOAT_UNIT: bool = !IS_BOARD || cfg!(target_abi = "eabihf");

/// Marks the calling branch as rarely taken.
#[cfg(has_cold_path)]
#[inline(always)]
#[allow(clippy::inline_always)] // the hint applies where it is inlined
#[allow(clippy::incompatible_msrv)] // the build script checks the compiler
pub(crate) fn cold_path() {
    core::hint::cold_path();
}

/// Marks the calling branch as rarely taken; compilers older than Rust 1.95 take a cold call as a weaker hint.
#[cfg(not(has_cold_path))]
#[cold]
pub(crate) fn cold_path() {}
