use crate::budget::cutoff::MarkDepth;
use crate::budget::policy::Hysteresis;
use crate::budget::price::Price;
use crate::budget::scale::Scale;

/// The scale of a frame, and the hysteresis of its levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct ShareTerms {
    pub(crate) scale: Scale,
    pub(crate) hysteresis: Hysteresis,
}

/// The benefits from which on actors are upgraded, or marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct Cutoffs {
    /// All actors from this benefit on are upgraded.
    pub(crate) high: u32,
    /// All others from this benefit on are marked.
    pub(crate) low: u32,
    /// Actors that return to their previous level are marked from this benefit on, at most `low`, as others may come
    /// between them.
    pub(crate) mixed_low: u32,
    /// Below it, they are upgraded from this benefit on.
    pub(crate) returning_high: u32,
    /// Below it, they are marked from this benefit on.
    pub(crate) returning_low: u32,
}

/// Assigns levels by share, and upgrades by cutoffs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct UpgradeKernel {
    pub(crate) terms: ShareTerms,
    pub(crate) cutoffs: Cutoffs,
    /// The depth below thresholds to which rows are marked, and the greatest cost of a step there.
    pub(crate) reach: MarkDepth,
    pub(crate) likely_step: u32,
    pub(crate) has_shares: bool,
    /// Whether it is the kernel of the last pass, whose totals it then repeats; `false` as a [`LastKernel`].
    pub(crate) is_repeated: bool,
}

/// Prices between which rows with a step are marked. Levels are those at the high end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct PriceWindow {
    pub(crate) low: Price,
    pub(crate) high: Price,
}

/// The fate of actors below their previous level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum Returning {
    Return,
    Mark,
    Leave,
}

/// Assigns the levels at the high end of a window, and marks all actors that take other steps at the low end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) struct TakeKernel {
    pub(crate) window: PriceWindow,
    pub(crate) hysteresis: Hysteresis,
    pub(crate) returning: Returning,
    /// Whether it is the kernel of the last pass, whose totals it then repeats; `false` as a [`LastKernel`].
    pub(crate) is_repeated: bool,
}

/// A kernel that assigns levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub(crate) enum LevelKernel {
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
pub struct LastKernel(pub(crate) Option<LevelKernel>);

/// A leftover budget, in nanoseconds.
#[derive(Clone, Copy)]
pub(crate) struct LeftoverBudget {
    pub(crate) left: u64,
    /// The part that only returning actors may use.
    pub(crate) reserved: u64,
}

impl LeftoverBudget {
    pub(crate) fn new(whole: u64, spent: u64, hysteresis: Hysteresis) -> Self {
        Self { left: whole.saturating_sub(spent), reserved: hysteresis.reserved(whole) }
    }

    pub(crate) const fn free(self) -> u64 {
        self.left.saturating_sub(self.reserved)
    }
}
