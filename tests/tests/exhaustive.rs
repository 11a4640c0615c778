//! The arithmetic of core over all inputs of a narrowed width.
//!
//! Each test tries all combinations of its values. Wide types are narrowed to small integers, or to *patterns*: short
//! runs of bits shifted through the whole width of the type, mostly with their neighbours, so that they reach every
//! carry and every end of a range.
//!
//! | property | inputs |
//! |---|---|
//! | a ledger equals the oracle's, keeps all guarantees, and Σ shares <= A | 3 actors of 5 ladders and 3 benefits, all budgets from 0 to above their targets, all policies, whole and fractional levels |
//! | Σ shares <= A and no sum wraps, in amounts up to 32 bits | 3 actors of 8 ladders and 4 benefits, 13 budgets |
//! | a threshold is the smallest benefit that pays, and levels by threshold are levels by share | patterns of values, scales and costs |
//! | a scale is a quotient rounded down | patterns of 64 bits |
//! | targets and unit costs are products rounded up | patterns of 32 and 64 bits |
//! | the affordable levels of a ladder | all ladders of 3 small costs, all 2^16 fractions of 9 steps |
//! | `Fixed`: sum, difference, product, quotient, negation | all pairs of bytes, shifted by multiples of 4 |
//! | `Fixed`: root, benefit, conversions, units | all numbers of 16 bits, in the lower and in the upper half |
//! | `Fixed`: quotients of squares, parts of a range | all divisors of 16 bits |

mod ledger;

use lodger_core::budget::{
    BenefitRate, IndexColumn, Ladder, LadderSpan, Ladders, Lod, ModuleInput, ModuleView, Scale,
};
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_core::{Benefit, Fixed, Real};
use lodger_tests::oracle::ledger::scale::share;

/// Runs of `bits` bits at every position of a number of `width` bits; their neighbours, 0, and the greatest number.
fn patterns(bits: u32, width: u32) -> Vec<u64> {
    let max = u64::MAX >> (64 - width);
    let runs = 1_u64 << (bits - 1)..1 << bits;
    let shifted = runs.flat_map(|run| (0..=width - bits).map(move |shift| run << shift));
    let near = shifted.flat_map(|it| [it - 1, it, it.saturating_add(1).min(max)]);
    let mut all: Vec<u64> = near.chain([0, max]).collect();
    all.sort_unstable();
    all.dedup();
    all
}

fn patterns_32(bits: u32) -> Vec<u32> {
    let narrow = |it: u64| u32::try_from(it).expect("of 32 bits");
    patterns(bits, 32).into_iter().map(narrow).collect()
}

/// All pairs of patterns of 3 bits in 64.
#[test]
fn a_scale_is_the_quotient_rounded_down() {
    let amounts = patterns(3, 64);
    for &available in &amounts {
        for &wanted in &amounts {
            let exact = if available >= wanted {
                1 << 32
            } else {
                (u128::from(available) << 32) / u128::from(wanted)
            };
            let scale = Scale::fitting(available, wanted);
            assert_eq!(u128::from(scale.bits()), exact, "{available} / {wanted}");
        }
    }
}

fn scales() -> Vec<Scale> {
    patterns(2, 33)
        .into_iter()
        .filter(|&bits| bits <= 1 << 32)
        .map(|bits| Scale::fitting(bits, 1 << 32))
        .collect()
}

/// Patterns of 2 bits for benefit values of 32 and scales of 33, of 3 bits for costs of 32.
#[test]
fn a_threshold_is_the_smallest_benefit_that_pays() {
    let costs = patterns_32(3);
    for value in patterns_32(2) {
        for scale in scales() {
            let rate = BenefitRate::new(BenefitValue::from_ns(value), scale);
            let pays =
                |bits: u32, cost: u32| rate.share(Benefit::from_bits(bits)) >= u64::from(cost);
            for &cost in &costs {
                let holds = match rate.threshold(cost).map(Benefit::bits) {
                    None => !pays(Benefit::MAX.bits(), cost),
                    Some(0) => pays(0, cost),
                    Some(bits) => pays(bits, cost) && !pays(bits - 1, cost),
                };
                assert!(holds, "{value} ns at {scale:?} for {cost} ns");
            }
        }
    }
}

/// Patterns of 2 bits: values of 32, scales of 33, benefits of 24.
#[test]
fn shares_are_products_rounded_down_and_never_more_than_their_target() {
    let patterns = patterns(2, 24);
    let narrow = |&bits: &u64| Benefit::from_bits(bits.try_into().expect("of 24 bits"));
    let benefits: Vec<Benefit> = patterns.iter().map(narrow).collect();
    for value in patterns_32(2) {
        for scale in scales() {
            let (of, exactly) = (BenefitValue::from_ns(value), u128::from(value));
            let (rate, mut sum) = (BenefitRate::new(of, scale), 0);
            for (&bits, &benefit) in patterns.iter().zip(&benefits) {
                let got = rate.share(benefit);
                sum += got;
                assert_eq!(got, share(value, benefit.bits(), scale.bits()));
                let exact = exactly * u128::from(bits) * u128::from(scale.bits());
                assert!(u128::from(got) <= exact >> 48, "{value} {scale:?} {bits}");
                assert!(got <= of.target(bits));
            }
            let (benefit_value, benefits) = (of, &benefits[..]);
            let input = ModuleInput { benefit_value, benefits, ..ModuleInput::default() };
            assert_eq!(input.shares(scale), sum, "{value} {scale:?}");
        }
    }
}

/// Patterns of 3 bits: values of 32, sums of 48.
#[test]
fn targets_are_products_rounded_up() {
    for value in patterns_32(3) {
        for sum in patterns(3, 48) {
            let exact = (u128::from(value) * u128::from(sum)).div_ceil(1 << 16);
            let target = BenefitValue::from_ns(value).target(sum);
            assert_eq!(u128::from(target), exact, "{value} {sum}");
        }
    }
}

/// Patterns of 3 bits: unit costs of 64, units of 32.
#[test]
fn unit_costs_are_products_rounded_up() {
    for bits in patterns(3, 64) {
        let Some(cost) = UnitCost::from_bits(bits) else { continue };
        for units in patterns_32(3) {
            let exact = (u128::from(bits) * u128::from(units)).div_ceil(1 << 32);
            assert_eq!(cost.of(units), u32::try_from(exact).ok(), "{bits} {units}");
        }
    }
}

/// Ladders of 1 to 3 costs among 5, and two longer ones; values and scales over their range; all benefits of 3 bits
/// together, which get levels by threshold, and each alone, which gets its level by share.
#[test]
fn levels_by_threshold_are_levels_by_share() {
    const COSTS: [u32; 5] = [0, 1, 700, 1 << 31, u32::MAX];
    let narrow = |bits: u64| Benefit::from_bits(bits.try_into().expect("of 24 bits"));
    let benefits: Vec<Benefit> = patterns(3, 24).into_iter().map(narrow).collect();
    let steps = 0..COSTS.len();
    let threes = steps
        .clone()
        .flat_map(|a| (a..steps.end).flat_map(move |b| (b..steps.end).map(move |c| [a, b, c])));
    let short =
        threes.flat_map(|three| (1..=3).map(move |len| three.map(|at| COSTS[at])[..len].to_vec()));
    for costs in short.chain([COSTS.to_vec(), vec![0, 0, 1, 700, 700, 1 << 29, 1 << 31]]) {
        for value in [0, 1, 3, 999, 65_535, 1 << 20, u32::MAX - 1, u32::MAX] {
            for scale in [0, 1, 1 << 16, (1 << 31) + 1, (1 << 32) - 1, 1 << 32] {
                let scale = Scale::fitting(scale, 1 << 32);
                together_and_alone(BenefitValue::from_ns(value), scale, &costs, &benefits);
            }
        }
    }
}

fn together_and_alone(benefit_value: BenefitValue, scale: Scale, costs: &[u32], all: &[Benefit]) {
    let spans = [LadderSpan::new(0, costs.len().try_into().expect("a few"), 1)];
    let ladders = Ladders { spans: &spans, costs };
    let assigned = |benefits: &[Benefit], levels: &mut [u8]| {
        let input = ModuleInput {
            benefit_value,
            continuous: false,
            ladders,
            ladder: IndexColumn::default(),
            benefits,
        };
        ModuleView { input, levels, ..ModuleView::default() }.assign(scale)
    };
    let mut together = vec![0; all.len()];
    let sum = assigned(all, &mut together);
    let mut alone = 0;
    for (benefit, level) in all.iter().zip(together) {
        let mut own = [0];
        alone += assigned(std::slice::from_ref(benefit), &mut own);
        assert_eq!(own, [level], "{benefit_value:?} {scale:?} {costs:?} {benefit:?}");
    }
    assert_eq!(alone, sum);
}

/// All ladders of three costs from 0 to 5, and all budgets from 0 to 7.
#[test]
fn the_affordable_level_is_the_highest() {
    for [a, b, c] in ascending(5) {
        let costs = [a, b, c];
        let ladder = Ladder::new(2, &costs).expect("they do not decrease");
        for ns in 0..8_u32 {
            let paid = ns.max(a);
            let whole = ladder.affordable(ns.into(), false);
            let level = costs.iter().rposition(|&cost| cost <= paid).expect("the lowest level");
            assert_eq!(whole, Lod::new(2 + u8::try_from(level).expect("one of three"), 0));
            assert_is_highest(ladder, ns.into(), paid);
        }
    }
}

/// All 2^16 fractions between two levels, for steps from 1 to the greatest.
#[test]
fn every_fraction_is_affordable_at_its_cost() {
    for (low, step) in [
        (0, 1),
        (7, 2),
        (0, 3),
        (1, 65_535),
        (0, 65_536),
        (9, 65_537),
        (0, (1 << 31) - 1),
        (1 << 31, 1 << 31),
        (0, u32::MAX),
    ] {
        let costs = [low, step.saturating_add(low)];
        let ladder = Ladder::new(0, &costs).expect("they do not decrease");
        let mut last = 0;
        for fraction in 0..=u16::MAX {
            let lod = Lod::new(0, fraction);
            let cost = ladder.cost(lod);
            let exact = u128::from(costs[1] - low) * u128::from(fraction);
            assert_eq!(u128::from(cost - low), exact.div_ceil(1 << 16), "{fraction} of {step}");
            assert!(cost >= last, "a greater fraction costs less");
            assert!(ladder.affordable(cost.into(), true) >= lod);
            last = cost;
        }
    }
}

/// All ladders of three costs from 0 to 4, all budgets from 0 to 5; all levels, and in continuous modules some LODs
/// between them.
#[test]
fn an_upgrade_has_its_cost_within_the_leftover_budget() {
    const FRACTIONS: [u16; 4] = [0, 1, 1 << 15, u16::MAX];
    for costs in ascending(4) {
        let ladder = Ladder::new(0, &costs).expect("they do not decrease");
        for (continuous, fractions) in [(false, &FRACTIONS[..1]), (true, &FRACTIONS)] {
            for (level, &fraction) in (0..3).flat_map(|it| fractions.iter().map(move |by| (it, by)))
            {
                let lod = ladder.clamp(Lod::new(level, fraction));
                for leftover in 0..6 {
                    let (upgraded, cost) = ladder.raise(lod, leftover, continuous);
                    assert!(upgraded >= lod && cost <= leftover, "{costs:?} {lod:?} {leftover}");
                    let paid = u64::from(ladder.cost(upgraded)) - u64::from(ladder.cost(lod));
                    assert_eq!(cost, paid, "{costs:?} {lod:?} {leftover}");
                }
            }
        }
    }
}

fn ascending(max: u32) -> impl Iterator<Item = [u32; 3]> {
    (0..=max).flat_map(move |a| (a..=max).flat_map(move |b| (b..=max).map(move |c| [a, b, c])))
}

/// Asserts that the next LOD, in steps of 2⁻¹⁶, is not affordable.
fn assert_is_highest(ladder: Ladder<'_>, ns: u64, paid: u32) {
    let lod = ladder.affordable(ns, true);
    assert!(ladder.cost(lod) <= paid);
    let above = match lod.fraction().checked_add(1) {
        Some(fraction) => Lod::new(lod.level(), fraction),
        None => Lod::new(lod.level() + 1, 0),
    };
    assert!(lod == ladder.top() || ladder.cost(above) > paid, "{ladder:?} {ns} {lod:?}");
}

/// All signed bytes, shifted by 0, 4, 8 and so on to the top of 32 bits.
fn bytes() -> Vec<i32> {
    let shifted = |byte: i8| (0..=24).step_by(4).map(move |shift| i32::from(byte) << shift);
    let ends = [i32::MIN, i32::MIN + 1, i32::MAX - 1, i32::MAX];
    let mut all: Vec<i32> = (i8::MIN..=i8::MAX).flat_map(shifted).chain(ends).collect();
    all.sort_unstable();
    all.dedup();
    all
}

/// All numbers of 16 bits, in the lower half and in the upper half, there with the lower half 0 and all ones.
fn halves() -> impl Iterator<Item = i32> {
    (0..=u16::MAX).flat_map(|half| {
        let low = i32::from(half);
        let high = (u32::from(half) << 16).cast_signed();
        [low, -low, high, high | 0xffff]
    })
}

fn clamped(exact: i64) -> i32 {
    i32::try_from(exact).unwrap_or(if exact < 0 { i32::MIN } else { i32::MAX })
}

#[test]
fn sums_products_and_quotients_of_all_bytes_everywhere() {
    let all = bytes();
    for &a in &all {
        let (x, p) = (Fixed::from_bits(a), i64::from(a));
        assert_eq!((-x).to_bits(), clamped(-p));
        for &b in &all {
            let (y, q) = (Fixed::from_bits(b), i64::from(b));
            let quotient = match q {
                0 if p < 0 => i32::MIN,
                0 => i32::MAX,
                _ => clamped((p << 16) / q),
            };
            let got = [x + y, x - y, x * y, x / y].map(Fixed::to_bits);
            let exact = [clamped(p + q), clamped(p - q), clamped((p * q) >> 16), quotient];
            assert_eq!(got, exact, "{a} and {b}");
        }
    }
}

#[test]
fn roots_of_all_halves() {
    for bits in halves() {
        let root = i64::from(Fixed::from_bits(bits).sqrt().to_bits());
        let square = i64::from(bits.max(0)) << 16;
        assert!(root * root <= square && square < (root + 1) * (root + 1), "{bits}");
    }
}

#[test]
fn conversions_of_all_halves() {
    for bits in halves() {
        let number = Fixed::from_bits(bits);
        assert_eq!(Fixed::from_f64(number.to_f64()), Some(number));
        let benefit = u32::try_from(bits).unwrap_or(0).min((1 << 24) - 1);
        assert_eq!(number.to_benefit(), benefit, "{bits}");
        assert_eq!(number.clamp_unit().to_bits(), bits.clamp(0, 1 << 16));
        assert_eq!(number.is_amount(), bits >= 0);
    }
}

/// All pairs of 8 bits at four places of [0, 1].
#[test]
fn products_of_units_round_down() {
    let units: Vec<i32> = (0..=256)
        .flat_map(|byte| [byte, byte << 4, byte << 8, (1 << 16) - byte])
        .filter(|bits| *bits <= 1 << 16)
        .collect();
    for &a in &units {
        for &b in &units {
            let got = Fixed::from_bits(a).times_unit(Fixed::from_bits(b)).to_bits();
            assert_eq!(i64::from(got), (i64::from(a) * i64::from(b)) >> 16, "{a} · {b}");
        }
    }
}

/// All divisors of 16 bits, in the lower half and in the upper half, and nine dividends.
#[test]
fn quotients_of_squares_are_close() {
    const DIVIDENDS: [i32; 9] =
        [0, 1, 2, 0x7fff, 0x8000, 0x1_0000, 0x1_ffff, 0x4000_0001, i32::MAX];
    for divisor in halves().filter(|bits| *bits > 0) {
        for dividend in DIVIDENDS {
            let [n, d] = [dividend, divisor].map(|bits| Fixed::from_bits(bits).widen());
            let exact = f64::from(dividend) / f64::from(divisor) * 65_536.0;
            let got = f64::from(Fixed::ratio(n, d).to_bits());
            let allowed = exact / 65_536.0 * 1.51 + 0.5;
            let clamped = exact.min(i32::MAX.into());
            assert!((got - clamped).abs() <= allowed, "{dividend} / {divisor}: {got}, not {exact}");
        }
    }
}

/// All ends of 16 bits, in the lower half and in the upper half, and numbers around them.
#[test]
fn parts_of_a_range_are_close() {
    for end in halves().filter(|bits| *bits > 0) {
        let span = Fixed::from_bits(end).range_end();
        for value in [i32::MIN, -1, 0, 1, end / 3, end / 2, end - 1, end, end.saturating_add(1)] {
            let got = Fixed::from_bits(value).fraction_of(span).to_f64();
            let exact = match value {
                ..=0 => 0.0,
                _ if value >= end => 1.0,
                _ => f64::from(value) / f64::from(end),
            };
            assert!((got - exact).abs() <= 1.0 / 16_384.0, "{value} of {end}: {got}, not {exact}");
        }
    }
}
