//! What to do with the money that shares leave over because levels come in steps.

use core::cmp::Ordering;

use super::demand::Account;
use super::ladder::Lod;
use crate::benefit::Benefit;

/// Who may spend what shares leave over.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Leftovers {
    /// Nobody: the document to the letter. A bigger budget then never costs anybody a level.
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
/// Bids are in the order in which the pot serves them: by falling benefit, ties by lower id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Bid {
    /// Falling benefit in the high half, id in the low.
    key: u64,
    /// What it would take to the highest level, in nanoseconds.
    rest: u32,
    /// The account that the actor is in, as its owner numbers them.
    pub account: u32,
    /// The actor's row in the account.
    pub row: u32,
}

impl Bid {
    fn new(benefit: Benefit, id: u32, account: u32, row: u32, rest: u32) -> Self {
        let key = u64::from(!benefit.bits()) << 32 | u64::from(id);
        Self {
            key,
            rest,
            account,
            row,
        }
    }
}

impl PartialOrd for Bid {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Bid {
    fn cmp(&self, other: &Self) -> Ordering {
        self.key.cmp(&other.key)
    }
}

impl<'a> Account<'a> {
    /// The actors with a benefit that are not at their highest level, after
    /// [`assign`](Self::assign).
    ///
    /// `account` is carried along; `ids` are the actors' ids, which decide ties.
    pub fn bids(
        self,
        account: u32,
        ids: &'a [u32],
        levels: &'a [u8],
        fractions: &'a [u16],
    ) -> impl Iterator<Item = Bid> {
        let fractions = fractions.iter().copied().chain(core::iter::repeat(0));
        let lods = levels
            .iter()
            .zip(fractions)
            .map(|(&level, fraction)| Lod::new(level, fraction));
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
        if self.continuous {
            (least >> 16).max(1)
        } else {
            least
        }
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
    let wanted = bids
        .iter()
        .fold(0_u64, |sum, bid| sum.saturating_add(bid.rest.into()));
    let mut serve = |bid, pot: &mut u64| *pot = pot.saturating_sub(raise(bid, *pot));
    if wanted <= pot {
        for &bid in bids.iter() {
            serve(bid, &mut pot);
        }
        return pot;
    }
    // Nearly always the pot runs dry long before the bids do: a heap orders no more than it gives.
    for root in (0..bids.len() / 2).rev() {
        sift_down(bids, root);
    }
    let mut heap = bids;
    while pot >= u64::from(least_step) {
        let Some((last, rest)) = heap.split_last_mut() else {
            break;
        };
        let first = match rest.first_mut() {
            Some(first) => core::mem::replace(first, *last),
            None => *last,
        };
        serve(first, &mut pot);
        heap = rest;
        sift_down(heap, 0);
    }
    pot
}

/// Restores the order of a heap, first bid at the root, after the one at `root` was replaced.
fn sift_down(heap: &mut [Bid], mut root: usize) {
    let Some(&bid) = heap.get(root) else { return };
    loop {
        let left = root.wrapping_mul(2).wrapping_add(1);
        let child = match (heap.get(left), heap.get(left.wrapping_add(1))) {
            (Some(a), Some(b)) if b < a => left.wrapping_add(1),
            (Some(_), _) => left,
            (None, _) => break,
        };
        match (heap.get(child).copied(), heap.get_mut(root)) {
            (Some(next), Some(place)) if next < bid => *place = next,
            _ => break,
        }
        root = child;
    }
    if let Some(place) = heap.get_mut(root) {
        *place = bid;
    }
}
