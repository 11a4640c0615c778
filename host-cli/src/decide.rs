//! The deciding: from a scene to a plan.

use crate::mistake::Mistake;
use crate::report::{ActorReport, Control, Leftovers, ModuleReport, Policy, Report};
use crate::scene::{BenefitSource, SceneDescription};

/// Decides every actor's LOD.
///
/// TEMPORARY: every actor at its lowest LOD and no shares, until the scheduler does it.
#[expect(clippy::unnecessary_wraps, reason = "the scheduler will refuse some scenes")]
pub(crate) fn decide(scene: &SceneDescription, leftovers: Leftovers) -> Result<Report, Mistake> {
    let actors: Vec<_> = scene.actors.iter().map(|a| at_lowest(scene, a)).collect();
    let assigned_ms: f64 = actors.iter().map(|a| a.cost_ms).sum();
    let modules = scene.modules.iter().map(|module| ModuleReport {
        name: module.name.clone(),
        enabled: module.enabled,
        benefit: 0.0,
        target_ms: 0.0,
        assigned_ms: actors.iter().filter(|a| a.module == module.name).map(|a| a.cost_ms).sum(),
    });
    let overcommit_ms = (assigned_ms - scene.budget_ms).max(0.0);
    Ok(Report {
        schema: 1,
        budget_ms: scene.budget_ms,
        policy: Policy::Proportional,
        leftovers,
        scale: 0.0,
        feasible: overcommit_ms <= 0.0,
        overcommit_ms,
        fixed_ms: 0.0,
        assigned_ms,
        quarantined: 0,
        modules: modules.collect(),
        actors,
    })
}

fn at_lowest(scene: &SceneDescription, actor: &crate::scene::ActorDescription) -> ActorReport {
    let module = &scene.modules[actor.module];
    let lod = actor.lod_range.map_or(0, |[lowest, _]| lowest);
    let control = match (actor.force_lod, module.enabled) {
        (Some(_), _) => Control::Forced,
        (None, true) => Control::Automatic,
        (None, false) => Control::Unmanaged,
    };
    ActorReport {
        name: actor.name.clone(),
        module: module.name.clone(),
        benefit: match actor.benefit {
            BenefitSource::Given(benefit) => benefit,
            BenefitSource::Observed { .. } => 0.0,
        },
        share_ms: (control == Control::Automatic).then_some(0.0),
        lod: f64::from(lod),
        cost_ms: module.unit_cost_ms * f64::from(actor.work[usize::from(lod)]),
        control,
        reason: "nothing is decided yet".into(),
    }
}
