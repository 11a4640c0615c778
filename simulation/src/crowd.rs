//! The scene that is simulated where none is given.

use std::f64::consts::TAU;
use std::sync::Arc;

use lodger_scheduler::{
    Actor, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance, Module, Scene,
    SceneError, UnitCost,
};

use crate::random::{Random, Stream};
use crate::stage::{Ground, Stage};

/// How many actors there are.
const ACTORS: usize = 500;
/// The radius of the disc on which they stand, in metres.
const DISC: f64 = 80.0;
/// How high the camera is, in metres.
const EYE: f64 = 2.0;
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
        let ground = Ground { centre: [0.0; 2], reach: DISC, eye: EYE };
        Ok(Self { scene, modules, actors, ground })
    }
}
