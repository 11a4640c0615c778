//! The answers, computed by lodger-core alone.

use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::cost::Scale;
use lodger_core::cost::physics::{TriangleMesh, penalised};
use lodger_core::cost::streaming::{Lods, Rules, Streaming};
use lodger_core::importance::{self, DistanceImportance};
use lodger_core::{Error, Fixed, Micro};

use super::ledger;
use super::question::{Backend, BenefitQuestion, Function, Number, Question, Words};

/// Stands before an error in place of an answer.
const REFUSED: u32 = 0xffff_0bad;

/// What lodger-core says, in the number type of `backend`.
#[must_use]
pub fn answer(backend: Backend, question: &Question) -> Words {
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
            importance::<N>(function, arguments.map(N::from_word), end, &mut words)
        }
        &Question::Arithmetic { operands } => {
            arithmetic(operands.map(N::from_word), &mut words);
            Ok(())
        }
        Question::Benefit(question) => benefit::<N>(question, &mut words),
        Question::Ledger(question) => ledger::run::<N>(question, &mut words),
        &Question::Streaming { radius, bytes } => {
            streaming(N::from_word(radius), bytes, &mut words)
        }
        &Question::Physics { corners, scale } => physics::<N>(corners, scale, &mut words),
        Question::End => Ok(()),
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

/// Appends a word. An answer is never longer than its room, by the sizes of the questions.
pub(super) fn push(words: &mut Words, word: u32) {
    let _ = words.push(word);
}

/// Appends 64 bits, the low word first.
#[allow(clippy::cast_possible_truncation)] // one half at a time
pub(super) fn push_wide(words: &mut Words, value: u64) {
    push(words, value as u32);
    push(words, (value >> 32) as u32);
}

fn importance<N: Number>(
    function: Function,
    [value, extent]: [N; 2],
    end: Option<u32>,
    words: &mut Words,
) -> Result<(), Error> {
    let end = end.map(N::from_word);
    let range = extent.span();
    let (text, prepared) = match function {
        Function::SolidAngle => (
            importance::solid_angle(value, extent, end),
            DistanceImportance::SolidAngle.at(
                DistanceImportance::SolidAngle.curve(extent, end)?,
                N::norm_sq([value, N::ZERO, N::ZERO]),
            ),
        ),
        Function::Angular => (
            importance::angular(value, extent, end),
            DistanceImportance::Angular
                .at(DistanceImportance::Angular.curve(extent, end)?, value.square()),
        ),
        Function::Age => (importance::age(value, extent), N::ONE - value.fraction_of(range)),
        Function::Speed => (importance::speed(value, extent), value.fraction_of(range)),
    };
    push(words, text.word());
    push(words, prepared.word());
    Ok(())
}

/// The primitives. Floats keep their NaN to themselves: its bits are the processor's own.
fn arithmetic<N: Number>([a, b]: [N; 2], words: &mut Words) {
    let of_numbers = [a + b, a - b, a * b, a / b]
        .map(|number| if number.is_finite() { number.word() } else { u32::from(number > N::ZERO) });
    let _ = words.extend_from_slice(&of_numbers);
    push(words, a.sqrt().word());
    push(words, a.to_benefit());
    push(words, a.fraction_of(b.span()).word());
}

fn benefit<N: Number>(question: &BenefitQuestion, words: &mut Words) -> Result<(), Error> {
    let [distance, age, speed] = question.weights.map(N::from_word);
    let weights = if question.normalised {
        Weights::normalised(distance, age, speed)?
    } else {
        Weights::new(distance, age, speed)?
    };
    let rule = BenefitRule::new(BenefitTerms {
        distance_importance: if question.angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: question.max_distance.map(N::from_word),
        weights,
        bias: N::from_word(question.bias),
        max_age: Some(N::from_word(question.max_age)),
        max_speed: Some(N::from_word(question.max_speed)),
    })?;
    let row = question.row;
    let state = State {
        position: row.position.map(N::from_word),
        age: N::from_word(row.age),
        speed: N::from_word(row.speed),
    };
    let curve = rule.curve(N::from_word(row.radius))?;
    let benefit = rule.benefit(&[question.eye.map(N::from_word)], curve, state);
    push(words, benefit.is_some().into());
    push(words, benefit.unwrap_or_default().bits());
    Ok(())
}

fn streaming<N: Number>(radius: N, bytes: [i32; 4], words: &mut Words) -> Result<(), Error> {
    let rules = Streaming::<N>::new(Rules::VIEWER)?;
    let [lowest, low, medium, high] = bytes;
    let bytes = Lods { lowest, low, medium, high };
    push(words, rules.cost(radius, bytes).word());
    for lods in [rules.triangles(bytes), rules.cost_shares(radius, bytes)] {
        for number in [lods.lowest, lods.low, lods.medium, lods.high] {
            push(words, number.word());
        }
    }
    Ok(())
}

fn physics<N: Number>(
    corners: [[u32; 3]; 6],
    scale: [u32; 3],
    words: &mut Words,
) -> Result<(), Error> {
    let [a, b, c, d, e, f] = corners.map(|corner| corner.map(N::from_word));
    let scale = Scale::new(scale.map(N::from_word))?;
    push(words, scale.radius().word());
    if let Some(mesh) = TriangleMesh::measure([[a, b, c], [d, e, f]], scale)? {
        let cost = mesh.cost();
        for number in [mesh.mean_width(), cost, penalised(cost, scale)] {
            push(words, number.word());
        }
        push(words, mesh.degenerate());
    }
    Ok(())
}
