use std::vec::Vec;

use proptest::prelude::*;

use super::*;

/// A unit cost of so many nanoseconds.
fn cost(ns: f64) -> UnitCost {
    UnitCost::from_ns(ns).unwrap()
}

/// How many times as expensive `after` is, as a logarithm of 2.
fn distance(after: UnitCost, before: f64) -> f64 {
    (after.ns() / before).log2()
}

/// What was measured when `units` took `ns` each.
fn measured(units: u32, ns: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // positive, and small enough
    let time = (f64::from(units) * ns).round() as u64;
    time
}

/// An error of the logarithms themselves: a few in the last of their 16 bits.
const LAST_BITS: f64 = 8.0 / 65_536.0;

proptest! {
    #[test]
    fn logarithms_and_powers_are_good_to_the_last_bits(value in 1_u64.., log_q16 in 0..=MAX_LOG_Q16) {
        #[allow(clippy::cast_precision_loss)] // 53 bits for a comparison of 20
        let exact = (value as f64).log2() * 65_536.0;
        prop_assert!((f64::from(log2_q16(value)) - exact).abs() < 2.0, "{} {exact}", log2_q16(value));
        let exact = (f64::from(log_q16) / 65_536.0).exp2();
        let power = exp2(log_q16) as f64;
        prop_assert!(power <= exact * 1.000_001 && exact - power < 1.0 + exact * 1e-7);
    }

    #[test]
    fn the_median_is_that_of_a_sort(values: [u32; WINDOW]) {
        let mut sorted = values;
        sorted.sort_unstable();
        prop_assert_eq!(median(values), sorted[WINDOW / 2]);
    }

    #[test]
    fn a_steady_cost_is_reached_in_the_promised_frames(
        assumed in 0.01_f64..1e6,
        factor_log in -8.0_f64..8.0,
        units in 1_000_u32..1_000_000,
    ) {
        let truth = assumed * factor_log.exp2();
        prop_assume!((0.01..1e6).contains(&truth) && f64::from(units) * truth > 1e5);
        let mut calibration = Calibration::new(cost(assumed));
        let mut left = factor_log.abs();
        for frame in 1..=120 {
            calibration.observe(units, measured(units, truth));
            if frame > WINDOW / 2 {
                left *= if factor_log > 0.0 { 0.8 } else { 0.9 };
            }
            // Half a nanosecond of rounding in at least 10^5.
            let off = distance(calibration.unit_cost(), truth).abs();
            prop_assert!(off <= left + LAST_BITS + 1e-4, "frame {frame}: {off} of {left}");
        }
    }

    #[test]
    fn two_spikes_in_a_window_move_nothing(
        assumed in 1.0_f64..1e4,
        first: u64,
        second: u64,
        gap in 0_usize..5,
    ) {
        let units = 10_000;
        let time = measured(units, assumed);
        let mut calibration = Calibration::new(cost(assumed));
        let mut observe = |time| {
            let after = calibration.observe(units, time);
            assert!(distance(after, assumed).abs() < LAST_BITS + 1e-4);
        };
        observe(first);
        (0..gap).for_each(|_| observe(time));
        observe(second);
        (0..10).for_each(|_| observe(time));
    }

    #[test]
    fn nothing_leaves_the_range_of_what_was_seen(
        assumed in 0.01_f64..1e6,
        seen in prop::collection::vec((1_u32..1_000_000, 1_u64..1_000_000_000), 1..50),
    ) {
        let start = Calibration::new(cost(assumed));
        let mut calibration = start;
        let (mut least, mut greatest) = (start.log_q16, start.log_q16);
        for (units, time) in seen {
            let before = calibration.log_q16;
            calibration.observe(units, time);
            least = least.min(calibration.window_q16[WINDOW - 1]);
            greatest = greatest.max(calibration.window_q16[WINDOW - 1]);
            prop_assert!((least..=greatest).contains(&calibration.log_q16));
            // Towards the median and not beyond it.
            let median = median(calibration.window_q16);
            prop_assert!((before.min(median)..=before.max(median)).contains(&calibration.log_q16));
        }
    }

    #[test]
    fn more_measured_time_never_makes_a_unit_cheaper(
        assumed in 0.01_f64..1e6,
        seen in prop::collection::vec((1_u32..1_000_000, 1_u64..1_000_000_000, 0_u64..1_000_000), 1..50),
    ) {
        let mut less = Calibration::new(cost(assumed));
        let mut more = less;
        for (units, time, extra) in seen {
            let less = less.observe(units, time);
            prop_assert!(more.observe(units, time + extra) >= less);
        }
    }

    #[test]
    fn every_input_is_taken(
        assumed in 1_u64..,
        seen in prop::collection::vec((any::<u32>(), any::<u64>()), 0..50),
    ) {
        let mut calibration = Calibration::new(UnitCost::from_bits(assumed).unwrap());
        for (units, time) in seen {
            prop_assert_eq!(calibration.observe(units, time), calibration.unit_cost());
            prop_assert!(calibration.unit_cost().bits() > 0);
        }
    }
}

#[test]
fn it_is_quick_upward_and_slow_downward() {
    let frames_to = |truth: f64| {
        let mut calibration = Calibration::new(cost(100.0));
        let frames = (1..200).take_while(|_| {
            let after = calibration.observe(1_000, measured(1_000, truth));
            distance(after, truth).abs() > 1.1_f64.log2()
        });
        frames.count() + 1
    };
    assert_eq!((frames_to(200.0), frames_to(50.0)), (11, 21));
}

#[test]
fn an_assumed_cost_is_kept_to_the_bit_until_it_is_wrong() {
    let assumed = UnitCost::from_bits(0x1234_5678_9abc_def1).unwrap();
    let calibration = Calibration::new(assumed);
    assert_eq!(calibration.unit_cost(), assumed);
}

#[test]
fn nothing_done_and_nothing_measured_change_nothing() {
    let start = Calibration::new(cost(10.0));
    let mut calibration = start;
    for (units, time) in [(0, 0), (0, u64::MAX), (u32::MAX, 0), (1, 0)] {
        calibration.observe(units, time);
        assert_eq!(calibration, start);
    }
}

#[test]
fn the_ends_of_the_range_hold() {
    let extremes = [(1, u64::MAX), (u32::MAX, 1)];
    let ends: Vec<u64> = extremes
        .iter()
        .map(|&(units, time)| {
            let mut calibration = Calibration::new(cost(1.0));
            (0..1_000).for_each(|_| _ = calibration.observe(units, time));
            calibration.unit_cost().bits()
        })
        .collect();
    // A nanosecond over 2^32 units is the last bit; u64::MAX nanoseconds are beyond the first.
    assert_eq!(ends[1], 1);
    assert!(ends[0] > u64::MAX / 100_000 * 99_998, "{:x}", ends[0]);
}
