//! What to do with the money that shares leave over because levels come in steps.

use super::MAX_ACTORS;
use super::demand::Account;
use super::lod::Lod;
use super::order::visit_in_order;
use crate::benefit::Benefit;

/// Who may spend what shares leave over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftovers {
    /// Nobody: the document to the letter. A bigger budget then costs nobody a level, but for the
    /// rounding of targets and shares to whole nanoseconds.
    Keep,
    /// The actors of the module that left it over, as APEX did.
    WithinModule,
    /// Any actor of the scene.
    #[default]
    AcrossModules,
    /// Any actor, and the pot is all of the budget that is not spent. Beyond the document: it also
    /// spends what no target asked for.
    WholeBudget,
}

/// An actor that could be better than its share pays.
///
/// The pot serves bids by falling benefit, ties by lower id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Bid {
    /// From the highest bits: 24 of falling benefit, 24 of the id, 16 of the account.
    key: u64,
    /// The actor's row in its account.
    row: u32,
    /// What it would take to the highest level, in nanoseconds.
    rest: u32,
}

impl Bid {
    pub(super) fn new(benefit: Benefit, id: u32, account: u16, row: u32, rest: u32) -> Self {
        let falling = u64::from(Benefit::MAX.bits() - benefit.bits());
        let id = u64::from(id & MAX_ACTORS);
        Self { key: falling << 40 | id << 16 | u64::from(account), row, rest }
    }

    /// What bids are served by, the lowest first.
    pub(super) const fn key(&self) -> u64 {
        self.key
    }

    /// The account that the actor is in, as its owner numbers them.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // the low sixteen bits are meant
    pub const fn account(self) -> usize {
        (self.key as u16) as usize
    }

    /// The actor's row in its account.
    #[must_use]
    pub const fn row(self) -> usize {
        self.row as usize
    }
}

impl<'a> Account<'a> {
    /// The actors with a benefit that are not at their highest level, after
    /// [`assign`](Self::assign).
    ///
    /// `account` is carried along; `ids` are the actors' ids, which decide ties: all
    /// different, and at most [`MAX_ACTORS`].
    pub fn bids(
        self,
        account: u16,
        ids: &'a [u32],
        levels: &'a [u8],
        fractions: &'a [u16],
    ) -> impl Iterator<Item = Bid> {
        let fractions = fractions.iter().copied().chain(core::iter::repeat(0));
        let lods = levels.iter().zip(fractions).map(|(&level, fraction)| Lod::new(level, fraction));
        self.rows().zip(lods).zip(ids).zip(0_u32..).filter_map(
            move |((((ladder, benefit), lod), &id), row)| {
                let rest = ladder.maximum().saturating_sub(ladder.cost(lod));
                (rest > 0 && benefit > Benefit::ZERO)
                    .then(|| Bid::new(benefit, id, account, row, rest))
            },
        )
    }

    /// The least that any LOD of any actor can be raised for, in nanoseconds. A pot below that is
    /// spent.
    #[must_use]
    pub fn least_step(&self) -> u32 {
        let rises = self.ladders.iter().flat_map(|ladder| {
            ladder.costs().windows(2).filter_map(|pair| match pair {
                [lower, higher] => higher.checked_sub(*lower).filter(|&rise| rise > 0),
                _ => None,
            })
        });
        let least = rises.min().unwrap_or(u32::MAX);
        if self.continuous { (least >> 16).max(1) } else { least }
    }
}

/// Serves bids in their order from a pot, and returns what is left of it, in nanoseconds.
///
/// `raise` gives the actor the highest LOD that the rest of the pot can pay and returns the price.
/// Once the pot is below `least_step` nobody else is asked. As the pot only shrinks, no actor can
/// pay for another step in the end. The bids are reordered.
pub fn spend(
    mut pot: u64,
    least_step: u32,
    bids: &mut [Bid],
    mut raise: impl FnMut(Bid, u64) -> u64,
) -> u64 {
    let wanted = bids.iter().fold(0_u64, |sum, bid| sum.saturating_add(bid.rest.into()));
    let ordered = wanted > pot;
    let mut serve = |bid| {
        pot = pot.saturating_sub(raise(bid, pot));
        pot >= u64::from(least_step)
    };
    if ordered {
        visit_in_order(bids, &mut serve);
    } else {
        for &bid in bids.iter() {
            serve(bid);
        }
    }
    pot
}
