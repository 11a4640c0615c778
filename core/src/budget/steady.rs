//! Raising from what is left over, where the last level counts.

use super::book::Book;
use super::lod::Lod;
use super::policy::Stability;

impl Book<'_> {
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
