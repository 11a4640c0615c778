//! What a part of a book knows of its slopes, and the benefits that take a step at a price.

use crate::budget::book::Book;
use crate::budget::ladder::{LadderSpan, Ladders};
use crate::budget::offer::Offers;
use crate::budget::policy::Stability;
use crate::budget::price::Price;
use crate::budget::rate::UNREACHABLE;
use crate::budget::slope::Slope;
use crate::budget::wide::steps::Steps;

impl Book<'_> {
    /// The slopes, of a part, too.
    pub(super) fn shared_slopes(&self) -> &[Slope] {
        if self.slopes.of_costs.is_empty() { self.crowd.slopes } else { self.slopes.of_costs }
    }

    /// What actors could have, in a part, too.
    pub(super) fn shared_offers(&self) -> Offers<'_> {
        let slopes = self.shared_slopes();
        Offers::new(self.account, self.qualities, slopes, &[], Stability::OFF)
    }
}

/// The least benefits that take steps at a price.
pub(super) fn thresholds<const L: usize, const K: usize>(
    ladders: Ladders<'_>,
    slopes: &[Slope],
    price: Price,
) -> [[u32; L]; K] {
    Steps::<L, K>::column(ladders, UNREACHABLE, |span: LadderSpan, rung| {
        let place = (span.parts().0 as usize).wrapping_add(rung);
        slopes.get(place).map_or(UNREACHABLE, |slope| slope.threshold(price))
    })
}
