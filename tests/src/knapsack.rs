//! The choice of levels as a multiple-choice knapsack: a level for each actor, of the greatest total value within a
//! budget.
//!
//! A value is benefit (in 2⁻¹⁶) times quality (in 2⁻¹⁵), in 2⁻³¹.

pub mod exact;
pub mod generate;

use std::cmp::Ordering;

#[derive(Debug, Clone)]
pub struct Instance {
    pub class: generate::Class,
    pub budget: u64,
    pub reserved: u64,
    pub modules: usize,
    pub actors: Vec<Actor>,
}

/// An actor and its valid levels from the lowest.
#[derive(Debug, Clone)]
pub struct Actor {
    pub module: usize,
    /// The benefit, in 2⁻¹⁶.
    pub benefit: u32,
    pub lowest: u8,
    /// The cost of each level, not decreasing.
    pub costs: Vec<u32>,
    /// The quality of each level, in 2⁻¹⁵, not decreasing.
    pub qualities: Vec<u16>,
}

impl Actor {
    #[must_use]
    pub fn value(&self, level: usize) -> i128 {
        i128::from(self.benefit) * i128::from(self.qualities[level])
    }

    /// The cost of a level beyond the lowest.
    #[must_use]
    pub fn extra(&self, level: usize) -> i128 {
        i128::from(self.costs[level]) - i128::from(self.costs[0])
    }

    /// The highest level at the cost of the lowest.
    #[must_use]
    pub fn base(&self) -> usize {
        (0..self.costs.len()).rev().find(|&level| self.extra(level) == 0).unwrap_or(0)
    }
}

impl Instance {
    #[must_use]
    pub fn spare(&self) -> i128 {
        let min: i128 = self.actors.iter().map(|actor| i128::from(actor.costs[0])).sum();
        i128::from(self.budget) - i128::from(self.reserved) - min
    }

    #[must_use]
    pub fn min_value(&self) -> i128 {
        self.actors.iter().map(|actor| actor.value(actor.base())).sum()
    }
}

#[derive(Debug, Clone)]
pub struct Relaxed {
    /// The level of each actor, without the fractional step.
    pub levels: Vec<usize>,
    pub value: i128,
    pub rest: i128,
    /// Value and cost of the fractional step; 0 and 1 without one.
    pub slope: (i128, i128),
}

impl Relaxed {
    /// An upper bound of any choice's value, rounded down, as all values are integers.
    #[must_use]
    pub fn bound_down(&self) -> i128 {
        self.value + self.rest * self.slope.0 / self.slope.1
    }

    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "compared within parts in a thousand")]
    pub fn bound(&self) -> f64 {
        self.value as f64 + self.rest as f64 * (self.slope.0 as f64 / self.slope.1 as f64)
    }
}

/// A step along the upper hull of the levels of an actor.
#[derive(Debug, Clone)]
pub struct Step {
    pub actor: usize,
    pub to: usize,
    pub value: i128,
    pub cost: i128,
}

/// The steps of all hulls by falling value per cost, without unaffordable levels.
#[must_use]
pub fn steps(instance: &Instance) -> Vec<Step> {
    let spare = instance.spare();
    let mut steps: Vec<Step> = Vec::new();
    for (index, actor) in instance.actors.iter().enumerate() {
        hull(index, actor, spare, &mut steps);
    }
    let by_slope = |a: &Step, b: &Step| (b.value * a.cost).cmp(&(a.value * b.cost));
    steps.sort_by(|a, b| match by_slope(a, b) {
        Ordering::Equal => (a.actor, a.to).cmp(&(b.actor, b.to)),
        order => order,
    });
    steps
}

/// Solves the linear relaxation: takes steps until one does not fit, and a fraction of that one.
#[must_use]
pub fn relax(instance: &Instance) -> Relaxed {
    let mut relaxed = Relaxed {
        levels: instance.actors.iter().map(Actor::base).collect(),
        value: instance.min_value(),
        rest: instance.spare(),
        slope: (0, 1),
    };
    for step in steps(instance) {
        if step.cost > relaxed.rest {
            relaxed.slope = (step.value, step.cost);
            break;
        }
        relaxed.levels[step.actor] = step.to;
        relaxed.value += step.value;
        relaxed.rest -= step.cost;
    }
    relaxed
}

fn hull(index: usize, actor: &Actor, spare: i128, steps: &mut Vec<Step>) {
    let mut from = actor.base();
    loop {
        let step = |to: usize| Step {
            actor: index,
            to,
            value: actor.value(to) - actor.value(from),
            cost: actor.extra(to) - actor.extra(from),
        };
        let reachable = (from + 1..actor.costs.len()).filter(|&to| actor.extra(to) <= spare);
        let better = reachable.map(step).filter(|step| step.value > 0);
        let Some(best) =
            better.max_by(|a, b| (a.value * b.cost).cmp(&(b.value * a.cost)).then(a.to.cmp(&b.to)))
        else {
            return;
        };
        from = best.to;
        steps.push(best);
    }
}
