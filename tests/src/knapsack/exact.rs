//! An exact solver: dynamic programming over undominated choices.
//!
//! Actors join one by one, first the actors that lose least by another level at the relaxation's price. A choice is
//! dropped if it is dominated, if it cannot become affordable, or if the relaxation of the other actors shows that it
//! cannot beat the best known value.

use super::{Instance, Relaxed, Step, relax, steps};

/// The maximum length of a list, in which two neighbours become one choice of the lower cost and the higher value.
const MAX_CHOICES: usize = 60_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Optimum {
    pub min: i128,
    pub max: i128,
}

/// Cost and value for the joined actors, relative to the relaxation.
#[derive(Clone, Copy)]
struct Choice {
    cost: i128,
    value: i128,
}

/// Finds the optimal value, or bounds of it if that would take too long. `known` is a value that some choice has.
///
/// # Panics
/// If the lowest levels exceed the budget.
#[must_use]
pub fn optimum(instance: &Instance, known: i128) -> Optimum {
    assert!(instance.spare() >= 0, "the lowest levels exceed the budget");
    let relaxed = relax(instance);
    let mut order: Vec<(i128, usize)> = (0..instance.actors.len())
        .filter_map(|index| Some((min_loss(instance, &relaxed, index)?, index)))
        .collect();
    order.sort_unstable();
    let steps = steps(instance);
    let mut joined_actors = vec![false; instance.actors.len()];
    let mut best = known.max(relaxed.value);
    let mut max = best;
    let mut is_exact = true;
    let mut choices = vec![Choice { cost: 0, value: 0 }];
    // The cost that other actors could still save.
    let mut savings: i128 =
        instance.actors.iter().zip(&relaxed.levels).map(|(a, &l)| a.extra(l)).sum();
    for (min_loss, index) in order {
        if min_loss >= gap(&relaxed, best) {
            break;
        }
        let (actor, base) = (&instance.actors[index], relaxed.levels[index]);
        savings -= actor.extra(base);
        let options: Vec<Choice> = (0..actor.costs.len())
            .map(|level| Choice {
                cost: actor.extra(level) - actor.extra(base),
                value: actor.value(level) - actor.value(base),
            })
            .collect();
        let mut joined = Vec::with_capacity(choices.len() * options.len());
        for option in options {
            for choice in &choices {
                let sum =
                    Choice { cost: choice.cost + option.cost, value: choice.value + option.value };
                if sum.cost - savings <= relaxed.rest && loss(&relaxed, sum) < gap(&relaxed, best) {
                    joined.push(sum);
                    if sum.cost <= relaxed.rest {
                        max = max.max(relaxed.value + sum.value);
                        best = if is_exact { max } else { best };
                    }
                }
            }
        }
        choices = undominated(joined);
        joined_actors[index] = true;
        let others = Others::new(instance, &steps, &joined_actors, &relaxed);
        others.retain_promising(&mut choices, &relaxed, best);
        if choices.is_empty() {
            break;
        }
        while choices.len() > MAX_CHOICES {
            is_exact = false;
            let bound = relaxed.bound_down();
            if (bound - best) * 1_000 < bound - instance.min_value() {
                return Optimum { min: best, max: bound };
            }
            let pair = |pair: &[Choice]| Choice { value: pair[pair.len() - 1].value, ..pair[0] };
            choices = choices.chunks(2).map(pair).collect();
        }
    }
    Optimum { min: best, max: max.min(relaxed.bound_down()) }
}

/// The relaxation of the actors that have not joined, for any budget.
struct Others<'a> {
    steps: Vec<&'a Step>,
    /// Cost and value of their levels in the whole relaxation, beyond the base levels.
    cost: i128,
    value: i128,
}

impl<'a> Others<'a> {
    fn new(instance: &Instance, steps: &'a [Step], joined: &[bool], relaxed: &Relaxed) -> Self {
        let rest = (0..joined.len()).filter(|&index| !joined[index]);
        let (cost, value) = rest.fold((0, 0), |(cost, value), index| {
            let (actor, level) = (&instance.actors[index], relaxed.levels[index]);
            let more = actor.value(level) - actor.value(actor.base());
            (cost + actor.extra(level), value + more)
        });
        Self { steps: steps.iter().filter(|step| !joined[step.actor]).collect(), cost, value }
    }

    fn retain_promising(&self, choices: &mut Vec<Choice>, relaxed: &Relaxed, best: i128) {
        let (mut taken, mut cost, mut value) = (0, 0, 0);
        let mut promising: Vec<bool> = Vec::with_capacity(choices.len());
        for choice in choices.iter().rev() {
            let budget = relaxed.rest + self.cost - choice.cost;
            while let Some(step) = self.steps.get(taken).filter(|step| cost + step.cost <= budget) {
                (taken, cost, value) = (taken + 1, cost + step.cost, value + step.value);
            }
            let part =
                self.steps.get(taken).map_or(0, |step| (budget - cost) * step.value / step.cost);
            promising.push(relaxed.value + choice.value + value + part - self.value > best);
        }
        let mut promising = promising.into_iter().rev();
        choices.retain(|_| promising.next().unwrap_or(false));
    }
}

/// The loss against spending at the price, times the cost of the fractional step.
fn loss(relaxed: &Relaxed, choice: Choice) -> i128 {
    choice.cost * relaxed.slope.0 - choice.value * relaxed.slope.1
}

/// The greatest loss of a choice that beats the best.
fn gap(relaxed: &Relaxed, best: i128) -> i128 {
    (relaxed.value - best) * relaxed.slope.1 + relaxed.rest * relaxed.slope.0
}

/// The least loss of an actor at another level; `None` without another level.
fn min_loss(instance: &Instance, relaxed: &Relaxed, index: usize) -> Option<i128> {
    let (actor, base) = (&instance.actors[index], relaxed.levels[index]);
    let others = (0..actor.costs.len()).filter(|&level| level != base);
    let losses = others.map(|level| {
        let cost = actor.extra(level) - actor.extra(base);
        loss(relaxed, Choice { cost, value: actor.value(level) - actor.value(base) })
    });
    losses.min()
}

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
