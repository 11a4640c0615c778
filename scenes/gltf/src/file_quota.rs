//! What pays for a glTF file.

use std::cell::Cell;

use lodger_quota::{Quota, QuotaExceeded};

/// A quota that remembers that something was too much for it: where a part of a file cannot be read
/// there may be another way, but not where it costs too much.
pub struct Purse<'a> {
    quota: &'a Quota,
    spent: Cell<Option<QuotaExceeded>>,
    /// The bytes that are taken for what is made, used and thrown away, over and over.
    scratch: Cell<u64>,
}

impl<'a> Purse<'a> {
    /// A purse with a quota in it.
    #[must_use]
    pub fn new(quota: &'a Quota) -> Self {
        Self { quota, spent: Cell::new(None), scratch: Cell::new(0) }
    }

    /// Takes memory for as long as the file is read, in bytes.
    ///
    /// # Errors
    /// Those of [`Quota::charge_memory`].
    pub fn keep(&self, bytes: u64) -> Result<(), QuotaExceeded> {
        self.note(self.quota.charge_memory(bytes))
    }

    /// Takes memory for so many things of a size.
    ///
    /// # Errors
    /// Those of [`Quota::charge_memory`].
    pub fn keep_all<T>(&self, count: usize) -> Result<(), QuotaExceeded> {
        self.keep((count as u64).saturating_mul(size_of::<T>() as u64))
    }

    /// Takes memory for what is thrown away before anything else is made in its place.
    ///
    /// # Errors
    /// Those of [`Quota::charge_memory`].
    pub fn scratch<T>(&self, count: usize) -> Result<(), QuotaExceeded> {
        let bytes = (count as u64).saturating_mul(size_of::<T>() as u64);
        let before = self.scratch.get();
        self.keep(bytes.saturating_sub(before))?;
        self.scratch.set(before.max(bytes));
        Ok(())
    }

    /// Does so much work.
    ///
    /// # Errors
    /// [`QuotaExceeded::Work`].
    pub fn work(&self, units: u64) -> Result<(), QuotaExceeded> {
        self.note(self.quota.charge_work(units))
    }

    /// What was too much.
    #[must_use]
    pub fn spent(&self) -> Option<QuotaExceeded> {
        self.spent.get()
    }

    /// Remembers what was too much.
    ///
    /// # Errors
    /// The same.
    pub fn note<T>(&self, paid: Result<T, QuotaExceeded>) -> Result<T, QuotaExceeded> {
        paid.inspect_err(|&spent| self.spent.set(Some(spent)))
    }
}
