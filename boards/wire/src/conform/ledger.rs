//! A whole ledger in memory that is fixed at compile time.

use heapless::Vec;
use lodger_core::benefit::{BenefitRule, BenefitTerms, Columns, Weights};
use lodger_core::budget::{
    Account, Bid, Book, Decision, LadderSpan, Ladders, Leftovers, Policy, Request, Room, Standing,
    decide,
};
use lodger_core::importance::Curve;
use lodger_core::units::{BenefitValue, Budget};
use lodger_core::{Benefit, Error};

use super::backend::Number;
use super::scene::{LedgerQuestion, MODULES, ModuleQuestion, ROWS};
use super::words::{Words, push, push_wide};

/// A module's columns.
#[derive(Default)]
struct Module<'a> {
    value: BenefitValue,
    continuous: bool,
    costs: &'a [u32],
    spans: Vec<LadderSpan, ROWS>,
    ladder: Vec<u32, ROWS>,
    ids: Vec<u32, ROWS>,
    benefits: Vec<Benefit, ROWS>,
    levels: [u8; ROWS],
    fractions: [u16; ROWS],
}

impl<'a> Module<'a> {
    fn new<N: Number>(
        question: &'a ModuleQuestion,
        eye: [N; 3],
        first_id: u32,
    ) -> Result<Self, Error> {
        let mut module = Self {
            value: BenefitValue::from_ns(question.benefit_value),
            continuous: question.continuous,
            costs: &question.costs,
            benefits: benefits(question, eye)?,
            ..Self::default()
        };
        let len = u16::try_from(question.costs.len()).unwrap_or(0);
        for ((row, place), id) in question.rows.iter().zip(0_u32..).zip(first_id..) {
            let lowest = u16::from(row.lowest).min(len.saturating_sub(1));
            let span = LadderSpan::new(lowest.into(), len - lowest, row.lowest);
            // The columns are as long as the rows that they are made from.
            let _ = module.spans.push(span);
            let _ = module.ladder.push(place);
            let _ = module.ids.push(id);
        }
        Ok(module)
    }

    fn book(&mut self) -> Book<'_> {
        Book {
            account: Account {
                benefit_value: self.value,
                continuous: self.continuous,
                ladders: Ladders { spans: &self.spans, costs: self.costs },
                ladder: &self.ladder,
                benefits: &self.benefits,
            },
            ids: &self.ids,
            levels: &mut self.levels,
            fractions: &mut self.fractions,
            ..Book::default()
        }
    }
}

fn benefits<N: Number>(
    question: &ModuleQuestion,
    eye: [N; 3],
) -> Result<Vec<Benefit, ROWS>, Error> {
    let half = N::from_f64(0.5).unwrap_or(N::ZERO);
    let rule = BenefitRule::new(BenefitTerms {
        max_distance: question.max_distance.map(N::from_word),
        weights: match question.max_age {
            Some(_) => Weights::new(half, half, N::ZERO)?,
            None => Weights::DISTANCE,
        },
        max_age: question.max_age.map(N::from_word),
        ..BenefitTerms::default()
    })?;
    let mut columns = [[N::ZERO; ROWS]; 5];
    let [x, y, z, age, speed] = &mut columns;
    let mut curve = [Curve::default(); ROWS];
    let mut out = [Benefit::ZERO; ROWS];
    let places = x.iter_mut().zip(y.iter_mut()).zip(z.iter_mut());
    let times = age.iter_mut().zip(speed.iter_mut());
    let rows = places.zip(times).zip(&mut curve).zip(&question.rows);
    for (((((x, y), z), (age, speed)), curve), row) in rows {
        [*x, *y, *z] = row.position.map(N::from_word);
        (*age, *speed) = (N::from_word(row.age), N::from_word(row.speed));
        *curve = rule.curve(N::from_word(row.radius))?;
    }
    rule.benefits(&[eye], Columns { x, y, z, age, speed, curve: &curve }, &mut out);
    Ok(out.into_iter().take(question.rows.len()).collect())
}

/// Decides; the words are what was decided for the scene and for each actor.
// The stack of the smallest board has room for one kind of question at a time.
#[inline(never)]
pub(super) fn run<N: Number>(question: &LedgerQuestion, words: &mut Words) -> Result<(), Error> {
    let eye = question.eye.map(N::from_word);
    let mut modules = Vec::<Module<'_>, MODULES>::new();
    for (module, first_id) in question.modules.iter().zip((0_u32..).step_by(ROWS)) {
        let _ = modules.push(Module::new(module, eye, first_id)?);
    }
    let request = Request {
        budget: Budget::from_ns(question.budget),
        fixed: question.fixed,
        policy: Policy::Proportional(leftovers(question.leftovers)),
        ..Request::default()
    };
    let Decision { available, overcommit, scale, assigned, .. } = {
        let mut books: Vec<Book<'_>, MODULES> = modules.iter_mut().map(Module::book).collect();
        let room = Room { bids: &mut [Bid::default(); MODULES * ROWS], trials: &mut [] };
        decide(&request, &mut Standing::default(), &mut books[..], room)
    };
    for value in [available, overcommit, scale.bits(), assigned] {
        push_wide(words, value);
    }
    for module in &modules {
        write(module, words);
    }
    Ok(())
}

pub(super) fn leftovers(number: u8) -> Leftovers {
    match number {
        0 => Leftovers::Keep,
        1 => Leftovers::WithinModule,
        2 => Leftovers::AcrossModules,
        _ => Leftovers::WholeBudget,
    }
}

fn write(module: &Module<'_>, words: &mut Words) {
    let lods = module.levels.iter().zip(&module.fractions);
    for (benefit, (&level, &fraction)) in module.benefits.iter().zip(lods) {
        push(words, benefit.bits());
        push(words, u32::from(level) << 16 | u32::from(fraction));
    }
}
