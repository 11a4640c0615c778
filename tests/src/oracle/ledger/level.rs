//! Levels for money and money for levels.

use super::{Actor, Scene};

/// The highest LOD in the actor's range that `money` pays, Q16.16.
///
/// # Panics
/// If the money does not reach the minimum.
#[must_use]
pub fn highest(scene: &Scene, actor: &Actor, money: u128) -> u32 {
    let (lowest, top) = actor.range;
    let level = (lowest..=top)
        .rev()
        .find(|&level| cost_of(actor, level) <= money)
        .expect("nobody is offered less than the minimum");
    let whole = u32::from(level) << 16;
    if level == top || !scene.module_of(actor).continuous {
        return whole;
    }
    let (below, above) = (cost_of(actor, level), cost_of(actor, level + 1));
    let fraction = ((money - below) << 16) / (above - below);
    whole + u32::try_from(fraction).expect("money for less than a level")
}

/// Nanoseconds of a LOD, rounded up between two levels.
///
/// # Panics
/// If the ladder has no such level, or falls.
#[must_use]
pub fn cost_ns(costs: &[u32], lod: u32) -> u32 {
    let (level, fraction) = ((lod >> 16) as usize, u64::from(lod & 0xffff));
    if fraction == 0 {
        return costs[level];
    }
    let step = u64::from(costs[level + 1] - costs[level]);
    let part = (step * fraction).div_ceil(1 << 16);
    costs[level] + u32::try_from(part).expect("a part of a step")
}

fn cost_of(actor: &Actor, level: u8) -> u128 {
    u128::from(actor.costs[usize::from(level)])
}
