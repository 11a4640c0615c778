use super::index_column::IndexColumn;
use super::ladder::{Ladder, Ladders};
use super::rate::BenefitRate;
use super::scale::Scale;
use crate::benefit::Benefit;
use crate::target::IS_SMALLEST;
use crate::units::BenefitValue;

/// The input of one module: its constants, and columns of its automatic actors.
///
/// The columns have one length; `ladder` may be shorter. Sums over parts of a split input add up, except
/// [`target`](Self::target), which rounds up once.
#[derive(Debug, Clone, Copy, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleInput<'a> {
    /// The greatest cost of a unit of benefit.
    pub benefit_value: BenefitValue,
    /// Whether LODs between two levels are valid.
    pub continuous: bool,
    /// The actors' different ladders.
    pub ladders: Ladders<'a>,
    /// Each actor's ladder; missing rows have the first one.
    pub ladder: IndexColumn<'a>,
    /// Each actor's benefit.
    pub benefits: &'a [Benefit],
}

/// Benefits that are added at once; limited by the number of registers.
const FEW: usize = if IS_SMALLEST { 4 } else { 8 };

/// The demand of actors at a scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Demand {
    /// The number of pinned actors: their share would be below their minimum cost.
    pub pinned: u32,
    /// The minimum costs of pinned actors, in nanoseconds.
    pub minimum: u64,
    /// The benefits of the other actors, in 2⁻¹⁶ units.
    pub benefit: u64,
}

impl Demand {
    /// Returns the demand of an actor.
    #[allow(clippy::inline_always)] // compiled for the caller's vectors
    #[inline(always)]
    pub(super) fn of(rate: BenefitRate, benefit: Benefit, minimum: u32) -> Self {
        let minimum = u64::from(minimum);
        if rate.share(benefit) < minimum {
            Self { pinned: 1, minimum, benefit: 0 }
        } else {
            Self { pinned: 0, minimum: 0, benefit: benefit.bits().into() }
        }
    }

    /// Adds the demand of two parts; cannot overflow with at most [`MAX_ACTORS`](super::MAX_ACTORS) actors.
    #[inline]
    #[must_use]
    pub const fn plus(self, other: Self) -> Self {
        Self {
            pinned: self.pinned.wrapping_add(other.pinned),
            minimum: self.minimum.wrapping_add(other.minimum),
            benefit: self.benefit.wrapping_add(other.benefit),
        }
    }
}

impl<'a> ModuleInput<'a> {
    pub(super) fn rows(self) -> impl Iterator<Item = (Ladder<'a>, Benefit)> {
        self.benefits.iter().enumerate().map(move |(row, &benefit)| (self.ladder_of(row), benefit))
    }

    /// Returns the ladder of the actor in a row.
    #[must_use]
    pub fn ladder_of(&self, row: usize) -> Ladder<'a> {
        self.ladders.ladder(self.ladder.at(row))
    }

    /// Whether every ladder is free at its lowest level: no actor is pinned then.
    fn minimums_are_free(&self) -> bool {
        self.ladders.iter().all(|ladder| ladder.minimum() == 0)
    }

    /// Returns the sum of all benefits, in 2⁻¹⁶ units.
    // A separate function has the registers of a Cortex-M to itself.
    #[inline(never)]
    #[must_use]
    pub fn benefit(&self) -> u64 {
        let add = |sum: u32, benefit: &Benefit| sum.wrapping_add(benefit.bits());
        // Benefits have 24 bits, so the sum of a few fits 32.
        let (parts, rest) = self.benefits.as_chunks::<FEW>();
        let rest = u64::from(rest.iter().fold(0, add));
        parts.iter().fold(rest, |sum, part| sum.wrapping_add(part.iter().fold(0, add).into()))
    }

    /// Returns the cost of all actors if the budget suffices, in nanoseconds rounded up.
    #[must_use]
    pub fn target(&self) -> u64 {
        self.benefit_value.target(self.benefit())
    }

    /// Returns the sum of all minimum costs, in nanoseconds.
    #[must_use]
    pub fn minimum(&self) -> u64 {
        if self.minimums_are_free() {
            return 0;
        }
        self.rows().fold(0, |sum, (ladder, _)| sum.wrapping_add(ladder.minimum().into()))
    }

    /// Returns the actors' demand at a scale.
    #[must_use]
    pub fn demand(&self, scale: Scale) -> Demand {
        let rate = BenefitRate::new(self.benefit_value, scale);
        self.rows().fold(Demand::default(), |demand, (ladder, benefit)| {
            demand.plus(Demand::of(rate, benefit, ladder.minimum()))
        })
    }

    /// Returns the sum of all shares at a scale, in nanoseconds; pinned actors count their minimum.
    #[inline(never)]
    #[must_use]
    pub fn shares(&self, scale: Scale) -> u64 {
        let rate = BenefitRate::new(self.benefit_value, scale);
        if self.minimums_are_free()
            && let Some(sum) = rate.shares(self.benefits)
        {
            return sum;
        }
        self.rows().fold(0, |sum, (ladder, benefit)| {
            sum.saturating_add(rate.share(benefit).max(ladder.minimum().into()))
        })
    }

    /// Returns the least cost of an upgrade, below which a leftover budget is exhausted.
    pub(super) fn least_step(&self) -> u32 {
        let rises = self.ladders.iter().flat_map(|ladder| {
            ladder.costs().windows(2).filter_map(|pair| match pair {
                [lower, higher] => higher.checked_sub(*lower).filter(|&rise| rise > 0),
                _ => None,
            })
        });
        let least = rises.min().unwrap_or(u32::MAX);
        if self.continuous { (least >> 16).max(1) } else { least }
    }
}
