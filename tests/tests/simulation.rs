//! The results of the examples `camera-path` and `closed-loop`, here for two seeds and with wider bounds.

mod runs;

use lodger_cli::simulation::CostKnowledge;

use runs::{Mean, OPTIMAL, Run, STEADY, baselines, means};

const SEEDS: [u64; 2] = [5, 11];

fn run(prices: CostKnowledge, candidates: &[lodger_cli::simulation::Candidate]) -> Vec<Mean> {
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
    let rows = SEEDS.map(|seed| {
        Run { seed, budget: 0.2, prices, moves: false, frames: 660 }.run(&[STEADY], |_| ())
    });
    let mean = &means(&rows)[0];
    assert!(mean.flips <= 1.0, "{mean:?}");
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
