//! The calls made of the scheduler itself.

use std::time::Duration;

use lodger_scheduler::lodger_core::Error;
use lodger_scheduler::lodger_core::budget::MAX_ACTORS;
use lodger_scheduler::{
    Actor, ActorId, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance,
    HeadroomTarget, Leftovers, Load, Lod, LodControl, Module, ModuleId, Policy, Quality, Reason,
    Scene, SceneError, Stability, UnitCost, View, ViewId, Weights,
};

use super::calls::{self, Call, Column, Row};
use super::player::Player;
use super::told::{Told, known};

/// A scene, whose handles are kept by number, and where its origin is.
pub(crate) struct ThroughRust {
    scene: Scene<f32>,
    modules: Vec<Option<ModuleId>>,
    /// Each with its eye, as it was given.
    views: Vec<Option<(ViewId, [f64; 3])>>,
    actors: Vec<Option<ActorId>>,
    origin: [f64; 3],
    narrowing: f64,
}

impl Default for ThroughRust {
    fn default() -> Self {
        Self {
            scene: Scene::new(Budget::UNLIMITED),
            modules: Vec::new(),
            views: Vec::new(),
            actors: Vec::new(),
            origin: [0.0; 3],
            narrowing: 0.0,
        }
    }
}

impl Player for ThroughRust {
    fn play(&mut self, call: &Call, told: &mut Told) {
        if let Call::Tick(whom, certify) = call {
            self.tick(*whom, *certify, told);
        } else {
            told.call(match self.make(call) {
                Ok(()) => 0,
                Err(SceneError::Refused(_)) => 5,
                Err(SceneError::StaleView | SceneError::ForeignView) => 2,
                Err(SceneError::NoSuchModule | SceneError::ForeignModule) => 3,
                Err(SceneError::StaleActor | SceneError::ForeignActor) => 4,
                Err(other) => unreachable!("{other}"),
            });
        }
    }
}

fn budget(ns: Option<u64>) -> Budget {
    ns.map_or(Budget::UNLIMITED, Budget::from_ns)
}

fn policy(number: u32) -> Policy {
    match number {
        0 => Policy::Proportional(Leftovers::Keep),
        1 => Policy::Proportional(Leftovers::WithinModule),
        2 => Policy::Proportional(Leftovers::AcrossModules),
        3 => Policy::Proportional(Leftovers::WholeBudget),
        _ => Policy::Optimal,
    }
}

fn rule(rule: &calls::Rule) -> Result<BenefitRule<f32>, Error> {
    let [distance, age, speed] = rule.weights;
    BenefitRule::new(BenefitTerms {
        distance_importance: match rule.importance {
            0 => DistanceImportance::SolidAngle,
            _ => DistanceImportance::Angular,
        },
        max_distance: rule.max_distance,
        weights: Weights::new(distance, age, speed)?,
        bias: rule.bias,
        max_age: Some(rule.max_age),
        max_speed: Some(rule.max_speed),
    })
}

fn qualities(numbers: &[f32]) -> Result<Vec<Quality>, Error> {
    numbers.iter().map(|&number| Quality::new(number.into())).collect()
}

fn given(number: f32) -> Result<Option<Benefit>, Error> {
    if number < 0.0 { Ok(None) } else { Benefit::new(number).map(Some) }
}

impl ThroughRust {
    fn make(&mut self, call: &Call) -> Result<(), SceneError> {
        match call {
            Call::Create(ns) | Call::Budget(ns) => self.scene.set_budget(budget(*ns)),
            Call::Policy(number) => self.scene.set_policy(policy(*number)),
            Call::Stability(margin, reserve) => {
                self.scene.set_stability(Stability { margin: *margin, reserve: *reserve });
            }
            Call::MaxRaises(most) => self.scene.set_max_raises(*most),
            Call::Trials(trials) => self.scene.set_trials(*trials as usize),
            Call::Headroom(part) => {
                let target = (*part > 0.0).then(|| HeadroomTarget::new(*part)).transpose()?;
                self.scene.set_headroom_target(target);
            }
            Call::CountUnmanaged(count) => self.scene.set_count_unmanaged(*count),
            Call::AdvanceAges(seconds) => self.scene.advance_ages(*seconds)?,
            Call::Track(track) => self.scene.track_changes(*track),
            Call::Origin(origin) => self.move_origin(*origin)?,
            Call::AddView(world) => {
                let eye = self.narrowed(*world);
                let view = self.scene.add_view(View::eye(eye)?);
                self.views.push(view.ok().map(|view| (view, *world)));
                view?;
            }
            Call::SetView(which, world) => {
                let view = self.view(*which)?;
                let eye = self.narrowed(*world);
                self.scene.set_view(view, View::eye(eye)?)?;
                self.views[*which] = Some((view, *world));
            }
            Call::RemoveView(which) => {
                self.scene.remove_view(self.view(*which)?)?;
                self.views[*which] = None;
            }
            Call::AddModule(module) => {
                let added = self.add_module(module);
                self.modules.push(added.ok());
                added?;
            }
            Call::Spawn(module, actors) => self.spawn(*module, actors)?,
            Call::Despawn(whom) => {
                return self.each(whom, |all, _, actor| all.scene.despawn(actor));
            }
            Call::Set(whom, column, rows, repeats) => {
                let row = |number: usize| rows[if *repeats { 0 } else { number }];
                return self.each(whom, |all, number, actor| all.set(actor, *column, row(number)));
            }
            Call::Destroy => {}
            _ => return self.make_of_one(call),
        }
        Ok(())
    }

    /// The calls about one actor or one module.
    fn make_of_one(&mut self, call: &Call) -> Result<(), SceneError> {
        match call {
            Call::Range(whom, lowest, highest) => {
                self.scene.set_lod_range(self.actor(*whom)?, *lowest..=*highest)
            }
            Call::Work(whom, work) => self.scene.set_work(self.actor(*whom)?, work),
            Call::Qualities(whom, table) => {
                let actor = self.actor(*whom)?;
                let table = table.as_deref().map(qualities).transpose()?;
                self.scene.set_qualities(actor, table.as_deref())
            }
            Call::UnitCost(module, ns) => {
                let module = self.module(*module)?;
                self.scene.set_unit_cost(module, UnitCost::from_ns(*ns)?)
            }
            Call::BenefitValue(module, ns) => {
                self.scene.set_benefit_value(self.module(*module)?, BenefitValue::from_ns(*ns))
            }
            Call::Rule(module, terms) => {
                let module = self.module(*module)?;
                self.scene.set_benefit_rule(module, rule(terms)?)
            }
            Call::Managed(module, managed) => {
                self.scene.set_managed(self.module(*module)?, *managed)
            }
            Call::Cap(module, cap) => self.scene.set_lod_cap(self.module(*module)?, *cap),
            Call::Overhead(module, units) => self.scene.set_overhead(self.module(*module)?, *units),
            Call::Measured(module, units, ns) => {
                let module = self.module(*module)?;
                let assigned = || self.scene.plan().module(module).map_or(0, |plan| plan.units);
                let units = units.unwrap_or_else(assigned);
                self.scene.measured(module, units, Duration::from_nanos(*ns))
            }
            other => unreachable!("{other:?} is made elsewhere"),
        }
    }

    fn actor(&self, number: usize) -> Result<ActorId, SceneError> {
        self.actors[number].ok_or(SceneError::StaleActor)
    }

    fn module(&self, number: usize) -> Result<ModuleId, SceneError> {
        self.modules[number].ok_or(SceneError::NoSuchModule)
    }

    fn view(&self, number: usize) -> Result<ViewId, SceneError> {
        self.views[number].map(|(view, _)| view).ok_or(SceneError::StaleView)
    }

    /// Serves everybody, and fails with the first failure.
    fn each(
        &mut self,
        whom: &[usize],
        mut serve: impl FnMut(&mut Self, usize, ActorId) -> Result<(), SceneError>,
    ) -> Result<(), SceneError> {
        let mut outcome = Ok(());
        for (number, &actor) in whom.iter().enumerate() {
            let served = self.actor(actor).and_then(|actor| serve(self, number, actor));
            outcome = outcome.and(served);
        }
        outcome
    }

    /// A place in the world as the scene has it.
    #[allow(clippy::cast_possible_truncation)] // it is what is told of
    fn narrowed(&mut self, world: [f64; 3]) -> [f32; 3] {
        let mut place = [0.0; 3];
        for ((place, world), origin) in place.iter_mut().zip(world).zip(self.origin) {
            let relative = world - origin;
            *place = relative as f32;
            self.narrowing = self.narrowing.max((relative - f64::from(*place)).abs());
        }
        place
    }

    /// Nobody moves in the world; what becomes another number is told.
    fn move_origin(&mut self, origin: [f64; 3]) -> Result<(), SceneError> {
        let before = std::mem::replace(&mut self.origin, origin);
        for actor in self.scene.actors().collect::<Vec<_>>() {
            let place = self.scene.position(actor).ok_or(SceneError::StaleActor)?;
            let place = self.narrowed([0, 1, 2].map(|axis| before[axis] + f64::from(place[axis])));
            self.scene.set_position(actor, place)?;
        }
        for (view, eye) in self.views.clone().into_iter().flatten() {
            let eye = self.narrowed(eye);
            self.scene.set_view(view, View::eye(eye)?)?;
        }
        Ok(())
    }

    fn add_module(&mut self, module: &calls::Module) -> Result<ModuleId, SceneError> {
        let cost = UnitCost::from_ns(module.unit_cost)?;
        let mut new = Module::new("", cost, BenefitValue::from_ns(module.benefit_value))
            .rule(rule(&module.rule)?)
            .managed(!module.unmanaged)
            .continuous(module.continuous)
            .overhead(module.overhead);
        if let Some(table) = &module.qualities {
            new = new.qualities(qualities(table)?);
        }
        if let Some(cap) = module.cap {
            new = new.lod_cap(cap);
        }
        self.scene.add_module(new)
    }

    fn spawn(&mut self, module: usize, actors: &[calls::Actor]) -> Result<(), SceneError> {
        let narrowing = self.narrowing;
        let places: Vec<_> = actors.iter().map(|actor| self.narrowed(actor.position)).collect();
        let spawned = self.spawned(module, actors, &places);
        if spawned.is_err() {
            self.narrowing = narrowing;
        }
        let none = || vec![None; actors.len()];
        self.actors.extend(spawned.as_ref().map_or_else(|_| none(), Clone::clone));
        spawned.map(drop)
    }

    fn spawned(
        &mut self,
        module: usize,
        actors: &[calls::Actor],
        places: &[[f32; 3]],
    ) -> Result<Vec<Option<ActorId>>, SceneError> {
        let module = self.module(module)?;
        assert!(self.scene.len() + actors.len() < MAX_ACTORS as usize);
        let tables = actors.iter().map(|actor| actor.qualities.as_deref().map(qualities));
        let tables: Vec<_> = tables.map(Option::transpose).collect::<Result<_, _>>()?;
        let mut all = Vec::new();
        for ((actor, place), table) in actors.iter().zip(places).zip(&tables) {
            let state =
                lodger_scheduler::State { position: *place, age: actor.age, speed: actor.speed };
            let mut new = Actor::in_state(state, actor.radius, &actor.work)
                .key(actor.key)
                .visible(!actor.invisible);
            if let Some((lowest, highest)) = actor.range {
                new = new.lod_range(lowest..=highest);
            }
            if let Some(table) = table {
                new = new.qualities(table);
            }
            if let Some(forced) = actor.forced
                && let LodControl::Forced(lod) = LodControl::from_number(forced.into())?
            {
                new = new.forced(lod);
            }
            all.push((new, actor.benefit.map(Benefit::new).transpose()?));
        }
        let ids = self.scene.spawn_many(module, all.iter().map(|(actor, _)| *actor))?;
        let ids: Vec<_> = ids.ids().collect();
        for (id, (_, benefit)) in ids.iter().zip(&all) {
            if benefit.is_some() {
                self.scene.set_benefit(*id, *benefit)?;
            }
        }
        Ok(ids.into_iter().map(Some).collect())
    }

    fn set(&mut self, actor: ActorId, column: Column, row: Row) -> Result<(), SceneError> {
        let (scene, number) = (&mut self.scene, row.number);
        match column {
            Column::Position => scene.set_position(actor, row.place),
            Column::PositionF64 if !scene.contains(actor) => Err(SceneError::StaleActor),
            Column::PositionF64 => {
                let place = self.narrowed(row.world);
                self.scene.set_position(actor, place)
            }
            Column::Radius => scene.set_radius(actor, number),
            Column::Age => scene.set_age(actor, number),
            Column::Speed => scene.set_speed(actor, number),
            Column::Benefit => scene.set_benefit(actor, given(number)?),
            Column::Forced => scene.force_physical_lod(actor, number),
            Column::Visible => scene.set_visible(actor, row.visible == 1),
            Column::Key => scene.set_key(actor, row.key),
        }
    }

    fn tick(&mut self, whom: [usize; 2], certify: bool, told: &mut Told) {
        let actors = self.scene.len() as u64;
        self.scene.tick();
        self.tell_report(actors, told);
        self.tell_levels(told);
        self.tell_changes(told);
        for module in &self.modules {
            self.tell_module(*module, told);
        }
        for actor in whom {
            self.tell_actor(self.actors[actor], told);
        }
        if certify {
            let certificate = self.scene.certify();
            told.call(0);
            let numbers = [certificate.value(), certificate.upper_bound()];
            told.line("certificate", numbers.map(f64::to_bits));
        }
    }

    fn tell_report(&mut self, actors: u64, told: &mut Told) {
        let plan = self.scene.plan();
        let narrowing = std::mem::take(&mut self.narrowing);
        let load = match plan.load() {
            Load::Normal => 0,
            Load::Tight => 1,
            Load::Infeasible => 2,
        };
        told.line(
            "tick",
            [
                0,
                load,
                plan.budget().ns().unwrap_or(u64::MAX),
                plan.assigned_ns(),
                plan.fixed_ns(),
                plan.overcommit_ns(),
                plan.scale().to_f64().to_bits(),
                plan.headroom().to_f64().to_bits(),
                known(plan.certificate().map(lodger_scheduler::Certificate::value)),
                known(plan.certificate().map(lodger_scheduler::Certificate::upper_bound)),
                narrowing.to_bits(),
                actors,
                plan.quarantined() as u64,
                plan.changes().len() as u64,
                plan.flips().into(),
            ],
        );
    }

    #[allow(clippy::cast_possible_truncation)] // as the header has it
    fn tell_levels(&self, told: &mut Told) {
        let plan = self.scene.plan();
        let lod = |actor: &Option<ActorId>| actor.and_then(|actor| plan.lod(actor));
        let lods: Vec<_> = self.actors.iter().map(lod).collect();
        let status = if lods.contains(&None) { 4 } else { 0 };
        let levels = lods.iter().map(|lod| lod.map_or(0, Lod::level).into());
        told.line("levels", [status].into_iter().chain(levels));
        let bits = |lod: &Option<Lod>| lod.map_or(0.0, |lod| lod.to_f64() as f32).to_bits();
        told.line("lods", [status].into_iter().chain(lods.iter().map(|lod| bits(lod).into())));
    }

    fn tell_changes(&self, told: &mut Told) {
        for change in self.scene.plan().changes() {
            let index = self.actors.iter().position(|actor| *actor == Some(change.actor));
            let from = change.from.map_or(u64::MAX, u64::from);
            let numbers = [
                index.map_or(u64::MAX, |index| index as u64),
                change.key,
                self.number_of(change.module),
                from,
                change.to.into(),
                change.fraction.into(),
            ];
            told.line("change", numbers);
        }
    }

    fn number_of(&self, module: ModuleId) -> u64 {
        let number = self.modules.iter().position(|other| *other == Some(module));
        number.map_or(u64::MAX, |number| number as u64)
    }

    fn tell_module(&self, module: Option<ModuleId>, told: &mut Told) {
        let Some(plan) = module.and_then(|module| self.scene.plan().module(module)) else {
            told.line("module", [3].into_iter().chain([0; 10]));
            return;
        };
        let numbers = [
            0,
            plan.managed.into(),
            plan.actors as u64,
            plan.assigned_ns,
            plan.target_ns,
            plan.units,
            plan.benefit.to_bits(),
            plan.unit_cost.ns().to_bits(),
            plan.raw_unit_cost.ns().to_bits(),
            plan.overhead.into(),
            plan.lod_cap.unwrap_or(u8::MAX).into(),
        ];
        told.line("module", numbers);
    }

    fn tell_actor(&self, actor: Option<ActorId>, told: &mut Told) {
        let Some(plan) = actor.and_then(|actor| self.scene.plan().actor(actor)) else {
            told.line("actor", [4]);
            return;
        };
        let numbers = [
            0,
            reason(plan.reason),
            plan.key,
            plan.share_ns.unwrap_or(u64::MAX),
            plan.benefit.to_f64().to_bits(),
            plan.quality.to_f64().to_bits(),
            plan.lod.to_f64().to_bits(),
            plan.cost_ns.into(),
            self.number_of(plan.module),
        ];
        told.line("actor", numbers);
    }
}

/// A reason's number in the header.
fn reason(reason: Reason) -> u64 {
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
        Reason::NotWorth => 13,
        Reason::NoRoom => 14,
        other => unreachable!("{other} is not in the header"),
    }
}
