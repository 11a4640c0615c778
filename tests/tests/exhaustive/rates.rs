//! Scales, rates, thresholds, and sums of money.

use lodger_core::Benefit;
use lodger_core::budget::{Account, Book, LadderSpan, Ladders, Rate, Scale};
use lodger_core::units::{BenefitValue, UnitCost};
use lodger_tests::oracle::ledger::scale::share;

use super::{patterns, patterns_32};

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

/// All scales that patterns of 2 bits have, and 0 and 1.
fn scales() -> Vec<Scale> {
    patterns(2, 33)
        .into_iter()
        .filter(|&bits| bits <= 1 << 32)
        .map(|bits| Scale::fitting(bits, 1 << 32))
        .collect()
}

/// Patterns of 2 bits for benefit values of 32 and scales of 33, of 3 bits for costs of 32.
#[test]
fn a_threshold_is_the_least_benefit_that_pays() {
    let costs = patterns_32(3);
    for value in patterns_32(2) {
        for scale in scales() {
            let rate = Rate::new(BenefitValue::from_ns(value), scale);
            let pays =
                |bits: u32, cost: u32| rate.share(Benefit::from_bits(bits)) >= u64::from(cost);
            for &cost in &costs {
                let holds = match rate.threshold(cost).map(Benefit::bits) {
                    None => !pays(Benefit::MAX.bits(), cost),
                    Some(0) => pays(0, cost),
                    Some(least) => pays(least, cost) && !pays(least - 1, cost),
                };
                assert!(holds, "{value} ns at {scale:?} for {cost} ns");
            }
        }
    }
}

/// Patterns of 2 bits: values of 32, scales of 33, benefits of 24.
#[test]
fn shares_are_products_rounded_down_and_never_more_than_their_target() {
    let benefits = patterns(2, 24);
    for value in patterns_32(2) {
        for scale in scales() {
            let (of, exactly) = (BenefitValue::from_ns(value), u128::from(value));
            let rate = Rate::new(of, scale);
            for &bits in &benefits {
                let benefit = Benefit::from_bits(bits.try_into().expect("of 24 bits"));
                let got = rate.share(benefit);
                assert_eq!(got, share(value, benefit.bits(), scale.bits()));
                let exact = exactly * u128::from(bits) * u128::from(scale.bits());
                assert!(u128::from(got) <= exact >> 48, "{value} {scale:?} {bits}");
                assert!(got <= of.target(bits));
            }
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

/// Ladders of 1 to 3 costs among 5, from the smallest to the greatest; values and scales from end to end; a
/// crowd of all patterns of 3 bits, whose levels are chosen by threshold, and each of its members alone,
/// whose level is chosen by share.
#[test]
fn levels_by_threshold_are_levels_by_share() {
    const COSTS: [u32; 5] = [0, 1, 700, 1 << 31, u32::MAX];
    let narrow = |bits: u64| Benefit::from_bits(bits.try_into().expect("of 24 bits"));
    let crowd: Vec<Benefit> = patterns(3, 24).into_iter().map(narrow).collect();
    let steps = 0..COSTS.len();
    for (a, b, c) in steps
        .clone()
        .flat_map(|a| (a..steps.end).flat_map(move |b| (b..steps.end).map(move |c| (a, b, c))))
    {
        let costs = [COSTS[a], COSTS[b], COSTS[c]];
        for len in 1..=3_u16 {
            for value in [0, 1, 3, 999, 65_535, 1 << 20, u32::MAX - 1, u32::MAX] {
                for scale in [0, 1, 1 << 16, (1 << 31) + 1, (1 << 32) - 1, 1 << 32] {
                    let scale = Scale::fitting(scale, 1 << 32);
                    let value = BenefitValue::from_ns(value);
                    crowd_and_members(value, scale, &costs[..len.into()], &crowd);
                }
            }
        }
    }
}

fn crowd_and_members(benefit_value: BenefitValue, scale: Scale, costs: &[u32], crowd: &[Benefit]) {
    let spans = [LadderSpan::new(0, costs.len().try_into().expect("a few"), 1)];
    let ladders = Ladders { spans: &spans, costs };
    let assigned = |benefits: &[Benefit], levels: &mut [u8]| {
        let account = Account { benefit_value, continuous: false, ladders, ladder: &[], benefits };
        Book { account, levels, ..Book::default() }.assign(scale)
    };
    let mut together = vec![0; crowd.len()];
    let sum = assigned(crowd, &mut together);
    let mut alone = 0;
    for (benefit, level) in crowd.iter().zip(together) {
        let mut own = [0];
        alone += assigned(std::slice::from_ref(benefit), &mut own);
        assert_eq!(own, [level], "{benefit_value:?} {scale:?} {costs:?} {benefit:?}");
    }
    assert_eq!(alone, sum);
}
