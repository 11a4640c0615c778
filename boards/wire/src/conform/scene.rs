//! Questions about benefits and ledgers. Numbers of actors and rules are the bits of the backend's type.

use heapless::Vec;
use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::budget::{Leftovers, Policy, Stability};
use lodger_core::error::{Problem, Quantity};
use lodger_core::units::UnitCost;
use lodger_core::{Benefit, Error};
use serde::{Deserialize, Serialize};

use super::backend::Number;

/// How many modules one ledger has at most.
pub const MODULES: usize = 3;
/// How many actors, and how many levels, a module has at most.
pub const ROWS: usize = 8;
/// How many levels the different ladders of all actors have at most: a module has two ladders.
pub const LEVELS: usize = 2 * ROWS * MODULES;
/// How often is decided.
pub const TICKS: usize = 2;

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

/// The state of an actor.
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
}

/// A scene.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LedgerQuestion {
    /// What all actors together may cost in each tick, in nanoseconds.
    pub budgets: [u64; TICKS],
    /// Who may spend the leftovers: 0 for nobody, 1 for the module, 2 for any module, 3 for any module
    /// with the whole budget; any other number is the optimal policy, without trials.
    pub policy: u8,
    /// What a change must earn: margin and reserve, in 2⁻⁸.
    pub stability: [u8; 2],
    /// How many actors may rise.
    pub max_raises: Option<u8>,
    /// Whether the budget pays for modules that are not managed.
    pub counts_unmanaged: bool,
    /// The position of the viewer in each tick, in metres.
    pub eyes: [[u32; 3]; TICKS],
    /// The modules.
    pub modules: Vec<ModuleQuestion, MODULES>,
}

/// A module with its actors.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModuleQuestion {
    /// What a unit of work costs, in 2⁻³² ns.
    pub unit_cost: u64,
    /// What a unit of benefit may cost, in nanoseconds.
    pub benefit_value: u32,
    /// Whether levels are chosen.
    pub managed: bool,
    /// The highest level that an actor gets that is not forced.
    pub cap: Option<u8>,
    /// The constant part of the work, in units.
    pub overhead: u32,
    /// The distance at which the solid angle reaches 0, in metres, if there is one.
    pub max_distance: Option<u32>,
    /// The age in seconds up to which age counts, as much as distance does; without one, it does not
    /// count.
    pub max_age: Option<u32>,
    /// The work at its levels, in units, not decreasing.
    pub work: Vec<u32, ROWS>,
    /// The lowest and the highest level of actors that are confined.
    pub range: [u8; 2],
    /// Its actors.
    pub actors: Vec<ActorQuestion, ROWS>,
    /// What was measured between the ticks: units of work, and what they took in nanoseconds.
    pub measured: Option<(u32, u32)>,
    /// Who leaves between the ticks.
    pub leaves: Option<u8>,
}

/// An actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct ActorQuestion {
    /// Its state.
    pub row: RowQuestion,
    /// Its benefit in 2⁻¹⁶, if that is given.
    pub given: Option<u32>,
    /// Whether it is confined to its module's range.
    pub confined: bool,
    /// The level that it is forced to.
    pub forced: Option<u8>,
}

impl LedgerQuestion {
    /// How the budget is divided.
    #[must_use]
    pub const fn policy(&self) -> Policy {
        policy(self.policy)
    }

    /// What changes must earn.
    #[must_use]
    pub const fn stability(&self) -> Stability {
        let [margin, reserve] = self.stability;
        Stability { margin, reserve }
    }

    /// Budget and viewer of each tick.
    pub fn ticks<N: Number>(&self) -> impl Iterator<Item = (u64, [N; 3])> {
        let eyes = self.eyes.map(|eye| eye.map(N::from_word));
        self.budgets.into_iter().zip(eyes)
    }
}

impl ModuleQuestion {
    /// What a unit of work costs.
    ///
    /// # Errors
    /// When it is nothing.
    pub fn unit_cost(&self) -> Result<UnitCost, Error> {
        let refused = Error::new(Quantity::UnitCost, Problem::NotPositive);
        UnitCost::from_bits(self.unit_cost).ok_or(refused)
    }

    /// How benefits are computed.
    ///
    /// # Errors
    /// For numbers that make no rule.
    pub fn rule<N: Number>(&self) -> Result<BenefitRule<N>, Error> {
        let half = N::from_f64(0.5).unwrap_or(N::ZERO);
        BenefitRule::new(BenefitTerms {
            max_distance: self.max_distance.map(N::from_word),
            weights: match self.max_age {
                Some(_) => Weights::new(half, half, N::ZERO)?,
                None => Weights::DISTANCE,
            },
            max_age: self.max_age.map(N::from_word),
            ..BenefitTerms::default()
        })
    }
}

impl ActorQuestion {
    /// Its benefit, if that is given.
    #[must_use]
    pub fn given(&self) -> Option<Benefit> {
        self.given.map(Benefit::from_bits)
    }

    /// Where and how it is.
    #[must_use]
    pub fn state<N: Number>(&self) -> State<N> {
        let RowQuestion { position, age, speed, .. } = self.row;
        let [age, speed] = [age, speed].map(N::from_word);
        State { position: position.map(N::from_word), age, speed }
    }

    /// The radius of its bounding sphere, in metres.
    #[must_use]
    pub fn radius<N: Number>(&self) -> N {
        N::from_word(self.row.radius)
    }
}

/// The policy of that number.
pub(super) const fn policy(number: u8) -> Policy {
    Policy::Proportional(match number {
        0 => Leftovers::Keep,
        1 => Leftovers::WithinModule,
        2 => Leftovers::AcrossModules,
        3 => Leftovers::WholeBudget,
        _ => return Policy::Optimal,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_number_is_a_policy() {
        assert_eq!(policy(0), Policy::Proportional(Leftovers::Keep));
        assert_eq!(policy(3), Policy::Proportional(Leftovers::WholeBudget));
        assert_eq!([policy(4), policy(255)], [Policy::Optimal; 2]);
    }
}
