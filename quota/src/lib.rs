//! Quotas for untrusted input: bytes of memory and units of work.
//!
//! A reader charges memory and work to the [`Quota`] of an input before it uses them. The price is counted
//! and never timed, so that every machine reads or rejects the same input. A [`Pool`] gives several inputs their quotas, and has those that do not fit together wait
//! for each other: an input is refused only if it alone needs more than the [`QuotaLimits`] allow.
//!
//! # Important terms
//!
//! - **keep**: memory for as long as its input is worked on
//! - **reserve**: memory for one of many pieces of work that run beside each other, and end
//! - **rows**: memory that stays when the work on an input is done, for a report on all of them
//! - **unit** of work: about what reading a byte takes, a few nanoseconds
//! - **alone**: while no other input is worked on
//!
//! # Same answer, any number of threads
//!
//! An input needs what it keeps, and the largest of what it reserves. Neither depends on the
//! order of threads. What it finds no room for beside others it asks for again alone, from the beginning. Rows are
//! counted in the order of the inputs.
//!
//! # Examples
//! ```
//! use lodger_quota::{QuotaLimits, Pool, QuotaExceeded};
//!
//! let pool = Pool::new(QuotaLimits { memory: 1 << 20, ..QuotaLimits::default() });
//! let texts = ["a", "bb", "ccc"];
//! // Each alone would fit, and no two do together.
//! let lengths = pool.each(&texts, |_| true, |text, quota| {
//!     quota.charge_memory(700_000)?;
//!     quota.charge_work(text.len() as u64)?;
//!     quota.charge_rows(8)?;
//!     Ok(text.len())
//! });
//! assert_eq!(lengths, [Ok(1), Ok(2), Ok(3)]);
//!
//! let refused = pool.each(&["d"], |_| true, |_, quota| quota.charge_memory(2 << 20));
//! assert_eq!(refused, [Err(QuotaExceeded::Memory { limit: 1 << 20 })]);
//! assert_eq!(QuotaExceeded::Memory { limit: 1 << 20 }.to_string(), "it needs more than 1 MiB of memory");
//! ```
#![forbid(unsafe_code)]
#![deny(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![cfg_attr(test, allow(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

mod account;
mod limits;
mod pool;

use std::borrow::Cow;

pub use account::{Quota, Reservation};
pub use limits::{QuotaExceeded, QuotaLimits};
pub use pool::Pool;

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

/// The examples of the README are compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
