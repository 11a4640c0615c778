//! The distribution of the leftover budget over very many actors.
//!
//! Actors are upgraded by falling benefit, ties by lower id, each to the highest level that the leftover
//! budget allows. So one pass gives all actors above a cutoff their highest level; actors near it are
//! upgraded in order; and below it, where a step may cost less, the first actors of each level index.

use core::ops::Range;

use super::raise::Raise;
use super::tally::{Tallied, Tally};
use crate::budget::bid::Bid;
use crate::budget::book::Book;
use crate::budget::frontier::{FrontierSearch, Guess, Reach};
use crate::budget::pot::Bids;
use crate::budget::scale::Scale;
use crate::budget::walk::Walk;

/// Gives the actors of some accounts the levels that their shares pay, and what a pot pays on top of
/// that: all that shares leave over, or all that is left of `whole`. Returns what they cost, in
/// nanoseconds.
pub(super) fn share_out<W: Walk + ?Sized>(
    walk: &mut W,
    accounts: Range<usize>,
    scale: Scale,
    whole: Option<u64>,
    room: &mut [Bid],
) -> u64 {
    let (mut rows, mut least_step, mut guess) = (0_u64, u32::MAX, None);
    for account in accounts.clone() {
        walk.visit(account, |book| {
            rows = rows.wrapping_add(book.account.benefits.len() as u64);
            least_step = least_step.min(book.account.least_step());
            guess = guess.or(Some(book.crowd.guess));
        });
    }
    let guess = guess.unwrap_or_default();
    let tally = |walk: &mut W, question: &Tally| {
        let asked = accounts.clone().map(|account| walk.ask(account, question));
        asked.fold(Tallied::default(), super::Answer::plus)
    };
    let question = Tally { scale, has_shares: whole.is_none(), pivots: guess.pivots() };
    let Tallied { cost, shares, mut wanted } = tally(walk, &question);
    let pot = whole.unwrap_or(shares).saturating_sub(cost);
    if pot < u64::from(least_step) {
        return raise(walk, accounts, Raise::nobody(scale));
    }
    let mut search = FrontierSearch::new(pot, rows, guess);
    while !search.pass(wanted) {
        let question = Tally { scale, has_shares: false, pivots: search.pivots() };
        wanted = tally(walk, &question).wanted;
    }
    let ((high, paid), reach) = (search.high(), guess.reach());
    // The first actor below the cutoff also takes a part of the budget.
    let low = search.low().saturating_sub(reach.below(search.low()));
    let cost = raise(walk, accounts.clone(), Raise { scale, high, low, reach });
    let window = Window { accounts: accounts.clone(), scale, low, reach, least_step };
    let served = window.serve(walk, pot.wrapping_sub(paid), room);
    let next = served.guess(guess, high);
    walk.visit(accounts.start, |book| book.crowd.guess = next);
    cost.wrapping_add(served.spent)
}

fn raise<W: Walk + ?Sized>(walk: &mut W, accounts: Range<usize>, question: Raise) -> u64 {
    accounts.fold(0, |sum: u64, account| {
        let cost = walk.ask(account, &question);
        walk.visit(account, |book| {
            book.assigned = cost;
            // The levels are not those by share alone.
            book.crowd.draft = super::Draft::default();
        });
        sum.wrapping_add(cost)
    })
}

/// The rule by which rows are marked, and bounds for unmarked ones.
struct Window {
    accounts: Range<usize>,
    scale: Scale,
    /// Actors from this benefit on are marked, or have the highest level.
    low: u32,
    /// Actors that miss a level by no more than this are marked too.
    reach: Reach,
    /// The least cost of a step in any ladder.
    least_step: u32,
}

/// The result of spending a leftover budget.
struct Served {
    spent: u64,
    /// The benefit of the first who did not get the highest level.
    at: Option<u32>,
    found: usize,
    raised: usize,
    /// Whether an unmarked actor had to be upgraded.
    has_missed: bool,
}

impl Served {
    fn guess(&self, last: Guess, high: u32) -> Guess {
        let too_many = self.found > self.raised.wrapping_mul(4).saturating_add(64);
        last.after(self.at.unwrap_or(high), self.has_missed, too_many)
    }
}

impl Window {
    /// Upgrades marked actors, and the unmarked ones too if one of them comes next.
    fn serve<W: Walk + ?Sized>(&self, walk: &mut W, pot: u64, room: &mut [Bid]) -> Served {
        let mut bids = Bids::new(room);
        for account in self.accounts.clone() {
            walk.visit(account, |book| book.bid_if_found(account, &mut bids));
        }
        let (mut left, mut blind_below) = (pot, u32::MAX);
        let mut served =
            Served { spent: 0, at: None, found: bids.len(), raised: 0, has_missed: false };
        bids.visit(|bid| {
            if bid.benefit() < blind_below {
                blind_below = self.blind_below(walk, left);
                if bid.benefit() < blind_below {
                    served.has_missed = true;
                    return false;
                }
            }
            if bid.rest() > left {
                served.at = served.at.or(Some(bid.benefit()));
                return true;
            }
            let raise = |book: &mut Book<'_>| {
                let price = book.raise(bid.row(), left);
                let level = book.levels.get(bid.row()).copied();
                (price, level == Some(book.account.ladder_of(bid.row()).highest()))
            };
            let (price, is_highest) = walk.visit(bid.account(), raise).unwrap_or((0, true));
            left = left.saturating_sub(price);
            served.raised = served.raised.wrapping_add(1);
            if !is_highest {
                served.at = served.at.or(Some(bid.benefit()));
            }
            left >= u64::from(self.least_step)
        });
        if left >= u64::from(self.least_step) && self.blind_below(walk, left) > 0 {
            served.has_missed = true;
            left = left.saturating_sub(self.serve_all(walk, left, room));
        }
        served.spent = pot.wrapping_sub(left);
        served
    }

    /// Returns the greatest benefit of an unmarked actor that a budget could upgrade.
    fn blind_below<W: Walk + ?Sized>(&self, walk: &mut W, pot: u64) -> u32 {
        self.accounts.clone().fold(0, |most, account| {
            let see = |book: &mut Book<'_>| book.blind_below(self.scale, self.low, self.reach, pot);
            most.max(walk.visit(account, see).unwrap_or(0))
        })
    }

    /// Upgrades all actors that the budget pays, in order; returns the amount spent. Actors that were
    /// upgraded before have taken all they could.
    fn serve_all<W: Walk + ?Sized>(&self, walk: &mut W, pot: u64, room: &mut [Bid]) -> u64 {
        let mut bids = Bids::new(room);
        for account in self.accounts.clone() {
            walk.visit(account, |book| {
                super::general::keep_all(book);
                book.bid_if_payable(account, pot, &mut bids);
            });
        }
        bids.serve(pot, 0, |account, row, pot| {
            walk.visit(account, |book| book.raise(row, pot)).unwrap_or(0)
        })
    }
}
