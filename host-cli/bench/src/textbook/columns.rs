//! The textbook with a column for each number, and the same sort.

use super::{COSTS, MODULE_COUNT, benefit, rates, shown, sort};
use crate::scenery::Thing;

/// Actors in columns.
#[derive(Clone, Debug)]
pub struct Columns {
    x: Vec<f32>,
    y: Vec<f32>,
    z: Vec<f32>,
    near: Vec<f32>,
    age: Vec<f32>,
    module: Vec<u8>,
    level: Vec<u8>,
    benefit: Vec<f32>,
    /// Benefits, and whose they are.
    order: Vec<(f32, u32)>,
}

impl Columns {
    /// So many actors.
    #[must_use]
    pub fn new(actors: u32) -> Self {
        let column =
            |part: fn(Thing) -> f32| (0..actors).map(|number| part(Thing::new(number))).collect();
        let rows = actors as usize;
        Self {
            x: column(|thing| thing.position[0]),
            y: column(|thing| thing.position[1]),
            z: column(|thing| thing.position[2]),
            near: column(|thing| shown(thing.radius)),
            age: column(|thing| thing.age),
            module: (0..actors).map(|number| Thing::new(number).module).collect(),
            level: vec![0; rows],
            benefit: vec![0.0; rows],
            order: vec![(0.0, 0); rows],
        }
    }

    /// Decides for one frame. What it costs, in nanoseconds.
    #[expect(clippy::cast_possible_truncation, reason = "there are 5 levels")]
    pub fn decide(&mut self, eye: [f32; 3]) -> f64 {
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

    /// The levels of all actors.
    pub fn levels(&self) -> impl Iterator<Item = u8> {
        self.level.iter().copied()
    }

    /// The benefits of all, in a loop that becomes vectors.
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
