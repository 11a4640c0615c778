//! Levels of detail, automatic or forced.

use crate::decimal::{Decimal, shown_as};
use crate::error::{Quantity, ValueError, ValueProblem};

/// A level of detail from 0, the cheapest, to just below 256; integer modules use whole levels, continuous ones steps
/// of 2⁻¹⁶.
///
/// Its text is the shortest decimal from which [`from_f64`](Self::from_f64) makes it.
///
/// # Examples
/// ```
/// use lodger_core::budget::Lod;
///
/// let lod = Lod::new(2, 1 << 15);
/// assert_eq!(lod.to_string(), "2.5");
/// assert_eq!(format!("{lod:?}"), "Lod(2.5)");
/// assert_eq!(lod.to_f64(), 2.5);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Lod(u32);

impl Lod {
    /// The cheapest level.
    pub const ZERO: Self = Self(0);
    pub(super) const BEYOND: Self = Self(u32::MAX);

    /// Makes the LOD `level` + `fraction`/2¹⁶.
    #[must_use]
    pub const fn new(level: u8, fraction: u16) -> Self {
        Self((level as u32) << 16 | fraction as u32)
    }

    /// Rounds a number down to a multiple of 2⁻¹⁶, at most just below 256.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] for NaN, [`ValueProblem::Negative`] (−0.0 is not).
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // checked and saturating
    pub fn from_f64(value: f64) -> Result<Self, ValueError> {
        if value.is_nan() {
            Err(ValueError::new(Quantity::Lod, ValueProblem::NotFinite))
        } else if value < 0.0 {
            Err(ValueError::new(Quantity::Lod, ValueProblem::Negative))
        } else {
            Ok(Self(((value * 65_536.0) as u32).min((1 << 24) - 1)))
        }
    }

    /// Returns the whole level.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // eight bits remain
    pub const fn level(self) -> u8 {
        (self.0 >> 16) as u8
    }

    /// Returns the fraction, in 2⁻¹⁶.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // keeps the low sixteen bits
    pub const fn fraction(self) -> u16 {
        self.0 as u16
    }

    /// Converts to a number, exactly.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 65_536.0
    }

    fn text(self) -> Decimal {
        Decimal::within(self.0.into(), 1, 16)
    }

    /// Rounds to the nearest whole level, halves up.
    #[must_use]
    pub const fn rounded(self) -> Self {
        let half_up = self.0.wrapping_add(1 << 15) & !0xffff;
        if half_up > 255 << 16 { Self(255 << 16) } else { Self(half_up) }
    }
}

shown_as!(Lod, "Lod({})", Display);

/// Whether an actor's LOD is automatic or forced.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum LodControl {
    /// The scheduler picks the LOD.
    #[default]
    Automatic,
    /// The application sets the LOD; it is clamped where it is used.
    #[doc(alias = "forcePhysicalLod")]
    Forced(Lod),
}

impl LodControl {
    /// Converts a number by the document's convention: negative means automatic.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] for NaN.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::budget::{Lod, LodControl};
    ///
    /// assert_eq!(LodControl::from_number(-1.0)?, LodControl::Automatic);
    /// assert_eq!(LodControl::from_number(-0.0)?, LodControl::Forced(Lod::ZERO));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn from_number(lod: f64) -> Result<Self, ValueError> {
        if lod < 0.0 { Ok(Self::Automatic) } else { Lod::from_f64(lod).map(Self::Forced) }
    }
}
