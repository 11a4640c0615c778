//! What is simulated: a scene, and what the things in it are called.

use std::sync::Arc;

use lodger_scenes::SceneFile;
use lodger_scheduler::{ActorId, ModuleId, Scene};

/// How high an eye is where no view says it, in metres.
const EYE: f64 = 1.7;
/// The least reach of a stage: a camera needs some room.
const LEAST_REACH: f64 = 2.0;

/// A scene with its names, and the ground on which camera and actors move.
#[derive(Debug, Clone)]
pub struct Stage {
    pub(crate) scene: Scene<f32>,
    pub(crate) modules: Vec<(ModuleId, Arc<str>)>,
    pub(crate) actors: Vec<(ActorId, Arc<str>)>,
    pub(crate) ground: Ground,
}

/// A square on which everything moves; its sides are along x and z.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground {
    /// x and z of its middle, in metres.
    pub(crate) centre: [f64; 2],
    /// Half of its side, in metres.
    pub(crate) reach: f64,
    /// How high the camera is, in metres.
    pub(crate) eye: f64,
}

impl Stage {
    /// The scene, to be set as it is to begin with.
    pub fn scene_mut(&mut self) -> &mut Scene<f32> {
        &mut self.scene
    }

    /// The scene as it begins.
    #[must_use]
    pub fn scene(&self) -> &Scene<f32> {
        &self.scene
    }

    /// What all actors cost at their highest levels, in nanoseconds.
    #[must_use]
    pub fn full_ns(&self) -> u64 {
        let cost = |(id, _): &(ActorId, Arc<str>)| {
            let module = self.scene.module_of(*id)?;
            let units = *self.scene.work(*id)?.last()?;
            self.scene.unit_cost(module)?.of(units).map(u64::from)
        };
        self.actors.iter().filter_map(cost).sum()
    }
}

/// A scene as it was read, on the square that holds all its actors.
impl From<SceneFile> for Stage {
    fn from(file: SceneFile) -> Self {
        let modules = file.modules.into_iter().map(|module| (module.id, module.name)).collect();
        let actors = file.actors.into_iter().map(|actor| (actor.id, actor.name)).collect();
        let mut stage = Self { scene: file.scene, modules, actors, ground: Ground::NONE };
        stage.ground = stage.measured();
        stage
    }
}

impl Stage {
    fn measured(&self) -> Ground {
        let seen = self.actors.iter().filter(|(id, _)| is_seen(&self.scene, *id));
        let places = seen.filter_map(|(id, _)| self.scene.position(*id));
        let places = places.filter(|place| place.iter().all(|number| number.is_finite()));
        let (mut least, mut most) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut lowest = f64::INFINITY;
        for [x, y, z] in places {
            lowest = lowest.min(f64::from(y));
            for (axis, number) in [x, z].into_iter().enumerate() {
                least[axis] = least[axis].min(f64::from(number));
                most[axis] = most[axis].max(f64::from(number));
            }
        }
        if lowest.is_infinite() {
            return Ground::NONE;
        }
        let view = self.scene.views().next().map(|(_, view)| f64::from(view.position()[1]));
        Ground {
            centre: [f64::midpoint(least[0], most[0]), f64::midpoint(least[1], most[1])],
            reach: ((most[0] - least[0]).max(most[1] - least[1]) / 2.0).max(LEAST_REACH),
            eye: view.filter(|eye| eye.is_finite()).unwrap_or(lowest + EYE),
        }
    }
}

impl Ground {
    /// That of a scene in which nothing has a place.
    const NONE: Self = Self { centre: [0.0; 2], reach: LEAST_REACH, eye: EYE };
}

/// Whether an actor is somewhere: its benefit is not given.
pub(crate) fn is_seen(scene: &Scene<f32>, id: ActorId) -> bool {
    scene.given_benefit(id) == Some(None)
}
