//! What pays for a glTF file.

use std::cell::Cell;

use lodger_allowance::{Allowance, Spent};

/// An allowance that remembers that something was too much for it: where a part of a file cannot be read
/// there may be another way, but not where it costs too much.
pub struct Purse<'a> {
    allowance: &'a Allowance,
    spent: Cell<Option<Spent>>,
    /// The bytes that are taken for what is made, used and thrown away, over and over.
    scratch: Cell<u64>,
}

impl<'a> Purse<'a> {
    /// A purse with an allowance in it.
    #[must_use]
    pub fn new(allowance: &'a Allowance) -> Self {
        Self { allowance, spent: Cell::new(None), scratch: Cell::new(0) }
    }

    /// Takes memory for as long as the file is read, in bytes.
    ///
    /// # Errors
    /// Those of [`Allowance::keep`].
    pub fn keep(&self, bytes: u64) -> Result<(), Spent> {
        self.note(self.allowance.keep(bytes))
    }

    /// Takes memory for so many things of a size.
    ///
    /// # Errors
    /// Those of [`Allowance::keep`].
    pub fn keep_all<T>(&self, count: usize) -> Result<(), Spent> {
        self.keep((count as u64).saturating_mul(size_of::<T>() as u64))
    }

    /// Takes memory for what is thrown away before anything else is made in its place.
    ///
    /// # Errors
    /// Those of [`Allowance::keep`].
    pub fn scratch<T>(&self, count: usize) -> Result<(), Spent> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        let before = self.scratch.get();
        self.keep(bytes.saturating_sub(before))?;
        self.scratch.set(before.max(bytes));
        Ok(())
    }

    /// Does so much work.
    ///
    /// # Errors
    /// [`Spent::Work`].
    pub fn work(&self, units: u64) -> Result<(), Spent> {
        self.note(self.allowance.work(units))
    }

    /// What was too much.
    #[must_use]
    pub fn spent(&self) -> Option<Spent> {
        self.spent.get()
    }

    /// Remembers what was too much.
    ///
    /// # Errors
    /// The same.
    pub fn note<T>(&self, paid: Result<T, Spent>) -> Result<T, Spent> {
        paid.inspect_err(|&spent| self.spent.set(Some(spent)))
    }
}
