//! What one input may still take, and the memory that inputs share.

use std::sync::atomic::{AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use crate::limits::{QuotaExceeded, QuotaLimits};

/// What one input may still take, for all threads that work on it.
///
/// # Examples
/// ```
/// use lodger_quota::{Quota, QuotaLimits, QuotaExceeded};
///
/// let quota = Quota::new(QuotaLimits { memory: 100, work: 10 });
/// quota.charge_memory(60)?;
/// for _ in 0..1_000 {
///     let _reserved = quota.reserve(30)?;
/// }
/// assert_eq!(quota.charge_memory(10), Ok(()));
/// assert_eq!(quota.charge_memory(1), Err(QuotaExceeded::Memory { limit: 100 }), "60, 10 and 30 are 100");
/// assert_eq!(quota.charge_work(10), Ok(()));
/// assert_eq!(quota.charge_work(1), Err(QuotaExceeded::Work { limit: 10 }));
/// assert_eq!(quota.worked(), 10);
/// # Ok::<(), QuotaExceeded>(())
/// ```
#[derive(Debug)]
pub struct Quota {
    limits: QuotaLimits,
    room: Arc<Room>,
    is_alone: bool,
    memory: Mutex<Memory>,
    work: AtomicU64,
}

/// The memory that an input has taken.
#[derive(Clone, Copy, Debug, Default)]
struct Memory {
    kept: u64,
    /// The part of it that is for rows.
    rows: u64,
    /// The largest that was reserved at a time. What is kept only grows, and so does this: that their sum
    /// becomes too much depends on nobody's turn.
    largest: u64,
}

/// Memory that is reserved until this is dropped.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a> {
    room: &'a Room,
    bytes: u64,
}

impl Quota {
    /// The quota of the only input that there is.
    #[must_use]
    pub fn new(limits: QuotaLimits) -> Self {
        Self::in_room(limits, Arc::new(Room::new(limits.memory)), true)
    }

    pub(crate) fn in_room(limits: QuotaLimits, room: Arc<Room>, is_alone: bool) -> Self {
        Self { limits, room, is_alone, memory: Mutex::default(), work: AtomicU64::new(0) }
    }

    /// What the input may take in all.
    #[must_use]
    pub const fn limits(&self) -> QuotaLimits {
        self.limits
    }

    /// That the input needs more memory than it may take, or than there is.
    #[must_use]
    pub const fn exceeded(&self) -> QuotaExceeded {
        QuotaExceeded::Memory { limit: self.limits.memory }
    }

    /// Bytes beside those that are kept.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.limits.memory.saturating_sub(self.memory().kept)
    }

    /// Takes memory for as long as the input is worked on.
    ///
    /// # Errors
    /// [`QuotaExceeded::Memory`] if the input keeps more than it may beside what it reserved, and
    /// [`QuotaExceeded::Contended`].
    pub fn charge_memory(&self, bytes: u64) -> Result<(), QuotaExceeded> {
        self.take(Memory { kept: bytes, ..Memory::default() })
    }

    /// Takes memory that stays when the work on the input is done.
    ///
    /// # Errors
    /// Those of [`charge_memory`](Self::charge_memory).
    pub fn charge_rows(&self, bytes: u64) -> Result<(), QuotaExceeded> {
        self.take(Memory { kept: bytes, rows: bytes, ..Memory::default() })
    }

    /// Takes memory for a piece of work that others run beside, and waits for those where it has to.
    /// Whoever has reserved memory reserves no more before that is dropped: others may wait for it.
    ///
    /// # Errors
    /// [`QuotaExceeded::Memory`] if the input may not have so much beside what it keeps, and
    /// [`QuotaExceeded::Contended`].
    pub fn reserve(&self, bytes: u64) -> Result<Reservation<'_>, QuotaExceeded> {
        self.add(Memory { largest: bytes, ..Memory::default() })?;
        self.room.pass(bytes, self.is_alone)?;
        Ok(Reservation { room: &self.room, bytes })
    }

    /// Takes memory to keep, or none.
    fn take(&self, more: Memory) -> Result<(), QuotaExceeded> {
        self.add(more)?;
        self.room.take(more.kept, self.is_alone).map_err(|full| {
            let mut memory = self.memory();
            memory.kept -= more.kept;
            memory.rows -= more.rows;
            full.into()
        })
    }

    /// Counts memory, unless what is kept and what is reserved become too much together.
    fn add(&self, more: Memory) -> Result<(), QuotaExceeded> {
        let mut memory = self.memory();
        let kept = memory.kept.saturating_add(more.kept);
        let largest = memory.largest.max(more.largest);
        if kept.saturating_add(largest) > self.limits.memory {
            return Err(self.exceeded());
        }
        *memory = Memory { kept, largest, rows: memory.rows + more.rows };
        Ok(())
    }

    fn memory(&self) -> MutexGuard<'_, Memory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does so much work.
    ///
    /// # Errors
    /// [`QuotaExceeded::Work`] if the input takes more than it may.
    pub fn charge_work(&self, units: u64) -> Result<(), QuotaExceeded> {
        let limit = self.limits.work;
        let added = |work: u64| work.checked_add(units).filter(|work| *work <= limit);
        let worked = self.work.fetch_update(SeqCst, SeqCst, added);
        worked.map(drop).map_err(|_| QuotaExceeded::Work { limit })
    }

    /// The units of work that the input has taken.
    #[must_use]
    pub fn worked(&self) -> u64 {
        self.work.load(SeqCst)
    }

    /// The units of work that the input may still take.
    #[must_use]
    pub fn work_left(&self) -> u64 {
        self.limits.work.saturating_sub(self.worked())
    }

    /// Ends the work on the input. Its rows, in bytes, are somebody else's from now on.
    pub(crate) fn finish(self) -> u64 {
        let mut memory = self.memory();
        memory.kept -= memory.rows;
        memory.rows
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        let kept = self.memory().kept;
        self.room.give_back(kept);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.room.leave(self.bytes);
    }
}

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

impl From<Full> for QuotaExceeded {
    fn from(_: Full) -> Self {
        Self::Contended
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
