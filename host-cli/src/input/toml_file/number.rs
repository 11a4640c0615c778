//! Which numbers are allowed where.

use crate::mistake::Mistake;
use crate::source::Subject;

/// The numbers that a key may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::input) enum Allowed {
    /// Any finite number.
    Finite,
    /// A finite number that is not negative.
    NotNegative,
    /// A finite number above 0.
    Positive,
    /// A number that is not negative, or infinity.
    NotNegativeOrInfinite,
}

impl Allowed {
    fn allows(self, value: f64) -> bool {
        match self {
            Self::Finite => value.is_finite(),
            Self::NotNegative => value.is_finite() && value >= 0.0,
            Self::Positive => value.is_finite() && value > 0.0,
            Self::NotNegativeOrInfinite => value >= 0.0,
        }
    }

    fn in_words(self) -> &'static str {
        match self {
            Self::Finite => "a finite number",
            Self::NotNegative => "a finite number of at least 0",
            Self::Positive => "a finite number above 0",
            Self::NotNegativeOrInfinite => "at least 0; `inf` means no limit",
        }
    }
}

/// Refuses a number that a key may not have.
pub(in crate::input) fn check(
    subject: Subject,
    field: &'static str,
    value: f64,
    allowed: Allowed,
) -> Result<(), Mistake> {
    if allowed.allows(value) {
        return Ok(());
    }
    let message = format!("`{field}` is {value}, but must be {}", allowed.in_words());
    Err(Mistake::new(subject, field, message))
}
