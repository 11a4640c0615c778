use std::vec::Vec;

use proptest::prelude::*;

use super::*;

fn cost(ns: f64) -> UnitCost {
    UnitCost::from_ns(ns).unwrap()
}

/// Returns the factor between two unit costs, as a logarithm of 2.
fn distance(after: UnitCost, before: f64) -> f64 {
    (after.ns() / before).log2()
}

fn measured(units: u64, ns: f64) -> u64 {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss)]
    let time = (units as f64 * ns).round() as u64; // positive, and small enough
    time
}

/// A few units in the last of 16 bits.
const LAST_BITS: f64 = 8.0 / 65_536.0;

#[test]
fn tenths_are_quotients_rounded_up() {
    for number in (0..1 << 20).chain((1 << 26) - 100_000..1 << 26) {
        assert_eq!(tenth(number), number.div_ceil(10), "{number}");
    }
}

/// A network of comparisons that is right for zeros and ones is right for all numbers.
#[test]
fn the_median_is_right_for_all_zeros_and_ones() {
    for bits in 0..1_u32 << WINDOW {
        let window = std::array::from_fn(|place| bits >> place & 1);
        assert_eq!(median(&window), u32::from(bits.count_ones() > 4), "{window:?}");
    }
}

proptest! {
    #[test]
    fn the_median_is_that_of_a_sort(values: [u32; WINDOW]) {
        let mut sorted = values;
        sorted.sort_unstable();
        prop_assert_eq!(median(&values), sorted[WINDOW / 2]);
    }

    #[test]
    fn constant_costs_are_reached_in_the_promised_frames(
        assumed in 0.01_f64..1e6,
        factor_log in -8.0_f64..8.0,
        units in 1_000_u64..1_000_000,
    ) {
        let truth = assumed * factor_log.exp2();
        prop_assume!((0.01..1e6).contains(&truth) && measured(units, truth) > 100_000);
        let mut calibration = Calibration::new(cost(assumed));
        let mut left = factor_log.abs();
        for frame in 1..=120 {
            calibration.observe(units, measured(units, truth));
            if frame > WINDOW / 2 {
                left *= if factor_log > 0.0 { 0.8 } else { 0.9 };
            }
            // Half a nanosecond of rounding in at least 10^5.
            let off = distance(calibration.raw_unit_cost(), truth).abs();
            prop_assert!(off <= left + LAST_BITS + 1e-4, "frame {frame}: {off} of {left}");
        }
    }

    #[test]
    fn four_spikes_in_a_window_have_no_effect(
        assumed in 1.0_f64..1e4,
        wanted in prop::collection::vec(prop::option::of(1_u64..), 50),
    ) {
        let mut calibration = Calibration::new(cost(assumed));
        let mut spiked = Vec::new();
        for spike in wanted {
            let recent: usize = spiked.iter().rev().take(WINDOW - 1).map(|&s| usize::from(s)).sum();
            let spike = spike.filter(|_| recent < 4);
            spiked.push(spike.is_some());
            calibration.observe(10_000, spike.unwrap_or(measured(10_000, assumed)));
            prop_assert!(distance(calibration.raw_unit_cost(), assumed).abs() < LAST_BITS + 1e-4);
            let applied = distance(calibration.unit_cost(), assumed);
            prop_assert!(applied.abs() < LAST_BITS + 1e-4);
        }
    }

    /// Between the raw cost and a sixteenth more it does not move.
    #[test]
    fn applied_costs_move_only_outside_the_range_of_the_raw_cost(
        assumed in 1_u64..,
        measurements in prop::collection::vec((0_u64..1_000_000, 0_u64..1_000_000_000), 1..100),
    ) {
        let mut calibration = Calibration::new(UnitCost::from_bits(assumed).unwrap());
        for (units, time) in measurements {
            let before = calibration.unit_cost().bits();
            let applied = calibration.observe(units, time).bits();
            let raw = calibration.raw_unit_cost().bits();
            let most = u64::try_from(u128::from(raw) * 17 / 16).unwrap_or(u64::MAX);
            prop_assert_eq!(applied, before.clamp(raw, most));
        }
    }

    #[test]
    fn units_without_time_are_added_to_the_next_measurement(
        assumed in 1.0_f64..1e4,
        measurements in prop::collection::vec((prop::collection::vec(0_u64..1_000, 0..5), 1_u64..1_000, 1_u64..1_000_000), 1..40),
    ) {
        let mut coarse = Calibration::new(cost(assumed));
        let mut fine = coarse;
        for (unseen, units, time) in measurements {
            for &units in &unseen {
                let before = coarse.unit_cost();
                prop_assert_eq!(coarse.observe(units, 0), before);
            }
            coarse.observe(units, time);
            fine.observe(units + unseen.iter().sum::<u64>(), time);
            prop_assert_eq!(coarse, fine);
        }
    }

    #[test]
    fn unit_costs_stay_within_the_measured_range(
        assumed in 0.01_f64..1e6,
        measurements in prop::collection::vec((1_u64..1_000_000, 1_u64..1_000_000_000), 1..50),
    ) {
        let start = Calibration::new(cost(assumed));
        let mut calibration = start;
        let (mut least, mut greatest) = (start.log_q16, start.log_q16);
        for (units, time) in measurements {
            let before = calibration.log_q16;
            calibration.observe(units, time);
            // The window has the latest measurement, and older ones.
            let logs_q16 = calibration.window.logs_q16();
            least = logs_q16.into_iter().fold(least, u32::min);
            greatest = logs_q16.into_iter().fold(greatest, u32::max);
            prop_assert!((least..=greatest).contains(&calibration.log_q16));
            // Towards the median and not beyond it.
            let median = median(&logs_q16);
            prop_assert!((before.min(median)..=before.max(median)).contains(&calibration.log_q16));
        }
    }

    #[test]
    fn more_measured_time_never_makes_a_unit_cheaper(
        assumed in 0.01_f64..1e6,
        measurements in prop::collection::vec((1_u64..1_000_000, 1_u64..1_000_000_000, 0_u64..1_000_000), 1..50),
    ) {
        let mut less = Calibration::new(cost(assumed));
        let mut more = less;
        for (units, time, extra) in measurements {
            let less_applied = less.observe(units, time);
            prop_assert!(more.observe(units, time + extra) >= less_applied);
            prop_assert!(more.raw_unit_cost() >= less.raw_unit_cost());
        }
    }

    #[test]
    fn scaled_costs_are_rounded_products(bits in 1_u64.., zeros in 0_u32..64, numerator: u32, denominator: u32) {
        let cost = UnitCost::from_bits((bits >> zeros).max(1)).unwrap();
        let (of, by) = (u128::from(cost.bits()) * u128::from(numerator), u128::from(denominator));
        let expected = (numerator > 0).then(|| (2 * of + by).checked_div(2 * by)).flatten();
        let expected = expected.and_then(|bits| u64::try_from(bits.max(1)).ok());
        prop_assert_eq!(cost.scaled(numerator, denominator).map(UnitCost::bits), expected);
        prop_assert_eq!(cost.scaled(numerator, 0), None);
        // Costs that were not measured are as new.
        let scaled = Calibration::new(cost).scaled(numerator, denominator);
        prop_assert_eq!(scaled, cost.scaled(numerator, denominator).map(Calibration::new));
    }

    #[test]
    fn a_scaled_calibration_follows_scaled_times(
        assumed in 1.0_f64..1e4,
        times in prop::collection::vec(1_000_000_u64..1_000_000_000, 1..60),
        (numerator, denominator) in (1_u32..100, 1_u32..100),
        change in 0_usize..60,
    ) {
        let factor = f64::from(numerator) / f64::from(denominator);
        let mut changed = Calibration::new(cost(assumed));
        let mut always = Calibration::new(cost(assumed * factor));
        for (frame, time) in times.into_iter().enumerate() {
            if frame == change {
                changed = changed.scaled(numerator, denominator).unwrap();
            }
            #[allow(clippy::cast_precision_loss)]
            let slow = measured(1, time as f64 * factor);
            changed.observe(10_000, if frame < change { time } else { slow });
            always.observe(10_000, slow);
            let factor = if frame < change { factor } else { 1.0 };
            let off = distance(changed.raw_unit_cost(), always.raw_unit_cost().ns() / factor).abs();
            prop_assert!(off < 8.0 * LAST_BITS, "frame {frame}: {off}");
        }
    }

    #[test]
    fn every_input_is_taken(
        assumed in 1_u64..,
        measurements in prop::collection::vec((any::<u64>(), any::<u64>()), 0..50),
    ) {
        let mut calibration = Calibration::new(UnitCost::from_bits(assumed).unwrap());
        for (units, time) in measurements {
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
            calibration.observe(1_000, measured(1_000, truth));
            distance(calibration.raw_unit_cost(), truth).abs() > 1.1_f64.log2()
        });
        frames.count() + 1
    };
    assert_eq!((frames_to(200.0), frames_to(50.0)), (13, 23));
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
    for (units, time) in [(0, 0), (0, u64::MAX), (0, 1)] {
        calibration.observe(units, time);
        assert_eq!(calibration, start);
    }
    // However long the clock stands still, the units find an end.
    for units in [1, u64::MAX, u64::MAX] {
        assert_eq!(calibration.observe(units, 0), start.unit_cost());
    }
    assert!(calibration.observe(1, 1) == start.unit_cost() && !calibration.is_settled());
}

#[test]
fn the_ends_of_the_range_hold() {
    let extremes = [(1, u64::MAX), (u64::MAX, 1)];
    let ends: Vec<u64> = extremes
        .iter()
        .map(|&(units, time)| {
            let mut calibration = Calibration::new(cost(1.0));
            (0..1_000).for_each(|_| _ = calibration.observe(units, time));
            calibration.raw_unit_cost().bits()
        })
        .collect();
    // A nanosecond over 2^32 units is the last bit, and over more than that no less; u64::MAX nanoseconds are beyond the first.
    assert_eq!(ends[1], 1);
    assert!(ends[0] > u64::MAX / 100_000 * 99_998, "{:x}", ends[0]);
}

struct NoiseBits(u64);

impl NoiseBits {
    fn even(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        f64::from(u32::try_from(self.0 >> 32).unwrap()) / 4_294_967_296.0
    }

    fn normal(&mut self) -> f64 {
        (0..12).map(|_| self.even()).sum::<f64>() - 6.0
    }
}

/// A cost assumed three times wrong, under noise and spikes of ten times the work.
#[test]
fn a_wrong_cost_is_found_in_noise_and_spikes() {
    for (noise, needed) in [(0.05, 400), (0.2, 380)] {
        for wrong in [3.0, 1.0 / 3.0] {
            let mut found = 0;
            let mut shifted: f64 = 0.0;
            for run in 0..400 {
                let mut random = NoiseBits(run * 31 + 7);
                let mut calibration = Calibration::new(cost(100.0 * wrong));
                let mut calm = calibration;
                let mut mean = 0.0;
                for frame in 0..60 {
                    let clean = 100.0 * (noise * random.normal()).exp();
                    let spiked = if random.even() < 0.01 { clean * 10.0 } else { clean };
                    calibration.observe(10_000, measured(10_000, spiked));
                    calm.observe(10_000, measured(10_000, clean));
                    if frame >= 30 {
                        mean += calibration.raw_unit_cost().ns() / 3_000.0;
                        let shift =
                            distance(calibration.raw_unit_cost(), calm.raw_unit_cost().ns());
                        shifted = shifted.max(shift.abs());
                    }
                }
                found += u32::from((mean - 1.0).abs() <= 0.1);
            }
            assert!(found >= needed, "noise {noise} wrong {wrong}: {found} of 400");
            assert!(noise > 0.1 || shifted < 1.1_f64.log2(), "spikes moved it by {shifted}");
        }
    }
}

#[test]
fn it_is_settled_after_thirty_measurements() {
    let mut calibration = Calibration::new(cost(10.0));
    let settled = (0..300).map(|_| {
        calibration.observe(1, 0);
        calibration.observe(0, 1);
        calibration.is_settled()
    });
    assert_eq!(settled.take_while(|settled| !settled).count(), 29);
    assert!(calibration.is_settled());
}
