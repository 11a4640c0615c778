//! A place to point at.

use std::ops::Range;

/// A part of the source to point at.
#[derive(Clone, Debug)]
pub struct Mark {
    pub(crate) span: Range<usize>,
    pub(crate) label: Option<&'static str>,
}

impl Mark {
    /// A mark without words.
    #[must_use]
    pub fn new(span: Range<usize>) -> Self {
        Self { span, label: None }
    }

    /// A mark with words under it.
    #[must_use]
    pub fn labelled(span: Range<usize>, label: &'static str) -> Self {
        Self { span, label: Some(label) }
    }
}
