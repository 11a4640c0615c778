//! The request of a frame: budget, policy and hysteresis.

use crate::benefit::Benefit;
use crate::calibration::Headroom;
use crate::keyword::keywords;
use crate::units::Budget;

/// The actors that may spend the leftover budget.
///
/// # Examples
/// ```
/// # use lodger_core::budget::Leftovers;
/// assert_eq!("whole-budget".parse(), Ok(Leftovers::WholeBudget));
/// assert!(!Leftovers::Keep.spends_leftovers());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Leftovers {
    /// No actor, as in the document. A larger budget then never lowers a level, except for rounding to whole nanoseconds.
    Keep,
    /// Actors of the module whose shares left it over, as in APEX.
    WithinModule,
    /// Any actor of the scene.
    #[default]
    AcrossModules,
    /// Any actor, from all that is unspent, beyond the document: also the part that no target claims.
    WholeBudget,
}

impl Leftovers {
    /// Whether leftovers are spent, which needs scratch memory for upgrades.
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

/// The division of a budget.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Policy {
    /// The APEX LOD document's: by benefit value and benefit, scaled down to the budget.
    Proportional(Leftovers),
    /// The greatest benefit times quality, with a certificate of the gap. Benefit values do not matter. Continuous
    /// modules are decided at whole levels; the rest raises fractions, which the certificate does not count.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Benefit;
    /// use lodger_core::budget::{
    ///     IndexColumn, ModuleInput, Upgrade, ModuleView, LadderSpan, Ladders, SlopeRange, Policy, Quality, Request, Scratch, Slope,
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
    ///     ids: IndexColumn::Bytes(&[0, 1]),
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
    /// The policy of the APEX LOD document to the letter. The [default](Self::default) also spends the leftover budget.
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

    /// Whether [`Scratch::upgrades`](super::Scratch::upgrades) needs a place for each automatic actor.
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

/// Hysteresis of levels, for every policy; off by default.
///
/// - **margin**: above its previous level an actor counts with less of its benefit, so it is upgraded only if the gain
///   exceeds the margin, and then within the same frame.
/// - **dead band**: the previous price or scale stays while its plan costs between the budget less the dead band and the
///   budget. Upgrades from the leftover budget leave the dead band free, except to keep the previous level. An unaffordable
///   level is lowered at once.
///
/// # Examples
/// ```
/// # use lodger_core::budget::{Hysteresis, Request};
/// let request = Request { hysteresis: Hysteresis::TYPICAL, ..Request::default() };
/// assert!(request.uses_previous_levels());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Hysteresis {
    /// The margin, in 2⁻⁸ of the benefit.
    pub margin: u8,
    /// The dead band, in 2⁻⁸ of the budget.
    pub dead_band: u8,
}

impl Hysteresis {
    /// No hysteresis: each frame by itself.
    pub const OFF: Self = Self { margin: 0, dead_band: 0 };
    /// A tenth of the benefit, a thirtieth of the budget: for a moving camera and measured unit costs.
    pub const TYPICAL: Self = Self { margin: 26, dead_band: 8 };

    /// Whether previous levels count.
    #[must_use]
    pub const fn is_on(self) -> bool {
        self.margin > 0 || self.dead_band > 0
    }

    #[inline]
    pub(super) const fn discounted(self, benefit: Benefit) -> Benefit {
        let margin = benefit.bits().wrapping_mul(self.margin as u32) >> 8;
        benefit.minus(margin)
    }

    /// Whether an actor at a level returns to its previous one if a budget pays it; an actor without one returns to its
    /// highest.
    #[inline]
    pub(super) fn returns(self, level: u8, previous: Option<u8>) -> bool {
        // A level is the upper end of a plateau, so the level itself can be compared.
        self.is_on() && previous.is_none_or(|previous| level < previous)
    }

    /// Returns the part of a budget that upgrades leave free; 0 for an unlimited one.
    #[inline]
    pub(super) const fn reserved(self, money: u64) -> u64 {
        if money == u64::MAX { 0 } else { (money >> 8).wrapping_mul(self.dead_band as u64) }
    }
}

/// A frame's budget, and the rules for its division.
///
/// # Examples
/// ```
/// # use lodger_core::budget::{Policy, Request};
/// # use lodger_core::units::Budget;
/// let request = Request { budget: Budget::from_ms(4.0)?, policy: Policy::APEX, ..Request::default() };
/// assert_eq!((request.budget.ns(), request.needs_upgrades()), (Some(4_000_000), false));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Request {
    /// The greatest cost of all actors together.
    pub budget: Budget,
    /// The cost that is paid first, in nanoseconds: forced actors and unmanaged modules at their
    /// [`Ladder::fixed`](super::Ladder::fixed) LOD, and modules' overhead.
    pub reserved: u64,
    /// The part of the budget left free; it never makes a budget infeasible.
    pub headroom: Headroom,
    /// The division of the budget.
    pub policy: Policy,
    /// Hysteresis of levels.
    pub hysteresis: Hysteresis,
    /// The greatest number of actors above their previous level, by falling value; the others keep it. `None`: no limit.
    pub max_upgrades: Option<u32>,
    /// The greatest number of steps, in numbers of automatic actors, by which the optimal policy searches its price: it takes
    /// or gives up one level of one actor in a step. `None`: no limit. If they do not suffice, the frame takes the least
    /// price at which all steps so far fit, and the next frame goes on from there. If giving up steps does not suffice, the
    /// frame begins anew at [`Price::MAX`](super::Price::MAX). Ignored in a [wide](super::Modules::WIDE) scene, and without
    /// scratch memory for each actor.
    pub max_passes: Option<u32>,
    /// Whether modules that are [cautious](super::ModuleView::is_cautious) limit their own upgrades.
    pub is_cautious: bool,
}

impl Request {
    /// Whether [`Scratch::upgrades`](super::Scratch::upgrades) needs a place for each automatic actor.
    #[must_use]
    pub const fn needs_upgrades(&self) -> bool {
        self.policy.needs_upgrades() || self.limits_upgrades()
    }

    /// Whether a decision depends on previous levels. If not, [`ModuleView::previous`](super::ModuleView::previous) is
    /// only read to count [switches](super::Decision::switches).
    #[inline]
    #[must_use]
    pub const fn uses_previous_levels(&self) -> bool {
        self.hysteresis.is_on() || self.limits_upgrades()
    }

    /// Whether upgrades above previous levels are limited, of the scene or of a module.
    #[inline]
    #[must_use]
    pub const fn limits_upgrades(&self) -> bool {
        self.max_upgrades.is_some() || self.is_cautious
    }
}

impl Default for Request {
    fn default() -> Self {
        Self {
            budget: Budget::UNLIMITED,
            reserved: 0,
            headroom: Headroom::NONE,
            policy: Policy::default(),
            hysteresis: Hysteresis::OFF,
            max_upgrades: None,
            max_passes: None,
            is_cautious: false,
        }
    }
}
