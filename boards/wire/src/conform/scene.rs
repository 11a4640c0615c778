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
    /// Whether the distance importance is angular instead of the solid angle.
    pub angular: bool,
    /// The distance at which importance reaches 0, in metres, if there is one.
    pub max_distance: Option<u32>,
    /// The weights of distance, age and speed.
    pub weights: [u32; 3],
    /// Whether the weights are made to total 1.
    pub normalised: bool,
    /// What is added to every benefit.
    pub bias: u32,
    /// The age at which importance reaches 0, in seconds.
    pub max_age: u32,
    /// The speed at which importance reaches 1, in metres per second.
    pub max_speed: u32,
    /// The positions of the viewers, in metres.
    pub eyes: [[u32; 3]; 2],
    /// The actor.
    pub row: RowQuestion,
}

/// An actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowQuestion {
    /// The position, in metres.
    pub position: [u32; 3],
    /// The radius of the bounding sphere, in metres.
    pub radius: u32,
    /// The age, in seconds.
    pub age: u32,
    /// The speed, in metres per second.
    pub speed: u32,
    /// Where its ladder begins in the module's costs; it ends with them.
    pub lowest: u8,
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleQuestion {
    /// What a unit of benefit may cost, in nanoseconds.
    pub benefit_value: u32,
    /// Whether fractions of levels are valid.
    pub continuous: bool,
    /// The distance at which the solid angle reaches 0, in metres, if there is one.
    pub max_distance: Option<u32>,
    /// The age in seconds up to which age counts, as much as distance does; without one, it does not
    /// count.
    pub max_age: Option<u32>,
    /// The costs of its levels, in nanoseconds, not decreasing.
    pub costs: Vec<u32, ROWS>,
    /// Its actors.
    pub rows: Vec<RowQuestion, ROWS>,
}

/// A scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerQuestion {
    /// What all actors together may cost, in nanoseconds.
    pub budget: u64,
    /// What is paid first, in nanoseconds.
    pub fixed: u64,
    /// Who may spend the leftovers: 0 for nobody, 1 for the module, 2 for any module, 3 for any module
    /// with the whole budget.
    pub leftovers: u8,
    /// The position of the viewer, in metres.
    pub eye: [u32; 3],
    /// The modules.
    pub modules: Vec<ModuleQuestion, MODULES>,
}
