use super::decision::Totals;
use super::kernels::{CachedAssignment, ROWS_PER_BLOCK};
use super::lod::Lod;
use super::module_view::{ModuleView, Modules};
use super::options::ActorOptions;
use super::policy::{Policy, Request};
use super::upgrade_queue::{Upgrade, UpgradeQueue};

/// Limits upgrades above the previous levels as requested; returns the cost and value saved. The greatest benefits, or
/// with a price the greatest values for their cost, keep their upgrade; of equals the lower ids.
#[inline]
pub(super) fn limit_upgrades<W: Modules + ?Sized>(
    request: &Request,
    modules: &mut W,
    scratch: &mut [Upgrade],
) -> Totals {
    match request.max_upgrades {
        Some(most) => cap(request.policy, most, modules, scratch),
        None => Totals::default(),
    }
}

#[inline(never)]
fn cap<W: Modules + ?Sized>(
    policy: Policy,
    most: u32,
    modules: &mut W,
    scratch: &mut [Upgrade],
) -> Totals {
    let mut upgrades = UpgradeQueue::new(scratch);
    let mut saved = Totals::default();
    for index in 0..modules.count() {
        let without_place =
            modules.visit(index, |module| module.queue_upgraded(index, policy, &mut upgrades));
        saved = saved.plus(without_place.unwrap_or_default());
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if upgrades.len() <= most {
        return saved;
    }
    let mut upgraded = 0_usize;
    upgrades.visit(|upgrade| {
        if upgraded < most {
            upgraded = upgraded.wrapping_add(1);
        } else {
            let one = modules.visit(upgrade.module(), |module| module.revert(upgrade.row()));
            saved = saved.plus(one.unwrap_or_default());
        }
        true
    });
    saved
}

impl ModuleView<'_> {
    fn queue_upgraded(
        &mut self,
        number: usize,
        policy: Policy,
        upgrades: &mut UpgradeQueue<'_>,
    ) -> Totals {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let mut saved = Totals::default();
        let (mut next, rows) = (0, self.input.benefits.len());
        while next < rows {
            let row = next;
            if row.is_multiple_of(ROWS_PER_BLOCK) && self.wide.is_unchanged(row) {
                next = next.wrapping_add(ROWS_PER_BLOCK);
                continue;
            }
            next = next.wrapping_add(1);
            let Some((actor, last)) = self.upgraded(row) else { continue };
            let rank = match policy {
                Policy::Proportional(_) => actor.benefit.bits(),
                Policy::Optimal => actor.slope_above(last).worth(actor.benefit).bits(),
            };
            let id = self.ids.get(row).copied().unwrap_or(0);
            let place = u32::try_from(row).unwrap_or(u32::MAX);
            if !upgrades.push(Upgrade::ranked(rank, id, number, place, 0)) {
                saved = saved.plus(self.revert(row));
            }
        }
        saved
    }

    fn upgraded(&self, row: usize) -> Option<(ActorOptions<'_>, usize)> {
        let last = self.previous_level(row)?;
        let (actor, level_index) = self.options_of(row)?;
        let last = actor.index_of_previous(Some(last));
        (level_index > last).then_some((actor, last))
    }

    fn revert(&mut self, row: usize) -> Totals {
        let Some((actor, last)) = self.upgraded(row) else { return Totals::default() };
        let level = self.levels.get(row).copied().unwrap_or(0);
        let value = actor.value(actor.level_index(level)).saturating_sub(actor.value(last));
        let ladder = self.input.ladder_of(row);
        let fraction = self.fractions.get_mut(row).map_or(0, core::mem::take);
        let before = u64::from(ladder.cost(Lod::new(level, fraction)));
        self.set_level_index(row, last);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let cost = before.saturating_sub(ladder.cost(Lod::new(level, 0)).into());
        self.assigned = self.assigned.saturating_sub(cost);
        self.wide.cached = CachedAssignment::default();
        Totals { cost, value }
    }
}
