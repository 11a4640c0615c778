//! The actors of a TOML scene.

use std::collections::HashMap;
use std::sync::Arc;

use lodger_core::benefit::{ActorState, Priority};
use lodger_core::budget::{LodControl, Quality, QualityCurve};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::{Benefit, Real as _};
use lodger_gltf::ellipsized;
use lodger_scheduler::{Actor, ModuleId, SceneError};

use super::quality::{RawQuality, qualities};
use super::{RawActor, RawModule, RawScene};
use crate::builder::{ActorLevels, Builder, check_unique};
use crate::error::{SceneFileError, SceneFileErrorKind, Warning};
use crate::numbers::{CostUnit, narrow, place, refused_work};
use crate::scene_file::LadderSource;
use crate::spans::Subject;
use crate::toml_text::{Tables, nearest};

const MAX_NAMES: usize = 8;

type ModulesByName<'a> = HashMap<&'a str, (ModuleId, &'a RawModule)>;

/// Parses all actors and compares their names before it rejects one.
pub(super) fn spawn_all(
    builder: &mut Builder<'_>,
    raw: &RawScene,
    actors: Tables<'_, RawActor>,
) -> Result<(), SceneFileError> {
    let modules = builder.file.modules.iter().zip(&raw.module);
    let modules: ModulesByName<'_> =
        modules.map(|(named, raw)| (raw.name.as_str(), (named.id, raw))).collect();
    let mut names: Vec<Arc<str>> = Vec::new();
    let mut rejected = None;
    for (index, actor) in actors.enumerate() {
        let actor = actor?;
        let name = builder.actor_name(&actor.name)?;
        names.push(Arc::clone(&name));
        if rejected.is_none() {
            let subject = Subject::Actor(index);
            rejected = match modules.get(actor.module.as_str()) {
                Some(&module) => spawn(builder, subject, &actor, name, module).err(),
                None => Some(no_such_module(subject, &actor.module, raw)),
            };
        }
    }
    let called = ("actor", Subject::Actor as fn(usize) -> Subject);
    check_unique(names.len(), |index| &names[index], called, builder.quota)?;
    rejected.map_or(Ok(()), Err)
}

fn spawn(
    builder: &mut Builder<'_>,
    subject: Subject,
    actor: &RawActor,
    name: Arc<str>,
    (module, of): (ModuleId, &RawModule),
) -> Result<(), SceneFileError> {
    check_benefit(subject, actor)?;
    let qualities = match &actor.quality {
        Some(RawQuality::Table(table)) => Some(qualities(table, subject)?),
        Some(RawQuality::Curve(curve)) => Some(of_curve(*curve, actor.work.len())),
        None => None,
    };
    let qualities = qualities.as_deref();
    let levels = ActorLevels {
        work: &actor.work,
        qualities,
        range: actor.lod_range.map(|range| range.0),
        source: LadderSource::File,
        in_file: None,
    };
    builder.spawn(module, name, to_actor(actor, qualities), levels, |file, error| {
        refused(subject, actor, (of, &file.unit), error)
    })?;
    if actor.position.is_some() && builder.file.scene.views().next().is_none() {
        return Err(no_view(subject));
    }
    let is_nowhere =
        actor.position.is_some_and(|position| !position.0.iter().all(|along| along.is_finite()));
    if is_nowhere {
        builder.warn(Warning::no_place(&ellipsized(&actor.name), subject));
    }
    let forced = actor.force_lod.filter(|&lod| lod >= 0.0);
    if let Some(message) = forced.and_then(|lod| clamped(lod, actor, of.continuous)) {
        builder.warn(Warning::new(message, subject).with_key("force_lod"));
    }
    Ok(())
}

/// The qualities of levels; more than 256 are an error of the work.
fn of_curve(curve: QualityCurve, levels: usize) -> Vec<Quality> {
    let count = u16::try_from(levels).unwrap_or(u16::MAX);
    (0..=u8::MAX).take(levels).map(|level| curve.quality(level, count)).collect()
}

/// Checks that an actor has either a benefit or the inputs of a benefit rule.
fn check_benefit(subject: Subject, raw: &RawActor) -> Result<(), SceneFileError> {
    let inputs = [
        ("position", raw.position.is_some()),
        ("radius", raw.radius.is_some()),
        ("age", raw.age.is_some()),
        ("speed", raw.speed.is_some()),
    ];
    if raw.benefit.is_some() {
        let Some((key, _)) = inputs.into_iter().find(|(_, present)| *present) else {
            return Ok(());
        };
        let help = format!("remove `{key}`, or remove `benefit` to have it computed");
        let message = format!("an actor with `benefit` cannot have `{key}`");
        return Err(SceneFileError::new(message, subject, key).with_help(help));
    }
    match inputs[..2].iter().find(|(_, present)| !*present) {
        Some((missing, _)) => {
            let needed = "an actor without `benefit` needs `position` and `radius`";
            Err(SceneFileError::new(format!("`{missing}` is missing: {needed}"), subject, *missing))
        }
        None => Ok(()),
    }
}

/// A file must have a valid age and speed; a running game may not.
fn to_actor<'a>(
    raw: &'a RawActor,
    qualities: Option<&'a [Quality]>,
) -> Result<Actor<'a, f32>, ValueError> {
    let mut actor = match (raw.benefit, raw.position, raw.radius) {
        (None, Some(position), Some(radius)) => {
            let age = narrow(raw.age.unwrap_or(0.0), Quantity::Age)?;
            let speed = narrow(raw.speed.unwrap_or(0.0), Quantity::Speed)?;
            let state = ActorState {
                position: place(position.0)?,
                age: age.finite(Quantity::Age)?,
                speed: speed.not_negative(Quantity::Speed)?,
            };
            Actor::from_state(state, narrow(radius, Quantity::Radius)?, &raw.work)
        }
        (benefit, ..) => Actor::from_benefit(Benefit::new(benefit.unwrap_or(0.0))?, &raw.work),
    };
    if let Some(range) = raw.lod_range {
        let [lowest, highest] = range.0;
        let level = |level| {
            u8::try_from(level)
                .map_err(|_| ValueError::new(Quantity::LodRange, ValueProblem::TooLarge))
        };
        actor = actor.lod_range(level(lowest)?..=level(highest)?);
    }
    if let Some(qualities) = qualities {
        actor = actor.qualities(qualities);
    }
    if let Some(priority) = raw.priority {
        actor = actor.priority(Priority::new(priority)?);
    }
    if let Some(lod) = raw.force_lod
        && let LodControl::Forced(lod) = LodControl::from_number(lod.finite(Quantity::Lod)?)?
    {
        actor = actor.forced(lod);
    }
    Ok(actor)
}

fn refused(
    subject: Subject,
    raw: &RawActor,
    (module, unit): (&RawModule, &CostUnit),
    error: SceneError,
) -> SceneFileError {
    let value_error = error.value_error();
    let whole = || {
        SceneFileError::refused(subject, format_args!("actor `{}`", ellipsized(&raw.name)), error)
    };
    let Some(refusal) = value_error else { return whole() };
    let unit_cost = module.unit_cost_ms.or(module.unit_cost).unwrap_or(1.0);
    if let Some(error) = refused_work(refusal, &raw.work, unit, unit_cost) {
        return SceneFileError::new(format!("`work` {error}"), subject, "work");
    }
    if refusal.quantity() == Quantity::Quality {
        let (key, error) = count(raw, module);
        return SceneFileError::new(format!("`{key}` {error}"), subject, key);
    }
    if let (Quantity::LodRange, Some(range)) = (refusal.quantity(), raw.lod_range) {
        let [lowest, highest] = range.0;
        let message = if lowest > highest {
            format!("`lod_range` begins at {lowest} and ends below, at {highest}")
        } else {
            let top = raw.work.len().saturating_sub(1);
            format!("`lod_range` ends at {highest}, but `work` has LODs 0 to {top} only")
        };
        return SceneFileError::new(message, subject, "lod_range")
            .with_help("write `lod_range = [lowest, highest]`");
    }
    let number = match (refusal.quantity(), refusal.problem()) {
        (Quantity::Priority, _) => raw.priority.map(|value| ("priority", value)),
        (_, ValueProblem::TooLarge | ValueProblem::TooSmall) => None,
        (Quantity::Benefit, _) => raw.benefit.map(|value| ("benefit", value)),
        (Quantity::Radius, _) => raw.radius.map(|value| ("radius", value)),
        (Quantity::Age, _) => raw.age.map(|value| ("age", value)),
        (Quantity::Speed, _) => raw.speed.map(|value| ("speed", value)),
        (Quantity::Lod, _) => raw.force_lod.map(|value| ("force_lod", value)),
        _ => None,
    };
    number.map_or_else(whole, |(key, value)| SceneFileError::number(subject, key, value, refusal))
}

/// The key and the message for an actor whose levels and qualities differ in number.
fn count(raw: &RawActor, module: &RawModule) -> (&'static str, String) {
    let table = |quality: &Option<RawQuality>| quality.as_ref().and_then(RawQuality::levels);
    let (of_module, levels) = (table(&module.quality).unwrap_or(0), raw.work.len());
    match table(&raw.quality) {
        Some(own) => ("quality", format!("is of {own} LODs, but `work` has {levels}")),
        None => (
            "work",
            format!(
                "has {levels} LODs, but the `quality` of the module is of {of_module}: give the actor \
                 its own"
            ),
        ),
    }
}

fn clamped(lod: f64, raw: &RawActor, continuous: bool) -> Option<String> {
    let top = u32::try_from(raw.work.len().saturating_sub(1)).ok()?;
    let [lowest, highest] = raw.lod_range.map_or([0, top], |range| range.0);
    let level = if continuous { lod } else { (lod + 0.5).floor() };
    let is_outside = level < f64::from(lowest) || level > f64::from(highest);
    is_outside.then(|| {
        let range = format!("the LODs {lowest} to {highest}");
        format!("`force_lod` {lod} is outside {range} and is clamped")
    })
}

fn no_view(subject: Subject) -> SceneFileError {
    SceneFileError::new("the scene has no view to see this actor from", subject, "position")
        .of_kind(SceneFileErrorKind::NoView)
        .with_help("add `[[view]]` with `eye = [x, y, z]`, or give every actor its `benefit`")
}

fn no_such_module(subject: Subject, name: &str, raw: &RawScene) -> SceneFileError {
    let modules = &raw.module;
    let names = || modules.iter().map(|m| m.name.as_str());
    let help = match nearest(name, names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if modules.is_empty() && raw.unit.is_some() => {
            "add a [[module]] with this `name`".to_owned()
        }
        None if modules.is_empty() => {
            "add a [[module]] with `name`, `unit_cost_ms` and `benefit_value`".to_owned()
        }
        None => {
            let listed: Vec<_> =
                names().take(MAX_NAMES).map(|n| format!("`{}`", ellipsized(n))).collect();
            let more = if modules.len() > MAX_NAMES { " and more" } else { "" };
            format!("the scene has {}{more}", listed.join(", "))
        }
    };
    let message = format!("there is no module called `{}`", ellipsized(name));
    SceneFileError::new(message, subject, "module").with_help(help)
}
