//! Quotas for untrusted input: bytes of memory and units of work.
//!
//! Code that processes untrusted bytes charges memory and work to the input's [`Quota`] before it uses them. Charges
//! are counted, never timed, so the same input is read or refused on every machine. A [`QuotaPool`] runs several
//! inputs; inputs that do not fit together wait for each other, so an input is refused only if it alone exceeds the
//! [`QuotaLimits`].
//!
//! | charge | counts |
//! |---|---|
//! | [`charge_memory`](Quota::charge_memory) | memory until the input is processed |
//! | [`reserve`](Quota::reserve) | memory of one of several concurrent tasks, until its end |
//! | [`charge_rows`](Quota::charge_rows) | memory after the input is processed, for a report on all inputs |
//! | [`charge_work`](Quota::charge_work) | units of work: about the time to read a byte, a few nanoseconds |
//!
//! # Determinism
//!
//! An input needs its charged memory and its largest reservation, whatever the order of threads. An input that finds
//! too little memory beside others is processed again alone, from the beginning. Rows are counted in the order of the
//! inputs.
//!
//! # Examples
//! ```
//! use lodger_quota::{QuotaLimits, QuotaPool, QuotaExceeded};
//!
//! let pool = QuotaPool::new(QuotaLimits { memory: 1 << 20, ..QuotaLimits::default() });
//! let texts = ["a", "bb", "ccc"];
//! // Each fits alone, but no two fit together.
//! let lengths = pool.run_each(&texts, |_| true, |text, quota| {
//!     quota.charge_memory(700_000)?;
//!     quota.charge_work(text.len() as u64)?;
//!     quota.charge_rows(8)?;
//!     Ok(text.len())
//! });
//! assert_eq!(lengths, [Ok(1), Ok(2), Ok(3)]);
//!
//! let refused = pool.run_each(&["d"], |_| true, |_, quota| quota.charge_memory(2 << 20));
//! assert_eq!(refused, [Err(QuotaExceeded::Memory { limit: 1 << 20 })]);
//! assert_eq!(QuotaExceeded::Memory { limit: 1 << 20 }.to_string(), "it needs more than 1 MiB of memory");
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod pool;
mod quota;

use std::borrow::Cow;

pub use pool::QuotaPool;
pub use quota::{Quota, QuotaExceeded, QuotaLimits, Reservation};

/// The beginning of a text from untrusted input: at most `max_chars` characters, with `…` behind them if
/// the text is longer.
///
/// # Examples
/// ```
/// assert_eq!(lodger_quota::ellipsized("chair", 5), "chair");
/// assert_eq!(lodger_quota::ellipsized("table", 3), "tab…");
/// ```
#[must_use]
pub fn ellipsized(text: &str, max_chars: usize) -> Cow<'_, str> {
    match text.char_indices().nth(max_chars) {
        Some((end, _)) => Cow::Owned(format!("{}…", &text[..end])),
        None => Cow::Borrowed(text),
    }
}

/// Compiles the examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
