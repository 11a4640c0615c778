//! Quotas for untrusted input: bytes of memory and units of work, charged before they are used.
//!
//! Charges are counted, never timed, so the same input is read or refused on every machine.
//!
//! ```
//! use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
//!
//! /// Reads a list of numbers from an untrusted text.
//! fn numbers(text: &str, quota: &Quota) -> Result<Vec<u32>, QuotaExceeded> {
//!     quota.charge_work(text.len() as u64)?;
//!     let count = text.split(' ').count();
//!     quota.charge_memory((count * size_of::<u32>()) as u64)?;
//!     Ok(text.split(' ').filter_map(|number| number.parse().ok()).collect())
//! }
//!
//! let limits = QuotaLimits { memory: 12, ..QuotaLimits::default() };
//! assert_eq!(numbers("2 3 5", &Quota::new(limits)), Ok(vec![2, 3, 5]));
//! let exceeded = numbers("2 3 5 7", &Quota::new(limits));
//! assert_eq!(exceeded, Err(QuotaExceeded::Memory { limit: 12 }));
//! assert_eq!(QuotaLimits::default().memory, 1 << 30); // 1 GiB
//! ```
//!
//! | charge | counts |
//! |---|---|
//! | [`charge_memory`](Quota::charge_memory) | memory until the input is processed |
//! | [`reserve`](Quota::reserve) | memory of one of several concurrent tasks, until its end |
//! | [`charge_rows`](Quota::charge_rows) | memory after the input is processed, for a report on all inputs |
//! | [`charge_work`](Quota::charge_work) | units of work: about the time to read a byte, a few nanoseconds |
//!
//! # Several inputs
//!
//! A [`QuotaPool`] runs several inputs on threads; inputs that do not fit together wait for each other, so an input is
//! refused only if it alone exceeds the [`QuotaLimits`]:
//!
//! ```
//! use lodger_quota::{QuotaExceeded, QuotaLimits, QuotaPool};
//!
//! let pool = QuotaPool::new(QuotaLimits { memory: 1 << 20, ..QuotaLimits::default() });
//! let may_repeat = |_: &u64| true; // An input that must wait starts again.
//! let results = pool.run_each(&[700_000, 800_000, 2 << 20], may_repeat, |&bytes, quota| {
//!     quota.charge_memory(bytes)?;
//!     Ok(bytes)
//! });
//! assert_eq!(results[..2], [Ok(700_000), Ok(800_000)]);
//! assert_eq!(results[2], Err(QuotaExceeded::Memory { limit: 1 << 20 }));
//! ```
//!
//! An input needs its charged memory and its largest reservation, whatever the order of threads. Rows are counted in the
//! order of the inputs.
//!
//! # Errors
//!
//! [`QuotaExceeded`] has the exceeded limit. Its `Display` is a sentence about *it*, and [`QuotaExceeded::about`] one about
//! the caller's subject:
//!
//! ```
//! let exceeded = lodger_quota::QuotaExceeded::Memory { limit: 1 << 20 };
//! assert_eq!(exceeded.to_string(), "it needs more than 1 MiB of memory");
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
