//! The answers, computed by lodger-core alone but for whole ledgers.

mod cost;
mod importance;

use lodger_core::{Error, Fixed, Micro};

use super::backend::{Backend, Number};
use super::ledger::{Ledgers, Refusal};
use super::question::Question;
use super::scene::LedgerQuestion;
use super::words::{Words, push};
use super::{assignment, ledger, linking, policy};

/// Stands before an error in place of an answer.
const REFUSED: u32 = 0xffff_0bad;

/// What lodger-core and, of whole ledgers, `ledgers` says in the number type of `backend`.
#[must_use]
pub fn answer(backend: Backend, question: &Question, ledgers: &mut impl Ledgers) -> Words {
    let Question::Ledger(question) = question else { return answer_alone(backend, question) };
    match backend {
        Backend::F32 => decide::<f32>(question, ledgers),
        Backend::Fixed => decide::<Fixed>(question, ledgers),
        Backend::Micro => decide::<Micro>(question, ledgers),
    }
}

/// The answer to a question about a whole ledger.
fn decide<N: Number>(question: &LedgerQuestion, ledgers: &mut impl Ledgers) -> Words {
    let mut words = Words::new();
    match ledger::run::<N>(question, ledgers, &mut words) {
        Err(Refusal::Value(error)) => refuse(error, &mut words),
        Err(Refusal::Scene) => {
            words.clear();
            push(&mut words, REFUSED);
        }
        Ok(()) => {}
    }
    words
}

/// The answers for which nobody else is needed.
// With no type of the caller's it is compiled with this crate, which has to be small.
#[inline(never)]
fn answer_alone(backend: Backend, question: &Question) -> Words {
    match backend {
        Backend::F32 => answer_in::<f32>(question),
        Backend::Fixed => answer_in::<Fixed>(question),
        Backend::Micro => answer_in::<Micro>(question),
    }
}

fn answer_in<N: Number>(question: &Question) -> Words {
    let mut words = Words::new();
    let outcome = match question {
        &Question::Importance { function, arguments, end } => {
            importance::importance::<N>(function, arguments.map(N::from_word), end, &mut words)
        }
        &Question::Arithmetic { operands } => {
            importance::arithmetic(operands.map(N::from_word), &mut words);
            Ok(())
        }
        Question::Benefit(question) => importance::benefit::<N>(question, &mut words),
        Question::Assignment(question) => {
            assignment::run(question, &mut words);
            Ok(())
        }
        Question::Policy(question) => {
            policy::run(question, &mut words);
            Ok(())
        }
        Question::Calibration { unit_cost, observations } => {
            importance::calibration(N::from_word(*unit_cost), observations, &mut words)
        }
        Question::Streaming(question) => cost::streaming::<N>(question, &mut words),
        &Question::Room { asset, limit } => cost::room(asset, N::from_word(limit), &mut words),
        Question::Physics(question) => cost::physics::<N>(question, &mut words),
        Question::Body(question) => cost::body::<N>(question, &mut words),
        Question::Simulator(question) => cost::simulator::<N>(question, &mut words),
        Question::LandImpact(question) => cost::land_impact::<N>(question, &mut words),
        Question::Linking(prims) => linking::run::<N>(prims, &mut words),
        Question::Ledger(_) | Question::End => Ok(()),
    };
    if let Err(error) = outcome {
        refuse(error, &mut words);
    }
    words
}

/// The error in words: what was wrong, and in what way.
fn refuse(error: Error, words: &mut Words) {
    words.clear();
    push(words, REFUSED);
    push(words, error.quantity() as u32);
    push(words, error.problem() as u32);
}
