use super::lod::Lod;
use super::module_view::{ModuleView, Modules};
use super::options::ActorOptions;
use super::policy::{Hysteresis, Policy, Request};
use super::upgrade_queue::{Upgrade, UpgradeQueue};

/// Limits upgrades above the previous levels as requested; returns the cost saved, in nanoseconds. The greatest
/// benefits, or with a price the greatest values for their cost, keep their upgrade; of equals the lower ids.
#[inline]
pub(super) fn limit_upgrades<W: Modules + ?Sized>(
    request: &Request,
    modules: &mut W,
    scratch: &mut [Upgrade],
) -> u64 {
    request.max_upgrades.map_or(0, |most| cap(request.policy, most, modules, scratch))
}

#[inline(never)]
fn cap<W: Modules + ?Sized>(
    policy: Policy,
    most: u32,
    modules: &mut W,
    scratch: &mut [Upgrade],
) -> u64 {
    let mut upgrades = UpgradeQueue::new(scratch);
    let mut freed = 0_u64;
    for index in 0..modules.count() {
        let without_place =
            modules.visit(index, |module| module.queue_upgraded(index, policy, &mut upgrades));
        freed = freed.saturating_add(without_place.unwrap_or(0));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if upgrades.len() <= most {
        return freed;
    }
    let mut upgraded = 0_usize;
    upgrades.visit(|upgrade| {
        if upgraded < most {
            upgraded = upgraded.wrapping_add(1);
        } else {
            let saved = modules.visit(upgrade.module(), |module| module.revert(upgrade.row()));
            freed = freed.saturating_add(saved.unwrap_or(0));
        }
        true
    });
    freed
}

#[inline]
pub(super) fn switches<W: Modules + ?Sized>(modules: &mut W) -> u32 {
    (0..modules.count()).fold(0, |sum, index| {
        sum.wrapping_add(modules.visit(index, |module| module.switches()).unwrap_or(0))
    })
}

impl ModuleView<'_> {
    fn queue_upgraded(
        &mut self,
        number: usize,
        policy: Policy,
        upgrades: &mut UpgradeQueue<'_>,
    ) -> u64 {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let mut freed = 0_u64;
        for row in 0..self.input.benefits.len() {
            let Some((actor, last)) = self.upgraded(row) else { continue };
            let rank = match policy {
                Policy::Proportional(_) => actor.benefit.bits(),
                Policy::Optimal => actor.slope_above(last).worth(actor.benefit).bits(),
            };
            let id = self.ids.get(row).copied().unwrap_or(0);
            let place = u32::try_from(row).unwrap_or(u32::MAX);
            if !upgrades.push(Upgrade::ranked(rank, id, number, place, 0)) {
                freed = freed.saturating_add(self.revert(row));
            }
        }
        freed
    }

    fn upgraded(&self, row: usize) -> Option<(ActorOptions<'_>, usize)> {
        let last = self.previous.get(row)?.level()?;
        let (actor, level_index) = self.options_of(row, Hysteresis::OFF)?;
        let last = actor.level_index(last).max(actor.base);
        (level_index > last).then_some((actor, last))
    }

    fn revert(&mut self, row: usize) -> u64 {
        let Some((_, last)) = self.upgraded(row) else { return 0 };
        let ladder = self.input.ladder_of(row);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let fraction = self.fractions.get_mut(row).map_or(0, core::mem::take);
        let before = u64::from(ladder.cost(Lod::new(level, fraction)));
        self.set_level_index(row, last);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let saved = before.saturating_sub(ladder.cost(Lod::new(level, 0)).into());
        self.assigned = self.assigned.saturating_sub(saved);
        saved
    }

    fn switches(&self) -> u32 {
        let rows = self.levels.iter().zip(self.previous).zip(self.input.benefits);
        rows.fold(0, |switches, ((&level, last), _)| {
            let flipped = last.is_automatic() && last.level() != Some(level);
            switches.wrapping_add(flipped.into())
        })
    }
}
