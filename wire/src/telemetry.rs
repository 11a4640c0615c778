//! What a frame loop tells its host: what was decided in a frame, and what it took.

use heapless::{String, Vec};
use serde::{Deserialize, Serialize};

/// How many modules a frame has at most.
pub const MODULES: usize = 4;
/// How many levels a module has at most.
pub const LEVELS: usize = 8;
/// How many bytes the name of a module has at most.
pub const NAME: usize = 16;

/// A frame of a board. Times are in the nanoseconds of the board's clock.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Frame {
    /// The number of the frame; the first is 0. It wraps.
    pub number: u32,
    /// What the modules together might spend; `None` is unlimited.
    pub budget: Option<u64>,
    /// By how much even the lowest levels exceed the budget.
    pub overcommit: u64,
    /// The scale of the targets: so many 2⁻³².
    pub scale: u64,
    /// What the ledger itself took; it is not part of the budget.
    pub ledger: u64,
    /// The modules.
    pub modules: Vec<Module, MODULES>,
}

/// A module in a frame.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Module {
    /// Its name.
    pub name: String<NAME>,
    /// How many actors are at each level, from the cheapest.
    pub levels: Vec<u16, LEVELS>,
    /// How many actors have no benefit, because their state is not sound.
    pub quarantined: u16,
    /// The work that was assigned and done, in the module's units.
    pub units: u32,
    /// What that was to cost.
    pub planned: u64,
    /// What it took.
    pub measured: u64,
}

impl Frame {
    /// What the work of all modules took.
    #[must_use]
    pub fn measured(&self) -> u64 {
        self.modules.iter().fold(0, |sum, module| sum.saturating_add(module.measured))
    }
}
