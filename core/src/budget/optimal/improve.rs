//! Local search for a better plan, if the certificate leaves a gap.

use super::fill::Fill;
use super::local_search::{ALTERNATIVES, Alternative, LocalSearch, Other, SearchBounds, loss};
use super::{OptimalPhase, Plan};
use crate::budget::decision::Totals;
use crate::budget::frame_budget::FrameBudget;
use crate::budget::kernels::terms::{PriceWindow, Returning};
use crate::budget::module_view::{ModuleView, Modules, PartialResult, place_of};
use crate::budget::options::ActorOptions;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::scratch::{MAX_CHANGES, Move};
use crate::budget::standing::Standing;
use crate::budget::upgrade_queue::{CandidateUpgrade, UpgradeQueue, UpgradeSink};

const CORE: usize = 255;

/// Actors by module and row; two columns take less memory than pairs.
struct Members {
    modules: [u16; CORE],
    rows: [u32; CORE],
}

struct Changes {
    len: usize,
    of: [(u16, u32, u8); MAX_CHANGES],
}

impl<W: Modules + ?Sized, U: CandidateUpgrade> OptimalPhase<'_, W, U> {
    /// Tries other levels for the actors that lose least by them, until the plan is within 2⁻¹⁰ of the best (above the
    /// value of all minimums) or the scratch memory is used up. Returns the totals; `None` without a better plan, and then
    /// the levels are no plan.
    #[inline(never)]
    pub(super) fn search_locally(&mut self, plan: &Plan, moves: &mut [Move]) -> Option<Totals> {
        let FrameBudget { available, minimum, .. } = self.frame;
        let mut totals = self.take_with_ties(plan.price);
        let spare = available.saturating_sub(minimum);
        // The cost that actors outside the search could give back.
        let give = signed(totals.cost.saturating_sub(minimum));
        let mut bounds = bounds(available, plan, totals);
        let mut changes = Changes { len: 0, of: [(0, 0, 0); MAX_CHANGES] };
        // The best choice of moves to keep is unknown, so several are tried.
        for quarters in [2, 4, 0] {
            if bounds.is_open()
                && let Some(search) = LocalSearch::new(moves, bounds, quarters)
                && let Some(best) = self.attempt(search, spare, give, &mut changes)
            {
                bounds.best = best;
            }
        }
        if changes.len == 0 {
            return None;
        }
        for &(index, row, to) in changes.of.iter().take(changes.len) {
            let change = |module: &mut ModuleView<'_>| module.move_to(row as usize, to.into());
            totals = totals.plus(self.modules.visit(index.into(), change).unwrap_or_default());
        }
        let mut fill = Fill::of_all(self, totals);
        fill.run_all();
        Some(fill.totals)
    }

    /// Adds actors to the search; returns the additional value of the best move, or `None` without a better plan.
    // A separate stack frame: a Cortex-M has little stack, and this memory is free again before spending.
    #[inline(never)]
    fn attempt(
        &mut self,
        mut search: LocalSearch<'_>,
        spare: u64,
        mut give: i64,
        changes: &mut Changes,
    ) -> Option<i64> {
        let mut upgrades = UpgradeQueue::new(self.scratch);
        for index in 0..self.modules.count() {
            self.modules.visit(index, |module| {
                module.queue_core(index, &mut search.bounds, spare, &mut upgrades);
            });
        }
        let mut members = Members { modules: [0; CORE], rows: [0; CORE] };
        let mut places = members.modules.iter_mut().zip(&mut members.rows).zip(0_u8..);
        upgrades.visit(|upgrade| {
            let Some(((index, row), member)) = places.next().filter(|_| search.is_open()) else {
                return false;
            };
            let (in_module, in_row) = place_of(self.modules, &upgrade).unwrap_or_default();
            *index = u16::try_from(in_module).unwrap_or(0);
            *row = u32::try_from(in_row).unwrap_or(0);
            let (mut alternatives, mut len) = ([Alternative::default(); ALTERNATIVES], 0);
            self.modules.visit(in_module, |module| {
                let Standing { options: actor, now, .. } = module.standing(in_row, Hysteresis::OFF);
                give = give.saturating_sub(signed(actor.cost(now).saturating_sub(actor.cost(0))));
                actor.gains(now, spare, &mut search.bounds.others, i64::saturating_sub);
                len = actor.alternatives(now, &search.bounds, spare, member, &mut alternatives);
            });
            search.join(alternatives.get(..len).unwrap_or(&[]), give);
            true
        });
        let found = search.found.filter(|found| found.steps.iter().next().is_some())?;
        changes.len = 0;
        for ((member, level_index), place) in found.steps.iter().zip(&mut changes.of) {
            let member = usize::from(member);
            let index = members.modules.get(member).copied().unwrap_or(0);
            *place = (index, members.rows.get(member).copied().unwrap_or(0), level_index);
            changes.len = changes.len.wrapping_add(1);
        }
        Some(search.bounds.best)
    }

    /// Assigns levels at a price, and as many of the steps just below it as fit: moves need not find them again.
    fn take_with_ties(&mut self, price: Price) -> Totals {
        let totals = self.take(PriceWindow::at(price), Returning::Mark).totals;
        let missed = Price::from_bits(price.bits().saturating_sub(1)).max(Price::MIN);
        let mut fill = Fill::of_all(self, totals);
        fill.upgrade_down_to(true, missed);
        fill.totals
    }
}

fn bounds(available: u64, plan: &Plan, base: Totals) -> SearchBounds {
    let more = |value: u64| signed(value).saturating_sub(signed(base.value));
    SearchBounds {
        price: plan.price,
        left: signed(available.saturating_sub(base.cost)),
        bound: more(plan.bound),
        best: more(plan.totals.value),
        enough: signed(plan.enough()),
        others: Other::around(plan.price),
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

impl ModuleView<'_> {
    fn queue_core(
        &mut self,
        number: usize,
        bounds: &mut SearchBounds,
        spare: u64,
        upgrades: &mut dyn UpgradeSink,
    ) {
        self.each_actor(Hysteresis::OFF, |part, row, &Standing { options: actor, now, .. }| {
            actor.gains(now, spare, &mut bounds.others, i64::saturating_add);
            let others = actor.within(spare).filter(|&other| other != now);
            let losses = others.map(|other| actor.alternative(now, other, bounds).1.max(0));
            if let Some(loss) = losses.min().filter(|&loss| bounds.is_hopeful(loss)) {
                let key = Price::rounded_down(loss.unsigned_abs(), 0).bits();
                let rank = Price::MAX.bits().saturating_sub(key);
                part.queue(upgrades, (number, row), rank, 0);
            }
        });
    }
}

impl ActorOptions<'_> {
    fn within(&self, spare: u64) -> impl Iterator<Item = usize> {
        let limit = self.cost(0).saturating_add(spare);
        (self.base..self.costs.len())
            .take_while(move |&level_index| self.cost(level_index) <= limit)
    }

    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    fn alternative(
        &self,
        level_index: usize,
        other: usize,
        bounds: &SearchBounds,
    ) -> (Alternative, i64) {
        let (cost, value) = self.more(level_index, other);
        (Alternative { cost, value, step: None }, bounds.loss(cost, value))
    }

    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    fn gains(
        &self,
        level_index: usize,
        spare: u64,
        others: &mut [Other],
        add: fn(i64, i64) -> i64,
    ) {
        for other in others {
            let gains = self.within(spare).map(|to| {
                let (cost, value) = self.more(level_index, to);
                loss(other.price, cost, value).saturating_neg()
            });
            other.gain = add(other.gain, gains.max().unwrap_or(0).max(0));
        }
    }

    fn more(&self, level_index: usize, other: usize) -> (i64, i64) {
        let more = |of: fn(&Self, usize) -> u64| {
            signed(of(self, other)).saturating_sub(signed(of(self, level_index)))
        };
        (more(Self::cost), more(Self::value))
    }

    /// Collects the level index at the price and those near it that are not hopeless; returns their number.
    fn alternatives(
        &self,
        level_index: usize,
        bounds: &SearchBounds,
        spare: u64,
        member: u8,
        alternatives: &mut [Alternative; ALTERNATIVES],
    ) -> usize {
        let limit = self.cost(0).saturating_add(spare);
        let mut places = alternatives.iter_mut().skip(1);
        let mut len = 1_usize;
        for distance in 1..self.costs.len() {
            let (up, down) =
                (level_index.wrapping_add(distance), level_index.checked_sub(distance));
            for other in [Some(up), down.filter(|&down| down >= self.base)].into_iter().flatten() {
                if other > self.highest() || self.cost(other) > limit {
                    continue;
                }
                let (alternative, loss) = self.alternative(level_index, other, bounds);
                if !bounds.is_hopeful(loss) {
                    continue;
                }
                let Some(place) = places.next() else { return len };
                let other = u8::try_from(other).unwrap_or(u8::MAX);
                *place = Alternative { step: Some((member, other)), ..alternative };
                len = len.wrapping_add(1);
            }
        }
        len
    }
}
