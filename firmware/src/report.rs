//! What a frame tells about itself.

use lodger_core::budget::{Decision, Load};
use lodger_core::calibration::Headroom;
use lodger_core::units::{Budget, UnitCost};

/// How many levels a module of the app has at most.
pub const MAX_LEVELS: usize = 8;

/// Takes the reports of frames to wherever somebody reads them.
///
/// # For users
/// A report may get lost on its way; the frame loop does not wait for it and does not learn of it.
///
/// # For implementors
/// Called once a frame, after everything was measured and before anything is drawn. It does not fail
/// or panic, and it is better to drop a report than to hold a frame up. Whatever it takes is not
/// measured, but the frame is later for it.
///
/// On a board this is a few lines of defmt (every type here has `defmt::Format` behind the feature
/// `defmt`), on a host a vector or nothing: `()` drops every report.
pub trait Report {
    /// Takes the report of one frame.
    fn frame(&mut self, report: &FrameReport);
}

impl Report for () {
    fn frame(&mut self, _: &FrameReport) {}
}

impl<F: FnMut(&FrameReport)> Report for F {
    fn frame(&mut self, report: &FrameReport) {
        self(report);
    }
}

/// What was decided in a frame, and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FrameReport {
    /// The number of the frame; the first is 0. It wraps.
    pub frame: u32,
    /// What the modules together might spend.
    pub budget: Budget,
    /// What overheads and forced levels are to cost, in nanoseconds, which is paid first: of actors whose
    /// level was chosen, and of all in a module that the ledger does not decide for.
    pub fixed: u64,
    /// The part of the budget that was not planned with.
    pub headroom: Headroom,
    /// How well the budget pays for what nobody can do without.
    pub load: Load,
    /// What the ledger decided for the scene. Its `overcommit` is by how many nanoseconds even the
    /// lowest levels exceed the budget.
    pub decision: Decision,
    /// Nanoseconds that the ledger itself took; they are not part of the budget.
    pub ledger: u64,
    /// The cloths.
    pub cloth: ModuleReport,
    /// The particles.
    pub particles: ModuleReport,
}

/// What one module was given in a frame, and what it took.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleReport {
    /// How many actors are at each level.
    pub levels: [u16; MAX_LEVELS],
    /// How many actors the ledger does not decide for.
    pub forced: u16,
    /// How many actors have no benefit, because their state is not sound.
    pub quarantined: u16,
    /// The work that was assigned and done, in the module's units.
    pub units: u32,
    /// What that and the overhead were to cost, in nanoseconds.
    pub planned: u64,
    /// What it took, in nanoseconds.
    pub measured: u64,
    /// What a unit is planned with from the next frame on.
    pub unit_cost: UnitCost,
    /// What a unit costs by the measurements alone.
    pub raw_unit_cost: UnitCost,
}

impl ModuleReport {
    /// That of a module that is not there.
    pub const NONE: Self = Self {
        levels: [0; MAX_LEVELS],
        forced: 0,
        quarantined: 0,
        units: 0,
        planned: 0,
        measured: 0,
        unit_cost: LEAST,
        raw_unit_cost: LEAST,
    };
}

/// The least unit cost that there is.
const LEAST: UnitCost = match UnitCost::from_bits(1) {
    Some(least) => least,
    None => unreachable!(),
};

impl FrameReport {
    /// What the work of all modules was to cost, in nanoseconds.
    #[must_use]
    pub const fn planned(&self) -> u64 {
        self.cloth.planned.saturating_add(self.particles.planned)
    }

    /// What it took, in nanoseconds.
    #[must_use]
    pub const fn measured(&self) -> u64 {
        self.cloth.measured.saturating_add(self.particles.measured)
    }

    /// By how many nanoseconds the frame ran over its budget.
    #[must_use]
    pub const fn over_budget(&self) -> u64 {
        match self.budget.ns() {
            Some(budget) => self.measured().saturating_sub(budget),
            None => 0,
        }
    }

    /// How many actors are quarantined.
    #[must_use]
    pub const fn quarantined(&self) -> u16 {
        self.cloth.quarantined.saturating_add(self.particles.quarantined)
    }
}
