//! How much is held in memory.

use crate::problem::Problem;

/// How much may still be held in memory.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Room {
    left: u64,
    limit: u64,
}

impl Room {
    /// Room for so many bytes.
    pub(crate) fn new(limit: u64) -> Self {
        Self { left: limit, limit }
    }

    /// Takes so many bytes of it, or none if they are too many.
    pub(crate) fn take(&mut self, bytes: u64) -> Result<(), Problem> {
        match self.left.checked_sub(bytes) {
            Some(left) => self.left = left,
            None => return Err(Problem::TooMuchToKeep { limit: self.limit }),
        }
        Ok(())
    }
}
