//! The automatic actors of a scene, in memory that somebody else owns.

use super::book::Book;
use super::wide::Question;

/// The modules that the ledger decides for, one by one.
///
/// [`decide`](super::decide) owns the order of the phases and what they mean; whoever owns the memory
/// shows it, a [`Book`] at a time. A slice of books is a `Walk`.
///
/// # For implementors
/// An account is one module, by its number below [`accounts`](Self::accounts). A module that the
/// ledger does not manage has no rows in its book. What a visitor changes in a book's columns and in
/// its [`assigned`](Book::assigned), [`slopes`](Book::slopes) and [`crowd`](Book::crowd) is there at the next visit.
pub trait Walk {
    /// Whether very many actors are asked by [`ask`](Self::ask), which then gives the ledger what it needs
    /// for them: a [`Crowd`](super::Crowd) in each book, whose groups
    /// [begin](super::Group::begin) each frame. The plan is the same, but for [`Decision::flips`
    /// ](super::Decision::flips): where no past counts, all actors do that have another level than in the book.
    const WIDE: bool = false;

    /// How many accounts there are, at most [`MAX_MODULES`](super::MAX_MODULES).
    fn accounts(&self) -> usize;

    /// Shows an account; `None` if it is not there.
    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R>;

    /// Asks all actors of an account. Who has many [splits](Book::split_at) the book where groups begin,
    /// asks the parts wherever there is time, and adds up the answers.
    fn ask<Q: Question>(&mut self, account: usize, question: &Q) -> Q::Answer {
        self.visit(account, |book| question.ask(book)).unwrap_or_default()
    }
}

impl Walk for [Book<'_>] {
    fn accounts(&self) -> usize {
        self.len()
    }

    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R> {
        self.get_mut(account).map(see)
    }
}
