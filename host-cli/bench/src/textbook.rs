//! The textbook's way to decide, in floats: everybody's benefit, a sort by it, and then shares in that order,
//! what one leaves over being passed on to the next.

mod boxed;
mod columns;

pub use boxed::Boxed;
pub use columns::Columns;

use std::f32::consts::PI;

use crate::scenery::{
    BENEFIT_VALUE_NS, BUDGET_NS, MAX_AGE, MAX_DISTANCE, MODULES, UNIT_COST_NS, WEIGHTS, WORK,
};

/// The modules, as an index.
const MODULE_COUNT: usize = MODULES as usize;

/// The costs of the levels, in nanoseconds.
const COSTS: [f32; WORK.len()] = costs();

#[expect(clippy::cast_possible_truncation, clippy::cast_precision_loss, reason = "small and whole")]
const fn costs() -> [f32; WORK.len()] {
    let mut costs = [0.0; WORK.len()];
    let mut level = 0;
    while level < WORK.len() {
        costs[level] = WORK[level] as f32 * UNIT_COST_NS as f32;
        level += 1;
    }
    costs
}

/// The area that an actor shows, in square metres.
fn shown(radius: f32) -> f32 {
    PI * radius * radius
}

/// What an actor is worth to an eye: the APEX document's solid angle up to a maximum distance, and its youth.
#[inline]
fn benefit([x, y, z]: [f32; 3], near: f32, age: f32, eye: [f32; 3]) -> f32 {
    const FAR: f32 = MAX_DISTANCE * MAX_DISTANCE;
    let (x, y, z) = (x - eye[0], y - eye[1], z - eye[2]);
    let distance = x * x + y * y + z * z;
    let angle = near * (FAR - distance) / (distance * (FAR - near));
    let angle = if angle < 1.0 { angle } else { 1.0 };
    let angle = if angle > 0.0 { angle } else { 0.0 };
    let youth = 1.0 - age * (1.0 / MAX_AGE);
    let youth = if youth > 0.0 { youth } else { 0.0 };
    WEIGHTS[0] * angle + WEIGHTS[1] * youth
}

/// What a unit of benefit is worth in each module, in nanoseconds, so that all fit into the budget.
fn rates(benefits: [f64; MODULE_COUNT], actors: u32) -> [f64; MODULE_COUNT] {
    let mut rates = [0.0; MODULE_COUNT];
    for (rate, number) in rates.iter_mut().zip(1_u32..) {
        *rate = f64::from(BENEFIT_VALUE_NS * number);
    }
    let target: f64 = benefits.iter().zip(rates).map(|(benefit, rate)| benefit * rate).sum();
    let budget = f64::from(actors) * f64::from(BUDGET_NS);
    let scale = if target > budget { budget / target } else { 1.0 };
    rates.map(|rate| rate * scale)
}

/// The highest benefit first, and of equal ones the first actor.
fn sort(order: &mut [(f32, u32)]) {
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
}

#[cfg(test)]
mod tests {
    use lodger_scheduler::{Leftovers, Policy, Stability};

    use super::*;
    use crate::scenery::{Kind, Seen, Thing, Walk};

    const ACTORS: u32 = 4_000;

    #[test]
    fn benefits_are_those_of_the_scheduler() {
        let policy = Policy::Proportional(Leftovers::Keep);
        let mut seen = Seen::new(ACTORS, Kind::Usual).unwrap().set(policy, Stability::OFF);
        let mut walk = Walk::default();
        walk.step();
        seen.frame();
        let eye = walk.step();
        let plan = seen.scene.plan();
        for (number, actor) in (0..ACTORS).zip(seen.scene.actors()) {
            let Thing { position, radius, age, .. } = Thing::new(number);
            let (ours, theirs) =
                (benefit(position, shown(radius), age, eye), plan.actor(actor).unwrap().benefit);
            assert!(
                (f64::from(ours) - theirs.to_f64()).abs() < 1e-5,
                "{number}: {ours} {theirs:?}"
            );
        }
    }

    #[test]
    fn everybody_decides_alike_and_within_the_budget() {
        let (mut boxed, mut churned) = (Boxed::new(ACTORS, false), Boxed::new(ACTORS, true));
        let mut columns = Columns::new(ACTORS);
        let policy = Policy::Proportional(Leftovers::AcrossModules);
        let mut seen = Seen::new(ACTORS, Kind::Usual).unwrap().set(policy, Stability::OFF);
        let mut walk = Walk::default();
        walk.step();
        for _ in 0..3 {
            let eye = walk.step();
            let spent = [boxed.decide(eye), churned.decide(eye), columns.decide(eye)];
            assert!(
                (spent[0] - spent[1]).abs() < 4_000.0 && (spent[0] - spent[2]).abs() < 1.0,
                "{spent:?}"
            );
            assert!(boxed.levels().eq(columns.levels()));
            let budget = f64::from(ACTORS * BUDGET_NS);
            assert!(spent[0] <= budget && spent[0] > 0.9 * budget, "{spent:?}");
            // Passed on within a module or across all, leftovers pay for about as much.
            let ours = f64::from(u32::try_from(seen.frame()).unwrap());
            assert!((ours / spent[0] - 1.0).abs() < 0.1, "{ours} {spent:?}");
        }
    }
}
