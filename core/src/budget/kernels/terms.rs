use crate::budget::cutoff::MarkDepth;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::scale::Scale;

/// The scale of a frame, and the hysteresis of its levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) struct ShareTerms {
    pub(in crate::budget) scale: Scale,
    pub(in crate::budget) hysteresis: Hysteresis,
}

/// The benefits from which on actors are upgraded, or marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) struct Cutoffs {
    /// All actors from this benefit on are upgraded.
    pub(in crate::budget) high: u32,
    /// All others from this benefit on are marked.
    pub(in crate::budget) low: u32,
    /// Actors that return to their previous level are marked from this benefit on, at most `low`, as others may come
    /// between them.
    pub(in crate::budget) mixed_low: u32,
    /// Below it, they are upgraded from this benefit on.
    pub(in crate::budget) returning_high: u32,
    /// Below it, they are marked from this benefit on.
    pub(in crate::budget) returning_low: u32,
}

/// Assigns levels by share, and upgrades by cutoffs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) struct UpgradeKernel {
    pub(in crate::budget) terms: ShareTerms,
    pub(in crate::budget) cutoffs: Cutoffs,
    /// The depth below thresholds to which rows are marked, and the greatest cost of a step there.
    pub(in crate::budget) reach: MarkDepth,
    pub(in crate::budget) likely_step: u32,
    pub(in crate::budget) has_shares: bool,
    /// Whether it is the kernel of the last pass, whose totals it then repeats; `false` as a [`LastKernel`].
    pub(in crate::budget) is_repeated: bool,
}

/// Prices between which rows with a step are marked. Levels are those at the high end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) struct PriceWindow {
    pub(in crate::budget) low: Price,
    pub(in crate::budget) high: Price,
}

/// The fate of actors below their previous level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) enum Returning {
    Return,
    Mark,
    Leave,
}

/// Assigns the levels at the high end of a window, and marks all actors that take other steps at the low end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) struct TakeKernel {
    pub(in crate::budget) window: PriceWindow,
    pub(in crate::budget) hysteresis: Hysteresis,
    pub(in crate::budget) returning: Returning,
    /// Whether it is the kernel of the last pass, whose totals it then repeats; `false` as a [`LastKernel`].
    pub(in crate::budget) is_repeated: bool,
}

/// A kernel that assigns levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(in crate::budget) enum LevelKernel {
    Upgrade(UpgradeKernel),
    Take(TakeKernel),
}

/// The kernel that assigned the levels of a [wide](crate::budget::Modules::WIDE) scene, with its terms. With an equal one,
/// blocks whose inputs did not change keep their levels and [totals](crate::budget::BlockTotals).
///
/// Reset it to the default after a change of a ladder, a cost, the benefit value or the rows, and of a benefit in a block that
/// is not [touched](crate::budget::RowBlock::touch).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LastKernel(pub(in crate::budget) Option<LevelKernel>);

/// A leftover budget, in nanoseconds.
#[derive(Clone, Copy)]
pub(in crate::budget) struct LeftoverBudget {
    pub(in crate::budget) left: u64,
    /// The part that only returning actors may use.
    pub(in crate::budget) reserved: u64,
}

impl LeftoverBudget {
    pub(in crate::budget) fn new(whole: u64, spent: u64, hysteresis: Hysteresis) -> Self {
        Self { left: whole.saturating_sub(spent), reserved: hysteresis.reserved(whole) }
    }

    pub(in crate::budget) const fn free(self) -> u64 {
        self.left.saturating_sub(self.reserved)
    }
}
