//! The state that a frame carries over to the next.

use super::price::Price;
use super::scale::Scale;
use crate::target::cold_path;

/// An actor's whole level in the previous frame, and whether it was automatic.
///
/// The upper six of the 16 bits are the caller's: no decision reads them.
///
/// # Examples
/// ```
/// # use lodger_core::budget::PreviousLevel;
/// assert_eq!(PreviousLevel::automatic(3).level(), Some(3));
/// assert!(PreviousLevel::automatic(3).is_automatic() && !PreviousLevel::manual(3).is_automatic());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct PreviousLevel(u16);

impl PreviousLevel {
    /// No previous frame, or a ladder with another number of levels.
    pub const NONE: Self = Self(0);
    const SHOWN: u16 = 1 << 8;
    const AUTOMATIC: u16 = 1 << 9;

    /// An automatic level.
    #[must_use]
    pub const fn automatic(level: u8) -> Self {
        Self(level as u16 | Self::SHOWN | Self::AUTOMATIC)
    }

    /// A level of a forced actor or an unmanaged module.
    #[must_use]
    pub const fn manual(level: u8) -> Self {
        Self(level as u16 | Self::SHOWN)
    }

    /// Makes a previous level from [`bits`](Self::bits).
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns the level as a number; 0 for [`NONE`](Self::NONE).
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Returns the level, if there was one.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // keeps the low eight bits
    pub const fn level(self) -> Option<u8> {
        if self.0 & Self::SHOWN == 0 { None } else { Some(self.0 as u8) }
    }

    /// Returns the level, if it is below another one, which few are.
    #[inline]
    #[allow(clippy::cast_possible_truncation)] // keeps the low eight bits
    pub(super) fn below(self, level: u8) -> Option<u8> {
        if self.0 as u8 >= level {
            return None;
        }
        cold_path();
        self.level()
    }

    /// Equals `self.level() == Some(level)`.
    #[inline]
    pub(super) const fn is_at(self, level: u8) -> bool {
        self.0 & (Self::SHOWN | 0xff) == Self::SHOWN | level as u16
    }

    /// Whether the level was automatic.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        self.0 & Self::AUTOMATIC != 0
    }
}

/// The state that a scene carries over to its next frame, beside the levels; by default a first frame.
///
/// Without [`Hysteresis`](super::Hysteresis) it only starts a search, and no plan depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Carryover {
    /// The previous price of the optimal policy.
    pub price: Option<Price>,
    /// The previous scale of the proportional policy.
    pub scale: Option<Scale>,
}

impl Carryover {
    /// The state before the first frame.
    pub const FIRST: Self = Self { price: None, scale: None };
}
