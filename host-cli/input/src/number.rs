//! Numbers on the command line.

use std::fmt;

use lodger_core::error::{Error, Quantity};

/// Why the text of an option is not what it should be.
#[derive(Clone, Debug)]
pub enum Unfit {
    /// It is no number.
    NoNumber,
    /// It is not a place of three coordinates.
    NoPlace,
    /// It is a number, but not one that is allowed.
    Refused(Error),
    /// It is not the bytes of four LODs.
    NoBytes,
    /// It is not the three sides of an object.
    NoScale,
    /// It is not the vertices of the hulls of a decomposition.
    NoHulls,
    /// It is not the widths of triangles.
    NoWidths,
    /// It is three sides, but not those of an object.
    Scale(Error),
    /// It is three sides, but not those of a thing that is there and fits into a prim.
    NoSize,
    /// It is no cost.
    NoCost,
    /// It does not say how many triangles the medium, the low and the lowest level have.
    NoLods,
    /// It says more triangles for a level than for the one above.
    LodsRise,
    /// It names no set of rules.
    NoRules,
    /// It names no policy.
    NoPolicy,
    /// It is no whole number, or one that is too large to be counted exactly.
    NotWhole,
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
            Self::NoBytes => {
                f.write_str("four whole numbers of bytes are expected, as in 400,900,2500,9000")
            }
            Self::NoHulls => f.write_str(
                "the vertices of up to 256 hulls are expected, 1 to 256 each, as in 24,8,30",
            ),
            Self::NoWidths => {
                f.write_str("widths of 0 to 16384 m are expected, as in 0.5,0.5,0.25")
            }
            Self::NoScale => f.write_str("three lengths in metres are expected, as in 2,0.5,4"),
            Self::Scale(error) => error.fmt(f),
            Self::NoSize => f.write_str("each side is above 0 and at most 64 m"),
            Self::NoCost => f.write_str("a cost is above 0 and finite"),
            Self::NoLods => f.write_str(
                "`auto`, or the triangles of medium, low and lowest are expected, as in 900,300,100 or \
                 30%,10%,3%",
            ),
            Self::LodsRise => f.write_str("a level has no more triangles than the one above it"),
            Self::NoRules => f.write_str("no such rules"),
            Self::NoPolicy => f.write_str("no such policy"),
            Self::NotWhole => f.write_str(
                "a whole number below 2^53 is expected, as in 1500k, 2M or 2.5G; `inf` is unlimited",
            ),
        }
    }
}

impl std::error::Error for Unfit {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Refused(error) | Self::Scale(error) => Some(error),
            _ => None,
        }
    }
}

/// Any number.
///
/// # Errors
/// [`Unfit::NoNumber`].
pub fn number(text: &str) -> Result<f64, Unfit> {
    text.trim().parse().map_err(|_| Unfit::NoNumber)
}

/// A number that a type of core is made from.
///
/// # Errors
/// [`Unfit::NoNumber`], and [`Unfit::Refused`] as the constructor says.
pub fn checked<T>(text: &str, constructor: fn(f64) -> Result<T, Error>) -> Result<T, Unfit> {
    constructor(number(text)?).map_err(Unfit::Refused)
}

/// A whole number, which may be written in thousands (k), millions (M) or thousands of millions (G).
///
/// # Errors
/// [`Unfit::NoNumber`] and [`Unfit::NotWhole`].
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "whole and below 2^53")]
pub fn whole(text: &str) -> Result<u64, Unfit> {
    const END: f64 = 9_007_199_254_740_992.0;
    let scales = [("k", 1e3), ("K", 1e3), ("M", 1e6), ("G", 1e9)];
    let scaled = scales.into_iter().find_map(|(unit, of)| Some((text.strip_suffix(unit)?, of)));
    let (digits, scale) = scaled.unwrap_or((text, 1.0));
    // A decimal such as 4.1 is a little less as a number, and so is 4.1 million.
    let exact = number(digits)? * scale;
    let number = exact.round();
    let is_whole = (0.0..END).contains(&number) && (exact - number).abs() <= number * f64::EPSILON;
    is_whole.then_some(number as u64).ok_or(Unfit::NotWhole)
}

/// Three coordinates with commas between them.
///
/// # Errors
/// [`Unfit::NoPlace`].
pub fn coordinates(text: &str) -> Result<[f32; 3], Unfit> {
    let parts = text.split(',').map(|part| part.trim().parse().ok());
    let coordinates = parts.collect::<Option<Vec<_>>>().ok_or(Unfit::NoPlace)?;
    coordinates.try_into().map_err(|_| Unfit::NoPlace)
}
