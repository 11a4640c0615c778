//! The results of the examples `camera-path` and `closed-loop`, here for two seeds and with wider bounds.

mod runs;

use lodger_cli::simulation::{Candidate, CostKnowledge};
use lodger_scheduler::Leftovers;

use runs::{FRAMES, Mean, OPTIMAL, Run, STEADY, baselines, means, proportional};

const SEEDS: [u64; 2] = [5, 11];
const HYSTERETIC: [Candidate; 2] = [STEADY, proportional(Leftovers::AcrossModules, 26, 8)];

fn run(prices: CostKnowledge, candidates: &[Candidate]) -> Vec<Mean> {
    let rows = SEEDS.map(|seed| {
        Run { seed, budget: 0.2, prices, moves: true, frames: 300 }.run(candidates, |_| ())
    });
    means(&rows)
}

#[test]
fn hysteresis_switches_less_at_the_same_value() {
    let known = |jitter| {
        let means = run(CostKnowledge::Known { jitter }, &[OPTIMAL, STEADY]);
        <[Mean; 2]>::try_from(means).expect("two candidates")
    };
    let [off, steady] = known(0.0);
    assert!(steady.flips <= 0.4 * off.flips, "{steady:?} {off:?}");
    assert!(steady.returns <= 0.02 * off.returns, "{steady:?} {off:?}");
    assert!(steady.min_value >= 0.997, "{steady:?}");
    let [off, steady] = known(0.02);
    assert!(steady.flips <= off.flips / 8.0, "{steady:?} {off:?}");
    assert!(steady.returns <= off.returns / 50.0, "{steady:?} {off:?}");
    assert!(steady.min_value >= 0.99, "{steady:?}");
}

#[test]
fn a_still_scene_is_still_after_its_third_frame() {
    for candidate in [OPTIMAL, STEADY] {
        let prices = CostKnowledge::Known { jitter: 0.0 };
        Run { seed: 5, budget: 0.2, prices, moves: false, frames: 62 }.run(
            &[candidate],
            |simulation| {
                let changed = simulation.last_frame().map(|last| last.changed).sum::<u32>();
                assert!(simulation.frames() <= 3 || changed == 0, "frame {}", simulation.frames());
            },
        );
    }
}

#[test]
fn noise_switches_few_levels_in_a_still_scene() {
    let prices = CostKnowledge::Measured { wrong: 1.0, noise: 0.02, spike: 0.0 };
    for seed in 0..5 {
        let run = Run { seed, budget: 0.2, prices, moves: false, frames: 1_260 };
        for candidate in run.run(&HYSTERETIC, |_| ()) {
            assert!(candidate.flips_per_s <= 1.0, "seed {seed}: {candidate:?}");
        }
    }
}

#[test]
fn a_budget_holds_while_costs_are_learnt() {
    for (noise, max_over, min_value) in [(0.05, 0.02, 0.96), (0.2, 0.03, 0.88)] {
        let prices = CostKnowledge::Measured { wrong: 3.0, noise, spike: 0.01 };
        let rows = SEEDS.map(|seed| {
            Run { seed, budget: 0.2, prices, moves: true, frames: 660 }.run(&[STEADY], |_| ())
        });
        let ledger = &means(&rows)[0];
        assert!(ledger.over_calm <= max_over, "{noise}: {ledger:?}");
        assert!(ledger.value >= min_value, "{noise}: {ledger:?}");
    }
}

#[test]
fn few_frames_are_over_the_budget_with_any_noise() {
    for (noise, spike) in [(0.05, 0.0), (0.2, 0.0), (0.05, 0.01)] {
        let prices = CostKnowledge::Measured { wrong: 3.0, noise, spike };
        let rows = SEEDS.map(|seed| {
            Run { seed, budget: 0.2, prices, moves: true, frames: FRAMES }.run(&HYSTERETIC, |_| ())
        });
        // One in a thousand in the long run; the first half minute has more.
        for mean in means(&rows) {
            assert!(mean.over_calm <= 0.007, "{noise}, {spike}: {mean:?}");
        }
    }
}

#[test]
fn no_baseline_has_more_value_within_the_budget() {
    let candidates: Vec<_> = [STEADY].into_iter().chain(baselines()).collect();
    let means = run(CostKnowledge::Measured { wrong: 3.0, noise: 0.05, spike: 0.01 }, &candidates);
    let (ledger, others) = means.split_first().expect("five");
    for other in others {
        assert!(other.value < ledger.value, "{other:?} {ledger:?}");
    }
}

#[test]
fn raw_unit_costs_are_close_after_half_a_second() {
    let prices = CostKnowledge::Measured { wrong: 3.0, noise: 0.05, spike: 0.0 };
    for seed in SEEDS {
        Run { seed, budget: 0.2, prices, moves: true, frames: 61 }.run(&[STEADY], |simulation| {
            let last = simulation.last_frame().next().expect("one");
            let is_close = last.raw_unit_costs.iter().all(|part| (part - 1.0).abs() <= 0.1);
            assert!(
                simulation.frames() <= 30 || is_close,
                "frame {}: {last:?}",
                simulation.frames()
            );
            assert_eq!(last.raw_unit_costs.len(), 3);
        });
    }
}
