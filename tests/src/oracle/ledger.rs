//! The ledger, written for readability: wide integers, plain vectors, one actor after the other.
//!
//! The *reserved cost* pays for forced actors and disabled modules; other actors are *automatic*. An actor is
//! *pinned* if it gets its minimum because its share of the scaled target is smaller. Costs and budgets are whole
//! nanoseconds, LODs and benefits are Q16.16.

use std::ops::Range;

use serde::Deserialize;

pub mod scale;

use scale::Rounding;

/// More than any scene can spend.
const UNLIMITED: u128 = 1 << 90;

/// A scale of 1, the greatest.
pub const WHOLE: u64 = 1 << 32;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// The budget; `None` is unlimited.
    pub budget_ns: Option<u64>,
    pub unmanaged_in_budget: bool,
    pub leftovers: Leftovers,
    /// The modules, indexed by [`Actor::module`].
    pub modules: Vec<Module>,
    pub actors: Vec<Actor>,
}

/// The use of budget that no share could spend.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leftovers {
    /// The leftover budget stays unspent.
    Keep,
    /// Each module spends the leftovers of its own actors.
    WithinModule,
    /// All actors spend the leftovers of all actors.
    AcrossModules,
    /// All actors spend all of the unspent budget.
    WholeBudget,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    #[serde(default = "enabled")]
    pub enabled: bool,
    #[serde(default)]
    pub continuous: bool,
    /// Nanoseconds per unit of benefit.
    pub benefit_value_ns: u32,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// A unique number; the lower id wins a tie of benefit.
    pub id: u32,
    pub module: usize,
    /// The benefit, below `2^24`; 0 for an actor in quarantine.
    pub benefit: u32,
    /// Costs at LOD 0, 1, 2 and so on, never falling.
    pub costs: Vec<u32>,
    pub range: (u8, u8),
    pub forced: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// Factor of the targets; [`WHOLE`] is 1.
    pub scale: u64,
    pub reserved_ns: u64,
    /// The excess of reserved cost and minimums over the budget.
    pub overcommit_ns: u64,
    pub assigned_ns: u64,
    pub targets_ns: Vec<u64>,
    /// The results in the order of the scene's actors.
    pub outcomes: Vec<Outcome>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// The share; `None` if the actor is not automatic.
    pub share_ns: Option<u64>,
    pub lod: u32,
    pub cost_ns: u32,
}

fn enabled() -> bool {
    true
}

impl Scene {
    #[must_use]
    pub fn module_of(&self, actor: &Actor) -> &Module {
        &self.modules[actor.module]
    }

    #[must_use]
    pub fn is_automatic(&self, actor: &Actor) -> bool {
        actor.forced.is_none() && self.module_of(actor).enabled
    }

    #[must_use]
    pub fn indices(&self) -> Range<usize> {
        0..self.actors.len()
    }
}

impl Actor {
    #[must_use]
    pub fn minimum_ns(&self) -> u32 {
        self.costs[usize::from(self.range.0)]
    }
}

#[must_use]
pub fn plan(scene: &Scene) -> Plan {
    plan_with(scene, Rounding::AsWritten)
}

/// Plans a scene with this precision of the scale.
#[must_use]
pub fn plan_with(scene: &Scene, rounding: Rounding) -> Plan {
    let (reserved, overcommit, available) = (reserved(scene), overcommit(scene), available(scene));
    let (scale, shares) = if overcommit > 0 {
        (0, minimums(scene))
    } else {
        let settled = scale::settle(scene, available, rounding);
        let shares = scale::shares(scene, &settled);
        (settled.scale, shares)
    };
    let mut outcomes: Vec<Outcome> =
        scene.indices().map(|index| outcome(scene, index, shares[index])).collect();
    spend_leftovers(scene, available, &mut outcomes);
    Plan {
        scale,
        reserved_ns: narrow(reserved),
        overcommit_ns: narrow(overcommit),
        assigned_ns: narrow(reserved + spent(&outcomes)),
        targets_ns: scale::targets(scene),
        outcomes,
    }
}

fn outcome(scene: &Scene, index: usize, share_ns: Option<u64>) -> Outcome {
    let actor = &scene.actors[index];
    let lod = match share_ns {
        Some(share) => highest_lod(scene, actor, share.into()),
        None => reserved_lod(scene, actor),
    };
    Outcome { share_ns, lod, cost_ns: lod_cost_ns(&actor.costs, lod) }
}

fn narrow(ns: u128) -> u64 {
    u64::try_from(ns).expect("sums of a documented scene fit 64 bits")
}

/// The cost of forced actors, and of disabled modules' actors that the budget pays for.
#[must_use]
pub fn reserved(scene: &Scene) -> u128 {
    let counted = scene.actors.iter().filter(|actor| {
        let is_enabled = scene.module_of(actor).enabled;
        !scene.is_automatic(actor) && (is_enabled || scene.unmanaged_in_budget)
    });
    counted.map(|actor| u128::from(lod_cost_ns(&actor.costs, reserved_lod(scene, actor)))).sum()
}

/// The minimum of every automatic actor; `None` for the others.
#[must_use]
pub fn minimums(scene: &Scene) -> Vec<Option<u64>> {
    let minimum = |actor: &Actor| scene.is_automatic(actor).then(|| actor.minimum_ns().into());
    scene.actors.iter().map(minimum).collect()
}

#[must_use]
pub fn total_minimum(scene: &Scene) -> u128 {
    minimums(scene).into_iter().flatten().map(u128::from).sum()
}

#[must_use]
pub fn available(scene: &Scene) -> u128 {
    budget(scene).saturating_sub(reserved(scene))
}

#[must_use]
pub fn overcommit(scene: &Scene) -> u128 {
    (reserved(scene) + total_minimum(scene)).saturating_sub(budget(scene))
}

fn budget(scene: &Scene) -> u128 {
    scene.budget_ns.map_or(UNLIMITED, u128::from)
}

/// The LOD of an actor that is not automatic: the forced one, else the highest.
fn reserved_lod(scene: &Scene, actor: &Actor) -> u32 {
    let whole = |lod: u8| u32::from(lod) << 16;
    let (lowest, highest) = (whole(actor.range.0), whole(actor.range.1));
    let lod = actor.forced.unwrap_or(highest).clamp(lowest, highest);
    if scene.module_of(actor).continuous { lod } else { (lod + 0x8000) >> 16 << 16 }
}

/// The highest valid LOD of an actor that costs at most `ns` nanoseconds.
fn highest_lod(scene: &Scene, actor: &Actor, ns: u128) -> u32 {
    let cost_of = |level: u8| u128::from(actor.costs[usize::from(level)]);
    let (lowest, top) = actor.range;
    let affordable = (lowest..=top).rev().find(|&level| cost_of(level) <= ns);
    let level = affordable.expect("a share is at least the minimum");
    let whole = u32::from(level) << 16;
    if level == top || !scene.module_of(actor).continuous {
        return whole;
    }
    let (below, above) = (cost_of(level), cost_of(level + 1));
    let fraction = ((ns - below) << 16) / (above - below);
    whole + u32::try_from(fraction).expect("less than a level")
}

/// The cost of a LOD in nanoseconds, rounded up between two levels.
///
/// # Panics
/// If the ladder has no such level, or decreases.
#[must_use]
pub fn lod_cost_ns(costs: &[u32], lod: u32) -> u32 {
    let (level, fraction) = ((lod >> 16) as usize, u64::from(lod & 0xffff));
    if fraction == 0 {
        return costs[level];
    }
    let step = u64::from(costs[level + 1] - costs[level]);
    let part = (step * fraction).div_ceil(1 << 16);
    costs[level] + u32::try_from(part).expect("a part of a step")
}

fn spent(outcomes: &[Outcome]) -> u128 {
    let automatic = outcomes.iter().filter(|outcome| outcome.share_ns.is_some());
    automatic.map(|outcome| u128::from(outcome.cost_ns)).sum()
}

/// A leftover budget and the indices of the actors that may spend it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LeftoverBudget {
    pub members: Vec<usize>,
    pub ns: u128,
}

/// Spends leftover budgets by falling benefit, the lower id first; actors without benefit get nothing.
fn spend_leftovers(scene: &Scene, available: u128, outcomes: &mut [Outcome]) {
    for mut leftover in leftover_budgets(scene, available, outcomes) {
        let mut order = leftover.members;
        order.retain(|&index| scene.actors[index].benefit > 0);
        order.sort_by_key(|&index| {
            let actor = &scene.actors[index];
            (std::cmp::Reverse(actor.benefit), actor.id)
        });
        for index in order {
            let (actor, outcome) = (&scene.actors[index], &mut outcomes[index]);
            let ns = leftover.ns + u128::from(outcome.cost_ns);
            outcome.lod = highest_lod(scene, actor, ns);
            outcome.cost_ns = lod_cost_ns(&actor.costs, outcome.lod);
            leftover.ns = ns - u128::from(outcome.cost_ns);
        }
    }
}

/// The leftover budgets of a scene with these outcomes; none with [`Leftovers::Keep`].
#[must_use]
pub fn leftover_budgets(
    scene: &Scene,
    available: u128,
    outcomes: &[Outcome],
) -> Vec<LeftoverBudget> {
    let is_automatic = |&index: &usize| outcomes[index].share_ns.is_some();
    let all: Vec<usize> = scene.indices().filter(is_automatic).collect();
    let unused = |members: Vec<usize>| {
        let shares = members.iter().filter_map(|&index| outcomes[index].share_ns);
        let shares: u128 = shares.map(u128::from).sum();
        let cost: u128 = members.iter().map(|&index| u128::from(outcomes[index].cost_ns)).sum();
        LeftoverBudget { members, ns: shares.saturating_sub(cost) }
    };
    match scene.leftovers {
        Leftovers::Keep => Vec::new(),
        Leftovers::AcrossModules => vec![unused(all)],
        Leftovers::WholeBudget => {
            vec![LeftoverBudget { members: all, ns: available.saturating_sub(spent(outcomes)) }]
        }
        Leftovers::WithinModule => (0..scene.modules.len())
            .map(|module| {
                let is_member = |index: &usize| scene.actors[*index].module == module;
                unused(all.iter().copied().filter(is_member).collect())
            })
            .collect(),
    }
}
