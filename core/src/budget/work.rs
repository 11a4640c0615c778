use super::ladder::LadderSpan;
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::keyword::keywords;
use crate::real::Real as _;

/// An actor's work at each level, and its valid levels.
///
/// # Examples
/// ```
/// use lodger_core::budget::WorkLevels;
///
/// let cape = WorkLevels::new(&[0, 400, 2_000], Some((1, 2)))?;
/// assert_eq!((cape.range().lowest(), cape.range().highest(), cape.most_units()), (1, 2, 2_000));
/// assert!(WorkLevels::new(&[400, 0], None).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WorkLevels<'a> {
    units: &'a [u32],
    range: LevelRange,
}

impl<'a> WorkLevels<'a> {
    /// Takes the units of work at LOD 0, 1 and so on, and the lowest and highest valid level; `None`: all are valid.
    ///
    /// # Errors
    /// [`ValueProblem::Missing`] without a level, [`ValueProblem::TooLarge`] for more than 256,
    /// [`ValueProblem::Decreasing`]; the errors of [`LevelRange::new`].
    pub fn new(units: &'a [u32], range: Option<(u8, u8)>) -> Result<Self, ValueError> {
        let refuse = |problem| ValueError::new(Quantity::Work, problem);
        let top = units.len().checked_sub(1).ok_or(refuse(ValueProblem::Missing))?;
        let top = u8::try_from(top).map_err(|_| refuse(ValueProblem::TooLarge))?;
        // `is_sorted` contains a panic that never happens.
        if units.iter().zip(units.iter().skip(1)).any(|(level, next)| level > next) {
            return Err(refuse(ValueProblem::Decreasing));
        }
        let (lowest, highest) = range.unwrap_or((0, top));
        Ok(Self { units, range: LevelRange::new(lowest, highest, top)? })
    }

    /// Returns the units of work at all levels.
    #[must_use]
    pub const fn units(self) -> &'a [u32] {
        self.units
    }

    /// Returns the valid levels.
    #[must_use]
    pub const fn range(self) -> LevelRange {
        self.range
    }

    /// Returns the highest level's units of work, valid or not.
    #[must_use]
    pub fn most_units(self) -> u32 {
        self.units.last().copied().unwrap_or(0)
    }
}

/// An actor's valid levels.
///
/// # Examples
/// ```
/// # use lodger_core::budget::LevelRange;
/// let range = LevelRange::new(1, 3, 4)?;
/// assert_eq!(range.span(10, Some(2)).parts(), (10, 2, 1));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LevelRange {
    lowest: u8,
    highest: u8,
}

impl LevelRange {
    /// Makes the range from `lowest` to `highest` among the levels up to `top`.
    ///
    /// # Errors
    /// [`ValueProblem::TooLarge`] beyond `top`, [`ValueProblem::Decreasing`] if the lowest is above the highest.
    pub fn new(lowest: u8, highest: u8, top: u8) -> Result<Self, ValueError> {
        if highest > top {
            Err(ValueError::new(Quantity::LodRange, ValueProblem::TooLarge))
        } else if lowest > highest {
            Err(ValueError::new(Quantity::LodRange, ValueProblem::Decreasing))
        } else {
            Ok(Self { lowest, highest })
        }
    }

    /// Returns the lowest valid level.
    #[must_use]
    pub const fn lowest(self) -> u8 {
        self.lowest
    }

    /// Returns the highest valid level.
    #[must_use]
    pub const fn highest(self) -> u8 {
        self.highest
    }

    /// Returns the span of the valid levels up to a cap, at least the lowest, whose cost is at `start`.
    #[must_use]
    pub fn span(self, start: u32, cap: Option<u8>) -> LadderSpan {
        let highest = cap.unwrap_or(u8::MAX).min(self.highest).max(self.lowest);
        let levels = u16::from(highest.wrapping_sub(self.lowest)).wrapping_add(1);
        LadderSpan::new(start, levels, self.lowest)
    }
}

/// The quality of a level, from 0 to 1, in 2⁻¹⁵.
///
/// # Examples
/// ```
/// use lodger_core::budget::Quality;
///
/// assert_eq!(Quality::new(0.4)?.bits(), 13_107);
/// assert_eq!(Quality::even(1, 4).bits(), 10_923); // level 1 of 0 to 3: a third
/// assert!(Quality::new(1.5).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Quality(u16);

impl Quality {
    /// The worst quality.
    pub const ZERO: Self = Self(0);
    /// The best quality.
    pub const ONE: Self = Self(1 << 15);

    /// Rounds a number in \[0, 1\] to the nearest 2⁻¹⁵.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`], or [`ValueProblem::TooLarge`] above 1.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // from 0 to 2^15
    pub fn new(value: f64) -> Result<Self, ValueError> {
        if value.not_negative(Quantity::Quality)? > 1.0 {
            Err(ValueError::new(Quantity::Quality, ValueProblem::TooLarge))
        } else {
            Ok(Self((value * 32_768.0 + 0.5) as u16))
        }
    }

    /// Makes a quality from [`bits`](Self::bits), saturating at 1.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        if bits > Self::ONE.0 { Self::ONE } else { Self(bits) }
    }

    /// Returns the default quality of a level: level / (levels − 1), to the nearest 2⁻¹⁵; 0 for a single level.
    #[must_use]
    pub const fn even(level: u8, levels: u16) -> Self {
        Self::of_part(level as u32, levels.saturating_sub(1) as u32)
    }

    /// Returns part / whole, at most 1, to the nearest 2⁻¹⁵; 0 of nothing.
    #[allow(clippy::cast_possible_truncation)] // at most 2^15
    const fn of_part(part: u32, whole: u32) -> Self {
        let doubled = part.wrapping_mul(2 << 15).wrapping_add(whole);
        match doubled.checked_div(whole.wrapping_mul(2)) {
            Some(quality @ ..=0x7fff) => Self(quality as u16),
            Some(_) => Self::ONE,
            None => Self::ZERO,
        }
    }

    /// Returns the quality in 2⁻¹⁵, at most 2¹⁵.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Converts to a number.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 32_768.0
    }
}

/// A curve from the level to the quality, for all numbers of levels.
///
/// | level of 5 | `linear` | `diminishing` | `all-or-nothing` |
/// |---|---|---|---|
/// | 0 | 0 | 0 | 0 |
/// | 1 | 0.25 | 0.4375 | 0 |
/// | 2 | 0.5 | 0.75 | 0 |
/// | 3 | 0.75 | 0.9375 | 0 |
/// | 4 | 1 | 1 | 1 |
///
/// # Examples
/// ```
/// use lodger_core::budget::{Quality, QualityCurve};
///
/// let table = QualityCurve::Diminishing.qualities::<5>();
/// assert_eq!(table.map(Quality::to_f64), [0.0, 0.4375, 0.75, 0.9375, 1.0]);
/// assert_eq!("all-or-nothing".parse(), Ok(QualityCurve::AllOrNothing));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum QualityCurve {
    /// Even steps, t = level / (levels − 1): each level adds as much as another. The default.
    #[default]
    Linear,
    /// 1 − (1 − t)²: the first levels add the most, as the first triangles of a mesh do.
    Diminishing,
    /// 0 below the highest level: an effect that is there or not.
    AllOrNothing,
}

keywords!(QualityCurve { Linear => "linear", Diminishing => "diminishing", AllOrNothing => "all-or-nothing" });

impl QualityCurve {
    /// Returns the quality of a level, to the nearest 2⁻¹⁵; 0 for a single level.
    #[must_use]
    pub const fn quality(self, level: u8, levels: u16) -> Quality {
        let steps = levels.saturating_sub(1) as u32;
        let missing = steps.saturating_sub(level as u32);
        match self {
            Self::Linear => Quality::even(level, levels),
            Self::Diminishing => {
                let whole = steps.wrapping_mul(steps);
                Quality::of_part(whole.wrapping_sub(missing.wrapping_mul(missing)), whole)
            }
            Self::AllOrNothing => {
                if missing == 0 && steps > 0 {
                    Quality::ONE
                } else {
                    Quality::ZERO
                }
            }
        }
    }

    /// Returns the qualities of all levels, at most 256.
    #[must_use]
    pub fn qualities<const LEVELS: usize>(self) -> [Quality; LEVELS] {
        let levels = u16::try_from(LEVELS).unwrap_or(256);
        let mut table = [Quality::ZERO; LEVELS];
        for (place, level) in table.iter_mut().zip(0..=u8::MAX) {
            *place = self.quality(level, levels);
        }
        table
    }
}
