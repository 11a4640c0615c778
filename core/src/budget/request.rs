//! The budget of a frame, and the rules for its division.

use super::policy::{Policy, Stability};
use crate::calibration::Headroom;
use crate::units::Budget;

/// The budget of a frame, and the rules for its division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// The greatest cost of all actors together.
    pub budget: Budget,
    /// The reserved cost, which is paid first, in nanoseconds: forced actors and unmanaged modules,
    /// each at its [`Ladder::fixed`](super::Ladder::fixed) LOD, and the overhead of modules.
    pub fixed: u64,
    /// The part of the budget that plans leave free. It never makes a budget infeasible.
    pub headroom: Headroom,
    /// The way in which the budget is divided.
    pub policy: Policy,
    /// The hysteresis of levels.
    pub stability: Stability,
    /// The greatest number of actors above their previous level, by falling value; `None` for no limit.
    /// The other actors keep their level.
    pub max_raises: Option<u32>,
}

impl Request {
    /// Whether [`Room::bids`](super::Room::bids) must have a place for each automatic actor.
    #[must_use]
    pub const fn has_bids(&self) -> bool {
        self.policy.has_bids() || self.max_raises.is_some()
    }

    /// Whether a decision depends on the previous levels. If not, [`Book::last`](super::Book::last) is
    /// read only for the [flips](super::Decision::flips), and may be empty if the caller counts them.
    #[inline]
    #[must_use]
    pub const fn counts_past(&self) -> bool {
        self.stability.is_on() || self.max_raises.is_some()
    }
}

impl Default for Request {
    /// A request with an unlimited budget.
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
