//! The actors of a TOML scene.

use std::collections::HashMap;
use std::sync::Arc;

use lodger_allowance::Allowance;
use lodger_core::benefit::State;
use lodger_core::budget::{LodControl, Quality};
use lodger_core::error::{Error as Refusal, Problem, Quantity};
use lodger_core::{Benefit, Real as _};
use lodger_scheduler::{Actor, ModuleId, SceneError};

use super::raw::{RawActor, RawModule, RawScene};
use crate::error::{Error, ErrorKind};
use crate::ladder::LadderSource;
use crate::limits::Limits;
use crate::memory::Memory;
use crate::names;
use crate::number::{narrow, place};
use crate::place::Subject;
use crate::quality::{QualityError, qualities};
use crate::scene_file::{NamedActor, SceneFile};
use crate::text::nearest;
use crate::unit::Unit;
use crate::warning::{Warning, WarningKind};
use crate::work::WorkError;
use lodger_gltf::clipped;

/// More module names than this are not listed in a message.
const MOST_NAMES: usize = 8;

/// What actors are made from, and where they go.
pub(super) struct Cast<'a, 'm> {
    pub(super) file: &'a mut SceneFile,
    pub(super) raw: &'a RawScene,
    pub(super) limits: Limits,
    pub(super) memory: &'a mut Memory<'m>,
}

impl<'a> Cast<'a, '_> {
    /// Spawns all actors; what is odd but possible is added to the warnings. All are parsed, and their
    /// names compared, before one is refused.
    pub(super) fn spawn_all(
        mut self,
        actors: impl Iterator<Item = Result<RawActor, Error>>,
        allowance: &Allowance,
    ) -> Result<(), Error> {
        let modules = self.file.modules.iter().zip(&self.raw.module);
        let by_name: HashMap<&str, (ModuleId, &RawModule)> =
            modules.map(|(named, raw)| (raw.name.as_str(), (named.id, raw))).collect();
        let mut names: Vec<Arc<str>> = Vec::new();
        let mut refused = None;
        for (index, actor) in actors.enumerate() {
            let actor = actor?;
            let name = self.memory.actor(&actor.name)?;
            names.push(Arc::clone(&name));
            if refused.is_none() {
                refused = self.spawn(index, &actor, name, &by_name).err();
            }
        }
        let called = ("actor", Subject::Actor as fn(usize) -> Subject);
        names::unique(names.len(), |index| &names[index], called, allowance)?;
        refused.map_or(Ok(()), Err)
    }

    fn spawn(
        &mut self,
        index: usize,
        actor: &RawActor,
        name: Arc<str>,
        by_name: &HashMap<&str, (ModuleId, &'a RawModule)>,
    ) -> Result<(), Error> {
        let subject = Subject::Actor(index);
        let &(module, of) = by_name
            .get(actor.module.as_str())
            .ok_or_else(|| no_such_module(subject, &actor.module, self.raw))?;
        check_benefit(subject, actor)?;
        let range = actor.lod_range.map(|range| range.0);
        let levels = actor.work.len() + actor.quality.as_ref().map_or(0, Vec::len);
        let qualities = actor.quality.as_deref().map(qualities).transpose();
        let qualities =
            qualities.map_err(|error| Error::new(ErrorKind::Quality(error), subject, "quality"))?;
        self.memory.ladder(levels, (module, range, &actor.work, &qualities))?;
        let spawned = describe(actor, qualities.as_deref()).map_err(SceneError::from);
        let spawned = spawned.and_then(|actor| self.file.scene.spawn(module, actor));
        let unit = &self.file.unit;
        let id = spawned.map_err(|error| refused(subject, actor, (of, unit), error))?;
        let is_seen = self.file.scene.views().next().is_some();
        if actor.position.is_some() && !is_seen {
            return Err(no_view(subject));
        }
        for warning in warnings(subject, actor, of) {
            self.file.warn(warning, self.limits.warnings);
        }
        self.file.actors.push(NamedActor {
            id,
            module,
            name,
            ladder: LadderSource::File,
            file_levels: None,
        });
        Ok(())
    }
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
fn describe<'a>(
    raw: &'a RawActor,
    qualities: Option<&'a [Quality]>,
) -> Result<Actor<'a, f32>, Refusal> {
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
    if let Some(qualities) = qualities {
        actor = actor.qualities(qualities);
    }
    if let Some(lod) = raw.force_lod
        && let LodControl::Forced(lod) = LodControl::from_number(lod.finite(Quantity::Lod)?)?
    {
        actor = actor.forced(lod);
    }
    Ok(actor)
}

/// Says in the words of the file what was refused.
fn refused(
    subject: Subject,
    raw: &RawActor,
    (module, unit): (&RawModule, &Unit),
    error: SceneError,
) -> Error {
    let whole = || Error::refused(subject, format!("actor `{}`", clipped(&raw.name)), error);
    let Some(refusal) = error.refused() else { return whole() };
    let unit_cost = module.unit_cost_ms.or(module.unit_cost).unwrap_or(1.0);
    if let Some(error) = WorkError::find(refusal, &raw.work, unit, unit_cost) {
        return Error::new(ErrorKind::Work(error), subject, "work");
    }
    if refusal.quantity() == Quantity::Quality {
        let (key, error) = count(raw, module);
        return Error::new(ErrorKind::Quality(error), subject, key);
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

/// That an actor has another number of levels than are said how good they are.
fn count(raw: &RawActor, module: &RawModule) -> (&'static str, QualityError) {
    let (of_module, levels) = (module.quality.as_ref().map_or(0, Vec::len), raw.work.len());
    match &raw.quality {
        Some(own) => ("quality", QualityError::Count { qualities: own.len(), levels }),
        None => ("work", QualityError::CountOfModule { qualities: of_module, levels }),
    }
}

/// What is odd about an actor that the scene took.
fn warnings(subject: Subject, raw: &RawActor, module: &RawModule) -> impl Iterator<Item = Warning> {
    let is_nowhere =
        raw.position.is_some_and(|position| !position.0.iter().all(|along| along.is_finite()));
    let nowhere =
        is_nowhere.then(|| WarningKind::NoPlace { name: clipped(&raw.name).into_owned() });
    let forced = raw.force_lod.filter(|&lod| lod >= 0.0);
    let clamped = forced.and_then(|lod| clamped(lod, raw, module.continuous));
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

fn no_such_module(subject: Subject, name: &str, raw: &RawScene) -> Error {
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
                names().take(MOST_NAMES).map(|n| format!("`{}`", clipped(n))).collect();
            let more = if modules.len() > MOST_NAMES { " and more" } else { "" };
            format!("the scene has {}{more}", listed.join(", "))
        }
    };
    let name = clipped(name).into_owned();
    Error::new(ErrorKind::NoSuchModule { name }, subject, "module").with_help(help)
}
