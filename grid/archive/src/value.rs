//! From the texts of XML to checked values.

use uuid::Uuid;

use crate::clip::clipped;
use crate::problem::Problem;

/// A value that is missing or not what it must be.
pub(crate) fn wrong(field: &'static str, text: Option<&str>, expected: &'static str) -> Problem {
    Problem::Value { field, found: text.map(|text| clipped(text.trim())), expected }
}

/// A finite number.
pub(crate) fn number(field: &'static str, text: Option<&str>) -> Result<f64, Problem> {
    parsed(text)
        .filter(|number: &f64| number.is_finite())
        .ok_or_else(|| wrong(field, text, "a finite number"))
}

/// A finite number of at least 0.
pub(crate) fn length(field: &'static str, text: Option<&str>) -> Result<f64, Problem> {
    parsed(text)
        .filter(|number: &f64| number.is_finite() && *number >= 0.0)
        .ok_or_else(|| wrong(field, text, "a finite number of at least 0"))
}

/// A whole number.
pub(crate) fn whole(field: &'static str, text: Option<&str>) -> Result<i64, Problem> {
    parsed(text).ok_or_else(|| wrong(field, text, "a whole number"))
}

/// `true` or `false`, as text or digit.
pub(crate) fn truth(field: &'static str, text: Option<&str>) -> Result<bool, Problem> {
    let is = |word: &str| text.is_some_and(|text| text.trim().eq_ignore_ascii_case(word));
    if is("true") || is("1") {
        Ok(true)
    } else if is("false") || is("0") {
        Ok(false)
    } else {
        Err(wrong(field, text, "`true` or `false`"))
    }
}

/// A UUID; nil where there is none, which is how `OpenSimulator` reads it (`Util.ReadUUID`).
pub(crate) fn identifier(text: &str) -> Uuid {
    Uuid::try_parse(text.trim()).unwrap_or_default()
}

/// A UUID, unless it is nil.
pub(crate) fn somebody(id: Uuid) -> Option<Uuid> {
    Some(id).filter(|id| !id.is_nil())
}

fn parsed<T: std::str::FromStr>(text: Option<&str>) -> Option<T> {
    text?.trim().parse().ok()
}
