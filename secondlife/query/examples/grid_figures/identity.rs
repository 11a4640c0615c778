//! Who is who: identifiers of numbered things.

use uuid::Uuid;

use crate::chance::Chance;

/// What has an identifier.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Of {
    /// A mesh asset.
    Mesh = 1,
    /// A part of an object.
    Part = 2,
    /// Who owns or makes something.
    Resident = 3,
    /// A region.
    Region = 4,
    /// A thing in a part.
    Item = 5,
}

/// The identifier of a numbered thing: no two of a kind have the same.
pub(crate) fn id(seed: u64, of: Of, number: u64) -> Uuid {
    let mut chance = Chance::of(seed, of as u64, number);
    let (high, low) = (chance.next(), chance.next());
    Uuid::from_u64_pair(high, low)
}
