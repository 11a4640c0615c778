//! The simulated scene with its names, the built-in scene, and the levels of its actors.

use std::collections::HashMap;
use std::f64::consts::TAU;
use std::ops::RangeInclusive;
use std::rc::Rc;
use std::sync::Arc;

use lodger_scenes::{CameraLens, SceneFile};
use lodger_scheduler::{
    Actor, ActorId, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance, LodSource,
    Module, ModuleId, Quality, Scene, SceneError, UnitCost,
};

use super::random::{RandomStream, StreamKind};

/// The default height of the camera, in metres.
const EYE: f64 = 1.7;
/// The minimum reach of a scene, in metres: a camera needs some space.
const MIN_REACH: f64 = 2.0;

/// A scene with its names, and the ground on which camera and actors move.
#[derive(Debug, Clone)]
pub struct SimulationScene {
    pub(crate) scene: Scene<f32>,
    pub(crate) modules: Vec<(ModuleId, Arc<str>)>,
    pub(crate) actors: Vec<(ActorId, Arc<str>)>,
    pub(crate) ground: Ground,
    /// The lens of the moving camera.
    pub(crate) lens: CameraLens,
}

/// The square of all motion; its sides are along x and z.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ground {
    /// The x and z of its middle, in metres.
    pub(crate) centre: [f64; 2],
    /// Half of its side, in metres.
    pub(crate) reach: f64,
    /// The height of the camera, in metres.
    pub(crate) eye: f64,
}

impl SimulationScene {
    /// The scene, for changes before the simulation.
    pub fn scene_mut(&mut self) -> &mut Scene<f32> {
        &mut self.scene
    }

    /// The scene before the simulation.
    #[must_use]
    pub fn scene(&self) -> &Scene<f32> {
        &self.scene
    }

    /// The cost of all actors at their highest levels, in nanoseconds.
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

impl From<SceneFile> for SimulationScene {
    fn from(file: SceneFile) -> Self {
        let modules = file.modules.into_iter().map(|module| (module.id, module.name)).collect();
        let actors = file.actors.into_iter().map(|actor| (actor.id, actor.name)).collect();
        let (ground, lens) = (Ground::NONE, file.lens);
        let mut simulated = Self { scene: file.scene, modules, actors, ground, lens };
        simulated.ground = simulated.measured();
        simulated
    }
}

impl SimulationScene {
    fn measured(&self) -> Ground {
        let placed = self.actors.iter().filter(|(id, _)| has_position(&self.scene, *id));
        let places = placed.filter_map(|(id, _)| self.scene.position(*id));
        let places = places.filter(|place| place.iter().all(|number| number.is_finite()));
        let (mut min, mut max) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
        let mut lowest = f64::INFINITY;
        for [x, y, z] in places {
            lowest = lowest.min(f64::from(y));
            for (axis, number) in [x, z].into_iter().enumerate() {
                min[axis] = min[axis].min(f64::from(number));
                max[axis] = max[axis].max(f64::from(number));
            }
        }
        if lowest.is_infinite() {
            return Ground::NONE;
        }
        let view = self.scene.views().next().map(|(_, view)| f64::from(view.position()[1]));
        Ground {
            centre: [f64::midpoint(min[0], max[0]), f64::midpoint(min[1], max[1])],
            reach: ((max[0] - min[0]).max(max[1] - min[1]) / 2.0).max(MIN_REACH),
            eye: view.filter(|eye| eye.is_finite()).unwrap_or(lowest + EYE),
        }
    }
}

impl Ground {
    const NONE: Self = Self { centre: [0.0; 2], reach: MIN_REACH, eye: EYE };
}

/// Whether an actor has a position: its benefit is computed.
pub(crate) fn has_position(scene: &Scene<f32>, id: ActorId) -> bool {
    scene.benefit_override(id) == Some(None)
}

const ACTORS: usize = 500;
/// The radius of the disc of actors, in metres.
const DISC: f64 = 80.0;
/// The height of the camera, in metres.
const DISC_EYE: f64 = 2.0;
/// The budget of a frame in milliseconds: about a sixth of the cost of all highest levels.
const BUDGET_MS: f64 = 4.0;
/// The target of a benefit of 1, in milliseconds.
const BENEFIT_VALUE_MS: f64 = 40.0;

/// A kind of actor: name, nanoseconds per unit, importance by distance, and ladders.
struct ActorKind {
    name: &'static str,
    unit_ns: f64,
    importance: DistanceImportance,
    ladders: [&'static [u32]; 3],
}

const KINDS: [ActorKind; 3] = [
    ActorKind {
        name: "clothing",
        unit_ns: 25.0,
        importance: DistanceImportance::Angular,
        ladders: [
            &[0, 120, 450, 1_300, 3_000],
            &[0, 80, 260, 700, 1_800],
            &[60, 250, 900, 2_200, 5_000],
        ],
    },
    ActorKind {
        name: "particles",
        unit_ns: 12.0,
        importance: DistanceImportance::SolidAngle,
        ladders: [&[0, 60, 240, 900, 3_200], &[0, 400], &[0, 40, 150, 550, 2_000]],
    },
    ActorKind {
        name: "skeletons",
        unit_ns: 8.0,
        importance: DistanceImportance::Angular,
        ladders: [&[20, 350, 1_000, 2_600, 6_000], &[0, 1_000, 2_000, 3_000, 4_000], &[0, 2_500]],
    },
];

impl SimulationScene {
    /// Builds 500 actors on a disc of 80 m, of three kinds with three ladders each, some of five
    /// levels and some of two. Equal seeds give equal scenes.
    ///
    /// # Errors
    ///
    /// None, unless the scheduler rejects its numbers.
    pub fn demo(seed: u64) -> Result<Self, SceneError> {
        let mut random = RandomStream::new(seed, StreamKind::Actors);
        let mut scene = Scene::new(Budget::from_ms(BUDGET_MS)?);
        let mut modules = Vec::new();
        for kind in &KINDS {
            let distance_importance = kind.importance;
            let rule =
                BenefitRule::new(BenefitTerms { distance_importance, ..BenefitTerms::default() })?;
            let value = BenefitValue::from_ms(BENEFIT_VALUE_MS)?;
            let module = Module::new(kind.name, UnitCost::from_ns(kind.unit_ns)?)
                .benefit_value(value)
                .rule(rule);
            modules.push((scene.add_module(module)?, Arc::from(kind.name)));
        }
        let mut actors = Vec::new();
        for number in 0..ACTORS {
            let (distance, angle) = (DISC * random.unit().sqrt(), random.between(0.0, TAU));
            let [x, z] = [libm::cos(angle), libm::sin(angle)].map(|along| distance * along);
            let which = random.one_of(3);
            let (kind, (module, name)) = (&KINDS[which], &modules[which]);
            let work = kind.ladders[random.one_of(3)];
            let radius = random.between(0.3, 2.5);
            #[expect(clippy::cast_possible_truncation, reason = "below 2^24, and to the nearest")]
            let [x, z, radius] = [x, z, radius].map(|number| number as f32);
            let id = scene.spawn(*module, Actor::at([x, 0.0, z], radius, work))?;
            actors.push((id, format!("{name} {number}").into()));
        }
        let ground = Ground { centre: [0.0; 2], reach: DISC, eye: DISC_EYE };
        Ok(Self { scene, modules, actors, ground, lens: CameraLens::default() })
    }
}

#[derive(Debug)]
pub(crate) struct ActorTable {
    /// Nanoseconds; infinite if unlimited.
    pub(crate) budget_ns: f64,
    pub(crate) in_budget: Vec<bool>,
    pub(crate) actors: Vec<SimulatedActor>,
}

#[derive(Debug, Clone)]
pub(crate) struct SimulatedActor {
    pub(crate) module: usize,
    /// Whether the level is chosen, and counts for the value.
    pub(crate) is_automatic: bool,
    pub(crate) ladder: Rc<LevelTable>,
}

#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct LevelTable {
    lowest: u8,
    highest: u8,
    units: Vec<u32>,
    qualities: Vec<Quality>,
}

impl ActorTable {
    /// Collects the actors. A forced or unmanaged actor has the single level of the first plan.
    pub(crate) fn new(simulated: &SimulationScene) -> Result<Self, SceneError> {
        let mut scene = simulated.scene.clone();
        scene.tick();
        let mut ladders = HashMap::new();
        let numbers: HashMap<_, _> =
            simulated.modules.iter().zip(0..).map(|((id, _), n)| (*id, n)).collect();
        let entry = |(id, _): &(_, _)| {
            let plan = scene.plan().actor(*id).ok_or(SceneError::StaleActor)?;
            let is_automatic = plan.source == LodSource::Automatic;
            let range = if is_automatic {
                range(&scene, *id)
            } else {
                (plan.lod.level(), plan.lod.level())
            };
            let ladder = LevelTable::new(&scene, *id, range).ok_or(SceneError::StaleActor)?;
            let ladder = ladders.entry(ladder).or_insert_with_key(|ladder| Rc::new(ladder.clone()));
            let module = numbers.get(&plan.module).copied().ok_or(SceneError::ForeignModule)?;
            Ok(SimulatedActor { module, is_automatic, ladder: Rc::clone(ladder) })
        };
        let actors = simulated.actors.iter().map(entry).collect::<Result<_, SceneError>>()?;
        let counted = |id| scene.is_unmanaged_in_budget() || scene.is_managed(id) == Some(true);
        #[expect(clippy::cast_precision_loss, reason = "53 bits are enough for a time")]
        let budget_ns = scene.budget().ns().map_or(f64::INFINITY, |ns| ns as f64);
        let in_budget = simulated.modules.iter().map(|(id, _)| counted(*id)).collect();
        Ok(Self { budget_ns, in_budget, actors })
    }

    pub(crate) fn value(&self, benefits: &[f64], levels: &[u8]) -> f64 {
        let entries = self.actors.iter().zip(benefits.iter().zip(levels));
        let automatic = entries.filter(|(entry, _)| entry.is_automatic);
        automatic.map(|(entry, (benefit, level))| benefit * entry.ladder.quality(*level)).sum()
    }

    pub(crate) fn units(&self, levels: &[u8]) -> Vec<u64> {
        let mut units = vec![0; self.in_budget.len()];
        for (entry, level) in self.actors.iter().zip(levels) {
            units[entry.module] += u64::from(entry.ladder.units(*level));
        }
        units
    }

    pub(crate) fn paid(&self, of_modules: &[f64]) -> f64 {
        let counted = of_modules.iter().zip(&self.in_budget).filter(|(_, counted)| **counted);
        counted.map(|(number, _)| number).sum()
    }
}

fn range(scene: &Scene<f32>, id: ActorId) -> (u8, u8) {
    let (lowest, highest) = scene.lod_range(id).map_or((0, 0), RangeInclusive::into_inner);
    let cap = scene.module_of(id).and_then(|module| scene.lod_cap(module)).flatten();
    (lowest, cap.map_or(highest, |cap| highest.min(cap)).max(lowest))
}

impl LevelTable {
    fn new(scene: &Scene<f32>, id: ActorId, (lowest, highest): (u8, u8)) -> Option<Self> {
        let valid = usize::from(lowest)..=usize::from(highest);
        let units = scene.work(id)?.get(valid.clone())?.to_vec();
        let qualities = scene.qualities(id)?.get(valid)?.to_vec();
        Some(Self { lowest, highest, units, qualities })
    }

    pub(crate) fn lowest(&self) -> u8 {
        self.lowest
    }

    pub(crate) fn highest(&self) -> u8 {
        self.highest
    }

    pub(crate) fn levels(&self) -> RangeInclusive<u8> {
        self.lowest..=self.highest
    }

    pub(crate) fn units(&self, level: u8) -> u32 {
        self.units[usize::from(level - self.lowest)]
    }

    /// The quality of a valid level, from 0 to 1.
    pub(crate) fn quality(&self, level: u8) -> f64 {
        self.qualities[usize::from(level - self.lowest)].to_f64()
    }
}
