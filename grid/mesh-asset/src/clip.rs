//! Texts of strangers, cut to a length that can be shown.

/// The most characters of a stranger's name in a message.
const LONGEST_NAME: usize = 160;

/// The beginning of a stranger's text.
pub(crate) fn clipped(text: &str) -> String {
    match text.char_indices().nth(LONGEST_NAME) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}
