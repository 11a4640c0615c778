//! The memory that inputs share.

use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use crate::spent::Spent;

/// The memory that inputs share.
#[derive(Debug)]
pub(crate) struct Room {
    size: u64,
    taken: Mutex<Taken>,
    given_back: Condvar,
}

#[derive(Debug, Default)]
struct Taken {
    bytes: u64,
    /// How many of those who took some give it back without waiting for more.
    passing: usize,
}

/// That there is no room.
#[derive(Debug)]
pub(crate) struct Full;

impl From<Full> for Spent {
    fn from(_: Full) -> Self {
        Self::Crowded
    }
}

impl Room {
    /// Room for so many bytes.
    pub(crate) fn new(size: u64) -> Self {
        Self { size, taken: Mutex::default(), given_back: Condvar::new() }
    }

    /// Takes so many bytes at once, or none. Whoever is alone takes what it is allowed to.
    pub(crate) fn take(&self, bytes: u64, is_alone: bool) -> Result<(), Full> {
        let mut taken = self.lock();
        let sum = taken.bytes.saturating_add(bytes);
        if sum > self.size && !is_alone {
            return Err(Full);
        }
        taken.bytes = sum;
        Ok(())
    }

    /// Takes so many bytes as soon as there is room. Only those are waited for who give theirs back
    /// without waiting themselves, so nobody waits for ever.
    pub(crate) fn pass(&self, bytes: u64, is_alone: bool) -> Result<(), Full> {
        let has_to_wait =
            |taken: &mut Taken| taken.passing > 0 && taken.bytes.saturating_add(bytes) > self.size;
        let waited = self.given_back.wait_while(self.lock(), has_to_wait);
        let mut taken = waited.unwrap_or_else(PoisonError::into_inner);
        let sum = taken.bytes.saturating_add(bytes);
        if sum > self.size && !is_alone {
            return Err(Full);
        }
        taken.bytes = sum;
        taken.passing += 1;
        Ok(())
    }

    /// Gives back what was [taken](Self::take).
    pub(crate) fn give_back(&self, bytes: u64) {
        let mut taken = self.lock();
        taken.bytes = taken.bytes.saturating_sub(bytes);
        drop(taken);
        self.given_back.notify_all();
    }

    /// Gives back what was taken [in passing](Self::pass).
    pub(crate) fn leave(&self, bytes: u64) {
        let mut taken = self.lock();
        taken.bytes = taken.bytes.saturating_sub(bytes);
        taken.passing = taken.passing.saturating_sub(1);
        drop(taken);
        self.given_back.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, Taken> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
