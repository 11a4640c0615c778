//! What a private choice between two ways to the same bits may depend on.

/// Whether this is one of the smallest Cortex-M, Armv6-M: no division, no count of leading zeros, no
/// product of 64 bits, eight registers for most, and the least flash.
pub(crate) const IS_SMALLEST: bool = cfg!(all(target_arch = "arm", not(target_has_atomic = "32")));

/// Whether this is a board: one number at a time, and a branch that is nearly always the same costs
/// less than a choice between two values. Everywhere else compilers make vectors of loops without
/// branches.
pub(crate) const IS_BOARD: bool = cfg!(target_os = "none");

/// Whether floating-point numbers are compared in one instruction. Elsewhere it is a call, and their
/// bits are compared for less.
pub(crate) const HAS_FLOAT_UNIT: bool = !IS_BOARD || cfg!(target_abi = "eabihf");
