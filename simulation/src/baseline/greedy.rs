//! Upgrades by value for cost, until the first that does not fit.
//!
//! The balancers of streamed splats do it with a budget of splats: `PlayCanvas`'s engine for streamed SOG,
//! and Spark's for its trees of splats, refine where it shows most until the budget is used. What a unit
//! costs is taken as the file says it; the budget is what its user has found to run well.

use std::cmp::Ordering;
use std::collections::BinaryHeap;

use lodger_scheduler::SceneError;

use super::Tuning;
use crate::cast::Cast;
use crate::decide::{Belief, Choice, Decide, Frame, Why};

pub(crate) struct Greedy {
    /// What a unit is believed to cost, in nanoseconds.
    unit_ns: Vec<f64>,
    /// What may be spent at that belief, in nanoseconds.
    money: f64,
}

impl Greedy {
    pub(crate) fn new(tuning: Tuning<'_>, believed_ns: &[f64]) -> Self {
        let money = tuning.knob(|money| serve(tuning.cast, tuning.benefits, believed_ns, money));
        Self { unit_ns: believed_ns.to_vec(), money }
    }
}

/// A step to the next level.
#[derive(PartialEq)]
struct Upgrade {
    /// Value for cost.
    worth: f64,
    cost: f64,
    actor: usize,
}

impl Eq for Upgrade {}

impl Ord for Upgrade {
    fn cmp(&self, other: &Self) -> Ordering {
        self.worth.total_cmp(&other.worth).then(other.actor.cmp(&self.actor))
    }
}

impl PartialOrd for Upgrade {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn serve(cast: &Cast, benefits: &[f64], unit_ns: &[f64], money: f64) -> Vec<u8> {
    let mut levels: Vec<_> = cast.roles.iter().map(|role| role.ladder.lowest()).collect();
    let cost = |actor: usize, level: u8| {
        let role = &cast.roles[actor];
        f64::from(role.ladder.units(level)) * unit_ns[role.module]
    };
    let upgrade = |actor: usize, level: u8| {
        let ladder = &cast.roles[actor].ladder;
        let next = level.checked_add(1).filter(|next| *next <= ladder.highest())?;
        let more = cost(actor, next) - cost(actor, level);
        let gain = benefits[actor] * (ladder.quality(next) - ladder.quality(level));
        let worth = if more > 0.0 { gain / more } else { f64::INFINITY };
        Some(Upgrade { worth, cost: more, actor })
    };
    let mut left = money;
    let mut heap = BinaryHeap::new();
    for (actor, level) in levels.iter().enumerate() {
        left -= cost(actor, *level);
        heap.extend(upgrade(actor, *level));
    }
    while let Some(best) = heap.pop().filter(|best| best.worth > 0.0 && best.cost <= left) {
        left -= best.cost;
        levels[best.actor] += 1;
        heap.extend(upgrade(best.actor, levels[best.actor]));
    }
    levels
}

impl Decide for Greedy {
    fn decide(&mut self, frame: &Frame<'_>, choice: &mut Choice) -> Result<(), SceneError> {
        let unit_ns = frame.told_ns.unwrap_or(&self.unit_ns);
        choice.levels = serve(frame.cast, frame.benefits, unit_ns, self.money);
        choice.units = frame.cast.units(&choice.levels);
        Ok(())
    }

    fn learn(&mut self, _: &Frame<'_>, _: &Choice, _: &[f64]) -> Result<(), SceneError> {
        Ok(())
    }

    fn beliefs(&self) -> Vec<Belief> {
        self.unit_ns.iter().map(|ns| Belief { raw_ns: *ns, applied_ns: *ns }).collect()
    }

    fn why(&self, _: usize) -> Option<Why> {
        Some(Why::Words("value for cost, until the budget was used"))
    }
}
