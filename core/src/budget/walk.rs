//! The automatic actors of a scene, in memory that somebody else owns.

use super::demand::Claims;
use super::pot::Bids;
use super::scale::Scale;
use crate::units::BenefitValue;

/// The walks over actors that the ledger asks for; their owner makes them, in any order and in any
/// number of parts.
///
/// [`decide`](super::decide) owns the order of the phases and what they mean. Where actors stand in
/// plain slices a slice of [`Book`](super::Book)s is a `Walk` already; an owner of other memory
/// builds it from the same methods.
///
/// # For implementors
/// An account is one module, by its number below [`accounts`](Self::accounts). A module that the
/// ledger does not manage claims and assigns nothing. Nothing here fails: an account or a row that
/// there is not costs nothing.
pub trait Walk {
    /// How many accounts there are, at most [`MAX_MODULES`](super::MAX_MODULES).
    fn accounts(&self) -> usize;

    /// What a unit of benefit may cost in an account.
    fn benefit_value(&self, account: usize) -> BenefitValue;

    /// The sum of the minimum costs of an account, in nanoseconds.
    fn minimum(&mut self, account: usize) -> u64;

    /// The sum of the benefits of an account, in 2⁻¹⁶ units.
    fn benefit(&mut self, account: usize) -> u64;

    /// What the actors of an account claim at a scale.
    fn claims(&mut self, account: usize, scale: Scale) -> Claims;

    /// Gives every actor of an account the highest LOD that its share pays at a scale, and returns
    /// what all of them cost, in nanoseconds.
    fn assign(&mut self, account: usize, scale: Scale) -> u64;

    /// What the actors of an account may spend at a scale, in nanoseconds.
    fn shares(&mut self, account: usize, scale: Scale) -> u64;

    /// Adds the bids of an account's actors, as they were assigned.
    fn gather(&mut self, account: usize, bids: &mut Bids<'_>);

    /// Raises the LOD of a row as far as a pot pays, and returns the price; both in nanoseconds.
    fn raise(&mut self, account: usize, row: usize, pot: u64) -> u64;
}
