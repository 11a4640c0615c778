//! The forms for very many actors give the plan of the forms for boards and of the naive ledger, whatever
//! parts they are asked in.
//!
//! `cargo run --release -p lodger-tests --example same-bits` does the same for long.

#[allow(unreachable_pub)] // examples/same-bits.rs uses it, too
mod crowds;
#[allow(unreachable_pub, dead_code)] // the same
mod frames;
#[allow(unreachable_pub)] // the same
mod random;
#[allow(unreachable_pub)] // the same
mod references;
#[allow(unreachable_pub)] // the same
mod scenes;
#[allow(unreachable_pub)] // the same
mod walks;

use lodger_core::Fixed;
use lodger_scheduler::Vectors;
use rayon::ThreadPoolBuilder;
use scenes::ExecutionVariant;

#[test]
fn parts_in_any_order_are_decided_like_the_whole() {
    for seed in 0..80 {
        let most = [40, 300, 2_000, 6_000][(seed % 4) as usize];
        assert_eq!(frames::run(seed, most, |_, _| {}), Ok(()));
    }
}

#[test]
fn all_vectors_and_threads_decide_like_the_naive_ledger() {
    let pools = [1, 2, 7].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build());
    let pools = pools.map(|pool| pool.expect("threads"));
    let ways = |vectors| pools.iter().map(move |pool| ExecutionVariant { vectors, pool });
    let ways: Vec<_> = Vectors::all().into_iter().flat_map(ways).collect();
    for seed in 0..12 {
        let most = [10, 100, 400][(seed / 3 % 3) as usize];
        let same = match seed % 3 {
            0 => scenes::run::<f32>(seed, most, &ways, |_| {}),
            1 => scenes::run::<f64>(seed, most, &ways, |_| {}),
            _ => scenes::run::<Fixed>(seed, most, &ways, |_| {}),
        };
        assert_eq!(same, Ok(()));
    }
}
