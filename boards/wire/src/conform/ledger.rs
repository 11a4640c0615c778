//! Whole ledgers: a scene that is decided for twice. Scenes answer such questions, of which nothing is known
//! here; whoever answers brings its own.

use lodger_core::Error;
use lodger_core::budget::Scale;
use lodger_core::units::UnitCost;

use super::backend::Number;
use super::scene::{LedgerQuestion, ROWS};
use super::words::{Words, push, push_index, push_wide};

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
}
