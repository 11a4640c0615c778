//! Factors of a benefit: priority, and what is outside of all views.

use crate::benefit::Benefit;
use crate::decimal::{Decimal, shown_as};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::real::{Real as _, round_ties_even};

/// The factor by which an actor or a module matters more than its benefit says, in unsigned Q4.12.
///
/// It exceeds no rule and no limit: a benefit of 0 stays 0, and the greatest benefit is [`Benefit::MAX`].
///
/// # Formula
/// With w = min((actor · module) >> 12, 65 535) and a benefit b, b′ = min((b >> 12)·w + (((b & 4095)·w) >> 12), 2²⁴ − 1).
///
/// # Source
/// lodger's own: the APEX LOD document has weights of importances, and none of actors.
///
/// # Examples
/// ```
/// use lodger_core::Benefit;
/// use lodger_core::benefit::Priority;
///
/// let hero = Priority::new(4.0)?;
/// assert_eq!(Benefit::new(0.1_f32)?.with_priority(hero).bits(), 26_216); // 0.4
/// assert_eq!(hero.times(Priority::new(0.5)?), Priority::new(2.0)?);
/// assert!(Priority::new(16.0).is_err());
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Priority(u16);

impl Priority {
    /// The priority that changes nothing.
    pub const ONE: Self = Self(1 << 12);
    /// The greatest priority, 65 535/4096.
    pub const MAX: Self = Self(u16::MAX);

    /// Rounds a number from 0 to 65 535/4096 to the nearest 1/4096, ties to even.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`] or [`ValueProblem::TooLarge`].
    pub fn new(value: f64) -> Result<Self, ValueError> {
        in_4096ths(value, Self::MAX.0, Quantity::Priority).map(Self)
    }

    /// Makes a priority from units of 1/4096.
    #[must_use]
    pub const fn from_bits(bits: u16) -> Self {
        Self(bits)
    }

    /// Returns the priority in units of 1/4096.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Converts the priority to a number, exactly.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 4096.0
    }

    /// Returns the priority of an actor with this priority in a module with the other, rounded down and saturating.
    #[inline]
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // at most 65 535
    pub const fn times(self, module: Self) -> Self {
        let product = (self.0 as u32 * module.0 as u32) >> 12;
        Self(if product > u16::MAX as u32 { u16::MAX } else { product as u16 })
    }

    fn text(self) -> Decimal {
        decimal_of_4096ths(self.0)
    }
}

shown_as!(Priority, "Priority({})");

impl Default for Priority {
    /// Returns [`ONE`](Self::ONE).
    fn default() -> Self {
        Self::ONE
    }
}

/// The factor of a module's benefits outside of all views, in unsigned Q0.12, from 0 to 1.
///
/// An actor that is simulated has the same benefit wherever it is: 1, the default. An actor that is only drawn has none
/// where no view sees it: 0.
///
/// # Formula
/// A benefit b outside of a view is (b · o) >> 12 there, with o in units of 1/4096.
///
/// # Examples
/// ```
/// use lodger_core::Benefit;
/// use lodger_core::benefit::OutsideFactor;
///
/// let sound = OutsideFactor::new(0.25)?;
/// assert_eq!(Benefit::new(0.5_f32)?.outside(sound).to_f64(), 0.125);
/// assert_eq!(OutsideFactor::default(), OutsideFactor::ONE);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct OutsideFactor(u16);

impl OutsideFactor {
    /// Only views matter: no benefit outside of them.
    pub const ZERO: Self = Self(0);
    /// The same benefit outside of views.
    pub const ONE: Self = Self(1 << 12);

    /// Rounds a number from 0 to 1 to the nearest 1/4096, ties to even.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`] or [`ValueProblem::TooLarge`].
    pub fn new(value: f64) -> Result<Self, ValueError> {
        in_4096ths(value, Self::ONE.0, Quantity::Outside).map(Self)
    }

    /// Returns the factor in units of 1/4096.
    #[must_use]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Converts the factor to a number, exactly.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 4096.0
    }

    fn text(self) -> Decimal {
        decimal_of_4096ths(self.0)
    }
}

shown_as!(OutsideFactor, "OutsideFactor({})");

impl Default for OutsideFactor {
    /// Returns [`ONE`](Self::ONE).
    fn default() -> Self {
        Self::ONE
    }
}

impl Benefit {
    /// Returns the benefit of an actor with this priority; see [`Priority`].
    #[inline]
    #[must_use]
    pub const fn with_priority(self, priority: Priority) -> Self {
        self.times_4096ths(priority.0)
    }

    /// Returns the benefit outside of a view; see [`OutsideFactor`].
    #[inline]
    #[must_use]
    pub const fn outside(self, factor: OutsideFactor) -> Self {
        self.times_4096ths(factor.0)
    }

    #[inline]
    const fn times_4096ths(self, factor: u16) -> Self {
        let (bits, factor) = (self.bits(), factor as u32);
        // Both products are below 2^28.
        Self::from_bits((bits >> 12) * factor + (((bits & 4095) * factor) >> 12))
    }
}

/// Multiplies benefits by the priorities of their actors and of the module, and returns their sum in 2⁻¹⁶. Without
/// actors' priorities, each is 1.
///
/// # Examples
/// ```
/// use lodger_core::Benefit;
/// use lodger_core::benefit::{Priority, prioritise};
///
/// let mut benefits = [Benefit::from_bits(1000); 2];
/// let actors = [Priority::ONE, Priority::new(3.0)?];
/// assert_eq!(prioritise(&mut benefits, &actors, Priority::new(2.0)?), 8000);
/// assert_eq!(benefits.map(Benefit::bits), [2000, 6000]);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[inline(always)]
#[allow(clippy::inline_always)] // compiled for the caller's vectors
pub fn prioritise(benefits: &mut [Benefit], actors: &[Priority], module: Priority) -> u64 {
    let mut sum = 0_u64;
    let mut apply = |benefit: &mut Benefit, priority| {
        *benefit = benefit.with_priority(priority);
        sum = sum.wrapping_add(benefit.bits().into());
    };
    if actors.is_empty() {
        for benefit in benefits {
            apply(benefit, module);
        }
    } else {
        for (benefit, actor) in benefits.iter_mut().zip(actors) {
            apply(benefit, actor.times(module));
        }
    }
    sum
}

#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // within the range
fn in_4096ths(value: f64, most: u16, quantity: Quantity) -> Result<u16, ValueError> {
    if value.not_negative(quantity)? > f64::from(most) / 4096.0 {
        Err(ValueError::new(quantity, ValueProblem::TooLarge))
    } else {
        Ok(round_ties_even(value * 4096.0) as u16)
    }
}

fn decimal_of_4096ths(bits: u16) -> Decimal {
    Decimal::within(u64::from(bits).wrapping_mul(2).saturating_sub(1), 2, 13)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_priority_multiplies_and_rounds_down(bits in 0..1_u32 << 24, factor: u16, module: u16) {
            let (priority, module) = (Priority(factor), Priority(module));
            let exact = (u64::from(bits) * u64::from(factor)) >> 12;
            let benefit = Benefit::from_bits(bits);
            prop_assert_eq!(u64::from(benefit.with_priority(priority).bits()), exact.min((1 << 24) - 1));
            prop_assert_eq!(benefit.with_priority(Priority::ONE), benefit);
            let exact = (u64::from(factor) * u64::from(module.0)) >> 12;
            prop_assert_eq!(u64::from(priority.times(module).0), exact.min(65_535));
            let outside = OutsideFactor(factor.min(4096));
            let exact = (u64::from(bits) * u64::from(outside.0)) >> 12;
            prop_assert_eq!(u64::from(benefit.outside(outside).bits()), exact);
        }
    }

    #[test]
    fn factors_round_to_even_and_have_ends() {
        assert_eq!(Priority::new(2.5 / 4096.0), Ok(Priority(2)));
        assert_eq!(Priority::new(3.5 / 4096.0), Ok(Priority(4)));
        assert_eq!(Priority::new(65_535.0 / 4096.0), Ok(Priority::MAX));
        assert_eq!(OutsideFactor::new(1.0), Ok(OutsideFactor::ONE));
        let problem = |value| Priority::new(value).map_err(ValueError::problem);
        assert_eq!(problem(65_535.1 / 4096.0), Err(ValueProblem::TooLarge));
        assert_eq!(problem(-1e-9), Err(ValueProblem::Negative));
        assert_eq!(problem(f64::NAN), Err(ValueProblem::NotFinite));
        assert!(OutsideFactor::new(1.000_1).is_err());
    }
}
