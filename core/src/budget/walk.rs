//! The automatic actors of a scene, in memory of the caller.

use super::book::Book;
use super::wide::Question;

/// The modules of a scene, which [`decide`](super::decide) visits.
///
/// `decide` defines the order and the meaning of the phases; an implementation owns the memory and lends
/// one [`Book`] at a time. A slice of books implements this trait.
///
/// # For implementors
/// Modules are numbered from 0 to below [`accounts`](Self::accounts). A module that is not managed has
/// no rows in its book. An implementation must keep a visitor's changes of a book's columns and of its
/// [`assigned`](Book::assigned), [`slopes`](Book::slopes) and [`crowd`](Book::crowd) for the next visit.
pub trait Walk {
    /// Whether the scene is wide: [`ask`](Self::ask) runs kernels on very many actors. Each book then
    /// needs a [`Crowd`](super::Crowd), whose groups [begin](super::Group::begin) each frame. The plan is
    /// the same, except for [`Decision::flips`](super::Decision::flips): without hysteresis it counts all
    /// actors that have another level than in the book.
    const WIDE: bool = false;

    /// Returns the number of modules, at most [`MAX_MODULES`](super::MAX_MODULES).
    fn accounts(&self) -> usize;

    /// Calls `see` with a module; returns `None` if there is none.
    fn visit<R>(&mut self, account: usize, see: impl FnOnce(&mut Book<'_>) -> R) -> Option<R>;

    /// Runs a kernel on all actors of a module. An implementation may [split](Book::split_at) the book at
    /// multiples of a block, run the kernel on the parts in parallel, and add up the results.
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
