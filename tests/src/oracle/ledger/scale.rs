//! The scale that fits all targets into the budget, minimums first.

use super::{Scene, WHOLE, narrow};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// The widths of the rules' table: targets round up to whole nanoseconds, multipliers keep 40 bits.
    AsWritten,
    /// Targets and multipliers keep every bit during the search.
    ///
    /// Pinning an actor then reduces the sum of targets by at least its target, so neither the order of pinning nor a
    /// larger budget can lower the scale. Shares keep the widths of the table, and are at least the minimum.
    Exact,
}

/// A scale at which every free actor gets at least its minimum.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// The scale; [`WHOLE`] is 1.
    pub scale: u64,
    pub pinned: Vec<bool>,
    /// Passes over all actors (or, one by one, the number of pinned actors).
    pub passes: u32,
}

/// Pins all actors with a share below their minimum, lowers the scale, and repeats until a pass after the first pins
/// none.
#[must_use]
pub fn settle(scene: &Scene, available: u128, rounding: Rounding) -> Settled {
    let mut settled = unscaled(scene);
    loop {
        settled.passes += 1;
        let scale = settled.scale;
        let free = |&index: &usize| !settled.pinned[index];
        let short: Vec<usize> = scene
            .indices()
            .filter(free)
            .filter(|&index| is_short(scene, index, scale, rounding))
            .collect();
        for &index in &short {
            settled.pinned[index] = true;
        }
        if short.is_empty() && settled.passes > 1 {
            return settled;
        }
        settled.scale = lowered(scene, available, &settled, rounding);
    }
}

/// Pins one actor at a time, the first in `order` with a share below its minimum, and lowers the scale after each.
#[must_use]
pub fn settle_one_by_one(
    scene: &Scene,
    available: u128,
    rounding: Rounding,
    order: &[usize],
) -> Settled {
    let mut settled = unscaled(scene);
    loop {
        settled.scale = lowered(scene, available, &settled, rounding);
        let next = order.iter().copied().find(|&index| {
            !settled.pinned[index] && is_short(scene, index, settled.scale, rounding)
        });
        let Some(index) = next else {
            return settled;
        };
        settled.pinned[index] = true;
        settled.passes += 1;
    }
}

/// The part of each automatic actor in the scaled target, but at least its minimum.
#[must_use]
pub fn shares(scene: &Scene, settled: &Settled) -> Vec<Option<u64>> {
    let share_of = |index: usize| {
        let actor = &scene.actors[index];
        let minimum = u64::from(actor.minimum_ns());
        let value = scene.module_of(actor).benefit_value_ns;
        scene.is_automatic(actor).then(|| {
            if settled.pinned[index] {
                minimum
            } else {
                share(value, actor.benefit, settled.scale).max(minimum)
            }
        })
    };
    scene.indices().map(share_of).collect()
}

/// An actor's part of its module's scaled target, rounded down in the widths of the table.
#[must_use]
pub fn share(benefit_value_ns: u32, benefit: u32, scale: u64) -> u64 {
    let product = u128::from(benefit_value_ns) * u128::from(scale);
    let mut dropped = 0;
    while product >> dropped >= 1 << 40 {
        dropped += 1;
    }
    let multiplier = product >> dropped;
    narrow((u128::from(benefit) * multiplier) >> (48 - dropped))
}

/// The unscaled target of every module, in nanoseconds rounded up.
#[must_use]
pub fn targets(scene: &Scene) -> Vec<u64> {
    let targets = exact_targets(scene, &vec![false; scene.actors.len()]).into_iter();
    targets.map(|target| narrow(target.div_ceil(1 << 16))).collect()
}

fn unscaled(scene: &Scene) -> Settled {
    let pinned = vec![false; scene.actors.len()];
    Settled { scale: WHOLE, pinned, passes: 0 }
}

/// Targets of the modules without the pinned actors, in 1/65536 of a nanosecond.
fn exact_targets(scene: &Scene, pinned: &[bool]) -> Vec<u128> {
    let mut targets = vec![0; scene.modules.len()];
    for (actor, _) in scene.actors.iter().zip(pinned).filter(|(_, pinned)| !**pinned) {
        if scene.is_automatic(actor) {
            let value = u128::from(scene.module_of(actor).benefit_value_ns);
            targets[actor.module] += value * u128::from(actor.benefit);
        }
    }
    targets
}

fn is_short(scene: &Scene, index: usize, scale: u64, rounding: Rounding) -> bool {
    let actor = &scene.actors[index];
    let value = scene.module_of(actor).benefit_value_ns;
    let minimum = u128::from(actor.minimum_ns());
    let short = match rounding {
        Rounding::AsWritten => u128::from(share(value, actor.benefit, scale)) < minimum,
        Rounding::Exact => {
            let target = u128::from(value) * u128::from(actor.benefit);
            target * u128::from(scale) < minimum << 48
        }
    };
    scene.is_automatic(actor) && short
}

/// The scale that fits the targets of free actors into the rest of the budget, but at most the present scale.
fn lowered(scene: &Scene, available: u128, settled: &Settled, rounding: Rounding) -> u64 {
    let pinned = scene.indices().filter(|&index| settled.pinned[index]);
    let taken: u128 = pinned.map(|index| u128::from(scene.actors[index].minimum_ns())).sum();
    let left = available - taken;
    let targets = exact_targets(scene, &settled.pinned).into_iter();
    let wanted: u128 = match rounding {
        Rounding::AsWritten => targets.map(|target| target.div_ceil(1 << 16) << 16).sum(),
        Rounding::Exact => targets.sum(),
    };
    if wanted <= left << 16 {
        return settled.scale;
    }
    settled.scale.min(narrow((left << 48) / wanted))
}
