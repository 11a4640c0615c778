//! A scheduler that calibrates unit costs, beside four baselines of present engines.
//!
//! 500 actors on the camera path; unit costs are 3 times too high or too low at first, measured times are noisy.
//! `--seeds N`.

#[path = "../tests/simulation/runs.rs"]
mod runs;

use lodger_cli::simulation::{Candidate, CostKnowledge};
use lodger_scheduler::Leftovers;

use runs::{BUDGETS, FRAMES, Mean, Run, STEADY, baselines, means, proportional, seeds};

fn main() {
    let seeds = seeds(20);
    let candidates: Vec<Candidate> = [STEADY, proportional(Leftovers::AcrossModules, 26, 8)]
        .into_iter()
        .chain(baselines())
        .collect();
    println!(
        "{} seeds, budgets of {BUDGETS:?} of the cost of all highest levels, costs 3 x wrong, frames 60 to {FRAMES}",
        seeds.end
    );
    for (noise, spike) in [(0.05, 0.0), (0.2, 0.0), (0.05, 0.01), (0.2, 0.01)] {
        println!(
            "\nnoise {} %, spikes {} %: frames over budget, of those without a spike, share of the greatest value (smallest), changes a second, there and back",
            noise * 100.0,
            spike * 100.0
        );
        let (mut throughout, mut on_mean, mut runs) = (0, 0, Vec::new());
        for (seed, budget) in seeds.clone().flat_map(|seed| BUDGETS.map(|budget| (seed, budget))) {
            let prices = CostKnowledge::Measured { wrong: 3.0, noise, spike };
            let (mut is_close, mut sums) = (true, Vec::new());
            runs.push(Run { seed, budget, prices, moves: true, frames: FRAMES }.run(
                &candidates,
                |simulation| {
                    if (30..=60).contains(&(simulation.frames() - 1)) {
                        let raw = simulation
                            .last_frame()
                            .next()
                            .map(|last| last.raw_unit_costs)
                            .unwrap_or_default();
                        is_close &= raw.iter().all(|part| (part - 1.0).abs() <= 0.1);
                        sums.resize(raw.len(), 0.0);
                        sums.iter_mut().zip(raw).for_each(|(sum, part)| *sum += part / 31.0);
                    }
                },
            ));
            throughout += usize::from(is_close);
            on_mean += usize::from(sums.iter().all(|mean| (mean - 1.0).abs() <= 0.1));
        }
        for (candidate, mean) in candidates.iter().zip(means(&runs)) {
            let Mean { over, over_calm, value, min_value, flips, returns } = mean;
            println!(
                "{:20} {:6.2} % {:6.2} %   {value:.4} ({min_value:.4})  {flips:7.1} {returns:7.1}",
                candidate.name(),
                over * 100.0,
                over_calm * 100.0
            );
        }
        println!(
            "all raw prices within 10 % from frame 30 to 60: {throughout} of {} runs; on the mean of them: {on_mean}",
            runs.len()
        );
    }
}
