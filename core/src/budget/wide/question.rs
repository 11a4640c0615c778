//! Kernels: map-reduce operations on all actors of a module.

use crate::budget::book::Book;

/// An operation on all actors of a module with a partial result.
///
/// [`Walk::ask`](crate::budget::Walk::ask) runs it once on each of the parts of a module. Only this crate
/// has implementations.
pub trait Question: Sync {
    /// The partial result.
    type Answer: Answer;

    /// Runs on the rows of a book, or on a [part](Book::split_at) that begins with a block.
    fn ask(&self, part: &mut Book<'_>) -> Self::Answer;
}

/// A partial result; the default is the identity.
pub trait Answer: Default + Send {
    /// Combines the results of two parts, in any order.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

impl Answer for u64 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}
