//! The scene of whole ticks: 64 actors in four modules before a viewpoint that moves, with measured times.
//!
//! Each module has 16 actors with five levels. Benefits are seven tenths a bounded distance importance and three tenths
//! age. Other scenes have priorities, a view with a zoom, or one with a frustum. The unit cost of each module differs by a few percent from the one that its scene starts with, and by up to two
//! percent more from frame to frame.

use lodger_core::benefit::{
    ActorState, BenefitRule, BenefitTerms, OutsideFactor, Priority, Weights,
};
use lodger_core::budget::{Hysteresis, Policy};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::view::View;
use lodger_core::{Fixed, Real};
use lodger_heapless::{
    Actor, Columns, Everything, Module, ModuleId, Scene, SceneError, WithMotion, WithOptimal,
    WithPriorities, WithViews,
};

use crate::bench_scene::number;

pub const MODULES: usize = 4;
pub const ACTORS: usize = 64;
const LEVELS: usize = 5;
/// The age at which importance reaches 0, in seconds.
const MAX_AGE: f64 = 20.0;
/// The frame time in seconds.
const FRAME: f64 = 1.0 / 60.0;
/// The speed of the viewpoint, in metres per second.
const SPEED: f64 = 5.0;
/// The budget of a frame: about half of the sum of all targets.
const BUDGET: Budget = Budget::from_ns(700_000);
/// The cost that a benefit of 1 is worth, in nanoseconds.
const BENEFIT_VALUE: u32 = 100_000;

/// The constants of a module: unit cost in nanoseconds, the true cost of work in thousandths of it, and the units of a level.
const KINDS: [(u32, u64, [u32; LEVELS]); MODULES] = [
    (100, 1_040, [0, 40, 100, 200, 400]),
    (50, 970, [0, 50, 150, 250, 600]),
    (200, 1_020, [0, 15, 40, 100, 220]),
    (25, 950, [0, 150, 350, 700, 1_400]),
];

pub type SceneOf64<N, C = Everything> = Scene<N, MODULES, ACTORS, { MODULES * LEVELS }, C>;

/// Sets the view from a position.
type Look<N, C> = fn(&mut SceneOf64<N, C>, [N; 3]) -> Result<(), SceneError>;

/// A scene in the caller's memory, and the place of its viewpoint.
#[derive(Debug)]
pub struct MovingScene<'a, N: Real, C: Columns = Everything> {
    scene: &'a mut SceneOf64<N, C>,
    look: Look<N, C>,
    modules: [ModuleId; MODULES],
    budget: Budget,
    frame: u32,
}

impl<'a, N: TickNumber, C: WithMotion + WithOptimal> MovingScene<'a, N, C> {
    /// Adds all modules and actors to an empty scene, with the hysteresis that the guide recommends.
    ///
    /// # Errors
    /// None, because all numbers are valid.
    pub fn new(scene: &'a mut SceneOf64<N, C>, policy: Policy) -> Result<Self, SceneError> {
        let modules = KINDS.map(|(ns, _, work)| {
            let module = Module::new(UnitCost::from_ns(ns.into())?)
                .benefit_value(BenefitValue::from_ns(BENEFIT_VALUE));
            let module = scene.add_module(module.rule(N::RULE))?;
            for _ in 0..ACTORS / MODULES {
                let place = u32::try_from(scene.len()).unwrap_or(0);
                let (state, radius) = state(place);
                scene.spawn(module, Actor::from_state(state, radius, &work))?;
            }
            Ok::<_, SceneError>(module)
        });
        let [a, b, c, d] = modules;
        scene.set_policy(policy)?;
        scene.set_hysteresis(Hysteresis::TYPICAL);
        let modules = [a?, b?, c?, d?];
        let look: Look<N, C> = |scene, eye| scene.set_eyes(&[eye]);
        Ok(Self { scene, look, modules, budget: BUDGET, frame: 0 })
    }

    /// Moves the viewpoint and the ages to the next frame.
    ///
    /// # Errors
    /// None, because all numbers are valid.
    pub fn advance(&mut self) -> Result<(), SceneError> {
        self.frame = self.frame.wrapping_add(1);
        let along = 10.0 + SPEED * FRAME * f64::from(self.frame);
        (self.look)(self.scene, [along, 1.7, 25.0].map(number))?;
        self.scene.advance_ages(number(FRAME))
    }

    pub fn tick(&mut self) {
        self.scene.tick(self.budget);
    }

    /// Returns the time that each module took for the last plan, in nanoseconds.
    #[must_use]
    pub fn times(&self) -> [u64; MODULES] {
        let (frame, mut times) = (u64::from(self.frame), [0; MODULES]);
        let modules = self.scene.plan().modules().zip(KINDS).zip(0_u64..);
        for (time, ((module, (ns, cost, _)), index)) in times.iter_mut().zip(modules) {
            let noise = frame.wrapping_mul(7).wrapping_add(index.wrapping_mul(13)) % 41;
            let thousandths = cost.wrapping_add(noise).wrapping_sub(20);
            *time = module.units.wrapping_mul(ns.into()).wrapping_mul(thousandths) / 1_000;
        }
        times
    }

    /// Reports the time of each module.
    ///
    /// # Errors
    /// None, because all modules are in the scene.
    pub fn observe(&mut self, times: [u64; MODULES]) -> Result<(), SceneError> {
        for (module, time) in self.modules.into_iter().zip(times) {
            self.scene.observe_time(module, time)?;
        }
        Ok(())
    }

    /// Plans the next frames with half of the budget.
    pub fn halve_budget(&mut self) {
        self.budget = Budget::from_ns(self.budget.ns().unwrap_or(0) / 2);
    }
}

/// Sets a priority from 0.5 to 4 for each actor, and one for each module.
///
/// # Errors
/// None, because all numbers are valid.
pub fn prioritise<N: Real, C: WithPriorities>(
    MovingScene { scene, modules, .. }: &mut MovingScene<'_, N, C>,
) -> Result<(), SceneError> {
    for module in *modules {
        scene.set_module_priority(module, Priority::new(1.25)?)?;
    }
    let mut actors = [None; ACTORS];
    actors.iter_mut().zip(scene.actors()).for_each(|(place, id)| *place = Some(id));
    for (id, place) in actors.into_iter().flatten().zip(0_u8..) {
        scene.set_priority(id, Priority::new(f64::from(1_u8 << (place % 4)) / 2.0)?)?;
    }
    Ok(())
}

/// Looks with a zoom of 1.5.
///
/// # Errors
/// None.
pub fn zoom<N: Real, C: WithViews>(moving: &mut MovingScene<'_, N, C>) -> Result<(), SceneError> {
    moving.look = |scene, eye| scene.set_views(&[View::from_position(eye)?.zoom(1.5)?]);
    Ok(())
}

/// Looks along x, with 90° between the sides; a benefit outside is a quarter.
///
/// # Errors
/// None, because all numbers are valid.
pub fn look_through_frustum<N: Real, C: WithViews>(
    moving: &mut MovingScene<'_, N, C>,
) -> Result<(), SceneError> {
    for module in moving.modules {
        moving.scene.set_outside(module, OutsideFactor::new(0.25)?)?;
    }
    moving.look = |scene, eye| {
        let view = View::from_matrices(ALONG_X, PROJECTION)?.frustum()?;
        scene.set_views(&[view.moved_to(eye)?])
    };
    Ok(())
}

/// The columns of the matrix of a view from the origin along x.
const ALONG_X: [[f64; 4]; 4] =
    [[0.0, 0.0, -1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
const PROJECTION: [[f64; 4]; 4] =
    [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, -1.0], [0.0, 0.0, -0.2, 0.0]];

/// A number type whose rule the compiler computes.
pub trait TickNumber: Real {
    /// The rule of all modules.
    const RULE: &'static BenefitRule<Self>;
}

macro_rules! rule {
    ($number:ty, $new:ident, $percent:ident, $metres:expr, $seconds:expr) => {
        impl TickNumber for $number {
            const RULE: &'static BenefitRule<Self> = &match BenefitRule::$new(BenefitTerms {
                max_distance: Some($metres),
                weights: Weights::<$number>::$percent(70, 30, 0).unwrap(),
                max_age: Some($seconds),
                ..BenefitTerms::DISTANCE
            }) {
                Ok(rule) => rule,
                Err(_) => panic!("invalid terms"),
            };
        }
    };
}

rule!(Fixed, new_fixed, from_percent, Fixed::from_int(60), Fixed::from_int(20));
rule!(f32, new_f32, from_percent_f32, 60.0, 20.0);

/// Returns the state of an actor and its radius: anywhere on 50 × 50 m, up to 4 m high.
fn state<N: Real>(place: u32) -> (ActorState<N>, N) {
    let along =
        |step: u32, end: f64| number::<N>(f64::from(place.wrapping_mul(step) % 97) * end / 97.0);
    let state = ActorState {
        position: [along(13, 50.0), along(41, 4.0), along(29, 50.0)],
        age: along(17, MAX_AGE),
        speed: along(5, 10.0),
    };
    (state, along(7, 3.0) + number(0.5))
}

#[cfg(test)]
mod tests {
    use lodger_core::Fixed;
    use lodger_core::budget::Leftovers;
    use lodger_heapless::{Prioritised, Viewed};

    use super::*;

    /// Runs 72 frames; returns the sum of assigned costs, of targets, and the changed levels after the first frame.
    fn run_frames<C: WithMotion + WithOptimal>(
        policy: Policy,
        begin: impl FnOnce(&mut MovingScene<'_, Fixed, C>) -> Result<(), SceneError>,
    ) -> (u64, u64, u32) {
        let mut scene = SceneOf64::<Fixed, C>::new();
        let mut moving = MovingScene::new(&mut scene, policy).unwrap();
        begin(&mut moving).unwrap();
        let (mut assigned, mut targets, mut switches) = (0, 0, 0);
        for frame in 0..72 {
            moving.advance().unwrap();
            moving.tick();
            let plan = moving.scene.plan();
            assert!(plan.is_feasible() && plan.quarantined() == 0);
            assigned += plan.assigned_ns();
            targets += plan.modules().map(|module| module.target_ns).sum::<u64>();
            switches += if frame == 0 { 0 } else { plan.switches() };
            let times = moving.times();
            moving.observe(times).unwrap();
        }
        (assigned, targets, switches)
    }

    #[test]
    fn the_budget_is_half_of_the_targets_and_the_view_changes_levels() {
        for policy in [Policy::APEX, Policy::default(), Policy::Optimal] {
            let (assigned, targets, switches) = run_frames::<Everything>(policy, |_| Ok(()));
            let budget = 72 * BUDGET.ns().unwrap();
            assert!((40..60).contains(&(budget * 100 / targets)), "{budget} of {targets}");
            let spent = assigned * 100 / budget;
            let least = if policy == Policy::Proportional(Leftovers::Keep) { 60 } else { 90 };
            assert!((least..=100).contains(&spent), "{policy:?}: {spent} %");
            assert!((5..100).contains(&switches), "{policy:?}: {switches}");
        }
    }

    #[test]
    fn priorities_zoom_and_frustum_change_the_benefits() {
        let policy = Policy::default();
        let (_, plain, _) = run_frames::<Everything>(policy, |_| Ok(()));
        let scenes = [
            run_frames::<Prioritised>(policy, prioritise),
            run_frames::<Viewed>(policy, zoom),
            run_frames::<Viewed>(policy, look_through_frustum),
        ];
        let [prioritised, zoomed, through_frustum] = scenes.map(|(_, targets, switches)| {
            assert!((5..200).contains(&switches), "{switches}");
            targets * 100 / plain
        });
        assert!(prioritised > 150 && zoomed > 110, "{prioritised} % and {zoomed} %");
        assert!((30..90).contains(&through_frustum), "{through_frustum} %");
    }

    #[test]
    fn unit_costs_follow_the_times() {
        let mut scene = SceneOf64::<f32>::new();
        let mut moving = MovingScene::new(&mut scene, Policy::default()).unwrap();
        for _ in 0..72 {
            moving.advance().unwrap();
            moving.tick();
            let times = moving.times();
            moving.observe(times).unwrap();
        }
        for (module, (ns, cost, _)) in moving.modules.into_iter().zip(KINDS) {
            let learnt = moving.scene.raw_unit_cost(module).unwrap().ns() / f64::from(ns) * 1_000.0;
            #[allow(clippy::cast_precision_loss)] // four digits
            let cost = cost as f64;
            assert!((learnt - cost).abs() < 15.0, "{learnt} of {cost}");
        }
    }

    /// Returns the value of the plans of all frames; the budget halves in the 40th.
    fn value(max_passes: Option<u32>) -> f64 {
        let mut scene = SceneOf64::<Fixed>::new();
        scene.set_max_passes(max_passes);
        let mut moving = MovingScene::new(&mut scene, Policy::Optimal).unwrap();
        (0..72).fold(0.0, |value, frame| {
            if frame == 40 {
                moving.halve_budget();
            }
            moving.advance().unwrap();
            moving.tick();
            let certificate = moving.scene.plan().decision().certificate.unwrap();
            let times = moving.times();
            moving.observe(times).unwrap();
            value + certificate.value()
        })
    }

    #[test]
    fn a_limited_search_loses_little() {
        let all = value(None);
        let losses = [1, 2, 3].map(|passes| 1.0 - value(Some(passes)) / all);
        println!("value lost with 1, 2 and 3 passes: {losses:.4?}");
        assert!(losses.iter().all(|&loss| loss < 0.05), "{losses:?}");
    }
}
