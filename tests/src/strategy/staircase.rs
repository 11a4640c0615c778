//! The scene that needs the most passes.

use crate::oracle::ledger::{Actor, Leftovers, Module, Scene, WHOLE, scale};

/// The longest staircase.
pub const RUNGS: u32 = 34;

/// One unit of benefit in Q16.16 is 2^8 ns.
const VALUE: u32 = 1 << 24;
const TARGET_BITS: u32 = 8;
/// A benefit has 24 bits; from there on a rung is several actors.
const TOP_BIT: u32 = 23;

/// A scene in which every pass pins one rung and no more, from the widest rung to the narrowest.
///
/// A rung wants as much as all narrower ones together, so that pinning it halves what is wanted and lowers the scale by
/// as much as the rung before did. Its minimum is its share at the scale before last: enough then, short now.
#[must_use]
pub fn staircase(rungs: u32) -> Scene {
    let rungs = rungs.min(RUNGS);
    let mut wanted = 1u128 << (TARGET_BITS + rungs);
    let budget = wanted - (wanted >> 7);
    let mut left = budget;
    let (mut before_last, mut last) = (u128::from(WHOLE), (left << 32) / wanted);
    let mut actors = Vec::new();
    for rung in (0..rungs).rev() {
        let (benefit, crowd) = (1 << rung.min(TOP_BIT), 1 << rung.saturating_sub(TOP_BIT));
        let minimum = share_at(benefit, before_last);
        for _ in 0..crowd {
            actors.push(actor(actors.len(), benefit, vec![minimum, minimum]));
        }
        left -= u128::from(minimum) * crowd;
        wanted -= 1 << (TARGET_BITS + rung);
        (before_last, last) = (last, (left << 32) / wanted);
    }
    let rest = share_at(1, last);
    actors.push(actor(actors.len(), 1, vec![0, rest]));
    Scene {
        budget_ns: u64::try_from(budget).ok(),
        count_unmanaged: true,
        leftovers: Leftovers::Keep,
        modules: vec![Module { enabled: true, continuous: false, benefit_value_ns: VALUE }],
        actors,
    }
}

fn share_at(benefit: u32, scale: u128) -> u32 {
    let scale = u64::try_from(scale).expect("a scale is at most one");
    let share = scale::share(VALUE, benefit, scale);
    u32::try_from(share).expect("the widest rung wants 2^31 ns")
}

fn actor(id: usize, benefit: u32, costs: Vec<u32>) -> Actor {
    Actor {
        id: u32::try_from(id).expect("a few thousand actors"),
        module: 0,
        benefit,
        costs,
        range: (0, 1),
        forced: None,
    }
}
