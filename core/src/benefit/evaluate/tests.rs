use std::vec;
use std::vec::Vec;

use proptest::prelude::*;

use super::*;
use crate::Fixed;
#[cfg(feature = "micromath")]
use crate::Micro;
use crate::benefit::{BenefitTerms, Weights};

#[derive(Debug, Clone, Copy)]
struct EvaluationCase {
    angular: bool,
    far: bool,
    weights: usize,
    bias: f64,
    eyes: usize,
    rows: usize,
    /// One number in `odd` is NaN, infinite, negative or very large.
    odd: u64,
    seed: u64,
}

fn cases() -> impl Strategy<Value = EvaluationCase> {
    let rule = (any::<bool>(), any::<bool>(), 0..7_usize, prop_oneof![Just(0.0), 0.0..300.0]);
    let rows = prop_oneof![0..400_usize, 126..131_usize, 254..259_usize];
    let odd = prop_oneof![Just(u64::MAX), Just(300), Just(20), Just(2)];
    (rule, 0..4_usize, rows, odd, 1..u64::MAX).prop_map(
        |((angular, far, weights, bias), eyes, rows, odd, seed)| EvaluationCase {
            angular,
            far,
            weights,
            bias,
            eyes,
            rows,
            odd,
            seed,
        },
    )
}

struct RandomBits(u64);

impl RandomBits {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn between(&mut self, least: f64, greatest: f64) -> f64 {
        least + (greatest - least) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }
}

struct StateTable<N: Real> {
    numbers: [Vec<N>; 5],
    curve: Vec<ImportanceCurve<N>>,
}

impl<N: Real> StateTable<N> {
    /// `any` makes a number of bits; only columns with a weight have invalid ones.
    fn new(
        case: EvaluationCase,
        rule: &BenefitRule<N>,
        used_fields: StateFields,
        any: impl Fn(u64) -> N,
    ) -> Self {
        let StateFields { position, age, speed } = used_fields;
        let mut random = RandomBits(case.seed);
        let mut column = |is_weighed: bool, least: f64, greatest: f64| {
            let mut number = || {
                let plain = random.between(least, greatest);
                let odd = any(random.next());
                let is_odd = random.next().is_multiple_of(case.odd);
                if is_odd && is_weighed { odd } else { N::from_f64(plain).unwrap() }
            };
            (0..case.rows).map(|_| number()).collect::<Vec<N>>()
        };
        let place = [0; 3].map(|_| column(position, -150.0, 150.0));
        let [x, y, z] = place;
        let numbers = [x, y, z, column(age, -5.0, 60.0), column(speed, 0.0, 40.0)];
        let radii = column(position, 0.0, 20.0);
        let curve = radii.iter().map(|radius| rule.curve(*radius).unwrap_or_default()).collect();
        Self { numbers, curve }
    }

    fn columns(&self) -> StateColumns<'_, N> {
        let [x, y, z, age, speed] = &self.numbers;
        StateColumns { x, y, z, age, speed, curve: &self.curve }
    }
}

fn rule<N: Real>(case: EvaluationCase) -> BenefitRule<N> {
    const WEIGHTS: [[f64; 3]; 7] = [
        [1.0, 0.0, 0.0],
        [0.0, 1.0, 0.0],
        [0.0, 0.0, 1.0],
        [0.5, 0.5, 0.0],
        [0.7, 0.0, 0.3],
        [0.0, 0.2, 0.8],
        [0.4, 0.35, 0.25],
    ];
    let number = |value| N::from_f64(value).unwrap();
    let [distance, age, speed] = WEIGHTS[case.weights].map(number);
    BenefitRule::new(BenefitTerms {
        distance_importance: if case.angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: case.far.then(|| number(120.0)),
        weights: Weights::new(distance, age, speed).unwrap(),
        bias: number(case.bias),
        max_age: Some(number(30.0)),
        max_speed: Some(number(12.0)),
    })
    .unwrap()
}

fn both_agree<N: Real>(case: EvaluationCase, any: impl Fn(u64) -> N) {
    let rule = rule::<N>(case);
    let eyes = [[0.0, 1.0, 2.0], [50.0, 0.0, -50.0], [-100.0, 3.0, 70.0]];
    let eyes = eyes.map(|eye| eye.map(|along| N::from_f64(along).unwrap()));
    let eyes = &eyes[..case.eyes];
    let used_fields = rule.used_fields(eyes);
    let table = StateTable::new(case, &rule, used_fields, &any);
    let columns = table.columns();

    let mut expected = vec![Benefit::MAX; case.rows];
    let quarantined = rule.benefits(eyes, columns, &mut expected);
    let total = expected.iter().map(|benefit| u64::from(benefit.bits())).sum();
    let expected_found = BenefitTotals { quarantined, total };

    // Anything, where nothing is read.
    let mut random = RandomBits(case.seed);
    let other: Vec<N> = (0..case.rows).map(|_| any(random.next())).collect();
    let none = StateColumns { x: &[], y: &[], z: &[], age: &[], speed: &[], curve: &[] };
    let others =
        StateColumns { x: &other, y: &other, z: &other, age: &other, speed: &other, ..none };
    for rest in [columns, none, others] {
        let place = if used_fields.position { columns } else { rest };
        let age = if used_fields.age { columns.age } else { rest.age };
        let speed = if used_fields.speed { columns.speed } else { rest.speed };
        let mut out = vec![Benefit::MAX; case.rows];
        let found = rule.evaluate(
            &mut Viewpoints::Eyes(eyes),
            StateColumns { age, speed, ..place },
            0,
            &mut out,
        );
        assert_eq!(out, expected);
        assert_eq!(found, expected_found);
    }
}

/// Any bits, or an end of the type.
fn float_bits(random: u64) -> f32 {
    const ENDS: [f32; 12] = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        0.0,
        -0.0,
        1e-45,
        -1e-45,
        f32::MIN_POSITIVE,
        f32::MAX,
        f32::MIN,
        2e19,
        -1.0,
    ];
    let [end, _, _, _, bits @ ..] = random.to_le_bytes();
    ENDS.get(usize::from(end >> 3)).copied().unwrap_or(f32::from_bits(u32::from_le_bytes(bits)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2048))]
    #[test]
    fn evaluate_has_the_bits_of_benefits(case in cases()) {
        both_agree(case, float_bits);
        both_agree(case, |random| {
            if random & 1 == 0 { f64::from_bits(random.rotate_left(17)) } else { float_bits(random).into() }
        });
        both_agree(case, |random| Fixed::from_bits(((random >> 32) as u32).cast_signed()));
        #[cfg(feature = "micromath")]
        both_agree(case, |random| Micro::from_f32(float_bits(random)));
    }
}

#[test]
fn nothing_beyond_the_shortest_column_is_touched() {
    let rule = BenefitRule::new(BenefitTerms::<f32>::default()).unwrap();
    let curve = vec![rule.curve(1.0).unwrap(); 200];
    let along = vec![0.0; 200];
    let columns = StateColumns {
        x: &along,
        y: &along[..150],
        z: &along,
        age: &[],
        speed: &[f32::NAN],
        curve: &curve,
    };
    let mut out = vec![Benefit::MAX; 300];
    let found = rule.evaluate(&mut Viewpoints::Eyes(&[[0.0; 3]]), columns, 0, &mut out);
    assert_eq!(found, BenefitTotals { quarantined: 0, total: 150 * 65_536 });
    assert_eq!(out[149].bits(), 65_536);
    assert!(out[150..].iter().all(|benefit| *benefit == Benefit::MAX));
}

#[test]
fn the_greatest_benefits_of_a_block_do_not_overflow() {
    let terms = BenefitTerms { bias: 1e30_f64, ..BenefitTerms::default() };
    let rule = BenefitRule::new(terms).unwrap();
    let mut out = vec![Benefit::ZERO; 1000];
    let none = StateColumns { x: &[], y: &[], z: &[], age: &[], speed: &[], curve: &[] };
    let found = rule.evaluate(&mut Viewpoints::Eyes(&[]), none, 0, &mut out);
    assert_eq!(found.total, 1000 * u64::from(Benefit::MAX.bits()));
    assert_eq!(found.plus(found), BenefitTotals { quarantined: 0, total: 2 * found.total });
}
