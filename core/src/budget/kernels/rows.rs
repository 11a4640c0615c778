//! Rows that are processed one by one: of any ladder, also of continuous modules.

use crate::benefit::Benefit;
use crate::budget::kernels::terms::LeftoverBudget;
use crate::budget::lod::Lod;
use crate::budget::module_view::ModuleView;
use crate::budget::policy::Hysteresis;
use crate::budget::rate::BenefitRate;
use crate::budget::scale::Scale;

/// A row that may be upgraded above the LOD that its share pays.
#[derive(Clone, Copy, Default)]
pub(crate) struct RowUpgrade {
    /// The highest LOD that it may get.
    pub(crate) most: Lod,
    /// The benefit that counts.
    pub(crate) key: u32,
    /// Whether it returns to its previous level.
    pub(crate) returns: bool,
    /// The cost of the upgrade in nanoseconds.
    pub(crate) rest: u64,
    /// The least cost of a part of it.
    pub(crate) next_step: u32,
}

impl ModuleView<'_> {
    /// Returns the previous level of a row; `None` if it has none.
    pub(crate) fn previous_level(&self, row: usize) -> Option<u8> {
        let Some(group) = self.wide.groups.get(row / super::ROWS_PER_BLOCK) else {
            return self.previous.get(row)?.level();
        };
        let column: &[u8] = if group.changed { self.wide.before } else { self.levels };
        column.get(row).copied().filter(|&level| level != u8::MAX)
    }

    /// Returns the level to which a row returns if its share pays less.
    #[inline]
    fn level_to_return(&self, row: usize) -> u8 {
        self.input.ladder_of(row).level_to_return(self.previous_level(row))
    }

    pub(crate) fn lod(&self, row: usize) -> Lod {
        let level = self.levels.get(row).copied().unwrap_or(0);
        Lod::new(level, self.fractions.get(row).copied().unwrap_or(0))
    }

    /// Returns what a row may get from a leftover budget.
    pub(crate) fn upgrade_of(&self, row: usize, hysteresis: Hysteresis) -> RowUpgrade {
        let ladder = self.input.ladder_of(row);
        let lod = self.lod(row);
        let benefit = self.input.benefits.get(row).copied().unwrap_or_default();
        let mut upgrade =
            RowUpgrade { most: ladder.top(), key: benefit.bits(), ..RowUpgrade::default() };
        if hysteresis.is_on() {
            let previous = self.level_to_return(row);
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

    /// Whether a row returns to its previous level if a budget pays it.
    #[inline]
    fn returns(&self, row: usize, hysteresis: Hysteresis) -> bool {
        let level = self.levels.get(row).copied().unwrap_or(0);
        hysteresis.returns(level, self.previous_level(row))
    }

    /// Returns the benefit that counts for a row's upgrade, if a leftover budget pays a part of it. An actor that has
    /// returned to its previous level had its turn.
    pub(crate) fn payable(
        &self,
        row: usize,
        scale: Scale,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
    ) -> Option<Benefit> {
        let benefit = self.input.benefits.get(row).copied().filter(|&it| it > Benefit::ZERO)?;
        let returns = self.returns(row, hysteresis);
        if !self.pays_step(row, if returns { budget.left } else { budget.free() }) {
            return None;
        }
        if returns || !hysteresis.is_on() {
            return Some(benefit);
        }
        let ladder = self.input.ladder_of(row);
        let cost = |level| ladder.cost(Lod::new(level, 0));
        let stays = |previous| cost(self.lod(row).level()) <= cost(previous);
        let is_previous = self.previous_level(row).is_some_and(stays);
        if is_previous && !reaches_previous(self, row, scale) {
            return None;
        }
        Some(if self.input.continuous { benefit } else { hysteresis.discounted(benefit) })
    }

    /// Whether some money pays for a part of an upgrade of a row.
    fn pays_step(&self, row: usize, money: u64) -> bool {
        let (ladder, lod) = (self.input.ladder_of(row), self.lod(row));
        if self.input.continuous {
            ladder.raise(lod, money, true).1 > 0
        } else {
            ladder.step_above(lod.level()).is_some_and(|step| u64::from(step) <= money)
        }
    }

    /// Upgrades a row as far as the leftover budget pays: back to its previous level, or higher with the free part of
    /// the budget. Returns the cost in nanoseconds.
    pub(crate) fn upgrade_row(
        &mut self,
        row: usize,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
    ) -> u64 {
        self.raise_row(row, self.returns(row, hysteresis), budget)
    }

    /// [`upgrade_row`](Self::upgrade_row) of a row that [returns](Self::returns) or not.
    pub(crate) fn raise_row(&mut self, row: usize, returns: bool, budget: LeftoverBudget) -> u64 {
        let ladder = self.input.ladder_of(row);
        let (mut most, mut money) = (Lod::BEYOND, budget.free());
        if returns {
            let level = ladder.level_to_return(self.previous_level(row));
            (most, money) = (Lod::new(level, 0), budget.left);
        }
        self.raise_to(row, ladder, money, most)
    }

    /// Returns the first row from a row on whose level is above its previous one, and that level.
    // The index of a previous level is not below the level, so levels are compared.
    fn next_above_previous(&self, from: usize) -> Option<(usize, u8)> {
        let rows = self.input.benefits.len().min(self.levels.len());
        let levels = self.levels.get(from..rows)?.iter();
        if self.wide.groups.is_empty() {
            let mut pairs = levels.zip(self.previous.get(from..)?).zip(from..);
            return pairs.find_map(|((&level, last), row)| Some((row, last.below(level)?)));
        }
        let mut rows = levels.zip(from..);
        let above = |level: u8, previous: Option<u8>| previous.filter(|&previous| level > previous);
        rows.find_map(|(&level, row)| Some((row, above(level, self.previous_level(row))?)))
    }

    /// Lowers a row towards its previous level as far as its discounted benefit does not pay; returns the cost saved.
    #[inline(never)]
    fn lower_row(
        &mut self,
        row: usize,
        previous: u8,
        rate: BenefitRate,
        hysteresis: Hysteresis,
    ) -> u64 {
        let (ladder, full) = (self.input.ladder_of(row), self.lod(row));
        let benefit = self.input.benefits.get(row).copied().unwrap_or_default();
        let previous = ladder.level_to_return(Some(previous));
        let share = rate.share(hysteresis.discounted(benefit));
        let level = ladder.affordable(share, false).level().max(previous).min(full.level());
        self.set_level(row, level);
        ladder.cost(full).saturating_sub(ladder.cost(Lod::new(level, 0))).into()
    }
}

/// Assigns every actor the level that its share pays, with hysteresis; returns the total cost in nanoseconds.
pub(crate) fn assign_rows(part: &mut ModuleView<'_>, scale: Scale, hysteresis: Hysteresis) -> u64 {
    let rate = BenefitRate::new(part.input.benefit_value, scale);
    let cost = part.input.assign(rate, part.levels, part.fractions);
    part.assigned = cost;
    if hysteresis.margin == 0 || part.input.continuous {
        return cost;
    }
    let mut saved = 0_u64;
    let mut next = part.next_above_previous(0);
    while let Some((row, previous)) = next {
        saved = saved.wrapping_add(part.lower_row(row, previous, rate, hysteresis));
        next = part.next_above_previous(row.wrapping_add(1));
    }
    part.assigned = cost.saturating_sub(saved);
    part.assigned
}

/// Whether the share of a row pays its previous level.
pub(crate) fn reaches_previous(part: &ModuleView<'_>, row: usize, scale: Scale) -> bool {
    let rate = BenefitRate::new(part.input.benefit_value, scale);
    let benefit = part.input.benefits.get(row).copied().unwrap_or(Benefit::ZERO);
    let full = part.input.ladder_of(row).affordable(rate.share(benefit), part.input.continuous);
    full.level() >= part.level_to_return(row)
}
