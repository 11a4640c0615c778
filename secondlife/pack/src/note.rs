//! What a maker should know: what was dropped, split or changed, and what cannot be avoided.

use std::fmt;

/// Something that was dropped, split or changed on the way from a model to an asset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// A short text that does not change, for machines, as `materials-split`.
    pub code: &'static str,
    /// The object, mesh or file that it is about; empty for the whole model.
    pub about: String,
    /// What happened, in words.
    pub text: String,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.about.is_empty() {
            return f.write_str(&self.text);
        }
        write!(f, "{}: {}", self.about, self.text)
    }
}
