//! A whole decision with hysteresis, written for readability: one actor after the other, sorted lists, wide integers.
//!
//! Costs and budgets are whole nanoseconds, benefits and LODs are Q16.16, scales are in 2⁻³². An actor's levels are
//! counted from its lowest valid one, as *indices*. A cost that two levels share is a *plateau*. A decision has the
//! proportional or the optimal policy, without local search: [`Decision::begins_local_search`] says when a caller's
//! memory would start it.
//!
//! Rules of hysteresis that the specification does not state:
//!
//! - An actor below its previous level takes at most this level in one turn, and may use the dead band for it.
//! - Any other actor leaves the dead band free. It is a part of the budget that the turn is about: of all available
//!   budget, or of the shares of the actors that share their leftovers.
//! - Previous levels do not count in a continuous module without a dead band, as it has no margin.
//! - The limit of upgrades keeps the greatest benefits, or with the optimal policy the greatest worth of the hull step
//!   above the previous level, both without the margin; ties by lower id. An actor without a previous level is not
//!   limited.

use std::cmp::Reverse;

mod optimal;

use super::ledger::Leftovers;
use optimal::Slope;

/// A scale of 1, the greatest.
const WHOLE: u64 = 1 << 32;
/// The money of an unlimited budget.
const UNLIMITED: u128 = u64::MAX as u128;
/// The price at which an actor takes every step that has a value.
const LEAST_PRICE: u32 = 1;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Module {
    /// Nanoseconds per unit of benefit.
    pub benefit_value_ns: u32,
    pub continuous: bool,
    pub ladders: Vec<Ladder>,
    pub actors: Vec<Actor>,
}

/// The valid levels from the lowest on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Ladder {
    pub lowest: u8,
    /// Nanoseconds at each level, never falling.
    pub costs: Vec<u32>,
    /// Qualities of each level in 2⁻¹⁵, never falling.
    pub qualities: Vec<u16>,
}

/// An automatic actor.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Actor {
    /// A unique number; the lower id wins a tie.
    pub id: u32,
    /// The benefit, below `2^24`.
    pub benefit: u32,
    /// The index of the ladder in the module.
    pub ladder: usize,
    pub previous: Option<PreviousLevel>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviousLevel {
    pub level: u8,
    pub is_automatic: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Policy {
    Proportional(Leftovers),
    Optimal,
}

#[derive(Debug, Clone, PartialEq, Eq)]
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

/// The scale and price of the latest frames that had one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Carryover {
    pub scale: Option<u64>,
    pub price: Option<u32>,
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
    /// The cost of each module.
    pub assigned_ns: Vec<u64>,
    /// The LODs of each module.
    pub lods: Vec<Vec<u32>>,
    /// Value and upper bound of the optimal policy, in 2⁻³¹.
    pub certificate: Option<(u64, u64)>,
    /// The number of actors that were automatic before and have another whole level.
    pub switches: u32,
    /// Whether local search, if there is memory for it, would replace this plan with one of at least its value.
    pub begins_local_search: bool,
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
    number: usize,
    module: &'a Module,
    ladder: &'a Ladder,
    slopes: &'a [Option<Slope>],
    actor: &'a Actor,
    benefit: u32,
    /// The benefit above the previous level.
    discounted: u32,
    /// The index of the previous level, if hysteresis is on for the actor.
    previous: Option<usize>,
    index: usize,
    fraction: u32,
}

/// Decides the LOD of every actor.
#[must_use]
pub fn decide(modules: &[Module], request: &Request, carryover: &mut Carryover) -> Decision {
    let frame = FrameBudget::new(modules, request);
    let spare = frame.available.saturating_sub(frame.minimum);
    let slopes: Vec<Vec<Vec<Option<Slope>>>> = modules
        .iter()
        .map(|module| module.ladders.iter().map(|ladder| optimal::slopes(ladder, spare)).collect())
        .collect();
    let mut rows = Vec::new();
    for (number, module) in modules.iter().enumerate() {
        let row = |actor| Row::new(number, module, actor, &slopes[number], request);
        rows.extend(module.actors.iter().map(row));
    }
    let (mut scale, mut price, mut bound, mut begins_local_search) =
        (WHOLE, LEAST_PRICE, None, false);
    match request.policy {
        Policy::Proportional(leftovers) => {
            scale = proportional(&mut rows, frame, leftovers, carryover.scale);
            carryover.scale = Some(scale);
        }
        Policy::Optimal => {
            let optimum = optimal::optimal(&mut rows, frame, carryover.price);
            (price, bound) = (optimum.price, Some(optimum.upper_bound));
            begins_local_search = optimum.begins_local_search;
            carryover.price = Some(price);
        }
    }
    limit_upgrades(&mut rows, request);
    let value = rows.iter().map(|row| row.value(row.index)).sum();
    let lods = |module| of(&rows, module).map(Row::lod).collect();
    let assigned = |module| narrow(of(&rows, module).map(Row::lod_cost).sum());
    Decision {
        available_ns: narrow(frame.available),
        overcommit_ns: narrow(frame.overcommit),
        minimum_ns: narrow(frame.minimum),
        scale,
        price,
        assigned_ns: (0..modules.len()).map(assigned).collect(),
        lods: (0..modules.len()).map(lods).collect(),
        certificate: bound.map(|bound| (value, bound.max(value))),
        switches: rows.iter().map(|row| u32::from(row.is_switched())).sum(),
        begins_local_search,
    }
}

fn narrow(ns: u128) -> u64 {
    u64::try_from(ns).expect("sums of a documented scene fit 64 bits")
}

fn of<'a, 'b>(rows: &'b [Row<'a>], module: usize) -> impl Iterator<Item = &'b Row<'a>> {
    rows.iter().filter(move |row| row.number == module)
}

impl FrameBudget {
    fn new(modules: &[Module], request: &Request) -> Self {
        let minimum = |module: &Module| -> u128 {
            let ladders = module.actors.iter().map(|actor| &module.ladders[actor.ladder]);
            ladders.map(|ladder| u128::from(ladder.costs[0])).sum()
        };
        let minimum: u128 = modules.iter().map(minimum).sum();
        let reserved = u128::from(request.reserved_ns);
        let needed = reserved + minimum;
        let (mut available, mut overcommit) = (UNLIMITED, 0);
        if let Some(budget) = request.budget_ns.map(u128::from) {
            let planned = budget - (budget * u128::from(request.headroom) >> 24);
            available = planned.max(needed.min(budget)).saturating_sub(reserved);
            overcommit = needed.saturating_sub(budget);
        }
        let has_hysteresis = request.margin > 0 || request.dead_band > 0;
        Self { available, overcommit, minimum, dead_band: request.dead_band, has_hysteresis }
    }

    /// The part of money that upgrades leave free.
    fn dead_band_of(&self, money: u128) -> u128 {
        if money == UNLIMITED { 0 } else { (money >> 8) * u128::from(self.dead_band) }
    }

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
    fn new(
        number: usize,
        module: &'a Module,
        actor: &'a Actor,
        slopes: &'a [Vec<Option<Slope>>],
        request: &Request,
    ) -> Self {
        let (ladder, slopes) = (&module.ladders[actor.ladder], &slopes[actor.ladder]);
        let margin = if module.continuous { 0 } else { request.margin };
        let benefit = actor.benefit;
        // An actor without a previous level behaves as if it was the top of its range.
        let previous = actor.previous.map_or(ladder.top(), |last| ladder.index_of(last.level));
        Self {
            number,
            module,
            ladder,
            slopes,
            actor,
            benefit,
            discounted: benefit - (benefit * u32::from(margin) >> 8),
            previous: (margin > 0 || request.dead_band > 0).then_some(previous),
            index: 0,
            fraction: 0,
        }
    }

    fn lod(&self) -> u32 {
        (u32::from(self.ladder.lowest) << 16) + ((self.index as u32) << 16) + self.fraction
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

    fn is_switched(&self) -> bool {
        let level = usize::from(self.ladder.lowest) + self.index;
        self.actor
            .previous
            .is_some_and(|last| last.is_automatic && usize::from(last.level) != level)
    }

    /// The highest index and fraction that money pays.
    fn affordable(&self, money: u128) -> (usize, u32) {
        let index = self.ladder.highest(money);
        if !self.module.continuous || index == self.ladder.top() {
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
        let product = u128::from(self.module.benefit_value_ns) * u128::from(scale);
        let excess = (u128::BITS - product.leading_zeros()).saturating_sub(40);
        (u128::from(benefit) * (product >> excess)) >> (48 - excess)
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
        let (mut pinned, mut left, mut benefits) = (0, money, Vec::new());
        for row in rows {
            benefits.resize(row.number + 1, (0, 0));
            if row.share(row.benefit, scale) < row.cost(0) {
                (pinned, left) = (pinned + 1, left.saturating_sub(row.cost(0)));
            } else {
                let (_, sum) = benefits[row.number];
                benefits[row.number] = (row.module.benefit_value_ns, sum + u128::from(row.benefit));
            }
        }
        let target =
            |(value, benefit): (u32, u128)| (u128::from(value) * benefit).div_ceil(1 << 16);
        let wanted: u128 = benefits.into_iter().map(target).sum();
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
    let groups = match leftovers {
        Leftovers::Keep => return,
        Leftovers::WithinModule => rows.last().map_or(0, |row| row.number + 1),
        Leftovers::AcrossModules | Leftovers::WholeBudget => 1,
    };
    for group in 0..groups {
        let is_member = |row: &Row<'_>| leftovers != Leftovers::WithinModule || row.number == group;
        let share = |row: &Row<'_>| row.share(row.benefit, scale).max(row.cost(0));
        let members = || rows.iter().filter(|row| is_member(row));
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
    let upgraded = in_order(rows, |row| {
        let above = previous(row).filter(|&previous| row.index > previous)? + 1;
        Some(match request.policy {
            Policy::Proportional(_) => row.benefit,
            Policy::Optimal => row.worth(above, row.benefit),
        })
    });
    for index in upgraded.into_iter().skip(most as usize) {
        let level = previous(&rows[index]).expect("an upgraded actor has a previous level");
        rows[index].set((level, 0));
    }
}
