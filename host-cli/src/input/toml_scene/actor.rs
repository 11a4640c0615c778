//! The actors of a TOML scene.

use std::collections::HashMap;

use super::raw::RawActor;
use crate::input::ladder;
use crate::input::toml_file::number::{Allowed, check};
use crate::input::toml_file::text::nearest;
use crate::input::toml_file::unique_names;
use crate::mistake::Mistake;
use crate::scene::{ActorDescription, BenefitSource, ModuleDescription};
use crate::source::Subject;

/// More module names than this are not listed in a message.
const MOST_NAMES: usize = 8;

/// Checks all actors; what is odd but possible is added to the warnings.
pub(super) fn build_all(
    raw: Vec<RawActor>,
    modules: &[ModuleDescription],
    warnings: &mut Vec<Mistake>,
) -> Result<Vec<ActorDescription>, Mistake> {
    unique_names(raw.iter().map(|a| a.name.as_str()), "actor", Subject::Actor)?;
    let by_name: HashMap<_, _> =
        modules.iter().enumerate().map(|(index, module)| (module.name.as_str(), index)).collect();
    let mut actors = Vec::with_capacity(raw.len());
    for (index, actor) in raw.into_iter().enumerate() {
        let subject = Subject::Actor(index);
        let module = *by_name
            .get(actor.module.as_str())
            .ok_or_else(|| no_such_module(subject, &actor.module, modules))?;
        actors.push(build(subject, actor, module, modules, warnings)?);
    }
    Ok(actors)
}

fn build(
    subject: Subject,
    raw: RawActor,
    module: usize,
    modules: &[ModuleDescription],
    warnings: &mut Vec<Mistake>,
) -> Result<ActorDescription, Mistake> {
    let benefit = benefit(subject, &raw, warnings)?;
    if let Err(message) = ladder::check(&raw.work, modules[module].unit_cost_ms) {
        return Err(Mistake::new(subject, "work", format!("`work` {message}")));
    }
    let lod_range = match raw.lod_range {
        Some(range) => Some(lod_range(subject, range.0, raw.work.len())?),
        None => None,
    };
    if let Some(lod) = raw.force_lod {
        check(subject, "force_lod", lod, Allowed::NotNegative)?;
        let [min, max] = lod_range.map_or([0, raw.work.len() - 1], |r| r.map(usize::from));
        let used = if modules[module].continuous { lod } else { (lod + 0.5).floor() };
        warn_if_clamped(subject, lod, used, [min, max], warnings);
    }
    Ok(ActorDescription {
        name: raw.name,
        module,
        benefit,
        work: raw.work,
        lod_range,
        force_lod: raw.force_lod,
    })
}

fn benefit(
    subject: Subject,
    raw: &RawActor,
    warnings: &mut Vec<Mistake>,
) -> Result<BenefitSource, Mistake> {
    let observed = [
        ("position", raw.position.is_some()),
        ("radius", raw.radius.is_some()),
        ("age", raw.age.is_some()),
        ("speed", raw.speed.is_some()),
    ];
    if let Some(benefit) = raw.benefit {
        check(subject, "benefit", benefit, Allowed::NotNegative)?;
        if let Some((field, _)) = observed.iter().find(|(_, present)| *present) {
            let message = format!("an actor with `benefit` cannot have `{field}`");
            let help = format!("remove `{field}`, or remove `benefit` to have it computed");
            return Err(Mistake::new(subject, field, message).help(help));
        }
        return Ok(BenefitSource::Given(benefit));
    }
    let (Some(position), Some(radius)) = (raw.position, raw.radius) else {
        let missing = if raw.position.is_none() { "position" } else { "radius" };
        let message = format!(
            "`{missing}` is missing: an actor without `benefit` needs `position` and `radius`"
        );
        return Err(Mistake::new(subject, missing, message));
    };
    let (age, speed) = (raw.age.unwrap_or(0.0), raw.speed.unwrap_or(0.0));
    check(subject, "radius", radius, Allowed::NotNegative)?;
    check(subject, "age", age, Allowed::Finite)?;
    check(subject, "speed", speed, Allowed::NotNegative)?;
    if !position.0.iter().all(|c| c.is_finite()) {
        let message = "this position is not finite: the actor is quarantined at its lowest LOD";
        warnings.push(Mistake::new(subject, "position", message));
    }
    Ok(BenefitSource::Observed { position: position.0, radius, age, speed })
}

fn lod_range(subject: Subject, range: [u32; 2], levels: usize) -> Result<[u8; 2], Mistake> {
    let [min, max] = range;
    let highest = levels - 1;
    let message = if min > max {
        format!("`lod_range` begins at {min} and ends below, at {max}")
    } else {
        match (u8::try_from(min), u8::try_from(max)) {
            (Ok(min), Ok(max)) if usize::from(max) <= highest => return Ok([min, max]),
            _ => format!("`lod_range` ends at {max}, but `work` has LODs 0 to {highest} only"),
        }
    };
    Err(Mistake::new(subject, "lod_range", message).help("write `lod_range = [lowest, highest]`"))
}

#[expect(clippy::cast_precision_loss, reason = "an actor has at most 256 LODs")]
fn warn_if_clamped(
    subject: Subject,
    lod: f64,
    used: f64,
    [min, max]: [usize; 2],
    warnings: &mut Vec<Mistake>,
) {
    if used < min as f64 || used > max as f64 {
        let message =
            format!("`force_lod` {lod} is outside the LODs {min} to {max} and is clamped");
        warnings.push(Mistake::new(subject, "force_lod", message));
    }
}

fn no_such_module(subject: Subject, name: &str, modules: &[ModuleDescription]) -> Mistake {
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
    let message = format!("there is no module called `{name}`");
    Mistake::new(subject, "module", message).help(help)
}
