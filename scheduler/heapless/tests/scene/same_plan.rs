//! The host's scene and the scene without a heap decide the same after any calls.

use lodger_core::ValueError;
use lodger_core::budget::{Load, LodControl, OptimalityCertificate};
use lodger_heapless::{
    Actor, ActorId, ActorState, BenefitRule, BenefitValue, Budget, Capacity, Everything, Fixed,
    Graded, HeadroomTarget, Hysteresis, Module, ModuleId, OutsideFactor, Prioritised, Priority,
    Quality, Scene, SceneError, SelfTimed, SpawnError, UnitCost, View, Viewed, WithMotion,
    WithOptimal, WithTickTimes,
};
use lodger_testkit::script::{
    ActorSpec, Call, Column, ModuleSpec, Outcome, Player, Profile, ScenePlayer, ScriptNumber,
    Status, any_script, camera_view, given, last_level, number, policy, rule, same, start, value,
};
use proptest::prelude::*;

const MODULES: usize = 3;
const ACTORS: usize = 12;

type PlayedScene<N, C> = Scene<N, MODULES, ACTORS, 16, C>;

/// Columns, and the calls that not all of them have.
trait PlayedColumns<N: ScriptNumber>: WithMotion + WithOptimal + WithTickTimes {
    fn set_views(scene: &mut PlayedScene<N, Self>, views: &[View<N>]) -> Result<(), SceneError>;

    fn set_extra(scene: &mut PlayedScene<N, Self>, extra: ExtraCall) -> Result<(), SceneError>;
}

/// A call that only scenes with views, priorities or qualities have.
#[derive(Debug)]
enum ExtraCall {
    Priority(ActorId, Priority),
    ModulePriority(ModuleId, Priority),
    Outside(ModuleId, OutsideFactor),
    InView(ModuleId, u32),
    TestViews(ModuleId),
    Qualities(ModuleId, &'static [Quality]),
}

impl<N: ScriptNumber> PlayedColumns<N> for SelfTimed<Everything> {
    fn set_views(scene: &mut PlayedScene<N, Self>, views: &[View<N>]) -> Result<(), SceneError> {
        scene.set_eyes(&views.iter().map(View::position).collect::<Vec<_>>())
    }

    fn set_extra(_: &mut PlayedScene<N, Self>, extra: ExtraCall) -> Result<(), SceneError> {
        unreachable!("{extra:?} is left out")
    }
}

/// All columns, with those of views, priorities and qualities.
type AllColumns = SelfTimed<Graded<Prioritised<Viewed>>>;

impl<N: ScriptNumber> PlayedColumns<N> for AllColumns {
    fn set_views(scene: &mut PlayedScene<N, Self>, views: &[View<N>]) -> Result<(), SceneError> {
        scene.set_views(views)
    }

    fn set_extra(scene: &mut PlayedScene<N, Self>, extra: ExtraCall) -> Result<(), SceneError> {
        match extra {
            ExtraCall::Priority(id, priority) => scene.set_priority(id, priority),
            ExtraCall::ModulePriority(id, priority) => scene.set_module_priority(id, priority),
            ExtraCall::Outside(id, factor) => scene.set_outside(id, factor),
            ExtraCall::InView(id, bits) => scene.set_in_view(id, &[bits]),
            ExtraCall::TestViews(id) => scene.test_views(id),
            ExtraCall::Qualities(id, table) => scene.set_module_qualities(id, table),
        }
    }
}

struct HeaplessPlayer<N: ScriptNumber, C: PlayedColumns<N>> {
    scene: PlayedScene<N, C>,
    budget: Budget,
    modules: Vec<ModuleId>,
    actors: Vec<ActorId>,
    /// All views; `None` for removed ones.
    views: Vec<Option<View<N>>>,
    /// The actors that are not in view, of modules whose views are not tested.
    hidden: Vec<ActorId>,
}

impl<N: ScriptNumber, C: PlayedColumns<N>> HeaplessPlayer<N, C> {
    fn new() -> Self {
        Self {
            scene: Scene::new(),
            budget: Budget::UNLIMITED,
            modules: Vec::new(),
            actors: Vec::new(),
            views: Vec::new(),
            hidden: Vec::new(),
        }
    }

    fn actor(&self, number: usize) -> Result<ActorId, SceneError> {
        self.actors.get(number).copied().ok_or(SceneError::StaleActor)
    }

    fn module(&self, number: usize) -> Result<ModuleId, SceneError> {
        self.modules.get(number).copied().ok_or(SceneError::NoSuchModule)
    }

    fn make(&mut self, call: &Call) -> Result<(), SceneError> {
        let scene = &mut self.scene;
        match *call {
            Call::SetBudget(ns) => self.budget = ns.map_or(Budget::UNLIMITED, Budget::from_ns),
            Call::SetPolicy(number) => scene.set_policy(policy(number))?,
            Call::SetHysteresis { margin, dead_band } => {
                scene.set_hysteresis(Hysteresis { margin, dead_band });
            }
            Call::SetMaxUpgrades(most) => scene.set_max_upgrades(most),
            Call::SetHeadroomTarget(part) => {
                let target = (part != 0.0).then(|| HeadroomTarget::new(part)).transpose()?;
                scene.set_headroom_target(target);
            }
            Call::FrameDone => scene.frame_done(),
            Call::ScaleCosts { numerator, denominator } => {
                scene.scale_costs(numerator, denominator)?;
            }
            Call::SetOwnCost(ns) => scene.set_own_cost(ns)?,
            Call::ObserveOwnTime(ns) => scene.observe_own_time(ns),
            Call::SetCautiousStart(is_on) => scene.set_cautious_start(is_on),
            Call::SetUnmanagedInBudget(is_in) => scene.set_unmanaged_in_budget(is_in),
            Call::AdvanceAges(seconds) => scene.advance_ages(number(seconds))?,
            Call::AddModule(ref spec) => {
                let qualities = spec.qualities.as_deref().map(qualities).transpose()?;
                let added = scene.add_module(module(spec)?);
                let is_full = self.modules.len() == MODULES;
                let has_value = spec.benefit_value_ns.is_some();
                assert!(
                    added == Err(SceneError::Full(Capacity::Modules)) || !is_full || !has_value
                );
                self.modules.push(added?);
                if let Some(table) = qualities {
                    C::set_extra(scene, ExtraCall::Qualities(added?, table))?;
                }
            }
            Call::Spawn { module, ref actors } => {
                let [spec] = &actors[..] else { unreachable!("actors come one by one") };
                self.spawn(module, spec)?;
            }
            Call::Despawn(ref actors) => {
                return self.each(actors, |player, _, id| player.scene.despawn(id));
            }
            Call::Set { ref actors, ref column } => {
                return self.each(actors, |player, row, id| player.set(id, column, row));
            }
            Call::SetRange { actor, lowest, highest } => {
                let id = self.actor(actor)?;
                let levels = self.scene.work(id).map_or(0, <[u32]>::len);
                self.scene.set_lod_range(id, lowest..=last_level(highest, levels))?;
            }
            Call::Tick => {
                scene.tick(self.budget);
            }
            _ => return self.make_of_module(call),
        }
        Ok(())
    }

    fn make_of_module(&mut self, call: &Call) -> Result<(), SceneError> {
        let (Call::SetRule { module, .. }
        | Call::SetUnitCost { module, .. }
        | Call::SetBenefitValue { module, .. }
        | Call::SetModulePriority { module, .. }
        | Call::SetOutside { module, .. }
        | Call::TestViews(module)
        | Call::SetManaged { module, .. }
        | Call::SetLodCap { module, .. }
        | Call::SetOverhead { module, .. }
        | Call::ObserveTime { module, .. }
        | Call::ObserveShare { module, .. }) = *call
        else {
            unreachable!("{call:?} is left out");
        };
        let (id, scene) = (self.module(module)?, &mut self.scene);
        match *call {
            Call::SetUnitCost { ns, .. } => scene.set_unit_cost(id, UnitCost::from_ns(ns)?),
            Call::SetBenefitValue { ns, .. } => {
                scene.set_benefit_value(id, BenefitValue::from_ns(ns))
            }
            Call::SetModulePriority { priority, .. } => {
                C::set_extra(scene, ExtraCall::ModulePriority(id, Priority::new(priority)?))
            }
            Call::SetOutside { factor, .. } => {
                C::set_extra(scene, ExtraCall::Outside(id, OutsideFactor::new(factor)?))
            }
            Call::TestViews(_) => {
                self.hidden.retain(|&actor| scene.module_of(actor) != Some(id));
                C::set_extra(scene, ExtraCall::TestViews(id))
            }
            Call::SetManaged { managed, .. } => scene.set_managed(id, managed),
            Call::SetLodCap { cap, .. } => scene.set_lod_cap(id, cap),
            Call::SetOverhead { units, .. } => scene.set_overhead(id, units),
            Call::ObserveTime { units: Some(units), ns, .. } => scene.observe_units(id, units, ns),
            Call::ObserveTime { ns, .. } => scene.observe_time(id, ns),
            Call::ObserveShare { percent, .. } => {
                let planned = scene.plan().module(id).map_or(0, |plan| plan.assigned_ns);
                scene.observe_time(id, (planned / 100).wrapping_mul(percent))
            }
            _ => unreachable!("{call:?} is left out"),
        }
    }

    fn each(
        &mut self,
        actors: &[usize],
        mut serve: impl FnMut(&mut Self, usize, ActorId) -> Result<(), SceneError>,
    ) -> Result<(), SceneError> {
        let mut outcome = Ok(());
        for (row, &actor) in actors.iter().enumerate() {
            let served = self.actor(actor).and_then(|id| serve(self, row, id));
            outcome = outcome.and(served);
        }
        outcome
    }

    /// Views have no handles here, so the player rejects calls for removed ones.
    fn set_views(&mut self, call: &Call) -> Result<(), Status> {
        let mut views = self.views.clone();
        let invalid = |_| Status::Invalid;
        match *call {
            Call::AddView(eye) => {
                let view = View::from_position(eye.map(N::from_script)).map_err(invalid)?;
                views.push(Some(view));
            }
            Call::SetView { view, .. }
            | Call::SetZoom { view, .. }
            | Call::SetMatrices { view, .. }
            | Call::RemoveView(view) => {
                let known = views.get_mut(view).ok_or(Status::NoSuchView)?;
                let set = match *call {
                    Call::SetView { eye, .. } => {
                        let moved =
                            View::from_position(eye.map(N::from_script)).map_err(invalid)?;
                        let before = known.ok_or(Status::NoSuchView)?;
                        Some(before.moved_to(moved.position()).map_err(invalid)?)
                    }
                    Call::SetZoom { zoom, .. } => {
                        Some(known.ok_or(Status::NoSuchView)?.zoom(zoom).map_err(invalid)?)
                    }
                    Call::SetMatrices { ref camera, .. } => {
                        Some(camera_view(camera).map_err(invalid)?)
                    }
                    _ => None,
                };
                known.ok_or(Status::NoSuchView)?;
                *known = set;
            }
            _ => {}
        }
        let listed: Vec<View<N>> = views.iter().copied().flatten().collect();
        C::set_views(&mut self.scene, &listed).map_err(status)?;
        self.views = views;
        Ok(())
    }

    fn spawn(&mut self, module: usize, spec: &ActorSpec) -> Result<(), SceneError> {
        let module = self.module(module)?;
        let benefit = spec.benefit.map(given).transpose()?.flatten();
        let forced =
            spec.forced.map(|number| LodControl::from_number(number.into())).transpose()?;
        let position = spec.position.map(N::from_script);
        let [age, speed, radius] = [spec.age, spec.speed, spec.radius].map(number);
        let is_bare = spec.is_bare();
        let mut actor = match benefit {
            Some(benefit) if is_bare => Actor::from_benefit(benefit, &spec.work),
            _ => Actor::from_state(ActorState { position, age, speed }, radius, &spec.work),
        };
        if let Some((lowest, highest)) = spec.range {
            actor = actor.lod_range(lowest..=last_level(highest, spec.work.len()));
        }
        if let Some(LodControl::Forced(lod)) = forced {
            actor = actor.forced(lod);
        }
        let had_space = self.scene.len() < ACTORS;
        let id =
            self.scene.spawn(module, actor).map_err(|SpawnError { actor: back, error: why }| {
                // Compared by bits, as NaN differs from itself.
                assert_eq!(format!("{back:?}"), format!("{actor:?}"));
                assert_eq!(why == SceneError::Full(Capacity::Actors), !had_space);
                why
            })?;
        self.scene.set_benefit_override(id, benefit)?;
        self.actors.push(id);
        Ok(())
    }

    fn set(&mut self, id: ActorId, column: &Column, row: usize) -> Result<(), SceneError> {
        let scene = &mut self.scene;
        match column {
            Column::Position(all) => scene.set_position(id, value(all, row).map(number)),
            Column::WorldPosition(all) => {
                scene.set_position(id, value(all, row).map(N::from_script))
            }
            Column::Radius(all) => scene.set_radius(id, number(value(all, row))),
            Column::Age(all) => scene.set_age(id, number(value(all, row))),
            Column::Speed(all) => scene.set_speed(id, number(value(all, row))),
            Column::Benefit(all) => scene.set_benefit_override(id, given(value(all, row))?),
            Column::Forced(all) => {
                let control = LodControl::from_number(value(all, row).into())?;
                let LodControl::Forced(lod) = control else { return scene.force_lod(id, None) };
                scene.force_lod(id, Some(lod))
            }
            Column::State(all) => {
                let [x, y, z, age, speed] = value(all, row).map(number);
                scene.set_state(id, ActorState { position: [x, y, z], age, speed })
            }
            Column::Priority(all) => {
                let priority = Priority::new(value(all, row).into())?;
                C::set_extra(scene, ExtraCall::Priority(id, priority))
            }
            Column::InView(all) => self.see(id, value(all, row)),
            Column::Visible(_) | Column::Key(_) => unreachable!("these are left out"),
        }
    }

    /// Says which actors of a module are in view; the host's scene does so actor by actor.
    fn see(&mut self, id: ActorId, is_in_view: bool) -> Result<(), SceneError> {
        let module = self.scene.module_of(id).ok_or(SceneError::StaleActor)?;
        self.hidden.retain(|&actor| actor != id);
        if !is_in_view {
            self.hidden.push(id);
        }
        let is_here = |actor: &&ActorId| self.scene.module_of(**actor) == Some(module);
        let hidden = self.hidden.iter().filter(is_here);
        let bits = hidden.fold(u32::MAX, |bits, actor| bits & !(1 << actor.slot()));
        C::set_extra(&mut self.scene, ExtraCall::InView(module, bits))
    }

    fn push_plan(&self, outcome: &mut Outcome) {
        let plan = self.scene.plan();
        let decision = plan.decision();
        let known = |value: Option<f64>| value.map_or(u64::MAX, f64::to_bits);
        outcome.push(
            "tick",
            [
                match plan.load() {
                    Load::Normal => 0,
                    Load::Tight => 1,
                    Load::Infeasible => 2,
                },
                plan.budget().ns().unwrap_or(u64::MAX),
                plan.assigned_ns(),
                plan.reserved_ns(),
                plan.overcommit_ns(),
                plan.scale().to_f64().to_bits(),
                plan.headroom().to_f64().to_bits(),
                known(decision.certificate.map(OptimalityCertificate::value)),
                known(decision.certificate.map(OptimalityCertificate::upper_bound)),
                self.scene.len() as u64,
                plan.quarantined() as u64,
                plan.changes().count() as u64,
                decision.switches.into(),
            ],
        );
        outcome.push("price", [decision.scale.bits(), decision.price.bits().into()]);
        let levels: Vec<_> = self.actors.iter().map(|&id| plan.level(id)).collect();
        let status = if levels.contains(&None) { Status::NoSuchActor } else { Status::Done };
        let levels = levels.iter().map(|level| level.unwrap_or(0).into());
        outcome.push("levels", [status as u64].into_iter().chain(levels));
        for change in plan.changes() {
            let actor = self.actors.iter().position(|&id| id == change.actor);
            let actor = actor.map_or(u64::MAX, |actor| actor as u64);
            let from = change.from.map_or(u64::MAX, u64::from);
            outcome.push(
                "change",
                [actor, 0, change.module.index() as u64, from, change.to.into(), 0],
            );
        }
        for &id in &self.modules {
            let Some(module) = plan.module(id) else { continue };
            assert_eq!(plan.levels(id).count(), module.actors);
            let words = [
                module.actors as u64,
                module.assigned_ns,
                module.target_ns,
                module.units,
                module.unit_cost.ns().to_bits(),
                module.overhead.into(),
            ];
            outcome.push("module", words);
        }
    }

    fn push_actors(&self, outcome: &mut Outcome) {
        let scene = &self.scene;
        outcome.push("len", [scene.len() as u64]);
        for &id in &self.modules {
            let costs = [scene.unit_cost(id), scene.raw_unit_cost(id)];
            outcome.push("unit-cost", costs.map(|cost| cost.map_or(0, UnitCost::bits)));
        }
        for &id in &self.actors {
            let Some(state) = scene.state(id) else {
                outcome.push("gone", [scene.contains(id).into()]);
                continue;
            };
            let [x, y, z] = state.position;
            let numbers = [x, y, z, state.age, state.speed].map(|n| n.to_f64().to_bits());
            let module = scene.module_of(id).map_or(u64::MAX, |module| module.index() as u64);
            let range = scene.lod_range(id).unwrap_or(0..=0);
            let range = [*range.start(), *range.end()].map(u64::from);
            let work = scene.work(id).unwrap_or_default().iter().map(|&units| units.into());
            let slot = [id.slot() as u64, module];
            outcome.push("state", slot.into_iter().chain(numbers).chain(range).chain(work));
        }
    }
}

impl<N: ScriptNumber, C: PlayedColumns<N>> Player for HeaplessPlayer<N, C> {
    fn name(&self) -> &'static str {
        "heapless"
    }

    fn call(&mut self, call: &Call) -> Outcome {
        let made = match call {
            Call::AddView(_)
            | Call::SetView { .. }
            | Call::SetZoom { .. }
            | Call::SetMatrices { .. }
            | Call::RemoveView(_) => self.set_views(call),
            _ => self.make(call).map_err(status),
        };
        let mut outcome = Outcome::of(made.err().unwrap_or(Status::Done));
        if *call == Call::Tick {
            self.push_plan(&mut outcome);
        }
        self.push_actors(&mut outcome);
        outcome
    }

    fn tells(&self, line: &str) -> bool {
        !["rounding", "lods", "module-report", "actor"].contains(&line)
    }
}

fn status(error: SceneError) -> Status {
    match error {
        SceneError::Full(_) => Status::Full,
        SceneError::NoSuchModule => Status::NoSuchModule,
        SceneError::StaleActor => Status::NoSuchActor,
        _ => Status::Invalid,
    }
}

/// Returns a rule that outlives all scenes.
fn leaked<N: ScriptNumber>(rule: BenefitRule<N>) -> &'static BenefitRule<N> {
    Box::leak(Box::new(rule))
}

/// Returns a table that outlives all scenes.
fn qualities(numbers: &[f32]) -> Result<&'static [Quality], ValueError> {
    let table = numbers.iter().map(|&number| Quality::new(number.into()));
    table.collect::<Result<Vec<_>, _>>().map(|table| &*table.leak())
}

fn module<N: ScriptNumber>(spec: &ModuleSpec) -> Result<Module<N>, ValueError> {
    let mut module =
        Module::new(UnitCost::from_ns(spec.unit_cost_ns)?).rule(leaked(rule(&spec.rule)?));
    if let Some(value) = spec.benefit_value_ns {
        module = module.benefit_value(BenefitValue::from_ns(value));
    }
    let module = module.managed(spec.managed).overhead(spec.overhead);
    Ok(match spec.cap {
        Some(cap) => module.lod_cap(cap),
        None => module,
    })
}

/// Removes calls and settings that only the host's scene has, and qualities unless there are extra columns.
fn fitting(mut call: Call, has_extra_columns: bool) -> Option<Call> {
    match &mut call {
        Call::SetSearchMoves(_)
        | Call::TrackChanges(_)
        | Call::SetRule { .. }
        | Call::SetWork { .. }
        | Call::SetQualities { .. }
        | Call::SetRows { .. }
        | Call::SetInView { .. }
        | Call::Certify
        | Call::Set { column: Column::Visible(_) | Column::Key(_), .. } => {
            return None;
        }
        Call::AddModule(spec) => {
            spec.continuous = false;
            spec.qualities = spec.qualities.take().filter(|_| has_extra_columns);
        }
        Call::Spawn { actors, .. } => {
            for spec in actors {
                (spec.key, spec.visible, spec.qualities) = (0, true, None);
            }
        }
        _ => {}
    }
    Some(call)
}

/// Another number of views makes all actors new for the margins of frusta here, and of the new view on a host. So either no
/// frustum has a margin, or no view is added or removed after the first frustum. For the same reason, views are not tested
/// again before a tick.
fn without_other_bits(calls: Vec<Call>, have_margins: bool) -> Vec<Call> {
    let is_camera = |call: &Call| matches!(call, Call::SetMatrices { .. });
    let first_camera = calls.iter().position(is_camera).unwrap_or(calls.len());
    let mut has_ticked = true;
    let fitting = calls.into_iter().enumerate().filter_map(|(number, mut call)| match &mut call {
        Call::TestViews(_) if have_margins && !has_ticked => None,
        Call::Set { column: Column::InView(_), .. } | Call::Tick => {
            has_ticked = call == Call::Tick;
            Some(call)
        }
        Call::AddView(_) | Call::RemoveView(_) if have_margins && number > first_camera => None,
        Call::SetMatrices { camera, .. } if !have_margins => {
            camera.margin = camera.margin.map(|_| 0.0);
            Some(call)
        }
        _ => Some(call),
    });
    fitting.collect()
}

fn check<N: ScriptNumber>(calls: Vec<Call>) -> Result<(), TestCaseError> {
    check_columns::<N, SelfTimed<Everything>>(calls, false)
}

fn check_with_lenses<N: ScriptNumber>(
    calls: Vec<Call>,
    have_margins: bool,
) -> Result<(), TestCaseError> {
    check_columns::<N, AllColumns>(without_other_bits(calls, have_margins), true)
}

fn check_columns<N: ScriptNumber, C: PlayedColumns<N>>(
    calls: Vec<Call>,
    has_extra_columns: bool,
) -> Result<(), TestCaseError> {
    let mut host = ScenePlayer::<N>::new().describing_actors();
    host.scene.set_search_moves(0);
    host.scene.track_changes(true);
    let calls: Vec<_> =
        calls.into_iter().filter_map(|call| fitting(call, has_extra_columns)).collect();
    same(&mut HeaplessPlayer::<N, C>::new(), &mut host, &calls)?;
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn in_floats(calls in any_script(Profile::FIXED)) {
        check::<f32>(calls)?;
    }

    #[test]
    fn in_fixed_point(calls in any_script(Profile::FIXED)) {
        check::<Fixed>(calls)?;
    }

    #[test]
    fn with_lenses_in_floats(
        calls in any_script(Profile::FIXED.with_lenses()),
        have_margins: bool,
    ) {
        check_with_lenses::<f32>(calls, have_margins)?;
    }

    #[test]
    fn with_lenses_in_fixed_point(
        calls in any_script(Profile::FIXED.with_lenses()),
        have_margins: bool,
    ) {
        check_with_lenses::<Fixed>(calls, have_margins)?;
    }

    /// Long enough that unit costs settle, and the headroom moves.
    #[test]
    fn over_many_measured_frames(
        budget in 1_000_u64..4_000,
        frames in prop::collection::vec((80_u64..130, 0_u8..30), 60..160),
        begins_calls in 0_usize..100,
        cautious: bool,
    ) {
        let mut calls = start();
        calls.extend([Call::SetBudget(Some(budget)), Call::SetPolicy(3)]);
        calls.push(Call::SetCautiousStart(cautious));
        for (frame, (percent, event)) in frames.into_iter().enumerate() {
            match event {
                0 => calls.push(Call::ScaleCosts { numerator: 3, denominator: 2 }),
                1 => calls.push(Call::ScaleCosts { numerator: 2, denominator: 3 }),
                2 => calls.push(Call::ScaleCosts { numerator: 1, denominator: 1 }),
                3 => calls.push(Call::SetOwnCost(percent)),
                4..7 => calls.push(Call::ObserveOwnTime(percent)),
                _ => {}
            }
            if frame < begins_calls || event % 3 == 0 {
                calls.push(Call::Tick);
            }
            // Some frames take three times as long.
            let percent = if event > 24 { percent * 3 } else { percent };
            for module in 0..2 {
                calls.push(Call::ObserveShare { module, percent });
            }
            if frame >= begins_calls {
                calls.push(Call::FrameDone);
            }
        }
        calls.push(Call::Tick);
        check::<Fixed>(calls)?;
    }
}
