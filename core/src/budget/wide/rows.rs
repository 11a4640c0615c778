//! Rows whose ladders fit no table (continuous, very many or very long), one by one.

use super::terms::ShareTerms;
use crate::benefit::Benefit;
use crate::budget::lod::Lod;
use crate::budget::module_view::ModuleView;
use crate::budget::policy::Hysteresis;
use crate::budget::rate::BenefitRate;

/// A row that may be upgraded above the LOD that its share pays.
#[derive(Clone, Copy, Default)]
pub(super) struct RowUpgrade {
    pub(super) lod: Lod,
    /// The highest LOD that it may get.
    pub(super) most: Lod,
    /// The benefit that counts.
    pub(super) key: u32,
    /// Whether it returns to its previous level.
    pub(super) returns: bool,
    /// The cost of the upgrade in nanoseconds.
    pub(super) rest: u64,
    /// The least cost of a part of it.
    pub(super) next_step: u32,
}

impl ModuleView<'_> {
    /// Returns the previous level of a row; `None` if it has none.
    pub(in crate::budget) fn previous_level(&self, row: usize) -> Option<u8> {
        let Some(group) = self.wide.groups.get(row / super::ROWS_PER_BLOCK) else {
            return self.previous.get(row)?.level();
        };
        let column: &[u8] = if group.changed { self.wide.before } else { self.levels };
        column.get(row).copied().filter(|&level| level != u8::MAX)
    }

    pub(super) fn lod(&self, row: usize) -> Lod {
        let level = self.levels.get(row).copied().unwrap_or(0);
        Lod::new(level, self.fractions.get(row).copied().unwrap_or(0))
    }

    /// Returns what a row may get from a leftover budget.
    pub(super) fn upgrade_of(&self, row: usize, hysteresis: Hysteresis) -> RowUpgrade {
        let ladder = self.input.ladder_of(row);
        let lod = self.lod(row);
        let benefit = self.input.benefits.get(row).copied().unwrap_or_default();
        let mut upgrade =
            RowUpgrade { lod, most: ladder.top(), key: benefit.bits(), ..RowUpgrade::default() };
        if hysteresis.is_on() {
            let actor = self.shared_options().of(row);
            let previous = actor.level(actor.index_of_previous(self.previous_level(row)));
            if lod.level() < previous {
                upgrade.returns = true;
                upgrade.most = Lod::new(previous, 0);
            } else if !self.input.continuous {
                upgrade.key = hysteresis.discounted(benefit).bits();
            }
        }
        let now = ladder.cost(lod);
        upgrade.rest = u64::from(ladder.cost(upgrade.most)).saturating_sub(now.into());
        if !self.input.continuous {
            let next = ladder.costs().iter().find(|&&cost| cost > now);
            upgrade.next_step = next.map_or(0, |next| next.wrapping_sub(now));
        }
        upgrade
    }

    /// Upgrades a row as far as the leftover budget pays: back to its previous level, or higher with the free part of
    /// the budget. Returns the cost in nanoseconds.
    pub(super) fn upgrade_row(
        &mut self,
        row: usize,
        upgrade: &RowUpgrade,
        left: u64,
        free: u64,
    ) -> u64 {
        self.raise_to(row, if upgrade.returns { left } else { free }, upgrade.most)
    }
}

/// Assigns every actor the level that its share pays, with hysteresis; returns the total cost in nanoseconds.
pub(super) fn assign_rows(part: &mut ModuleView<'_>, terms: ShareTerms) -> u64 {
    let ShareTerms { scale, hysteresis } = terms;
    let cost = part.assign(scale);
    if hysteresis.margin == 0 || part.input.continuous {
        return cost;
    }
    let rate = BenefitRate::new(part.input.benefit_value, scale);
    let rows = part.input.benefits.len().min(part.levels.len());
    let mut saved = 0_u64;
    for row in 0..rows {
        let ladder = part.input.ladder_of(row);
        let actor = part.shared_options().of(row);
        let previous = actor.level(actor.index_of_previous(part.previous_level(row)));
        let full = part.lod(row);
        if full.level() > previous {
            let share = rate.share(hysteresis.discounted(actor.benefit));
            let level = ladder.affordable(share, false).level().max(previous);
            let less = ladder.cost(full).saturating_sub(ladder.cost(Lod::new(level, 0)));
            saved = saved.wrapping_add(less.into());
            part.levels.get_mut(row).into_iter().for_each(|place| *place = level);
        }
    }
    part.assigned = cost.saturating_sub(saved);
    part.assigned
}

/// Whether the share of a row pays its previous level.
pub(super) fn reaches_previous(part: &ModuleView<'_>, row: usize, terms: ShareTerms) -> bool {
    let rate = BenefitRate::new(part.input.benefit_value, terms.scale);
    let benefit = part.input.benefits.get(row).copied().unwrap_or(Benefit::ZERO);
    let full = part.input.ladder_of(row).affordable(rate.share(benefit), part.input.continuous);
    let actor = part.shared_options().of(row);
    full.level() >= actor.level(actor.index_of_previous(part.previous_level(row)))
}
