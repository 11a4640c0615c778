//! The textbook with an object for each actor.

use super::{COSTS, MODULE_COUNT, benefit, rates, shown, sort};
use crate::scenery::{Thing, unit};

/// Who is decided for, as an engine sees it.
trait Actor {
    fn benefit(&self, eye: [f32; 3]) -> f32;
    fn module(&self) -> usize;
    fn levels(&self) -> usize;
    fn cost(&self, level: usize) -> f32;
    fn level(&self) -> u8;
    fn set_level(&mut self, level: u8);
}

/// One cache line, which is little for an object of an engine.
struct Object {
    position: [f32; 3],
    radius: f32,
    age: f32,
    module: u8,
    level: u8,
    _what_else_it_is: [u64; 5],
}

impl Object {
    fn new(number: u32) -> Self {
        let Thing { position, radius, age, module } = Thing::new(number);
        Self { position, radius, age, module, level: 0, _what_else_it_is: [number.into(); 5] }
    }
}

impl Actor for Object {
    fn benefit(&self, eye: [f32; 3]) -> f32 {
        benefit(self.position, shown(self.radius), self.age, eye)
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

    fn level(&self) -> u8 {
        self.level
    }

    fn set_level(&mut self, level: u8) {
        self.level = level;
    }
}

/// Actors in boxes of their own.
pub struct Boxed {
    actors: Vec<Box<dyn Actor>>,
    /// Benefits, and whose they are.
    order: Vec<(f32, u32)>,
}

impl Boxed {
    /// So many actors, in the order in which they were allocated; or `churned`, as they are after a while of
    /// spawning and despawning, when neighbours are no neighbours in memory.
    #[must_use]
    pub fn new(actors: u32, churned: bool) -> Self {
        let object = |number: u32| Box::new(Object::new(number)) as Box<dyn Actor>;
        let mut boxes: Vec<Box<dyn Actor>> = (0..actors).map(object).collect();
        if churned {
            for last in (1..actors).rev() {
                boxes.swap(last as usize, scattered(last) as usize);
            }
        }
        Self { actors: boxes, order: Vec::with_capacity(actors as usize) }
    }

    /// Decides for one frame. What it costs, in nanoseconds.
    #[expect(clippy::cast_possible_truncation, reason = "there are 5 levels")]
    pub fn decide(&mut self, eye: [f32; 3]) -> f64 {
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

    /// The levels of all actors.
    pub fn levels(&self) -> impl Iterator<Item = u8> {
        self.actors.iter().map(|actor| actor.level())
    }
}

/// A number up to this one.
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "up to the number")]
fn scattered(last: u32) -> u32 {
    ((f64::from(unit(last ^ 0x5555)) * f64::from(last + 1)) as u32).min(last)
}
