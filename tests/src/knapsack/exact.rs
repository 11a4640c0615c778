//! The best choice there is, by lists of choices of which none is better than another in everything.
//!
//! Actors are joined one by one, those first for whom another level would lose the least against the price of the
//! relaxation. A choice is dropped if another costs no more and is worth no less, if it can no longer become
//! affordable, or if the relaxation of all others shows that it will not be better than the best one known.

use super::Instance;
use super::relaxation::{Relaxed, Step, relax, steps};

/// Of more choices than that at a time, neighbours become one that costs as little as the one and is worth as much
/// as the other.
const MOST: usize = 60_000;

/// What the best levels are worth: the same number twice, if it was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimum {
    /// Some levels are worth that.
    pub least: i128,
    /// None are worth more.
    pub most: i128,
}

/// A choice for the actors that were joined: what it costs and is worth beyond the relaxation's.
#[derive(Clone, Copy)]
struct Choice {
    cost: i128,
    value: i128,
}

/// The value of the best levels, or what it lies between if that would take too long.
///
/// `known` is a value that some levels have.
///
/// # Panics
/// If the lowest levels cost more than there is.
#[must_use]
pub fn optimum(instance: &Instance, known: i128) -> Optimum {
    assert!(instance.spare() >= 0, "nothing to choose");
    let relaxed = relax(instance);
    let mut order: Vec<(i128, usize)> = (0..instance.actors.len())
        .filter_map(|index| Some((least_loss(instance, &relaxed, index)?, index)))
        .collect();
    order.sort_unstable();
    let steps = steps(instance);
    let mut joined_actors = vec![false; instance.actors.len()];
    let mut best = known.max(relaxed.value);
    let mut most = best;
    let mut is_exact = true;
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
                        most = most.max(relaxed.value + sum.value);
                        best = if is_exact { most } else { best };
                    }
                }
            }
        }
        choices = undominated(joined);
        joined_actors[index] = true;
        let others = Others::new(instance, &steps, &joined_actors, &relaxed);
        others.keep_hopeful(&mut choices, &relaxed, best);
        if choices.is_empty() {
            break;
        }
        while choices.len() > MOST {
            is_exact = false;
            let bound = relaxed.bound_down();
            if (bound - best) * 1_000 < bound - instance.least_value() {
                return Optimum { least: best, most: bound };
            }
            let pair = |pair: &[Choice]| Choice { value: pair[pair.len() - 1].value, ..pair[0] };
            choices = choices.chunks(2).map(pair).collect();
        }
    }
    Optimum { least: best, most: most.min(relaxed.bound_down()) }
}

/// The relaxation of those who have not joined, for any money.
struct Others<'a> {
    steps: Vec<&'a Step>,
    /// What they have and are worth at the levels of the whole relaxation, beyond the least.
    cost: i128,
    value: i128,
}

impl<'a> Others<'a> {
    fn new(instance: &Instance, steps: &'a [Step], joined: &[bool], relaxed: &Relaxed) -> Self {
        let rest = (0..joined.len()).filter(|&index| !joined[index]);
        let (cost, value) = rest.fold((0, 0), |(cost, value), index| {
            let (actor, level) = (&instance.actors[index], relaxed.levels[index]);
            let more = actor.value(level) - actor.value(actor.foot());
            (cost + actor.extra(level), value + more)
        });
        Self { steps: steps.iter().filter(|step| !joined[step.actor]).collect(), cost, value }
    }

    /// Keeps the choices that could still be better than the best; they come by rising cost.
    fn keep_hopeful(&self, choices: &mut Vec<Choice>, relaxed: &Relaxed, best: i128) {
        let money = |choice: &Choice| relaxed.rest + self.cost - choice.cost;
        let (mut taken, mut cost, mut worth) = (0, 0, 0);
        let mut hopeful: Vec<bool> = Vec::with_capacity(choices.len());
        for choice in choices.iter().rev() {
            let money = money(choice);
            while let Some(step) = self.steps.get(taken).filter(|step| cost + step.cost <= money) {
                (taken, cost, worth) = (taken + 1, cost + step.cost, worth + step.worth);
            }
            let part =
                self.steps.get(taken).map_or(0, |step| (money - cost) * step.worth / step.cost);
            hopeful.push(relaxed.value + choice.value + worth + part - self.value > best);
        }
        let mut hopeful = hopeful.into_iter().rev();
        choices.retain(|_| hopeful.next().unwrap_or(false));
    }
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
