//! The automatic actors of a scene, in memory that somebody else owns.

use super::book::Book;

/// The modules that the ledger decides for, one by one.
///
/// [`decide`](super::decide) owns the order of the phases and what they mean; whoever owns the memory
/// shows it, a [`Book`] at a time. A slice of books is a `Walk`.
///
/// # For implementors
/// An account is one module, by its number below [`accounts`](Self::accounts). A module that the
/// ledger does not manage has no rows in its book. What a visitor changes in a book's columns and in
/// its [`assigned`](Book::assigned) and [`slopes`](Book::slopes) is there at the next visit.
pub trait Walk {
    /// How many accounts there are, at most [`MAX_MODULES`](super::MAX_MODULES).
    fn accounts(&self) -> usize;

    /// Shows an account; `None` if it is not there.
    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R>;
}

impl Walk for [Book<'_>] {
    fn accounts(&self) -> usize {
        self.len()
    }

    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R> {
        self.get_mut(account).map(see)
    }
}
