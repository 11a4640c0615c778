//! Reads a TOML scene and checks everything that only the file can place.

mod actor;
mod module;
mod raw;

use std::sync::Arc;

use super::toml_file::number::{self, Allowed};
use super::toml_file::text;
use super::{Loaded, MOST_WARNINGS, unsaid_warnings};
use crate::mistake::{Mistake, locate_all};
use crate::scene::{ActorDescription, BenefitSource, Overrides, SceneDescription};
use crate::source::Subject;
use lodger_terminal::Source;
use lodger_terminal::{Diagnostic, Severity};
use raw::RawScene;

/// What a file should have been that is none.
const WANTED: &str = "a scene is a TOML file in UTF-8, or a .glb or .gltf file";

/// Reads a scene from the bytes of a file.
pub(crate) fn read(
    name: String,
    bytes: Vec<u8>,
    overrides: Overrides,
) -> Result<Loaded, Diagnostic> {
    let text = text::decode(&name, bytes, WANTED)?;
    let source = Source { name, text: Some(Arc::from(text)) };
    let raw = text::parse(&source)?;
    let mut warnings = Vec::new();
    let scene = build(raw, &source, overrides, &mut warnings)
        .map_err(|mistake| mistake.locate(Severity::Error, &source))?;
    Ok((scene, remarks(&source, warnings)))
}

fn build(
    raw: RawScene,
    source: &Source,
    overrides: Overrides,
    warnings: &mut Vec<Mistake>,
) -> Result<SceneDescription, Mistake> {
    if let Some(budget_ms) = raw.budget_ms {
        number::check(Subject::Scene, "budget_ms", budget_ms, Allowed::NotNegativeOrInfinite)?;
    }
    let mut views = Vec::with_capacity(raw.view.len());
    for (index, view) in raw.view.iter().enumerate() {
        for component in view.eye.0 {
            number::check(Subject::View(index), "eye", component, Allowed::Finite)?;
        }
        views.push(view.eye.0);
    }
    let modules = module::build_all(raw.module)?;
    let actors = actor::build_all(raw.actor, &modules, warnings)?;
    let budget_ms = overrides.budget_ms.or(raw.budget_ms).ok_or_else(|| {
        Mistake::new(Subject::Scene, "budget_ms", "the scene has no `budget_ms`").help(
            "write `budget_ms = 16.6` (milliseconds; `inf` is unlimited) above the first table, \
             or give --budget-ms",
        )
    })?;
    let views = overrides.eye.map_or(views, |eye| vec![eye]);
    require_view(&views, &actors)?;
    Ok(SceneDescription {
        budget_ms,
        count_unmanaged: raw.count_unmanaged,
        views,
        modules,
        actors,
        source: source.clone(),
        overrides,
    })
}

fn require_view(views: &[[f64; 3]], actors: &[ActorDescription]) -> Result<(), Mistake> {
    let observed =
        |actor: &ActorDescription| matches!(actor.benefit, BenefitSource::Observed { .. });
    match actors.iter().position(observed) {
        Some(index) if views.is_empty() => Err(Mistake::new(
            Subject::Actor(index),
            "position",
            "the scene has no view to see this actor from",
        )
        .help(
            "add `[[view]]` with `eye = [x, y, z]`, or give --eye X,Y,Z, \
                 or give every actor its `benefit`",
        )),
        _ => Ok(()),
    }
}

fn remarks(source: &Source, mut warnings: Vec<Mistake>) -> Vec<Diagnostic> {
    let unsaid = warnings.len().saturating_sub(MOST_WARNINGS);
    warnings.truncate(MOST_WARNINGS);
    let mut remarks = locate_all(Severity::Warning, source, warnings);
    if unsaid > 0 {
        remarks.push(unsaid_warnings(unsaid, source));
    }
    remarks
}
