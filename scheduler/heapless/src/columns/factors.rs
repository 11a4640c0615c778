//! The factors of benefits beside the rule: of views, and of priorities.

use core::fmt::Debug;
use core::ops::Range;

use lodger_core::benefit::{OutsideFactor, Priority};
use lodger_core::{Benefit, Real};

use super::states::{Eyes, Lenses, States};

/// The settings of a module for views, or nothing.
pub trait ModuleSight: Debug + Clone {
    const NEW: Self;

    /// Returns the factor of benefits outside of views.
    fn outside(&self) -> OutsideFactor {
        OutsideFactor::ONE
    }

    fn set_outside(&mut self, _factor: OutsideFactor) {}

    /// Sets whether the program says which actors are in view.
    fn set_view_given(&mut self, _is_given: bool) {}
}

impl ModuleSight for () {
    const NEW: Self = ();
}

/// Views with a zoom or a frustum, and the rows that they see; or nothing. `M` has the settings of a module.
pub trait ViewColumns<N: Real, M>: Debug + Clone {
    const NEW: Self;

    /// Sets a new row.
    fn add(&mut self, _row: usize, _radius: N) {}

    fn exchange(&mut self, _a: usize, _b: usize) {}

    fn set_radius(&mut self, _row: usize, _radius: N) {}

    /// Computes the [benefits](States::benefits) of rows, as far as the views see them.
    fn benefits<R>(
        &mut self,
        _module: &M,
        (states, rule): (&mut impl States<N, R>, &R),
        rows: Range<usize>,
        out: &mut [Benefit],
    ) -> Option<usize> {
        states.benefits(rule, rows, out)
    }

    /// Tests what views see of a row with a benefit override, and returns its benefit before the priority.
    fn overridden<R>(
        &mut self,
        _module: &M,
        _states: (&mut impl States<N, R>, &R),
        _row: usize,
        given: Benefit,
    ) -> Benefit {
        given
    }

    /// Sets whether a row is in view, for modules whose program says so.
    fn set_in_view(&mut self, _row: usize, _is_in_view: bool) {}

    /// Sets views without a zoom or a frustum.
    fn set_eyes(&mut self, _eyes: &Eyes<N>) {}

    fn set_lenses(&mut self, _lenses: Lenses<N>) {}
}

impl<N: Real> ViewColumns<N, ()> for () {
    const NEW: Self = ();
}

/// The priority of a module, or nothing.
pub trait ModulePriority: Debug + Clone {
    const NEW: Self;

    fn get(&self) -> Priority {
        Priority::ONE
    }

    fn set(&mut self, _priority: Priority) {}
}

impl ModulePriority for () {
    const NEW: Self = ();
}

/// The priorities of rows, or nothing. `M` has the priority of a module.
pub trait PriorityColumn<M>: Debug + Clone {
    const NEW: Self;

    fn exchange(&mut self, _a: usize, _b: usize) {}

    fn set(&mut self, _row: usize, _priority: Priority) {}

    fn at(&self, _row: usize) -> Priority {
        Priority::ONE
    }

    /// Multiplies the benefits of a module's rows by their priorities.
    fn prioritise(&self, _module: &M, _rows: Range<usize>, _benefits: &mut [Benefit]) {}
}

impl PriorityColumn<()> for () {
    const NEW: Self = ();
}
