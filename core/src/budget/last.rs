//! What a frame leaves to the next.

use super::price::Price;
use super::scale::Scale;

/// The whole level that an actor was shown at in the last frame, and whether the ledger chose it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Last(u16);

impl Last {
    /// No frame has seen the actor, or it had another number of levels.
    pub const NONE: Self = Self(0);
    const SHOWN: u16 = 1 << 8;
    const AUTOMATIC: u16 = 1 << 9;

    /// The ledger chose that level.
    #[must_use]
    pub const fn automatic(level: u8) -> Self {
        Self(level as u16 | Self::SHOWN | Self::AUTOMATIC)
    }

    /// It was shown at that level, but the ledger did not choose it: it was forced, or its module was
    /// not managed.
    #[must_use]
    pub const fn fixed(level: u8) -> Self {
        Self(level as u16 | Self::SHOWN)
    }

    /// From [`bits`](Self::bits); what else is in them means nothing.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// As a number, 0 for [`NONE`](Self::NONE).
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// The level, if there was one.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // the low eight bits are meant
    pub const fn level(self) -> Option<u8> {
        if self.0 & Self::SHOWN == 0 { None } else { Some(self.0 as u8) }
    }

    /// Whether the ledger chose the level.
    #[must_use]
    pub const fn is_automatic(self) -> bool {
        self.0 & Self::AUTOMATIC != 0
    }
}

/// What a scene leaves to its next frame beside the levels. The default is that of a scene that no
/// frame has seen.
///
/// With [`Stability`](super::Stability) it is a part of the decision; without, it only says where a
/// search begins, and no plan depends on it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Standing {
    /// What the last frame of the optimal policy paid for a unit of money.
    pub price: Option<Price>,
    /// By what the last frame of the proportional policy scaled targets down.
    pub scale: Option<Scale>,
}
