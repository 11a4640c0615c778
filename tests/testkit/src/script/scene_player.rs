//! The player of the scheduler.

use std::time::Duration;

use lodger_scheduler::lodger_core::ValueError;
use lodger_scheduler::lodger_core::error::{Quantity, ValueProblem};
use lodger_scheduler::{
    Actor, ActorId, ActorPlan, ActorState, Benefit, BenefitRule, BenefitTerms, BenefitValue,
    Budget, DistanceImportance, Fixed, HeadroomTarget, Hysteresis, Leftovers, Load, Lod,
    LodControl, Module, ModuleId, OptimalityCertificate, OutsideFactor, Policy, Priority, Quality,
    Real, Reason, Scene, SceneError, UnitCost, View, ViewId, Weights,
};

use super::{
    ActorSpec, Call, CameraSpec, Column, ModuleSpec, Outcome, Player, RowColumn, RuleSpec, Status,
};

pub trait ScriptNumber: Real {
    /// The nearest number; NaN and infinities if the type has them, else the end of its range.
    fn from_script(number: f64) -> Self;
}

impl ScriptNumber for f32 {
    #[expect(clippy::cast_possible_truncation, reason = "rounds to nearest")]
    fn from_script(number: f64) -> Self {
        number as Self
    }
}

impl ScriptNumber for f64 {
    fn from_script(number: f64) -> Self {
        number
    }
}

#[cfg(feature = "micromath")]
impl ScriptNumber for lodger_core::Micro {
    fn from_script(number: f64) -> Self {
        Self::from_f32(f32::from_script(number))
    }
}

impl ScriptNumber for Fixed {
    fn from_script(number: f64) -> Self {
        let end = if number < 0.0 { -Self::MAX } else { Self::MAX };
        Self::from_f64(number).unwrap_or(end)
    }
}

#[derive(Debug, Clone)]
pub struct ScenePlayer<N: Real> {
    pub scene: Scene<N>,
    pub modules: Vec<ModuleId>,
    pub actors: Vec<ActorId>,
    /// All views, also removed ones, and their eyes in the world.
    views: Vec<(ViewId, [f64; 3])>,
    origin: [f64; 3],
    /// The largest rounding of a coordinate by the number type in metres, since the last tick.
    rounding: f64,
    describes_actors: bool,
}

impl<N: ScriptNumber> Default for ScenePlayer<N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<N: ScriptNumber> ScenePlayer<N> {
    #[must_use]
    pub fn new() -> Self {
        Self {
            scene: Scene::new(Budget::UNLIMITED),
            modules: Vec::new(),
            actors: Vec::new(),
            views: Vec::new(),
            origin: [0.0; 3],
            rounding: 0.0,
            describes_actors: false,
        }
    }

    /// The small scene of [`start`](super::start) after some calls.
    #[must_use]
    pub fn started(calls: &[Call]) -> Self {
        let mut player = Self::new();
        player.apply_all(&super::start());
        player.apply_all(calls);
        player
    }

    /// Adds the states and costs of all actors to the outcomes.
    #[must_use]
    pub fn describing_actors(mut self) -> Self {
        self.describes_actors = true;
        self
    }

    pub fn apply(&mut self, call: &Call) -> Status {
        match self.make(call) {
            Ok(()) => Status::Done,
            Err(SceneError::StaleView | SceneError::ForeignView) => Status::NoSuchView,
            Err(SceneError::NoSuchModule | SceneError::ForeignModule) => Status::NoSuchModule,
            Err(SceneError::StaleActor | SceneError::ForeignActor) => Status::NoSuchActor,
            Err(_) => Status::Invalid,
        }
    }

    pub fn apply_all(&mut self, calls: &[Call]) {
        for call in calls {
            self.apply(call);
        }
    }

    #[must_use]
    pub fn present(&self) -> Vec<ActorId> {
        self.actors.iter().copied().filter(|&id| self.scene.contains(id)).collect()
    }

    fn actor(&self, number: usize) -> Result<ActorId, SceneError> {
        self.actors.get(number).copied().ok_or(SceneError::StaleActor)
    }

    fn module(&self, number: usize) -> Result<ModuleId, SceneError> {
        self.modules.get(number).copied().ok_or(SceneError::NoSuchModule)
    }

    fn view(&self, number: usize) -> Result<ViewId, SceneError> {
        self.views.get(number).map(|(view, _)| *view).ok_or(SceneError::StaleView)
    }

    /// A position relative to the origin, and its rounding.
    fn relative(&self, world: [f64; 3]) -> ([N; 3], f64) {
        let mut rounding = 0.0_f64;
        let place = [0, 1, 2].map(|axis| {
            let exact = world[axis] - self.origin[axis];
            let place = N::from_script(exact);
            let moved = (exact - place.to_f64()).abs();
            rounding = rounding.max(if moved.is_finite() { moved } else { 0.0 });
            place
        });
        (place, rounding)
    }

    /// Moves a view to a position in the world, with the zoom and the frustum of `lens`.
    fn place_view(&mut self, view: usize, eye: [f64; 3], lens: View<N>) -> Result<(), SceneError> {
        let (id, (place, rounding)) = (self.view(view)?, self.relative(eye));
        self.scene.set_view(id, lens.moved_to(place)?)?;
        self.views[view].1 = eye;
        self.rounding = self.rounding.max(rounding);
        Ok(())
    }

    /// Makes a call; a rejected call changes nothing, but a list is processed to its end.
    fn make(&mut self, call: &Call) -> Result<(), SceneError> {
        let scene = &mut self.scene;
        match *call {
            Call::SetBudget(ns) => scene.set_budget(ns.map_or(Budget::UNLIMITED, Budget::from_ns)),
            Call::SetPolicy(number) => scene.set_policy(policy(number))?,
            Call::SetHysteresis { margin, dead_band } => {
                scene.set_hysteresis(Hysteresis { margin, dead_band });
            }
            Call::SetMaxUpgrades(max) => scene.set_max_upgrades(max),
            Call::SetSearchMoves(moves) => scene.set_search_moves(moves.into()),
            Call::SetHeadroomTarget(part) => {
                let target = (part != 0.0).then(|| HeadroomTarget::new(part)).transpose()?;
                scene.set_headroom_target(target);
            }
            Call::FrameDone => scene.frame_done(),
            Call::ScaleCosts { numerator, denominator } => {
                scene.scale_costs(numerator, denominator)?;
            }
            Call::SetOwnCost(ns) => scene.set_own_cost(Duration::from_nanos(ns))?,
            Call::ObserveOwnTime(ns) => scene.observe_own_time(Duration::from_nanos(ns)),
            Call::SetCautiousStart(is_on) => scene.set_cautious_start(is_on),
            Call::SetUnmanagedInBudget(is_in) => scene.set_unmanaged_in_budget(is_in),
            Call::TrackChanges(track) => scene.track_changes(track),
            Call::AdvanceAges(seconds) => scene.advance_ages(number(seconds))?,
            Call::SetOrigin(origin) => self.set_origin(origin)?,
            Call::AddView(eye) => {
                let (place, rounding) = self.relative(eye);
                let view = self.scene.add_view(View::from_position(place)?)?;
                self.views.push((view, eye));
                self.rounding = self.rounding.max(rounding);
            }
            Call::SetView { view, eye } => {
                let id = self.view(view)?;
                View::from_position(self.relative(eye).0)?;
                let lens = *self.scene.view(id).ok_or(SceneError::StaleView)?;
                self.place_view(view, eye, lens)?;
            }
            Call::SetZoom { view, zoom } => {
                let id = self.view(view)?;
                let lens = self.scene.view(id).ok_or(SceneError::StaleView)?.zoom(zoom)?;
                self.place_view(view, self.views[view].1, lens)?;
            }
            Call::SetMatrices { view, ref camera } => {
                self.view(view)?;
                let eye = View::<f64>::from_matrix(camera.view)?.position();
                self.place_view(view, eye, camera_view(camera)?)?;
            }
            Call::RemoveView(view) => {
                let id = self.view(view)?;
                self.scene.remove_view(id)?;
            }
            Call::AddModule(ref spec) => {
                let module = scene.add_module(module(spec)?)?;
                self.modules.push(module);
            }
            Call::Spawn { module, ref actors } => self.spawn(module, actors)?,
            Call::Despawn(ref actors) => {
                return self.each(actors, |player, _, id| player.scene.despawn(id));
            }
            Call::Set { ref actors, ref column } => {
                return self.each(actors, |player, row, id| player.set(id, column, row));
            }
            Call::Tick => {
                scene.tick();
            }
            Call::Certify => {
                scene.certify();
            }
            Call::SetRange { .. } | Call::SetWork { .. } | Call::SetQualities { .. } => {
                return self.make_of_actor(call);
            }
            _ => return self.make_of_module(call),
        }
        Ok(())
    }

    fn make_of_actor(&mut self, call: &Call) -> Result<(), SceneError> {
        match *call {
            Call::SetRange { actor, lowest, highest } => {
                let id = self.actor(actor)?;
                let levels = self.scene.work(id).map_or(0, <[u32]>::len);
                self.scene.set_lod_range(id, lowest..=last_level(highest, levels))
            }
            Call::SetWork { actor, ref work } => {
                let id = self.actor(actor)?;
                self.scene.set_work(id, work)
            }
            Call::SetQualities { actor, ref qualities } => {
                let id = self.actor(actor)?;
                let table = qualities.as_deref().map(self::qualities).transpose()?;
                self.scene.set_qualities(id, table.as_deref())
            }
            _ => Ok(()),
        }
    }

    fn make_of_module(&mut self, call: &Call) -> Result<(), SceneError> {
        let (Call::SetRule { module, .. }
        | Call::SetUnitCost { module, .. }
        | Call::SetBenefitValue { module, .. }
        | Call::SetModulePriority { module, .. }
        | Call::SetOutside { module, .. }
        | Call::SetInView { module, .. }
        | Call::TestViews(module)
        | Call::SetManaged { module, .. }
        | Call::SetLodCap { module, .. }
        | Call::SetOverhead { module, .. }
        | Call::ObserveTime { module, .. }
        | Call::ObserveShare { module, .. }
        | Call::SetRows { module, .. }) = *call
        else {
            return Ok(());
        };
        let (id, scene) = (self.module(module)?, &mut self.scene);
        let planned = scene.plan().module(id).map(|plan| (plan.units, plan.assigned_ns));
        let (planned_units, planned_ns) = planned.unwrap_or_default();
        match *call {
            Call::SetRule { rule: ref spec, .. } => scene.set_benefit_rule(id, rule(spec)?),
            Call::SetUnitCost { ns, .. } => scene.set_unit_cost(id, UnitCost::from_ns(ns)?),
            Call::SetBenefitValue { ns, .. } => {
                scene.set_benefit_value(id, BenefitValue::from_ns(ns))
            }
            Call::SetModulePriority { priority, .. } => {
                scene.set_module_priority(id, Priority::new(priority)?)
            }
            Call::SetOutside { factor, .. } => scene.set_outside(id, OutsideFactor::new(factor)?),
            Call::SetInView { ref bits, .. } => scene.set_in_view(id, bits),
            Call::TestViews(_) => scene.test_views(id),
            Call::SetManaged { managed, .. } => scene.set_managed(id, managed),
            Call::SetLodCap { cap, .. } => scene.set_lod_cap(id, cap),
            Call::SetOverhead { units, .. } => scene.set_overhead(id, units),
            Call::ObserveTime { units, ns, .. } => {
                let units = units.unwrap_or(planned_units);
                scene.observe_time(id, units, Duration::from_nanos(ns))
            }
            Call::ObserveShare { percent, .. } => {
                let ns = (planned_ns / 100).wrapping_mul(percent);
                scene.observe_time(id, planned_units, Duration::from_nanos(ns))
            }
            Call::SetRows { first, count, column, value, .. } => {
                let rows = scene.module_len(id).ok_or(SceneError::NoSuchModule)?;
                let rows = first.min(rows)..first.saturating_add(count).min(rows);
                self.set_rows(id, rows, column, value)
            }
            _ => Ok(()),
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

    /// Changes the origin; actors and views keep their position in the world.
    fn set_origin(&mut self, origin: [f64; 3]) -> Result<(), SceneError> {
        if !origin.iter().all(|axis| axis.is_finite()) {
            return Err(ValueError::new(Quantity::Position, ValueProblem::NotFinite).into());
        }
        let before = std::mem::replace(&mut self.origin, origin);
        for actor in self.scene.actors().collect::<Vec<_>>() {
            let place = self.scene.position(actor).ok_or(SceneError::StaleActor)?;
            let world = [0, 1, 2].map(|axis| before[axis] + place[axis].to_f64());
            let (place, rounding) = self.relative(world);
            self.scene.set_position(actor, place)?;
            self.rounding = self.rounding.max(rounding);
        }
        for (number, (id, eye)) in self.views.clone().into_iter().enumerate() {
            if let Some(&lens) = self.scene.view(id) {
                self.place_view(number, eye, lens)?;
            }
        }
        Ok(())
    }

    fn spawn(&mut self, module: usize, specs: &[ActorSpec]) -> Result<(), SceneError> {
        let module = self.module(module)?;
        let mut rounding = 0.0_f64;
        let mut tables = Vec::new();
        let mut numbers = Vec::new();
        for spec in specs {
            let benefit = spec.benefit.map(given).transpose()?.flatten();
            let forced = spec.forced.map(|number| LodControl::from_number(number.into()));
            let (position, moved) = self.relative(spec.position);
            rounding = rounding.max(moved);
            tables.push(spec.qualities.as_deref().map(qualities).transpose()?);
            numbers.push((position, benefit, forced.transpose()?));
        }
        let actors = specs.iter().zip(&tables).zip(&numbers).map(|((spec, table), numbers)| {
            let (position, benefit, forced) = *numbers;
            let [age, speed, radius] = [spec.age, spec.speed, spec.radius].map(number);
            let mut actor =
                Actor::from_state(ActorState { position, age, speed }, radius, &spec.work)
                    .key(spec.key)
                    .visible(spec.visible);
            if let Some((lowest, highest)) = spec.range {
                actor = actor.lod_range(lowest..=last_level(highest, spec.work.len()));
            }
            if let Some(table) = table {
                actor = actor.qualities(table);
            }
            if let Some(LodControl::Forced(lod)) = forced {
                actor = actor.forced(lod);
            }
            match benefit {
                Some(benefit) => actor.benefit(benefit),
                None => actor,
            }
        });
        let ids = self.scene.spawn_many(module, actors)?;
        self.actors.extend(ids.ids());
        self.rounding = self.rounding.max(rounding);
        Ok(())
    }

    fn set(&mut self, id: ActorId, column: &Column, row: usize) -> Result<(), SceneError> {
        let scene = &mut self.scene;
        match column {
            Column::Position(all) => scene.set_position(id, value(all, row).map(number)),
            Column::WorldPosition(all) => {
                let (place, rounding) = self.relative(value(all, row));
                self.scene.set_position(id, place)?;
                self.rounding = self.rounding.max(rounding);
                Ok(())
            }
            Column::Radius(all) => scene.set_radius(id, number(value(all, row))),
            Column::Age(all) => scene.set_age(id, number(value(all, row))),
            Column::Speed(all) => scene.set_speed(id, number(value(all, row))),
            Column::Benefit(all) => scene.set_benefit_override(id, given(value(all, row))?),
            Column::Forced(all) => scene.force_physical_lod(id, value(all, row)),
            Column::Visible(all) => scene.set_visible(id, value(all, row)),
            Column::Key(all) => scene.set_key(id, value(all, row)),
            Column::Priority(all) => scene.set_priority(id, Priority::new(value(all, row).into())?),
            Column::InView(all) => scene.set_actor_in_view(id, value(all, row)),
            Column::State(all) => {
                let [x, y, z, age, speed] = value(all, row).map(number);
                scene.set_state(id, ActorState { position: [x, y, z], age, speed })
            }
        }
    }

    fn set_rows(
        &mut self,
        id: ModuleId,
        rows: std::ops::Range<usize>,
        column: RowColumn,
        to: f32,
    ) -> Result<(), SceneError> {
        let (scene, number) = (&mut self.scene, number::<N>(to));
        let states =
            matches!(column, RowColumn::StateX | RowColumn::StateAge | RowColumn::StateSpeed);
        if states {
            let all = scene.states_mut(id)?;
            let column = match column {
                RowColumn::StateX => all.x,
                RowColumn::StateAge => all.age,
                _ => all.speed,
            };
            column[rows].fill(number);
            return Ok(());
        }
        match column {
            RowColumn::X => scene.positions_mut(id, rows)?.x.fill(number),
            RowColumn::Y => scene.positions_mut(id, rows)?.y.fill(number),
            RowColumn::Z => scene.positions_mut(id, rows)?.z.fill(number),
            RowColumn::Age => scene.ages_mut(id, rows)?.values.fill(number),
            RowColumn::Speed => scene.speeds_mut(id, rows)?.values.fill(number),
            _ => scene.benefit_overrides_mut(id, rows)?.values.fill(Benefit::new(to).ok()),
        }
        Ok(())
    }
}

#[must_use]
pub fn value<T: Copy>(all: &[T], row: usize) -> T {
    if all.len() == 1 { all[0] } else { all[row] }
}

#[must_use]
pub fn number<N: ScriptNumber>(number: f32) -> N {
    N::from_script(number.into())
}

#[must_use]
pub fn policy(number: u8) -> Policy {
    Policy::Proportional(match number {
        0 => Leftovers::Keep,
        1 => Leftovers::WithinModule,
        2 => Leftovers::AcrossModules,
        3 => Leftovers::WholeBudget,
        _ => return Policy::Optimal,
    })
}

/// A highest level; 255 is the last of `levels` levels.
#[must_use]
pub fn last_level(highest: u8, levels: usize) -> u8 {
    let last = u8::try_from(levels.saturating_sub(1)).unwrap_or(u8::MAX);
    if highest == u8::MAX { last } else { highest }
}

/// A benefit that overrides the computed one; `None` below 0.
///
/// # Errors
/// For NaN.
pub fn given(number: f32) -> Result<Option<Benefit>, ValueError> {
    if number < 0.0 { Ok(None) } else { Benefit::new(number).map(Some) }
}

fn qualities(numbers: &[f32]) -> Result<Vec<Quality>, ValueError> {
    numbers.iter().map(|&number| Quality::new(number.into())).collect()
}

/// The view of a camera.
///
/// # Errors
/// For matrices, a reference or a margin that a view rejects.
pub fn camera_view<N: Real>(camera: &CameraSpec) -> Result<View<N>, ValueError> {
    let mut view = View::from_matrices(camera.view, camera.projection)?;
    if let Some(degrees) = camera.reference_fov {
        view = view.reference_fov(degrees)?;
    }
    if let Some(degrees) = camera.margin {
        view = view.frustum_with_margin(degrees)?;
    }
    Ok(view)
}

/// The benefit rule of a specification.
///
/// # Errors
/// For invalid terms.
pub fn rule<N: ScriptNumber>(spec: &RuleSpec) -> Result<BenefitRule<N>, ValueError> {
    let [distance, age, speed] = spec.weights.map(number);
    BenefitRule::new(BenefitTerms {
        distance_importance: if spec.angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: spec.max_distance.map(number),
        weights: Weights::new(distance, age, speed)?,
        bias: number(spec.bias),
        max_age: spec.max_age.map(number),
        max_speed: spec.max_speed.map(number),
    })
}

fn module<N: ScriptNumber>(spec: &ModuleSpec) -> Result<Module<N>, ValueError> {
    let cost = UnitCost::from_ns(spec.unit_cost_ns)?;
    let mut module = Module::new("", cost)
        .rule(rule(&spec.rule)?)
        .managed(spec.managed)
        .continuous(spec.continuous)
        .overhead(spec.overhead);
    if let Some(ns) = spec.benefit_value_ns {
        module = module.benefit_value(BenefitValue::from_ns(ns));
    }
    if let Some(table) = &spec.qualities {
        module = module.qualities(qualities(table)?);
    }
    Ok(match spec.cap {
        Some(cap) => module.lod_cap(cap),
        None => module,
    })
}

impl<N: ScriptNumber> Player for ScenePlayer<N> {
    fn name(&self) -> &'static str {
        "scheduler"
    }

    fn call(&mut self, call: &Call) -> Outcome {
        let mut outcome = Outcome::of(self.apply(call));
        match call {
            Call::Tick => self.push_plan(&mut outcome),
            Call::Certify => {
                let certificate = self.scene.certify();
                let numbers = [certificate.value(), certificate.upper_bound()];
                outcome.push("certificate", numbers.map(f64::to_bits));
            }
            _ => {}
        }
        if self.describes_actors {
            self.push_actors(&mut outcome);
        }
        outcome
    }
}

fn known(value: Option<f64>) -> u64 {
    value.map_or(u64::MAX, f64::to_bits)
}

impl<N: ScriptNumber> ScenePlayer<N> {
    fn push_plan(&mut self, outcome: &mut Outcome) {
        let rounding = std::mem::take(&mut self.rounding);
        let plan = self.scene.plan();
        let load = match plan.load() {
            Load::Normal => 0,
            Load::Tight => 1,
            Load::Infeasible => 2,
        };
        outcome.push(
            "tick",
            [
                load,
                plan.budget().ns().unwrap_or(u64::MAX),
                plan.assigned_ns(),
                plan.reserved_ns(),
                plan.overcommit_ns(),
                plan.scale().to_f64().to_bits(),
                plan.headroom().to_f64().to_bits(),
                known(plan.certificate().map(OptimalityCertificate::value)),
                known(plan.certificate().map(OptimalityCertificate::upper_bound)),
                self.scene.len() as u64,
                plan.quarantined() as u64,
                plan.changes().len() as u64,
                plan.switches().into(),
            ],
        );
        outcome.push("rounding", [rounding.to_bits()]);
        outcome.push("price", [plan.scale().bits(), plan.price().bits().into()]);
        let lods: Vec<_> = self.actors.iter().map(|&id| plan.lod(id)).collect();
        let status = if lods.contains(&None) { Status::NoSuchActor } else { Status::Done };
        let levels = lods.iter().map(|lod| lod.map_or(0, Lod::level).into());
        outcome.push("levels", [status as u64].into_iter().chain(levels));
        let bits = |lod: &Option<Lod>| u64::from(lod_f32(lod.unwrap_or(Lod::ZERO)).to_bits());
        outcome.push("lods", [status as u64].into_iter().chain(lods.iter().map(bits)));
        for change in plan.changes() {
            let actor = self.actors.iter().position(|&id| id == change.actor);
            let from = change.from.map_or(u64::MAX, u64::from);
            let numbers = [change.key, change.module.index().into(), from, change.to.into()];
            let numbers = [index(actor)].into_iter().chain(numbers);
            outcome.push("change", numbers.chain([change.fraction.into()]));
        }
        for &id in &self.modules {
            self.push_module(id, outcome);
        }
        for (number, &id) in self.actors.iter().enumerate() {
            if let Some(plan) = plan.actor(id) {
                outcome.push("actor", [number as u64].into_iter().chain(actor_words(&plan)));
            }
        }
    }

    fn push_module(&self, id: ModuleId, outcome: &mut Outcome) {
        let Some(plan) = self.scene.plan().module(id) else { return };
        let shared = [
            plan.actors as u64,
            plan.assigned_ns,
            plan.target_ns,
            plan.units,
            plan.unit_cost.ns().to_bits(),
            plan.overhead.into(),
        ];
        outcome.push("module", shared);
        let others = [
            plan.managed.into(),
            plan.benefit.to_bits(),
            plan.raw_unit_cost.ns().to_bits(),
            plan.lod_cap.unwrap_or(u8::MAX).into(),
        ];
        outcome.push("module-report", others);
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
            let module = scene.module_of(id).map_or(u64::MAX, |module| module.index().into());
            let range = scene.lod_range(id).unwrap_or(0..=0);
            let range = [*range.start(), *range.end()].map(u64::from);
            let work = scene.work(id).unwrap_or_default().iter().map(|&units| units.into());
            let slot = [u64::from(id.slot()), module];
            outcome.push("state", slot.into_iter().chain(numbers).chain(range).chain(work));
        }
    }
}

#[expect(clippy::cast_possible_truncation, reason = "24 bits are exact")]
fn lod_f32(lod: Lod) -> f32 {
    lod.to_f64() as f32
}

fn index(place: Option<usize>) -> u64 {
    place.map_or(u64::MAX, |place| place as u64)
}

fn actor_words(plan: &ActorPlan) -> [u64; 8] {
    [
        reason_number(plan.reason),
        plan.key,
        plan.share_ns.unwrap_or(u64::MAX),
        plan.benefit.to_f64().to_bits(),
        plan.quality.to_f64().to_bits(),
        plan.lod.to_f64().to_bits(),
        plan.cost_ns.into(),
        plan.module.index().into(),
    ]
}

/// The number of a reason in `lodger.h`; `u64::MAX` if the header lacks it.
const fn reason_number(reason: Reason) -> u64 {
    match reason {
        Reason::Forced => 0,
        Reason::ForcedIntoRange => 1,
        Reason::Unmanaged => 2,
        Reason::Invisible => 3,
        Reason::Quarantined => 4,
        Reason::Overcommitted => 5,
        Reason::Pinned => 6,
        Reason::Share => 7,
        Reason::Highest => 8,
        Reason::Capped => 9,
        Reason::Leftovers => 10,
        Reason::WorthHighest => 11,
        Reason::WorthCapped => 12,
        Reason::BelowPrice => 13,
        Reason::NoBudget => 14,
        _ => u64::MAX,
    }
}
