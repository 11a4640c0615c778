//! A plan for all objects, made better until nothing simple makes it better.

use lodger_core::cost::streaming::Streaming;

use super::frontier::{self, Point, frontier};
use super::item::{Item, Picks};
use crate::spend::{Buyer, spend};

/// Costs are told to the policy in so many parts of a land impact, rounded up.
const PARTS: f64 = 10_000.0;
/// Sums of costs are this exact, relatively.
const EXACT: f64 = 1e-9;
/// What is not better by more than that, relatively, may be so by rounding.
const ROUNDING: f64 = 1e-12;
/// So many plans of single objects are looked at before the last round.
const LOOKED_AT: usize = 1 << 28;

/// Objects whose levels are chosen, and what they may cost together.
#[derive(Debug)]
pub(super) struct Plans<'a> {
    pub(super) items: Vec<Item>,
    pub(super) streaming: &'a Streaming<f64>,
    most: f64,
    /// What each object can be made for what all may cost.
    frontiers: Vec<Vec<Point>>,
}

/// The picks of each object.
pub(super) type Plan = Vec<Picks>;

impl<'a> Plans<'a> {
    pub(super) fn new(items: Vec<Item>, streaming: &'a Streaming<f64>, most: f64) -> Self {
        let frontiers = items.iter().map(|item| frontier(item, most * (1.0 + EXACT))).collect();
        Self { items, streaming, most, frontiers }
    }

    pub(super) fn loss(&self, plan: &Plan) -> f64 {
        self.items.iter().zip(plan).map(|(item, picks)| item.loss(picks)).sum()
    }

    /// The streaming cost as anybody computes it from the bytes.
    pub(super) fn streaming_cost(&self, plan: &Plan) -> f64 {
        let cost =
            |(item, picks): (&Item, &Picks)| self.streaming.cost(item.radius, item.bytes(picks));
        self.items.iter().zip(plan).map(cost).sum()
    }

    fn cost(&self, plan: &Plan) -> f64 {
        self.items.iter().zip(plan).map(|(item, picks)| item.cost(picks)).sum()
    }

    /// Whether a plan costs no more than it may. Where sums of parts are not exact enough, it is computed anew.
    pub(super) fn fits(&self, plan: &Plan) -> bool {
        let cost = self.cost(plan);
        cost <= self.most * (1.0 - EXACT)
            || cost <= self.most * (1.0 + EXACT) && self.streaming_cost(plan) <= self.most
    }

    /// The plan of the lightest forms.
    pub(super) fn lightest(&self) -> Plan {
        self.items.iter().map(Item::lightest).collect()
    }

    /// What the optimal policy buys, one actor for each object and level, and levels that are heavier than
    /// the one above made lighter.
    pub(super) fn bought(&self) -> Plan {
        let buyers: Vec<Buyer> = self.items.iter().flat_map(buyers).collect();
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating")]
        let forms = spend(&buyers, (self.most * PARTS) as u64).forms;
        let picks = |(item, forms): (&Item, &[usize; 4])| {
            // Buyers have the cheapest form first.
            let lightest = item.lightest();
            let picks = std::array::from_fn(|place| lightest[place] - forms[place]);
            item.repaired(picks).unwrap_or(lightest)
        };
        self.items.iter().zip(forms.as_chunks::<4>().0).map(picks).collect()
    }

    /// A plan that fits, made better until no other levels of one or two objects do so for what they cost and what is
    /// left.
    pub(super) fn improved(&self, mut plan: Plan) -> Plan {
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
            if !better || looked_at > LOOKED_AT {
                return plan;
            }
        }
    }

    /// Gives two objects, or one if they are the same, the best levels for what theirs cost and what is left; whether that
    /// is any better.
    /// All of the plan costs so much.
    fn improve(&self, plan: &mut Plan, (a, b): (usize, usize), all: f64) -> bool {
        let loss = |of: &dyn Fn(usize) -> Picks| {
            let other = if a == b { 0.0 } else { self.items[b].loss(&of(b)) };
            self.items[a].loss(&of(a)) + other
        };
        let before = loss(&|index| plan[index]) * (1.0 - ROUNDING);
        let cost = |index: usize| self.items[index].cost(&plan[index]);
        let left = self.most.min(f64::MAX) - all;
        let money = left + cost(a) + if a == b { 0.0 } else { cost(b) };
        // What sums round is first taken for granted and then not.
        let slack = self.most.min(f64::MAX) * EXACT;
        for money in [money + slack, money, money - slack] {
            let Some(changes) = self.best(a, b, money) else { continue };
            let [(_, first), (_, last)] = changes;
            let is_better = loss(&|index| if index == a { first } else { last }) < before;
            if !is_better {
                continue;
            }
            let mut changed = plan.clone();
            for (index, picks) in changes {
                changed[index] = picks;
            }
            if self.fits(&changed) {
                *plan = changed;
                return true;
            }
        }
        false
    }

    fn best(&self, a: usize, b: usize, money: f64) -> Option<[(usize, Picks); 2]> {
        if a == b {
            let one = frontier::best(&self.frontiers[a], money)?;
            return Some([(a, one.picks); 2]);
        }
        let (one, other) = frontier::best_pair(&self.frontiers[a], &self.frontiers[b], money)?;
        Some([(a, one.picks), (b, other.picks)])
    }
}

/// An actor for each level: its benefit the greatest loss, its quality how much of that a form avoids.
fn buyers(item: &Item) -> [Buyer; 4] {
    std::array::from_fn(|place| {
        let forms = &item.forms[place];
        let worth = forms.last().map_or(0.0, |form| form.loss);
        let quality = |loss: f64| if worth > 0.0 { 1.0 - loss / worth } else { 1.0 };
        #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturating")]
        let cost = |cost: f64| (cost * PARTS).ceil() as u32;
        let forms = forms.iter().rev().map(|form| (cost(form.cost), quality(form.loss)));
        Buyer { worth, forms: forms.collect() }
    })
}
