//! Names that must be unique.

use std::hash::{BuildHasher as _, RandomState};

use lodger_allowance::Allowance;

use crate::error::{Error, ErrorKind};
use crate::place::Subject;
use lodger_gltf::clipped;

/// The bytes that looking for equal names takes for each: its hash and its index.
const NAME: u64 = size_of::<(u64, usize)>() as u64;

/// Refuses the first name that is equal to an earlier one. The names are not copied.
pub(crate) fn unique<'n>(
    count: usize,
    name: impl Fn(usize) -> &'n str,
    (what, subject): (&'static str, fn(usize) -> Subject),
    allowance: &Allowance,
) -> Result<(), Error> {
    let _reserved = allowance.reserve((count as u64).saturating_mul(NAME))?;
    let random = RandomState::new();
    let mut hashes: Vec<_> =
        (0..count).map(|index| (random.hash_one(name(index)), index)).collect();
    hashes.sort_unstable();
    let equal_hashes = hashes.chunk_by(|a, b| a.0 == b.0).filter(|equal| equal.len() > 1);
    let repeated = equal_hashes.filter_map(|equal| {
        (1..equal.len()).find_map(|at| {
            let second = equal[at].1;
            let earlier = equal[..at].iter().rev().map(|&(_, first)| first);
            let mut same = earlier.filter(|&first| name(first) == name(second));
            Some((second, same.next()?))
        })
    });
    let Some((second, first)) = repeated.min() else { return Ok(()) };
    let kind = ErrorKind::Duplicate { what, name: clipped(name(second)).into_owned() };
    Err(Error::new(kind, subject(second), "name").earlier(subject(first)))
}
