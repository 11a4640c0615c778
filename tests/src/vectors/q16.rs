//! Decimals that Q16.16 holds exactly.

use std::error::Error;
use std::fmt;

/// A decimal that is negative, too great, or between two values of Q16.16.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct NotQ16(pub f64);

impl fmt::Display for NotQ16 {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} is not a value of Q16.16", self.0)
    }
}

impl Error for NotQ16 {}

/// Q16.16 of a decimal that has no bits beyond it.
///
/// # Errors
/// Names a decimal that is negative, too great, or between two values.
pub fn exact_q16(decimal: f64) -> Result<u32, NotQ16> {
    let bits = decimal * 65_536.0;
    if bits.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&bits) {
        return Err(NotQ16(decimal));
    }
    // A whole number in the range of the type: the cast cuts nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let exact = bits as u32;
    Ok(exact)
}
