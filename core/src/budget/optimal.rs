//! The greatest benefit times quality for a budget.
//!
//! Every actor takes the steps whose value is at least the price, the least at which all these steps fit. The rest is
//! less than some actor's next step, and is spent actor by actor.
//!
//! One pass evaluates several prices. Near the price, a pass takes all steps of a little more value and marks the
//! actors with another step at a slightly lower price: the price lies among these, and they spend the rest first. Few
//! actors are searched [row by row](by_row).

// The path of a method would fix the lifetime of a module view.
#![allow(clippy::redundant_closure_for_method_calls)]
// A function that is not inlined is not compiled for the vectors of its caller.
#![allow(clippy::inline_always)]

mod alone;
mod by_row;
mod fill;
mod improve;
mod local_search;
mod take;

use super::cutoff::{RowSample, WarmStart};
use super::decision::{Decision, OptimalityCertificate, Totals};
use super::frame_budget::FrameBudget;
use super::kernels::terms::{LevelKernel, PriceWindow, Returning, TakeKernel};
use super::kernels::{MinimumKernel, SwitchKernel};
use super::ladder::Ladders;
use super::last::Carryover;
use super::marks::MOST_MARKED;
use super::module_view::{ModuleView, Modules, PartialResult, SceneSize, ask};
use super::policy::{Hysteresis, Request};
use super::price::Price;
use super::scratch::Move;
use super::search::{CutoffSearch, PIVOTS, PivotCount, WindowSteps};
use super::slope::{Slope, SlopeRange};
use super::upgrade_limit::limit_upgrades;
use super::upgrade_queue::{CandidateUpgrade, Upgrade, UpgradeQueue};
use fill::Fill;
use take::{CostKernel, TakeTotals};

/// The number of steps that a window of prices may have.
const FEW_STEPS: u64 = 1 << 10;

#[inline(never)]
pub(super) fn optimal<W: Modules + ?Sized>(
    request: &Request,
    carryover: &mut Carryover,
    modules: &mut W,
    scratch: &mut [impl CandidateUpgrade],
    moves: &mut [Move],
) -> Decision {
    let frame = FrameBudget::of(request, ask(modules, &MinimumKernel));
    let FrameBudget { available, overcommit, minimum } = frame;
    if overcommit == 0 {
        make_slopes(modules, frame);
    }
    let (hysteresis, max_passes) = (request.hysteresis, request.max_passes);
    let last = carryover.price.map(|price| price.max(Price::MIN));
    let size = SceneSize::of(modules, 0..modules.count(), W::WIDE);
    let mut phase = OptimalPhase { modules, scratch, frame, size, hysteresis, last, max_passes };
    let mut plan = phase.plan();
    if overcommit == 0 {
        if !hysteresis.is_on() {
            phase.improve(&mut plan, moves);
        }
        phase.fill_fractions(&mut plan);
    }
    let Plan { price, totals, bound, .. } = plan;
    carryover.price = Some(price);
    let saved = limit_upgrades(request, modules, scratch);
    let value = totals.value.wrapping_sub(saved.value);
    Decision {
        available,
        overcommit,
        minimum,
        price,
        assigned: totals.cost.wrapping_sub(saved.cost),
        certificate: Some(OptimalityCertificate { value, upper_bound: bound.max(value) }),
        switches: u32::try_from(ask(modules, &SwitchKernel)).unwrap_or(u32::MAX),
        ..Decision::default()
    }
}

struct OptimalPhase<'a, W: ?Sized, U> {
    modules: &'a mut W,
    scratch: &'a mut [U],
    frame: FrameBudget,
    size: SceneSize,
    hysteresis: Hysteresis,
    /// The previous price.
    last: Option<Price>,
    max_passes: Option<u32>,
}

#[derive(Clone, Copy)]
struct Plan {
    price: Price,
    totals: Totals,
    /// The upper bound of the value of all plans.
    bound: u64,
    /// The value of all lowest levels.
    least: u64,
}

impl Plan {
    const fn enough(&self) -> u64 {
        self.bound.saturating_sub(self.least) >> 10
    }

    /// Whether a plan may be better by more than a local search is for.
    const fn is_open(&self) -> bool {
        self.bound.saturating_sub(self.totals.value) > self.enough()
    }
}

/// A price at which all fits, with the window at whose high end the levels are.
struct Found {
    price: Price,
    window: PriceWindow,
    taken: TakeTotals,
    /// Whether all are marked that return or take other steps in the window.
    are_marked: bool,
}

impl<W: Modules + ?Sized, U: CandidateUpgrade> OptimalPhase<'_, W, U> {
    const fn reserved(&self) -> u64 {
        self.hysteresis.reserved(self.frame.available)
    }

    fn plan(&mut self) -> Plan {
        let Self { frame, hysteresis, last, .. } = *self;
        let FrameBudget { available, overcommit, minimum } = frame;
        if overcommit > 0 {
            let taken = self.take(PriceWindow::at(Price::MAX), Returning::Mark);
            let TakeTotals { totals, least, .. } = taken;
            return Plan { price: Price::MAX, totals, bound: totals.value, least };
        }
        if !W::WIDE {
            return self.plan_by_row();
        }
        let warm_start = self.modules.visit(0, |module| module.wide.warm_start);
        let warm_start = warm_start.unwrap_or_default();
        let few = FEW_STEPS.min(self.scratch.len() as u64);
        let mut search = CutoffSearch::new(available, last, warm_start.spread, few);
        if let Some(last) = last.filter(|_| hysteresis.dead_band > 0) {
            let taken = self.take(PriceWindow::at(last), Returning::Return);
            let cost = taken.totals.cost;
            let low = available.saturating_sub(self.reserved());
            if cost <= available && cost > low {
                return self.stay(last, taken);
            }
            if cost <= low {
                search = CutoffSearch::new(low.max(minimum), Some(last), warm_start.spread, few);
            }
            search.note(last.bits(), cost, None);
            if let Some(prices) = warm_start.prices(search.limit, cost) {
                search.try_prices(prices, warm_start.spread);
            }
        }
        let Found { price, window, taken, are_marked } = self.search(&mut search, warm_start);
        let (mut totals, mut full) = (taken.totals, taken.full);
        if price < window.high {
            for index in 0..self.modules.count() {
                let take =
                    |module: &mut ModuleView<'_>| module.take_marked(price, window, hysteresis);
                let more = self.modules.visit(index, take);
                let (more, more_full) = more.unwrap_or_default();
                (totals, full) = (totals.plus(more), full.plus(more_full));
            }
        }
        let bound = bound(price, available, full);
        let mut fill = Fill::new(self, price, totals);
        let marks = are_marked.then_some(PriceWindow { high: price, ..window });
        fill.run(marks, &taken);
        let has_missed = fill.has_missed && are_marked;
        let (totals, too_many) = (fill.totals, fill.has_too_many(&taken));
        let next = warm_start.after_price(price.bits(), search.limit, has_missed, too_many);
        self.modules.visit(0, |module| module.wide.warm_start = next);
        Plan { price, totals, bound, least: taken.least }
    }

    /// Keeps the previous price, as the dead band allows. Levels are those at the price, and all actors have returned
    /// to their previous levels: they stay if the budget pays for it.
    fn stay(&mut self, price: Price, taken: TakeTotals) -> Plan {
        let TakeTotals { totals, back, full, least, .. } = taken;
        let available = self.frame.available;
        if back.cost <= available.saturating_sub(totals.cost) {
            let bound = bound(price, available, full);
            return Plan { price, totals: totals.plus(back), bound, least };
        }
        let taken = self.take(PriceWindow::at(price), Returning::Mark);
        self.fill(price, &taken)
    }

    /// Spends the rest of the budget above the levels at a price.
    fn fill(&mut self, price: Price, taken: &TakeTotals) -> Plan {
        let bound = bound(price, self.frame.available, taken.full);
        let mut fill = Fill::new(self, price, taken.totals);
        fill.run(Some(PriceWindow::at(price)), taken);
        Plan { price, totals: fill.totals, bound, least: taken.least }
    }

    /// Looks for a better plan: one actor with the whole budget, or by the local search.
    #[inline(never)]
    fn improve(&mut self, plan: &mut Plan, moves: &mut [Move]) {
        let may_be_alone = self.may_be_alone(plan);
        if !may_be_alone && (moves.len() <= 1 || !plan.is_open()) {
            return;
        }
        if W::WIDE {
            for index in 0..self.modules.count() {
                self.modules.visit(index, |module| {
                    module.keep_all();
                    module.wide.forget();
                });
            }
        }
        if may_be_alone {
            self.take_alone(plan);
        }
        if moves.len() > 1 && plan.is_open() {
            if let Some(totals) = self.search_locally(plan, moves) {
                plan.totals = totals;
            } else {
                plan.totals = self.take(PriceWindow::at(plan.price), Returning::Mark).totals;
                self.fill_all(plan);
                self.take_alone(plan);
            }
        }
    }

    /// Spends the rest on any actors.
    fn fill_all(&mut self, plan: &mut Plan) {
        let mut fill = Fill::of_all(self, plan.totals);
        fill.run_all();
        plan.totals = fill.totals;
    }

    /// Finds the least price at which all fits.
    fn search(&mut self, search: &mut CutoffSearch, warm_start: WarmStart) -> Found {
        let (mut returning, mut is_estimated) = (Returning::Mark, false);
        let mut width = warm_start.reach().of_price();
        loop {
            if let Some(window) = search.window(width) {
                let taken = self.take(window, returning);
                let are_marked = returning == Returning::Mark;
                if let Some(price) = search.price() {
                    return Found { price, window, taken, are_marked };
                }
                let cost = taken.totals.cost;
                let steps = if taken.found > MOST_MARKED {
                    width = 0;
                    WindowSteps::Unknown
                } else {
                    self.steps_in(window, search.limit, cost)
                };
                if let Some(price) = search.check(window, cost, steps) {
                    return Found { price, window, taken, are_marked };
                }
                if search.window(0).is_some() {
                    continue;
                }
            }
            if !is_estimated {
                is_estimated = true;
                self.estimate(search, warm_start);
                // They may be very many.
                returning = Returning::Leave;
            }
            search.pass(self.costs_at(search.pivots, 1));
        }
    }

    /// Directs a search to a range of prices, estimated from a sample of very many actors.
    fn estimate(&mut self, search: &mut CutoffSearch, warm_start: WarmStart) {
        let SceneSize { rows, greatest_cost, .. } = self.size;
        let sample = RowSample::of(rows, greatest_cost);
        if sample.stride <= 1 {
            return;
        }
        let [less, more] = sample.around(search.limit).map(|limit| {
            CutoffSearch::new(limit, self.last, warm_start.spread, rows / 1_024)
                .find(|pivots| self.costs_at(pivots, sample.stride))
        });
        search.aim(more[0], less[1]);
    }

    /// Returns the least price at which the cost is at most `limit`, by passes over all actors.
    fn price_by_passes(&mut self, limit: u64) -> Price {
        let mut search = CutoffSearch::new(limit, self.last, 0, 0);
        let [_, price] = search.find(|pivots| self.costs_at(pivots, 1));
        Price::from_bits(price)
    }

    fn costs_at(&mut self, pivots: [u32; PIVOTS], stride: u32) -> [PivotCount; PIVOTS] {
        let prices = pivots.map(Price::from_bits);
        ask(self.modules, &CostKernel { prices, hysteresis: self.hysteresis, stride })
    }

    /// Looks for the least price in a window at which the cost is at most `limit`; it is `cost` at the high end.
    fn steps_in(&mut self, window: PriceWindow, limit: u64, cost: u64) -> WindowSteps {
        let Some(mut left) = limit.checked_sub(cost) else { return WindowSteps::Unknown };
        let mut upgrades = UpgradeQueue::new(self.scratch);
        for index in 0..self.modules.count() {
            let has_space = self.modules.visit(index, |module| {
                module.queue_steps_in(window, self.hysteresis, &mut upgrades)
            });
            if has_space == Some(false) {
                return WindowSteps::Unknown;
            }
        }
        let mut missing = None;
        upgrades.visit(|upgrade| {
            match left.checked_sub(upgrade.cost()) {
                Some(rest) => left = rest,
                None => missing = Some(upgrade.rank()),
            }
            missing.is_none()
        });
        match missing {
            Some(worth) => WindowSteps::Price(Price::from_bits(worth.saturating_add(1))),
            None if window.low == Price::MIN => WindowSteps::Price(Price::MIN),
            None => WindowSteps::Cost(limit.saturating_sub(left)),
        }
    }

    fn take(&mut self, window: PriceWindow, returning: Returning) -> TakeTotals {
        let (hysteresis, modules) = (self.hysteresis, &mut *self.modules);
        let kernel = TakeKernel { window, hysteresis, returning, is_repeated: false };
        (0..modules.count()).fold(TakeTotals::default(), |sum, index| {
            let begin =
                |module: &mut ModuleView<'_>| module.wide.begin_pass(LevelKernel::Take(kernel));
            let is_repeated = W::WIDE && modules.visit(index, begin) == Some(true);
            let taken = modules.map_reduce(index, &TakeKernel { is_repeated, ..kernel });
            modules.visit(index, |module| module.assigned = taken.totals.plus(taken.back).cost);
            sum.plus(taken)
        })
    }
}

/// Computes the value of the views' levels, and an upper bound for all levels with the same budget: a certificate of
/// any plan.
///
/// Levels stay unchanged; the views' slopes are used.
pub fn certify<W: Modules + ?Sized>(request: &Request, modules: &mut W) -> OptimalityCertificate {
    let frame = FrameBudget::of(request, ask(modules, &MinimumKernel));
    let available = frame.available;
    let value = totals(modules, None).value;
    if frame.overcommit > 0 {
        return OptimalityCertificate { value, upper_bound: value };
    }
    make_slopes(modules, frame);
    let price = OptimalPhase::<W, Upgrade> {
        size: SceneSize::of(modules, 0..modules.count(), W::WIDE),
        modules,
        scratch: &mut [],
        frame,
        hysteresis: Hysteresis::OFF,
        last: None,
        max_passes: None,
    }
    .price_by_passes(available);
    let upper_bound = bound(price, available, totals(modules, Some(price))).max(value);
    OptimalityCertificate { value, upper_bound }
}

/// Returns the totals of the current levels, or of the levels at a price without hysteresis.
fn totals<W: Modules + ?Sized>(modules: &mut W, price: Option<Price>) -> Totals {
    let mut sum = Totals::default();
    for index in 0..modules.count() {
        modules.visit(index, |module| {
            module.each_actor(Hysteresis::OFF, |_, _, actor| {
                let level_index = price.map_or(actor.now, |price| actor.indices_at(price).0);
                sum = sum.plus(actor.options.totals(level_index));
            });
        });
    }
    sum
}

fn make_slopes<W: Modules + ?Sized>(modules: &mut W, frame: FrameBudget) {
    let spare = frame.available.saturating_sub(frame.minimum);
    let spare = u32::try_from(spare).unwrap_or(u32::MAX);
    for index in 0..modules.count() {
        modules.visit(index, |module| {
            if !module.slopes.valid_for.holds(spare) {
                module.make_slopes(spare);
                if W::WIDE {
                    module.wide.forget();
                }
            }
        });
    }
}

/// Returns an upper bound for the value of all levels, in 2⁻³¹, from the totals of all steps worth the price.
///
/// These steps maximise value − price × cost; no levels exceed that maximum plus price × budget. Slopes are less than
/// 2⁻³⁰ too small: at a price higher by this part the same levels are optimal, except for steps that lose less than
/// this part of their value.
fn bound(price: Price, available: u64, at_price: Totals) -> u64 {
    let Totals { cost, value } = at_price;
    if price == Price::MIN && cost <= available {
        return value;
    }
    let left = price.of(available.saturating_sub(cost));
    let lacks = price.of(cost.saturating_sub(available)).saturating_sub(2);
    let bound = value.saturating_add(left).saturating_sub(lacks);
    bound.saturating_add(value.max(bound) >> 29).saturating_add(1)
}

impl ModuleView<'_> {
    fn make_slopes(&mut self, spare: u32) {
        let Ladders { spans, costs } = self.input.ladders;
        let mut valid_for = SlopeRange::ANY;
        for &span in spans {
            let costs = Ladders::part(span, costs);
            let qualities = Ladders::beside(span, costs.len(), self.qualities);
            let slopes = Ladders::beside_mut(span, costs.len(), self.slopes.of_costs);
            Slope::along(costs, qualities, spare, slopes);
            valid_for = valid_for.and(SlopeRange::of(costs, spare));
        }
        self.slopes.valid_for = valid_for;
    }
}
