//! The actors of a TOML scene.

use std::collections::HashMap;

use lodger_core::benefit::State;
use lodger_core::budget::Lod;
use lodger_core::error::{Error as Refusal, Problem, Quantity};
use lodger_core::{Benefit, Real as _};
use lodger_scheduler::{Actor, ModuleId, SceneError};

use super::raw::{RawActor, RawModule, RawScene};
use crate::error::{Error, ErrorKind};
use crate::ladder::LadderSource;
use crate::limits::Limits;
use crate::number::{narrow, place};
use crate::place::Subject;
use crate::scene_file::{NamedActor, SceneFile};
use crate::text::nearest;
use crate::warning::{Warning, WarningKind};
use crate::work::WorkError;

/// More module names than this are not listed in a message.
const MOST_NAMES: usize = 8;

/// Spawns all actors; what is odd but possible is added to the warnings.
pub(super) fn spawn_all(
    file: &mut SceneFile,
    raw: &RawScene,
    is_seen: bool,
    limits: Limits,
) -> Result<(), Error> {
    let modules = file.modules.iter().zip(&raw.module);
    let by_name: HashMap<&str, (ModuleId, &RawModule)> =
        modules.map(|(named, raw)| (raw.name.as_str(), (named.id, raw))).collect();
    file.actors.reserve(raw.actor.len());
    for (index, actor) in raw.actor.iter().enumerate() {
        let subject = Subject::Actor(index);
        let &(module, of) = by_name
            .get(actor.module.as_str())
            .ok_or_else(|| no_such_module(subject, &actor.module, &raw.module))?;
        check_benefit(subject, actor)?;
        let spawned = describe(actor).map_err(SceneError::from);
        let spawned = spawned.and_then(|actor| file.scene.spawn(module, actor));
        let id = spawned.map_err(|error| refused(subject, actor, of.unit_cost_ms, error))?;
        if actor.position.is_some() && !is_seen {
            return Err(no_view(subject));
        }
        for warning in warnings(subject, actor, of) {
            file.warn(warning, limits.warnings);
        }
        let (name, ladder) = (actor.name.clone(), LadderSource::File);
        file.actors.push(NamedActor { id, module, name, ladder });
    }
    Ok(())
}

/// An actor has either a benefit or all that it is computed from.
fn check_benefit(subject: Subject, raw: &RawActor) -> Result<(), Error> {
    let sight = [
        ("position", raw.position.is_some()),
        ("radius", raw.radius.is_some()),
        ("age", raw.age.is_some()),
        ("speed", raw.speed.is_some()),
    ];
    if raw.benefit.is_some() {
        let Some((key, _)) = sight.into_iter().find(|(_, present)| *present) else { return Ok(()) };
        let help = format!("remove `{key}`, or remove `benefit` to have it computed");
        return Err(Error::new(ErrorKind::BesideBenefit, subject, key).with_help(help));
    }
    match sight[..2].iter().find(|(_, present)| !*present) {
        Some((missing, _)) => Err(Error::new(ErrorKind::NoBenefit, subject, *missing)),
        None => Ok(()),
    }
}

/// The actor as the scene takes it. Age and speed may turn bad in a frame, but not in a file.
fn describe(raw: &RawActor) -> Result<Actor<'_, f32>, Refusal> {
    let mut actor = match (raw.benefit, raw.position, raw.radius) {
        (None, Some(position), Some(radius)) => {
            let age = narrow(raw.age.unwrap_or(0.0), Quantity::Age)?;
            let speed = narrow(raw.speed.unwrap_or(0.0), Quantity::Speed)?;
            let state = State {
                position: place(position.0)?,
                age: age.finite(Quantity::Age)?,
                speed: speed.not_negative(Quantity::Speed)?,
            };
            Actor::in_state(state, narrow(radius, Quantity::Radius)?, &raw.work)
        }
        (benefit, ..) => Actor::given(Benefit::new(benefit.unwrap_or(0.0))?, &raw.work),
    };
    if let Some(range) = raw.lod_range {
        let [lowest, highest] = range.0;
        let level = |level| {
            u8::try_from(level).map_err(|_| Refusal::new(Quantity::LodRange, Problem::TooLarge))
        };
        actor = actor.lod_range(level(lowest)?..=level(highest)?);
    }
    if let Some(lod) = raw.force_lod {
        actor = actor.forced(Lod::from_f64(lod.finite(Quantity::Lod)?)?);
    }
    Ok(actor)
}

/// Says in the words of the file what was refused.
fn refused(subject: Subject, raw: &RawActor, unit_cost_ms: f64, error: SceneError) -> Error {
    let whole = || Error::refused(subject, format!("actor `{}`", raw.name), error);
    let Some(refusal) = error.refused() else { return whole() };
    if let Some(error) = WorkError::find(refusal, &raw.work, unit_cost_ms) {
        return Error::new(ErrorKind::Work(error), subject, "work");
    }
    if let (Quantity::LodRange, Some(range)) = (refusal.quantity(), raw.lod_range) {
        let [lowest, highest] = range.0;
        let kind = if lowest > highest {
            ErrorKind::RangeReversed { lowest, highest }
        } else {
            ErrorKind::RangeBeyond { highest, top: raw.work.len().saturating_sub(1) }
        };
        return Error::new(kind, subject, "lod_range")
            .with_help("write `lod_range = [lowest, highest]`");
    }
    let number = match (refusal.quantity(), refusal.problem()) {
        (_, Problem::TooLarge | Problem::TooSmall) => None,
        (Quantity::Benefit, _) => raw.benefit.map(|value| ("benefit", value)),
        (Quantity::Radius, _) => raw.radius.map(|value| ("radius", value)),
        (Quantity::Age, _) => raw.age.map(|value| ("age", value)),
        (Quantity::Speed, _) => raw.speed.map(|value| ("speed", value)),
        (Quantity::Lod, _) => raw.force_lod.map(|value| ("force_lod", value)),
        _ => None,
    };
    number.map_or_else(whole, |(key, value)| Error::number(subject, key, value, refusal))
}

/// What is odd about an actor that the scene took.
fn warnings(subject: Subject, raw: &RawActor, module: &RawModule) -> impl Iterator<Item = Warning> {
    let is_nowhere =
        raw.position.is_some_and(|position| !position.0.iter().all(|along| along.is_finite()));
    let nowhere = is_nowhere.then(|| WarningKind::NoPlace { name: raw.name.clone() });
    let clamped = raw.force_lod.and_then(|lod| clamped(lod, raw, module.continuous));
    nowhere.into_iter().chain(clamped).map(move |kind| Warning::new(kind, subject))
}

fn clamped(lod: f64, raw: &RawActor, continuous: bool) -> Option<WarningKind> {
    let top = u32::try_from(raw.work.len().saturating_sub(1)).ok()?;
    let [lowest, highest] = raw.lod_range.map_or([0, top], |range| range.0);
    let asked = if continuous { lod } else { (lod + 0.5).floor() };
    let is_outside = asked < f64::from(lowest) || asked > f64::from(highest);
    is_outside.then_some(WarningKind::Clamped { lod, lowest, highest })
}

fn no_view(subject: Subject) -> Error {
    Error::new(ErrorKind::NoView, subject, "position")
        .with_help("add `[[view]]` with `eye = [x, y, z]`, or give every actor its `benefit`")
}

fn no_such_module(subject: Subject, name: &str, modules: &[RawModule]) -> Error {
    let names = || modules.iter().map(|m| m.name.as_str());
    let help = match nearest(name, names()) {
        Some(nearest) => format!("did you mean `{nearest}`?"),
        None if modules.is_empty() => {
            "add a [[module]] with `name`, `unit_cost_ms` and `benefit_value`".to_owned()
        }
        None => {
            let listed: Vec<_> = names().take(MOST_NAMES).map(|n| format!("`{n}`")).collect();
            let more = if modules.len() > MOST_NAMES { " and more" } else { "" };
            format!("the scene has {}{more}", listed.join(", "))
        }
    };
    Error::new(ErrorKind::NoSuchModule { name: name.to_owned() }, subject, "module").with_help(help)
}
