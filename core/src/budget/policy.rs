//! What a ledger decides by, and what a change must earn.

use super::leftovers::Leftovers;
use crate::benefit::Benefit;

/// How a budget is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Policy {
    /// The APEX LOD document's: by benefit value and benefit, scaled down to what there is; what
    /// shares leave over goes as it says.
    Proportional(Leftovers),
    /// The most benefit times quality that the budget buys, with a bound that proves how close to the
    /// most it came. Benefit values play no part. A continuous module is decided at whole levels; what
    /// is left then raises fractions, which the certificate does not count.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Benefit;
    /// use lodger_core::budget::{
    ///     Account, Bid, Book, LadderSpan, Ladders, MadeFor, Policy, Quality, Request, Room, Slope,
    ///     Slopes, Standing, Trial, decide,
    /// };
    /// use lodger_core::units::Budget;
    ///
    /// // Two leaves of a scene of splats, as good with 5 as with half of 10, and room for 15.
    /// let account = Account {
    ///     ladders: Ladders { spans: &[LadderSpan::new(0, 2, 0)], costs: &[5, 10] },
    ///     benefits: &[Benefit::new(1.0_f32)?; 2],
    ///     ..Account::default()
    /// };
    /// let (mut levels, mut of_costs) = ([0; 2], [Slope::default(); 2]);
    /// let mut leaves = [Book {
    ///     account,
    ///     ids: &[0, 1],
    ///     levels: &mut levels,
    ///     qualities: &[Quality::new(0.5)?, Quality::ONE],
    ///     slopes: Slopes { of_costs: &mut of_costs, made_for: MadeFor::default() },
    ///     ..Book::default()
    /// }];
    /// let request =
    ///     Request { budget: Budget::from_ns(15), policy: Policy::Optimal, ..Request::default() };
    /// let room = Room { bids: &mut [Bid::default(); 2], trials: &mut [Trial::default(); 64] };
    /// let decision = decide(&request, &mut Standing::default(), &mut leaves[..], room);
    /// let certificate = decision.certificate.unwrap_or_default();
    /// assert_eq!((levels, decision.assigned), ([1, 0], 15));
    /// assert_eq!(certificate.value(), 1.5);
    /// assert!(certificate.gap() < 1e-5);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    Optimal,
}

impl Policy {
    /// The APEX LOD document to the letter: shares by benefit and benefit value, and leftovers are kept.
    ///
    /// The [default](Self::default) goes beyond the document: it also spends what shares leave over.
    ///
    /// # Source
    /// APEX LOD document, cost and automatic calculation of LOD.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::budget::{Leftovers, Policy};
    ///
    /// assert_eq!(Policy::APEX, Policy::Proportional(Leftovers::Keep));
    /// assert_ne!(Policy::APEX, Policy::default());
    /// ```
    pub const APEX: Self = Self::Proportional(Leftovers::Keep);

    /// Whether bids are gathered, for which [`Room::bids`](super::Room::bids) must have a place for
    /// each automatic actor.
    #[must_use]
    pub const fn has_bids(self) -> bool {
        match self {
            Self::Proportional(leftovers) => leftovers.has_pot(),
            Self::Optimal => true,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::Proportional(Leftovers::default())
    }
}

/// What a change must earn, for every policy: the last answer stands unless a new one is better by
/// so much. Unless something else is said every frame is decided by itself.
///
/// - **margin**: above its last level an actor counts with so much less of its benefit. Nobody rises
///   for less, and who is worth it rises in that frame.
/// - **reserve**: the price (or the scale) of the last frame stands while what it buys costs between
///   the whole budget and the budget less the reserve. Raises from a pot leave the reserve free; to
///   keep the last level all may be used. What the budget does not pay falls at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Stability {
    /// In 2⁻⁸ of the benefit.
    pub margin: u8,
    /// In 2⁻⁸ of the budget.
    pub reserve: u8,
}

impl Stability {
    /// Every frame by itself.
    pub const OFF: Self = Self { margin: 0, reserve: 0 };
    /// A tenth of the benefit and a thirtieth of the budget: for a camera that moves and prices that
    /// are measured.
    pub const STEADY: Self = Self { margin: 26, reserve: 8 };

    /// Whether the past counts.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.margin > 0 || self.reserve > 0
    }

    /// What of a benefit counts above the last level.
    #[inline]
    pub(super) const fn discounted(self, benefit: Benefit) -> Benefit {
        let margin = benefit.bits().wrapping_mul(self.margin as u32) >> 8;
        Benefit::from_bits(benefit.bits().wrapping_sub(margin))
    }

    /// What of so much money raises leave free; nothing where money has no limit.
    #[inline]
    pub(super) const fn reserved(self, money: u64) -> u64 {
        if money == u64::MAX { 0 } else { (money >> 8).wrapping_mul(self.reserve as u64) }
    }
}
