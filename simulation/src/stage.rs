//! What is simulated: a scene and the names in it, by default one that is built in.

use std::f64::consts::TAU;
use std::sync::Arc;

use lodger_scenes::SceneFile;
use lodger_scheduler::{
    Actor, ActorId, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance, Module,
    ModuleId, Scene, SceneError, UnitCost,
};

use crate::random::{Random, Stream};

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

/// How many actors there are.
const ACTORS: usize = 500;
/// The radius of the disc on which they stand, in metres.
const DISC: f64 = 80.0;
/// How high the camera is, in metres.
const DISC_EYE: f64 = 2.0;
/// What a frame may spend, in milliseconds: about a sixth of what everything would cost.
const BUDGET_MS: f64 = 4.0;
/// What a benefit of 1 may ask for, in milliseconds.
const BENEFIT_VALUE_MS: f64 = 40.0;

/// A kind of actor: its name, nanoseconds a unit, how its importance falls, and its ladders.
struct Kind {
    name: &'static str,
    unit_ns: f64,
    importance: DistanceImportance,
    ladders: [&'static [u32]; 3],
}

const KINDS: [Kind; 3] = [
    Kind {
        name: "clothing",
        unit_ns: 25.0,
        importance: DistanceImportance::Angular,
        ladders: [
            &[0, 120, 450, 1_300, 3_000],
            &[0, 80, 260, 700, 1_800],
            &[60, 250, 900, 2_200, 5_000],
        ],
    },
    Kind {
        name: "particles",
        unit_ns: 12.0,
        importance: DistanceImportance::SolidAngle,
        ladders: [&[0, 60, 240, 900, 3_200], &[0, 400], &[0, 40, 150, 550, 2_000]],
    },
    Kind {
        name: "skeletons",
        unit_ns: 8.0,
        importance: DistanceImportance::Angular,
        ladders: [&[20, 350, 1_000, 2_600, 6_000], &[0, 1_000, 2_000, 3_000, 4_000], &[0, 2_500]],
    },
];

impl Stage {
    /// 500 actors on a disc of 80 m, of three kinds with three ladders each, some of five levels and some
    /// on or off. The same seed gives the same.
    ///
    /// # Errors
    /// None, unless the scheduler refuses its numbers.
    pub fn crowd(seed: u64) -> Result<Self, SceneError> {
        let mut random = Random::new(seed, Stream::Crowd);
        let mut scene = Scene::new(Budget::from_ms(BUDGET_MS)?);
        let mut modules = Vec::new();
        for kind in &KINDS {
            let distance_importance = kind.importance;
            let rule =
                BenefitRule::new(BenefitTerms { distance_importance, ..BenefitTerms::default() })?;
            let value = BenefitValue::from_ms(BENEFIT_VALUE_MS)?;
            let module = Module::new(kind.name, UnitCost::from_ns(kind.unit_ns)?, value).rule(rule);
            modules.push((scene.add_module(module)?, Arc::from(kind.name)));
        }
        let mut actors = Vec::new();
        for number in 0..ACTORS {
            let (distance, angle) = (DISC * random.part().sqrt(), random.between(0.0, TAU));
            let [x, z] = [libm::cos(angle), libm::sin(angle)].map(|along| distance * along);
            let which = random.one_of(3);
            let (kind, (module, name)) = (&KINDS[which], &modules[which]);
            let work = kind.ladders[random.one_of(3)];
            let radius = random.between(0.3, 2.5);
            #[expect(clippy::cast_possible_truncation, reason = "below 2^24, and to the nearest")]
            let [x, z, radius] = [x, z, radius].map(|number| number as f32);
            let id = scene.spawn(*module, Actor::seen([x, 0.0, z], radius, work))?;
            actors.push((id, format!("{name} {number}").into()));
        }
        let ground = Ground { centre: [0.0; 2], reach: DISC, eye: DISC_EYE };
        Ok(Self { scene, modules, actors, ground })
    }
}
