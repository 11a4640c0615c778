//! The algorithms for many actors give the plan of the sequential algorithms and of the naive reference, however modules
//! are partitioned.
//!
//! `cargo run --release -p lodger-tests --example same-bits` runs many more cases.
#![allow(dead_code, unreachable_pub, reason = "tests and examples use different parts")]

pub mod frames;
#[cfg(test)]
mod limited;
pub mod module_views;
pub mod modules;
pub mod scenes;

use lodger_core::budget::{Leftovers, Lod};
use lodger_scheduler::SimdLevel;
#[cfg(test)]
use lodger_testkit::script::Profile;
use lodger_tests::oracle::ledger as oracle;
use rayon::{ThreadPool, ThreadPoolBuilder};
use scenes::ExecutionVariant;

/// The leftover policies of the oracle and of core.
pub const LEFTOVERS: [(oracle::Leftovers, Leftovers); 4] = [
    (oracle::Leftovers::Keep, Leftovers::Keep),
    (oracle::Leftovers::WithinModule, Leftovers::WithinModule),
    (oracle::Leftovers::AcrossModules, Leftovers::AcrossModules),
    (oracle::Leftovers::WholeBudget, Leftovers::WholeBudget),
];

pub fn core_leftovers(leftovers: oracle::Leftovers) -> Leftovers {
    LEFTOVERS.into_iter().find(|(known, _)| *known == leftovers).expect("a known policy").1
}

pub fn oracle_leftovers(leftovers: Leftovers) -> oracle::Leftovers {
    LEFTOVERS.into_iter().find(|(_, known)| *known == leftovers).expect("a known policy").0
}

pub fn lod_bits(lod: Lod) -> u32 {
    u32::from(lod.level()) << 16 | u32::from(lod.fraction())
}

pub fn pools() -> [ThreadPool; 3] {
    [1, 2, 7].map(|threads| {
        ThreadPoolBuilder::new().num_threads(threads).build().expect("threads can start")
    })
}

pub fn variants(pools: &[ThreadPool]) -> Vec<ExecutionVariant<'_>> {
    let in_pools = |simd_level| pools.iter().map(move |pool| ExecutionVariant { simd_level, pool });
    SimdLevel::all().into_iter().flat_map(in_pools).collect()
}

#[test]
fn parts_in_any_order_are_decided_like_the_whole() {
    for seed in 0..500 {
        assert_eq!(frames::run(seed, |_, _| {}), Ok(()));
    }
}

#[test]
fn all_simd_levels_and_threads_decide_like_the_sequential_algorithms() {
    let pools = pools();
    let variants = variants(&pools);
    for seed in 0..24 {
        let without = Profile::of_many([10, 100, 400][(seed / 3 % 3) as usize]);
        let profile = if seed < 12 { without } else { without.with_lenses() };
        let same = match seed % 3 {
            0 => scenes::run::<f32>(seed, &profile, &variants, |_| {}),
            1 => scenes::run::<f64>(seed, &profile, &variants, |_| {}),
            _ => scenes::run::<lodger_core::Fixed>(seed, &profile, &variants, |_| {}),
        };
        assert_eq!(same, Ok(()));
    }
}

/// Many short frames have all settings together, for example unmanaged, continuous modules with a cap.
#[test]
fn scenes_of_few_actors_are_decided_like_the_sequential_algorithms() {
    let pools = pools();
    let variants = variants(&pools);
    for profile in [Profile::SCHEDULER, Profile::SCHEDULER.with_lenses()] {
        for seed in 0..100 {
            assert_eq!(scenes::run::<f32>(seed, &profile, &variants[..1], |_| {}), Ok(()));
        }
    }
}
