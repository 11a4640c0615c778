//! The time of a tick itself: set by the program, or measured.

use core::fmt::Debug;

use lodger_core::calibration::{OwnCost, PlanWork};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::UnitCost;

/// The time of a tick itself, which every budget pays first.
pub trait TickCost: Debug + Clone {
    const NONE: Self;

    fn new(nanoseconds: u64) -> Result<Self, ValueError>;

    fn ns(&self) -> u32;

    /// Adds the cost to the work of a frame.
    fn add_to(&mut self, work: &mut PlanWork);

    /// Multiplies the cost by a fraction; `None` if it would be too large.
    fn scaled(&self, numerator: u32, denominator: u32) -> Option<Self>;

    /// Lets the cost follow a measured time.
    fn observe(&mut self, _nanoseconds: u64) {}
}

/// A cost that is not measured: the bits of the unit cost of one unit, or 0.
#[derive(Debug, Clone)]
pub struct SetCost(u64);

impl SetCost {
    fn unit_cost(&self) -> Option<UnitCost> {
        UnitCost::from_bits(self.0)
    }
}

impl TickCost for SetCost {
    const NONE: Self = Self(0);

    fn new(nanoseconds: u64) -> Result<Self, ValueError> {
        let ns = u32::try_from(nanoseconds)
            .map_err(|_| ValueError::new(Quantity::Cost, ValueProblem::TooLarge))?;
        Ok(Self(u64::from(ns) << 32))
    }

    fn ns(&self) -> u32 {
        self.unit_cost().map_or(0, |cost| cost.of(1).unwrap_or(u32::MAX))
    }

    fn add_to(&mut self, work: &mut PlanWork) {
        work.add(None, true, self.ns().into());
    }

    fn scaled(&self, numerator: u32, denominator: u32) -> Option<Self> {
        let Some(cost) = self.unit_cost() else { return Some(Self::NONE) };
        let cost = cost.scaled(numerator, denominator)?;
        cost.of(1).map(|_| Self(cost.bits()))
    }
}

impl TickCost for Option<OwnCost> {
    const NONE: Self = None;

    fn new(nanoseconds: u64) -> Result<Self, ValueError> {
        OwnCost::new(nanoseconds)
    }

    fn ns(&self) -> u32 {
        self.as_ref().map_or(0, OwnCost::ns)
    }

    fn add_to(&mut self, work: &mut PlanWork) {
        if let Some(own) = self {
            own.add_to(work);
        }
    }

    fn scaled(&self, numerator: u32, denominator: u32) -> Option<Self> {
        match self {
            Some(own) => own.scaled(numerator, denominator).map(Some),
            None => Some(None),
        }
    }

    fn observe(&mut self, nanoseconds: u64) {
        match self {
            Some(own) => own.observe(nanoseconds),
            None => *self = OwnCost::measured(nanoseconds),
        }
    }
}
