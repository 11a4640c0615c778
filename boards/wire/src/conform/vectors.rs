//! Random test vectors from a seed.

mod scene;

use heapless::Vec;
use lodger_core::{Fixed, Micro};

use super::cost::{
    AssetVector, BodyVector, HULLS, LinksetVector, PARTS, PRIMS, PartVector, PhysicsVector,
    PrimVector, SimulatorVector, StreamingVector,
};
use super::decision::{ACTORS, AssignmentVector};
use super::evaluate::{OBSERVATIONS, TestVector};
use super::importance::{BenefitVector, ImportanceFunction, RowVector};
use super::number::{Number, NumberType, ROWS, VectorRandom};

/// Endless test vectors in one number type, the same for the same seed.
///
/// One number in eight is a special value (NaN, infinities, subnormals, the largest) or random bits; the others are
/// typical of a scene.
#[derive(Debug, Clone)]
pub struct TestVectors {
    random: VectorRandom,
    backend: NumberType,
}

impl TestVectors {
    /// Makes the vectors of a seed.
    #[must_use]
    pub const fn new(seed: u64, backend: NumberType) -> Self {
        Self { random: VectorRandom::new(seed), backend }
    }
}

impl Iterator for TestVectors {
    type Item = TestVector;

    fn next(&mut self) -> Option<TestVector> {
        let Self { random, backend } = self;
        Some(match backend {
            NumberType::F32 => VectorSource::<f32>::new(random, *backend).vector(),
            NumberType::Fixed => VectorSource::<Fixed>::new(random, *backend).vector(),
            NumberType::Micro => VectorSource::<Micro>::new(random, *backend).vector(),
        })
    }
}

struct VectorSource<'a, N> {
    random: &'a mut VectorRandom,
    backend: NumberType,
    number: core::marker::PhantomData<N>,
}

impl<'a, N: Number> VectorSource<'a, N> {
    const fn new(random: &'a mut VectorRandom, backend: NumberType) -> Self {
        Self { random, backend, number: core::marker::PhantomData }
    }

    fn vector(&mut self) -> TestVector {
        match self.random.below(100) {
            0..31 => self.importance(),
            31..34 => TestVector::Assignment(self.assignment()),
            34..44 => TestVector::Arithmetic { operands: [self.any(300.0), self.any(300.0)] },
            44..56 => TestVector::Benefit(self.benefit()),
            56..64 => TestVector::Scene(self.scene()),
            64..66 => self.calibration(),
            66..74 => TestVector::Policy(self.policy()),
            _ => self.cost(),
        }
    }

    fn calibration(&mut self) -> TestVector {
        let random = &mut *self.random;
        let unit_cost = random.number::<N>(self.backend, 5_000.0);
        let observations = random.up_to(OBSERVATIONS);
        let observation = |_| {
            let units = random.below(2_000);
            let likely = u64::from(units) * u64::from(random.below(8_000));
            let measured = if random.percent(90) { likely } else { random.wide() >> 40 };
            (units, u32::try_from(measured).unwrap_or(u32::MAX))
        };
        let observations = (0..observations).map(observation).collect();
        TestVector::Calibration { unit_cost, observations }
    }

    fn importance(&mut self) -> TestVector {
        let function = match self.random.below(4) {
            0 => ImportanceFunction::SolidAngle,
            1 => ImportanceFunction::Angular,
            2 => ImportanceFunction::Age,
            _ => ImportanceFunction::Speed,
        };
        let end = self.random.percent(60).then(|| self.any(200.0));
        TestVector::Importance { function, arguments: [self.any(150.0), self.any(20.0)], end }
    }

    fn benefit(&mut self) -> BenefitVector {
        let random = &mut *self.random;
        let share = random.unit();
        let weights = [share, 1.0 - share, 0.0];
        let normalised = random.percent(40);
        BenefitVector {
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
            eyes: [[(); 3]; 2].map(|eye| eye.map(|()| self.position(50.0))),
            row: self.row(),
        }
    }

    fn assignment(&mut self) -> AssignmentVector {
        let levels = self.random.up_to(ROWS);
        let costs = self.costs(levels);
        let random = &mut *self.random;
        let actors = random.up_to(ACTORS);
        let run = if random.percent(30) { 0 } else { random.byte(ACTORS / 2) };
        let benefit = |_| if random.percent(90) { random.below(1 << 16) } else { random.word() };
        AssignmentVector {
            benefits: (0..actors).map(benefit).collect(),
            benefit_value: if random.percent(5) { random.word() } else { random.below(400_000) },
            available: random.word(),
            wanted: random.word(),
            costs,
            run,
        }
    }

    /// The costs of levels; some are equal.
    fn costs(&mut self, levels: usize) -> Vec<u32, ROWS> {
        let random = &mut *self.random;
        let huge = random.percent(5);
        let mut next = if random.percent(50) { 0 } else { random.below(20_000) };
        let mut cost = |_| {
            let cost = next;
            let step = if huge { random.word() } else { random.below(100_000) };
            next = if random.percent(15) { cost } else { cost.saturating_add(step) };
            cost
        };
        (0..levels).map(&mut cost).collect()
    }

    /// The state of an actor; an invalid position is quarantined.
    fn row(&mut self) -> RowVector {
        RowVector {
            position: [(); 3].map(|()| self.position(50.0)),
            radius: self.random.sound::<N>(20.0),
            age: self.any(30.0),
            speed: self.any(30.0),
        }
    }

    fn any(&mut self, scale: f64) -> u32 {
        self.random.number::<N>(self.backend, scale)
    }

    /// A coordinate, valid in 19 of 20 cases.
    fn position(&mut self, scale: f64) -> u32 {
        if self.random.percent(95) { self.random.signed::<N>(scale) } else { self.any(scale) }
    }
}

impl<N: Number> VectorSource<'_, N> {
    /// A cost of any kind; searches are rarer.
    fn cost(&mut self) -> TestVector {
        match self.random.below(32) {
            0..6 => TestVector::Streaming(StreamingVector {
                asset: self.asset(),
                kind: self.random.byte(3),
                root: self.random.percent(50),
                cost_scalar: self.any(2.0),
            }),
            6..9 => TestVector::Room { asset: self.asset(), limit: self.any(50.0) },
            9..14 => TestVector::Physics(self.triangles()),
            14..19 => TestVector::Body(self.body()),
            19..23 => TestVector::Simulator(SimulatorVector {
                parameters: [(); 4].map(|()| self.any(4.0)),
                objects: self.count(300),
                active: self.random.percent(50),
                scripts: self.count(2_000),
                free_script: self.random.percent(50),
                streaming: self.any(100.0),
            }),
            23..28 => TestVector::LandImpact(self.linkset()),
            _ => TestVector::Linking(self.prims()),
        }
    }

    fn asset(&mut self) -> AssetVector {
        AssetVector {
            rules: self.random.byte(3),
            radius: self.any(120.0),
            bytes: [2_000, 8_000, 40_000, 200_000].map(|end| self.bytes(end)),
        }
    }

    fn bytes(&mut self, end: u32) -> i32 {
        match self.random.below(12) {
            0 => 0,
            1 => self.random.word().cast_signed(),
            _ => self.random.below(end).cast_signed(),
        }
    }

    /// A count below `end`; one in 20 is any number.
    fn count(&mut self, end: u32) -> u32 {
        if self.random.percent(95) { self.random.below(end) } else { self.random.word() }
    }

    fn triangles(&mut self) -> PhysicsVector {
        PhysicsVector {
            corners: [[(); 3]; 6].map(|corner| corner.map(|()| self.position(4.0))),
            scale: [(); 3].map(|()| self.any(20.0)),
        }
    }

    fn body(&mut self) -> BodyVector {
        let hulls = if self.random.percent(50) { 0 } else { self.random.up_to(HULLS) };
        let vertices = |source: &mut Self| u16::from(source.random.byte(250)) + 4;
        BodyVector {
            // Half of them are solids, the other half has shapes of its own.
            solid: self.random.byte(18),
            altered: self.random.percent(50),
            hull: vertices(self),
            hulls: (0..hulls).map(|_| vertices(self)).collect(),
            mesh: self.random.percent(50).then(|| self.triangles()),
            cost_data: self.random.percent(30).then(|| {
                [(); 2].map(|()| self.random.percent(70).then(|| self.random.sound::<N>(40.0)))
            }),
            shape: self.random.byte(3),
            at_rest: self.random.percent(70).then(|| self.random.byte(10)),
        }
    }

    fn linkset(&mut self) -> LinksetVector {
        let parts = self.random.up_to(PARTS);
        LinksetVector {
            parts: (0..parts)
                .map(|_| PartVector {
                    kind: self.random.byte(3),
                    shape: self.random.byte(3),
                    streaming: self.any(30.0),
                    physics: self.any(30.0),
                })
                .collect(),
            size: [(); 3].map(|()| self.random.sound::<N>(30.0)),
            physical: self.random.percent(50),
            scripts: self.count(100),
            free_script: self.random.percent(50),
        }
    }

    /// Prims that are mostly near enough; some positions are invalid.
    fn prims(&mut self) -> Vec<PrimVector, PRIMS> {
        let prims = self.random.up_to(PRIMS);
        let reach = if self.random.percent(50) { 12.0 } else { 40.0 };
        (0..prims)
            .map(|_| {
                let sound = self.random.percent(95);
                let length = |source: &mut Self, scale| {
                    if sound { source.random.signed::<N>(scale) } else { source.any(scale) }
                };
                let position = [(); 3].map(|()| length(self, reach));
                let scale = [(); 3].map(|()| self.random.sound::<N>(12.0));
                PrimVector { position, scale }
            })
            .collect()
    }
}

#[cfg(all(test, feature = "scheduler"))]
mod tests {
    use std::collections::BTreeMap;

    use super::super::{SEED, SchedulerBackend, VECTORS, WORDS, evaluate};
    use super::*;

    #[test]
    fn a_seed_determines_the_vectors() {
        let vectors = |seed| -> std::vec::Vec<_> {
            TestVectors::new(seed, NumberType::F32).take(50).collect()
        };
        assert_eq!(vectors(1), vectors(1));
        assert_ne!(vectors(1), vectors(2));
    }

    #[test]
    fn every_kind_occurs_and_most_are_valid() {
        for backend in NumberType::ALL {
            let mut kinds = BTreeMap::<_, [usize; 2]>::new();
            for vector in TestVectors::new(SEED, backend).take(VECTORS as usize) {
                let name = std::format!("{vector:?}");
                let kind =
                    std::string::String::from(name.split([' ', '(']).next().unwrap_or_default());
                let words = evaluate(backend, &vector, &mut SchedulerBackend);
                let is_error = words.first() == Some(&0xffff_0bad);
                let [count, valid] = kinds.entry(kind).or_default();
                *count += 1;
                *valid += usize::from(!is_error);
                // A response that fills all words may be cut off.
                assert!(words.len() < WORDS);
            }
            // All but the end.
            assert_eq!((kinds.len(), kinds.get("End")), (14, None), "{backend:?}");
            for (kind, [count, valid]) in kinds {
                assert!(count >= 90 && valid * 2 > count, "{backend:?} {kind} {count} {valid}");
            }
        }
    }

    #[test]
    fn ends_of_the_number_type_are_among_them() {
        let words: std::vec::Vec<u32> = TestVectors::new(4, NumberType::F32)
            .take(5_000)
            .filter_map(|vector| match vector {
                TestVector::Importance { arguments, .. } => Some(arguments),
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
