//! Memory that a decision works in.

use super::bid::Bid;

/// Memory that a decision works in; what is in it before and after means nothing.
#[derive(Debug, Default)]
pub struct Room<'a> {
    /// A place for each automatic actor where the policy [has bids](super::Policy::has_bids), else it may
    /// be empty. Who finds no place gets nothing of what is left over.
    pub bids: &'a mut [Bid],
    /// Places for trials: with how many of them the optimal policy looks for a better plan where its
    /// own is not proven to be within 2⁻¹⁰ of the best. Without any it does not look.
    pub trials: &'a mut [Trial],
}

/// A place for a way to spend the money of a few actors otherwise; see [`Room::trials`].
#[derive(Debug, Clone, Copy, Default)]
pub struct Trial {
    pub(super) cost: i64,
}
