//! How a budget is divided, as a function: what nobody asks for is not linked.

use lodger_core::budget::{Book, Decision, Leftovers, Policy, Request, Room, Standing, decide};

/// Decides by the policy of the request.
pub(crate) type Form = fn(&Request, &mut Standing, &mut [Book<'_>], Room<'_>) -> Decision;

/// The [`Form`] of the proportional policy; any other is taken for what it is by default.
pub(crate) fn proportional(
    request: &Request,
    standing: &mut Standing,
    books: &mut [Book<'_>],
    room: Room<'_>,
) -> Decision {
    let leftovers = match request.policy {
        Policy::Proportional(leftovers) => leftovers,
        Policy::Optimal => Leftovers::default(),
    };
    let request = Request { policy: Policy::Proportional(leftovers), ..*request };
    decide(&request, standing, books, room)
}

/// The [`Form`] of the optimal policy.
pub(crate) fn optimal(
    request: &Request,
    standing: &mut Standing,
    books: &mut [Book<'_>],
    room: Room<'_>,
) -> Decision {
    decide(&Request { policy: Policy::Optimal, ..*request }, standing, books, room)
}
