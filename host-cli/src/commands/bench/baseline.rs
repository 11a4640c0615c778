//! Textbook baselines in `f32`: all benefits, a sort by benefit, and shares in that order;
//! leftovers pass to the next actor.

use std::f32::consts::PI;

use super::workload::{
    BENEFIT_VALUE_NS, BUDGET_NS, MAX_AGE, MAX_DISTANCE, MODULES, UNIT_COST_NS, WEIGHTS, WORK,
    WorkloadActor, unit,
};

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
fn visible_area(radius: f32) -> f32 {
    PI * radius * radius
}

/// The benefit of an actor: the APEX document's solid angle up to a maximum distance, and its age.
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

/// The cost per unit of benefit in each module, in nanoseconds, scaled to the budget.
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

/// Sorts by falling benefit, then by index.
fn sort(order: &mut [(f32, u32)]) {
    order.sort_unstable_by(|a, b| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1)));
}

trait BaselineActor {
    fn benefit(&self, eye: [f32; 3]) -> f32;
    fn module(&self) -> usize;
    fn levels(&self) -> usize;
    fn cost(&self, level: usize) -> f32;
    #[cfg(test)]
    fn level(&self) -> u8;
    fn set_level(&mut self, level: u8);
}

struct BaselineObject {
    position: [f32; 3],
    radius: f32,
    age: f32,
    module: u8,
    level: u8,
    _other_fields: [u64; 5],
}

impl BaselineObject {
    fn new(number: u32) -> Self {
        let WorkloadActor { position, radius, age, module } = WorkloadActor::new(number);
        Self { position, radius, age, module, level: 0, _other_fields: [number.into(); 5] }
    }
}

impl BaselineActor for BaselineObject {
    fn benefit(&self, eye: [f32; 3]) -> f32 {
        benefit(self.position, visible_area(self.radius), self.age, eye)
    }

    fn module(&self) -> usize {
        self.module.into()
    }

    fn levels(&self) -> usize {
        COSTS.len()
    }

    fn cost(&self, level: usize) -> f32 {
        COSTS[level]
    }

    #[cfg(test)]
    fn level(&self) -> u8 {
        self.level
    }

    fn set_level(&mut self, level: u8) {
        self.level = level;
    }
}

pub(super) struct BoxedBaseline {
    actors: Vec<Box<dyn BaselineActor>>,
    order: Vec<(f32, u32)>,
}

impl BoxedBaseline {
    /// Allocates actors in order; or `churned`, in an order as after many spawns and despawns.
    pub(super) fn new(actors: u32, churned: bool) -> Self {
        let object = |number: u32| Box::new(BaselineObject::new(number)) as Box<dyn BaselineActor>;
        let mut boxes: Vec<Box<dyn BaselineActor>> = (0..actors).map(object).collect();
        if churned {
            for last in (1..actors).rev() {
                boxes.swap(last as usize, scattered(last) as usize);
            }
        }
        Self { actors: boxes, order: Vec::with_capacity(actors as usize) }
    }

    /// Decides a frame, and returns its cost in nanoseconds.
    #[expect(clippy::cast_possible_truncation, reason = "there are 5 levels")]
    pub(super) fn decide(&mut self, eye: [f32; 3]) -> f64 {
        let mut benefits = [0.0; MODULE_COUNT];
        self.order.clear();
        let mut actors = 0;
        for actor in &self.actors {
            let benefit = actor.benefit(eye);
            benefits[actor.module()] += f64::from(benefit);
            self.order.push((benefit, actors));
            actors += 1;
        }
        let rates = rates(benefits, actors);
        sort(&mut self.order);
        let (mut spent, mut left) = (0.0, 0.0);
        for &(benefit, number) in &self.order {
            let actor = &mut self.actors[number as usize];
            let share = f64::from(benefit) * rates[actor.module()] + left;
            let mut level = 0;
            while level + 1 < actor.levels() && f64::from(actor.cost(level + 1)) <= share {
                level += 1;
            }
            actor.set_level(level as u8);
            let cost = f64::from(actor.cost(level));
            left = share - cost;
            spent += cost;
        }
        spent
    }

    #[cfg(test)]
    fn levels(&self) -> impl Iterator<Item = u8> {
        self.actors.iter().map(|actor| actor.level())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "up to the number")]
fn scattered(last: u32) -> u32 {
    ((f64::from(unit(last ^ 0x5555)) * f64::from(last + 1)) as u32).min(last)
}

#[derive(Clone, Debug)]
pub(super) struct ColumnBaseline {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    near: Vec<f32>,
    age: Vec<f32>,
    module: Vec<u8>,
    level: Vec<u8>,
    benefit: Vec<f32>,
    order: Vec<(f32, u32)>,
}

impl ColumnBaseline {
    pub(super) fn new(actors: u32) -> Self {
        let column = |part: fn(WorkloadActor) -> f32| {
            (0..actors).map(|number| part(WorkloadActor::new(number))).collect()
        };
        let rows = actors as usize;
        Self {
            x: column(|actor| actor.position[0]),
            y: column(|actor| actor.position[1]),
            z: column(|actor| actor.position[2]),
            near: column(|actor| visible_area(actor.radius)),
            age: column(|actor| actor.age),
            module: (0..actors).map(|number| WorkloadActor::new(number).module).collect(),
            level: vec![0; rows],
            benefit: vec![0.0; rows],
            order: vec![(0.0, 0); rows],
        }
    }

    /// Decides a frame, and returns its cost in nanoseconds.
    #[expect(clippy::cast_possible_truncation, reason = "there are 5 levels")]
    pub(super) fn decide(&mut self, eye: [f32; 3]) -> f64 {
        self.observe(eye);
        let mut benefits = [0.0; MODULE_COUNT];
        let rows = self.benefit.iter().zip(&self.module).zip(&mut self.order);
        let mut actors = 0;
        for ((&benefit, &module), order) in rows {
            benefits[usize::from(module)] += f64::from(benefit);
            *order = (benefit, actors);
            actors += 1;
        }
        let rates = rates(benefits, actors);
        sort(&mut self.order);
        let (mut spent, mut left) = (0.0, 0.0);
        for &(benefit, number) in &self.order {
            let row = number as usize;
            let share = f64::from(benefit) * rates[usize::from(self.module[row])] + left;
            let level = COSTS[1..].iter().filter(|&&cost| f64::from(cost) <= share).count();
            self.level[row] = level as u8;
            let cost = f64::from(COSTS[level]);
            left = share - cost;
            spent += cost;
        }
        spent
    }

    #[cfg(test)]
    fn levels(&self) -> impl Iterator<Item = u8> {
        self.level.iter().copied()
    }

    fn observe(&mut self, eye: [f32; 3]) {
        let rows = self.benefit.len();
        let Self { x, y, z, near, age, benefit: out, .. } = self;
        let (x, y, z) = (&x[..rows], &y[..rows], &z[..rows]);
        let (near, age, out) = (&near[..rows], &age[..rows], &mut out[..rows]);
        for row in 0..rows {
            out[row] = benefit([x[row], y[row], z[row]], near[row], age[row], eye);
        }
    }
}

#[cfg(test)]
mod tests {
    use lodger_scheduler::{Hysteresis, Leftovers, Policy};

    use super::super::workload::{CirclePath, MovingViewScene, WorkloadKind};
    use super::*;

    const ACTORS: u32 = 4_000;

    #[test]
    fn benefits_are_those_of_the_scheduler() {
        let policy = Policy::Proportional(Leftovers::Keep);
        let mut scene =
            MovingViewScene::new(ACTORS, WorkloadKind::Usual).unwrap().set(policy, Hysteresis::OFF);
        let mut path = CirclePath::default();
        path.step();
        scene.frame();
        let eye = path.step();
        let plan = scene.scene.plan();
        for (number, actor) in (0..ACTORS).zip(scene.scene.actors()) {
            let WorkloadActor { position, radius, age, .. } = WorkloadActor::new(number);
            let (ours, theirs) = (
                benefit(position, visible_area(radius), age, eye),
                plan.actor(actor).unwrap().benefit,
            );
            assert!(
                (f64::from(ours) - theirs.to_f64()).abs() < 1e-5,
                "{number}: {ours} {theirs:?}"
            );
        }
    }

    #[test]
    fn all_decide_alike_and_within_the_budget() {
        let (mut boxed, mut churned) =
            (BoxedBaseline::new(ACTORS, false), BoxedBaseline::new(ACTORS, true));
        let mut columns = ColumnBaseline::new(ACTORS);
        let policy = Policy::Proportional(Leftovers::AcrossModules);
        let mut scene =
            MovingViewScene::new(ACTORS, WorkloadKind::Usual).unwrap().set(policy, Hysteresis::OFF);
        let mut path = CirclePath::default();
        path.step();
        for _ in 0..3 {
            let eye = path.step();
            let spent = [boxed.decide(eye), churned.decide(eye), columns.decide(eye)];
            assert!(
                (spent[0] - spent[1]).abs() < 4_000.0 && (spent[0] - spent[2]).abs() < 1.0,
                "{spent:?}"
            );
            assert!(boxed.levels().eq(columns.levels()));
            let budget = f64::from(ACTORS * BUDGET_NS);
            assert!(spent[0] <= budget && spent[0] > 0.9 * budget, "{spent:?}");
            // Whether leftovers pass within a module or across all, the total is about equal.
            let ours = f64::from(u32::try_from(scene.frame()).unwrap());
            assert!((ours / spent[0] - 1.0).abs() < 0.1, "{ours} {spent:?}");
        }
    }
}
