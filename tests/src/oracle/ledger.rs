//! The ledger, written to be read: wide integers, plain vectors, one actor after the other.
//!
//! Important terms: a *fixed charge* is money nobody decides about (forced actors, disabled modules); an actor is *on
//! offer* if it is automatic and its module is enabled; it is *pinned* if it is paid its minimum because its share of
//! the scaled target is smaller. All money is whole nanoseconds, all LODs and benefits are Q16.16.

use std::ops::Range;

use serde::Deserialize;

pub mod charges;
pub mod leftovers;
pub mod level;
pub mod scale;

use scale::Rounding;

/// A scale of one, and the greatest.
pub const WHOLE: u64 = 1 << 32;

/// One frame's question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Scene {
    /// Nanoseconds; `None` is unlimited.
    pub budget_ns: Option<u64>,
    /// Whether actors of disabled modules are on the books.
    pub count_unmanaged: bool,
    /// Who may spend what the targets left.
    pub leftovers: Leftovers,
    /// The modules that [`Actor::module`] points into.
    pub modules: Vec<Module>,
    /// The actors, in any order.
    pub actors: Vec<Actor>,
}

/// What becomes of money that no level could use.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Leftovers {
    /// It stays unspent.
    Keep,
    /// Each module has a pot of its own.
    WithinModule,
    /// The scene has one pot.
    AcrossModules,
    /// The pot is all of the budget that is not spent.
    WholeBudget,
}

/// The constants of actors of one kind.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// Whether levels are chosen for its actors at all.
    #[serde(default = "enabled")]
    pub enabled: bool,
    /// Whether there is something between two levels.
    #[serde(default)]
    pub continuous: bool,
    /// Nanoseconds for one unit of benefit.
    pub benefit_value_ns: u32,
}

/// One thing that exists at several levels.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// Breaks ties of benefit; different for every actor.
    pub id: u32,
    /// Index of its module.
    pub module: usize,
    /// Q16.16, below `2^24`; 0 for an actor in quarantine.
    pub benefit: u32,
    /// Nanoseconds at LOD 0, 1, 2 and so on, never falling.
    pub costs: Vec<u32>,
    /// Lowest and highest LOD it may have.
    pub range: (u8, u8),
    /// Q16.16; the LOD somebody asked for.
    pub forced: Option<u32>,
}

/// One frame's answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Plan {
    /// What the targets are multiplied by, of [`WHOLE`].
    pub scale: u64,
    /// Nanoseconds nobody decided about.
    pub fixed_ns: u64,
    /// Nanoseconds by which even the minimums break the budget.
    pub overcommit_ns: u64,
    /// Nanoseconds that will be spent, fixed charges included.
    pub assigned_ns: u64,
    /// Nanoseconds each module would like to have, unscaled.
    pub targets_ns: Vec<u64>,
    /// One answer per actor, in the scene's order.
    pub outcomes: Vec<Outcome>,
}

/// What was decided for one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Outcome {
    /// Nanoseconds it was given before leftovers; `None` if it is forced or its module is disabled.
    pub share_ns: Option<u64>,
    /// Q16.16.
    pub lod: u32,
    /// Nanoseconds at that LOD.
    pub cost_ns: u32,
}

fn enabled() -> bool {
    true
}

impl Scene {
    /// The module of an actor.
    #[must_use]
    pub fn module_of(&self, actor: &Actor) -> &Module {
        &self.modules[actor.module]
    }

    /// Whether the ledger chooses this actor's level.
    #[must_use]
    pub fn is_on_offer(&self, actor: &Actor) -> bool {
        actor.forced.is_none() && self.module_of(actor).enabled
    }

    /// Indices of all actors.
    #[must_use]
    pub fn indices(&self) -> Range<usize> {
        0..self.actors.len()
    }
}

impl Actor {
    /// Nanoseconds at the lowest LOD of its range.
    #[must_use]
    pub fn minimum_ns(&self) -> u32 {
        self.costs[usize::from(self.range.0)]
    }
}

/// Hands out the budget with the widths of the rules' table.
#[must_use]
pub fn plan(scene: &Scene) -> Plan {
    plan_with(scene, Rounding::AsWritten)
}

/// Hands out the budget; `rounding` says how the scale is found.
#[must_use]
pub fn plan_with(scene: &Scene, rounding: Rounding) -> Plan {
    let fixed = charges::fixed(scene);
    let overcommit = charges::overcommit(scene);
    let available = charges::available(scene);
    let (scale, shares) = if overcommit > 0 {
        (0, charges::minimums(scene))
    } else {
        let settled = scale::settle(scene, available, rounding);
        let shares = scale::shares(scene, &settled);
        (settled.scale, shares)
    };
    let mut outcomes: Vec<Outcome> =
        scene.indices().map(|index| outcome(scene, index, shares[index])).collect();
    leftovers::spend(scene, available, &mut outcomes);
    Plan {
        scale,
        fixed_ns: narrow(fixed),
        overcommit_ns: narrow(overcommit),
        assigned_ns: narrow(fixed + spent(&outcomes)),
        targets_ns: scale::targets(scene),
        outcomes,
    }
}

/// Nanoseconds that go to actors on offer.
#[must_use]
pub fn spent(outcomes: &[Outcome]) -> u128 {
    let on_offer = outcomes.iter().filter(|outcome| outcome.share_ns.is_some());
    on_offer.map(|outcome| u128::from(outcome.cost_ns)).sum()
}

fn outcome(scene: &Scene, index: usize, share_ns: Option<u64>) -> Outcome {
    let actor = &scene.actors[index];
    let lod = match share_ns {
        Some(share) => level::highest(scene, actor, u128::from(share)),
        None => charges::imposed_lod(scene, actor),
    };
    Outcome { share_ns, lod, cost_ns: level::cost_ns(&actor.costs, lod) }
}

fn narrow(money: u128) -> u64 {
    u64::try_from(money).expect("sums of a documented scene fit 64 bits")
}
