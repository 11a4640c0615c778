//! From which to which size.

use std::str::FromStr;

use lodger_core::cost::REACH;

use crate::error::Error;
use crate::sizes::largest;

/// The least size of a sweep in metres: a thousandth of a millimetre.
const SMALLEST: f64 = 1e-6;

/// The sizes of a sweep: the longest side in metres, from one to another.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SizeRange {
    from: f64,
    to: f64,
}

impl SizeRange {
    /// Sizes in metres, both ends among them.
    ///
    /// # Errors
    /// [`Error::SizeRange`] unless `from` is at least 0.000001 and below `to`, which is at most
    /// [`REACH`](lodger_core::cost::REACH).
    pub fn new(from: f64, to: f64) -> Result<Self, Error> {
        if from >= SMALLEST && from < to && to <= largest() {
            Ok(Self { from, to })
        } else {
            Err(Error::SizeRange { smallest: SMALLEST, largest: REACH })
        }
    }

    /// The least size in metres, at least 0.000001.
    #[must_use]
    pub const fn from(self) -> f64 {
        self.from
    }

    /// The greatest size in metres, above the least.
    #[must_use]
    pub const fn to(self) -> f64 {
        self.to
    }

    /// Whether a size is among them.
    #[must_use]
    pub fn holds(self, size: f64) -> bool {
        self.from <= size && size <= self.to
    }
}

impl FromStr for SizeRange {
    type Err = Error;

    /// As in `0.1..64`.
    fn from_str(text: &str) -> Result<Self, Error> {
        let number = |text: &str| text.trim().parse().map_err(|_| Error::NoSizes);
        let (from, to) = text.split_once("..").ok_or(Error::NoSizes)?;
        Self::new(number(from)?, number(to)?)
    }
}
