use std::any::Any;

use lodger_core::Real;
use lodger_core::budget::{
    Decision, Kernel, Leftovers, Load, ModuleView, Modules, Move, OptimalityCertificate, Policy,
    Request, Scratch, Upgrade, certify, decide,
};
use lodger_core::calibration::{Headroom, PlanWork};

use crate::benefits::AssignTerms;
use crate::module_data::ModuleData;
use crate::parallel::{ExecutionSettings, join, thread_count};
use crate::plan::Plan;
use crate::scene::Scene;
use crate::scene_data::{FrameEnd, Repeatable, SceneData, TickOutcome};

impl<N: Real> Scene<N> {
    /// Decides the LOD of every actor.
    ///
    /// It allocates nothing after a tick with as many actors and, if listed, changes, and the same policy; rayon
    /// may allocate when its pool is entered from outside.
    ///
    /// From 200 000 actors on, it uses all threads of the current rayon pool, which may run other jobs
    /// meanwhile: hold no lock that these jobs take.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick();
    /// assert_eq!((plan.lod(near), plan.assigned_ns()), (Some(Lod::new(2, 0)), 1_400_000));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "simulate")]
    pub fn tick(&mut self) -> Plan<'_, N> {
        let exec = self.data.execution();
        tick(self, exec);
        self.plan()
    }

    fn decide(&mut self, exec: ExecutionSettings) {
        let assign_at = self.data.begin_tick();
        let modules = self.data.modules.iter_mut().zip(&mut self.states);
        let quarantined = modules
            .map(|(module, states)| states.compute_benefits(module, exec, &self.eyes, assign_at))
            .sum();
        self.data.decide(exec, quarantined);
    }

    /// Calls [`tick`](Self::tick), then `react` if the [`Load`] has changed, and returns the plan of the tick.
    ///
    /// `react` may change the scene, but not tick it: for example lower the reserved costs and minimums of
    /// the next tick, or raise them again. The load is
    ///
    /// - tight from the first tick in which reserved costs and minimums exceed nine tenths of the budget,
    /// - infeasible from the third consecutive tick in which they exceed the budget,
    /// - lower after thirty consecutive ticks without.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Load, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ns(1_000));
    /// let smoke = Module::new("smoke", UnitCost::from_ns(1.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// let smoke = scene.add_module(smoke.managed(false))?;
    /// scene.spawn(smoke, Actor::from_benefit(Benefit::MAX, &[200, 800, 1_500]))?;
    ///
    /// // Unmanaged smoke takes 1 500 of 1 000 ns. In the third tick the game lowers its cap.
    /// for tick in 1..=40 {
    ///     let plan = scene.tick_with(|scene, load| match load {
    ///         Load::Infeasible => scene.set_lod_cap(smoke, Some(0)).unwrap_or(()),
    ///         Load::Normal => scene.set_lod_cap(smoke, Some(1)).unwrap_or(()),
    ///         Load::Tight => {}
    ///     });
    ///     let expected = match tick {
    ///         1..=2 => (Load::Tight, 500),
    ///         3 => (Load::Infeasible, 500),
    ///         4..=32 => (Load::Infeasible, 0),
    ///         _ => (Load::Normal, 0),
    ///     };
    ///     assert_eq!((plan.load(), plan.overcommit_ns()), expected);
    /// }
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn tick_with(&mut self, react: impl FnOnce(&mut Self, Load)) -> Plan<'_, N> {
        let before = self.data.outcome.load_tracker.load();
        let load = self.tick().load();
        if load != before {
            react(self, load);
        }
        self.plan()
    }

    /// Ends a frame, whose time the [headroom](Self::set_headroom_target) follows. For games that do not tick in each frame:
    /// after the first call, ticks no longer end frames.
    ///
    /// The time of a frame is the sum of the times that modules report since the last call. A module without a report
    /// counts with its planned time. Before the first tick a call does nothing.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// use std::time::Duration;
    ///
    /// let before = scene.tick().headroom();
    /// for _frame in 0..40 {
    ///     // The capes of 2 800 vertices take 2.1 ms in each frame.
    ///     scene.observe_time(cloth, 2_800, Duration::from_micros(2_100))?;
    ///     scene.frame_done();
    /// }
    /// assert!(before == Headroom::NONE && scene.tick().headroom().to_f64() > 0.2);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn frame_done(&mut self) {
        if self.data.frame_end != FrameEnd::None {
            self.data.frame_end = FrameEnd::Call;
            self.data.end_frame();
        }
    }

    /// Computes the certificate of the last plan, for any policy, in several passes over the actors. Call it right
    /// after the tick: later it includes settings made since. [`Plan::certificate`] has it for the optimal policy.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.tick();
    /// let certificate = scene.certify();
    /// assert!((certificate.value() - 0.848).abs() < 1e-3); // 0.785 · 1 + 0.126 · 0.5
    /// assert!(certificate.gap() < 0.05);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn certify(&mut self) -> OptimalityCertificate {
        self.data.certify()
    }
}

/// The tick of `f32` is compiled in this crate, once for all users.
fn tick<N: Real>(scene: &mut Scene<N>, exec: ExecutionSettings) {
    if const { is_f32::<N>() } {
        let scene: &mut dyn Any = scene;
        if let Some(scene) = scene.downcast_mut() {
            tick_f32(scene, exec);
        }
    } else {
        exec.enter(|| scene.decide(exec));
    }
}

#[inline(never)]
fn tick_f32(scene: &mut Scene<f32>, exec: ExecutionSettings) {
    exec.enter(|| scene.decide(exec));
}

const fn is_f32<N: Real>() -> bool {
    matches!(N::NAME.as_bytes(), b"f32")
}

impl SceneData {
    /// Returns the terms on which levels can be assigned with the benefits.
    fn begin_tick(&mut self) -> Option<AssignTerms> {
        if self.frame_end != FrameEnd::Call {
            self.end_frame();
            self.frame_end = FrameEnd::Tick;
        }
        self.plan_overrides.clear();
        self.changes.begin_tick();
        for module in &mut self.modules {
            if module.begin_tick() {
                self.repeatable = None;
            }
        }
        let limits_upgrades = self.max_upgrades.is_some() || self.is_cautious();
        if self.hysteresis.is_on() || limits_upgrades {
            self.changes.forget_levels(&mut self.modules, &self.actors);
        }
        let keeps = self.policy == Policy::Proportional(Leftovers::Keep) && !limits_upgrades;
        let scale = self.carryover.scale.filter(|_| keeps)?;
        Some(AssignTerms { scale, hysteresis: self.hysteresis })
    }

    fn decide(&mut self, exec: ExecutionSettings, quarantined: usize) {
        let mut reserved = self.own_cost.map_or(0, |own| own.ns().into());
        for module in &mut self.modules {
            module.assign_reserved();
            if module.automatic() == 0 {
                module.assigned = 0;
            }
            module.counted = module.settings.managed || self.unmanaged_in_budget;
            if module.counted {
                reserved += module.reserved;
            }
        }
        let automatic = self.find_occupied();
        let request = Request {
            budget: self.budget,
            reserved,
            headroom: self.budget.ns().map_or(Headroom::NONE, |_| self.headroom.headroom()),
            policy: self.policy,
            hysteresis: self.hysteresis,
            max_upgrades: self.max_upgrades,
            max_passes: None,
            is_cautious: self.is_cautious(),
        };
        if request.needs_upgrades() && self.upgrades.len() < automatic {
            self.upgrades.resize(automatic, Upgrade::default());
        }
        if request.policy == Policy::Optimal {
            self.moves.resize(self.search_moves, Move::default());
        }
        let decision = if self.is_repeated(&request) {
            let mut decision = self.outcome.decision;
            decision.switches = 0;
            decision
        } else {
            self.decide_again(&request, exec)
        };
        let mut load_tracker = self.outcome.load_tracker;
        load_tracker.observe(request.budget, reserved.saturating_add(decision.minimum));
        self.outcome = TickOutcome { request, decision, quarantined, load_tracker };
        self.modules.iter_mut().for_each(ModuleData::end_tick);
        self.changes.end_tick(&mut self.modules, &self.actors, self.tag);
    }

    fn is_cautious(&self) -> bool {
        self.cautious_start && self.modules.iter().any(ModuleData::is_unmeasured)
    }

    /// Whether the decision of the last tick is the decision of this one: a decision depends on its inputs alone.
    fn is_repeated(&self, request: &Request) -> bool {
        self.repeats
            && *request == self.outcome.request
            && self.repeatable.is_some_and(|last| {
                last.moves == self.moves.len()
                    && (last.is_settled || !request.uses_previous_levels())
            })
            && self.modules.iter().all(|module| !module.rows.dirty.any())
    }

    fn decide_again(&mut self, request: &Request, exec: ExecutionSettings) -> Decision {
        let before = self.carryover;
        let scratch = Scratch { upgrades: &mut self.upgrades, moves: &mut self.moves };
        let mut modules =
            OccupiedModules { all: &mut self.modules, occupied: &self.occupied, exec };
        let mut decision = decide(request, &mut self.carryover, &mut modules, scratch);
        let is_settled = decision.switches == 0 && self.carryover == before;
        self.repeatable = Some(Repeatable { moves: self.moves.len(), is_settled });
        decision.switches = self.changes.switches(decision.switches, &self.modules, &self.actors);
        decision
    }

    fn certify(&mut self) -> OptimalityCertificate {
        self.find_occupied();
        let exec = self.execution();
        let mut modules =
            OccupiedModules { all: &mut self.modules, occupied: &self.occupied, exec };
        certify(&self.outcome.request, &mut modules)
    }

    /// Collects the modules with automatic actors, and returns the number of these actors. A decision makes
    /// dozens of passes, so others take no part.
    fn find_occupied(&mut self) -> usize {
        self.occupied.clear();
        let mut actors = 0;
        for (module, number) in self.modules.iter().zip(0..) {
            if module.automatic() > 0 {
                actors += module.automatic();
                self.occupied.push(number);
            }
        }
        actors
    }

    /// Updates the headroom by the work since the last frame.
    fn end_frame(&mut self) {
        let mut work = PlanWork::default();
        if let Some(own) = &mut self.own_cost {
            own.add_to(&mut work);
        }
        for module in &mut self.modules {
            let measured = module.measured.take();
            if module.counted {
                let planned = module.assigned.saturating_add(module.reserved);
                work.add(measured, module.calibration.is_settled(), planned);
            }
        }
        work.update(&mut self.headroom, self.outcome.request.budget, self.headroom_target);
    }
}

/// Ticks many scenes, for example those of a server with a budget for each client: on all threads of the
/// current rayon pool, each scene on one thread. The plans ([`Scene::plan`]) equal those of [`Scene::tick`].
///
/// # Examples
/// ```
/// use lodger_scheduler::{Actor, Benefit, BenefitValue, Budget, Module, Scene, UnitCost, tick_all};
///
/// // Two clients with budgets of 1 and 2 µs have the same hero.
/// let mut clients = [1_000, 2_000].map(|ns| Scene::<f32>::new(Budget::from_ns(ns)));
/// for client in &mut clients {
///     let module = Module::new("heroes", UnitCost::from_ns(1.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
///     let heroes = client.add_module(module)?;
///     client.spawn(heroes, Actor::from_benefit(Benefit::MAX, &[0, 800, 1_500]))?;
/// }
/// tick_all(&mut clients);
/// assert_eq!(clients.map(|client| client.plan().assigned_ns()), [800, 1_500]);
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
pub fn tick_all<N: Real>(scenes: &mut [Scene<N>]) {
    if scenes.len() > 1 && thread_count() > 1 {
        let (first, others) = scenes.split_at_mut(scenes.len() / 2);
        join(|| tick_all(first), || tick_all(others));
        return;
    }
    for scene in scenes {
        let exec = ExecutionSettings::single_threaded(scene.data.simd_level);
        tick(scene, exec);
    }
}

struct OccupiedModules<'a> {
    all: &'a mut [ModuleData],
    occupied: &'a [u16],
    exec: ExecutionSettings,
}

impl Modules for OccupiedModules<'_> {
    const WIDE: bool = true;

    fn count(&self) -> usize {
        self.occupied.len()
    }

    fn visit<R>(&mut self, index: usize, see: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        let module = self.all.get_mut(usize::from(*self.occupied.get(index)?))?;
        let mut module_view = module.module_view();
        let result = see(&mut module_view);
        let (assigned, valid_for) = (module_view.assigned, module_view.slopes.valid_for);
        let (warm_start, cached) = (module_view.wide.warm_start, module_view.wide.cached);
        module.assigned = assigned;
        module.ladders.slopes_are_for(valid_for);
        (module.wide.warm_start, module.wide.cached) = (warm_start, cached);
        Some(result)
    }

    fn map_reduce<Q: Kernel>(&mut self, index: usize, kernel: &Q) -> Q::Partial {
        let module = self.occupied.get(index).map(|&number| usize::from(number));
        let module = module.and_then(|number| self.all.get_mut(number));
        module.map_or_else(Q::Partial::default, |module| {
            self.exec.map_reduce(kernel, module.module_view())
        })
    }
}

#[cfg(test)]
mod tests {
    use lodger_core::Benefit;
    use lodger_core::budget::Lod;
    use lodger_core::units::{BenefitValue, Budget, UnitCost};

    use crate::{Actor, Module, Scene};

    #[test]
    fn modules_without_actors_to_decide_take_no_part() {
        let mut scene = Scene::<f32>::new(Budget::from_ns(100));
        let value = BenefitValue::from_ns(1_000);
        let mut add = || {
            let module = Module::new("m", UnitCost::from_ns(1.0).unwrap()).benefit_value(value);
            scene.add_module(module).unwrap()
        };
        let [first, _, last] = [add(), add(), add()];
        let actor = scene.spawn(last, Actor::from_benefit(Benefit::MAX, &[0, 80])).unwrap();
        let taking_part = |scene: &mut Scene| {
            let actors = scene.data.find_occupied();
            (scene.data.occupied.clone(), actors)
        };
        assert_eq!(taking_part(&mut scene), (vec![last.index()], 1));
        scene.force_lod(actor, Some(Lod::ZERO)).unwrap();
        assert_eq!(taking_part(&mut scene), (vec![], 0));
        scene.force_lod(actor, None).unwrap();
        let other = scene.spawn(first, Actor::from_benefit(Benefit::MAX, &[0, 10])).unwrap();
        assert_eq!(taking_part(&mut scene), (vec![first.index(), last.index()], 2));
        scene.despawn(actor).unwrap();
        assert_eq!(taking_part(&mut scene), (vec![first.index()], 1));
        scene.despawn(other).unwrap();
        assert_eq!(taking_part(&mut scene), (vec![], 0));
    }
}
