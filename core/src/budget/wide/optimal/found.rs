//! Marked actors, and the price among their steps.

use super::take::PriceWindow;
use crate::budget::module_view::{ModuleView, Modules};
use crate::budget::optimal::Totals;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::upgrade_queue::{Upgrade, UpgradeQueue};
use crate::budget::wide::group::ROWS_PER_BLOCK;

pub(super) fn price<W: Modules + ?Sized>(
    modules: &mut W,
    window: PriceWindow,
    available: u64,
    cost: u64,
    scratch: &mut [Upgrade],
) -> Option<Price> {
    let mut left = available.checked_sub(cost)?;
    let mut upgrades = UpgradeQueue::new(scratch);
    for index in 0..modules.count() {
        let has_room =
            modules.visit(index, |module| module.queue_all(index, window.low, &mut upgrades));
        if has_room == Some(false) {
            return None;
        }
    }
    let mut missing = None;
    upgrades.visit(|upgrade| {
        match left.checked_sub(upgrade.rest()) {
            Some(rest) => left = rest,
            None => missing = Some(upgrade.benefit()),
        }
        missing.is_none()
    });
    match missing {
        Some(worth) => Some(Price::from_bits(worth.saturating_add(1))),
        None => (window.low == Price::MIN).then_some(Price::MIN),
    }
}

impl ModuleView<'_> {
    pub(super) fn found(&self) -> impl Iterator<Item = usize> {
        let rows = self.input.benefits.len();
        self.wide.groups.iter().zip((0..rows).step_by(ROWS_PER_BLOCK)).flat_map(|(group, first)| {
            let mut found = group.found;
            core::iter::from_fn(move || {
                let row = (found != 0).then(|| first.wrapping_add(found.trailing_zeros() as usize));
                found &= found.wrapping_sub(1);
                row
            })
        })
    }

    fn queue_all(&self, number: usize, low: Price, upgrades: &mut UpgradeQueue<'_>) -> bool {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        self.found().all(|row| {
            let Some((actor, mut level_index)) = self.options_of(row, Hysteresis::OFF) else {
                return true;
            };
            let id = self.ids.get(row).copied().unwrap_or(0);
            let row = u32::try_from(row).unwrap_or(u32::MAX);
            loop {
                let worth = actor.worth_of(actor.slope_above(level_index), level_index);
                if worth < low {
                    return true;
                }
                let to = actor.step_above(level_index);
                let rest = actor.cost(to).saturating_sub(actor.cost(level_index));
                let rest = u32::try_from(rest).unwrap_or(u32::MAX);
                if !upgrades.push(Upgrade::ranked(worth.bits(), id, number, row, rest)) {
                    return false;
                }
                level_index = to;
            }
        })
    }

    pub(super) fn take_if_found(&mut self, price: Price) -> Totals {
        let mut more = Totals::default();
        for group in 0..self.input.benefits.len().div_ceil(ROWS_PER_BLOCK) {
            let mut found = self.wide.groups.get(group).map_or(0, |group| group.found);
            while found != 0 {
                let row = group
                    .wrapping_mul(ROWS_PER_BLOCK)
                    .wrapping_add(found.trailing_zeros() as usize);
                found &= found.wrapping_sub(1);
                let Some((actor, level_index)) = self.options_of(row, Hysteresis::OFF) else {
                    continue;
                };
                let to = actor.index_at(price);
                let cost = actor.cost(to).wrapping_sub(actor.cost(level_index));
                let value = actor.value(to).wrapping_sub(actor.value(level_index));
                more = more.plus(Totals { cost, value });
                self.set_level_index(row, to);
            }
        }
        self.assigned = self.assigned.wrapping_add(more.cost);
        more
    }

    pub(super) fn queue_marked_steps(
        &self,
        number: usize,
        low: Price,
        upgrades: &mut UpgradeQueue<'_>,
    ) {
        let number = u16::try_from(number).unwrap_or(u16::MAX);
        for row in self.found() {
            let Some((actor, level_index)) = self.options_of(row, Hysteresis::OFF) else {
                continue;
            };
            let worth = actor.worth_of(actor.slope_above(level_index), level_index);
            if worth >= low {
                let id = self.ids.get(row).copied().unwrap_or(0);
                let row = u32::try_from(row).unwrap_or(u32::MAX);
                upgrades.push(Upgrade::ranked(worth.bits(), id, number, row, 0));
            }
        }
    }
}
