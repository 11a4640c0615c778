//! The limit of upgrades, and the count of changed levels.

use super::lod::Lod;
use super::module_view::{Book, Walk};
use super::options::ActorOptions;
use super::policy::{Policy, Request, Stability};
use super::upgrade_queue::{Bid, UpgradeQueue};

/// Limits upgrades above the previous levels as requested, and returns the amount that this saves, in
/// nanoseconds. The actors with the greatest benefit keep their upgrade, or with a price the upgrades of
/// the greatest value for their cost; of equals the lower ids.
#[inline]
pub(super) fn limit_upgrades<W: Walk + ?Sized>(
    request: &Request,
    modules: &mut W,
    room: &mut [Bid],
) -> u64 {
    request.max_raises.map_or(0, |most| cap(request.policy, most, modules, room))
}

#[inline(never)]
fn cap<W: Walk + ?Sized>(policy: Policy, most: u32, modules: &mut W, room: &mut [Bid]) -> u64 {
    let mut bids = UpgradeQueue::new(room);
    let mut freed = 0_u64;
    for index in 0..modules.accounts() {
        let without_place =
            modules.visit(index, |module| module.queue_upgraded(index, policy, &mut bids));
        freed = freed.saturating_add(without_place.unwrap_or(0));
    }
    let most = usize::try_from(most).unwrap_or(usize::MAX);
    if bids.len() <= most {
        return freed;
    }
    let mut upgraded = 0_usize;
    bids.visit(|upgrade| {
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

/// Counts the actors that were automatic in the previous frame too and now have another whole level.
#[inline]
pub(super) fn flips<W: Walk + ?Sized>(modules: &mut W) -> u32 {
    (0..modules.accounts()).fold(0, |sum, index| {
        sum.wrapping_add(modules.visit(index, |module| module.flips()).unwrap_or(0))
    })
}

impl Book<'_> {
    /// Adds the upgraded actors, above their previous level. An actor without space is reverted; returns
    /// the amount that this saves.
    fn queue_upgraded(
        &mut self,
        number: usize,
        policy: Policy,
        bids: &mut UpgradeQueue<'_>,
    ) -> u64 {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        let mut freed = 0_u64;
        for row in 0..self.account.benefits.len() {
            let Some((actor, last)) = self.upgraded(row) else { continue };
            let rank = match policy {
                Policy::Proportional(_) => actor.benefit.bits(),
                Policy::Optimal => actor.slope_above(last).worth(actor.benefit).bits(),
            };
            let id = self.ids.get(row).copied().unwrap_or(0);
            let place = u32::try_from(row).unwrap_or(u32::MAX);
            if !bids.push(Bid::ranked(rank, id, number, place, 0)) {
                freed = freed.saturating_add(self.revert(row));
            }
        }
        freed
    }

    /// Returns the options of an actor above its previous level index, and that index.
    fn upgraded(&self, row: usize) -> Option<(ActorOptions<'_>, usize)> {
        let last = self.last.get(row)?.level()?;
        let (actor, level_index) = self.options_of(row, Stability::OFF)?;
        let last = actor.level_index(last).max(actor.base);
        (level_index > last).then_some((actor, last))
    }

    /// Reverts an upgraded actor to its previous level, and returns the amount that this saves.
    fn revert(&mut self, row: usize) -> u64 {
        let Some((_, last)) = self.upgraded(row) else { return 0 };
        let ladder = self.account.ladder_of(row);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let fraction = self.fractions.get_mut(row).map_or(0, core::mem::take);
        let before = u64::from(ladder.cost(Lod::new(level, fraction)));
        self.set_level_index(row, last);
        let level = self.levels.get(row).copied().unwrap_or(0);
        let saved = before.saturating_sub(ladder.cost(Lod::new(level, 0)).into());
        self.assigned = self.assigned.saturating_sub(saved);
        saved
    }

    fn flips(&self) -> u32 {
        let rows = self.levels.iter().zip(self.last).zip(self.account.benefits);
        rows.fold(0, |flips, ((&level, last), _)| {
            let flipped = last.is_automatic() && last.level() != Some(level);
            flips.wrapping_add(flipped.into())
        })
    }
}
