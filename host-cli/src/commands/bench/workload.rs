//! The workload of all cases: actors scattered over a cube, in four modules, and an eye that moves among them.

use clap::ValueEnum;
use lodger_core::budget::MAX_ACTORS;
use lodger_scheduler::{
    Actor, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance, Leftovers, Module,
    Policy, Scene, SceneError, Stability, State, UnitCost, View, ViewId, Weights,
};

/// A policy of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BenchPolicy {
    /// Shares by benefit; leftovers are kept: the APEX LOD document to the letter, also `apex`
    #[value(alias = "apex")]
    Keep,
    /// Leftovers go to the worthiest of the same module
    WithinModule,
    /// Leftovers go to the worthiest of all: what a scene does by itself
    AcrossModules,
    /// All that is left of the budget goes to the worthiest
    WholeBudget,
    /// The most benefit times quality that the budget buys; without trials
    Optimal,
}

impl BenchPolicy {
    /// All of them, in the order in which they are shown.
    pub(super) const ALL: [Self; 5] =
        [Self::Keep, Self::WithinModule, Self::AcrossModules, Self::WholeBudget, Self::Optimal];

    /// What reports call it.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::WithinModule => "within_module",
            Self::AcrossModules => "across_modules",
            Self::WholeBudget => "whole_budget",
            Self::Optimal => "optimal",
        }
    }

    /// Whether its growth is drawn; that of the others is as that of `AcrossModules`.
    pub(super) const fn is_drawn(self) -> bool {
        matches!(self, Self::Keep | Self::AcrossModules | Self::Optimal)
    }

    /// Whether it is measured where little changes from frame to frame.
    pub(super) const fn is_incremental(self) -> bool {
        matches!(self, Self::Keep | Self::AcrossModules)
    }
}

impl From<BenchPolicy> for Policy {
    fn from(name: BenchPolicy) -> Self {
        match name {
            BenchPolicy::Keep => Self::Proportional(Leftovers::Keep),
            BenchPolicy::WithinModule => Self::Proportional(Leftovers::WithinModule),
            BenchPolicy::AcrossModules => Self::Proportional(Leftovers::AcrossModules),
            BenchPolicy::WholeBudget => Self::Proportional(Leftovers::WholeBudget),
            BenchPolicy::Optimal => Self::Optimal,
        }
    }
}

/// The modules, whose benefit values are 1, 2, 3 and 4 times [`BENEFIT_VALUE_NS`].
pub(super) const MODULES: u32 = 4;
/// What a unit of benefit may cost in the first module, in nanoseconds.
pub(super) const BENEFIT_VALUE_NS: u32 = 1_000;
/// What a unit of work costs, in nanoseconds.
pub(super) const UNIT_COST_NS: f64 = 0.5;
/// The work of each level.
pub(super) const WORK: [u32; 5] = [0, 60, 250, 1_000, 4_000];
/// What may be spent for each actor, in nanoseconds: all targets together are a little more.
pub(super) const BUDGET_NS: u32 = 100;
/// The distance in metres from which an actor is of no importance.
pub(super) const MAX_DISTANCE: f32 = 200.0;
/// The age in seconds from which an actor is old.
pub(super) const MAX_AGE: f32 = 10.0;
/// What the distance and the age of an actor weigh.
pub(super) const WEIGHTS: [f32; 2] = [0.7, 0.3];

/// Metres along each side of the cube.
const SIDE: f32 = 500.0;
/// Metres that the eye walks in a frame: 5 m a second, 60 frames a second, as in `lodger simulate`.
const STEP: f32 = 5.0 / 60.0;
/// The radius of the circle that it walks on, in metres.
const CIRCLE: f32 = 100.0;

/// One of the actors.
#[derive(Clone, Copy, Debug)]
pub(super) struct WorkloadActor {
    /// Metres.
    pub(super) position: [f32; 3],
    /// Metres.
    pub(super) radius: f32,
    /// Seconds.
    pub(super) age: f32,
    /// Its module.
    pub(super) module: u8,
}

impl WorkloadActor {
    /// The actor of that number, the same in every run.
    pub(super) fn new(number: u32) -> Self {
        let unit = |factor: u32, more: u32| unit(number.wrapping_mul(factor).wrapping_add(more));
        Self {
            position: [unit(3, 0), unit(3, 1), unit(3, 2)].map(|part| part * SIDE),
            radius: 0.1 + 4.0 * unit(7, 0),
            age: 20.0 * unit(11, 0),
            module: number.to_le_bytes()[0] % MODULES.to_le_bytes()[0],
        }
    }
}

/// A number from 0 to below 1, scattered but the same in every run.
pub(super) fn unit(number: u32) -> f32 {
    let mut bits = number.wrapping_mul(0x9E37_79B9) ^ 0x5bd1_e995;
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2C1B_3C6D);
    bits ^= bits >> 12;
    f32::from_bits(0x3f80_0000 | bits >> 9) - 1.0
}

/// What a scene has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Kind {
    /// One ladder for all, and importance by solid angle.
    #[default]
    Usual,
    /// Importance by angle, which takes a root.
    Angular,
    /// Eight ladders in each module, scattered over the rows.
    EightLadders,
}

impl Kind {
    /// What reports call it.
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Angular => "angular",
            Self::EightLadders => "eight_ladders",
        }
    }

    fn importance(self) -> DistanceImportance {
        match self {
            Self::Angular => DistanceImportance::Angular,
            Self::Usual | Self::EightLadders => DistanceImportance::SolidAngle,
        }
    }

    /// The work of the levels of an actor.
    fn work(self, number: u32) -> [u32; WORK.len()] {
        let ladder = unit(number.wrapping_mul(13)).to_bits() >> 8 & 7;
        match self {
            Self::Usual | Self::Angular => WORK,
            Self::EightLadders => WORK.map(|work| work + work / 20 * ladder),
        }
    }
}

/// An eye that walks in a circle, a step before each frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CirclePath(u16);

impl CirclePath {
    /// Where it is after the next step.
    pub(super) fn step(&mut self) -> [f32; 3] {
        self.0 = self.0.wrapping_add(1);
        let angle = f32::from(self.0) * (STEP / CIRCLE);
        [SIDE / 2.0 + CIRCLE * angle.cos(), SIDE / 2.0 + CIRCLE * angle.sin(), 2.0]
    }
}

/// The scheduler's scene with its eye.
#[derive(Clone, Debug)]
pub(super) struct MovingViewScene {
    /// The scene.
    pub(super) scene: Scene,
    view: ViewId,
    walk: CirclePath,
}

impl MovingViewScene {
    /// A scene of so many actors of that kind; how it decides is [`set`](Self::set).
    pub(super) fn new(actors: u32, kind: Kind) -> Result<Self, SceneError> {
        let mut walk = CirclePath::default();
        let mut scene = Scene::new(Budget::from_ns(u64::from(actors) * u64::from(BUDGET_NS)));
        let view = scene.add_view(View::eye(walk.step())?)?;
        let rule = BenefitRule::new(BenefitTerms {
            distance_importance: kind.importance(),
            max_distance: Some(MAX_DISTANCE),
            weights: Weights::new(WEIGHTS[0], WEIGHTS[1], 0.0)?,
            max_age: Some(MAX_AGE),
            ..BenefitTerms::default()
        })?;
        let mut modules = Vec::new();
        for number in 0..MODULES {
            let value = BenefitValue::from_ns(BENEFIT_VALUE_NS * (number + 1));
            let module = Module::new(number.to_string(), UnitCost::from_ns(UNIT_COST_NS)?, value);
            let module = scene.add_module(module.rule(rule))?;
            scene.reserve(module, actors.div_ceil(MODULES).min(MAX_ACTORS) as usize)?;
            modules.push(module);
        }
        for number in 0..actors {
            let WorkloadActor { position, radius, age, module } = WorkloadActor::new(number);
            let state = State { position, age, speed: 0.0 };
            let module = modules[usize::from(module)];
            scene.spawn(module, Actor::in_state(state, radius, &kind.work(number)))?;
        }
        Ok(Self { scene, view, walk })
    }

    /// The same, decided in this way. The optimal policy makes no trials: it takes no scratch.
    pub(super) fn set(mut self, policy: Policy, stability: Stability) -> Self {
        self.scene.set_policy(policy);
        self.scene.set_stability(stability);
        self.scene.set_trials(0);
        self
    }

    /// The next frame: the eye walks, and everything is decided. What it costs, in nanoseconds.
    pub(super) fn frame(&mut self) -> u64 {
        // The view is the scene's own, and where it stands is finite.
        if let Ok(view) = View::eye(self.walk.step()) {
            let _ = self.scene.set_view(self.view, view);
        }
        self.scene.tick().assigned_ns()
    }
}
