//! Benefits of many states at once, in loops that compilers vectorize.
//!
//! The sum equals the loop in `rows`, term by term, without branches: the loop only records whether a state is invalid.
//! A block with an invalid state is examined again, row by row.

// All called functions are inlined, so that a caller that enables wider vectors compiles them too.
#![allow(clippy::inline_always)]

use super::block::{EVALUATE_ROWS, look_again, part};
use super::lenses::limit_to_view;
use super::rows::Sum;
use super::{
    Benefit, BenefitRule, BenefitTotals, LensTask, Sight, StateColumns, StateFields, Viewpoints,
};
use crate::importance::{DistanceImportance, ImportanceCurve};
use crate::real::Real;

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

    /// Computes the benefits of many actors, of the rows from `first` on, at the nearest of the viewpoints, which are finite,
    /// with the bits of [`benefits`](Self::benefits) and at memory bandwidth.
    ///
    /// Columns that [`used_fields`](Self::used_fields) does not name may be empty, and cannot quarantine an actor; lenses
    /// read the position in any case. If the caller checks them when they are set, the same actors are quarantined as by
    /// `benefits`.
    ///
    /// The function is inlined with all callees, to be compiled for the caller's vector instructions.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::{BenefitRule, BenefitTerms, StateColumns, BenefitTotals, Viewpoints};
    /// use lodger_core::Benefit;
    ///
    /// let rule = BenefitRule::new(BenefitTerms::default())?;
    /// let curve = [rule.curve(0.0_f32)?; 2];
    /// let columns = StateColumns { x: &[0.0, f32::NAN], y: &[0.0; 2], z: &[0.0; 2], age: &[], speed: &[], curve: &curve };
    /// let mut out = [Benefit::MAX; 2];
    /// let found = rule.evaluate(&mut Viewpoints::Eyes(&[[0.0; 3]]), columns, 0, &mut out);
    /// assert_eq!(found, BenefitTotals { quarantined: 1, total: 65_536 });
    /// assert_eq!(out.map(Benefit::bits), [65_536, 0]);
    /// # Ok::<(), lodger_core::ValueError>(())
    /// ```
    #[inline(always)]
    pub fn evaluate(
        &self,
        viewpoints: &mut Viewpoints<'_, N>,
        columns: StateColumns<'_, N>,
        first: usize,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        if let Some(eye) = viewpoints.only_eye() {
            let StateFields { position, age, speed } = self.used_fields(&[eye]);
            let is_common = position && !speed && Sum::of(self).is_low();
            let is_angular = self.terms.distance_importance == DistanceImportance::Angular;
            match (is_angular, age, &mut *viewpoints) {
                _ if !is_common => {}
                (false, false, Viewpoints::Eyes(_)) => {
                    return self.fused::<false, false>(eye, None, columns, first, out);
                }
                (false, true, Viewpoints::Eyes(_)) => {
                    return self.fused::<false, true>(eye, None, columns, first, out);
                }
                (true, false, Viewpoints::Eyes(_)) => {
                    return self.fused::<true, false>(eye, None, columns, first, out);
                }
                (true, true, Viewpoints::Eyes(_)) => {
                    return self.fused::<true, true>(eye, None, columns, first, out);
                }
                (false, false, Viewpoints::Lenses(task, sight)) => {
                    return self.fused::<false, false>(
                        eye,
                        Some((task, sight)),
                        columns,
                        first,
                        out,
                    );
                }
                (false, true, Viewpoints::Lenses(task, sight)) => {
                    return self.fused::<false, true>(
                        eye,
                        Some((task, sight)),
                        columns,
                        first,
                        out,
                    );
                }
                (true, _, Viewpoints::Lenses(..)) => {}
            }
        }
        self.by_passes(viewpoints, columns, first, out)
    }

    /// Computes the common benefits, of one view without zoom, speed or a high bias, in one loop; a frustum is tested after
    /// it. [`by_passes`](Self::by_passes) takes a fifth more instructions.
    #[inline(always)]
    fn fused<const ANGULAR: bool, const AGE: bool>(
        &self,
        eye: [N; 3],
        lens: Option<(&LensTask<'_, N>, &mut Sight<'_>)>,
        columns: StateColumns<'_, N>,
        first: usize,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let (mut lens, StateColumns { x, y, z, age, curve, .. }) = (lens, columns);
        let end = columns.end(StateFields { position: true, age: AGE, speed: false });
        let len = out.len().min(end.saturating_sub(first));
        let terms = Sum::of(self);
        let mut found = BenefitTotals::default();
        let mut start = first;
        for out in out.get_mut(..len).unwrap_or_default().chunks_mut(EVALUATE_ROWS) {
            let end = start.wrapping_add(out.len());
            let (x, y, z) = (part(x, start, end), part(y, start, end), part(z, start, end));
            let age = part(age, start, if AGE { end } else { start });
            let curve = part(curve, start, end);
            let mut of_block = block::<N, ANGULAR, AGE>(&terms, eye, x, y, z, curve, age, out);
            if let Some((task, sight)) = &mut lens {
                let rows = columns.rows(start, out.len());
                of_block.total = limit_to_view(task, sight, start, rows, out);
            }
            found = found.plus(of_block);
            start = end;
        }
        found
    }
}

#[allow(clippy::too_many_arguments)] // in a structure compilers cannot see which slices overlap
#[inline(always)]
fn block<N: Real, const ANGULAR: bool, const AGE: bool>(
    terms: &Sum<N>,
    eye: [N; 3],
    x: &[N],
    y: &[N],
    z: &[N],
    curve: &[ImportanceCurve<N>],
    age: &[N],
    out: &mut [Benefit],
) -> BenefitTotals {
    let columns = StateColumns { x, y, z, age, speed: &[], curve };
    let importance =
        if ANGULAR { DistanceImportance::Angular } else { DistanceImportance::SolidAngle };
    let none = [N::ZERO; EVALUATE_ROWS];
    let age = if AGE { age } else { &none };
    let (mut invalid_bits, mut sum) = (N::InvalidBits::default(), 0_u32);
    let rows = x.iter().zip(y).zip(z).zip(curve).zip(age).zip(&mut *out);
    for (((((x, y), z), curve), age), out) in rows {
        let distance_sq = N::distance_sq([*x, *y, *z], eye);
        let mut value = terms.near(importance.at(*curve, distance_sq));
        invalid_bits = invalid_bits.max(N::invalid_bits_of_square(distance_sq));
        if AGE {
            value = terms.with_age(value, *age);
            invalid_bits = invalid_bits.max(age.invalid_bits());
        }
        *out = terms.low_benefit(value);
        sum = sum.wrapping_add(out.0);
    }
    if invalid_bits < N::INVALID {
        BenefitTotals { quarantined: 0, total: sum.into() }
    } else {
        look_again(columns, out)
    }
}

#[cfg(test)]
mod tests;
