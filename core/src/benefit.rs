//! Benefit: a weighted sum of an actor's importances, as an integer.
//!
//! A module's [`BenefitRule`] turns distance, age and speed into a [`Benefit`], for one actor or for columns of actors.
//! All later steps use integers.
//!
//! Source: APEX LOD document, benefit.

use crate::decimal::{Decimal, shown_as};
use crate::error::{Quantity, ValueError, ValueProblem};
use crate::fixed::Fixed;
use crate::importance::{DistanceImportance, ImportanceCurve};
use crate::real::{Real, Square as _, range_end_of_f32};

mod block;
mod evaluate;
mod lenses;
mod priority;
mod rows;

use block::part;
pub use block::{BenefitTotals, StateFields};
pub use lenses::{LensTask, Sight, Viewpoints};
pub use priority::{OutsideFactor, Priority, prioritise};

/// A benefit in unsigned Q16.16, below 256 units; the document says "on the order of one or less".
///
/// `Debug` shows the shortest decimal that [`new`](Self::new) rounds to it, as in `Benefit(0.3)`.
///
/// # Examples
/// ```
/// # use lodger_core::Benefit;
/// assert_eq!(Benefit::from_bits(3 << 14).to_f64(), 0.75);
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(transparent)]
pub struct Benefit(u32);

impl Benefit {
    /// No benefit: the minimum LOD, and no share of leftovers.
    pub const ZERO: Self = Self(0);
    /// The greatest benefit, (2²⁴ − 1)/2¹⁶.
    pub const MAX: Self = Self((1 << 24) - 1);

    /// Makes a benefit from units of 2⁻¹⁶, saturating at [`MAX`](Self::MAX).
    #[must_use]
    pub const fn from_bits(bits: u32) -> Self {
        if bits > Self::MAX.0 { Self::MAX } else { Self(bits) }
    }

    /// Returns the benefit in units of 2⁻¹⁶.
    #[must_use]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// Rounds a number to the nearest benefit, ties to even, saturating.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`] or [`ValueProblem::Negative`].
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Benefit;
    ///
    /// assert_eq!(Benefit::new(0.5_f32)?.bits(), 32_768);
    /// assert_eq!(format!("{:?}", Benefit::new(0.3_f32)?), "Benefit(0.3)");
    /// assert_eq!(Benefit::new(1000.0_f32)?, Benefit::MAX);
    /// assert!(Benefit::new(f32::NAN).is_err());
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn new<N: Real>(value: N) -> Result<Self, ValueError> {
        value.not_negative(Quantity::Benefit).map(|value| Self(value.to_benefit()))
    }

    /// Converts the benefit to a number, exactly.
    #[must_use]
    pub fn to_f64(self) -> f64 {
        f64::from(self.0) / 65_536.0
    }

    /// Subtracts at most all of it, in 2⁻¹⁶.
    #[inline]
    pub(crate) const fn minus(self, bits: u32) -> Self {
        Self(self.0.wrapping_sub(bits))
    }

    fn text(self) -> Decimal {
        // Numbers that round to the benefit begin half of 2^-16 below it.
        Decimal::within(u64::from(self.0).wrapping_mul(2).saturating_sub(1), 2, 17)
    }
}

shown_as!(Benefit, "Benefit({})");

/// The input of [`BenefitRule::new`]: weights and constants.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BenefitTerms<N> {
    /// The distance importance.
    pub distance_importance: DistanceImportance,
    /// The distance in metres at which it reaches 0; `None` for never.
    pub max_distance: Option<N>,
    /// The weights of the importances.
    pub weights: Weights<N>,
    /// A constant added to every benefit.
    pub bias: N,
    /// The age in seconds at which the age importance reaches 0; required if age has a weight.
    pub max_age: Option<N>,
    /// The speed in m/s at which the speed importance reaches 1; required if speed has a weight.
    pub max_speed: Option<N>,
}

impl<N: Real> BenefitTerms<N> {
    /// The terms of the unbounded solid angle: the default.
    pub const DISTANCE: Self = Self {
        distance_importance: DistanceImportance::SolidAngle,
        max_distance: None,
        weights: Weights::DISTANCE,
        bias: N::ZERO,
        max_age: None,
        max_speed: None,
    };
}

impl<N: Real> Default for BenefitTerms<N> {
    fn default() -> Self {
        Self::DISTANCE
    }
}

/// An actor's position, age and speed, unchecked.
///
/// # Examples
/// ```
/// # use lodger_core::benefit::ActorState;
/// let state = ActorState { position: [1.0, 2.0, 3.0], age: -1.0, speed: 4.0 };
/// assert!(state.is_valid());
/// assert!(!ActorState { speed: f64::NAN, ..state }.is_valid());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ActorState<N> {
    /// Position in metres.
    pub position: [N; 3],
    /// Age in seconds; negative before the actor starts.
    pub age: N,
    /// Speed in metres per second.
    pub speed: N,
}

impl<N: Real> ActorState<N> {
    /// Whether every number is finite and the speed is not negative. Otherwise the actor is quarantined, with benefit 0.
    #[inline]
    pub fn is_valid(&self) -> bool {
        self.position.iter().all(|along| along.is_finite())
            && self.age.is_finite()
            && self.speed.is_amount()
    }
}

/// The states of many actors in columns of one length; excess rows are ignored.
///
/// [`BenefitRule::evaluate`] does not read all of them.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StateColumns<'a, N: Real> {
    /// x in metres.
    pub x: &'a [N],
    /// y in metres.
    pub y: &'a [N],
    /// z in metres.
    pub z: &'a [N],
    /// Ages in seconds.
    pub age: &'a [N],
    /// Speeds in metres per second.
    pub speed: &'a [N],
    /// Constants from [`BenefitRule::curve`].
    pub curve: &'a [ImportanceCurve<N>],
}

impl<N: Real> StateColumns<'_, N> {
    /// Returns `rows` rows from `first` on; none of a column that ends before.
    #[must_use]
    #[inline(always)]
    #[allow(clippy::inline_always)] // in loops that are compiled for vectors
    pub fn rows(&self, first: usize, rows: usize) -> Self {
        let Self { x, y, z, age, speed, curve } = *self;
        let end = first.saturating_add(rows);
        let (x, y, z) = (part(x, first, end), part(y, first, end), part(z, first, end));
        let (age, speed) = (part(age, first, end), part(speed, first, end));
        Self { x, y, z, age, speed, curve: part(curve, first, end) }
    }

    /// Returns the number of rows that all columns have that are read.
    #[inline]
    fn end(&self, StateFields { position, age, speed }: StateFields) -> usize {
        let places = self.x.len().min(self.y.len()).min(self.z.len()).min(self.curve.len());
        let len = |column: &[N], is_read| if is_read { column.len() } else { usize::MAX };
        let end = if position { places } else { usize::MAX };
        end.min(len(self.age, age)).min(len(self.speed, speed))
    }

    /// Leaves out the columns that are not read.
    #[inline]
    fn only(&self, StateFields { position, age, speed }: StateFields) -> Self {
        let kept = |column, is_read| if is_read { column } else { &[] as &[N] };
        let [x, y, z] = [self.x, self.y, self.z].map(|column| kept(column, position));
        Self { x, y, z, age: kept(self.age, age), speed: kept(self.speed, speed), ..*self }
    }
}

/// The rule that turns a module's importances into benefits.
///
/// # Formula
/// benefit = w₁·(distance importance) + w₂·(age importance) + w₃·(speed importance) + bias, added in this order.
///
/// # Source
/// APEX LOD document, benefit and importance functions. The bias, a part that does not depend on distance, is lodger's own.
///
/// # Examples
/// ```
/// use lodger_core::benefit::{BenefitRule, BenefitTerms, ActorState, Weights};
///
/// let rule = BenefitRule::new(BenefitTerms {
///     weights: Weights::new(0.5_f32, 0.5, 0.0)?,
///     max_age: Some(10.0),
///     ..BenefitTerms::default()
/// })?;
/// let state = ActorState { position: [1.0, 0.0, 0.0], age: 5.0, speed: 0.0 };
/// let benefit = rule.benefit(&[[0.0; 3]], rule.curve(1.0)?, state);
/// assert_eq!(benefit.map(|benefit| benefit.to_f64()), Some(0.75));
/// # Ok::<(), lodger_core::ValueError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BenefitRule<N: Real> {
    terms: BenefitTerms<N>,
    max_age: N::RangeEnd,
    max_speed: N::RangeEnd,
}

impl<N: Real> Default for BenefitRule<N> {
    /// The rule of the default terms.
    fn default() -> Self {
        let end = N::ONE.range_end();
        Self { terms: BenefitTerms::DISTANCE, max_age: end, max_speed: end }
    }
}

impl<N: Real> BenefitRule<N> {
    /// Checks the terms and prepares them for frames.
    ///
    /// # Errors
    /// [`ValueProblem::Missing`] for a maximum age or speed whose importance has a weight; [`ValueProblem::NotFinite`],
    /// [`ValueProblem::Negative`] (bias, maximum distance), [`ValueProblem::NotPositive`] (maximum speed).
    pub fn new(terms: BenefitTerms<N>) -> Result<Self, ValueError> {
        terms.bias.not_negative(Quantity::Bias)?;
        if let Some(end) = terms.max_distance {
            end.not_negative(Quantity::MaxDistance)?;
        }
        let needed = |value: Option<N>, weight: N, quantity| match value {
            None if weight > N::ZERO => Err(ValueError::new(quantity, ValueProblem::Missing)),
            value => value.unwrap_or(N::ONE).finite(quantity),
        };
        let max_age = needed(terms.max_age, terms.weights.age, Quantity::MaxAge)?;
        let max_speed = needed(terms.max_speed, terms.weights.speed, Quantity::MaxSpeed)?;
        if max_speed <= N::ZERO {
            return Err(ValueError::new(Quantity::MaxSpeed, ValueProblem::NotPositive));
        }
        Ok(Self { terms, max_age: max_age.range_end(), max_speed: max_speed.range_end() })
    }

    /// Returns the terms.
    pub fn terms(&self) -> &BenefitTerms<N> {
        &self.terms
    }

    /// Computes the curve of an actor of that radius in metres, valid until the radius or the rule changes.
    ///
    /// # Errors
    /// The errors of [`DistanceImportance::curve`].
    pub fn curve(&self, radius: N) -> Result<ImportanceCurve<N>, ValueError> {
        self.terms.distance_importance.curve(radius, self.terms.max_distance)
    }

    /// Returns the benefit of one actor to the nearest eye; `None` if its state is invalid.
    #[must_use]
    pub fn benefit(
        &self,
        eyes: &[[N; 3]],
        curve: ImportanceCurve<N>,
        state: ActorState<N>,
    ) -> Option<Benefit> {
        let columns = StateColumns {
            x: &state.position[..1],
            y: &state.position[1..2],
            z: &state.position[2..],
            age: &[state.age],
            speed: &[state.speed],
            curve: &[curve],
        };
        let mut benefit = [Benefit::ZERO];
        (self.benefits(eyes, columns, &mut benefit) == 0).then_some(benefit[0])
    }
}

/// Defines a const form of [`BenefitRule::new`].
macro_rules! const_rule {
    ($number:ident, $sign:path, $is_finite:path, $range_end:path, $one:expr, $(#[$doc:meta])* $new:ident) => {
        impl BenefitRule<$number> {
            $(#[$doc])*
            pub const fn $new(terms: BenefitTerms<$number>) -> Result<Self, ValueError> {
                const fn amount(value: $number, quantity: Quantity) -> Result<(), ValueError> {
                    if !$is_finite(value) {
                        Err(ValueError::new(quantity, ValueProblem::NotFinite))
                    } else if $sign(value) < 0 {
                        Err(ValueError::new(quantity, ValueProblem::Negative))
                    } else {
                        Ok(())
                    }
                }

                const fn needed(
                    value: Option<$number>,
                    weight: $number,
                    quantity: Quantity,
                ) -> Result<$number, ValueError> {
                    match value {
                        None if $sign(weight) > 0 => {
                            Err(ValueError::new(quantity, ValueProblem::Missing))
                        }
                        None => Ok($one),
                        Some(end) if $is_finite(end) => Ok(end),
                        Some(_) => Err(ValueError::new(quantity, ValueProblem::NotFinite)),
                    }
                }

                if let Err(error) = amount(terms.bias, Quantity::Bias) {
                    return Err(error);
                }
                if let Some(end) = terms.max_distance
                    && let Err(error) = amount(end, Quantity::MaxDistance)
                {
                    return Err(error);
                }
                let weights = &terms.weights;
                let max_age = match needed(terms.max_age, weights.age, Quantity::MaxAge) {
                    Ok(end) => end,
                    Err(error) => return Err(error),
                };
                let max_speed = match needed(terms.max_speed, weights.speed, Quantity::MaxSpeed) {
                    Ok(end) => end,
                    Err(error) => return Err(error),
                };
                if $sign(max_speed) <= 0 {
                    return Err(ValueError::new(Quantity::MaxSpeed, ValueProblem::NotPositive));
                }
                let (max_age, max_speed) = ($range_end(max_age), $range_end(max_speed));
                Ok(Self { terms, max_age, max_speed })
            }
        }
    };
}

const_rule!(
    Fixed,
    Fixed::to_bits,
    is_number,
    Fixed::const_range_end,
    Fixed::ONE,
    /// [`new`](Self::new) in fixed point, const: the compiler checks and prepares a table of rules, which lives in flash.
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Fixed;
    /// use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
    ///
    /// const TERMS: BenefitTerms<Fixed> = BenefitTerms {
    ///     weights: Weights::from_percent(70, 30, 0).unwrap(),
    ///     max_age: Some(Fixed::from_int(20)),
    ///     max_distance: Some(Fixed::from_int(60)),
    ///     ..BenefitTerms::DISTANCE
    /// };
    /// static CLOTH: BenefitRule<Fixed> = match BenefitRule::new_fixed(TERMS) {
    ///     Ok(rule) => rule,
    ///     Err(_) => panic!("invalid terms"),
    /// };
    /// let prepared = BenefitRule::new(TERMS)?;
    /// assert_eq!(format!("{CLOTH:?}"), format!("{prepared:?}"));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    new_fixed
);

const_rule!(
    f32,
    sign_of_f32,
    f32::is_finite,
    range_end_of_f32,
    1.0,
    /// [`new`](Self::new) in single precision, const, as [`new_fixed`](BenefitRule::new_fixed).
    ///
    /// # Errors
    /// As [`new`](Self::new).
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::{BenefitRule, BenefitTerms, Weights};
    ///
    /// const TERMS: BenefitTerms<f32> = BenefitTerms {
    ///     weights: Weights::from_percent_f32(70, 30, 0).unwrap(),
    ///     max_age: Some(20.0),
    ///     ..BenefitTerms::DISTANCE
    /// };
    /// static CLOTH: BenefitRule<f32> = match BenefitRule::new_f32(TERMS) {
    ///     Ok(rule) => rule,
    ///     Err(_) => panic!("invalid terms"),
    /// };
    /// let prepared = BenefitRule::new(TERMS)?;
    /// assert_eq!(format!("{CLOTH:?}"), format!("{prepared:?}"));
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    new_f32
);

/// Every fixed-point number is finite.
const fn is_number(_: Fixed) -> bool {
    true
}

const fn sign_of_f32(value: f32) -> i32 {
    if value > 0.0 {
        1
    } else if value < 0.0 {
        -1
    } else {
        0
    }
}

const WEIGHTS_TOLERANCE: f64 = 1e-3;
/// Allows for rounding of three weights in 2⁻¹⁶.
const ROUNDING: f64 = 1.5 / 65_536.0;

/// The weights of the three importances; they total 1 within 10⁻³ ("the LOD weights should total 1").
///
/// # Examples
/// ```
/// # use lodger_core::benefit::Weights;
/// assert_eq!(Weights::<f32>::DISTANCE.distance(), 1.0);
/// assert!(Weights::new(0.5, 0.25, 0.5).is_err(), "they total 1.25");
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Weights<N> {
    distance: N,
    age: N,
    speed: N,
}

impl Weights<Fixed> {
    /// Makes weights from percentages, rounded down to 2⁻¹⁶; `None` unless they total 100.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Fixed;
    /// use lodger_core::benefit::Weights;
    ///
    /// const WEIGHTS: Weights<Fixed> = Weights::from_percent(75, 25, 0).unwrap();
    /// assert_eq!(Ok(WEIGHTS), Weights::new(WEIGHTS.distance(), WEIGHTS.age(), WEIGHTS.speed()));
    /// assert_eq!(Weights::from_percent(75, 26, 0), None);
    /// ```
    #[must_use]
    pub const fn from_percent(distance: u8, age: u8, speed: u8) -> Option<Self> {
        if distance as u16 + age as u16 + speed as u16 != 100 {
            return None;
        }
        let (distance, age, speed) = (percent(distance), percent(age), percent(speed));
        Some(Self { distance, age, speed })
    }
}

impl Weights<f32> {
    /// Makes weights from percentages, rounded to the nearest; `None` unless they total 100.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::Weights;
    ///
    /// const WEIGHTS: Weights<f32> = Weights::from_percent_f32(70, 30, 0).unwrap();
    /// assert_eq!(Ok(WEIGHTS), Weights::new(0.7, 0.3, 0.0));
    /// assert_eq!(Weights::from_percent_f32(75, 26, 0), None);
    /// ```
    #[must_use]
    pub const fn from_percent_f32(distance: u8, age: u8, speed: u8) -> Option<Self> {
        if distance as u16 + age as u16 + speed as u16 != 100 {
            return None;
        }
        let (distance, age, speed) = (distance as f32, age as f32, speed as f32);
        Some(Self { distance: distance / 100.0, age: age / 100.0, speed: speed / 100.0 })
    }
}

const fn percent(percent: u8) -> Fixed {
    Fixed::from_bits(((percent as i32) << 16) / 100)
}

impl<N: Real> Weights<N> {
    /// The weight of distance alone.
    pub const DISTANCE: Self = Self { distance: N::ONE, age: N::ZERO, speed: N::ZERO };

    /// Takes weights that already total 1. A single weight a little above 1 counts as 1.
    ///
    /// # Errors
    /// [`ValueProblem::Negative`] or [`ValueProblem::NotFinite`] for a weight, [`ValueProblem::NotOne`] for the total.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::Weights;
    ///
    /// assert!(Weights::new(0.7_f32, 0.3, 0.0).is_ok());
    /// assert!(Weights::new(0.7_f32, 0.7, 0.0).is_err());
    /// assert!(Weights::normalised(0.7_f32, 0.7, 0.0).is_ok());
    /// ```
    pub fn new(distance: N, age: N, speed: N) -> Result<Self, ValueError> {
        let mut total = N::ZERO;
        for weight in [distance, age, speed] {
            total = total + weight.not_negative(Quantity::Weight)?;
        }
        let total = total.to_f64();
        if (total - 1.0).abs() <= WEIGHTS_TOLERANCE + ROUNDING {
            let weight = |weight: N| weight.lesser(N::ONE);
            Ok(Self { distance: weight(distance), age: weight(age), speed: weight(speed) })
        } else {
            Err(ValueError::new(Quantity::Weights, ValueProblem::NotOne))
        }
    }

    /// Divides the weights by their total.
    ///
    /// # Errors
    /// [`ValueProblem::Negative`] or [`ValueProblem::NotFinite`] for a weight or the total,
    /// [`ValueProblem::NotPositive`] when all are 0.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::Fixed;
    /// use lodger_core::benefit::Weights;
    ///
    /// // The total exceeds the range of the weights' type.
    /// let much = Fixed::from_bits(20_000 << 16);
    /// let weights = Weights::normalised(much, much, much)?;
    /// assert_eq!(weights.speed().to_bits(), 65_536 / 3);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    pub fn normalised(distance: N, age: N, speed: N) -> Result<Self, ValueError> {
        // The total may exceed the range of the weights' type.
        let mut total = N::Square::default();
        for weight in [distance, age, speed] {
            total = total + weight.not_negative(Quantity::Weight)?.widen();
        }
        if !total.is_finite() {
            return Err(ValueError::new(Quantity::Weights, ValueProblem::NotFinite));
        }
        if total <= N::Square::default() {
            return Err(ValueError::new(Quantity::Weights, ValueProblem::NotPositive));
        }
        let part = |weight: N| N::narrow(weight.widen() / total);
        Ok(Self { distance: part(distance), age: part(age), speed: part(speed) })
    }

    /// Returns the weight of distance.
    pub fn distance(&self) -> N {
        self.distance
    }

    /// Returns the weight of age.
    pub fn age(&self) -> N {
        self.age
    }

    /// Returns the weight of speed.
    pub fn speed(&self) -> N {
        self.speed
    }
}

#[cfg(test)]
mod tests {
    use std::format;

    use proptest::prelude::*;

    use super::*;

    fn number() -> impl Strategy<Value = Fixed> {
        prop_oneof![-3_i32..3, any::<i32>()].prop_map(Fixed::from_bits)
    }

    fn float() -> impl Strategy<Value = f32> {
        prop_oneof![-3.0_f32..300.0, any::<u32>().prop_map(f32::from_bits)]
    }

    proptest! {
        #[test]
        fn a_const_rule_is_the_same(
            bias in number(),
            ends in prop::array::uniform3(prop::option::of(number())),
            (age, speed) in (0_u8..=50, 0_u8..=50),
        ) {
            let weights = Weights::from_percent(100 - age - speed, age, speed).unwrap();
            prop_assert!(Weights::new(weights.distance(), weights.age(), weights.speed()).is_ok());
            let [max_distance, max_age, max_speed] = ends;
            let terms =
                BenefitTerms { max_distance, weights, bias, max_age, max_speed, ..BenefitTerms::DISTANCE };
            let [prepared, constant] = [BenefitRule::new(terms), BenefitRule::new_fixed(terms)];
            prop_assert_eq!(format!("{prepared:?}"), format!("{constant:?}"));
        }

        #[test]
        fn a_const_rule_is_the_same_in_single_precision(
            bias in float(),
            ends in prop::array::uniform3(prop::option::of(float())),
            (age, speed) in (0_u8..=50, 0_u8..=50),
        ) {
            let weights = Weights::from_percent_f32(100 - age - speed, age, speed).unwrap();
            prop_assert_eq!(Weights::new(weights.distance(), weights.age(), weights.speed()), Ok(weights));
            let [max_distance, max_age, max_speed] = ends;
            let terms =
                BenefitTerms { max_distance, weights, bias, max_age, max_speed, ..BenefitTerms::DISTANCE };
            let [prepared, constant] = [BenefitRule::new(terms), BenefitRule::new_f32(terms)];
            prop_assert_eq!(format!("{prepared:?}"), format!("{constant:?}"));
        }
    }
}
