//! The deciding: from a scene as described to a plan, by way of the scheduler.

use lodger_core::Benefit;
use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::budget::{self, Lod};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::importance;
use lodger_core::units::{BenefitValue, Budget, UnitCost, ms};
use lodger_scheduler::{Actor, Module, ModuleId, Plan, Scene, SceneError, View};

use crate::mistake::Mistake;
use crate::report::{ActorReport, Control, Leftovers, ModuleReport, Policy, Report};
use crate::scene::{
    ActorDescription, BenefitSource, DistanceImportance, ModuleDescription, SceneDescription,
};
use crate::source::Subject;

/// Decides every actor's LOD.
pub(crate) fn decide(scene: &SceneDescription, leftovers: Leftovers) -> Result<Report, Mistake> {
    let budget = Budget::from_ms(scene.budget_ms).map_err(|e| refused(Subject::Scene, e))?;
    let mut ledger = Scene::<f32>::new(budget);
    ledger.set_count_unmanaged(scene.count_unmanaged);
    ledger.set_leftovers(leftovers.into());
    for (index, eye) in scene.views.iter().enumerate() {
        let view = place(*eye).and_then(View::eye);
        let misplaced = |e: Error| Mistake::new(Subject::View(index), "eye", e.to_string());
        let added = ledger.add_view(view.map_err(misplaced)?);
        added.map_err(|e| rejected(Subject::View(index), e))?;
    }
    let mut modules = Vec::with_capacity(scene.modules.len());
    for (index, description) in scene.modules.iter().enumerate() {
        let added = module(description).map_err(SceneError::from);
        let added = added.and_then(|module| ledger.add_module(module));
        modules.push(added.map_err(|e| rejected(Subject::Module(index), e))?);
    }
    for (index, actor) in scene.actors.iter().enumerate() {
        spawn(&mut ledger, &modules, actor).map_err(|e| rejected(Subject::Actor(index), e))?;
    }
    Ok(report(scene, leftovers, ledger.tick()))
}

fn module(description: &ModuleDescription) -> Result<Module<f32>, Error> {
    let optional = |value: Option<f64>, quantity| value.map(|v| number(v, quantity)).transpose();
    let crate::scene::Weights { distance, age, speed } = description.weights;
    let weight = |value| number(value, Quantity::Weight);
    let rule = BenefitRule::new(BenefitTerms {
        distance_importance: description.distance_importance.into(),
        max_distance: optional(description.max_distance, Quantity::MaxDistance)?,
        weights: Weights::new(weight(distance)?, weight(age)?, weight(speed)?)?,
        bias: number(description.bias, Quantity::Bias)?,
        max_age: optional(description.max_age, Quantity::MaxAge)?,
        max_speed: optional(description.max_speed, Quantity::MaxSpeed)?,
    })?;
    let unit_cost = UnitCost::from_ms(description.unit_cost_ms)?;
    let value = BenefitValue::from_ms(description.benefit_value)?;
    Ok(Module::new(description.name.as_str(), unit_cost, value)
        .rule(rule)
        .managed(description.enabled)
        .continuous(description.continuous))
}

fn spawn(
    ledger: &mut Scene<f32>,
    modules: &[ModuleId],
    description: &ActorDescription,
) -> Result<(), SceneError> {
    let work = &description.work;
    let mut actor = match description.benefit {
        BenefitSource::Given(benefit) => Actor::given(Benefit::new(benefit)?, work),
        BenefitSource::Observed { position, radius, age, speed } => {
            let (position, radius) = (place(position)?, number(radius, Quantity::Radius)?);
            let age = number(age, Quantity::Age)?;
            let state = State { position, age, speed: number(speed, Quantity::Speed)? };
            Actor::in_state(state, radius, work)
        }
    };
    if let Some([lowest, highest]) = description.lod_range {
        actor = actor.lod_range(lowest..=highest);
    }
    if let Some(lod) = description.force_lod {
        actor = actor.forced(Lod::from_f64(lod)?);
    }
    ledger.spawn(modules[description.module], actor)?;
    Ok(())
}

fn report(scene: &SceneDescription, leftovers: Leftovers, plan: Plan<'_>) -> Report {
    let actors = scene.actors.iter().zip(plan.actors()).map(|(description, decided)| ActorReport {
        name: description.name.clone(),
        module: scene.modules[description.module].name.clone(),
        benefit: decided.benefit.to_f64(),
        share_ms: decided.share_ms(),
        lod: decided.lod.to_f64(),
        cost_ms: decided.cost_ms(),
        control: decided.control.into(),
        reason: decided.reason.to_string(),
    });
    let modules = plan.modules().map(|module| ModuleReport {
        name: module.name.to_owned(),
        enabled: module.managed,
        benefit: module.benefit,
        target_ms: module.target_ms(),
        assigned_ms: module.assigned_ms(),
    });
    Report {
        schema: 1,
        budget_ms: plan.budget().ns().map_or(f64::INFINITY, ms),
        policy: Policy::Proportional,
        leftovers,
        scale: plan.scale().to_f64(),
        feasible: plan.is_feasible(),
        overcommit_ms: ms(plan.overcommit_ns()),
        fixed_ms: ms(plan.fixed_ns()),
        assigned_ms: ms(plan.assigned_ns()),
        quarantined: plan.quarantined(),
        modules: modules.collect(),
        actors: actors.collect(),
    }
}

/// The number as the scheduler computes with it.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
fn lossy(value: f64) -> f32 {
    value as f32
}

/// The same, unless it becomes infinite on the way.
fn number_or_0(value: f64, quantity: Quantity) -> Result<f32, Error> {
    let narrow = lossy(value);
    if narrow.is_finite() { Ok(narrow) } else { Err(Error::new(quantity, Problem::TooLarge)) }
}

/// The same, unless it becomes infinite or 0 on the way.
fn number(value: f64, quantity: Quantity) -> Result<f32, Error> {
    match number_or_0(value, quantity) {
        Ok(narrow) if narrow == 0.0 && value != 0.0 => Err(Error::new(quantity, Problem::TooSmall)),
        result => result,
    }
}

/// A place. What is no number stays so: the actor will be quarantined, as its user was warned.
fn place(metres: [f64; 3]) -> Result<[f32; 3], Error> {
    let [x, y, z] = metres.map(|value| {
        if value.is_finite() { number_or_0(value, Quantity::Position) } else { Ok(lossy(value)) }
    });
    Ok([x?, y?, z?])
}

/// What is allowed where a number is too large.
const fn greatest(quantity: Quantity) -> &'static str {
    match quantity {
        Quantity::UnitCost | Quantity::BenefitValue => "it must be below 4294.97 ms",
        Quantity::Cost => "no level may cost 4.29 s or more",
        Quantity::Radius => "its square must fit a 32-bit float: stay below 1e19",
        _ => "it must fit a 32-bit float: stay below 3.4e38",
    }
}

fn refused(subject: Subject, error: Error) -> Mistake {
    let mistake = Mistake::new(subject, error.quantity().name(), error.to_string());
    match error.problem() {
        Problem::TooLarge => mistake.help(greatest(error.quantity())),
        _ => mistake,
    }
}

fn rejected(subject: Subject, error: SceneError) -> Mistake {
    match error.refused() {
        Some(error) => refused(subject, error),
        None => Mistake::new(subject, "name", error.to_string()),
    }
}

impl From<Leftovers> for budget::Leftovers {
    fn from(leftovers: Leftovers) -> Self {
        match leftovers {
            Leftovers::Keep => Self::Keep,
            Leftovers::WithinModule => Self::WithinModule,
            Leftovers::AcrossModules => Self::AcrossModules,
            Leftovers::WholeBudget => Self::WholeBudget,
        }
    }
}

impl From<DistanceImportance> for importance::DistanceImportance {
    fn from(importance: DistanceImportance) -> Self {
        match importance {
            DistanceImportance::SolidAngle => Self::SolidAngle,
            DistanceImportance::Angular => Self::Angular,
        }
    }
}

impl From<lodger_scheduler::Control> for Control {
    fn from(control: lodger_scheduler::Control) -> Self {
        match control {
            lodger_scheduler::Control::Automatic => Self::Automatic,
            lodger_scheduler::Control::Forced => Self::Forced,
            _ => Self::Unmanaged,
        }
    }
}
