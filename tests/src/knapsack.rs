//! Levels for money as a problem of its own: choose one level for each actor, worth the most, that together cost no
//! more than there is. A multiple-choice knapsack, with an exact solver and instances that are hard for one.
//!
//! Values are benefit times quality in 2⁻³¹, benefits in 2⁻¹⁶ and qualities in 2⁻¹⁵.

pub mod exact;
pub mod generate;
pub mod relaxation;

/// Actors that want money.
#[derive(Debug, Clone)]
pub struct Instance {
    /// How it was made.
    pub class: generate::Class,
    /// What there is.
    pub budget: u64,
    /// What of it is spent already.
    pub fixed: u64,
    /// How many modules there are.
    pub modules: usize,
    /// Those who are chosen for.
    pub actors: Vec<Actor>,
}

/// An actor, its valid levels from the lowest on.
#[derive(Debug, Clone)]
pub struct Actor {
    /// Its module.
    pub module: usize,
    /// In 2⁻¹⁶.
    pub benefit: u32,
    /// The lowest valid level.
    pub lowest: u8,
    /// What each level costs; not decreasing.
    pub costs: Vec<u32>,
    /// How good each level is, in 2⁻¹⁵; not decreasing.
    pub qualities: Vec<u16>,
}

impl Actor {
    /// What a level is worth.
    #[must_use]
    pub fn value(&self, level: usize) -> i128 {
        i128::from(self.benefit) * i128::from(self.qualities[level])
    }

    /// What it costs more than the lowest.
    #[must_use]
    pub fn extra(&self, level: usize) -> i128 {
        i128::from(self.costs[level]) - i128::from(self.costs[0])
    }

    /// The best of the levels that cost no more than the lowest.
    #[must_use]
    pub fn foot(&self) -> usize {
        (0..self.costs.len()).rev().find(|&level| self.extra(level) == 0).unwrap_or(0)
    }
}

impl Instance {
    /// What is left for more than the lowest levels.
    #[must_use]
    pub fn spare(&self) -> i128 {
        let least: i128 = self.actors.iter().map(|actor| i128::from(actor.costs[0])).sum();
        i128::from(self.budget) - i128::from(self.fixed) - least
    }

    /// What the least is worth that everybody gets.
    #[must_use]
    pub fn least_value(&self) -> i128 {
        self.actors.iter().map(|actor| actor.value(actor.foot())).sum()
    }
}
