//! Money that no share could use, offered again by falling benefit.

use super::{Leftovers, Outcome, Scene, level, spent};

/// Money for some of the actors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pot {
    /// Indices of the actors that may take from it.
    pub members: Vec<usize>,
    /// Nanoseconds.
    pub money: u128,
}

/// Raises levels as far as the pots go and says so in `outcomes`.
pub fn spend(scene: &Scene, available: u128, outcomes: &mut [Outcome]) {
    for mut pot in pots(scene, available, outcomes) {
        for index in takers(scene, &pot.members) {
            let (actor, outcome) = (&scene.actors[index], &mut outcomes[index]);
            let purse = pot.money + u128::from(outcome.cost_ns);
            outcome.lod = level::highest(scene, actor, purse);
            outcome.cost_ns = level::cost_ns(&actor.costs, outcome.lod);
            pot.money = purse - u128::from(outcome.cost_ns);
        }
    }
}

/// The pots as these outcomes leave them; none with [`Leftovers::Keep`].
#[must_use]
pub fn pots(scene: &Scene, available: u128, outcomes: &[Outcome]) -> Vec<Pot> {
    let offered = |&index: &usize| outcomes[index].share_ns.is_some();
    let everybody: Vec<usize> = scene.indices().filter(offered).collect();
    match scene.leftovers {
        Leftovers::Keep => Vec::new(),
        Leftovers::AcrossModules => vec![unused(everybody, outcomes)],
        Leftovers::WholeBudget => {
            vec![Pot { members: everybody, money: available.saturating_sub(spent(outcomes)) }]
        }
        Leftovers::WithinModule => (0..scene.modules.len())
            .map(|module| {
                let mut members = everybody.clone();
                members.retain(|&index| scene.actors[index].module == module);
                unused(members, outcomes)
            })
            .collect(),
    }
}

/// A pot of what the members' shares hold beyond their costs.
fn unused(members: Vec<usize>, outcomes: &[Outcome]) -> Pot {
    let of = |index: &usize| outcomes[*index];
    let given: u128 = members.iter().filter_map(|index| of(index).share_ns).map(u128::from).sum();
    let cost: u128 = members.iter().map(|index| u128::from(of(index).cost_ns)).sum();
    Pot { members, money: given.saturating_sub(cost) }
}

/// Who takes, and in which order: by falling benefit, the lower id first; no benefit, no turn.
fn takers(scene: &Scene, members: &[usize]) -> Vec<usize> {
    let actor = |index: usize| &scene.actors[index];
    let mut takers = members.to_vec();
    takers.retain(|&index| actor(index).benefit > 0);
    takers.sort_by_key(|&index| (std::cmp::Reverse(actor(index).benefit), actor(index).id));
    takers
}
