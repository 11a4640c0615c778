//! The one scale that fits every target into the budget, minimums first.

use super::{Scene, WHOLE, narrow};

/// How finely the scale is worked out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rounding {
    /// With the widths of the rules' table: targets round up to whole nanoseconds, multipliers keep 40 bits.
    AsWritten,
    /// Targets and multipliers keep every bit while the scale is sought.
    ///
    /// Then pinning an actor always takes at least its target off the sum, so that neither the order of pinning nor a
    /// bigger budget can lower the scale. The shares keep the widths of the table, and never fall below the minimum.
    Exact,
}

/// A scale that nobody is short of any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Settled {
    /// Of [`WHOLE`].
    pub scale: u64,
    /// Which actors are paid their minimum.
    pub pinned: Vec<bool>,
    /// Rounds over all actors (or, one by one, the number of pinned actors).
    pub passes: u32,
}

/// Pins everybody who is short, lowers the scale, and repeats until a pass after the first pins nobody.
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

/// Pins one actor at a time, always the first in `order` that is short, and lowers the scale after each.
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

/// What every actor on offer is given: its part of the scaled target, and the minimum at least.
#[must_use]
pub fn shares(scene: &Scene, settled: &Settled) -> Vec<Option<u64>> {
    let share_of = |index: usize| {
        let actor = &scene.actors[index];
        let minimum = u64::from(actor.minimum_ns());
        let value = scene.module_of(actor).benefit_value_ns;
        scene.is_on_offer(actor).then(|| {
            if settled.pinned[index] {
                minimum
            } else {
                share(value, actor.benefit, settled.scale).max(minimum)
            }
        })
    };
    scene.indices().map(share_of).collect()
}

/// The part of a module's scaled target that goes to one actor, rounded down in the widths of the table.
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

/// What every module would like to have, unscaled, in nanoseconds rounded up.
#[must_use]
pub fn targets(scene: &Scene) -> Vec<u64> {
    let nobody = vec![false; scene.actors.len()];
    let wishes = wishes(scene, &nobody).into_iter();
    wishes.map(|wish| narrow(wish.div_ceil(1 << 16))).collect()
}

fn unscaled(scene: &Scene) -> Settled {
    let pinned = vec![false; scene.actors.len()];
    Settled { scale: WHOLE, pinned, passes: 0 }
}

/// Targets of the modules without the pinned actors, in 1/65536 of a nanosecond.
fn wishes(scene: &Scene, pinned: &[bool]) -> Vec<u128> {
    let mut wishes = vec![0; scene.modules.len()];
    for (actor, _) in scene.actors.iter().zip(pinned).filter(|(_, pinned)| !**pinned) {
        if scene.is_on_offer(actor) {
            let value = u128::from(scene.module_of(actor).benefit_value_ns);
            wishes[actor.module] += value * u128::from(actor.benefit);
        }
    }
    wishes
}

fn is_short(scene: &Scene, index: usize, scale: u64, rounding: Rounding) -> bool {
    let actor = &scene.actors[index];
    let value = scene.module_of(actor).benefit_value_ns;
    let minimum = u128::from(actor.minimum_ns());
    let short = match rounding {
        Rounding::AsWritten => u128::from(share(value, actor.benefit, scale)) < minimum,
        Rounding::Exact => {
            let wish = u128::from(value) * u128::from(actor.benefit);
            wish * u128::from(scale) < minimum << 48
        }
    };
    scene.is_on_offer(actor) && short
}

/// The scale that fits the targets of all who are not pinned into what the pinned leave; never a greater one.
fn lowered(scene: &Scene, available: u128, settled: &Settled, rounding: Rounding) -> u64 {
    let pinned = scene.indices().filter(|&index| settled.pinned[index]);
    let taken: u128 = pinned.map(|index| u128::from(scene.actors[index].minimum_ns())).sum();
    let left = available - taken;
    let wishes = wishes(scene, &settled.pinned).into_iter();
    let wished: u128 = match rounding {
        Rounding::AsWritten => wishes.map(|wish| wish.div_ceil(1 << 16) << 16).sum(),
        Rounding::Exact => wishes.sum(),
    };
    if wished <= left << 16 {
        return settled.scale;
    }
    settled.scale.min(narrow((left << 48) / wished))
}
