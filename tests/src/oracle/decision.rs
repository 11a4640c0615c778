//! A whole decision with hysteresis, written for readability: one actor after the other, sorted lists, wide integers.
//!
//! Costs and budgets are whole nanoseconds, benefits and LODs are Q16.16, scales are in 2⁻³². An actor's levels are
//! counted from its lowest valid one, as *indices*. Neighbouring levels with one cost are a *plateau*.
//!
//! Local search is not part of it: if [`Decision::begins_local_search`], scratch memory would improve the plan.
//!
//! Rules that the specification does not state:
//!
//! - An actor below its previous level takes at most this level in one turn, and may use the dead band for it.
//! - Any other actor leaves the dead band free. It is a part of the budget that the turn is about: of all available
//!   budget, or of the shares of the actors that share their leftovers.
//! - Previous levels also count in continuous modules, although these have no margin.
//! - The limit of upgrades keeps the greatest benefits, or with the optimal policy the greatest worth of the hull step
//!   above the previous level, both without the margin; ties by lower id. An actor without a previous level is not
//!   limited.
//! - A cautious module limits its own upgrades before, to a sixteenth of its actors but at least one, and to one level
//!   each. Actors without a previous level, or with level 255, count from their lowest, unless their highest is 255.

use std::cmp::Reverse;

mod optimal;

use super::ledger::scale::share;
use super::ledger::{Leftovers, WHOLE};
use optimal::Slope;

/// The money of an unlimited budget.
const UNLIMITED: u128 = u64::MAX as u128;
/// The price at which an actor takes every step that has a value.
const LEAST_PRICE: u32 = 1;

/// The valid levels from the lowest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    pub lowest: u8,
    /// Nanoseconds at each level, never falling.
    pub costs: Vec<u32>,
    /// Qualities of each level in 2⁻¹⁵, never falling.
    pub qualities: Vec<u16>,
}

/// An automatic actor, and the settings of its module.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Actor<'a> {
    /// A unique number; the lower id wins a tie.
    pub id: u32,
    pub module: usize,
    /// Nanoseconds per unit of benefit.
    pub benefit_value_ns: u32,
    pub is_continuous: bool,
    /// Whether the module is upgraded cautiously.
    pub is_cautious: bool,
    pub ladder: &'a Ladder,
    /// The benefit, below `2^24`.
    pub benefit: u32,
    pub previous: Option<PreviousLevel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviousLevel {
    pub level: u8,
    pub is_automatic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    /// With the scale of the latest frame of this policy.
    Proportional(Leftovers, Option<u64>),
    /// With the price of the latest frame of this policy.
    Optimal(Option<u32>),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Request {
    /// The budget; `None` is unlimited.
    pub budget_ns: Option<u64>,
    /// The cost that is paid first.
    pub reserved_ns: u64,
    /// The part of the budget left free, in 2⁻²⁴; minimums may use it.
    pub headroom: u32,
    pub policy: Policy,
    /// The part of a benefit that does not count above the previous level, in 2⁻⁸.
    pub margin: u8,
    /// The part of a budget that upgrades leave free, in 2⁻⁸.
    pub dead_band: u8,
    pub max_upgrades: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decision {
    /// The budget less headroom and reserved cost; `u64::MAX` is unlimited.
    pub available_ns: u64,
    /// The excess of reserved cost and minimums over the budget.
    pub overcommit_ns: u64,
    pub minimum_ns: u64,
    pub scale: u64,
    pub price: u32,
    /// LOD and cost of each actor.
    pub outcomes: Vec<(u32, u64)>,
    /// Value and upper bound of the optimal policy, in 2⁻³¹.
    pub certificate: Option<(u64, u64)>,
    /// The number of actors that were automatic before and have another whole level.
    pub switches: usize,
    /// Whether local search, if it has scratch memory, replaces this plan by one of at least its value.
    pub begins_local_search: bool,
}

/// Decides the LOD of every actor; the actors of a module are neighbours.
#[must_use]
pub fn decide(actors: &[Actor<'_>], request: &Request) -> Decision {
    let mut rows: Vec<Row<'_>> = actors.iter().map(|actor| Row::new(actor, request)).collect();
    let minimum: u128 = rows.iter().map(|row| row.cost(0)).sum();
    let frame = FrameBudget::new(request, minimum);
    let (mut scale, mut optimum) = (WHOLE, None);
    match request.policy {
        Policy::Proportional(leftovers, last) => {
            scale = proportional(&mut rows, frame, leftovers, last);
        }
        Policy::Optimal(last) => optimum = Some(optimal::optimal(&mut rows, frame, last)),
    }
    for module in rows.chunk_by_mut(|one, other| one.actor.module == other.actor.module) {
        if module[0].actor.is_cautious {
            limit_cautious_upgrades(module, request);
        }
    }
    limit_upgrades(&mut rows, request);
    let value = rows.iter().map(|row| row.value(row.index)).sum();
    let is_switched = |row: &&Row<'_>| {
        let last = row.actor.previous.filter(|last| last.is_automatic);
        last.is_some_and(|last| u32::from(last.level) != row.lod() >> 16)
    };
    Decision {
        available_ns: narrow(frame.available),
        overcommit_ns: narrow(frame.overcommit),
        minimum_ns: narrow(minimum),
        scale,
        price: optimum.map_or(LEAST_PRICE, |optimum| optimum.price),
        outcomes: rows.iter().map(|row| (row.lod(), narrow(row.lod_cost()))).collect(),
        certificate: optimum.map(|optimum| (value, optimum.upper_bound.max(value))),
        switches: rows.iter().filter(is_switched).count(),
        begins_local_search: optimum.is_some_and(|optimum| optimum.begins_local_search),
    }
}

fn narrow(ns: u128) -> u64 {
    u64::try_from(ns).expect("sums of a documented scene fit 64 bits")
}

#[derive(Debug, Clone, Copy)]
struct FrameBudget {
    available: u128,
    overcommit: u128,
    minimum: u128,
    dead_band: u8,
    has_hysteresis: bool,
}

/// An actor in a decision.
struct Row<'a> {
    actor: &'a Actor<'a>,
    ladder: &'a Ladder,
    benefit: u32,
    /// The benefit above the previous level.
    discounted: u32,
    /// The index of the previous level, if hysteresis is on.
    previous: Option<usize>,
    /// The slope of the hull step that leads to each level or over it, with the optimal policy.
    slopes: Vec<Option<Slope>>,
    index: usize,
    fraction: u32,
}

impl Request {
    fn has_hysteresis(&self) -> bool {
        self.margin > 0 || self.dead_band > 0
    }
}

impl FrameBudget {
    fn new(request: &Request, minimum: u128) -> Self {
        let reserved = u128::from(request.reserved_ns);
        let needed = reserved + minimum;
        let (mut available, mut overcommit) = (UNLIMITED, 0);
        if let Some(budget) = request.budget_ns.map(u128::from) {
            let planned = budget - ((budget * u128::from(request.headroom)) >> 24);
            available = planned.max(needed.min(budget)).saturating_sub(reserved);
            overcommit = needed.saturating_sub(budget);
        }
        let (dead_band, has_hysteresis) = (request.dead_band, request.has_hysteresis());
        Self { available, overcommit, minimum, dead_band, has_hysteresis }
    }

    /// The part of money that upgrades leave free.
    fn dead_band_of(&self, money: u128) -> u128 {
        if money == UNLIMITED { 0 } else { (money >> 8) * u128::from(self.dead_band) }
    }

    /// The available budget without the dead band.
    fn low(&self) -> u128 {
        self.available - self.dead_band_of(self.available)
    }
}

impl Ladder {
    fn top(&self) -> usize {
        self.costs.len() - 1
    }

    /// The highest index that costs at most `money`; the lowest level is always paid.
    fn highest(&self, money: u128) -> usize {
        let paid = |&cost: &u32| cost == self.costs[0] || u128::from(cost) <= money;
        self.costs.iter().rposition(paid).expect("a ladder has a level")
    }

    /// The index of a previous level: of the nearest valid level, and the upper end of a plateau.
    fn index_of(&self, level: u8) -> usize {
        let index = usize::from(level.saturating_sub(self.lowest)).min(self.top());
        self.highest(self.costs[index].into())
    }
}

impl<'a> Row<'a> {
    fn new(actor: &'a Actor<'a>, request: &Request) -> Self {
        let Actor { ladder, benefit, .. } = *actor;
        let margin = if actor.is_continuous { 0 } else { request.margin };
        // An actor without a previous level behaves as if it was the top of its range.
        let previous = actor.previous.map_or(ladder.top(), |last| ladder.index_of(last.level));
        let discounted = benefit - ((benefit * u32::from(margin)) >> 8);
        let previous = request.has_hysteresis().then_some(previous);
        let (slopes, index, fraction) = (Vec::new(), 0, 0);
        Self { actor, ladder, benefit, discounted, previous, slopes, index, fraction }
    }

    fn lod(&self) -> u32 {
        let index = u32::try_from(self.index).expect("at most 256 levels");
        ((u32::from(self.ladder.lowest) + index) << 16) + self.fraction
    }

    fn cost(&self, index: usize) -> u128 {
        self.ladder.costs[index].into()
    }

    fn lod_cost(&self) -> u128 {
        let cost = self.cost(self.index);
        if self.fraction == 0 {
            return cost;
        }
        cost + ((self.cost(self.index + 1) - cost) * u128::from(self.fraction)).div_ceil(1 << 16)
    }

    /// Benefit times quality, in 2⁻³¹.
    fn value(&self, index: usize) -> u64 {
        u64::from(self.benefit) * u64::from(self.ladder.qualities[index])
    }

    /// The highest index and fraction that money pays.
    fn affordable(&self, money: u128) -> (usize, u32) {
        let index = self.ladder.highest(money);
        if !self.actor.is_continuous || index == self.ladder.top() {
            return (index, 0);
        }
        let (below, above) = (self.cost(index), self.cost(index + 1));
        let fraction = (money.saturating_sub(below) << 16) / (above - below);
        (index, u32::try_from(fraction).expect("less than a level"))
    }

    fn set(&mut self, (index, fraction): (usize, u32)) {
        (self.index, self.fraction) = (index, fraction);
    }

    fn is_below_previous(&self) -> bool {
        self.previous.is_some_and(|previous| self.index < previous)
    }

    fn benefit_above(&self) -> u32 {
        if self.is_below_previous() { self.benefit } else { self.discounted }
    }

    /// The highest index to which a leftover budget may raise the actor, and the part that it may use.
    fn reach(&self, left: u128, dead_band: u128) -> (usize, u128) {
        match self.previous {
            Some(previous) if self.index < previous => (previous, left),
            Some(_) => (self.ladder.top(), left.saturating_sub(dead_band)),
            None => (self.ladder.top(), left),
        }
    }

    /// Raises the LOD as far as a leftover budget pays; returns the cost.
    fn raise(&mut self, left: u128, dead_band: u128) -> u128 {
        let (before, (most, money)) = (self.lod_cost(), self.reach(left, dead_band));
        self.set(self.affordable(before + money).min((most, 0)));
        self.lod_cost() - before
    }

    fn share(&self, benefit: u32, scale: u64) -> u128 {
        share(self.actor.benefit_value_ns, benefit, scale).into()
    }
}

/// The indices of the rows that have a rank, by falling rank; ties by lower id.
fn in_order<'a>(rows: &[Row<'a>], rank: impl Fn(&Row<'a>) -> Option<u32>) -> Vec<usize> {
    let ranks = rows.iter().enumerate();
    let ranks = ranks.filter_map(|(index, row)| Some((Reverse(rank(row)?), row.actor.id, index)));
    let mut ranks: Vec<_> = ranks.collect();
    ranks.sort_unstable();
    ranks.into_iter().map(|(_, _, index)| index).collect()
}

fn proportional(
    rows: &mut [Row<'_>],
    frame: FrameBudget,
    leftovers: Leftovers,
    last: Option<u64>,
) -> u64 {
    let scale = if frame.overcommit > 0 {
        0
    } else {
        let greatest = greatest_scale(rows, frame.available);
        let least = greatest_scale(rows, frame.low());
        last.map_or(greatest, |last| last.max(least).min(greatest))
    };
    for row in &mut *rows {
        let mut lod = row.affordable(row.share(row.benefit, scale));
        if let Some(previous) = row.previous.filter(|&previous| lod.0 > previous) {
            lod = row.affordable(row.share(row.discounted, scale)).max((previous, 0));
        }
        row.set(lod);
    }
    if frame.overcommit == 0 {
        spend_leftovers(rows, frame, leftovers, scale);
    }
    scale
}

/// Pins all actors with a share below their minimum, lowers the scale, and repeats until a pass after the first pins
/// none.
fn greatest_scale(rows: &[Row<'_>], money: u128) -> u64 {
    let (mut scale, mut pinned_before) = (WHOLE, None);
    loop {
        let (mut pinned, mut left, mut wanted) = (0, money, 0);
        for module in rows.chunk_by(|one, other| one.actor.module == other.actor.module) {
            let mut benefit = 0;
            for row in module {
                if row.share(row.benefit, scale) < row.cost(0) {
                    (pinned, left) = (pinned + 1, left.saturating_sub(row.cost(0)));
                } else {
                    benefit += u128::from(row.benefit);
                }
            }
            let value = u128::from(module[0].actor.benefit_value_ns);
            wanted += (value * benefit).div_ceil(1 << 16);
        }
        if wanted > left {
            scale = scale.min(narrow((left << 32) / wanted));
        }
        if pinned_before == Some(pinned) {
            return scale;
        }
        pinned_before = Some(pinned);
    }
}

/// Raises actors by falling benefit, each as far as the leftover budget of its group pays.
fn spend_leftovers(rows: &mut [Row<'_>], frame: FrameBudget, leftovers: Leftovers, scale: u64) {
    let last = rows.last().map_or(0, |row| row.actor.module);
    let groups = match leftovers {
        Leftovers::Keep => return,
        Leftovers::WithinModule => (0..=last).map(|module| module..=module).collect(),
        Leftovers::AcrossModules | Leftovers::WholeBudget => vec![0..=last],
    };
    for group in groups {
        let is_member = |row: &Row<'_>| group.contains(&row.actor.module);
        let members = || rows.iter().filter(|row| is_member(row));
        let share = |row: &Row<'_>| row.share(row.benefit, scale).max(row.cost(0));
        let whole = match leftovers {
            Leftovers::WholeBudget => frame.available,
            _ => members().map(share).sum(),
        };
        let mut left = whole - members().map(Row::lod_cost).sum::<u128>();
        let rank = |row: &Row<'_>| (is_member(row) && row.benefit > 0).then(|| row.benefit_above());
        for index in in_order(rows, rank) {
            left -= rows[index].raise(left, frame.dead_band_of(whole));
        }
    }
}

/// Returns actors to their previous level, except for the first few of those above it.
fn limit_upgrades(rows: &mut [Row<'_>], request: &Request) {
    let Some(most) = request.max_upgrades else { return };
    let previous = |row: &Row<'_>| row.actor.previous.map(|last| row.ladder.index_of(last.level));
    for index in upgraded(rows, request, previous).into_iter().skip(most as usize) {
        let level = previous(&rows[index]).expect("an upgraded actor has a previous level");
        rows[index].set((level, 0));
    }
}

fn limit_cautious_upgrades(module: &mut [Row<'_>], request: &Request) {
    let previous = |row: &Row<'_>| {
        let has_last_level = usize::from(row.ladder.lowest) + row.ladder.top() == 255;
        match row.actor.previous.map(|last| last.level).filter(|&level| level < 255) {
            Some(level) => row.ladder.index_of(level),
            None if has_last_level => row.ladder.top(),
            None => row.ladder.index_of(row.ladder.lowest),
        }
    };
    let most = (module.len() / 16).max(1);
    let upgraded = upgraded(module, request, |row| Some(previous(row)));
    for (place, index) in upgraded.into_iter().enumerate() {
        let rise = usize::from(place < most);
        let level = previous(&module[index]) + rise;
        module[index].set((level, 0));
    }
}

/// Returns the actors above their previous level, the first to keep it first.
fn upgraded(
    rows: &[Row<'_>],
    request: &Request,
    previous: impl Fn(&Row<'_>) -> Option<usize>,
) -> Vec<usize> {
    in_order(rows, |row| {
        let above = previous(row).filter(|&previous| row.index > previous)? + 1;
        Some(match request.policy {
            Policy::Proportional(..) => row.benefit,
            Policy::Optimal(_) => row.worth(above, row.benefit).unwrap_or(0),
        })
    })
}
