//! The naive ledger, as it has always been, over the columns of many actors.

use lodger_core::budget::{Decision, Leftovers, Policy, Request};
use lodger_core::calibration::Headroom;
use lodger_tests::oracle::ledger as oracle;

use super::crowds::Module;
use super::walks::Outcome;

/// What the naive ledger calls these leftovers.
pub fn leftovers(leftovers: Leftovers) -> oracle::Leftovers {
    match leftovers {
        Leftovers::Keep => oracle::Leftovers::Keep,
        Leftovers::WithinModule => oracle::Leftovers::WithinModule,
        Leftovers::AcrossModules => oracle::Leftovers::AcrossModules,
        Leftovers::WholeBudget => oracle::Leftovers::WholeBudget,
    }
}

/// A scene for the naive ledger, if it knows of all that is asked for.
fn scene(modules: &[Module], request: &Request) -> Option<oracle::Scene> {
    let Policy::Proportional(who) = request.policy else { return None };
    if request.headroom > Headroom::NONE || request.counts_past() {
        return None;
    }
    let mut scene = oracle::Scene {
        budget_ns: request.budget.ns(),
        count_unmanaged: true,
        leftovers: leftovers(who),
        modules: Vec::new(),
        actors: Vec::new(),
    };
    for (number, module) in modules.iter().enumerate() {
        scene.modules.push(oracle::Module {
            enabled: true,
            continuous: module.continuous,
            benefit_value_ns: module.value.ns(),
        });
        let account = module.account();
        for row in 0..module.rows() {
            let ladder = account.ladder_of(row);
            let mut costs = vec![ladder.minimum(); ladder.lowest().into()];
            costs.extend_from_slice(ladder.costs());
            scene.actors.push(oracle::Actor {
                id: module.ids[row],
                module: number,
                benefit: module.benefits[row].bits(),
                costs,
                range: (ladder.lowest(), ladder.highest()),
                forced: None,
            });
        }
    }
    // Somebody whom nobody decides for takes what is paid first.
    let unmanaged = oracle::Module { enabled: false, continuous: false, benefit_value_ns: 1 };
    scene.actors.push(oracle::Actor {
        id: u32::MAX,
        module: scene.modules.len(),
        benefit: 0,
        costs: vec![u32::try_from(request.fixed).ok()?],
        range: (0, 0),
        forced: None,
    });
    scene.modules.push(unmanaged);
    Some(scene)
}

/// Holds a decision against the naive ledger; returns whether there was anything to hold it against.
///
/// # Errors
/// What differs.
pub fn check(
    modules: &[Module],
    request: &Request,
    decision: &Decision,
    outcomes: &[Outcome],
) -> Result<bool, String> {
    let Some(scene) = scene(modules, request) else { return Ok(false) };
    let plan = oracle::plan(&scene);
    let expected = (plan.scale, plan.overcommit_ns, plan.assigned_ns);
    let found = (decision.scale.bits(), decision.overcommit, request.fixed + decision.assigned);
    if expected != found {
        return Err(format!("scale, overcommit and cost: {found:?}, but naively {expected:?}"));
    }
    let lods =
        outcomes.iter().flat_map(|outcome| (0..outcome.levels.len()).map(|row| outcome.lod(row)));
    let lods = lods.map(|lod| u32::from(lod.level()) << 16 | u32::from(lod.fraction()));
    match lods.zip(&plan.outcomes).position(|(lod, outcome)| lod != outcome.lod) {
        Some(row) => Err(format!("the LOD of row {row} is naively {:?}", plan.outcomes[row])),
        None => Ok(true),
    }
}
