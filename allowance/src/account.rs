//! What one input may still take.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::SeqCst};

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
/// for _ in 0..1_000 {
///     let _reserved = allowance.reserve(30)?;
/// }
/// assert_eq!(allowance.keep(10), Ok(()));
/// assert_eq!(allowance.keep(1), Err(Spent::Memory { limit: 100 }), "60, 10 and 30 are 100");
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
    /// The largest that was reserved at a time. What is kept only grows, and so does this: that their sum
    /// becomes too much depends on nobody's turn.
    largest: AtomicU64,
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
        let [kept, largest, rows, work] = [const { AtomicU64::new(0) }; 4];
        Self { limits, room, is_alone, kept, largest, rows, work }
    }

    /// What the input may take in all.
    #[must_use]
    pub const fn limits(&self) -> Limits {
        self.limits
    }

    /// That the input needs more memory than it may take, or than there is.
    #[must_use]
    pub const fn refusal(&self) -> Spent {
        Spent::Memory { limit: self.limits.memory }
    }

    /// Bytes beside those that are kept.
    #[must_use]
    pub fn left(&self) -> u64 {
        self.limits.memory.saturating_sub(self.kept.load(SeqCst))
    }

    /// Takes memory for as long as the input is worked on.
    ///
    /// # Errors
    /// [`Spent::Memory`] if the input keeps more than it may beside what it reserved, and
    /// [`Spent::Crowded`].
    pub fn keep(&self, bytes: u64) -> Result<(), Spent> {
        add(&self.kept, bytes, self.limits.memory).ok_or(self.refusal())?;
        let kept = self.check().and_then(|()| Ok(self.room.take(bytes, self.is_alone)?));
        kept.inspect_err(|_| {
            self.kept.fetch_sub(bytes, SeqCst);
        })
    }

    /// Takes memory that stays when the work on the input is done.
    ///
    /// # Errors
    /// Those of [`keep`](Self::keep).
    pub fn rows(&self, bytes: u64) -> Result<(), Spent> {
        self.keep(bytes)?;
        self.rows.fetch_add(bytes, SeqCst);
        Ok(())
    }

    /// Takes memory for a piece of work that others run beside, and waits for those where it has to.
    /// Whoever has reserved memory neither reserves nor keeps more before that is dropped.
    ///
    /// # Errors
    /// [`Spent::Memory`] if the input may not have so much beside what it keeps, and
    /// [`Spent::Crowded`].
    pub fn reserve(&self, bytes: u64) -> Result<Reserved<'_>, Spent> {
        self.largest.fetch_max(bytes, SeqCst);
        self.check()?;
        self.room.pass(bytes, self.is_alone)?;
        Ok(Reserved { room: &self.room, bytes })
    }

    /// Whether what is kept and what is reserved are not too much together.
    fn check(&self) -> Result<(), Spent> {
        let sum = self.kept.load(SeqCst).saturating_add(self.largest.load(SeqCst));
        if sum > self.limits.memory { Err(self.refusal()) } else { Ok(()) }
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
        let rows = self.rows.load(SeqCst);
        self.kept.fetch_sub(rows, SeqCst);
        rows
    }
}

/// Adds to a sum, unless it becomes too much.
fn add(sum: &AtomicU64, more: u64, limit: u64) -> Option<()> {
    let added = |sum: u64| sum.checked_add(more).filter(|sum| *sum <= limit);
    sum.fetch_update(SeqCst, SeqCst, added).ok().map(drop)
}

impl Drop for Allowance {
    fn drop(&mut self) {
        self.room.give_back(self.kept.load(SeqCst));
    }
}

impl Drop for Reserved<'_> {
    fn drop(&mut self) {
        self.room.leave(self.bytes);
    }
}
