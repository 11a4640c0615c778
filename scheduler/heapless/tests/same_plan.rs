//! The host's scene and the scene without a heap decide the same after any calls.

use lodger_core::ValueError;
use lodger_core::budget::{Load, LodControl, OptimalityCertificate};
use lodger_heapless::{
    Actor, ActorId, ActorState, BenefitValue, Budget, Capacity, Fixed, HeadroomTarget, Hysteresis,
    Module, ModuleId, Scene, SceneError, SpawnError, UnitCost,
};
use lodger_testkit::script::{
    ActorSpec, Call, Column, ModuleSpec, Outcome, Player, Profile, ScenePlayer, ScriptNumber,
    Status, any_script, given, last_level, number, policy, rule, same, start, value,
};
use proptest::prelude::*;

const MODULES: usize = 3;
const ACTORS: usize = 12;

struct HeaplessPlayer<N: ScriptNumber> {
    scene: Scene<N, MODULES, ACTORS, 16>,
    budget: Budget,
    modules: Vec<ModuleId>,
    actors: Vec<ActorId>,
    /// The handles of all actors; `None` for despawned ones.
    eyes: Vec<Option<[N; 3]>>,
}

impl<N: ScriptNumber> HeaplessPlayer<N> {
    fn new() -> Self {
        let (modules, actors, eyes) = (Vec::new(), Vec::new(), Vec::new());
        Self { scene: Scene::new(), budget: Budget::UNLIMITED, modules, actors, eyes }
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
                let added = scene.add_module(module(spec)?);
                let is_full = self.modules.len() == MODULES;
                assert_eq!(added == Err(SceneError::Full(Capacity::Modules)), is_full);
                self.modules.push(added?);
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

    /// Eyes have no handles here, so the player rejects calls for removed views.
    fn set_eyes(&mut self, call: &Call) -> Result<(), Status> {
        let mut eyes = self.eyes.clone();
        match *call {
            Call::AddView(eye) => eyes.push(Some(eye.map(N::from_script))),
            Call::SetView { view, eye } => {
                let eye = eye.map(N::from_script);
                let before = eyes.get_mut(view).ok_or(Status::NoSuchView)?;
                if before.is_none() && eye.iter().all(|axis| axis.is_finite()) {
                    return Err(Status::NoSuchView);
                }
                *before = Some(eye);
            }
            Call::RemoveView(view) => {
                let before = eyes.get_mut(view).and_then(Option::take);
                before.ok_or(Status::NoSuchView)?;
            }
            _ => {}
        }
        let listed: Vec<[N; 3]> = eyes.iter().copied().flatten().collect();
        self.scene.set_eyes(&listed).map_err(status)?;
        self.eyes = eyes;
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
            Column::Visible(_) | Column::Key(_) => unreachable!("these are left out"),
        }
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

impl<N: ScriptNumber> Player for HeaplessPlayer<N> {
    fn name(&self) -> &'static str {
        "heapless"
    }

    fn call(&mut self, call: &Call) -> Outcome {
        let made = match call {
            Call::AddView(_) | Call::SetView { .. } | Call::RemoveView(_) => self.set_eyes(call),
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

fn module<N: ScriptNumber>(spec: &ModuleSpec) -> Result<Module<N>, ValueError> {
    let (cost, value) = (UnitCost::from_ns(spec.unit_cost_ns)?, spec.benefit_value_ns);
    let module =
        Module::new(cost).benefit_value(BenefitValue::from_ns(value)).rule(rule(&spec.rule)?);
    let module = module.managed(spec.managed).overhead(spec.overhead);
    Ok(match spec.cap {
        Some(cap) => module.lod_cap(cap),
        None => module,
    })
}

/// Removes calls and settings that only the host's scene has.
fn fitting(mut call: Call) -> Option<Call> {
    match &mut call {
        Call::SetSearchMoves(_)
        | Call::TrackChanges(_)
        | Call::SetRule { .. }
        | Call::SetWork { .. }
        | Call::SetQualities { .. }
        | Call::SetRows { .. }
        | Call::Certify
        | Call::Set { column: Column::Visible(_) | Column::Key(_), .. } => return None,
        Call::AddModule(spec) => (spec.continuous, spec.qualities) = (false, None),
        Call::Spawn { actors, .. } => {
            for spec in actors {
                (spec.key, spec.visible, spec.qualities) = (0, true, None);
            }
        }
        _ => {}
    }
    Some(call)
}

fn check<N: ScriptNumber>(calls: Vec<Call>) -> Result<(), TestCaseError> {
    let mut host = ScenePlayer::<N>::new().describing_actors();
    host.scene.set_search_moves(0);
    host.scene.track_changes(true);
    let calls: Vec<_> = calls.into_iter().filter_map(fitting).collect();
    same(&mut HeaplessPlayer::<N>::new(), &mut host, &calls)?;
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
