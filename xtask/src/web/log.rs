//! A scene that writes down what it is asked and what it answers: calls as lodger.js has them, answers as the
//! scheduler gives them on this machine.
//!
//! A log is a list of calls, each an array: the method, its arguments, and the status where it is not 0. Actors, views
//! and modules are numbers in the order in which they came; a call that is refused brings none.

use std::time::Duration;

use lodger_scheduler::lodger_core::Error;
use lodger_scheduler::{
    Actor, ActorId, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance,
    HeadroomTarget, Leftovers, LodControl, Module, ModuleId, Policy, Quality, Scene, SceneError,
    Stability, State, UnitCost, View, ViewId, Weights,
};
use serde_json::{Value, json};

const REFUSED: u8 = 5;

/// A number as JSON has it, and a string where JSON has none.
pub(super) fn number(value: impl Into<f64>) -> Value {
    let value = value.into();
    if value.is_finite() {
        json!(value)
    } else {
        json!(value.to_string().replace("inf", "Infinity"))
    }
}

fn numbers<T: Into<f64> + Copy>(values: &[T]) -> Value {
    values.iter().map(|&value| number(value)).collect()
}

/// What a module is made of; `None` is what lodger.js leaves out.
#[derive(Clone)]
pub(super) struct ModuleSays {
    pub(super) unit_cost: f64,
    pub(super) benefit_value: u32,
    pub(super) qualities: Option<Vec<f32>>,
    pub(super) overhead: u32,
    pub(super) cap: Option<u8>,
    pub(super) continuous: bool,
    pub(super) managed: bool,
    pub(super) rule: RuleSays,
}

/// What its benefits are made of.
#[derive(Clone, Copy)]
pub(super) struct RuleSays {
    pub(super) angular: bool,
    pub(super) max_distance: Option<f32>,
    pub(super) weights: [f32; 3],
    pub(super) bias: f32,
    pub(super) max_age: Option<f32>,
    pub(super) max_speed: Option<f32>,
}

/// What an actor is made of.
#[derive(Clone)]
pub(super) struct ActorSays {
    pub(super) work: Vec<u32>,
    pub(super) qualities: Option<Vec<f32>>,
    pub(super) key: u64,
    pub(super) position: [f64; 3],
    pub(super) radius: f32,
    pub(super) age: f32,
    pub(super) speed: f32,
    pub(super) benefit: Option<f32>,
    pub(super) forced: Option<f32>,
    pub(super) range: Option<(u8, u8)>,
    pub(super) visible: bool,
}

/// A column of some actors.
pub(super) enum Column {
    Position(Vec<[f32; 3]>),
    WorldPosition(Vec<[f64; 3]>),
    Radius(Vec<f32>),
    Age(Vec<f32>),
    Speed(Vec<f32>),
    Benefit(Vec<f32>),
    Forced(Vec<f32>),
    Visible(Vec<u8>),
    Key(Vec<u64>),
}

/// The scene and its log.
pub(super) struct Log {
    pub(super) scene: Scene<f32>,
    pub(super) calls: Vec<Value>,
    pub(super) modules: Vec<ModuleId>,
    views: Vec<ViewId>,
    /// Also those that are gone: calls about them are refused.
    pub(super) actors: Vec<ActorId>,
    pub(super) origin: [f64; 3],
    narrowing: f64,
    /// What the places of the call that is being made lose.
    lost: f64,
}

impl Log {
    /// `u64::MAX` is a budget without end.
    pub(super) fn new(budget: u64, origin: [f64; 3]) -> Self {
        let scene = Scene::new(Budget::from_ns(budget));
        let calls = vec![json!(["createScene", [budget.to_string()]])];
        let mut log = Self {
            scene,
            calls,
            modules: Vec::new(),
            views: Vec::new(),
            actors: Vec::new(),
            origin,
            narrowing: 0.0,
            lost: 0.0,
        };
        if origin.iter().any(|axis| *axis != 0.0) {
            log.note("setOrigin", &json!([numbers(&origin)]), Ok(()));
        }
        log
    }

    fn note(&mut self, call: &str, arguments: &Value, outcome: Result<(), SceneError>) {
        self.keep_lost(outcome.is_ok());
        let status = outcome.map_or_else(status, |()| 0);
        self.calls.push(json!([call, arguments, status]));
    }

    /// A place of the world, less the origin, as the ledger has it.
    #[allow(clippy::cast_possible_truncation)] // narrowing is what is noted
    fn narrowed(&mut self, place: [f64; 3]) -> [f32; 3] {
        let mut narrowed = [0.0; 3];
        for axis in 0..3 {
            let exact = place[axis] - self.origin[axis];
            narrowed[axis] = exact as f32;
            let moved = (f64::from(narrowed[axis]) - exact).abs();
            if moved.is_finite() {
                self.lost = self.lost.max(moved);
            }
        }
        narrowed
    }

    /// Counts what places have lost, if somebody is there now.
    fn keep_lost(&mut self, is_there: bool) {
        let lost = std::mem::take(&mut self.lost);
        if is_there {
            self.narrowing = self.narrowing.max(lost);
        }
    }

    pub(super) fn narrowing(&mut self) -> f64 {
        std::mem::take(&mut self.narrowing)
    }

    pub(super) fn set_budget(&mut self, ns: u64) {
        self.scene.set_budget(Budget::from_ns(ns));
        self.note("setBudget", &json!([ns.to_string()]), Ok(()));
    }

    pub(super) fn set_policy(&mut self, index: usize) {
        let (policy, word) = [
            (Policy::Proportional(Leftovers::Keep), "keep"),
            (Policy::Proportional(Leftovers::WithinModule), "within-module"),
            (Policy::Proportional(Leftovers::AcrossModules), "across-modules"),
            (Policy::Proportional(Leftovers::WholeBudget), "whole-budget"),
            (Policy::Optimal, "optimal"),
        ][index];
        self.scene.set_policy(policy);
        self.note("setPolicy", &json!([word]), Ok(()));
    }

    pub(super) fn set_stability(&mut self, margin: u8, reserve: u8) {
        self.scene.set_stability(Stability { margin, reserve });
        self.note("setStability", &json!([margin, reserve]), Ok(()));
    }

    pub(super) fn set_max_raises(&mut self, most: Option<u32>) {
        self.scene.set_max_raises(most);
        self.note(
            "setMaxRaises",
            &json!([most.map_or(number(f64::INFINITY), Value::from)]),
            Ok(()),
        );
    }

    pub(super) fn set_trials(&mut self, trials: u16) {
        self.scene.set_trials(trials.into());
        self.note("setTrials", &json!([trials]), Ok(()));
    }

    pub(super) fn set_headroom_target(&mut self, part: f64) {
        let outcome = if part == 0.0 {
            self.scene.set_headroom_target(None);
            Ok(())
        } else {
            let target = HeadroomTarget::new(part).map_err(SceneError::from);
            target.map(|target| self.scene.set_headroom_target(Some(target)))
        };
        self.note("setHeadroomTarget", &json!([number(part)]), outcome);
    }

    pub(super) fn set_count_unmanaged(&mut self, count: bool) {
        self.scene.set_count_unmanaged(count);
        self.note("setCountUnmanaged", &json!([count]), Ok(()));
    }

    pub(super) fn track_changes(&mut self, track: bool) {
        self.scene.track_changes(track);
        self.note("trackChanges", &json!([track]), Ok(()));
    }

    pub(super) fn advance_ages(&mut self, seconds: f32) {
        let outcome = self.scene.advance_ages(seconds);
        self.note("advanceAges", &json!([number(seconds)]), outcome);
    }

    pub(super) fn add_view(&mut self, eye: [f64; 3]) {
        let view = View::eye(self.narrowed(eye)).map_err(SceneError::from);
        let added = view.and_then(|view| self.scene.add_view(view));
        self.note("addView", &json!([numbers(&eye)]), added.map(|_| ()));
        self.views.extend(added.ok());
    }

    pub(super) fn views(&self) -> u32 {
        u32::try_from(self.views.len()).unwrap_or(u32::MAX)
    }

    pub(super) fn set_view(&mut self, index: u32, eye: [f64; 3]) {
        let id = self.views[index as usize];
        let view = View::eye(self.narrowed(eye)).map_err(SceneError::from);
        let outcome = match view {
            Ok(view) => self.scene.set_view(id, view),
            Err(error) => Err(error),
        };
        self.note("setView", &json!([index, numbers(&eye)]), outcome);
    }

    pub(super) fn remove_view(&mut self, index: u32) {
        let outcome = self.scene.remove_view(self.views[index as usize]);
        self.note("removeView", &json!([index]), outcome);
    }

    pub(super) fn add_module(&mut self, says: &ModuleSays) {
        let added = module(says).and_then(|module| self.scene.add_module(module));
        let mut desc = rule_told(&says.rule);
        desc["name"] = json!(format!("module {}", self.modules.len()));
        desc["unitCostNs"] = number(says.unit_cost);
        desc["benefitValueNs"] = json!(says.benefit_value);
        if let Some(qualities) = &says.qualities {
            desc["qualities"] = numbers(qualities);
        }
        desc["overhead"] = json!(says.overhead);
        desc["lodCap"] = json!(says.cap);
        desc["continuous"] = json!(says.continuous);
        desc["managed"] = json!(says.managed);
        self.note("addModule", &json!([desc]), added.map(|_| ()));
        self.modules.extend(added.ok());
    }

    pub(super) fn set_rule(&mut self, module: u32, says: &RuleSays) {
        let id = self.modules[module as usize];
        let outcome = rule(says).and_then(|rule| self.scene.set_benefit_rule(id, rule));
        self.note("setRule", &json!([module, rule_told(says)]), outcome);
    }

    pub(super) fn set_unit_cost(&mut self, module: u32, ns: f64) {
        let cost = UnitCost::from_ns(ns).map_err(SceneError::from);
        let outcome =
            cost.and_then(|cost| self.scene.set_unit_cost(self.modules[module as usize], cost));
        self.note("setUnitCost", &json!([module, number(ns)]), outcome);
    }

    pub(super) fn set_benefit_value(&mut self, module: u32, ns: u32) {
        let id = self.modules[module as usize];
        let outcome = self.scene.set_benefit_value(id, BenefitValue::from_ns(ns));
        self.note("setBenefitValue", &json!([module, ns]), outcome);
    }

    pub(super) fn set_managed(&mut self, module: u32, managed: bool) {
        let outcome = self.scene.set_managed(self.modules[module as usize], managed);
        self.note("setManaged", &json!([module, managed]), outcome);
    }

    pub(super) fn set_lod_cap(&mut self, module: u32, cap: Option<u8>) {
        let outcome = self.scene.set_lod_cap(self.modules[module as usize], cap);
        self.note("setLodCap", &json!([module, cap]), outcome);
    }

    pub(super) fn set_overhead(&mut self, module: u32, units: u32) {
        let outcome = self.scene.set_overhead(self.modules[module as usize], units);
        self.note("setOverhead", &json!([module, units]), outcome);
    }

    /// With `None` for the units of the last plan.
    pub(super) fn measured(&mut self, module: u32, ns: u64, units: Option<u64>) {
        let id = self.modules[module as usize];
        let planned = self.scene.plan().module(id).map_or(0, |plan| plan.units);
        let time = Duration::from_nanos(ns);
        let outcome = self.scene.measured(id, units.unwrap_or(planned), time);
        self.note("measured", &json!([module, ns, units]), outcome);
    }

    /// All or none.
    pub(super) fn spawn(&mut self, module: u32, says: &[ActorSays]) {
        let owner = self.modules[module as usize];
        let newcomers: Result<Vec<_>, _> = says.iter().map(|says| self.newcomer(says)).collect();
        let spawned = newcomers.map_err(SceneError::from).and_then(|newcomers| {
            let actors = says.iter().zip(&newcomers).map(|(says, newcomer)| newcomer.actor(says));
            Ok(self.scene.spawn_many(owner, actors)?.ids().collect::<Vec<_>>())
        });
        let descs: Value = says.iter().map(actor_told).collect();
        self.note(
            "spawn",
            &json!([module, descs]),
            spawned.as_ref().map(|_| ()).map_err(|&error| error),
        );
        self.actors.extend(spawned.into_iter().flatten());
    }

    fn newcomer(&mut self, says: &ActorSays) -> Result<Newcomer, Error> {
        let position = self.narrowed(says.position);
        Ok(Newcomer {
            state: State { position, age: says.age, speed: says.speed },
            given: says.benefit.map(Benefit::new).transpose()?,
            control: LodControl::from_number(says.forced.unwrap_or(-1.0).into())?,
            qualities: says.qualities.as_deref().map(qualities).transpose()?,
        })
    }

    /// Everybody who is there, even where somebody is not.
    pub(super) fn despawn(&mut self, actors: &[u32]) {
        let outcome =
            first_failure(actors, |actor| self.scene.despawn(self.actors[actor as usize]));
        self.note("despawn", &json!([actors]), outcome);
    }

    pub(super) fn set(&mut self, actors: &[u32], column: &Column) {
        let (name, values) = told(column);
        let mut row = 0;
        let outcome = first_failure(actors, |actor| {
            row += 1;
            self.set_one(self.actors[actor as usize], column, row - 1)
        });
        self.note("set", &json!([actors, name, values]), outcome);
    }

    fn set_one(&mut self, id: ActorId, column: &Column, row: usize) -> Result<(), SceneError> {
        match column {
            Column::Position(all) => self.scene.set_position(id, all[row]),
            Column::WorldPosition(all) => {
                let place = self.narrowed(all[row]);
                let outcome = self.scene.set_position(id, place);
                self.keep_lost(outcome.is_ok());
                outcome
            }
            Column::Radius(all) => self.scene.set_radius(id, all[row]),
            Column::Age(all) => self.scene.set_age(id, all[row]),
            Column::Speed(all) => self.scene.set_speed(id, all[row]),
            Column::Benefit(all) => {
                let computed = all[row] < 0.0;
                let given = (!computed).then(|| Benefit::new(all[row])).transpose()?;
                self.scene.set_benefit(id, given)
            }
            Column::Forced(all) => self.scene.force_physical_lod(id, all[row]),
            Column::Visible(all) => self.scene.set_visible(id, all[row] != 0),
            Column::Key(all) => self.scene.set_key(id, all[row]),
        }
    }

    pub(super) fn set_range(&mut self, actor: u32, lowest: u8, highest: u8) {
        let id = self.actors[actor as usize];
        let levels = self.scene.work(id).map_or(0, <[u32]>::len);
        let outcome = self.scene.set_lod_range(id, lowest..=last(highest, levels));
        self.note("setRange", &json!([actor, lowest, highest]), outcome);
    }

    pub(super) fn set_work(&mut self, actor: u32, work: &[u32]) {
        let outcome = self.scene.set_work(self.actors[actor as usize], work);
        self.note("setWork", &json!([actor, work]), outcome);
    }

    pub(super) fn set_qualities(&mut self, actor: u32, table: Option<&[f32]>) {
        let id = self.actors[actor as usize];
        let outcome = table.map(qualities).transpose().map_err(SceneError::from);
        let outcome = outcome.and_then(|table| self.scene.set_qualities(id, table.as_deref()));
        self.note("setQualities", &json!([actor, table.map(numbers)]), outcome);
    }
}

/// An actor's numbers, as the scheduler has them.
struct Newcomer {
    state: State<f32>,
    given: Option<Benefit>,
    control: LodControl,
    qualities: Option<Vec<Quality>>,
}

impl Newcomer {
    fn actor<'a>(&'a self, says: &'a ActorSays) -> Actor<'a, f32> {
        let mut actor = Actor::in_state(self.state, says.radius, &says.work);
        if let Some((lowest, highest)) = says.range {
            actor = actor.lod_range(lowest..=last(highest, says.work.len()));
        }
        if let Some(table) = &self.qualities {
            actor = actor.qualities(table);
        }
        if let LodControl::Forced(lod) = self.control {
            actor = actor.forced(lod);
        }
        if let Some(benefit) = self.given {
            actor = actor.benefit(benefit);
        }
        actor.visible(says.visible).key(says.key)
    }
}

/// lodger.h's status for what the scheduler refuses.
fn status(error: SceneError) -> u8 {
    match error {
        SceneError::StaleView | SceneError::ForeignView => 2,
        SceneError::NoSuchModule | SceneError::ForeignModule => 3,
        SceneError::StaleActor | SceneError::ForeignActor => 4,
        _ => REFUSED,
    }
}

/// A highest level, of which 255 is the last that there is.
fn last(highest: u8, levels: usize) -> u8 {
    let last = u8::try_from(levels.saturating_sub(1)).unwrap_or(highest);
    if highest == u8::MAX { last } else { highest }
}

fn first_failure(
    actors: &[u32],
    mut serve: impl FnMut(u32) -> Result<(), SceneError>,
) -> Result<(), SceneError> {
    let mut first = Ok(());
    for &actor in actors {
        let served = serve(actor);
        first = first.and(served);
    }
    first
}

fn qualities(table: &[f32]) -> Result<Vec<Quality>, Error> {
    table.iter().map(|&quality| Quality::new(quality.into())).collect()
}

fn rule(says: &RuleSays) -> Result<BenefitRule<f32>, SceneError> {
    let [distance, age, speed] = says.weights;
    Ok(BenefitRule::new(BenefitTerms {
        distance_importance: if says.angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: says.max_distance,
        weights: Weights::new(distance, age, speed)?,
        bias: says.bias,
        max_age: says.max_age,
        max_speed: says.max_speed,
    })?)
}

fn rule_told(says: &RuleSays) -> Value {
    json!({
        "importance": if says.angular { "angular" } else { "solid-angle" },
        "maxDistance": says.max_distance.map(number),
        "weightDistance": number(says.weights[0]),
        "weightAge": number(says.weights[1]),
        "weightSpeed": number(says.weights[2]),
        "bias": number(says.bias),
        "maxAge": says.max_age.map(number),
        "maxSpeed": says.max_speed.map(number),
    })
}

fn module(says: &ModuleSays) -> Result<Module<f32>, SceneError> {
    let value = BenefitValue::from_ns(says.benefit_value);
    let mut module = Module::new("", UnitCost::from_ns(says.unit_cost)?, value)
        .rule(rule(&says.rule)?)
        .managed(says.managed)
        .continuous(says.continuous)
        .overhead(says.overhead);
    if let Some(table) = &says.qualities {
        module = module.qualities(qualities(table)?);
    }
    Ok(match says.cap {
        Some(cap) => module.lod_cap(cap),
        None => module,
    })
}

fn actor_told(says: &ActorSays) -> Value {
    let mut desc = json!({
        "work": says.work,
        "key": says.key.to_string(),
        "position": numbers(&says.position),
        "radius": number(says.radius),
        "age": number(says.age),
        "speed": number(says.speed),
        "benefit": says.benefit.map(number),
        "forced": says.forced.map(number),
        "visible": says.visible,
    });
    if let Some(table) = &says.qualities {
        desc["qualities"] = numbers(table);
    }
    if let Some((lowest, highest)) = says.range {
        (desc["lowest"], desc["highest"]) = (json!(lowest), json!(highest));
    }
    desc
}

/// A column's name and its numbers, one after the other.
fn told(column: &Column) -> (&'static str, Value) {
    match column {
        Column::Position(all) => ("position", numbers(all.as_flattened())),
        Column::WorldPosition(all) => ("worldPosition", numbers(all.as_flattened())),
        Column::Radius(all) => ("radius", numbers(all)),
        Column::Age(all) => ("age", numbers(all)),
        Column::Speed(all) => ("speed", numbers(all)),
        Column::Benefit(all) => ("benefit", numbers(all)),
        Column::Forced(all) => ("forced", numbers(all)),
        Column::Visible(all) => ("visible", json!(all)),
        Column::Key(all) => ("key", all.iter().map(u64::to_string).collect()),
    }
}
