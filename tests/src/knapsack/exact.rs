//! The best choice there is, by lists of choices of which none is better than another in everything.
//!
//! Actors are joined one by one, those first for whom another level would lose the least against the price of the
//! relaxation. A choice is dropped if another costs no more and is worth no less, if it can no longer become
//! affordable, or if what it has lost already shows that it will not be better than the best one known.

use super::Instance;
use super::relaxation::{Relaxed, relax};

/// More choices than that at a time are not looked at.
const MOST: usize = 100_000;

/// A choice for the actors that were joined: what it costs and is worth beyond the relaxation's.
#[derive(Clone, Copy)]
struct Choice {
    cost: i128,
    value: i128,
}

/// The value of the best levels; `None` if that would take too long.
///
/// `known` is a value that some levels have.
///
/// # Panics
/// If the lowest levels cost more than there is.
#[must_use]
pub fn optimum(instance: &Instance, known: i128) -> Option<i128> {
    assert!(instance.spare() >= 0, "nothing to choose");
    let relaxed = relax(instance);
    let mut order: Vec<(i128, usize)> = (0..instance.actors.len())
        .filter_map(|index| Some((least_loss(instance, &relaxed, index)?, index)))
        .collect();
    order.sort_unstable();
    let mut best = known.max(relaxed.value);
    let mut choices = vec![Choice { cost: 0, value: 0 }];
    // What those who are still to come could give back.
    let mut give: i128 =
        instance.actors.iter().zip(&relaxed.levels).map(|(a, &l)| a.extra(l)).sum();
    for (least, index) in order {
        if least >= gap(&relaxed, best) {
            break;
        }
        let (actor, base) = (&instance.actors[index], relaxed.levels[index]);
        give -= actor.extra(base);
        let ways: Vec<Choice> = (0..actor.costs.len())
            .map(|level| Choice {
                cost: actor.extra(level) - actor.extra(base),
                value: actor.value(level) - actor.value(base),
            })
            .collect();
        let mut joined = Vec::with_capacity(choices.len() * ways.len());
        for way in ways {
            for choice in &choices {
                let sum = Choice { cost: choice.cost + way.cost, value: choice.value + way.value };
                if sum.cost - give <= relaxed.rest && loss(&relaxed, sum) < gap(&relaxed, best) {
                    joined.push(sum);
                    if sum.cost <= relaxed.rest {
                        best = best.max(relaxed.value + sum.value);
                    }
                }
            }
        }
        choices = undominated(joined);
        choices.retain(|&choice| loss(&relaxed, choice) < gap(&relaxed, best));
        if choices.is_empty() {
            break;
        }
        if choices.len() > MOST {
            return None;
        }
    }
    Some(best)
}

/// What a choice loses against spending at the price, times the cost of the step that made the price.
fn loss(relaxed: &Relaxed, choice: Choice) -> i128 {
    choice.cost * relaxed.slope.0 - choice.value * relaxed.slope.1
}

/// How much may be lost at most by something that is better than the best.
fn gap(relaxed: &Relaxed, best: i128) -> i128 {
    (relaxed.value - best) * relaxed.slope.1 + relaxed.rest * relaxed.slope.0
}

/// What an actor would lose at any other level, at least; `None` if it has no other.
fn least_loss(instance: &Instance, relaxed: &Relaxed, index: usize) -> Option<i128> {
    let (actor, base) = (&instance.actors[index], relaxed.levels[index]);
    let others = (0..actor.costs.len()).filter(|&level| level != base);
    let losses = others.map(|level| {
        let cost = actor.extra(level) - actor.extra(base);
        loss(relaxed, Choice { cost, value: actor.value(level) - actor.value(base) })
    });
    losses.min()
}

/// By rising cost, each worth more than all that cost less.
fn undominated(mut choices: Vec<Choice>) -> Vec<Choice> {
    choices.sort_unstable_by_key(|choice| (choice.cost, -choice.value));
    let mut best = i128::MIN;
    choices.retain(|choice| {
        let better = choice.value > best;
        best = best.max(choice.value);
        better
    });
    choices
}
