//! The benefits of many states at once, in loops that compilers make vectors of.
//!
//! The sum is that of the loop in `rows`, term by term. Here no row has a branch: what is the same for
//! all rows is asked before the loop, and whether a state is sound is only noted. A block of rows in
//! which one is not gets a second look, which finds out whose it is.

// Who compiles for wider vectors than its build's does so with all that is called in the loop.
#![allow(clippy::inline_always)]

use super::sum::Sum;
use super::{Benefit, BenefitRule, Columns};
use crate::importance::{Curve, DistanceImportance};
use crate::real::{Real, Square};

/// So many rows at a time. Their distances stay in a processor's nearest memory, and the sum of their
/// benefits, each below 2^24, fits 32 bits.
const BLOCK: usize = 128;

/// What [`BenefitRule::observe`] found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Observed {
    /// How many states are not sound, as far as they were read.
    pub quarantined: usize,
    /// The sum of the benefits in units of 2⁻¹⁶.
    pub total: u64,
}

impl Observed {
    /// What was found in two places.
    #[inline]
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            quarantined: self.quarantined.wrapping_add(other.quarantined),
            total: self.total.wrapping_add(other.total),
        }
    }
}

/// Which columns [`BenefitRule::observe`] reads.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Weighed {
    /// [`Columns::x`], [`y`](Columns::y), [`z`](Columns::z) and [`curve`](Columns::curve): the distance
    /// importance has a weight, and there is an eye.
    pub position: bool,
    /// [`Columns::age`].
    pub age: bool,
    /// [`Columns::speed`].
    pub speed: bool,
}

impl<N: Real> BenefitRule<N> {
    /// Which numbers of a state make a difference to its benefit.
    #[inline]
    #[must_use]
    pub fn weighed(&self, eyes: &[[N; 3]]) -> Weighed {
        let weights = &self.terms.weights;
        Weighed {
            position: weights.distance > N::ZERO && !eyes.is_empty(),
            age: weights.age > N::ZERO,
            speed: weights.speed > N::ZERO,
        }
    }

    /// The benefits of many actors to the nearest of the eyes, which are finite: those of
    /// [`benefits`](Self::benefits), bit for bit, at the speed of memory where the caller's build has
    /// vectors.
    ///
    /// Columns that [`weighed`](Self::weighed) does not name are not read, and may be empty. So an actor
    /// is quarantined for what makes a difference to its benefit alone. Whoever keeps the states checks
    /// the others where they are set, a position too when no eye sees it or distance has no weight; as
    /// long as they are sound, this and `benefits` quarantine the same actors.
    ///
    /// It is inlined into its caller with all that it calls, to be compiled for the caller's vectors.
    ///
    /// # Examples
    /// ```
    /// use lodger_core::benefit::{BenefitRule, BenefitTerms, Columns, Observed};
    /// use lodger_core::Benefit;
    ///
    /// let rule = BenefitRule::new(BenefitTerms::default())?;
    /// let curve = [rule.curve(0.0_f32)?; 2];
    /// let columns = Columns { x: &[0.0, f32::NAN], y: &[0.0; 2], z: &[0.0; 2], age: &[], speed: &[], curve: &curve };
    /// let mut out = [Benefit::MAX; 2];
    /// let found = rule.observe(&[[0.0; 3]], columns, &mut out);
    /// assert_eq!(found, Observed { quarantined: 1, total: 65_536 });
    /// assert_eq!(out.map(Benefit::bits), [65_536, 0]);
    /// # Ok::<(), lodger_core::Error>(())
    /// ```
    #[inline(always)]
    pub fn observe(
        &self,
        eyes: &[[N; 3]],
        columns: Columns<'_, N>,
        out: &mut [Benefit],
    ) -> Observed {
        let position = self.weighed(eyes).position;
        let is_angular = self.terms.distance_importance == DistanceImportance::Angular;
        match (eyes, is_angular) {
            _ if !position => self.seen::<0, false>(&[], columns, out),
            ([_], false) => self.seen::<1, false>(eyes, columns, out),
            ([_], true) => self.seen::<1, true>(eyes, columns, out),
            (_, false) => self.seen::<2, false>(eyes, columns, out),
            (_, true) => self.seen::<2, true>(eyes, columns, out),
        }
    }

    /// By so many eyes; two stand for all greater numbers.
    #[inline(always)]
    fn seen<const EYES: usize, const ANGULAR: bool>(
        &self,
        eyes: &[[N; 3]],
        columns: Columns<'_, N>,
        out: &mut [Benefit],
    ) -> Observed {
        let Weighed { age, speed, .. } = self.weighed(eyes);
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
            (_, _, false) => self.seen_high::<EYES, ANGULAR>(eyes, columns, out),
        }
    }

    /// The same for benefits that may be high, as a great bias makes them: rare, so not compiled for each kind
    /// of vectors.
    #[cold]
    #[inline(never)]
    fn seen_high<const EYES: usize, const ANGULAR: bool>(
        &self,
        eyes: &[[N; 3]],
        columns: Columns<'_, N>,
        out: &mut [Benefit],
    ) -> Observed {
        let Weighed { age, speed, .. } = self.weighed(eyes);
        match (age, speed) {
            (false, false) => self.blocks::<EYES, ANGULAR, false, false, false>(eyes, columns, out),
            (false, true) => self.blocks::<EYES, ANGULAR, false, true, false>(eyes, columns, out),
            (true, false) => self.blocks::<EYES, ANGULAR, true, false, false>(eyes, columns, out),
            (true, true) => self.blocks::<EYES, ANGULAR, true, true, false>(eyes, columns, out),
        }
    }

    /// Block by block.
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
        columns: Columns<'_, N>,
        out: &mut [Benefit],
    ) -> Observed {
        let Columns { x, y, z, age, speed, curve } = columns;
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
        let mut found = Observed::default();
        let mut start = 0_usize;
        for out in out.get_mut(..len).unwrap_or_default().chunks_mut(BLOCK) {
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
fn part<N>(column: &[N], start: usize, end: usize) -> &[N] {
    column.get(start..end).unwrap_or_default()
}

/// The loop. Columns that are not read are empty.
#[allow(clippy::too_many_arguments)] // in a structure compilers lose sight of what may overlap
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
    curve: &[Curve<N>],
    age: &[N],
    speed: &[N],
    out: &mut [Benefit],
) -> Observed {
    let columns = Columns { x, y, z, age, speed, curve };
    let importance =
        if ANGULAR { DistanceImportance::Angular } else { DistanceImportance::SolidAngle };
    // What stands where nothing is read is not read either.
    let (none, no_curve) = ([N::ZERO; BLOCK], [Curve::default(); BLOCK]);
    let (x, y, z) = if EYES > 0 { (x, y, z) } else { (&none[..], &none[..], &none[..]) };
    let curve = if EYES > 0 { curve } else { &no_curve };
    let age = if AGE { age } else { &none };
    let speed = if SPEED { speed } else { &none };

    let mut nearest = [N::Square::default(); BLOCK];
    let eye = eyes.first().copied().unwrap_or_default();
    if EYES > 1 {
        for (((x, y), z), nearest) in x.iter().zip(y).zip(z).zip(&mut nearest) {
            *nearest = N::distance_sq([*x, *y, *z], eye);
        }
        for eye in eyes.iter().skip(1) {
            // What is read is not what is written, or else compilers write part of a vector.
            let before = nearest;
            for ((((x, y), z), before), nearest) in
                x.iter().zip(y).zip(z).zip(&before).zip(&mut nearest)
            {
                *nearest = N::distance_sq([*x, *y, *z], *eye).at_most(*before);
            }
        }
    }

    let (mut doubt, mut sum) = (N::Doubt::default(), 0_u32);
    // Nor is a place whose distance is known.
    let (x, y, z) = if EYES > 1 { (&none[..], &none[..], &none[..]) } else { (x, y, z) };
    let places = x.iter().zip(y).zip(z).zip(&nearest).zip(curve);
    for (((((((x, y), z), nearest), curve), age), speed), out) in
        places.zip(age).zip(speed).zip(&mut *out)
    {
        let mut value = N::ZERO;
        if EYES > 0 {
            let distance_sq = if EYES > 1 { *nearest } else { N::distance_sq([*x, *y, *z], eye) };
            value = terms.near(importance.at(*curve, distance_sq));
            doubt = doubt.max(N::doubt_of_square(distance_sq));
        }
        if AGE {
            value = terms.with_age(value, *age);
            doubt = doubt.max(age.doubt());
        }
        if SPEED {
            value = terms.with_speed(value, *speed);
            doubt = doubt.max(speed.doubt_of_amount());
        }
        *out = if LOW { terms.low_benefit(value) } else { terms.benefit(value) };
        sum = sum.wrapping_add(out.0);
    }
    if doubt < N::DOUBT {
        Observed { quarantined: 0, total: sum.into() }
    } else {
        look_again(columns, out)
    }
}

/// Who of a block's actors is quarantined. A square may be infinite where the position is not.
#[cold]
#[inline(never)]
fn look_again<N: Real>(columns: Columns<'_, N>, out: &mut [Benefit]) -> Observed {
    let Columns { x, y, z, age, speed, .. } = columns;
    let mut sound = [true; BLOCK];
    for column in [x, y, z, age] {
        for (sound, value) in sound.iter_mut().zip(column) {
            *sound &= value.is_finite();
        }
    }
    for (sound, speed) in sound.iter_mut().zip(speed) {
        *sound &= speed.is_amount();
    }
    let mut found = Observed::default();
    for (benefit, sound) in out.iter_mut().zip(sound) {
        *benefit = if sound { *benefit } else { Benefit::ZERO };
        let one = Observed { quarantined: usize::from(!sound), total: benefit.0.into() };
        found = found.plus(one);
    }
    found
}

#[cfg(test)]
mod tests;
