//! Texts of strangers, cut to a length that can be shown.

use std::borrow::Cow;

use lodger_allowance::ellipsized;

/// The most characters of a stranger's name in a message.
const LONGEST_NAME: usize = 160;
/// The most characters of a message that quotes a stranger.
const LONGEST_MESSAGE: usize = 400;

/// The beginning of a stranger's name: at most 160 characters.
#[must_use]
pub fn clipped(name: &str) -> Cow<'_, str> {
    ellipsized(name, LONGEST_NAME)
}

/// The beginning of a message that quotes a stranger: at most 400 characters.
#[must_use]
pub fn short(message: &str) -> Cow<'_, str> {
    ellipsized(message, LONGEST_MESSAGE)
}
