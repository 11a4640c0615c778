//! The linear relaxation: parts of steps may be bought.

use std::cmp::Ordering;

use super::{Actor, Instance};

/// What the relaxation buys.
#[derive(Debug, Clone)]
pub struct Relaxed {
    /// Each actor's level, without the part of the step that was cut.
    pub levels: Vec<usize>,
    /// What these levels are worth.
    pub value: i128,
    /// What they leave.
    pub rest: i128,
    /// What the step that was cut is worth, and what it costs; nothing and 1 if none was.
    pub slope: (i128, i128),
}

impl Relaxed {
    /// What no choice of levels exceeds, rounded down to a whole number, as all values are.
    #[must_use]
    pub fn bound_down(&self) -> i128 {
        self.value + self.rest * self.slope.0 / self.slope.1
    }

    /// What no choice of levels exceeds.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // it is compared within parts in a thousand
    pub fn bound(&self) -> f64 {
        self.value as f64 + self.rest as f64 * (self.slope.0 as f64 / self.slope.1 as f64)
    }
}

/// A step along the upper hull of an actor's levels.
#[derive(Debug, Clone)]
pub struct Step {
    /// Whose it is.
    pub actor: usize,
    /// The level that it leads to.
    pub to: usize,
    /// What it is worth.
    pub worth: i128,
    /// What it costs.
    pub cost: i128,
}

/// All steps of all hulls by falling worth for money. Levels that nobody could pay alone are not there.
#[must_use]
pub fn steps(instance: &Instance) -> Vec<Step> {
    let spare = instance.spare();
    let mut steps: Vec<Step> = Vec::new();
    for (index, actor) in instance.actors.iter().enumerate() {
        hull(index, actor, spare, &mut steps);
    }
    let by_slope = |a: &Step, b: &Step| (b.worth * a.cost).cmp(&(a.worth * b.cost));
    steps.sort_by(|a, b| match by_slope(a, b) {
        Ordering::Equal => (a.actor, a.to).cmp(&(b.actor, b.to)),
        order => order,
    });
    steps
}

/// Solves the relaxation: steps until one no longer fits, of which a part is bought.
#[must_use]
pub fn relax(instance: &Instance) -> Relaxed {
    let mut relaxed = Relaxed {
        levels: instance.actors.iter().map(Actor::foot).collect(),
        value: instance.least_value(),
        rest: instance.spare(),
        slope: (0, 1),
    };
    for step in steps(instance) {
        if step.cost > relaxed.rest {
            relaxed.slope = (step.worth, step.cost);
            break;
        }
        relaxed.levels[step.actor] = step.to;
        relaxed.value += step.worth;
        relaxed.rest -= step.cost;
    }
    relaxed
}

/// From each corner to the one that is the steepest from there.
fn hull(index: usize, actor: &Actor, spare: i128, steps: &mut Vec<Step>) {
    let mut from = actor.foot();
    loop {
        let step = |to: usize| Step {
            actor: index,
            to,
            worth: actor.value(to) - actor.value(from),
            cost: actor.extra(to) - actor.extra(from),
        };
        let reachable = (from + 1..actor.costs.len()).filter(|&to| actor.extra(to) <= spare);
        let better = reachable.map(step).filter(|step| step.worth > 0);
        let Some(best) =
            better.max_by(|a, b| (a.worth * b.cost).cmp(&(b.worth * a.cost)).then(a.to.cmp(&b.to)))
        else {
            return;
        };
        from = best.to;
        steps.push(best);
    }
}
