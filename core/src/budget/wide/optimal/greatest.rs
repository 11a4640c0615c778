//! A bound for plans that spend the whole budget on one actor.

use crate::benefit::Benefit;
use crate::budget::book::Book;
use crate::budget::ladder::Ladders;
use crate::budget::slope::{foot, quality};
use crate::budget::walk::Walk;
use crate::budget::wide::question::{Answer, Question};

/// Whether one actor with the whole budget, and others at their minimum, could have more value than a
/// plan. The kernel does not run if no benefit could be great enough.
pub(super) fn can_be_alone<W: Walk + ?Sized>(walk: &mut W, value: u64, least: u64) -> bool {
    (0..walk.accounts()).any(|account| {
        let gain = walk.visit(account, |book| book.greatest_gain()).unwrap_or(0);
        let beats = |benefit: u32| {
            least.saturating_add(u64::from(benefit).wrapping_mul(gain.into())) > value
        };
        beats(Benefit::MAX.bits()) && beats(walk.ask(account, &Greatest).0)
    })
}

/// Returns the greatest benefit.
struct Greatest;

/// The greatest of some numbers, or 0.
#[derive(Default)]
pub(super) struct Most(pub(super) u32);

impl Answer for Most {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self(self.0.max(other.0))
    }
}

impl Question for Greatest {
    type Answer = Most;

    #[inline(always)]
    fn ask(&self, part: &mut Book<'_>) -> Most {
        Most(part.account.benefits.iter().fold(0, |most, benefit| most.max(benefit.bits())))
    }
}

impl Book<'_> {
    /// Returns the greatest gain of any ladder above its base.
    fn greatest_gain(&self) -> u32 {
        let Ladders { spans, costs } = self.account.ladders;
        spans.iter().fold(0, |most, &span| {
            let costs = Ladders::part(span, costs);
            let qualities = Ladders::beside(span, costs.len(), self.qualities);
            let best =
                qualities.iter().fold(0_u32, |best, quality| best.max(quality.bits().into()));
            most.max(best.saturating_sub(quality(qualities, foot(costs))))
        })
    }
}
