//! Rows that are processed one by one: of any ladder, also of continuous modules.

use crate::benefit::Benefit;
use crate::budget::kernels::terms::LeftoverBudget;
use crate::budget::ladder::Ladder;
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

    /// Whether some money pays for a part of an upgrade of a row.
    #[inline]
    pub(crate) fn pays_step(&self, ladder: Ladder<'_>, row: usize, money: u64) -> bool {
        if self.input.continuous {
            return self.pays_fraction(row, money);
        }
        let level = self.levels.get(row).copied().unwrap_or(0);
        let level_index = usize::from(level.wrapping_sub(ladder.lowest()));
        let higher = ladder.costs().get(level_index..).unwrap_or(&[]);
        matches!(higher, [now, above, ..] if u64::from(above.wrapping_sub(*now)) <= money)
    }

    #[inline(never)]
    fn pays_fraction(&self, row: usize, money: u64) -> bool {
        self.input.ladder_of(row).raise(self.lod(row), money, true).1 > 0
    }

    /// Returns the benefit that counts for a row's upgrade, if a leftover budget pays a part of it and no row has returned to
    /// its previous level.
    #[inline]
    pub(crate) fn payable_step(
        &self,
        row: usize,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
    ) -> Option<Benefit> {
        let mut benefit = self.input.benefits.get(row).copied().filter(|&it| it > Benefit::ZERO)?;
        let level = *self.levels.get(row)?;
        let mut money = budget.left;
        // A level is the upper end of a plateau, so the level itself can be compared.
        if hysteresis.is_on() && self.previous_level(row).is_some_and(|previous| level >= previous) {
            money = budget.free();
            if !self.input.continuous {
                benefit = hysteresis.discounted(benefit);
            }
        }
        self.pays_step(self.input.ladder_of(row), row, money).then_some(benefit)
    }

    /// [`payable_step`](Self::payable_step) after some upgrades: an actor that has returned to its previous level had its
    /// turn.
    pub(crate) fn payable(
        &self,
        row: usize,
        scale: Scale,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
    ) -> Option<Benefit> {
        let benefit = self.payable_step(row, hysteresis, budget)?;
        let (ladder, level) = (self.input.ladder_of(row), *self.levels.get(row)?);
        let cost = |level| ladder.cost(Lod::new(level, 0));
        let has_returned = hysteresis.is_on()
            && self.previous_level(row).is_some_and(|previous| {
                level >= previous
                    && cost(level) <= cost(previous)
                    && !reaches_previous(self, row, scale)
            });
        (!has_returned).then_some(benefit)
    }

    /// Upgrades a row as far as the leftover budget pays: back to its previous level, or higher with the free part of
    /// the budget. Returns the cost in nanoseconds.
    pub(crate) fn upgrade_row(
        &mut self,
        row: usize,
        hysteresis: Hysteresis,
        budget: LeftoverBudget,
    ) -> u64 {
        let (mut most, mut money) = (Lod::BEYOND, budget.free());
        if hysteresis.is_on() {
            let previous = self.level_to_return(row);
            if self.lod(row).level() < previous {
                (most, money) = (Lod::new(previous, 0), budget.left);
            }
        }
        self.raise_to(row, money, most)
    }

    /// Returns the first row from a row on whose level is above its previous one, and that level.
    // The index of a previous level is not below the level, so levels are compared.
    fn next_above_previous(&self, from: usize) -> Option<(usize, u8)> {
        let rows = self.input.benefits.len().min(self.levels.len());
        let levels = self.levels.get(from..rows)?.iter();
        let above = |level: u8, previous: Option<u8>| previous.filter(|&previous| level > previous);
        if self.wide.groups.is_empty() {
            let mut pairs = levels.zip(self.previous.get(from..)?).zip(from..);
            return pairs
                .find_map(|((&level, last), row)| Some((row, above(level, last.level())?)));
        }
        let mut rows = levels.zip(from..);
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
