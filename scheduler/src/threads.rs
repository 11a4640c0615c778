//! The threads of the current rayon pool, or the caller's alone. The only file that names rayon.

#[cfg(feature = "threads")]
mod pool {
    /// How many threads there are.
    pub(crate) fn count() -> usize {
        rayon::current_num_threads()
    }

    /// Does two things, at once if a thread is free.
    pub(crate) fn join<A: Send, B: Send>(
        first: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        rayon::join(first, other)
    }

    /// Does something on a thread of the pool, so that it need not be woken for each piece.
    pub(crate) fn enter<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        if rayon::current_thread_index().is_some() { work() } else { rayon::scope(|_| work()) }
    }
}

#[cfg(not(feature = "threads"))]
mod pool {
    pub(crate) fn count() -> usize {
        1
    }

    pub(crate) fn join<A: Send, B: Send>(
        first: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        (first(), other())
    }

    pub(crate) fn enter<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}

pub(crate) use pool::{count, enter, join};
