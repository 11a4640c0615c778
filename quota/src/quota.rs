//! The quota of one input, its limits, and the memory that inputs share.

use std::error::Error;
use std::sync::atomic::AtomicU64;
use std::sync::atomic::Ordering::SeqCst;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::{fmt, io};

/// The memory and work that one input may still use, on any number of threads.
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
    pool: Arc<MemoryPool>,
    is_alone: bool,
    memory: Mutex<QuotaMemory>,
    work: AtomicU64,
}

impl Default for Quota {
    /// Creates the quota of an input that is processed alone, with the default limits.
    fn default() -> Self {
        Self::new(QuotaLimits::default())
    }
}

/// Bytes that an input has charged.
#[derive(Clone, Copy, Debug, Default)]
struct QuotaMemory {
    kept: u64,
    /// The part of `kept` that is for rows.
    rows: u64,
    /// The largest reservation so far. Like kept memory it only grows, so whether the sum exceeds the limit does not
    /// depend on the order of threads.
    largest: u64,
}

/// Reserved memory, released when dropped.
#[derive(Debug)]
#[must_use]
pub struct Reservation<'a> {
    pool: &'a MemoryPool,
    bytes: u64,
}

impl Quota {
    /// Creates the quota of an input that is processed alone.
    #[must_use]
    pub fn new(limits: QuotaLimits) -> Self {
        Self::in_pool(limits, Arc::new(MemoryPool::new(limits.memory)), true)
    }

    pub(crate) fn in_pool(limits: QuotaLimits, pool: Arc<MemoryPool>, is_alone: bool) -> Self {
        Self { limits, pool, is_alone, memory: Mutex::default(), work: AtomicU64::new(0) }
    }

    /// Returns the limits of the input.
    #[must_use]
    pub const fn limits(&self) -> QuotaLimits {
        self.limits
    }

    /// Returns the error for an input that needs more memory than its limit, or than the system has.
    #[must_use]
    pub const fn exceeded(&self) -> QuotaExceeded {
        QuotaExceeded::Memory { limit: self.limits.memory }
    }

    /// Returns the bytes that are not charged yet.
    #[must_use]
    pub fn remaining(&self) -> u64 {
        self.limits.memory.saturating_sub(self.memory().kept)
    }

    /// Charges bytes that are used until the input is processed.
    ///
    /// # Errors
    /// [`QuotaExceeded::Memory`] if charged and reserved memory exceed the limit, and [`QuotaExceeded::Contended`].
    pub fn charge_memory(&self, bytes: u64) -> Result<(), QuotaExceeded> {
        self.acquire(QuotaMemory { kept: bytes, ..QuotaMemory::default() })
    }

    /// Charges bytes that are used after the input is processed.
    ///
    /// # Errors
    /// The errors of [`charge_memory`](Self::charge_memory).
    pub fn charge_rows(&self, bytes: u64) -> Result<(), QuotaExceeded> {
        self.acquire(QuotaMemory { kept: bytes, rows: bytes, ..QuotaMemory::default() })
    }

    /// Reserves bytes for one of several concurrent tasks, and waits for the others if it must. A task with a
    /// reservation must not make another one, because other tasks may wait for it.
    ///
    /// # Errors
    /// The errors of [`charge_memory`](Self::charge_memory).
    pub fn reserve(&self, bytes: u64) -> Result<Reservation<'_>, QuotaExceeded> {
        self.add(QuotaMemory { largest: bytes, ..QuotaMemory::default() })?;
        self.pool.acquire_transient(bytes, self.is_alone)?;
        Ok(Reservation { pool: &self.pool, bytes })
    }

    /// Charges kept memory, all or none.
    fn acquire(&self, more: QuotaMemory) -> Result<(), QuotaExceeded> {
        self.add(more)?;
        self.pool.acquire(more.kept, self.is_alone).inspect_err(|_| {
            let mut memory = self.memory();
            memory.kept -= more.kept;
            memory.rows -= more.rows;
        })
    }

    /// Adds memory, unless kept and reserved memory exceed the limit.
    fn add(&self, more: QuotaMemory) -> Result<(), QuotaExceeded> {
        let mut memory = self.memory();
        let kept = memory.kept.saturating_add(more.kept);
        let largest = memory.largest.max(more.largest);
        if kept.saturating_add(largest) > self.limits.memory {
            return Err(self.exceeded());
        }
        *memory = QuotaMemory { kept, largest, rows: memory.rows + more.rows };
        Ok(())
    }

    fn memory(&self) -> MutexGuard<'_, QuotaMemory> {
        self.memory.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Charges units of work.
    ///
    /// # Errors
    /// [`QuotaExceeded::Work`].
    pub fn charge_work(&self, units: u64) -> Result<(), QuotaExceeded> {
        let limit = self.limits.work;
        let added = |work: u64| work.checked_add(units).filter(|work| *work <= limit);
        let worked = self.work.fetch_update(SeqCst, SeqCst, added);
        worked.map(drop).map_err(|_| QuotaExceeded::Work { limit })
    }

    /// Returns the units of work that were charged.
    #[must_use]
    pub fn worked(&self) -> u64 {
        self.work.load(SeqCst)
    }

    /// Returns the units of work that are not charged yet.
    #[must_use]
    pub fn work_left(&self) -> u64 {
        self.limits.work.saturating_sub(self.worked())
    }

    /// Releases the input's memory except its rows, and returns the bytes of these.
    pub(crate) fn finish(self) -> u64 {
        let mut memory = self.memory();
        memory.kept -= memory.rows;
        memory.rows
    }
}

impl Drop for Quota {
    fn drop(&mut self) {
        let kept = self.memory().kept;
        self.pool.release(kept);
    }
}

impl Drop for Reservation<'_> {
    fn drop(&mut self) {
        self.pool.release_transient(self.bytes);
    }
}

#[derive(Debug)]
pub(crate) struct MemoryPool {
    size: u64,
    taken: Mutex<TakenMemory>,
    released: Condvar,
}

#[derive(Debug, Default, Clone, Copy)]
struct TakenMemory {
    bytes: u64,
    /// Transient acquisitions are released without waiting for more memory.
    transient: usize,
}

impl MemoryPool {
    pub(crate) fn new(size: u64) -> Self {
        Self { size, taken: Mutex::default(), released: Condvar::new() }
    }

    /// Acquires memory at once, or none. An input that is processed alone always gets it.
    pub(crate) fn acquire(&self, bytes: u64, is_alone: bool) -> Result<(), QuotaExceeded> {
        self.take(self.lock(), TakenMemory { bytes, transient: 0 }, is_alone)
    }

    /// Acquires memory as soon as the pool has enough. It waits only for transient acquisitions, which are released
    /// without waiting, so it never waits forever.
    pub(crate) fn acquire_transient(
        &self,
        bytes: u64,
        is_alone: bool,
    ) -> Result<(), QuotaExceeded> {
        let has_to_wait = |taken: &mut TakenMemory| {
            taken.transient > 0 && taken.bytes.saturating_add(bytes) > self.size
        };
        let waited = self.released.wait_while(self.lock(), has_to_wait);
        let taken = waited.unwrap_or_else(PoisonError::into_inner);
        self.take(taken, TakenMemory { bytes, transient: 1 }, is_alone)
    }

    fn take(
        &self,
        mut taken: MutexGuard<'_, TakenMemory>,
        more: TakenMemory,
        is_alone: bool,
    ) -> Result<(), QuotaExceeded> {
        let bytes = taken.bytes.saturating_add(more.bytes);
        if bytes > self.size && !is_alone {
            return Err(QuotaExceeded::Contended);
        }
        *taken = TakenMemory { bytes, transient: taken.transient + more.transient };
        Ok(())
    }

    pub(crate) fn release(&self, bytes: u64) {
        self.give_back(TakenMemory { bytes, transient: 0 });
    }

    pub(crate) fn release_transient(&self, bytes: u64) {
        self.give_back(TakenMemory { bytes, transient: 1 });
    }

    fn give_back(&self, less: TakenMemory) {
        let mut taken = self.lock();
        taken.bytes = taken.bytes.saturating_sub(less.bytes);
        taken.transient = taken.transient.saturating_sub(less.transient);
        drop(taken);
        self.released.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, TakenMemory> {
        self.taken.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The limits of one input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct QuotaLimits {
    /// Bytes of memory at a time.
    pub memory: u64,
    /// Units of work in total.
    pub work: u64,
}

impl Default for QuotaLimits {
    /// 1 GiB and 32 billion units: enough to search a region of 29 GiB, inflated.
    fn default() -> Self {
        Self { memory: 1 << 30, work: 32_000_000_000 }
    }
}

/// The error of an input that exceeds its quota; its `Display` is a sentence about the input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum QuotaExceeded {
    /// The input needs more memory than its limit.
    Memory {
        /// Bytes.
        limit: u64,
    },
    /// The input needs more work than its limit.
    Work {
        /// Units.
        limit: u64,
    },
    /// The rows up to this input need more memory than the limit.
    Rows {
        /// Bytes.
        limit: u64,
    },
    /// Too little memory is left beside other inputs. [`QuotaPool::run_each`](crate::QuotaPool::run_each) then
    /// processes the input alone, and never returns this error.
    Contended,
}

impl QuotaExceeded {
    /// Writes the sentence with `it` as its subject.
    ///
    /// # Errors
    /// The errors of the formatter.
    pub fn about(&self, it: &dyn fmt::Display, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Memory { limit } => write!(f, "{it} needs more than {} of memory", Mib(*limit)),
            Self::Work { limit } => {
                write!(f, "{it} needs more than {} million units of work", limit / 1_000_000)
            }
            Self::Rows { limit } => {
                write!(f, "{it} and what comes before need more than {} of memory", Mib(*limit))
            }
            Self::Contended => write!(f, "{it} has no room beside the others"),
        }
    }
}

struct Mib(u64);

impl fmt::Display for Mib {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} MiB", self.0 >> 20)
    }
}

impl fmt::Display for QuotaExceeded {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.about(&"it", f)
    }
}

impl Error for QuotaExceeded {}

/// For implementations of `Read`.
impl From<QuotaExceeded> for io::Error {
    fn from(exceeded: QuotaExceeded) -> Self {
        Self::other(exceeded)
    }
}
