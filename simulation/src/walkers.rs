//! The actors that move.

use lodger_scheduler::ActorId;

use crate::random::{Random, Stream};
use crate::stage::{Ground, Stage, is_seen};

/// The part of the actors that walk.
const WALKING: f64 = 0.3;
/// The slowest and the fastest, in metres a second.
const SPEEDS: (f64, f64) = (0.5, 3.0);

/// An actor that walks straight on and turns at the border.
#[derive(Debug, Clone)]
pub(crate) struct Walker {
    pub(crate) actor: usize,
    pub(crate) id: ActorId,
    /// Metres.
    pub(crate) position: [f64; 3],
    /// Metres a second along x and z.
    velocity: [f64; 2],
}

/// Some three tenths of the actors that are somewhere.
pub(crate) fn walkers(stage: &Stage, seed: u64) -> Vec<Walker> {
    let mut random = Random::new(seed, Stream::Walkers);
    let mut walkers = Vec::new();
    for (actor, (id, _)) in stage.actors.iter().enumerate() {
        // Drawn for everybody, so that one more actor changes nothing for the others.
        let (walks, heading) = (random.part() < WALKING, random.heading());
        let speed = random.between(SPEEDS.0, SPEEDS.1);
        let position = stage.scene.position(*id).filter(|_| is_seen(&stage.scene, *id));
        if let Some(position) = position
            && walks
        {
            let velocity = heading.map(|along| along * speed);
            walkers.push(Walker { actor, id: *id, position: position.map(f64::from), velocity });
        }
    }
    walkers
}

impl Walker {
    /// Walks on for so many seconds.
    pub(crate) fn walk(&mut self, seconds: f64, ground: Ground) {
        for (axis, velocity) in [0, 2].into_iter().zip(&mut self.velocity) {
            let centre = ground.centre[axis / 2];
            let place = &mut self.position[axis];
            *place += *velocity * seconds;
            let beyond = (*place - centre).abs() > ground.reach;
            if beyond && (*place - centre) * *velocity > 0.0 {
                *velocity = -*velocity;
            }
        }
    }
}
