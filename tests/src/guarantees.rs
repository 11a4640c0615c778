//! What every plan promises, whoever made it.
//!
//! Each function holds a plan against its scene and names the first actor or sum that breaks the promise.

use std::error::Error;
use std::fmt;

use crate::oracle::ledger::{Actor, Leftovers, Outcome, Plan, Scene, charges, leftovers, level};

/// Assigned money is the sum of its parts and never more than the budget, or than fixed charges and minimums need.
///
/// # Errors
/// Names the sum that is wrong.
pub fn stays_within_budget(scene: &Scene, plan: &Plan) -> Result<(), Violation> {
    let assigned = u128::from(plan.assigned_ns);
    let parts = u128::from(plan.fixed_ns) + spent_on_offer(scene, plan);
    if assigned != parts {
        return Err(Violation::Sum { assigned, parts });
    }
    let needed = u128::from(plan.fixed_ns) + charges::total_minimum(scene);
    let limit = scene.budget_ns.map(|budget| needed.max(budget.into()));
    match limit {
        Some(limit) if assigned > limit => Err(Violation::OverBudget { assigned, limit }),
        _ => Ok(()),
    }
}

/// Every actor has a LOD of its range, a fraction only in a continuous module, and the cost of that LOD.
///
/// # Errors
/// Names the first actor for which this is not so.
pub fn levels_are_valid(scene: &Scene, plan: &Plan) -> Result<(), Violation> {
    first_fault(scene, plan, |index, outcome| {
        let actor = &scene.actors[index];
        let (lowest, highest) = (u32::from(actor.range.0), u32::from(actor.range.1));
        let whole = outcome.lod.trailing_zeros() >= 16;
        let inside = (lowest << 16..=highest << 16).contains(&outcome.lod);
        inside
            && (whole || scene.module_of(actor).continuous)
            && outcome.cost_ns == level::cost_ns(&actor.costs, outcome.lod)
            && outcome.share_ns.is_some() == scene.is_on_offer(actor)
    })
}

/// A forced actor has the LOD asked for, as near as its range and whole levels let it (halves go up).
///
/// # Errors
/// Names the first actor for which this is not so.
pub fn forced_lods_are_honoured(scene: &Scene, plan: &Plan) -> Result<(), Violation> {
    first_fault(scene, plan, |index, outcome| {
        let actor = &scene.actors[index];
        let (lowest, highest) = (u32::from(actor.range.0) << 16, u32::from(actor.range.1) << 16);
        match actor.forced {
            None => true,
            Some(asked) if asked <= lowest => outcome.lod == lowest,
            Some(asked) if asked >= highest => outcome.lod == highest,
            Some(asked) if scene.module_of(actor).continuous => outcome.lod == asked,
            Some(asked) => outcome.lod <= asked + 0x8000 && asked < outcome.lod + 0x8000,
        }
    })
}

/// An actor of a disabled module that nobody forced has its highest LOD.
///
/// # Errors
/// Names the first actor for which this is not so.
pub fn disabled_modules_are_at_their_best(scene: &Scene, plan: &Plan) -> Result<(), Violation> {
    first_fault(scene, plan, |index, outcome| {
        let actor = &scene.actors[index];
        let managed = scene.module_of(actor).enabled || actor.forced.is_some();
        managed || outcome.lod == u32::from(actor.range.1) << 16
    })
}

/// No pot pays out more than it holds, and without a pot nobody spends more than the share.
///
/// # Errors
/// Says whose money was overdrawn.
pub fn no_pot_is_overdrawn(scene: &Scene, plan: &Plan) -> Result<(), Violation> {
    let excess = |of: &dyn Fn(usize) -> bool| {
        let members = scene.indices().filter(|&index| of(index));
        let (given, cost) =
            members.fold((0, 0), |(given, cost), index| match plan.outcomes[index] {
                Outcome { share_ns: Some(share), cost_ns, .. } => {
                    (given + u128::from(share), cost + u128::from(cost_ns))
                }
                _ => (given, cost),
            });
        cost > given
    };
    let overdrawn = match scene.leftovers {
        Leftovers::Keep => scene.indices().find(|&index| excess(&|other| other == index)),
        Leftovers::WithinModule => (0..scene.modules.len())
            .find(|&module| excess(&|index| scene.actors[index].module == module)),
        Leftovers::AcrossModules => excess(&|_| true).then_some(0),
        // Its pot is the budget: see `stays_within_budget`.
        Leftovers::WholeBudget => None,
    };
    overdrawn
        .map_or(Ok(()), |index| Err(Violation::Overdrawn { leftovers: scene.leftovers, index }))
}

/// Nobody with a benefit could still be raised for what its pot holds, nor anybody for nothing.
///
/// # Errors
/// Names the first actor for which this is not so.
pub fn no_upgrade_is_left(scene: &Scene, plan: &Plan) -> Result<(), Violation> {
    let pots = leftovers::pots(scene, charges::available(scene), &plan.outcomes);
    let pot_of = |index: usize| pots.iter().find(|pot| pot.members.contains(&index));
    first_fault(scene, plan, |index, outcome| {
        let Some(price) = next_price(scene, plan, index) else {
            return true;
        };
        let has_turn = scene.actors[index].benefit > 0;
        let pot = pot_of(index).filter(|_| has_turn).map_or(0, |pot| pot.money);
        let own = match (scene.leftovers, outcome.share_ns) {
            (Leftovers::Keep, Some(share)) => {
                u128::from(share).saturating_sub(outcome.cost_ns.into())
            }
            _ => 0,
        };
        price > pot.max(own)
    })
}

/// Nobody has a lower LOD, or a smaller share, in `plan` than in `floor`.
///
/// # Errors
/// Names the first actor for which this is not so.
pub fn nobody_is_below(floor: &Plan, plan: &Plan) -> Result<(), Violation> {
    let pairs = floor.outcomes.iter().zip(&plan.outcomes);
    let below =
        |(floor, now): (&Outcome, &Outcome)| now.lod < floor.lod || now.share_ns < floor.share_ns;
    match pairs.clone().position(below) {
        None => Ok(()),
        Some(index) => {
            Err(Violation::Below { index, now: plan.outcomes[index], floor: floor.outcomes[index] })
        }
    }
}

/// What the smallest step up would cost; `None` at the top and for those who are not on offer.
fn next_price(scene: &Scene, plan: &Plan, index: usize) -> Option<u128> {
    let (actor, outcome) = (&scene.actors[index], &plan.outcomes[index]);
    let step = if scene.module_of(actor).continuous { 1 } else { 1 << 16 };
    let next = outcome.lod + step;
    let exists = outcome.share_ns.is_some() && next <= u32::from(actor.range.1) << 16;
    exists.then(|| u128::from(level::cost_ns(&actor.costs, next) - outcome.cost_ns))
}

fn spent_on_offer(scene: &Scene, plan: &Plan) -> u128 {
    let pairs = scene.actors.iter().zip(&plan.outcomes);
    let on_offer = pairs.filter(|(actor, _)| scene.is_on_offer(actor));
    on_offer.map(|(_, outcome)| u128::from(outcome.cost_ns)).sum()
}

fn first_fault(
    scene: &Scene,
    plan: &Plan,
    holds: impl Fn(usize, &Outcome) -> bool,
) -> Result<(), Violation> {
    if plan.outcomes.len() != scene.actors.len() {
        let (answers, actors) = (plan.outcomes.len(), scene.actors.len());
        return Err(Violation::Answers { answers, actors });
    }
    let fault = scene.indices().find(|&index| !holds(index, &plan.outcomes[index]));
    fault.map_or(Ok(()), |index| {
        let (actor, outcome) = (Box::new(scene.actors[index].clone()), plan.outcomes[index]);
        Err(Violation::Actor { index, actor, outcome })
    })
}

/// A promise that a plan breaks.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Violation {
    /// The assigned money is not the sum of its parts, both in nanoseconds.
    Sum {
        /// What the plan says.
        assigned: u128,
        /// What the parts add up to.
        parts: u128,
    },
    /// More money is assigned than is allowed, both in nanoseconds.
    OverBudget {
        /// What is assigned.
        assigned: u128,
        /// What is allowed.
        limit: u128,
    },
    /// An actor or a module spends more than it was given.
    Overdrawn {
        /// Who may spend leftovers.
        leftovers: Leftovers,
        /// The number of the actor or the module.
        index: usize,
    },
    /// An actor has less than another plan gives it at least.
    Below {
        /// The number of the actor.
        index: usize,
        /// What it has.
        now: Outcome,
        /// What it has in the other plan.
        floor: Outcome,
    },
    /// There are not as many answers as actors.
    Answers {
        /// How many answers there are.
        answers: usize,
        /// How many actors there are.
        actors: usize,
    },
    /// An actor got what it should not.
    Actor {
        /// The number of the actor.
        index: usize,
        /// The actor.
        actor: Box<Actor>,
        /// What it got.
        outcome: Outcome,
    },
}

impl fmt::Display for Violation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Sum { assigned, parts } => {
                write!(f, "assigned {assigned} ns, but the parts make {parts} ns")
            }
            Self::OverBudget { assigned, limit } => {
                write!(f, "assigned {assigned} ns where {limit} ns are allowed")
            }
            Self::Overdrawn { leftovers, index } => {
                write!(f, "{leftovers:?}: number {index} spends more than it was given")
            }
            Self::Below { index, now, floor } => {
                write!(f, "actor {index} has {now:?} where {floor:?} is the floor")
            }
            Self::Answers { answers, actors } => {
                write!(f, "{answers} answers for {actors} actors")
            }
            Self::Actor { index, actor, outcome } => {
                write!(f, "actor {index}, {actor:?}, got {outcome:?}")
            }
        }
    }
}

impl Error for Violation {}
