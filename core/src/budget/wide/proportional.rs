//! The document's policy over very many actors.

use super::assign::assign;
use super::claims::{ClaimsAt, Flips, Minimum, Total};
use super::leftovers::share_out;
use crate::budget::decision::Decision;
use crate::budget::demand::Claims;
use crate::budget::last::Standing;
use crate::budget::module_view::{Book, Walk};
use crate::budget::policy::{Leftovers, Request};
use crate::budget::scale::Scale;
use crate::budget::settlement::Settlement;
use crate::budget::upgrade_queue::Bid;

/// Divides a budget as [`proportional`](crate::budget::proportional) does where no past counts.
pub(in crate::budget) fn proportional<W: Walk + ?Sized>(
    request: &Request,
    leftovers: Leftovers,
    standing: &mut Standing,
    walk: &mut W,
    room: &mut [Bid],
) -> Decision {
    let accounts = 0..walk.accounts();
    let minimum = all(walk, |walk, account| walk.ask(account, &Minimum));
    let settlement = Settlement::of(request, minimum);
    let Settlement { available, overcommit, .. } = settlement;
    let scale = if overcommit > 0 {
        Scale::ZERO
    } else if minimum > 0 {
        search(available, walk)
    } else {
        Scale::fitting(available, all(walk, target))
    };
    standing.scale = Some(scale);
    let assigned = match leftovers {
        _ if overcommit > 0 => all(walk, |walk, account| assign(walk, account, scale)),
        Leftovers::Keep => all(walk, |walk, account| assign(walk, account, scale)),
        Leftovers::WithinModule => all(walk, |walk, account| {
            share_out(walk, account..account.wrapping_add(1), scale, None, room)
        }),
        Leftovers::AcrossModules => share_out(walk, accounts, scale, None, room),
        Leftovers::WholeBudget => share_out(walk, accounts, scale, Some(available), room),
    };
    let flips = all(walk, |walk, account| walk.ask(account, &Flips));
    let flips = u32::try_from(flips).unwrap_or(u32::MAX);
    Decision { available, overcommit, minimum, scale, assigned, flips, ..Decision::default() }
}

/// The sum over all accounts.
fn all<W: Walk + ?Sized>(walk: &mut W, mut of: impl FnMut(&mut W, usize) -> u64) -> u64 {
    (0..walk.accounts()).fold(0, |sum: u64, account| sum.saturating_add(of(walk, account)))
}

/// Returns the target of all actors of a module together, in nanoseconds.
fn target<W: Walk + ?Sized>(walk: &mut W, account: usize) -> u64 {
    let see = |book: &mut Book<'_>| (book.account.benefit_value, book.crowd.total);
    let (value, total) = walk.visit(account, see).unwrap_or_default();
    value.target(total.unwrap_or_else(|| walk.ask(account, &Total)))
}

/// Returns the greatest scale at which all shares, or minimums if those are more, fit the available budget.
fn search<W: Walk + ?Sized>(available: u64, walk: &mut W) -> Scale {
    crate::budget::proportional::greatest_scale(available, |scale| {
        let (mut claims, mut targets) = (Claims::default(), 0_u64);
        for account in 0..walk.accounts() {
            let found = walk.ask(account, &ClaimsAt(scale));
            let value = walk.visit(account, |book| book.account.benefit_value);
            targets = targets.saturating_add(value.unwrap_or_default().target(found.benefit));
            claims = claims.plus(found);
        }
        (claims, targets)
    })
}
