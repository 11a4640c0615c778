//! The quality of a level.

use crate::error::{Error, Problem, Quantity};

/// The quality of a level, from 0 to 1, in 2⁻¹⁵.
///
/// # Examples
/// ```
/// use lodger_core::budget::Quality;
///
/// assert_eq!(Quality::new(0.4)?.bits(), 13_107);
/// assert_eq!(Quality::even(1, 4).bits(), 10_923); // level 1 of 0 to 3: a third
/// assert!(Quality::new(1.5).is_err());
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Quality(u16);

impl Quality {
    /// The worst quality.
    pub const ZERO: Self = Self(0);
    /// The best quality.
    pub const ONE: Self = Self(1 << 15);

    /// Converts a number in \[0, 1\], to the nearest 2⁻¹⁵.
    ///
    /// # Errors
    /// [`Problem::NotFinite`], [`Problem::Negative`], or [`Problem::TooLarge`] above 1.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to 2^15
    pub fn new(value: f64) -> Result<Self, Error> {
        let error = |problem| Err(Error::new(Quantity::Quality, problem));
        if !value.is_finite() {
            error(Problem::NotFinite)
        } else if value < 0.0 {
            error(Problem::Negative)
        } else if value > 1.0 {
            error(Problem::TooLarge)
        } else {
            Ok(Self((value * 32_768.0 + 0.5) as u16))
        }
    }

    /// Makes a quality from [`bits`](Self::bits); more than 1 becomes 1.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        if bits > Self::ONE.0 { Self::ONE } else { Self(bits) }
    }

    /// Returns the default quality of a level: level / (levels − 1), to the nearest 2⁻¹⁵. A single
    /// level has 0.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // at most 2^15
    pub const fn even(level: u8, levels: u16) -> Self {
        let steps = levels.saturating_sub(1) as u32;
        let doubled = (level as u32).wrapping_mul(2 << 15).wrapping_add(steps);
        match doubled.checked_div(steps.wrapping_mul(2)) {
            Some(quality) => {
                Self::from_bits(if quality > 1 << 15 { 1 << 15 } else { quality as u16 })
            }
            None => Self::ZERO,
        }
    }

    /// Returns the quality in 2⁻¹⁵, at most 2¹⁵.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the quality from 0 to 1.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 32_768.0
    }
}
