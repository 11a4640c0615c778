//! The workload of all cases: actors scattered over a cube, in four modules, with a moving or a
//! static view.

use clap::ValueEnum;
use lodger_core::ValueError;
use lodger_core::budget::MAX_ACTORS;
use lodger_scheduler::{
    Actor, ActorId, ActorState, BenefitRule, BenefitTerms, BenefitValue, Budget,
    DistanceImportance, Hysteresis, Leftovers, Module, OutsideFactor, Policy, Priority, Scene,
    SceneError, UnitCost, View, ViewId, Weights,
};

/// A policy of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum BenchPolicy {
    /// Shares by benefit; leftovers are kept: the APEX LOD document to the letter, also `apex`
    #[value(alias = "apex")]
    Keep,
    /// Leftovers pay for the best upgrades within the module
    WithinModule,
    /// Leftovers pay for the best upgrades of all modules: the default of a scene
    AcrossModules,
    /// The rest of the budget pays for the best upgrades
    WholeBudget,
    /// The most benefit times quality within the budget; without local search
    Optimal,
}

impl BenchPolicy {
    pub(super) const ALL: [Self; 5] =
        [Self::Keep, Self::WithinModule, Self::AcrossModules, Self::WholeBudget, Self::Optimal];

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::WithinModule => "within_module",
            Self::AcrossModules => "across_modules",
            Self::WholeBudget => "whole_budget",
            Self::Optimal => "optimal",
        }
    }

    /// Whether a sweep draws the policy, and other cases measure it; the figures of the others
    /// resemble those of `AcrossModules`.
    pub(super) const fn is_drawn(self) -> bool {
        matches!(self, Self::Keep | Self::AcrossModules | Self::Optimal)
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

/// The number of modules; their benefit values are 1, 2, 3 and 4 times [`BENEFIT_VALUE_NS`].
pub(super) const MODULES: u32 = 4;
/// The benefit value of the first module, in nanoseconds.
pub(super) const BENEFIT_VALUE_NS: u32 = 1_000;
/// The unit cost, in nanoseconds.
pub(super) const UNIT_COST_NS: f64 = 0.5;
pub(super) const WORK: [u32; 5] = [0, 60, 250, 1_000, 4_000];
/// The budget for each actor, in nanoseconds; all targets together are a little more.
pub(super) const BUDGET_NS: u32 = 100;
/// The distance in metres beyond which an actor has no importance.
pub(super) const MAX_DISTANCE: f32 = 200.0;
/// The maximum age, in seconds.
pub(super) const MAX_AGE: f32 = 10.0;
pub(super) const WEIGHTS: [f32; 2] = [0.7, 0.3];

/// The side of the cube, in metres.
const SIDE: f32 = 500.0;
/// Metres that the eye moves in a frame: 5 m/s at 60 frames per second, as in `lodger simulate`.
const STEP: f32 = 5.0 / 60.0;
/// The radius of the eye's circle, in metres.
const CIRCLE: f32 = 100.0;

#[derive(Clone, Copy, Debug)]
pub(super) struct WorkloadActor {
    /// Metres.
    pub(super) position: [f32; 3],
    /// Metres.
    pub(super) radius: f32,
    /// Seconds.
    pub(super) age: f32,
    pub(super) module: u8,
}

impl WorkloadActor {
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

/// A scattered number from 0 to below 1, the same in every run.
pub(super) fn unit(number: u32) -> f32 {
    let mut bits = number.wrapping_mul(0x9E37_79B9) ^ 0x5bd1_e995;
    bits ^= bits >> 15;
    bits = bits.wrapping_mul(0x2C1B_3C6D);
    bits ^= bits >> 12;
    f32::from_bits(0x3f80_0000 | bits >> 9) - 1.0
}

/// The kind of a scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum WorkloadKind {
    /// One ladder for all, and importance by solid angle.
    #[default]
    Usual,
    /// Importance by angle, which takes a root.
    Angular,
    /// Eight ladders in each module, scattered over the rows.
    EightLadders,
    /// Actors on a plane of 1 km, as a game might have them.
    Plane,
    /// Each actor with a priority of its own.
    Priority,
    /// A view with a zoom of 2.
    Zoom,
    /// A view of 90° to the sides and 59° upwards that looks ahead; actors are only drawn.
    Frustum,
}

impl WorkloadKind {
    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Usual => "usual",
            Self::Angular => "angular",
            Self::EightLadders => "eight_ladders",
            Self::Plane => "plane",
            Self::Priority => "priority",
            Self::Zoom => "zoom",
            Self::Frustum => "frustum",
        }
    }

    fn importance(self) -> DistanceImportance {
        match self {
            Self::Angular => DistanceImportance::Angular,
            _ => DistanceImportance::SolidAngle,
        }
    }

    fn work(self, number: u32) -> [u32; WORK.len()] {
        let ladder = unit(number.wrapping_mul(13)).to_bits() >> 8 & 7;
        match self {
            Self::EightLadders => WORK.map(|work| work + work / 20 * ladder),
            _ => WORK,
        }
    }

    fn priority(self, number: u32) -> Priority {
        let scattered = unit(number.wrapping_mul(17)).to_bits() >> 9 & 0x1fff;
        let bits = 2_048 + u16::try_from(scattered).unwrap_or_default();
        if self == Self::Priority { Priority::from_bits(bits) } else { Priority::ONE }
    }

    /// Nanoseconds for each actor.
    fn budget(self) -> u32 {
        // A view sees about an eighth of the actors.
        if self == Self::Frustum { BUDGET_NS / 8 } else { BUDGET_NS }
    }

    fn view(self, path: CirclePath) -> Result<View<f32>, ValueError> {
        let eye = path.eye();
        match self {
            Self::Zoom => View::from_position(eye)?.zoom(2.0),
            Self::Frustum => {
                // Looks along the circle, with z up: rows are the axes to the right, up and back.
                let (sine, cosine) = path.angle().sin_cos();
                let axes = [[cosine, sine, 0.0], [0.0, 0.0, 1.0], [sine, -cosine, 0.0]];
                let column = |k: usize| [axes[0][k], axes[1][k], axes[2][k], 0.0];
                let along = axes.map(|axis| -axis.iter().zip(eye).map(|(a, e)| a * e).sum::<f32>());
                let eye = [along[0], along[1], along[2], 1.0];
                let view = [column(0), column(1), column(2), eye];
                let projection = [
                    [1.0, 0.0, 0.0, 0.0],
                    [0.0, 16.0 / 9.0, 0.0, 0.0],
                    [0.0, 0.0, 0.0, -1.0],
                    [0.0, 0.0, 0.1, 0.0],
                ];
                View::from_matrices(view, projection)?.frustum()
            }
            _ => View::from_position(eye),
        }
    }
}

/// A circular path of the eye, with a step before each frame.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CirclePath(u16);

impl CirclePath {
    /// Returns a scattered number for the current step.
    fn random(self) -> u32 {
        unit(self.0.into()).to_bits() >> 3
    }

    pub(super) fn step(&mut self) -> [f32; 3] {
        self.0 = self.0.wrapping_add(1);
        self.eye()
    }

    fn angle(self) -> f32 {
        f32::from(self.0) * (STEP / CIRCLE)
    }

    fn eye(self) -> [f32; 3] {
        let angle = self.angle();
        [SIDE / 2.0 + CIRCLE * angle.cos(), SIDE / 2.0 + CIRCLE * angle.sin(), 2.0]
    }
}

/// A scene of the scheduler with a moving view.
#[derive(Clone, Debug)]
pub(super) struct MovingViewScene {
    pub(super) scene: Scene,
    view: ViewId,
    path: CirclePath,
    kind: WorkloadKind,
}

impl MovingViewScene {
    pub(super) fn new(actors: u32, kind: WorkloadKind) -> Result<Self, SceneError> {
        let mut path = CirclePath::default();
        path.step();
        let mut scene = Scene::new(Budget::from_ns(u64::from(actors) * u64::from(kind.budget())));
        let view = scene.add_view(kind.view(path)?)?;
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
            let module = Module::new(number.to_string(), UnitCost::from_ns(UNIT_COST_NS)?)
                .benefit_value(value);
            let is_drawn = kind == WorkloadKind::Frustum;
            let outside = if is_drawn { OutsideFactor::ZERO } else { OutsideFactor::ONE };
            let module = scene.add_module(module.rule(rule).outside(outside))?;
            scene.reserve(module, actors.div_ceil(MODULES).min(MAX_ACTORS) as usize)?;
            modules.push(module);
        }
        for number in 0..actors {
            let WorkloadActor { mut position, radius, age, module } = WorkloadActor::new(number);
            if kind == WorkloadKind::Plane {
                position = [position[0] * 2.0, 0.0, position[2] * 2.0];
            }
            let state = ActorState { position, age, speed: 0.0 };
            let module = modules[usize::from(module)];
            let work = kind.work(number);
            let actor = Actor::from_state(state, radius, &work).priority(kind.priority(number));
            scene.spawn(module, actor)?;
        }
        Ok(Self { scene, view, path, kind })
    }

    pub(super) fn set(mut self, policy: Policy, stability: Hysteresis) -> Self {
        self.scene.set_policy(policy).expect("each module has a benefit value");
        self.scene.set_hysteresis(stability);
        self.scene.set_search_moves(0);
        self
    }

    /// Decides the next [frame](Self::frame) with another budget, by up to 2 %.
    pub(super) fn frame_with_jitter(&mut self) -> u64 {
        let parts = self.path.random() % 41; // from 0 to 40 thousandths
        let budget = self.budget();
        self.scene.set_budget(Budget::from_ns(budget / 1_000 * (980 + u64::from(parts))));
        self.frame()
    }

    pub(super) fn halve_budget(&mut self, halved: bool) {
        let budget = self.budget();
        self.scene.set_budget(Budget::from_ns(if halved { budget / 2 } else { budget }));
    }

    fn budget(&self) -> u64 {
        self.scene.len() as u64 * u64::from(self.kind.budget())
    }

    /// Moves the eye and decides the next frame; returns the cost in nanoseconds.
    pub(super) fn frame(&mut self) -> u64 {
        self.path.step();
        // The view belongs to the scene, and is valid.
        if let Ok(view) = self.kind.view(self.path) {
            let _ = self.scene.set_view(self.view, view);
        }
        self.scene.tick().assigned_ns()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum WorkloadChange {
    Nothing,
    /// One actor in a hundred, in runs of neighbouring rows.
    Runs,
    /// One actor in a hundred, scattered over all rows.
    Scattered,
}

const RUN: usize = 64;
/// Actors per moving actor.
const ONE_IN: usize = 100;
/// The number of selections of moving actors that take turns, so that the rows differ from frame to
/// frame.
const CHOICES: u32 = 8;

type Mover = (ActorId, [f32; 3]);

/// A scene with a static view, and its moving actors.
#[derive(Clone, Debug)]
pub(super) struct StaticViewScene {
    scene: Scene,
    runs: Vec<Vec<Mover>>,
    scattered: Vec<Vec<Mover>>,
    frames: usize,
}

impl WorkloadChange {
    pub(super) const ALL: [Self; 3] = [Self::Nothing, Self::Runs, Self::Scattered];

    pub(super) const fn is_first(self) -> bool {
        matches!(self, Self::Nothing)
    }

    pub(super) const fn key(self) -> &'static str {
        match self {
            Self::Nothing => "nothing",
            Self::Runs => "runs",
            Self::Scattered => "scattered",
        }
    }
}

impl StaticViewScene {
    pub(super) fn new(base: MovingViewScene, policy: Policy) -> Result<Self, SceneError> {
        let mut scene = base.set(policy, Hysteresis::TYPICAL).scene;
        let modules: Vec<_> = scene.modules().collect();
        let mut rows = Vec::with_capacity(scene.len());
        for module in modules {
            let states = scene.states_mut(module)?;
            let places = states.x.iter().zip(&*states.y).zip(&*states.z);
            rows.extend(states.ids().zip(places.map(|((x, y), z)| [*x, *y, *z])));
        }
        let chosen = |run: usize| (0..CHOICES).map(|number| choice(&rows, run, number)).collect();
        Ok(Self { runs: chosen(RUN), scattered: chosen(1), scene, frames: 0 })
    }

    /// Sets the moved positions; measured apart from the decision.
    pub(super) fn change(&mut self, change: WorkloadChange) {
        let choices = match change {
            WorkloadChange::Nothing => return,
            WorkloadChange::Runs => &self.runs,
            WorkloadChange::Scattered => &self.scattered,
        };
        self.frames += 1;
        // Each actor moves a step, and back at its next turn.
        let back = (self.frames / choices.len()).is_multiple_of(2);
        let step = if back { 0.0 } else { 1.0 };
        for &(actor, [x, y, z]) in &choices[self.frames % choices.len()] {
            // All actors exist, so no call fails.
            let _ = self.scene.set_position(actor, [x + step, y, z]);
        }
    }

    /// Decides, and returns the cost in nanoseconds.
    pub(super) fn decide(&mut self) -> u64 {
        self.scene.tick().assigned_ns()
    }
}

fn choice(rows: &[Mover], run: usize, number: u32) -> Vec<Mover> {
    let wanted = rows.len().div_ceil(ONE_IN);
    let starts = (0_u32..).map(|start| unit(start.wrapping_mul(CHOICES).wrapping_add(number)));
    let runs = starts.map(|start| {
        let first = start_of(start, rows.len().saturating_sub(run) + 1);
        &rows[first..rows.len().min(first + run)]
    });
    runs.flatten().take(wanted).copied().collect()
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "a part of a number of rows"
)]
fn start_of(part: f32, rows: usize) -> usize {
    ((f64::from(part) * rows as f64) as usize).min(rows.saturating_sub(1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_in_a_hundred_moves_and_comes_back() {
        let policy = Policy::Proportional(Leftovers::Keep);
        let mut scene = StaticViewScene::new(
            MovingViewScene::new(20_000, WorkloadKind::Usual).unwrap(),
            policy,
        )
        .unwrap();
        assert!(scene.runs.iter().chain(&scene.scattered).all(|movers| movers.len() == 200));
        let together = |movers: &[Mover]| {
            movers.windows(2).filter(|pair| pair[1].0.slot() == pair[0].0.slot() + 4).count()
        };
        assert!(together(&scene.runs[0]) >= 195 && together(&scene.scattered[0]) < 10);
        let all: Vec<_> =
            [&scene.runs, &scene.scattered].into_iter().flatten().flatten().copied().collect();
        let away = |scene: &StaticViewScene| {
            all.iter().filter(|(actor, place)| scene.scene.position(*actor) != Some(*place)).count()
        };
        for (change, many) in [
            (WorkloadChange::Nothing, 0),
            (WorkloadChange::Runs, 1_600),
            (WorkloadChange::Scattered, 1_600),
        ] {
            scene.frames = 0;
            (0..15).for_each(|_| scene.change(change));
            // An actor may be selected several times.
            assert!(
                (many..=many + many / 4).contains(&away(&scene)),
                "{change:?}: {}",
                away(&scene)
            );
            (0..8).for_each(|_| scene.change(change));
            assert_eq!(away(&scene), 0, "{change:?}");
            assert!(scene.decide() > 0);
        }
    }
}
