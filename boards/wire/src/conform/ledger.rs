//! Questions about whole ledgers: a scene that is decided for twice. Scenes answer them, of which nothing
//! is known here; whoever answers brings its own.

use heapless::Vec;
use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::budget::{Leftovers, Policy, Scale, Stability};
use lodger_core::error::{Problem, Quantity};
use lodger_core::units::UnitCost;
use lodger_core::{Benefit, Error};
use serde::{Deserialize, Serialize};

use super::backend::Number;
use super::scene::RowQuestion;
use super::words::{Words, push, push_index, push_wide};

/// How many modules one ledger has at most.
pub const MODULES: usize = 3;
/// How many actors, and how many levels, a module has at most.
pub const ROWS: usize = 8;
/// How many levels the different ladders of all actors have at most: a module has two ladders.
pub const LEVELS: usize = 2 * ROWS * MODULES;
/// How often is decided.
pub const TICKS: usize = 2;

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

/// Whoever answers questions about whole ledgers, with scenes of its own.
pub trait Ledgers {
    /// Decides in each tick, and tells what.
    ///
    /// # Errors
    /// When the scene refuses something.
    fn answer<N: Number>(
        &mut self,
        question: &LedgerQuestion,
        told: &mut Told<'_>,
    ) -> Result<(), Refusal>;
}

/// Why there is no plan.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Refusal {
    /// A value makes no sense.
    Value(Error),
    /// The scene is in the way, as one that is full.
    Scene,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self::Value(error)
    }
}

/// What was decided for a scene in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decided {
    /// The factor on every target.
    pub scale: Scale,
    /// By how many nanoseconds fixed charges and minimums exceed the budget.
    pub overcommit: u64,
    /// What is paid first, in nanoseconds.
    pub fixed: u64,
    /// What the plan costs in all, in nanoseconds.
    pub assigned: u64,
    /// How many actors changed their level.
    pub flips: u32,
    /// How many actors are quarantined.
    pub quarantined: usize,
}

/// What was decided for a module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DecidedModule {
    /// What all its actors and its overhead cost, in nanoseconds.
    pub assigned: u64,
    /// The units of work that the levels of its actors add up to.
    pub units: u64,
    /// What a unit of work was planned to cost.
    pub unit_cost: UnitCost,
}

/// Where an answer is told.
#[derive(Debug)]
pub struct Told<'w>(&'w mut Words);

impl Told<'_> {
    /// What was decided for the scene.
    pub fn scene(&mut self, decided: Decided) {
        let Decided { scale, overcommit, fixed, assigned, flips, quarantined } = decided;
        for value in [scale.bits(), overcommit, fixed, assigned] {
            push_wide(self.0, value);
        }
        push(self.0, flips);
        push_index(self.0, quarantined);
    }

    /// What was decided for a module, and the levels of its actors in the order of the question: none for
    /// who left.
    pub fn module(&mut self, decided: DecidedModule, levels: impl Iterator<Item = Option<u8>>) {
        let DecidedModule { assigned, units, unit_cost } = decided;
        for value in [assigned, units, unit_cost.bits()] {
            push_wide(self.0, value);
        }
        let mut four = [u8::MAX; ROWS];
        four.iter_mut().zip(levels).for_each(|(place, level)| *place = level.unwrap_or(u8::MAX));
        for &four in four.as_chunks().0 {
            push(self.0, u32::from_le_bytes(four));
        }
    }
}

/// Has a question answered.
// The stack of the smallest board has room for one kind of question at a time.
#[inline(never)]
pub(super) fn run<N: Number>(
    question: &LedgerQuestion,
    ledgers: &mut impl Ledgers,
    words: &mut Words,
) -> Result<(), Refusal> {
    ledgers.answer::<N>(question, &mut Told(words))
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
pub(super) mod tests {
    use super::*;

    /// Says of a question what it reads in it, and refuses what makes no sense.
    pub(in super::super) struct Echo;

    impl Ledgers for Echo {
        fn answer<N: Number>(
            &mut self,
            question: &LedgerQuestion,
            told: &mut Told<'_>,
        ) -> Result<(), Refusal> {
            for (budget, _) in question.ticks::<N>() {
                told.scene(Decided {
                    scale: Scale::ONE,
                    overcommit: budget,
                    fixed: 0,
                    assigned: budget,
                    flips: question.modules.len().try_into().unwrap(),
                    quarantined: 0,
                });
                for module in &question.modules {
                    module.rule::<N>()?;
                    let unit_cost = module.unit_cost()?;
                    let decided = DecidedModule { assigned: 0, units: 0, unit_cost };
                    let levels = module.actors.iter().map(|actor| actor.forced);
                    told.module(decided, levels);
                }
            }
            Ok(())
        }
    }

    #[test]
    fn every_number_is_a_policy() {
        assert_eq!(policy(0), Policy::Proportional(Leftovers::Keep));
        assert_eq!(policy(3), Policy::Proportional(Leftovers::WholeBudget));
        assert_eq!([policy(4), policy(255)], [Policy::Optimal; 2]);
    }
}
