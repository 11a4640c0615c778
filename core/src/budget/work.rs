//! The work of an actor at each level, as input.

use super::ladder::LadderSpan;
use crate::error::{Error, Problem, Quantity};

/// The work of an actor at each level of detail, and the levels that are valid.
///
/// # Examples
/// ```
/// use lodger_core::budget::WorkLevels;
///
/// let cape = WorkLevels::new(&[0, 400, 2_000], Some((1, 2)))?;
/// assert_eq!((cape.range().lowest(), cape.range().highest(), cape.most_units()), (1, 2, 2_000));
/// assert!(WorkLevels::new(&[400, 0], None).is_err());
/// # Ok::<(), lodger_core::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct WorkLevels<'a> {
    units: &'a [u32],
    range: LevelRange,
}

impl<'a> WorkLevels<'a> {
    /// Takes the units of work at LOD 0, 1, 2 and so on, and the lowest and highest valid level; `None` for
    /// all levels.
    ///
    /// # Errors
    /// [`Problem::Missing`] without a level, [`Problem::TooLarge`] for more than 256, [`Problem::Decreasing`];
    /// the errors of [`LevelRange::new`].
    pub fn new(units: &'a [u32], range: Option<(u8, u8)>) -> Result<Self, Error> {
        let refuse = |problem| Error::new(Quantity::Work, problem);
        let top = units.len().checked_sub(1).ok_or(refuse(Problem::Missing))?;
        let top = u8::try_from(top).map_err(|_| refuse(Problem::TooLarge))?;
        // `is_sorted` contains a panic that never happens.
        if units.iter().zip(units.iter().skip(1)).any(|(level, next)| level > next) {
            return Err(refuse(Problem::Decreasing));
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

    /// Returns the units of work at the highest level, valid or not.
    #[must_use]
    pub fn most_units(self) -> u32 {
        self.units.last().copied().unwrap_or(0)
    }
}

/// The valid levels of an actor, from the lowest to the highest.
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
    /// [`Problem::TooLarge`] beyond `top`, [`Problem::Decreasing`] if the lowest is above the highest.
    pub fn new(lowest: u8, highest: u8, top: u8) -> Result<Self, Error> {
        if highest > top {
            Err(Error::new(Quantity::LodRange, Problem::TooLarge))
        } else if lowest > highest {
            Err(Error::new(Quantity::LodRange, Problem::Decreasing))
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

    /// Returns the span of the valid levels up to a cap; it always has the lowest. `start` is the position
    /// of the lowest level in the costs.
    #[must_use]
    pub fn span(self, start: u32, cap: Option<u8>) -> LadderSpan {
        let highest = cap.unwrap_or(u8::MAX).min(self.highest).max(self.lowest);
        let levels = u16::from(highest.wrapping_sub(self.lowest)).wrapping_add(1);
        LadderSpan::new(start, levels, self.lowest)
    }
}
