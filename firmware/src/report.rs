//! The report of a frame.

use lodger_core::budget::{Decision, Load};
use lodger_core::calibration::Headroom;
use lodger_core::units::{Budget, UnitCost};

/// The maximum number of levels of a module of the app.
pub const MAX_LEVELS: usize = 8;

/// The decision and the times of a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FrameReport {
    /// The number of the frame; the first is 0. It wraps.
    pub frame: u32,
    /// The budget of all modules.
    pub budget: Budget,
    /// The reserved cost in nanoseconds: of overheads, of forced actors, and of all actors of unmanaged modules.
    pub fixed: u64,
    /// The part of the budget that was kept free.
    pub headroom: Headroom,
    /// Whether the budget pays for the minimums.
    pub load: Load,
    /// The decision for the scene. Its `overcommit` is the nanoseconds by which even the lowest levels exceed the budget.
    pub decision: Decision,
    /// The time of the decision, in nanoseconds; it is not part of the budget.
    pub decision_time: u64,
    /// The cloths.
    pub cloth: ModuleFrameReport,
    /// The particles.
    pub particles: ModuleFrameReport,
}

/// The plan and the measured time of a module in a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleFrameReport {
    /// The number of actors at each level.
    pub levels: [u16; MAX_LEVELS],
    /// The number of actors whose level is forced or unmanaged.
    pub forced: u16,
    /// The number of actors without a benefit, because their state is invalid.
    pub quarantined: u16,
    /// The assigned work, in the units of the module.
    pub units: u32,
    /// The planned cost of this work and of the overhead, in nanoseconds.
    pub planned: u64,
    /// The measured time, in nanoseconds.
    pub measured: u64,
    /// The unit cost for the next frame.
    pub unit_cost: UnitCost,
    /// The unit cost by measurements alone.
    pub raw_unit_cost: UnitCost,
}

impl ModuleFrameReport {
    /// The report of a missing module.
    pub const NONE: Self = Self {
        levels: [0; MAX_LEVELS],
        forced: 0,
        quarantined: 0,
        units: 0,
        planned: 0,
        measured: 0,
        unit_cost: MIN_UNIT_COST,
        raw_unit_cost: MIN_UNIT_COST,
    };
}

const MIN_UNIT_COST: UnitCost = match UnitCost::from_bits(1) {
    Some(cost) => cost,
    None => unreachable!(),
};

impl FrameReport {
    /// Returns the planned cost of all modules, in nanoseconds.
    #[must_use]
    pub const fn planned(&self) -> u64 {
        self.cloth.planned.saturating_add(self.particles.planned)
    }

    /// Returns the measured time of all modules, in nanoseconds.
    #[must_use]
    pub const fn measured(&self) -> u64 {
        self.cloth.measured.saturating_add(self.particles.measured)
    }

    /// Returns the nanoseconds by which the frame exceeded its budget.
    #[must_use]
    pub const fn over_budget(&self) -> u64 {
        match self.budget.ns() {
            Some(budget) => self.measured().saturating_sub(budget),
            None => 0,
        }
    }

    /// Returns the number of quarantined actors.
    #[must_use]
    pub const fn quarantined(&self) -> u16 {
        self.cloth.quarantined.saturating_add(self.particles.quarantined)
    }
}
