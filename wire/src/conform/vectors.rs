//! The questions, by a seed.

use heapless::Vec;
use lodger_core::{Fixed, Micro};

use super::question::{
    Backend, BenefitQuestion, Function, LedgerQuestion, MODULES, ModuleQuestion, Number, Question,
    ROWS, RowQuestion,
};
use super::random::Random;

/// An endless row of questions in one number type, the same ones for the same seed.
///
/// Most numbers are those of a scene; one in eight is at the end of its type (NaN, infinities,
/// subnormals, the greatest) or any bits at all.
#[derive(Debug, Clone)]
pub struct Vectors {
    random: Random,
    backend: Backend,
}

impl Vectors {
    /// The questions of a seed.
    #[must_use]
    pub const fn new(seed: u64, backend: Backend) -> Self {
        Self { random: Random::new(seed), backend }
    }
}

impl Iterator for Vectors {
    type Item = Question;

    fn next(&mut self) -> Option<Question> {
        let Self { random, backend } = self;
        Some(match backend {
            Backend::F32 => Source::<f32>::new(random, *backend).question(),
            Backend::Fixed => Source::<Fixed>::new(random, *backend).question(),
            Backend::Micro => Source::<Micro>::new(random, *backend).question(),
        })
    }
}

struct Source<'a, N> {
    random: &'a mut Random,
    backend: Backend,
    number: core::marker::PhantomData<N>,
}

impl<'a, N: Number> Source<'a, N> {
    const fn new(random: &'a mut Random, backend: Backend) -> Self {
        Self { random, backend, number: core::marker::PhantomData }
    }

    fn question(&mut self) -> Question {
        match self.random.below(100) {
            0..40 => self.importance(),
            40..52 => Question::Arithmetic { operands: [self.any(300.0), self.any(300.0)] },
            52..72 => Question::Benefit(self.benefit()),
            72..86 => Question::Ledger(self.ledger()),
            86..93 => Question::Streaming {
                radius: self.any(120.0),
                bytes: [2_000, 8_000, 40_000, 200_000].map(|most| self.bytes(most)),
            },
            _ => Question::Physics {
                corners: [[(); 3]; 6].map(|corner| corner.map(|()| self.position(4.0))),
                scale: [(); 3].map(|()| self.any(20.0)),
            },
        }
    }

    fn importance(&mut self) -> Question {
        let function = match self.random.below(4) {
            0 => Function::SolidAngle,
            1 => Function::Angular,
            2 => Function::Age,
            _ => Function::Speed,
        };
        let end = self.random.percent(60).then(|| self.any(200.0));
        Question::Importance { function, arguments: [self.any(150.0), self.any(20.0)], end }
    }

    fn benefit(&mut self) -> BenefitQuestion {
        let random = &mut *self.random;
        let share = random.unit();
        let weights = [share, 1.0 - share, 0.0];
        let normalised = random.percent(40);
        BenefitQuestion {
            angular: random.percent(40),
            max_distance: random.percent(60).then(|| random.sound::<N>(200.0)),
            weights: if normalised {
                [(); 3].map(|()| random.sound::<N>(3.0))
            } else {
                weights.map(|weight| N::from_f64(weight).unwrap_or(N::ZERO).word())
            },
            normalised,
            bias: if random.percent(90) { 0 } else { self.any(300.0) },
            max_age: self.any(30.0),
            max_speed: self.any(30.0),
            eye: [(); 3].map(|()| self.position(50.0)),
            row: self.row(0),
        }
    }

    fn ledger(&mut self) -> LedgerQuestion {
        let modules = self.random.up_to(MODULES);
        let budget = match self.random.below(10) {
            0 => 0,
            1 => u64::MAX,
            2 => self.random.wide(),
            _ => u64::from(self.random.below(2_000_000)),
        };
        LedgerQuestion {
            budget,
            fixed: if self.random.percent(70) { 0 } else { self.random.below(1_000_000).into() },
            leftovers: self.random.byte(4),
            eye: [(); 3].map(|()| self.random.signed::<N>(50.0)),
            modules: (0..modules).map(|_| self.module()).collect(),
        }
    }

    fn module(&mut self) -> ModuleQuestion {
        let random = &mut *self.random;
        let (levels, rows) = (random.up_to(ROWS), random.up_to(ROWS + 1) - 1);
        let bounded = random.percent(70).then(|| random.sound::<N>(200.0));
        let ageing = random.percent(60).then(|| random.sound::<N>(30.0));
        let huge = random.percent(5);
        let mut cost = if random.percent(50) { 0 } else { random.below(20_000) };
        let mut costs = Vec::new();
        for _ in 0..levels {
            let _ = costs.push(cost);
            let step = if huge { random.word() } else { random.below(100_000) };
            cost = if random.percent(15) { cost } else { cost.saturating_add(step) };
        }
        ModuleQuestion {
            benefit_value: if random.percent(5) { random.word() } else { random.below(1_000_000) },
            continuous: random.percent(30),
            max_distance: bounded,
            max_age: ageing,
            costs,
            rows: (0..rows).map(|_| self.row(levels)).collect(),
        }
    }

    /// An actor whose ladder begins at one of the `levels`. A bad position is quarantined.
    fn row(&mut self, levels: usize) -> RowQuestion {
        RowQuestion {
            position: [(); 3].map(|()| self.position(50.0)),
            radius: self.random.sound::<N>(20.0),
            age: self.any(30.0),
            speed: self.any(30.0),
            lowest: if self.random.percent(70) { 0 } else { self.random.byte(levels) },
        }
    }

    fn bytes(&mut self, most: u32) -> i32 {
        match self.random.below(12) {
            0 => 0,
            1 => self.random.word().cast_signed(),
            _ => self.random.below(most).cast_signed(),
        }
    }

    fn any(&mut self, scale: f64) -> u32 {
        self.random.number::<N>(self.backend, scale)
    }

    /// One of three coordinates, sound in 19 of 20 cases.
    fn position(&mut self, scale: f64) -> u32 {
        if self.random.percent(95) { self.random.signed::<N>(scale) } else { self.any(scale) }
    }
}

#[cfg(test)]
mod tests {
    use super::super::answer;
    use super::*;

    #[test]
    fn one_seed_makes_the_same_questions_and_another_does_not() {
        let questions =
            |seed| -> std::vec::Vec<_> { Vectors::new(seed, Backend::F32).take(50).collect() };
        assert_eq!(questions(1), questions(1));
        assert_ne!(questions(1), questions(2));
    }

    #[test]
    fn every_kind_is_asked_and_most_are_answered() {
        for backend in Backend::ALL {
            let mut kinds = [0; 6];
            let mut answered = [0; 6];
            for question in Vectors::new(4, backend).take(5_000) {
                let kind = match question {
                    Question::Importance { .. } => 0,
                    Question::Arithmetic { .. } => 1,
                    Question::Benefit(_) => 2,
                    Question::Ledger(_) => 3,
                    Question::Streaming { .. } => 4,
                    Question::Physics { .. } | Question::End => 5,
                };
                kinds[kind] += 1;
                let refused = answer(backend, &question).first() == Some(&0xffff_0bad);
                answered[kind] += usize::from(!refused);
            }
            for (asked, answered) in kinds.into_iter().zip(answered) {
                assert!(asked >= 250 && answered * 2 > asked, "{backend:?} {kinds:?} {answered}");
            }
        }
    }

    #[test]
    fn ends_of_the_number_type_are_among_them() {
        let words: std::vec::Vec<u32> = Vectors::new(4, Backend::F32)
            .take(5_000)
            .filter_map(|question| match question {
                Question::Importance { arguments, .. } => Some(arguments),
                _ => None,
            })
            .flatten()
            .collect();
        let count =
            |test: fn(f32) -> bool| words.iter().filter(|&&w| test(f32::from_bits(w))).count();
        for test in [f32::is_nan, f32::is_infinite, f32::is_subnormal, |x: f32| x.abs() > 1e30] {
            assert!(count(test) >= 20);
        }
    }
}
