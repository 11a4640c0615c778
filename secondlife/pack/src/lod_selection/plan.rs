//! Selections for all objects, improved by pairs of objects with Pareto frontiers.

use lodger_core::cost::streaming::StreamingModel;

use crate::knapsack::{KnapsackClass, solve};
use crate::lod_selection::item::{ObjectOptions, OptionIndices};

/// Cost units of the knapsack in a land impact of 1; costs are rounded up.
const PARTS: f64 = 10_000.0;
/// The relative accuracy of sums of costs.
const EXACT: f64 = 1e-9;
/// Relative gains up to this may come from rounding.
const ROUNDING: f64 = 1e-12;
/// The number of frontier points after which no further round begins.
const MAX_FRONTIER_POINTS: usize = 1 << 28;

#[derive(Debug)]
pub(super) struct SelectionProblem<'a> {
    pub(super) items: Vec<ObjectOptions>,
    pub(super) streaming: &'a StreamingModel<f64>,
    max_cost: f64,
    frontiers: Vec<Vec<ParetoPoint>>,
}

pub(super) type SelectedOptions = Vec<OptionIndices>;

impl<'a> SelectionProblem<'a> {
    pub(super) fn new(
        items: Vec<ObjectOptions>,
        streaming: &'a StreamingModel<f64>,
        max_cost: f64,
    ) -> Self {
        let frontiers = items.iter().map(|item| frontier(item, max_cost * (1.0 + EXACT))).collect();
        Self { items, streaming, max_cost, frontiers }
    }

    pub(super) fn loss(&self, plan: &SelectedOptions) -> f64 {
        self.items.iter().zip(plan).map(|(item, selected)| item.loss(selected)).sum()
    }

    /// The streaming cost as computed from the bytes.
    pub(super) fn streaming_cost(&self, plan: &SelectedOptions) -> f64 {
        let cost = |(item, selected): (&ObjectOptions, &OptionIndices)| {
            self.streaming.cost(item.radius, item.bytes(selected))
        };
        self.items.iter().zip(plan).map(cost).sum()
    }

    fn cost(&self, plan: &SelectedOptions) -> f64 {
        self.items.iter().zip(plan).map(|(item, selected)| item.cost(selected)).sum()
    }

    /// Whether the cost is within the limit; computed from the bytes if sums are not exact enough.
    pub(super) fn fits(&self, plan: &SelectedOptions) -> bool {
        let cost = self.cost(plan);
        cost <= self.max_cost * (1.0 - EXACT)
            || cost <= self.max_cost * (1.0 + EXACT) && self.streaming_cost(plan) <= self.max_cost
    }

    pub(super) fn lightest(&self) -> SelectedOptions {
        self.items.iter().map(ObjectOptions::lightest).collect()
    }

    /// The solution of the optimal policy, with an actor for each object and level; levels heavier
    /// than the one above are made lighter.
    pub(super) fn solve_knapsack(&self) -> SelectedOptions {
        let classes: Vec<KnapsackClass> = self.items.iter().flat_map(knapsack_classes).collect();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating")]
        let forms = solve(&classes, (self.max_cost * PARTS) as u64).options;
        let selected = |(item, forms): (&ObjectOptions, &[usize; 4])| {
            // Classes have the cheapest option first.
            let lightest = item.lightest();
            let selected = std::array::from_fn(|place| lightest[place] - forms[place]);
            item.repaired(selected).unwrap_or(lightest)
        };
        self.items.iter().zip(forms.as_chunks::<4>().0).map(selected).collect()
    }

    /// Improves a selection until no pair of objects has better levels for its cost and the
    /// leftover budget.
    pub(super) fn improved(&self, mut plan: SelectedOptions) -> SelectedOptions {
        let mut looked_at = 0;
        loop {
            let (mut better, mut cost) = (false, self.cost(&plan));
            for a in 0..plan.len() {
                for b in a..plan.len() {
                    if self.improve(&mut plan, (a, b), cost) {
                        (better, cost) = (true, self.cost(&plan));
                    }
                    looked_at += self.frontiers[a].len() + self.frontiers[b].len();
                }
            }
            if !better || looked_at > MAX_FRONTIER_POINTS {
                return plan;
            }
        }
    }

    /// Gives one or two objects the best levels for their cost and the leftover budget, `all` being
    /// the cost of the selection; returns whether the loss fell.
    fn improve(&self, plan: &mut SelectedOptions, (a, b): (usize, usize), all: f64) -> bool {
        let loss = |of: &dyn Fn(usize) -> OptionIndices| {
            let other = if a == b { 0.0 } else { self.items[b].loss(&of(b)) };
            self.items[a].loss(&of(a)) + other
        };
        let before = loss(&|index| plan[index]) * (1.0 - ROUNDING);
        let cost = |index: usize| self.items[index].cost(&plan[index]);
        let left = self.max_cost.min(f64::MAX) - all;
        let money = left + cost(a) + if a == b { 0.0 } else { cost(b) };
        // With the rounding of sums, then without.
        let slack = self.max_cost.min(f64::MAX) * EXACT;
        for money in [money + slack, money, money - slack] {
            let Some(changes) = self.best(a, b, money) else { continue };
            let [(_, first), (_, last)] = changes;
            let is_better = loss(&|index| if index == a { first } else { last }) < before;
            if !is_better {
                continue;
            }
            let mut changed = plan.clone();
            for (index, selected) in changes {
                changed[index] = selected;
            }
            if self.fits(&changed) {
                *plan = changed;
                return true;
            }
        }
        false
    }

    fn best(&self, a: usize, b: usize, money: f64) -> Option<[(usize, OptionIndices); 2]> {
        if a == b {
            let one = best_point(&self.frontiers[a], money)?;
            return Some([(a, one.selected); 2]);
        }
        let (one, other) = best_pair(&self.frontiers[a], &self.frontiers[b], money)?;
        Some([(a, one.selected), (b, other.selected)])
    }
}

/// A class for each level.
fn knapsack_classes(item: &ObjectOptions) -> [KnapsackClass; 4] {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating")]
    let cost = |cost: f64| (cost * PARTS).ceil() as u32;
    item.forms.each_ref().map(|forms| {
        let forms = forms.iter().rev().map(|form| (cost(form.cost), form.loss));
        KnapsackClass::from_losses(forms)
    })
}

/// Above this number of points, only the best among similar costs is kept.
const MAX_POINTS: usize = 4096;

/// A selection for an object of the levels from one on down; indices of others are 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct ParetoPoint {
    pub(super) cost: f64,
    pub(super) loss: f64,
    pub(super) selected: OptionIndices,
}

/// The Pareto frontier of an object up to a cost, without levels heavier than the one above: costs
/// rise and losses fall.
///
/// Works from the lowest level up: the frontier from an option on merges the frontier of the next
/// lighter option with the option above everything that may be below it.
///
/// # Range and accuracy
///
/// All Pareto points up to 4096; of more, one for each 4096th of the range of costs: the loss is
/// less than at any point that much more expensive.
pub(super) fn frontier(item: &ObjectOptions, max_cost: f64) -> Vec<ParetoPoint> {
    let nothing = ParetoPoint { cost: 0.0, loss: 0.0, selected: [0; 4] };
    // The points that begin with each option of the level below, or a lighter one.
    let mut below: Vec<Vec<ParetoPoint>> = vec![vec![nothing]];
    for place in (0..4).rev() {
        let forms = &item.forms[place];
        let mut here: Vec<Vec<ParetoPoint>> = vec![Vec::new(); forms.len()];
        let mut lighter = Vec::new();
        for (pick, form) in forms.iter().enumerate().rev() {
            let first = item.first_below(place, pick);
            let plans = first.and_then(|first| below.get(first)).map_or(&[][..], Vec::as_slice);
            let with = plans.iter().map(|plan| {
                let mut selected = plan.selected;
                selected[place] = pick;
                ParetoPoint { cost: plan.cost + form.cost, loss: plan.loss + form.loss, selected }
            });
            let with: Vec<ParetoPoint> = with.take_while(|plan| plan.cost <= max_cost).collect();
            lighter = thinned(merged(&lighter, &with));
            here[pick].clone_from(&lighter);
        }
        below = here;
    }
    below.swap_remove(0)
}

fn merged(a: &[ParetoPoint], b: &[ParetoPoint]) -> Vec<ParetoPoint> {
    let (mut a, mut b) = (a.iter().peekable(), b.iter().peekable());
    let mut all: Vec<ParetoPoint> = Vec::with_capacity(a.len() + b.len());
    loop {
        let next = match (a.peek(), b.peek()) {
            (Some(x), Some(y)) if (x.cost, x.loss) <= (y.cost, y.loss) => a.next(),
            (_, Some(_)) => b.next(),
            (_, None) => a.next(),
        };
        let Some(next) = next else { return all };
        if all.last().is_none_or(|last| next.loss < last.loss) {
            all.push(*next);
        }
    }
}

/// At most [`MAX_POINTS`] and the two ends: the best of each part of the range of costs.
fn thinned(points: Vec<ParetoPoint>) -> Vec<ParetoPoint> {
    let [first, .., last] = &points[..] else { return points };
    if points.len() <= MAX_POINTS {
        return points;
    }
    let (start, range) = (first.cost, last.cost - first.cost);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "from 0 to MAX_POINTS"
    )]
    let part = |point: &ParetoPoint| ((point.cost - start) / range * MAX_POINTS as f64) as usize;
    let ends = points.windows(2).filter(|pair| part(&pair[0]) < part(&pair[1]));
    let mut kept = vec![*first];
    kept.extend(ends.map(|pair| pair[0]).filter(|point| point.cost > start));
    kept.push(*last);
    kept
}

pub(super) fn best_point(points: &[ParetoPoint], money: f64) -> Option<&ParetoPoint> {
    points.partition_point(|point| point.cost <= money).checked_sub(1).map(|last| &points[last])
}

pub(super) fn best_pair<'a>(
    a: &'a [ParetoPoint],
    b: &'a [ParetoPoint],
    money: f64,
) -> Option<(&'a ParetoPoint, &'a ParetoPoint)> {
    let mut fitting = b.len();
    let pairs = a.iter().filter_map(|first| {
        while fitting > 0 && first.cost + b[fitting - 1].cost > money {
            fitting -= 1;
        }
        Some((first, &b[fitting.checked_sub(1)?]))
    });
    let loss = |(a, b): &(&ParetoPoint, &ParetoPoint)| a.loss + b.loss;
    pairs.min_by(|x, y| loss(x).total_cmp(&loss(y)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(pairs: &[(f64, f64)]) -> Vec<ParetoPoint> {
        pairs.iter().map(|&(cost, loss)| ParetoPoint { cost, loss, selected: [0; 4] }).collect()
    }

    fn pairs(points: &[ParetoPoint]) -> Vec<(f64, f64)> {
        points.iter().map(|point| (point.cost, point.loss)).collect()
    }

    #[test]
    fn many_are_thinned_and_the_ends_stay() {
        let many: Vec<(f64, f64)> =
            (0..50_000).map(f64::from).map(|x| (x * x, 50_000.0 - x)).collect();
        let thin = pairs(&thinned(points(&many)));
        assert!(thin.len() <= MAX_POINTS + 2, "{}", thin.len());
        assert_eq!((thin[0], thin[thin.len() - 1]), (many[0], many[49_999]));
        assert!(thin.is_sorted_by(|a, b| a.0 < b.0 && a.1 > b.1));
    }
}
