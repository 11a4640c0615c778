//! What `cargo run --release -p lodger-tests --example camera-path` and `closed-loop` show of twenty seeds,
//! held here of few and with room for chance.

mod runs;

use lodger_cli::simulation::Prices;

use runs::{Mean, OPTIMAL, Run, STEADY, baselines, means};

const SEEDS: [u64; 2] = [5, 11];

/// The means over the seeds.
fn run(prices: Prices, candidates: &[lodger_cli::simulation::Candidate]) -> Vec<Mean> {
    let rows = SEEDS.map(|seed| {
        Run { seed, budget: 0.2, prices, moves: true, frames: 300 }.run(candidates, |_| ())
    });
    means(&rows)
}

#[test]
fn a_steady_ledger_flickers_less_and_shows_as_much() {
    let [off, steady] = &run(Prices::Told { jitter: 0.0 }, &[OPTIMAL, STEADY])[..] else {
        panic!()
    };
    assert!(steady.flips <= 0.4 * off.flips, "{steady:?} {off:?}");
    assert!(steady.returns <= 0.02 * off.returns, "{steady:?} {off:?}");
    assert!(steady.least_worth >= 0.997, "{steady:?}");
    let [off, steady] = &run(Prices::Told { jitter: 0.02 }, &[OPTIMAL, STEADY])[..] else {
        panic!()
    };
    assert!(steady.flips <= off.flips / 8.0, "{steady:?} {off:?}");
    assert!(steady.returns <= off.returns / 50.0, "{steady:?} {off:?}");
    assert!(steady.least_worth >= 0.99, "{steady:?}");
}

#[test]
fn a_still_scene_is_still_after_its_third_frame() {
    for candidate in [OPTIMAL, STEADY] {
        let prices = Prices::Told { jitter: 0.0 };
        Run { seed: 5, budget: 0.2, prices, moves: false, frames: 62 }.run(
            &[candidate],
            |simulation| {
                let changed = simulation.last().map(|last| last.changed).sum::<u32>();
                assert!(simulation.frames() <= 3 || changed == 0, "frame {}", simulation.frames());
            },
        );
    }
}

#[test]
fn noise_moves_hardly_anybody_in_a_still_scene() {
    let prices = Prices::Measured { wrong: 1.0, noise: 0.02, spike: 0.0 };
    let rows = SEEDS.map(|seed| {
        Run { seed, budget: 0.2, prices, moves: false, frames: 660 }.run(&[STEADY], |_| ())
    });
    let mean = &means(&rows)[0];
    assert!(mean.flips <= 1.0, "{mean:?}");
}

#[test]
fn a_budget_holds_while_costs_are_learnt() {
    for (noise, most_over, least_worth) in [(0.05, 0.02, 0.96), (0.2, 0.03, 0.88)] {
        let prices = Prices::Measured { wrong: 3.0, noise, spike: 0.01 };
        let rows = SEEDS.map(|seed| {
            Run { seed, budget: 0.2, prices, moves: true, frames: 660 }.run(&[STEADY], |_| ())
        });
        let ledger = &means(&rows)[0];
        assert!(ledger.over_calm <= most_over, "{noise}: {ledger:?}");
        assert!(ledger.worth >= least_worth, "{noise}: {ledger:?}");
    }
}

#[test]
fn nobody_of_today_shows_more_within_the_budget() {
    let candidates: Vec<_> = [STEADY].into_iter().chain(baselines()).collect();
    let means = run(Prices::Measured { wrong: 3.0, noise: 0.05, spike: 0.01 }, &candidates);
    let (ledger, others) = means.split_first().expect("five");
    for other in others {
        assert!(other.worth < ledger.worth, "{other:?} {ledger:?}");
    }
}

#[test]
fn raw_prices_are_close_after_half_a_second() {
    let prices = Prices::Measured { wrong: 3.0, noise: 0.05, spike: 0.0 };
    for seed in SEEDS {
        Run { seed, budget: 0.2, prices, moves: true, frames: 61 }.run(&[STEADY], |simulation| {
            let last = simulation.last().next().expect("one");
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
