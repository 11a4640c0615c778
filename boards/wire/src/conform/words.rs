//! Answers as words: numbers as their bits, one after the other.

use heapless::Vec;

use super::scene::{MODULES, ROWS};

/// How many words an answer has at most.
pub const WORDS: usize = 10 + 3 * MODULES * ROWS;

/// The numbers that came out, as their bits.
pub type Words = Vec<u32, WORDS>;

/// Appends a word. An answer is never longer than its room, by the sizes of the questions.
pub(super) fn push(words: &mut Words, word: u32) {
    let _ = words.push(word);
}

/// Appends 64 bits, the low word first.
#[allow(clippy::cast_possible_truncation)] // one half at a time
pub(super) fn push_wide(words: &mut Words, value: u64) {
    push(words, value as u32);
    push(words, (value >> 32) as u32);
}

/// Appends the index of one of few.
pub(super) fn push_index(words: &mut Words, index: usize) {
    push(words, u32::try_from(index).unwrap_or(u32::MAX));
}
