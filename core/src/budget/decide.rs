//! The entry point of all decisions.

use super::decision::Decision;
use super::last::Standing;
use super::module_view::Walk;
use super::optimal::optimal;
use super::policy::{Policy, Request};
use super::proportional::proportional;
use super::scratch::Room;
use super::wide;

/// Decides the LOD of every automatic actor.
///
/// `standing` holds the state that the previous frame carried over, and receives the state for the next
/// frame; the default is a first frame. A decision depends only on it, on the previous levels in
/// [`Book::last`](super::Book::last), on the input, on the scratch memory in `room` and on the request.
///
/// # Examples
/// ```
/// use lodger_core::budget::{
///     Account, Bid, Book, LadderSpan, Ladders, Leftovers, Policy, Request, Room, Standing, decide,
/// };
/// use lodger_core::units::{BenefitValue, Budget};
/// use lodger_core::Benefit;
///
/// // Two capes at 0, 100 or 400 ns; the nearer one has three times the benefit.
/// let benefits = [Benefit::new(0.75_f32)?, Benefit::new(0.25_f32)?];
/// let account = Account {
///     benefit_value: BenefitValue::from_ns(1_000),
///     continuous: false,
///     ladders: Ladders { spans: &[LadderSpan::new(0, 3, 0)], costs: &[0, 100, 400] },
///     ladder: &[], // all have the first ladder
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
/// // The leftover 300 ns go to the nearer cape, which needs all of them.
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
    modules: &mut W,
    room: Room<'_>,
) -> Decision {
    if W::WIDE {
        if !request.counts_past() {
            return match request.policy {
                Policy::Proportional(leftovers) => {
                    wide::proportional(request, leftovers, standing, modules, room.bids)
                }
                Policy::Optimal => wide::optimal(request, standing, modules, room),
            };
        }
        wide::keep_all_of(modules);
    }
    match request.policy {
        Policy::Proportional(leftovers) if request.counts_past() => {
            proportional::<W, true>(request, leftovers, standing, modules, room)
        }
        Policy::Proportional(leftovers) => {
            proportional::<W, false>(request, leftovers, standing, modules, room)
        }
        Policy::Optimal => optimal(request, standing, modules, room),
    }
}
