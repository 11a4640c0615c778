//! What a frame may spend, and how.

use super::policy::{Policy, Stability};
use crate::calibration::Headroom;
use crate::units::Budget;

/// What a frame may spend, and how.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// What all actors together may cost.
    pub budget: Budget,
    /// What is paid first, in nanoseconds: forced actors and modules that the ledger does not manage,
    /// each at its [`Ladder::fixed`](super::Ladder::fixed) LOD, and the overhead of modules.
    pub fixed: u64,
    /// The part of the budget that is not planned with. It never makes a budget infeasible.
    pub headroom: Headroom,
    /// How the budget is divided.
    pub policy: Policy,
    /// What a change must earn.
    pub stability: Stability,
    /// How many actors may rise above their last level, the worthiest first; `None` for all. The others
    /// stay where they were.
    pub max_raises: Option<u32>,
}

impl Request {
    /// Whether [`Room::bids`](super::Room::bids) must have a place for each automatic actor.
    #[must_use]
    pub const fn has_bids(&self) -> bool {
        self.policy.has_bids() || self.max_raises.is_some()
    }

    /// Whether a decision depends on the last levels. If not, [`Book::last`](super::Book::last) is only
    /// asked for the [flips](super::Decision::flips), and may be empty where somebody else counts them.
    #[inline]
    #[must_use]
    pub const fn counts_past(&self) -> bool {
        self.stability.is_on() || self.max_raises.is_some()
    }
}

impl Default for Request {
    /// Everything for everybody.
    fn default() -> Self {
        Self {
            budget: Budget::UNLIMITED,
            fixed: 0,
            headroom: Headroom::NONE,
            policy: Policy::default(),
            stability: Stability::OFF,
            max_raises: None,
        }
    }
}
