//! Level changes and values along a camera path, with hysteresis and without.
//!
//! 500 actors, a camera at 5 m/s on a circle of 40 m, 60 frames a second; prices are known. `--seeds N`.

#[path = "../tests/simulation/runs.rs"]
mod runs;

use lodger_cli::simulation::{Candidate, CostKnowledge};
use lodger_scheduler::Leftovers;

use runs::{BUDGETS, FRAMES, Mean, OPTIMAL, Run, STEADY, means, proportional, seeds};

fn main() {
    let seeds = seeds(20);
    let candidates = [
        ("Keep, off", proportional(Leftovers::Keep, 0, 0)),
        ("Keep, STEADY", proportional(Leftovers::Keep, 26, 8)),
        ("AcrossModules, off", proportional(Leftovers::AcrossModules, 0, 0)),
        ("AcrossModules, (51, 13)", proportional(Leftovers::AcrossModules, 51, 13)),
        ("optimal, off", OPTIMAL),
        ("optimal, STEADY", STEADY),
    ];
    println!(
        "{} seeds, budgets of {BUDGETS:?} of the cost of all highest levels, from frame 60 to {FRAMES}",
        seeds.end
    );
    for jitter in [0.0, 0.02] {
        println!(
            "\nprice jitter {} %: level changes a second, there and back, share of the greatest value (smallest)",
            jitter * 100.0
        );
        let all: Vec<Candidate> = candidates.iter().map(|(_, candidate)| *candidate).collect();
        let rows: Vec<_> = seeds
            .clone()
            .flat_map(|seed| BUDGETS.map(|budget| (seed, budget)))
            .map(|(seed, budget)| {
                let prices = CostKnowledge::Known { jitter };
                Run { seed, budget, prices, moves: true, frames: FRAMES }.run(&all, |_| ())
            })
            .collect();
        let means = means(&rows);
        for ((name, _), Mean { value, min_value, flips, returns, .. }) in
            candidates.iter().zip(&means)
        {
            println!("{name:24} {flips:7.1} {returns:7.1}   {value:.4} ({min_value:.4})");
        }
        let [off, steady] = [&means[4], &means[5]];
        println!(
            "optimal, STEADY of off: changes {:.3}, there and back {:.4}",
            steady.flips / off.flips,
            steady.returns / off.returns
        );
    }
    still(seeds.clone(), "a still scene, prices known", CostKnowledge::Known { jitter: 0.0 });
    still(
        seeds,
        "a still scene, 2 % noise",
        CostKnowledge::Measured { wrong: 1.0, noise: 0.02, spike: 0.0 },
    );
}

fn still(seeds: std::ops::Range<u64>, title: &str, prices: CostKnowledge) {
    println!(
        "\n{title}: changes after frame 3; per second from frame 60, mean and maximum of a run"
    );
    let (mut after_three, mut a_second) = ([0; 2], [Vec::new(), Vec::new()]);
    for seed in seeds {
        for budget in BUDGETS {
            let run = Run { seed, budget, prices, moves: false, frames: FRAMES };
            let rows = run.run(&[OPTIMAL, STEADY], |simulation| {
                let counts = simulation.frames() > 3;
                for (sum, last) in
                    after_three.iter_mut().zip(simulation.last_frame()).filter(|_| counts)
                {
                    *sum += last.changed;
                }
            });
            a_second.iter_mut().zip(rows).for_each(|(all, row)| all.push(row.flips_per_s));
        }
    }
    for ((name, sum), all) in ["off", "STEADY"].iter().zip(after_three).zip(a_second) {
        #[expect(clippy::cast_precision_loss, reason = "few runs")]
        let mean = all.iter().sum::<f64>() / all.len() as f64;
        println!(
            "optimal, {name:7} {sum:6}; {mean:.2}, {:.2}",
            all.iter().copied().fold(0.0, f64::max)
        );
    }
}
