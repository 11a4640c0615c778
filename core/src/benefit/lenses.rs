//! Benefits at several views, of which each has a zoom and a frustum.
//!
//! A benefit does not decrease with an importance, so the greatest of the benefits at all views that see an actor is the
//! benefit at the nearest of them, and likewise at the views that do not see it.

// All called functions are inlined, so that a caller that enables wider vectors compiles them too.
#![allow(clippy::inline_always)]

use super::evaluate::{EVALUATE_ROWS, look_again, part};
use super::rows::Sum;
use super::{ActorState, Benefit, BenefitRule, BenefitTotals, OutsideFactor, StateColumns};
use crate::real::{Real, Square};
use crate::view::Lens;

/// The rows that each view sees.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Sight<'a> {
    /// All views see all rows.
    All,
    /// The views' frusta are tested.
    Tested {
        /// `stride` bytes for each row. Bit i % 8 of byte i / 8 of a row says whether view i saw the actor in the last tick, or
        /// the actor or the view is new; a tick updates it.
        bits: &'a mut [u8],
        /// The number of bytes for each row: a bit for each view.
        stride: usize,
    },
    /// Whether no view sees a row; all views see the others, or all rows if this is empty.
    Given(&'a [bool]),
}

impl Sight<'_> {
    /// Splits the sight before row `rows`.
    #[must_use]
    pub fn split_at(self, rows: usize) -> (Self, Self) {
        match self {
            Self::All => (Self::All, Self::All),
            Self::Tested { bits, stride } => {
                let at = rows.saturating_mul(stride).min(bits.len());
                let (bits, after) = bits.split_at_mut(at);
                (Self::Tested { bits, stride }, Self::Tested { bits: after, stride })
            }
            Self::Given(unseen) => {
                let (unseen, after) = unseen.split_at(rows.min(unseen.len()));
                (Self::Given(unseen), Self::Given(after))
            }
        }
    }

    /// Borrows the sight of some rows.
    #[must_use]
    pub fn rows(&mut self, first: usize, rows: usize) -> Sight<'_> {
        let end = first.saturating_add(rows);
        match self {
            Self::All => Sight::All,
            Self::Tested { bits, stride } => {
                let range = first.saturating_mul(*stride)..end.saturating_mul(*stride);
                Sight::Tested { bits: bits.get_mut(range).unwrap_or_default(), stride: *stride }
            }
            Self::Given(unseen) => Sight::Given(unseen.get(first..end).unwrap_or_default()),
        }
    }
}

/// The views of a tick, and a module's factor outside of them.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct LensTask<'a, N: Real> {
    /// The views, each at the place of its bit in [`Sight`]; `None` for no view.
    pub lenses: &'a [Option<Lens<N>>],
    /// The factor outside of views.
    pub outside: OutsideFactor,
    /// The radii of the actors in metres; read for [`Sight::Tested`].
    pub radius: &'a [N],
}

impl<N: Real> BenefitRule<N> {
    /// Computes the benefits of many actors at views with a zoom or a frustum; for the rest as
    /// [`evaluate`](Self::evaluate), which is faster for views that are mere positions.
    ///
    /// # Formula
    /// The greatest benefit at any view. At a view that does not see the actor, its benefit b counts (b · o) >> 12, where o is
    /// the [`OutsideFactor`].
    #[inline(always)]
    pub fn evaluate_through(
        &self,
        task: LensTask<'_, N>,
        sight: Sight<'_>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let mut found = BenefitTotals::default();
        self.parts::<EVALUATE_ROWS>(task, sight, columns, out, |rule, parts, columns, out| {
            let is_valid = rule.part(parts, columns, out);
            let of_part = if is_valid {
                let total = out.iter().fold(0_u32, |sum, benefit| sum.wrapping_add(benefit.bits()));
                BenefitTotals { quarantined: 0, total: total.into() }
            } else {
                look_again(columns, out)
            };
            found = found.plus(of_part);
        });
        found
    }

    /// Computes the same benefits row by row, and returns the number of quarantined actors: [`benefits`](Self::benefits)
    /// for views with a zoom or a frustum.
    pub fn benefits_through(
        &self,
        task: LensTask<'_, N>,
        sight: Sight<'_>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> usize {
        let mut quarantined = 0_usize;
        self.parts::<1>(task, sight, columns, out, |rule, parts, columns, out| {
            let _ = rule.part(parts, columns, out);
            let value = |column: &[N]| column.first().copied().unwrap_or_default();
            let StateColumns { x, y, z, age, speed, .. } = columns;
            let position = [x, y, z].map(value);
            if !(ActorState { position, age: value(age), speed: value(speed) }).is_valid() {
                quarantined = quarantined.wrapping_add(1);
                out.fill(Benefit::ZERO);
            }
        });
        quarantined
    }

    /// Calls `see` with at most `ROWS` rows at a time.
    #[inline(always)]
    fn parts<const ROWS: usize>(
        &self,
        task: LensTask<'_, N>,
        mut sight: Sight<'_>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
        mut see: impl FnMut(&Self, Part<'_, '_, N, ROWS>, StateColumns<'_, N>, &mut [Benefit]),
    ) {
        let StateColumns { x, y, z, age, speed, curve } = columns;
        let mut start = 0_usize;
        for out in out.chunks_mut(ROWS) {
            let end = start.wrapping_add(out.len());
            let columns = StateColumns {
                x: part(x, start, end),
                y: part(y, start, end),
                z: part(z, start, end),
                age: part(age, start, end),
                speed: part(speed, start, end),
                curve: curve.get(start..end).unwrap_or_default(),
            };
            let task = LensTask { radius: part(task.radius, start, end), ..task };
            see(self, Part { task, sight: sight.rows(start, out.len()) }, columns, out);
            start = end;
        }
    }

    /// Computes the benefits of a part; returns whether all numbers that have a weight or decide what is seen are surely
    /// valid.
    #[inline(always)]
    fn part<const ROWS: usize>(
        &self,
        Part { task, mut sight }: Part<'_, '_, N, ROWS>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> bool {
        let terms = Sum::of(self);
        let weights = &self.terms.weights;
        let StateColumns { x, y, z, age, speed, curve } = columns;
        let mut invalid_bits = N::InvalidBits::default();
        // The least squared distance to a view that sees the actor, and to one that does not.
        let mut nearest = [[N::Square::default(); ROWS]; 2];
        let mut has_any = [[false; ROWS]; 2];
        let mut has_views = false;
        for (index, lens) in task.lenses.iter().enumerate() {
            let Some(lens) = lens else { continue };
            has_views = true;
            let mut is_seen = [true; ROWS];
            sight.look(index, lens, [x, y, z], task.radius, &mut is_seen);
            let [near, far] = &mut nearest;
            let [has_near, has_far] = &mut has_any;
            let positions = x.iter().zip(y).zip(z).zip(&is_seen);
            let places = near.iter_mut().zip(has_near).zip(far.iter_mut().zip(has_far));
            for ((((x, y), z), is_seen), ((near, has_near), (far, has_far))) in
                positions.zip(places)
            {
                let distance_sq = N::distance_sq([*x, *y, *z], lens.eye);
                invalid_bits = invalid_bits.max(N::invalid_bits_of_square(distance_sq));
                let distance_sq = lens.shrink.map_or(distance_sq, |shrink| distance_sq * shrink);
                let nearer = |before, has: bool| {
                    if has { distance_sq.at_most(before) } else { distance_sq }
                };
                *near = if *is_seen { nearer(*near, *has_near) } else { *near };
                *far = if *is_seen { *far } else { nearer(*far, *has_far) };
                *has_near |= *is_seen;
                *has_far |= !*is_seen;
            }
        }
        if !has_views {
            let [is_seen, is_unseen] = &mut has_any;
            is_seen.fill(true);
            sight.given(is_seen);
            for (is_seen, is_unseen) in is_seen.iter().zip(is_unseen) {
                *is_unseen = !is_seen;
            }
        }

        out.fill(Benefit::ZERO);
        let has_distance = has_views && weights.distance > N::ZERO;
        let outside = [OutsideFactor::ONE, task.outside];
        for ((nearest, has_any), factor) in nearest.iter().zip(&has_any).zip(outside) {
            if factor == OutsideFactor::ZERO || !has_any.iter().any(|has| *has) {
                continue;
            }
            let mut values = [N::ZERO; ROWS];
            if has_distance {
                let importance = self.terms.distance_importance;
                for ((value, nearest), curve) in values.iter_mut().zip(nearest).zip(curve) {
                    *value = terms.near(importance.at(*curve, *nearest));
                }
            }
            if weights.age > N::ZERO {
                for (value, age) in values.iter_mut().zip(age) {
                    *value = terms.with_age(*value, *age);
                }
            }
            if weights.speed > N::ZERO {
                for (value, speed) in values.iter_mut().zip(speed) {
                    *value = terms.with_speed(*value, *speed);
                }
            }
            for ((out, value), has) in out.iter_mut().zip(&values).zip(has_any) {
                let benefit = terms.benefit(*value).outside(factor);
                *out = if *has { benefit.max(*out) } else { *out };
            }
        }
        if weights.age > N::ZERO {
            invalid_bits = age.iter().fold(invalid_bits, |bits, age| bits.max(age.invalid_bits()));
        }
        if weights.speed > N::ZERO {
            let bits = speed.iter().map(|speed| speed.invalid_bits_of_amount());
            invalid_bits = bits.fold(invalid_bits, Ord::max);
        }
        invalid_bits < N::INVALID
    }
}

/// The views of at most `ROWS` rows.
struct Part<'a, 'b, N: Real, const ROWS: usize> {
    task: LensTask<'a, N>,
    sight: Sight<'b>,
}

impl Sight<'_> {
    /// Finds the rows that a view sees, and records them.
    #[inline(always)]
    fn look<N: Real, const ROWS: usize>(
        &mut self,
        index: usize,
        lens: &Lens<N>,
        [x, y, z]: [&[N]; 3],
        radius: &[N],
        is_seen: &mut [bool; ROWS],
    ) {
        match self {
            Self::All => {}
            Self::Given(_) => self.given(is_seen),
            Self::Tested { bits, stride } => {
                let [eye_x, eye_y, eye_z] = lens.eye;
                let bit = 1_u8.wrapping_shl(u32::try_from(index % 8).unwrap_or(0));
                if let Some(frustum) = &lens.frustum {
                    let bytes = bits.iter().skip(index / 8).step_by((*stride).max(1));
                    let was_seen = bytes.map(|byte| byte & bit != 0);
                    let rows = x.iter().zip(y).zip(z).zip(radius).zip(was_seen);
                    for (((((x, y), z), radius), was_seen), is_seen) in rows.zip(&mut *is_seen) {
                        let offset = [*x - eye_x, *y - eye_y, *z - eye_z];
                        *is_seen = frustum.contains(offset, *radius, was_seen);
                    }
                }
                let bytes = bits.iter_mut().skip(index / 8).step_by((*stride).max(1));
                for (byte, is_seen) in bytes.zip(is_seen) {
                    *byte = if *is_seen { *byte | bit } else { *byte & !bit };
                }
            }
        }
    }

    #[inline(always)]
    fn given<const ROWS: usize>(&self, is_seen: &mut [bool; ROWS]) {
        if let Self::Given(unseen) = self {
            for (is_seen, unseen) in is_seen.iter_mut().zip(*unseen) {
                *is_seen = !unseen;
            }
        }
    }
}
