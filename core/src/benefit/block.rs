//! Blocks of rows, the columns that they read, and their totals.

// All called functions are inlined, so that a caller that enables wider vectors compiles them too.
#![allow(clippy::inline_always)]

use super::{Benefit, StateColumns};
use crate::real::Real;

/// 128 distances fit the first-level cache, and 128 benefits below 2²⁴ sum in 32 bits.
pub(super) const EVALUATE_ROWS: usize = 128;

/// Totals of [`BenefitRule::evaluate`](super::BenefitRule::evaluate).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BenefitTotals {
    /// The number of rows with an invalid number in a column that was read.
    pub quarantined: usize,
    /// The sum of benefits, in 2⁻¹⁶.
    pub total: u64,
}

impl BenefitTotals {
    /// Adds two totals.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            quarantined: self.quarantined.wrapping_add(other.quarantined),
            total: self.total.wrapping_add(other.total),
        }
    }
}

/// The columns that [`BenefitRule::evaluate`](super::BenefitRule::evaluate) reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StateFields {
    /// [`StateColumns::x`], [`y`](StateColumns::y), [`z`](StateColumns::z) and [`curve`](StateColumns::curve): distance
    /// has a weight, and there is an eye.
    pub position: bool,
    /// [`StateColumns::age`].
    pub age: bool,
    /// [`StateColumns::speed`].
    pub speed: bool,
}

#[inline(always)]
pub(super) fn part<T>(column: &[T], start: usize, end: usize) -> &[T] {
    column.get(start..end).unwrap_or_default()
}

/// Adds up the benefits of a block.
#[inline(always)]
pub(super) fn total(benefits: &[Benefit]) -> u64 {
    benefits.iter().fold(0_u32, |sum, benefit| sum.wrapping_add(benefit.0)).into()
}

/// Finds the quarantined actors of a block. A squared distance may be infinite although the position is finite.
#[cold]
#[inline(never)]
pub(super) fn look_again<N: Real>(
    columns: StateColumns<'_, N>,
    out: &mut [Benefit],
) -> BenefitTotals {
    let StateColumns { x, y, z, age, speed, .. } = columns;
    let mut valid = [true; EVALUATE_ROWS];
    for column in [x, y, z, age] {
        for (valid, value) in valid.iter_mut().zip(column) {
            *valid &= value.is_finite();
        }
    }
    for (valid, speed) in valid.iter_mut().zip(speed) {
        *valid &= speed.is_amount();
    }
    let mut found = BenefitTotals::default();
    for (benefit, valid) in out.iter_mut().zip(valid) {
        *benefit = if valid { *benefit } else { Benefit::ZERO };
        let one = BenefitTotals { quarantined: usize::from(!valid), total: benefit.0.into() };
        found = found.plus(one);
    }
    found
}
