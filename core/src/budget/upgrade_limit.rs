use core::ops::Range;

use super::decision::Totals;
use super::kernels::{CachedAssignment, ROWS_PER_BLOCK};
use super::lod::Lod;
use super::module_view::{ModuleView, Modules, PartialResult, visit_upgrade};
use super::options::ActorOptions;
use super::policy::{Policy, Request};
use super::upgrade_queue::{CandidateUpgrade, UpgradeQueue, UpgradeSink};

/// Limits upgrades above the previous levels as requested; returns the cost and value saved. The greatest benefits, or
/// with a price the greatest values for their cost, keep their upgrade; of equals the lower ids.
///
/// Modules that are cautious come first, each with a limit of its own. Then the limit of the scene counts all actors that
/// are still above their previous level.
#[inline]
pub(super) fn limit_upgrades<W: Modules + ?Sized>(
    request: &Request,
    modules: &mut W,
    scratch: &mut [impl CandidateUpgrade],
) -> Totals {
    if request.limits_upgrades() { limit_all(request, modules, scratch) } else { Totals::default() }
}

#[inline(never)]
fn limit_all<W: Modules + ?Sized>(
    request: &Request,
    modules: &mut W,
    scratch: &mut [impl CandidateUpgrade],
) -> Totals {
    let mut saved = Totals::default();
    if request.is_cautious {
        for index in 0..modules.count() {
            let see =
                |module: &mut ModuleView<'_>| (module.is_cautious, module.input.benefits.len());
            if let Some((true, actors)) = modules.visit(index, see) {
                let most = (actors / CAUTIOUS_PART).max(1);
                let limit = UpgradeLimit { policy: request.policy, most, is_cautious: true };
                saved = saved.plus(limit.apply(index..index.wrapping_add(1), modules, scratch));
            }
        }
    }
    if let Some(most) = request.max_upgrades {
        let most = usize::try_from(most).unwrap_or(usize::MAX);
        let limit = UpgradeLimit { policy: request.policy, most, is_cautious: false };
        saved = saved.plus(limit.apply(0..modules.count(), modules, scratch));
    }
    saved
}

/// One in this number of actors rises in a frame while a module is cautious.
const CAUTIOUS_PART: usize = 16;

/// A limit of upgrades of some modules.
#[derive(Clone, Copy)]
struct UpgradeLimit {
    policy: Policy,
    most: usize,
    /// Whether an upgrade is one level, and actors without a previous level count from their lowest.
    is_cautious: bool,
}

impl UpgradeLimit {
    fn apply<W: Modules + ?Sized>(
        self,
        indices: Range<usize>,
        modules: &mut W,
        scratch: &mut [impl CandidateUpgrade],
    ) -> Totals {
        let mut upgrades = UpgradeQueue::new(scratch);
        let mut saved = Totals::default();
        for index in indices {
            let without_place =
                modules.visit(index, |module| module.queue_upgraded(index, self, &mut upgrades));
            saved = saved.plus(without_place.unwrap_or_default());
        }
        if upgrades.len() <= self.most && !self.is_cautious {
            return saved;
        }
        let mut upgraded = 0_usize;
        upgrades.visit(|upgrade| {
            let is_upgraded = upgraded < self.most;
            upgraded = upgraded.wrapping_add(is_upgraded.into());
            if !is_upgraded || self.is_cautious {
                let levels = usize::from(is_upgraded);
                let one =
                    visit_upgrade(modules, &upgrade, |module, row| module.lower(row, self, levels));
                saved = saved.plus(one.unwrap_or_default());
            }
            true
        });
        saved
    }
}

impl ModuleView<'_> {
    fn queue_upgraded(
        &mut self,
        number: usize,
        limit: UpgradeLimit,
        upgrades: &mut dyn UpgradeSink,
    ) -> Totals {
        let mut saved = Totals::default();
        let (mut next, rows) = (0, self.input.benefits.len());
        while next < rows {
            let row = next;
            if row.is_multiple_of(ROWS_PER_BLOCK) && self.wide.is_unchanged(row) {
                next = next.wrapping_add(ROWS_PER_BLOCK);
                continue;
            }
            next = next.wrapping_add(1);
            let Some((actor, last)) = self.upgraded(row, limit) else { continue };
            let rank = match limit.policy {
                Policy::Proportional(_) => actor.benefit.bits(),
                Policy::Optimal => actor.slope_above(last).worth(actor.benefit).bits(),
            };
            if !self.queue(upgrades, (number, row), rank, 0) {
                saved = saved.plus(self.lower(row, limit, 0));
            }
        }
        saved
    }

    /// Returns an actor above its previous level, and the index of that level.
    fn upgraded(&self, row: usize, limit: UpgradeLimit) -> Option<(ActorOptions<'_>, usize)> {
        let last = self.previous_level(row).or(limit.is_cautious.then_some(u8::MAX))?;
        let actor = self.options().of(row);
        let level_index = actor.level_index(*self.levels.get(row)?);
        // In a wide scene, 255 also means no level. It counts as a level if the actor has it.
        let is_new = limit.is_cautious && last == u8::MAX && actor.level(actor.highest()) < u8::MAX;
        let last = if is_new { 0 } else { last };
        let last = actor.index_of_previous(Some(last));
        (level_index > last).then_some((actor, last))
    }

    /// Lowers an upgraded actor to a number of levels above its previous one.
    fn lower(&mut self, row: usize, limit: UpgradeLimit, levels: usize) -> Totals {
        let Some((actor, last)) = self.upgraded(row, limit) else { return Totals::default() };
        let lowered = last.wrapping_add(levels);
        let (level, to) = (self.levels.get(row).copied().unwrap_or(0), actor.level(lowered));
        let value = actor.value(actor.level_index(level)).saturating_sub(actor.value(lowered));
        let ladder = self.input.ladder_of(row);
        let fraction = self.fractions.get_mut(row).map_or(0, core::mem::take);
        let before = u64::from(ladder.cost(Lod::new(level, fraction)));
        self.set_level(row, to);
        let cost = before.saturating_sub(ladder.cost(Lod::new(to, 0)).into());
        self.assigned = self.assigned.saturating_sub(cost);
        self.wide.cached = CachedAssignment::default();
        Totals { cost, value }
    }
}
