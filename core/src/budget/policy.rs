//! The request of a frame: its budget, the policy and the hysteresis.

use crate::benefit::Benefit;
use crate::calibration::Headroom;
use crate::keyword::keywords;
use crate::units::Budget;

/// The actors that may spend the leftover budget. [`decide`](super::decide) implements it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftovers {
    /// No actor, as in the document. A larger budget then never lowers a level, except for the
    /// rounding of targets and shares to whole nanoseconds.
    Keep,
    /// The actors of the module whose shares left it over, as in APEX.
    WithinModule,
    /// Any actor of the scene.
    #[default]
    AcrossModules,
    /// Any actor, and the leftover budget is all that is unspent. Beyond the document: it also spends
    /// the part that no target claims.
    WholeBudget,
}

impl Leftovers {
    /// Whether leftovers are spent, so that [`decide`](super::decide) needs scratch memory for upgrades.
    #[must_use]
    pub const fn spends_leftovers(self) -> bool {
        !matches!(self, Self::Keep)
    }
}

keywords!(Leftovers {
    Keep => "keep",
    WithinModule => "within-module",
    AcrossModules => "across-modules",
    WholeBudget => "whole-budget",
});

/// The way in which a budget is divided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Policy {
    /// The policy of the APEX LOD document: by benefit value and benefit, scaled down to the available
    /// budget; the leftover budget is spent as given.
    Proportional(Leftovers),
    /// The greatest benefit times quality for the budget, with a certificate of the possible gap.
    /// Benefit values do not matter. A continuous module is decided at whole levels; the remaining
    /// budget then raises fractions, which the certificate does not count.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Benefit;
    /// use lodger_core::budget::{
    ///     ModuleInput, Upgrade, ModuleView, LadderSpan, Ladders, SlopeRange, Policy, Quality, Request, Scratch, Slope,
    ///     Slopes, Carryover, Move, decide,
    /// };
    /// use lodger_core::units::Budget;
    ///
    /// // Two leaves of a scene of splats: 5 splats have the same quality as half of 10; the limit is 15.
    /// let input = ModuleInput {
    ///     ladders: Ladders { spans: &[LadderSpan::new(0, 2, 0)], costs: &[5, 10] },
    ///     benefits: &[Benefit::new(1.0_f32)?; 2],
    ///     ..ModuleInput::default()
    /// };
    /// let (mut levels, mut of_costs) = ([0; 2], [Slope::default(); 2]);
    /// let mut leaves = [ModuleView {
    ///     input,
    ///     ids: &[0, 1],
    ///     levels: &mut levels,
    ///     qualities: &[Quality::new(0.5)?, Quality::ONE],
    ///     slopes: Slopes { of_costs: &mut of_costs, valid_for: SlopeRange::default() },
    ///     ..ModuleView::default()
    /// }];
    /// let request =
    ///     Request { budget: Budget::from_ns(15), policy: Policy::Optimal, ..Request::default() };
    /// let scratch = Scratch { upgrades: &mut [Upgrade::default(); 2], moves: &mut [Move::default(); 64] };
    /// let decision = decide(&request, &mut Carryover::default(), &mut leaves[..], scratch);
    /// let certificate = decision.certificate.unwrap_or_default();
    /// assert_eq!((levels, decision.assigned), ([1, 0], 15));
    /// assert_eq!(certificate.value(), 1.5);
    /// assert!(certificate.gap() < 1e-5);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    Optimal,
}

impl Policy {
    /// The policy of the APEX LOD document to the letter: shares by benefit and benefit value, leftovers
    /// are kept.
    ///
    /// The [default](Self::default) goes beyond the document: it also spends the leftover budget.
    ///
    /// # Source
    /// APEX LOD document, cost and automatic calculation of LOD.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::budget::{Leftovers, Policy};
    ///
    /// assert_eq!(Policy::APEX, Policy::Proportional(Leftovers::Keep));
    /// assert_ne!(Policy::APEX, Policy::default());
    /// ```
    pub const APEX: Self = Self::Proportional(Leftovers::Keep);

    /// Whether the policy needs a place in [`Scratch::upgrades`](super::Scratch::upgrades) for each automatic actor.
    #[must_use]
    pub const fn needs_upgrades(self) -> bool {
        match self {
            Self::Proportional(leftovers) => leftovers.spends_leftovers(),
            Self::Optimal => true,
        }
    }
}

impl Default for Policy {
    fn default() -> Self {
        Self::Proportional(Leftovers::default())
    }
}

/// Hysteresis of levels, for every policy. Off by default: every frame is then decided by itself.
///
/// - **margin**: above its previous level an actor counts with less of its benefit. An actor is upgraded
///   only if the gain exceeds the margin, and then within the same frame.
/// - **dead band**: the price (or the scale) of the previous frame stays as long as its plan costs between
///   the whole budget and the budget less the dead band. Upgrades from the leftover budget leave the dead
///   band free, but may use it to keep the previous level. An unaffordable level is lowered at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Hysteresis {
    /// The margin in 2⁻⁸ of the benefit.
    pub margin: u8,
    /// The dead band in 2⁻⁸ of the budget.
    pub dead_band: u8,
}

impl Hysteresis {
    /// No hysteresis: every frame is decided by itself.
    pub const OFF: Self = Self { margin: 0, dead_band: 0 };
    /// A tenth of the benefit and a thirtieth of the budget: for a moving camera and measured unit
    /// costs.
    pub const TYPICAL: Self = Self { margin: 26, dead_band: 8 };

    /// Whether previous levels count.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.margin > 0 || self.dead_band > 0
    }

    /// Returns the benefit that counts above the previous level.
    #[inline]
    pub(super) const fn discounted(self, benefit: Benefit) -> Benefit {
        let margin = benefit.bits().wrapping_mul(self.margin as u32) >> 8;
        Benefit::from_bits(benefit.bits().wrapping_sub(margin))
    }

    /// Returns the part of the budget that upgrades leave free; 0 for an unlimited budget.
    #[inline]
    pub(super) const fn reserved(self, money: u64) -> u64 {
        if money == u64::MAX { 0 } else { (money >> 8).wrapping_mul(self.dead_band as u64) }
    }
}

/// The budget of a frame, and the rules for its division.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// The greatest cost of all actors together.
    pub budget: Budget,
    /// The reserved cost, which is paid first, in nanoseconds: forced actors and unmanaged modules,
    /// each at its [`Ladder::fixed`](super::Ladder::fixed) LOD, and the overhead of modules.
    pub reserved: u64,
    /// The part of the budget that plans leave free. It never makes a budget infeasible.
    pub headroom: Headroom,
    /// The way in which the budget is divided.
    pub policy: Policy,
    /// The hysteresis of levels.
    pub hysteresis: Hysteresis,
    /// The greatest number of actors above their previous level, by falling value; `None` for no limit.
    /// The other actors keep their level.
    pub max_upgrades: Option<u32>,
}

impl Request {
    /// Whether [`Scratch::upgrades`](super::Scratch::upgrades) must have a place for each automatic actor.
    #[must_use]
    pub const fn needs_upgrades(&self) -> bool {
        self.policy.needs_upgrades() || self.max_upgrades.is_some()
    }

    /// Whether a decision depends on the previous levels. If not, [`ModuleView::last`](super::ModuleView::last) is
    /// read only for the [flips](super::Decision::switches), and may be empty if the caller counts them.
    #[inline]
    #[must_use]
    pub const fn uses_previous_levels(&self) -> bool {
        self.hysteresis.is_on() || self.max_upgrades.is_some()
    }
}

impl Default for Request {
    /// A request with an unlimited budget.
    fn default() -> Self {
        Self {
            budget: Budget::UNLIMITED,
            reserved: 0,
            headroom: Headroom::NONE,
            policy: Policy::default(),
            hysteresis: Hysteresis::OFF,
            max_upgrades: None,
        }
    }
}
