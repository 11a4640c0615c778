//! The one door: who gets which level for a budget.

use super::certificate::Certificate;
use super::last::Standing;
use super::optimal::optimal;
use super::policy::{Policy, Stability};
use super::price::Price;
use super::proportional::proportional;
use super::room::Room;
use super::scale::Scale;
use super::walk::Walk;
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
    /// Whether [`Room::bids`] must have a place for each automatic actor.
    #[must_use]
    pub const fn has_bids(&self) -> bool {
        self.policy.has_bids() || self.max_raises.is_some()
    }
}

impl Request {
    /// Whether a decision depends on the last levels.
    #[inline]
    const fn counts_past(&self) -> bool {
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

/// What was decided for the scene as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub struct Decision {
    /// What is left of the budget after the headroom and the fixed charges, in nanoseconds.
    pub available: u64,
    /// By how many nanoseconds the fixed charges and minimums exceed the budget. The budget is
    /// infeasible if that is not 0.
    pub overcommit: u64,
    /// What all automatic actors cost at their lowest valid levels, in nanoseconds.
    pub minimum: u64,
    /// The factor on every target; 0 when infeasible. [`Scale::ONE`] for the optimal policy.
    pub scale: Scale,
    /// What a unit of money is worth to the optimal policy; [`Price::FREE`] for the proportional one.
    pub price: Price,
    /// What all automatic actors cost at the LODs that they were given, in nanoseconds.
    pub assigned: u64,
    /// What the plan is worth and could be; `None` for the proportional policy, for which
    /// [`certify`](super::certify) finds it.
    pub certificate: Option<Certificate>,
    /// How many actors the ledger decided for in the last frame too and now gave another whole level.
    pub flips: u32,
}

impl Default for Decision {
    /// That of a scene without actors and without a budget.
    fn default() -> Self {
        Self {
            available: 0,
            overcommit: 0,
            minimum: 0,
            scale: Scale::ONE,
            price: Price::FREE,
            assigned: 0,
            certificate: None,
            flips: 0,
        }
    }
}

/// Decides the LOD of every automatic actor.
///
/// `standing` is what the last frame left, and takes what this one leaves; who has none gives the default.
/// With the last levels in [`Book::last`](super::Book::last), `room` and the request it is all that a
/// decision depends on.
///
/// # Examples
/// ```
/// use lodger_core::budget::{
///     Account, Bid, Book, LadderSpan, Ladders, Leftovers, Policy, Request, Room, Standing, decide,
/// };
/// use lodger_core::units::{BenefitValue, Budget};
/// use lodger_core::Benefit;
///
/// // Two capes at 0, 100 or 400 ns; the nearer one is worth three times as much.
/// let benefits = [Benefit::new(0.75_f32)?, Benefit::new(0.25_f32)?];
/// let account = Account {
///     benefit_value: BenefitValue::from_ns(1_000),
///     continuous: false,
///     ladders: Ladders { spans: &[LadderSpan::new(0, 3, 0)], costs: &[0, 100, 400] },
///     ladder: &[], // all have the first
///     benefits: &benefits,
/// };
/// let mut levels = [0; 2];
/// let mut capes = [Book { account, ids: &[0, 1], levels: &mut levels, ..Book::default() }];
///
/// // The targets are 750 and 250 ns; 500 ns leave 375 and 125, which pay 100 ns each.
/// let policy = Policy::Proportional(Leftovers::Keep);
/// let request = Request { budget: Budget::from_ns(500), policy, ..Request::default() };
/// let mut standing = Standing::default();
/// let decision = decide(&request, &mut standing, &mut capes[..], Room::default());
/// assert_eq!((decision.scale.to_f64(), decision.assigned), (0.5, 200));
///
/// // The pot of 300 ns goes to the nearer cape, which needs all of it.
/// let request = Request { policy: Policy::Proportional(Leftovers::AcrossModules), ..request };
/// let room = Room { bids: &mut [Bid::default(); 2], trials: &mut [] };
/// let decision = decide(&request, &mut standing, &mut capes[..], room);
/// assert_eq!((decision.assigned, levels), (500, [2, 1]));
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[inline]
pub fn decide<W: Walk + ?Sized>(
    request: &Request,
    standing: &mut Standing,
    walk: &mut W,
    room: Room<'_>,
) -> Decision {
    match request.policy {
        Policy::Proportional(leftovers) if request.counts_past() => {
            proportional::<W, true>(request, leftovers, standing, walk, room)
        }
        Policy::Proportional(leftovers) => {
            proportional::<W, false>(request, leftovers, standing, walk, room)
        }
        Policy::Optimal => optimal(request, standing, walk, room),
    }
}
