//! From the texts of XML to checked values.

use super::error::clipped;

/// A value that cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    /// The element that holds it.
    pub(super) field: &'static str,
    /// What is wrong.
    pub(super) message: String,
}

impl Wrong {
    /// A value that is not what it must be.
    pub(super) fn new(field: &'static str, text: Option<&str>, must_be: &str) -> Self {
        let message = match text {
            Some(text) => format!("is `{}`, but must be {must_be}", clipped(text.trim())),
            None => "is missing".to_owned(),
        };
        Self { field, message }
    }
}

/// A finite number.
pub(super) fn number(field: &'static str, text: Option<&str>) -> Result<f64, Wrong> {
    parsed(text)
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| Wrong::new(field, text, "a finite number"))
}

/// A finite number of at least 0.
pub(super) fn length(field: &'static str, text: Option<&str>) -> Result<f64, Wrong> {
    parsed(text)
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| Wrong::new(field, text, "a finite number of at least 0"))
}

/// A whole number.
pub(super) fn whole(field: &'static str, text: Option<&str>) -> Result<i64, Wrong> {
    parsed(text).ok_or_else(|| Wrong::new(field, text, "a whole number"))
}

/// `true` or `false`, as text or digit.
pub(super) fn truth(field: &'static str, text: Option<&str>) -> Result<bool, Wrong> {
    let is = |word: &str| text.is_some_and(|text| text.trim().eq_ignore_ascii_case(word));
    if is("true") || is("1") {
        Ok(true)
    } else if is("false") || is("0") {
        Ok(false)
    } else {
        Err(Wrong::new(field, text, "`true` or `false`"))
    }
}

fn parsed<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text?.trim().parse().ok()
}
