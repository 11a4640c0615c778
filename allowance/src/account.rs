//! What one input may still take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use crate::limits::Limits;
use crate::room::Room;
use crate::spent::Spent;

/// What one input may still take, for all threads that work on it.
///
/// # Examples
/// ```
/// use lodger_allowance::{Allowance, Limits, Spent};
///
/// let allowance = Allowance::new(Limits { memory: 100, work: 10 });
/// allowance.keep(60)?;
/// {
///     let _reserved = allowance.reserve(40)?;
///     assert_eq!(allowance.keep(1), Ok(()), "what is reserved is not kept");
/// }
/// assert!(matches!(allowance.reserve(40), Err(Spent::Memory { limit: 100 })));
/// assert_eq!(allowance.work(10), Ok(()));
/// assert_eq!(allowance.work(1), Err(Spent::Work { limit: 10 }));
/// # Ok::<(), Spent>(())
/// ```
#[derive(Debug)]
pub struct Allowance {
    limits: Limits,
    room: Arc<Room>,
    is_alone: bool,
    kept: AtomicU64,
    rows: AtomicU64,
    work: AtomicU64,
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Reserved<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Allowance {
    /// The allowance of the only input that there is.
    #[must_use]
    pub fn new(limits: Limits) -> Self {
        Self::in_room(limits, Arc::new(Room::new(limits.memory)), true)
    }

    pub(crate) fn in_room(limits: Limits, room: Arc<Room>, is_alone: bool) -> Self {
        let [kept, rows, work] = [const { AtomicU64::new(0) }; 3];
        Self { limits, room, is_alone, kept, rows, work }
    }

    /// What the input may take in all.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// Bytes that may still be kept.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limits.memory.saturating_sub(self.kept.load(Relaxed))
    }

    /// Takes memory for as long as the input is worked on.
    ///
    /// # Errors
    /// [`Spent::Memory`] if the input keeps more than it may, and [`Spent::Crowded`].
    pub fn keep(&self, bytes: u64) -> Result<(), Spent> {
        add(&self.kept, bytes, self.limits.memory)
            .ok_or(Spent::Memory { limit: self.limits.memory })?;
        self.room.take(bytes, self.is_alone).map_err(|_| {
            self.kept.fetch_sub(bytes, Relaxed);
            Spent::Crowded
        })
    }

    /// Takes memory that stays when the work on the input is done.
    ///
    /// # Errors
    /// Those of [`keep`](Self::keep).
    pub fn rows(&self, bytes: u64) -> Result<(), Spent> {
        self.keep(bytes)?;
        self.rows.fetch_add(bytes, Relaxed);
        Ok(())
    }

    /// Takes memory for a piece of work that others run beside, and waits for those where it has to.
    /// Whoever has reserved memory neither reserves nor keeps more before that is dropped.
    ///
    /// # Errors
    /// [`Spent::Memory`] if the input may not have so much beside what it keeps, and
    /// [`Spent::Crowded`].
    pub fn reserve(&self, bytes: u64) -> Result<Reserved<'_>, Spent> {
        if bytes > self.left() {
            return Err(Spent::Memory { limit: self.limits.memory });
        }
        self.room.pass(bytes, self.is_alone).map_err(|_| Spent::Crowded)?;
        Ok(Reserved { room: &self.room, bytes })
    }

    /// Does so much work.
    ///
    /// # Errors
    /// [`Spent::Work`] if the input takes more than it may.
    pub fn work(&self, units: u64) -> Result<(), Spent> {
        add(&self.work, units, self.limits.work).ok_or(Spent::Work { limit: self.limits.work })
    }

    /// Ends the work on the input. Its rows, in bytes, are somebody else's from now on.
    pub(crate) fn finish(self) -> u64 {
        let rows = self.rows.load(Relaxed);
        self.kept.fetch_sub(rows, Relaxed);
        rows
    }
}

/// Adds to a sum, unless it becomes too much.
fn add(sum: &AtomicU64, more: u64, limit: u64) -> Option<()> {
    let added = |sum: u64| sum.checked_add(more).filter(|sum| *sum <= limit);
    sum.fetch_update(Relaxed, Relaxed, added).ok().map(drop)
}

impl Drop for Allowance {
    fn drop(&mut self) {
        self.room.give_back(self.kept.load(Relaxed));
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.room.leave(self.bytes);
    }
}
