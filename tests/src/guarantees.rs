//! The guarantees of every plan. The error of a check describes the first actor or sum that breaks the guarantee.

use crate::oracle::ledger::{
    Leftovers, Outcome, Plan, Scene, available, leftover_budgets, lod_cost_ns, total_minimum,
};

/// The assigned cost is the sum of its parts, and at most the budget or what reserved cost and minimums need.
///
/// # Errors
/// The wrong sum.
pub fn stays_within_budget(scene: &Scene, plan: &Plan) -> Result<(), String> {
    let assigned = u128::from(plan.assigned_ns);
    let pairs = scene.actors.iter().zip(&plan.outcomes);
    let automatic = pairs.filter(|(actor, _)| scene.is_automatic(actor));
    let spent: u128 = automatic.map(|(_, outcome)| u128::from(outcome.cost_ns)).sum();
    let parts = u128::from(plan.reserved_ns) + spent;
    if assigned != parts {
        return Err(format!("{assigned} ns are assigned, but the parts add up to {parts} ns"));
    }
    let needed = u128::from(plan.reserved_ns) + total_minimum(scene);
    match scene.budget_ns.map(|budget| needed.max(budget.into())) {
        Some(limit) if assigned > limit => {
            Err(format!("{assigned} ns are assigned, {limit} ns are allowed"))
        }
        _ => Ok(()),
    }
}

/// Every actor has a LOD of its range, a fraction only in a continuous module, and the cost of that LOD.
///
/// # Errors
/// The first actor that has not.
pub fn levels_are_valid(scene: &Scene, plan: &Plan) -> Result<(), String> {
    check_actors(scene, plan, |index, outcome| {
        let actor = &scene.actors[index];
        let (lowest, highest) = (u32::from(actor.range.0), u32::from(actor.range.1));
        let is_whole = outcome.lod.trailing_zeros() >= 16;
        let is_inside = (lowest << 16..=highest << 16).contains(&outcome.lod);
        is_inside
            && (is_whole || scene.module_of(actor).continuous)
            && outcome.cost_ns == lod_cost_ns(&actor.costs, outcome.lod)
            && outcome.share_ns.is_some() == scene.is_automatic(actor)
    })
}

/// A forced actor has the forced LOD, clamped to its range and rounded to whole levels (halves go up).
///
/// # Errors
/// The first actor that has another LOD.
pub fn forced_lods_are_honoured(scene: &Scene, plan: &Plan) -> Result<(), String> {
    check_actors(scene, plan, |index, outcome| {
        let actor = &scene.actors[index];
        let (lowest, highest) = (u32::from(actor.range.0) << 16, u32::from(actor.range.1) << 16);
        match actor.forced {
            None => true,
            Some(forced) if forced <= lowest => outcome.lod == lowest,
            Some(forced) if forced >= highest => outcome.lod == highest,
            Some(forced) if scene.module_of(actor).continuous => outcome.lod == forced,
            Some(forced) => outcome.lod <= forced + 0x8000 && forced < outcome.lod + 0x8000,
        }
    })
}

/// An actor of a disabled module has its highest LOD unless it is forced.
///
/// # Errors
/// The first actor that has another LOD.
pub fn disabled_modules_are_at_their_best(scene: &Scene, plan: &Plan) -> Result<(), String> {
    check_actors(scene, plan, |index, outcome| {
        let actor = &scene.actors[index];
        let is_managed = scene.module_of(actor).enabled || actor.forced.is_some();
        is_managed || outcome.lod == u32::from(actor.range.1) << 16
    })
}

/// Actors that share a leftover budget cost at most the sum of their shares.
///
/// # Errors
/// The number of the actor or module that spends too much.
pub fn leftover_budget_is_not_exceeded(scene: &Scene, plan: &Plan) -> Result<(), String> {
    let is_exceeded = |has: &dyn Fn(usize) -> bool| {
        let members = scene.indices().filter(|&index| has(index));
        let automatic = members.filter_map(|index| {
            let outcome = &plan.outcomes[index];
            Some((u128::from(outcome.share_ns?), u128::from(outcome.cost_ns)))
        });
        let (shares, cost) = automatic.fold((0, 0), |sum, one| (sum.0 + one.0, sum.1 + one.1));
        cost > shares
    };
    let exceeded = match scene.leftovers {
        Leftovers::Keep => scene.indices().find(|&index| is_exceeded(&|other| other == index)),
        Leftovers::WithinModule => (0..scene.modules.len())
            .find(|&module| is_exceeded(&|index| scene.actors[index].module == module)),
        Leftovers::AcrossModules => is_exceeded(&|_| true).then_some(0),
        // `stays_within_budget` checks this case.
        Leftovers::WholeBudget => None,
    };
    let error =
        |index| format!("{:?}: number {index} spends more than its shares", scene.leftovers);
    exceeded.map_or(Ok(()), |index| Err(error(index)))
}

/// The leftover budget pays for no further upgrade of an actor with a benefit, and no further upgrade is free.
///
/// # Errors
/// The first actor that has an affordable upgrade.
pub fn no_upgrade_is_left(scene: &Scene, plan: &Plan) -> Result<(), String> {
    let leftovers = leftover_budgets(scene, available(scene), &plan.outcomes);
    check_actors(scene, plan, |index, outcome| {
        let Some(cost) = upgrade_cost(scene, plan, index) else {
            return true;
        };
        let leftover = leftovers.iter().find(|leftover| leftover.members.contains(&index));
        let has_benefit = scene.actors[index].benefit > 0;
        let leftover = leftover.filter(|_| has_benefit).map_or(0, |leftover| leftover.ns);
        let own = match (scene.leftovers, outcome.share_ns) {
            (Leftovers::Keep, Some(share)) => {
                u128::from(share).saturating_sub(outcome.cost_ns.into())
            }
            _ => 0,
        };
        cost > leftover.max(own)
    })
}

/// No actor has a lower LOD, or a smaller share, in `plan` than in `floor`.
///
/// # Errors
/// The first actor that has.
pub fn levels_are_at_least(floor: &Plan, plan: &Plan) -> Result<(), String> {
    let is_below =
        |(floor, now): (&Outcome, &Outcome)| now.lod < floor.lod || now.share_ns < floor.share_ns;
    match floor.outcomes.iter().zip(&plan.outcomes).position(is_below) {
        None => Ok(()),
        Some(index) => {
            let (now, floor) = (plan.outcomes[index], floor.outcomes[index]);
            Err(format!("actor {index} has {now:?}, less than {floor:?}"))
        }
    }
}

/// The cost of the smallest upgrade; `None` at the top and for actors that are not automatic.
fn upgrade_cost(scene: &Scene, plan: &Plan, index: usize) -> Option<u128> {
    let (actor, outcome) = (&scene.actors[index], &plan.outcomes[index]);
    let step = if scene.module_of(actor).continuous { 1 } else { 1 << 16 };
    let next = outcome.lod + step;
    let exists = outcome.share_ns.is_some() && next <= u32::from(actor.range.1) << 16;
    exists.then(|| u128::from(lod_cost_ns(&actor.costs, next) - outcome.cost_ns))
}

fn check_actors(
    scene: &Scene,
    plan: &Plan,
    holds: impl Fn(usize, &Outcome) -> bool,
) -> Result<(), String> {
    let (outcomes, actors) = (plan.outcomes.len(), scene.actors.len());
    if outcomes != actors {
        return Err(format!("{outcomes} outcomes for {actors} actors"));
    }
    match scene.indices().find(|&index| !holds(index, &plan.outcomes[index])) {
        None => Ok(()),
        Some(index) => {
            let (actor, outcome) = (&scene.actors[index], &plan.outcomes[index]);
            Err(format!("actor {index}, {actor:?}, has {outcome:?}"))
        }
    }
}
