//! Benefits of many states at once, in loops that compilers vectorize.
//!
//! The sum equals the loop in `rows`, term by term, without branches: the loop only records whether a state is invalid.
//! A block with an invalid state is examined again, row by row.

// All called functions are inlined, so that a caller that enables wider vectors compiles them too.
#![allow(clippy::inline_always)]

use super::rows::Sum;
use super::{Benefit, BenefitRule, StateColumns};
use crate::importance::{DistanceImportance, ImportanceCurve};
use crate::real::{Real, Square};

/// 128 distances fit the first-level cache, and 128 benefits below 2²⁴ sum in 32 bits.
pub(super) const EVALUATE_ROWS: usize = 128;

/// Totals of [`BenefitRule::evaluate`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct BenefitTotals {
    /// The number of rows with an invalid number in a column that was read.
    pub quarantined: usize,
    /// The sum of benefits, in 2⁻¹⁶.
    pub total: u64,
}

impl BenefitTotals {
    /// Adds two totals.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            quarantined: self.quarantined.wrapping_add(other.quarantined),
            total: self.total.wrapping_add(other.total),
        }
    }
}

/// The columns that [`BenefitRule::evaluate`] reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct StateFields {
    /// [`StateColumns::x`], [`y`](StateColumns::y), [`z`](StateColumns::z) and [`curve`](StateColumns::curve): distance
    /// has a weight, and there is an eye.
    pub position: bool,
    /// [`StateColumns::age`].
    pub age: bool,
    /// [`StateColumns::speed`].
    pub speed: bool,
}

impl<N: Real> BenefitRule<N> {
    /// Returns the columns that affect a benefit.
    #[inline]
    #[must_use]
    pub fn used_fields(&self, eyes: &[[N; 3]]) -> StateFields {
        let weights = &self.terms.weights;
        StateFields {
            position: weights.distance > N::ZERO && !eyes.is_empty(),
            age: weights.age > N::ZERO,
            speed: weights.speed > N::ZERO,
        }
    }

    /// Computes the benefits of many actors to the nearest of the eyes, which are finite, with the bits of
    /// [`benefits`](Self::benefits) and at memory bandwidth.
    ///
    /// Columns that [`used_fields`](Self::used_fields) does not name may be empty, and cannot quarantine an actor. If the
    /// caller checks them when they are set, the same actors are quarantined as by `benefits`.
    ///
    /// The function is inlined with all callees, to be compiled for the caller's vector instructions.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::{BenefitRule, BenefitTerms, StateColumns, BenefitTotals};
    /// use lodger_core::Benefit;
    ///
    /// let rule = BenefitRule::new(BenefitTerms::default())?;
    /// let curve = [rule.curve(0.0_f32)?; 2];
    /// let columns = StateColumns { x: &[0.0, f32::NAN], y: &[0.0; 2], z: &[0.0; 2], age: &[], speed: &[], curve: &curve };
    /// let mut out = [Benefit::MAX; 2];
    /// let found = rule.evaluate(&[[0.0; 3]], columns, &mut out);
    /// assert_eq!(found, BenefitTotals { quarantined: 1, total: 65_536 });
    /// assert_eq!(out.map(Benefit::bits), [65_536, 0]);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[inline(always)]
    pub fn evaluate(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let position = self.used_fields(eyes).position;
        let is_angular = self.terms.distance_importance == DistanceImportance::Angular;
        match (eyes, is_angular) {
            _ if !position => self.by_eyes::<0, false>(&[], columns, out),
            ([_], false) => self.by_eyes::<1, false>(eyes, columns, out),
            ([_], true) => self.by_eyes::<1, true>(eyes, columns, out),
            (_, false) => self.by_eyes::<2, false>(eyes, columns, out),
            (_, true) => self.by_eyes::<2, true>(eyes, columns, out),
        }
    }

    #[inline(always)]
    fn by_eyes<const EYES: usize, const ANGULAR: bool>(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let StateFields { age, speed, .. } = self.used_fields(eyes);
        match (age, speed, Sum::of(self).is_low()) {
            (false, false, true) => {
                self.blocks::<EYES, ANGULAR, false, false, true>(eyes, columns, out)
            }
            (false, true, true) => {
                self.blocks::<EYES, ANGULAR, false, true, true>(eyes, columns, out)
            }
            (true, false, true) => {
                self.blocks::<EYES, ANGULAR, true, false, true>(eyes, columns, out)
            }
            (true, true, true) => {
                self.blocks::<EYES, ANGULAR, true, true, true>(eyes, columns, out)
            }
            (_, _, false) => self.by_eyes_high::<EYES, ANGULAR>(eyes, columns, out),
        }
    }

    /// Equals `by_eyes` for high benefits, from a large bias: rare, so not compiled for each vector width.
    #[cold]
    #[inline(never)]
    fn by_eyes_high<const EYES: usize, const ANGULAR: bool>(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let StateFields { age, speed, .. } = self.used_fields(eyes);
        match (age, speed) {
            (false, false) => self.blocks::<EYES, ANGULAR, false, false, false>(eyes, columns, out),
            (false, true) => self.blocks::<EYES, ANGULAR, false, true, false>(eyes, columns, out),
            (true, false) => self.blocks::<EYES, ANGULAR, true, false, false>(eyes, columns, out),
            (true, true) => self.blocks::<EYES, ANGULAR, true, true, false>(eyes, columns, out),
        }
    }

    #[inline(always)]
    fn blocks<
        const EYES: usize,
        const ANGULAR: bool,
        const AGE: bool,
        const SPEED: bool,
        const LOW: bool,
    >(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let StateColumns { x, y, z, age, speed, curve } = columns;
        let mut len = out.len();
        if EYES > 0 {
            len = len.min(x.len()).min(y.len()).min(z.len()).min(curve.len());
        }
        if AGE {
            len = len.min(age.len());
        }
        if SPEED {
            len = len.min(speed.len());
        }
        let terms = Sum::of(self);
        let mut found = BenefitTotals::default();
        let mut start = 0_usize;
        for out in out.get_mut(..len).unwrap_or_default().chunks_mut(EVALUATE_ROWS) {
            let end = start.wrapping_add(out.len());
            let part = |column, is_read| part(column, start, if is_read { end } else { start });
            let x = part(x, EYES > 0);
            let y = part(y, EYES > 0);
            let z = part(z, EYES > 0);
            let age = part(age, AGE);
            let speed = part(speed, SPEED);
            let curve = curve.get(start..end).unwrap_or_default();
            let of_block = block::<N, EYES, ANGULAR, AGE, SPEED, LOW>(
                &terms, eyes, x, y, z, curve, age, speed, out,
            );
            found = found.plus(of_block);
            start = end;
        }
        found
    }
}

#[inline(always)]
pub(super) fn part<N>(column: &[N], start: usize, end: usize) -> &[N] {
    column.get(start..end).unwrap_or_default()
}

#[allow(clippy::too_many_arguments)] // in a structure compilers cannot see which slices overlap
#[inline(always)]
fn block<
    N: Real,
    const EYES: usize,
    const ANGULAR: bool,
    const AGE: bool,
    const SPEED: bool,
    const LOW: bool,
>(
    terms: &Sum<N>,
    eyes: &[[N; 3]],
    x: &[N],
    y: &[N],
    z: &[N],
    curve: &[ImportanceCurve<N>],
    age: &[N],
    speed: &[N],
    out: &mut [Benefit],
) -> BenefitTotals {
    let columns = StateColumns { x, y, z, age, speed, curve };
    let importance =
        if ANGULAR { DistanceImportance::Angular } else { DistanceImportance::SolidAngle };
    // Placeholders for columns that are not read.
    let (none, no_curve) = ([N::ZERO; EVALUATE_ROWS], [ImportanceCurve::default(); EVALUATE_ROWS]);
    let (x, y, z) = if EYES > 0 { (x, y, z) } else { (&none[..], &none[..], &none[..]) };
    let curve = if EYES > 0 { curve } else { &no_curve };
    let age = if AGE { age } else { &none };
    let speed = if SPEED { speed } else { &none };

    let mut nearest = [N::Square::default(); EVALUATE_ROWS];
    let eye = eyes.first().copied().unwrap_or_default();
    if EYES > 1 {
        for (((x, y), z), nearest) in x.iter().zip(y).zip(z).zip(&mut nearest) {
            *nearest = N::distance_sq([*x, *y, *z], eye);
        }
        for eye in eyes.iter().skip(1) {
            // Read from a copy: otherwise compilers vectorize only a part of the loop.
            let before = nearest;
            for ((((x, y), z), before), nearest) in
                x.iter().zip(y).zip(z).zip(&before).zip(&mut nearest)
            {
                *nearest = N::distance_sq([*x, *y, *z], *eye).at_most(*before);
            }
        }
    }

    let (mut invalid_bits, mut sum) = (N::InvalidBits::default(), 0_u32);
    // With several eyes the distances are known, so the positions are not read again.
    let (x, y, z) = if EYES > 1 { (&none[..], &none[..], &none[..]) } else { (x, y, z) };
    let places = x.iter().zip(y).zip(z).zip(&nearest).zip(curve);
    for (((((((x, y), z), nearest), curve), age), speed), out) in
        places.zip(age).zip(speed).zip(&mut *out)
    {
        let mut value = N::ZERO;
        if EYES > 0 {
            let distance_sq = if EYES > 1 { *nearest } else { N::distance_sq([*x, *y, *z], eye) };
            value = terms.near(importance.at(*curve, distance_sq));
            invalid_bits = invalid_bits.max(N::invalid_bits_of_square(distance_sq));
        }
        if AGE {
            value = terms.with_age(value, *age);
            invalid_bits = invalid_bits.max(age.invalid_bits());
        }
        if SPEED {
            value = terms.with_speed(value, *speed);
            invalid_bits = invalid_bits.max(speed.invalid_bits_of_amount());
        }
        *out = if LOW { terms.low_benefit(value) } else { terms.benefit(value) };
        sum = sum.wrapping_add(out.0);
    }
    if invalid_bits < N::INVALID {
        BenefitTotals { quarantined: 0, total: sum.into() }
    } else {
        look_again(columns, out)
    }
}

/// Finds the quarantined actors of a block. A squared distance may be infinite although the position is finite.
#[cold]
#[inline(never)]
pub(super) fn look_again<N: Real>(
    columns: StateColumns<'_, N>,
    out: &mut [Benefit],
) -> BenefitTotals {
    let StateColumns { x, y, z, age, speed, .. } = columns;
    let mut valid = [true; EVALUATE_ROWS];
    for column in [x, y, z, age] {
        for (valid, value) in valid.iter_mut().zip(column) {
            *valid &= value.is_finite();
        }
    }
    for (valid, speed) in valid.iter_mut().zip(speed) {
        *valid &= speed.is_amount();
    }
    let mut found = BenefitTotals::default();
    for (benefit, valid) in out.iter_mut().zip(valid) {
        *benefit = if valid { *benefit } else { Benefit::ZERO };
        let one = BenefitTotals { quarantined: usize::from(!valid), total: benefit.0.into() };
        found = found.plus(one);
    }
    found
}

#[cfg(test)]
mod tests;
