//! Numbers of files in the type that scenes are computed in.

use lodger_core::error::{Error, Problem, Quantity};

/// The nearest number, unless a finite one becomes infinite on the way. NaN and infinity stay what they
/// are: whether they are allowed is decided where the number goes.
#[expect(clippy::cast_possible_truncation, reason = "to the nearest is meant")]
pub(crate) fn coordinate(value: f64) -> Result<f32, Error> {
    let narrow = value as f32;
    if value.is_finite() && !narrow.is_finite() {
        return Err(Error::new(Quantity::Position, Problem::TooLarge));
    }
    Ok(narrow)
}

/// The nearest number, unless a finite one becomes infinite on the way, or another than 0 becomes 0.
pub(crate) fn narrow(value: f64, quantity: Quantity) -> Result<f32, Error> {
    match coordinate(value) {
        Err(error) => Err(Error::new(quantity, error.problem())),
        Ok(0.0) if value != 0.0 => Err(Error::new(quantity, Problem::TooSmall)),
        narrow => narrow,
    }
}

/// The nearest place.
pub(crate) fn place([x, y, z]: [f64; 3]) -> Result<[f32; 3], Error> {
    Ok([coordinate(x)?, coordinate(y)?, coordinate(z)?])
}
