//! What a class of cases is.

use super::case::{Case, Sized};
use super::random::Random;

/// Cases of one kind.
#[derive(Debug)]
pub(super) struct Class {
    pub(super) name: &'static str,
    pub(super) known: &'static [Known],
    /// A case by chance.
    pub(super) random: Option<fn(&mut Random) -> Case>,
}

/// A case that is known to be hard.
#[derive(Debug)]
pub(super) struct Known {
    pub(super) name: &'static str,
    /// The number that it is made of: bytes, uses, whatever there is much of.
    pub(super) number: usize,
    pub(super) make: fn(usize) -> Case,
    /// Whether it takes too long for a short run.
    pub(super) heavy: bool,
}

impl Known {
    /// A case made of a number.
    pub(super) const fn new(name: &'static str, number: usize, make: fn(usize) -> Case) -> Self {
        Self { name, number, make, heavy: false }
    }

    /// A case that takes long.
    pub(super) const fn heavy(name: &'static str, number: usize, make: fn(usize) -> Case) -> Self {
        Self { name, number, make, heavy: true }
    }

    /// The case.
    pub(super) fn case(&self) -> Case {
        let mut case = (self.make)(self.number);
        self.name.clone_into(&mut case.name);
        case.sized = (self.number > 1).then_some(Sized { number: self.number, make: self.make });
        case
    }
}
