//! Benefits of many actors, row by row. With one eye, each combination of weights and distance importance has a loop of
//! its own.

use super::{Benefit, BenefitRule, StateColumns, Weights};
use crate::importance::{DistanceImportance, ImportanceCurve, PackedCurves};
use crate::real::{Real, Square};

impl<N: Real> BenefitRule<N> {
    /// Computes the benefits of many actors to the nearest of the eyes, which are finite; returns the number of
    /// quarantined actors, whose benefit is 0.
    pub fn benefits(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> usize {
        self.benefits_of(eyes, columns, columns.curve.iter().map(|curve| move || *curve), out)
    }

    /// Computes benefits as [`benefits`](Self::benefits) does, with these curves in place of `columns.curve`.
    pub fn benefits_of_packed(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        curves: PackedCurves<'_, N>,
        out: &mut [Benefit],
    ) -> usize {
        let PackedCurves { curve, exponent } = curves;
        let curves =
            curve.iter().zip(exponent).map(|(curve, exponent)| move || curve.curve(*exponent));
        self.benefits_of(eyes, columns, curves, out)
    }

    #[inline]
    fn benefits_of(
        &self,
        eyes: &[[N; 3]],
        columns: StateColumns<'_, N>,
        curves: impl Iterator<Item: Fn() -> ImportanceCurve<N>>,
        out: &mut [Benefit],
    ) -> usize {
        let importance = self.terms.distance_importance;
        match (eyes, importance) {
            _ if self.terms.weights.distance <= N::ZERO => self.by_any(columns, curves, out, NoEye),
            ([], _) => self.by_any(columns, curves, out, NoEye),
            ([eye], DistanceImportance::SolidAngle) => {
                self.by_distance(columns, curves, out, OneEye::<N, false> { eye: *eye })
            }
            ([eye], DistanceImportance::Angular) => {
                self.by_distance(columns, curves, out, OneEye::<N, true> { eye: *eye })
            }
            ([eye, others @ ..], _) => {
                self.by_any(columns, curves, out, SeveralEyes { eye: *eye, others, importance })
            }
        }
    }

    fn by_any(
        &self,
        columns: StateColumns<'_, N>,
        curves: impl Iterator<Item: Fn() -> ImportanceCurve<N>>,
        out: &mut [Benefit],
        distance: impl Distance<N>,
    ) -> usize {
        let terms = Sum::of(self);
        let weights = self.terms.weights;
        rows(terms, columns, curves, out, distance, |sum, age, speed| {
            if !age.is_finite() {
                None
            } else if weights.speed > N::ZERO {
                Some(terms.with_speed(terms.with_age(sum, *age), *speed))
            } else if weights.age > N::ZERO {
                Some(terms.with_age(sum, *age))
            } else {
                Some(sum)
            }
        })
    }

    fn by_distance(
        &self,
        columns: StateColumns<'_, N>,
        curves: impl Iterator<Item: Fn() -> ImportanceCurve<N>>,
        out: &mut [Benefit],
        distance: impl Distance<N>,
    ) -> usize {
        let terms = Sum::of(self);
        let with_age = |sum: N, age: &N| {
            let is_sound = terms.is_plain(*age) || age.is_finite();
            is_sound.then_some(terms.with_age(sum, *age))
        };
        let weights = self.terms.weights;
        if weights.speed > N::ZERO {
            rows(terms, columns, curves, out, distance, |sum, age, speed| {
                with_age(sum, age).map(|sum| terms.with_speed(sum, *speed))
            })
        } else if weights.age > N::ZERO {
            rows(terms, columns, curves, out, distance, |sum, age, _| with_age(sum, age))
        } else {
            rows(terms, columns, curves, out, distance, |sum, age, _| {
                age.is_finite().then_some(sum)
            })
        }
    }
}

/// Runs the loop; `others` adds the other importances and returns `None` for an invalid age.
#[inline]
fn rows<N: Real>(
    terms: Sum<N>,
    columns: StateColumns<'_, N>,
    curves: impl Iterator<Item: Fn() -> ImportanceCurve<N>>,
    out: &mut [Benefit],
    distance: impl Distance<N>,
    others: impl Fn(N, &N, &N) -> Option<N>,
) -> usize {
    let StateColumns { x, y, z, age, speed, .. } = columns;
    let positions = x.iter().zip(y).zip(z);
    let rows = positions.zip(age.iter().zip(speed)).zip(curves).zip(out);
    let mut quarantined = 0_usize;
    // Values are read only when they are used: registers are few.
    for (((((x, y), z), (age, speed)), curve), out) in rows {
        let sum = if speed.is_amount() {
            let (importance, is_somewhere) = distance.importance(curve, *x, *y, *z);
            if is_somewhere || (x.is_finite() && y.is_finite() && z.is_finite()) {
                others(terms.near_loose(importance), age, speed)
            } else {
                None
            }
        } else {
            None
        };
        *out = match sum {
            Some(sum) => terms.benefit(sum),
            None => quarantine(&mut quarantined),
        };
    }
    quarantined
}

/// Counts a quarantined actor and returns its benefit; out of line, so that no register of the loop holds the number.
#[cold]
#[inline(never)]
fn quarantine(actors: &mut usize) -> Benefit {
    *actors = actors.wrapping_add(1);
    Benefit::ZERO
}

trait Distance<N: Real>: Copy {
    /// Returns the importance, for [`Real::times_loose`], and whether the distance proves that the position is finite.
    // The smallest Cortex-M have registers for numbers, and none for an array.
    fn importance(&self, curve: impl Fn() -> ImportanceCurve<N>, x: N, y: N, z: N) -> (N, bool);
}

#[derive(Clone, Copy)]
struct OneEye<N, const ANGULAR: bool> {
    eye: [N; 3],
}

impl<N: Real, const ANGULAR: bool> Distance<N> for OneEye<N, ANGULAR> {
    // Inlined, except on the smallest Cortex-M, which have too few registers.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline(always))]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    #[allow(clippy::inline_always)] // see above
    fn importance(&self, curve: impl Fn() -> ImportanceCurve<N>, x: N, y: N, z: N) -> (N, bool) {
        let nearest = N::distance_sq([x, y, z], self.eye);
        let importance =
            if ANGULAR { DistanceImportance::Angular } else { DistanceImportance::SolidAngle };
        (importance.loose_at(curve(), nearest), nearest.is_finite())
    }
}

#[derive(Clone, Copy)]
struct SeveralEyes<'a, N> {
    eye: [N; 3],
    others: &'a [[N; 3]],
    importance: DistanceImportance,
}

impl<N: Real> Distance<N> for SeveralEyes<'_, N> {
    fn importance(&self, curve: impl Fn() -> ImportanceCurve<N>, x: N, y: N, z: N) -> (N, bool) {
        let (mut eye, mut others) = (self.eye, self.others.iter());
        let mut nearest = None;
        let nearest = loop {
            let distance = N::distance_sq([x, y, z], eye);
            let least = nearest.map_or(distance, |nearest| distance.at_most(nearest));
            match others.next() {
                Some(other) => (eye, nearest) = (*other, Some(least)),
                None => break least,
            }
        };
        (self.importance.loose_at(curve(), nearest), nearest.is_finite())
    }
}

#[derive(Clone, Copy)]
struct NoEye;

impl<N: Real> Distance<N> for NoEye {
    fn importance(&self, _: impl Fn() -> ImportanceCurve<N>, _: N, _: N, _: N) -> (N, bool) {
        (N::ZERO, false)
    }
}

/// A rule's constants for a loop over rows.
#[derive(Clone, Copy)]
pub(super) struct Sum<N: Real> {
    weights: Weights<N>,
    max_age: N::RangeEnd,
    max_speed: N::RangeEnd,
    bias: N,
}

#[allow(clippy::inline_always)] // called once for each row, and compiled for the caller's vectors
impl<N: Real> Sum<N> {
    #[inline(always)]
    pub(super) fn of(rule: &BenefitRule<N>) -> Self {
        // A larger bias saturates every benefit too; 256 is representable in every number type.
        let bias = rule.terms.bias.lesser(N::narrow(N::Square::from_i32(256)));
        let (max_age, max_speed) = (rule.max_age, rule.max_speed);
        Self { weights: rule.terms.weights, max_age, max_speed, bias }
    }

    #[inline(always)]
    pub(super) fn near(&self, importance: N) -> N {
        self.weights.distance.times_unit(importance)
    }

    /// As [`near`](Self::near), of an importance for [`Real::times_loose`].
    #[inline(always)]
    fn near_loose(&self, importance: N) -> N {
        self.weights.distance.times_loose(importance)
    }

    /// Whether a cheap test proves that the age is finite.
    #[inline(always)]
    pub(super) fn is_plain(&self, age: N) -> bool {
        age.is_within(&self.max_age)
    }

    #[inline(always)]
    pub(super) fn with_age(&self, sum: N, age: N) -> N {
        sum.plus_small(self.weights.age.times_unit(N::ONE - age.fraction_of(self.max_age)))
    }

    #[inline(always)]
    pub(super) fn with_speed(&self, sum: N, speed: N) -> N {
        sum.plus_small(self.weights.speed.times_unit(speed.fraction_of(self.max_speed)))
    }

    #[inline(always)]
    pub(super) fn benefit(&self, sum: N) -> Benefit {
        Benefit(sum.plus_small(self.bias).to_benefit())
    }

    /// Whether every benefit is far below 127: the weights total about 1.
    #[inline(always)]
    pub(super) fn is_low(&self) -> bool {
        self.bias < N::narrow(N::Square::from_i32(64))
    }

    /// Equals [`benefit`](Self::benefit) if [`is_low`](Self::is_low).
    #[inline(always)]
    pub(super) fn low_benefit(&self, sum: N) -> Benefit {
        Benefit(sum.plus_small(self.bias).to_low_benefit())
    }
}

#[cfg(test)]
mod tests {
    use std::vec::Vec;

    use proptest::prelude::*;

    use super::*;
    use crate::benefit::{ActorState, BenefitTerms, Weights};
    use crate::{Fixed, ValueError};

    /// Returns the number of quarantined rows (0 or 1), and the expected number by the state.
    fn quarantined<N: Real>(
        state: ActorState<N>,
        weights: Weights<N>,
        angular: bool,
        eyes: usize,
    ) -> Result<(usize, usize), ValueError> {
        let distance_importance =
            if angular { DistanceImportance::Angular } else { DistanceImportance::SolidAngle };
        let rule = BenefitRule::new(BenefitTerms {
            distance_importance,
            weights,
            max_age: Some(N::ONE),
            max_speed: Some(N::ONE),
            ..BenefitTerms::default()
        })?;
        let ActorState { position: [x, y, z], age, speed } = state;
        let columns = StateColumns {
            x: &[x],
            y: &[y],
            z: &[z],
            age: &[age],
            speed: &[speed],
            curve: &[rule.curve(N::ONE)?],
        };
        let eyes = [[N::ZERO; 3], [N::ONE; 3]].get(..eyes).map_or(Vec::new(), <[_]>::to_vec);
        let mut out = [Benefit::MAX];
        let quarantined = rule.benefits(&eyes, columns, &mut out);
        assert_eq!(rule.benefit(&eyes, columns.curve[0], state).unwrap_or_default(), out[0]);
        Ok((quarantined, usize::from(!state.is_valid())))
    }

    fn weights<N: Real>(kind: usize) -> Weights<N> {
        let half = N::from_f64(0.5).unwrap();
        let (no, one) = (N::ZERO, N::ONE);
        let [distance, age, speed] =
            [[one, no, no], [no, one, no], [no, no, one], [half, half, no], [half, no, half]][kind];
        Weights::new(distance, age, speed).unwrap()
    }

    proptest! {
        #[test]
        fn only_invalid_states_are_quarantined(
            bits: [u32; 5],
            plain: [bool; 5],
            kind in 0..5_usize,
            angular: bool,
            eyes in 0..3_usize,
        ) {
            let floats: [f32; 5] = core::array::from_fn(|number| {
                let value = f32::from_bits(bits[number]);
                if plain[number] { 3.0 } else { value }
            });
            let state = |[x, y, z, age, speed]: [f32; 5]| ActorState { position: [x, y, z], age, speed };
            let (got, expected) = quarantined(state(floats), weights(kind), angular, eyes).unwrap();
            prop_assert_eq!(got, expected);
            let [x, y, z, age, speed] = bits.map(|bits| Fixed::from_bits(bits.cast_signed()));
            let state = ActorState { position: [x, y, z], age, speed };
            let (got, expected) = quarantined(state, weights(kind), angular, eyes).unwrap();
            prop_assert_eq!(got, expected);
        }
    }
}
