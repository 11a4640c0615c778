//! Units of cost: whole nanoseconds, and quantities that convert to them.

use core::num::NonZeroU32;

use crate::decimal::{Decimal, shown_as};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::product::{product, short_product};
use crate::real::Real as _;

const NS_PER_MS: f64 = 1e6;

/// Converts to milliseconds; exact up to 2⁵³ ns, which is 104 days.
#[must_use]
#[allow(clippy::cast_precision_loss)] // exact in the documented range
pub fn ms(nanoseconds: u64) -> f64 {
    nanoseconds as f64 / NS_PER_MS
}

/// Rounds down, after compensating the representation error of a decimal such as 1.005 ms.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // rounds down on purpose
const fn floor(value: f64) -> u64 {
    (value * (1.0 + 4.0 * f64::EPSILON)) as u64
}

/// The cost that all actors together may have in a frame.
///
/// # Examples
/// ```
/// use lodger_core::units::Budget;
///
/// assert_eq!(Budget::from_ms(16.6)?.ns(), Some(16_600_000));
/// assert_eq!(Budget::from_ms(f64::INFINITY)?, Budget::UNLIMITED);
/// assert!(Budget::from_ms(-1.0).is_err());
///
/// let budget = Budget::from_ns(1_500);
/// assert_eq!(budget.to_string(), "1500 ns");
/// assert_eq!(format!("{budget:?} {:?}", Budget::UNLIMITED), "Budget(1500 ns) Budget(unlimited)");
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[doc(alias = "setLODResourceBudget")]
pub struct Budget(u64);

impl Budget {
    /// No limit of the cost.
    pub const UNLIMITED: Self = Self(u64::MAX);

    /// Makes a budget of nanoseconds.
    #[must_use]
    pub const fn from_ns(nanoseconds: u64) -> Self {
        Self(nanoseconds)
    }

    /// Makes a budget in another unit of cost than nanoseconds, which all costs of a scene then have.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::units::Budget;
    ///
    /// // A packet of 222 bytes.
    /// assert_eq!(Budget::from_units(222), Budget::from_ns(222));
    /// ```
    #[must_use]
    pub const fn from_units(units: u64) -> Self {
        Self::from_ns(units)
    }

    /// Makes a budget of milliseconds, rounded down to whole nanoseconds; infinity is unlimited.
    ///
    /// # Errors
    /// [`ValueProblem::Negative`], and [`ValueProblem::NotFinite`] for NaN.
    pub fn from_ms(milliseconds: f64) -> Result<Self, ValueError> {
        if milliseconds == f64::INFINITY {
            return Ok(Self::UNLIMITED);
        }
        milliseconds.not_negative(Quantity::Budget).map(|value| Self(floor(value * NS_PER_MS)))
    }

    /// Returns the nanoseconds, or `None` if unlimited.
    #[must_use]
    pub const fn ns(self) -> Option<u64> {
        if self.0 == u64::MAX { None } else { Some(self.0) }
    }

    fn text(self) -> Decimal {
        match self.ns() {
            Some(ns) => Decimal::within(ns, 1, 0).and(" ns"),
            None => Decimal::EMPTY.and("unlimited"),
        }
    }

    pub(crate) const fn excess(self, spent: u64) -> u64 {
        if self.0 == u64::MAX { 0 } else { spent.saturating_sub(self.0) }
    }

    /// Subtracts, saturating at 0; an unlimited budget stays unlimited.
    pub(crate) const fn minus(self, spent: u64) -> u64 {
        if self.0 == u64::MAX { u64::MAX } else { self.0.saturating_sub(spent) }
    }
}

shown_as!(Budget, "Budget({})", Display);

/// The cost of one unit of an actor's work, in nanoseconds with 32 fractional bits.
///
/// The module defines the unit: vertices, particles, triangles. `Debug` and `Display` show the shortest decimal that
/// [`from_ns`](Self::from_ns) rounds down to it.
///
/// # Examples
/// ```
/// use lodger_core::units::UnitCost;
///
/// // A triangle of 0.3 ns: ten of them are 3 ns, one is rounded up.
/// let triangle = UnitCost::from_ns(0.3)?;
/// assert_eq!(triangle.of(10), Some(3));
/// assert_eq!(triangle.of(1), Some(1));
/// assert_eq!(triangle.to_string(), "0.3 ns");
/// assert_eq!(format!("{:?}", UnitCost::from_ms(0.001)?), "UnitCost(1000 ns)");
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
#[doc(alias = "getLODUnitCost")]
#[doc(alias = "setLODUnitCost")]
pub struct UnitCost(u64);

impl UnitCost {
    /// Makes a unit cost of bits that are not 0.
    pub(crate) const fn of_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// Makes a unit cost from milliseconds.
    ///
    /// # Errors
    /// As [`from_ns`](Self::from_ns).
    pub const fn from_ms(milliseconds: f64) -> Result<Self, ValueError> {
        Self::from_ns(milliseconds * NS_PER_MS)
    }

    /// Makes a unit cost from nanoseconds, rounded down to a multiple of 2⁻³² ns.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::NotPositive`], [`ValueProblem::TooSmall`] below 2⁻³² ns, or
    /// [`ValueProblem::TooLarge`] from 2³² ns (4.29 s).
    ///
    /// # Examples
    /// ```
    /// use lodger_core::units::UnitCost;
    ///
    /// // A constant is computed by the compiler.
    /// const VERTEX: UnitCost = match UnitCost::from_ns(500.0) {
    ///     Ok(cost) => cost,
    ///     Err(_) => panic!("no unit cost"),
    /// };
    /// assert_eq!(VERTEX.ns(), 500.0);
    /// ```
    pub const fn from_ns(nanoseconds: f64) -> Result<Self, ValueError> {
        const ONE: f64 = 4_294_967_296.0;
        let problem = match floor(nanoseconds * ONE) {
            _ if !nanoseconds.is_finite() => ValueProblem::NotFinite,
            _ if nanoseconds <= 0.0 => ValueProblem::NotPositive,
            0 => ValueProblem::TooSmall,
            _ if nanoseconds >= ONE => ValueProblem::TooLarge,
            cost => return Ok(Self(cost)),
        };
        Err(ValueError::new(Quantity::UnitCost, problem))
    }

    /// Makes a whole unit cost, in nanoseconds or another unit of cost, for tables in flash.
    ///
    /// # Examples
    /// ```
    /// use core::num::NonZeroU32;
    /// use lodger_core::units::UnitCost;
    ///
    /// const VERTEX: UnitCost = UnitCost::from_units(NonZeroU32::new(500).unwrap());
    /// assert_eq!(VERTEX.of(3), Some(1_500));
    /// ```
    #[must_use]
    pub const fn from_units(units: NonZeroU32) -> Self {
        Self((units.get() as u64) << 32)
    }

    /// Makes a unit cost from units of 2⁻³² ns; `None` for 0.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Option<Self> {
        if bits == 0 { None } else { Some(Self(bits)) }
    }

    /// Returns the cost in 2⁻³² ns.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    fn text(self) -> Decimal {
        Decimal::within(self.0, 1, 32).and(" ns")
    }

    /// Returns the cost in nanoseconds.
    #[must_use]
    #[allow(clippy::cast_precision_loss)] // 52 of 64 bits are enough for a report
    pub fn ns(self) -> f64 {
        self.0 as f64 / 4_294_967_296.0
    }

    /// Returns the cost of `units`, in nanoseconds rounded up; `None` from 2³² ns (4.29 s).
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // the halves of 64 bits
    pub fn of(self, units: u32) -> Option<u32> {
        let whole = product((self.0 >> 32) as u32, units);
        let fraction = product(self.0 as u32, units);
        let carry = (fraction >> 32).wrapping_add(u64::from(fraction & 0xffff_ffff != 0));
        whole.checked_add(carry).and_then(|cost| u32::try_from(cost).ok())
    }

    /// Multiplies the cost by a fraction, rounded to the nearest 2⁻³² ns, halves up, but never to 0. `None` if either number
    /// is 0, or if the product is 2³² ns (4.29 s) or more.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::units::UnitCost;
    ///
    /// // At 64 MHz in place of 84 MHz, work takes 84/64 of its time.
    /// let cost = UnitCost::from_ns(80.0)?;
    /// assert_eq!(cost.scaled(84, 64), Some(UnitCost::from_ns(105.0)?));
    /// assert_eq!((cost.scaled(1, 0), cost.scaled(u32::MAX, 1)), (None, None));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn scaled(self, numerator: u32, denominator: u32) -> Option<Self> {
        let (numerator, denominator) = (u64::from(numerator), u64::from(denominator));
        let low = (self.0 & 0xffff_ffff).wrapping_mul(numerator);
        let high = (self.0 >> 32).wrapping_mul(numerator).wrapping_add(low >> 32);
        // Long division of 96 bits, 32 bits at a time.
        let whole = high.checked_div(denominator)?;
        let rest = high.wrapping_sub(whole.wrapping_mul(denominator));
        let rest = rest << 32 | low & 0xffff_ffff;
        let fraction = rest.checked_div(denominator)?;
        let rest = rest.wrapping_sub(fraction.wrapping_mul(denominator));
        let is_up = rest >= denominator.wrapping_sub(rest);
        let bits = u32::try_from(whole).ok().map(|whole| u64::from(whole) << 32 | fraction)?;
        Self::from_bits(if numerator == 0 { 0 } else { bits.checked_add(is_up.into())?.max(1) })
    }

    /// Returns this unit cost, or the greatest at which `units` have a cost if that is less.
    /// # Examples
    /// ```
    /// use lodger_core::units::UnitCost;
    ///
    /// let cost = UnitCost::from_ms(1_000.0)?;
    /// assert_eq!(cost.clamped_for(4), cost);
    /// assert_eq!((cost.of(5), cost.clamped_for(5).of(5)), (None, Some(u32::MAX)));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[must_use]
    pub fn clamped_for(self, units: u32) -> Self {
        if self.of(units).is_some() {
            return self;
        }
        let greatest = (u64::from(u32::MAX) << 32).checked_div(units.into());
        greatest.and_then(Self::from_bits).unwrap_or(self)
    }
}

shown_as!(UnitCost, "UnitCost({})", Display);

/// The greatest cost of one unit of benefit, in whole nanoseconds.
///
/// # Examples
/// ```
/// use lodger_core::units::BenefitValue;
///
/// assert_eq!(BenefitValue::from_ms(0.25)?.ns(), 250_000);
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[doc(alias = "getLODBenefitValue")]
#[doc(alias = "setLODBenefitValue")]
pub struct BenefitValue(u32);

impl BenefitValue {
    /// Makes a benefit value from nanoseconds.
    #[must_use]
    pub const fn from_ns(nanoseconds: u32) -> Self {
        Self(nanoseconds)
    }

    /// Makes a benefit value in another unit of cost than nanoseconds.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::units::BenefitValue;
    ///
    /// // A benefit of 1 may cost 40 bytes.
    /// assert_eq!(BenefitValue::from_units(40), BenefitValue::from_ns(40));
    /// ```
    #[must_use]
    pub const fn from_units(units: u32) -> Self {
        Self::from_ns(units)
    }

    /// Makes a benefit value from milliseconds, to the nearest nanosecond.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`], [`ValueProblem::Negative`], or [`ValueProblem::TooLarge`] from 2³² ns (4.29 s).
    pub fn from_ms(milliseconds: f64) -> Result<Self, ValueError> {
        let value = milliseconds.not_negative(Quantity::BenefitValue)?;
        u32::try_from(floor(value * NS_PER_MS + 0.5))
            .map(Self)
            .map_err(|_| ValueError::new(Quantity::BenefitValue, ValueProblem::TooLarge))
    }

    /// Returns the value in nanoseconds.
    #[must_use]
    pub const fn ns(self) -> u32 {
        self.0
    }

    /// Returns the target of benefits that total `sum` 2⁻¹⁶ units (below 2⁴⁸), in nanoseconds rounded up.
    #[must_use]
    #[allow(clippy::cast_possible_truncation)] // 32 bits and sixteen
    pub const fn target(self, sum: u64) -> u64 {
        let whole = product(self.0, (sum >> 16) as u32);
        let fraction = short_product(self.0, (sum & 0xffff) as u32).wrapping_add(0xffff) >> 16;
        whole.wrapping_add(fraction)
    }
}
