//! Numbers on the command line.

use std::fmt;

use lodger_core::error::{Error, Quantity};

/// Why the text of an option is not what it should be.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unfit {
    /// It is no number.
    NoNumber,
    /// It is not a place of three coordinates.
    NoPlace,
    /// It is a number, but not one that is allowed.
    Refused(Error),
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoNumber => f.write_str("a number is expected"),
            Self::NoPlace => f.write_str("three finite numbers are expected, as in 0,1.7,-4"),
            Self::Refused(error) if error.quantity() == Quantity::Budget => {
                f.write_str("a budget is at least 0; `inf` is unlimited")
            }
            Self::Refused(error) => write!(f, "it {}", error.problem()),
        }
    }
}

impl std::error::Error for Unfit {}

/// Any number.
pub(crate) fn number(text: &str) -> Result<f64, Unfit> {
    text.trim().parse().map_err(|_| Unfit::NoNumber)
}

/// A number that a type of core is made from.
pub(crate) fn checked<T>(text: &str, constructor: fn(f64) -> Result<T, Error>) -> Result<T, Unfit> {
    constructor(number(text)?).map_err(Unfit::Refused)
}

/// Three coordinates with commas between them.
pub(crate) fn coordinates(text: &str) -> Result<[f32; 3], Unfit> {
    let parts = text.split(',').map(|part| part.trim().parse().ok());
    let coordinates = parts.collect::<Option<Vec<_>>>().ok_or(Unfit::NoPlace)?;
    coordinates.try_into().map_err(|_| Unfit::NoPlace)
}
