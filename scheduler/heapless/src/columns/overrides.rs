//! Benefit overrides.

use core::fmt::Debug;

use lodger_core::Benefit;

use crate::column::{Column, exchange, set};

/// The benefit overrides, where they are not the benefits themselves; or nothing.
pub trait OverrideColumn: Debug + Clone {
    const NEW: Self;
    /// Whether overrides are the benefits themselves.
    const ARE_BENEFITS: bool = false;

    fn exchange(&mut self, _a: usize, _b: usize) {}

    fn set(&mut self, _row: usize, _benefit: Benefit) {}

    /// Returns the benefit override of a row; meaningless without one.
    fn at(&self, _row: usize) -> Option<Benefit> {
        None
    }
}

impl OverrideColumn for () {
    const NEW: Self = ();
    const ARE_BENEFITS: bool = true;
}

#[derive(Debug, Clone)]
pub struct KeptOverrides<const ACTORS: usize>(Column<Benefit, ACTORS>);

impl<const ACTORS: usize> OverrideColumn for KeptOverrides<ACTORS> {
    const NEW: Self = Self([Benefit::ZERO; ACTORS]);

    fn exchange(&mut self, a: usize, b: usize) {
        exchange(&mut self.0, a, b);
    }

    fn set(&mut self, row: usize, benefit: Benefit) {
        set(&mut self.0, row, benefit);
    }

    fn at(&self, row: usize) -> Option<Benefit> {
        self.0.get(row).copied()
    }
}
