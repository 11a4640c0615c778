//! The proportional policy with hysteresis.

use super::lod::Lod;
use super::module_view::ModuleView;
use super::policy::Hysteresis;
use super::rate::BenefitRate;
use super::scale::Scale;

impl ModuleView<'_> {
    pub(super) fn assign_with_hysteresis(&mut self, scale: Scale, hysteresis: Hysteresis) -> u64 {
        let cost = self.assign(scale);
        if !self.options(hysteresis).has_margin() {
            return cost;
        }
        let rate = BenefitRate::new(self.input.benefit_value, scale);
        let rows = self.input.benefits.len().min(self.levels.len());
        let freed = (0..rows).fold(0_u64, |freed, row| {
            let Some((actor, level_index)) = self.options_of(row, hysteresis) else { return freed };
            let Some(last) = actor.previous.filter(|&last| level_index > last) else {
                return freed;
            };
            let share = rate.share(actor.benefit_above(level_index));
            let level = self.input.ladder_of(row).affordable(share, false).level();
            let to = actor.level_index(level).max(last);
            let saved = actor.cost(level_index).saturating_sub(actor.cost(to));
            self.set_level_index(row, to);
            freed.wrapping_add(saved)
        });
        self.assigned = cost.saturating_sub(freed);
        self.assigned
    }

    pub(super) fn upgrade_with_hysteresis(
        &mut self,
        row: usize,
        leftover: u64,
        hysteresis: Hysteresis,
        reserved: u64,
    ) -> u64 {
        let Some((actor, level_index)) = self.options_of(row, hysteresis) else { return 0 };
        let (most, money) = actor.reach(level_index, leftover, reserved);
        let most = actor.level(most);
        self.raise_to(row, money, Lod::new(most, 0))
    }
}
