//! The proportional policy with hysteresis.

use super::lod::Lod;
use super::module_view::Book;
use super::policy::Stability;
use super::rate::Rate;
use super::scale::Scale;

impl Book<'_> {
    /// Gives every actor the highest LOD that its share pays, above its last level with less benefit,
    /// and returns what all of them cost, in nanoseconds.
    pub(super) fn assign_steadily(&mut self, scale: Scale, stability: Stability) -> u64 {
        let cost = self.assign(scale);
        if !self.offers(stability).has_margin() {
            return cost;
        }
        let rate = Rate::new(self.account.benefit_value, scale);
        let rows = self.account.benefits.len().min(self.levels.len());
        let freed = (0..rows).fold(0_u64, |freed, row| {
            let Some((offer, rung)) = self.offer(row, stability) else { return freed };
            let Some(last) = offer.last_rung().filter(|&last| rung > last) else { return freed };
            let share = rate.share(offer.benefit_above(rung));
            let level = self.account.ladder_of(row).affordable(share, false).level();
            let to = offer.rung(level).max(last);
            let saved = offer.cost(rung).saturating_sub(offer.cost(to));
            self.set_rung(row, to);
            freed.wrapping_add(saved)
        });
        self.assigned = cost.saturating_sub(freed);
        self.assigned
    }

    /// Raises the LOD of a row as far as a pot pays, and returns the price; both in nanoseconds. Back to
    /// its last level it may take all of the pot; beyond that it leaves what is reserved.
    pub(super) fn raise_steadily(
        &mut self,
        row: usize,
        pot: u64,
        stability: Stability,
        reserved: u64,
    ) -> u64 {
        let Some((offer, rung)) = self.offer(row, stability) else { return 0 };
        let (most, money) = offer.reach(rung, pot, reserved);
        let most = offer.level(most);
        self.raise_to(row, money, Lod::new(most, 0))
    }
}
