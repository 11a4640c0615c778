//! What is asked of all actors of a module, and how answers add up.

use crate::budget::book::Book;

/// Something that the ledger wants to know of all actors of a module, or wants done to all of them.
///
/// It is asked of parts that together are the whole, each once, by
/// [`Walk::ask`](crate::budget::Walk::ask). Only the ledger has questions.
pub trait Question: Sync {
    /// What comes back.
    type Answer: Answer;

    /// Asks the rows of a book, or of a [part](Book::split_at) of one that begins with a group.
    fn ask(&self, part: &mut Book<'_>) -> Self::Answer;
}

/// What a part answered. The default is what nobody answers.
pub trait Answer: Default + Send {
    /// The answers of two parts together, whichever is first.
    #[must_use]
    fn plus(self, other: Self) -> Self;
}

impl Answer for u64 {
    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
}
