//! The levels of many actors who share ladders: the question, and the answer. No number type has a part
//! in it, but cores differ in how they choose levels.

use heapless::Vec;
use lodger_core::Benefit;
use lodger_core::budget::{Account, Book, LadderSpan, Ladders, Scale};
use lodger_core::units::BenefitValue;
use serde::{Deserialize, Serialize};

use super::scene::ROWS;
use super::words::{Words, push, push_wide};

/// How many actors are assigned at most.
pub const ACTORS: usize = 40;

/// Actors of one module, whose levels are asked for.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AssignmentQuestion {
    /// What a unit of benefit may cost, in nanoseconds.
    pub benefit_value: u32,
    /// What is available, in nanoseconds; over what is wanted it makes the scale.
    pub available: u32,
    /// What all targets add up to, in nanoseconds.
    pub wanted: u32,
    /// The costs of all levels, in nanoseconds, not decreasing. A second ladder lacks the first of
    /// them.
    pub costs: Vec<u32, ROWS>,
    /// How many neighbours share a ladder before as many share the other one; 0 if all have the
    /// first.
    pub run: u8,
    /// The benefits of the actors, in units of 2⁻¹⁶.
    pub benefits: Vec<u32, ACTORS>,
}

/// Assigns the actors, and adds up their shares.
pub(super) fn run(question: &AssignmentQuestion, words: &mut Words) {
    let AssignmentQuestion { benefit_value, available, wanted, costs, run, benefits } = question;
    let benefits: Vec<_, ACTORS> = benefits.iter().copied().map(Benefit::from_bits).collect();
    let run = usize::from(*run);
    let actors = if run == 0 { 0 } else { benefits.len() };
    let ladder: Vec<u32, ACTORS> = (0..actors)
        .map(|row| u32::from(row.checked_div(run).is_some_and(|n| n % 2 == 1)))
        .collect();
    let len = u16::try_from(costs.len()).unwrap_or(0);
    let second = u8::from(len > 1);
    let account = Account {
        benefit_value: BenefitValue::from_ns(*benefit_value),
        continuous: false,
        ladders: Ladders {
            spans: &[
                LadderSpan::new(0, len, 0),
                LadderSpan::new(second.into(), len.saturating_sub(second.into()), second),
            ],
            costs,
        },
        ladder: &ladder,
        benefits: &benefits,
    };
    let scale = Scale::fitting((*available).into(), (*wanted).into());
    let mut levels = [0; ACTORS];
    let mut book = Book { account, levels: &mut levels, ..Book::default() };
    push_wide(words, book.assign(scale));
    push_wide(words, account.shares(scale));
    for &four in levels.as_chunks().0 {
        push(words, u32::from_le_bytes(four));
    }
}
