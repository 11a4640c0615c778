//! Questions about benefits and ledgers. All numbers are the bits of the backend's type.

use heapless::Vec;
use serde::{Deserialize, Serialize};

/// How many modules one ledger has at most.
pub const MODULES: usize = 3;
/// How many actors, and how many costs, a module has at most.
pub const ROWS: usize = 8;
/// The terms of a benefit and the state of one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct BenefitQuestion {
    /// Angular instead of solid angle.
    pub angular: bool,
    /// Of the distance importance.
    pub max_distance: Option<u32>,
    /// Of distance, age and speed.
    pub weights: [u32; 3],
    /// Whether the weights are made to total 1.
    pub normalised: bool,
    /// Added to every benefit.
    pub bias: u32,
    /// Of the age importance.
    pub max_age: u32,
    /// Of the speed importance.
    pub max_speed: u32,
    /// The viewers.
    pub eyes: [[u32; 3]; 2],
    /// The actor.
    pub row: RowQuestion,
}

/// An actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowQuestion {
    /// In metres.
    pub position: [u32; 3],
    /// In metres.
    pub radius: u32,
    /// In seconds.
    pub age: u32,
    /// In metres per second.
    pub speed: u32,
    /// Where its ladder begins in the module's costs; it ends with them.
    pub lowest: u8,
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleQuestion {
    /// In nanoseconds for a unit.
    pub benefit_value: u32,
    /// Whether fractions of levels are valid.
    pub continuous: bool,
    /// Of the solid angle.
    pub max_distance: Option<u32>,
    /// Age counts as much as distance up to here; not at all without it.
    pub max_age: Option<u32>,
    /// Of its levels, in nanoseconds, not decreasing.
    pub costs: Vec<u32, ROWS>,
    /// Its actors.
    pub rows: Vec<RowQuestion, ROWS>,
}

/// A scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerQuestion {
    /// In nanoseconds.
    pub budget: u64,
    /// Paid first, in nanoseconds.
    pub fixed: u64,
    /// 0 to 3: kept, within the module, across modules, the whole budget.
    pub leftovers: u8,
    /// The viewer.
    pub eye: [u32; 3],
    /// The modules.
    pub modules: Vec<ModuleQuestion, MODULES>,
}
