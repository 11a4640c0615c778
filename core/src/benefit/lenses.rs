//! Benefits at several views, of which each has a zoom and a frustum.
//!
//! A benefit does not decrease with an importance, so the greatest of the benefits at all views that see an actor is the
//! benefit at the nearest of them, and likewise at the views that do not see it.

// All called functions are inlined, so that a caller that enables wider vectors compiles them too.
#![allow(clippy::inline_always)]

use super::block::{EVALUATE_ROWS, look_again, part, total};
use super::rows::Sum;
use super::{
    ActorState, Benefit, BenefitRule, BenefitTotals, OutsideFactor, StateColumns, StateFields,
};
use crate::importance::DistanceImportance;
use crate::real::{Real, Square};
use crate::view::Lens;

/// Rows that are skipped together if no row has left the view.
const LINE: usize = 16;

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
            Self::Given(out_of_view) => {
                let (out_of_view, after) = out_of_view.split_at(rows.min(out_of_view.len()));
                (Self::Given(out_of_view), Self::Given(after))
            }
        }
    }

    /// Borrows the sight of some rows.
    #[must_use]
    #[inline(always)]
    pub fn rows(&mut self, first: usize, rows: usize) -> Sight<'_> {
        let end = first.saturating_add(rows);
        match self {
            Self::All => Sight::All,
            Self::Tested { bits, stride } => {
                let range = first.saturating_mul(*stride)..end.saturating_mul(*stride);
                Sight::Tested { bits: bits.get_mut(range).unwrap_or_default(), stride: *stride }
            }
            Self::Given(out_of_view) => {
                Sight::Given(out_of_view.get(first..end).unwrap_or_default())
            }
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

/// The places from which actors are seen.
#[derive(Debug)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Viewpoints<'a, N: Real> {
    /// Positions: the nearest counts.
    Eyes(&'a [[N; 3]]),
    /// Views, of which some have a zoom or a frustum. The greatest benefit at any view counts. At a view that does not see
    /// the actor, its benefit b is (b · o) >> 12, where o is the [`OutsideFactor`].
    Lenses(LensTask<'a, N>, Sight<'a>),
}

impl<N: Real> LensTask<'_, N> {
    #[inline(always)]
    fn rows(&self, first: usize, rows: usize) -> Self {
        Self { radius: part(self.radius, first, first.saturating_add(rows)), ..*self }
    }
}

impl<N: Real> Viewpoints<'_, N> {
    /// Returns the only eye, if distances to it are not magnified.
    #[inline(always)]
    pub(super) fn only_eye(&self) -> Option<[N; 3]> {
        match self {
            Self::Eyes([eye]) => Some(*eye),
            Self::Lenses(LensTask { lenses: [Some(Lens { eye, shrink: None, .. })], .. }, _) => {
                Some(*eye)
            }
            _ => None,
        }
    }

    /// Splits the sight and the radii before row `rows`.
    #[must_use]
    pub fn split_at(self, rows: usize) -> (Self, Self) {
        match self {
            Self::Eyes(eyes) => (Self::Eyes(eyes), Self::Eyes(eyes)),
            Self::Lenses(task, sight) => {
                let (radius, radius_after) = task.radius.split_at(rows.min(task.radius.len()));
                let (sight, sight_after) = sight.split_at(rows);
                let after = LensTask { radius: radius_after, ..task };
                (Self::Lenses(LensTask { radius, ..task }, sight), Self::Lenses(after, sight_after))
            }
        }
    }

    #[inline(always)]
    fn rows(&mut self, first: usize, rows: usize) -> Viewpoints<'_, N> {
        match self {
            Self::Eyes(eyes) => Viewpoints::Eyes(eyes),
            Self::Lenses(task, sight) => {
                Viewpoints::Lenses(task.rows(first, rows), sight.rows(first, rows))
            }
        }
    }
}

impl<N: Real> BenefitRule<N> {
    /// Computes benefits of any viewpoints and weights, in one loop for each of them.
    #[inline(always)]
    pub(super) fn by_passes(
        &self,
        viewpoints: &mut Viewpoints<'_, N>,
        columns: StateColumns<'_, N>,
        first: usize,
        out: &mut [Benefit],
    ) -> BenefitTotals {
        let read = self.read_fields(viewpoints);
        let columns = columns.only(read);
        let len = out.len().min(columns.end(read).saturating_sub(first));
        let out = out.get_mut(..len).unwrap_or_default();
        let mut found = BenefitTotals::default();
        for (out, first) in out.chunks_mut(EVALUATE_ROWS).zip((first..).step_by(EVALUATE_ROWS)) {
            let columns = columns.rows(first, out.len());
            let viewpoints = viewpoints.rows(first, out.len());
            let of_part = if self.part::<EVALUATE_ROWS>(viewpoints, columns, out) {
                BenefitTotals { quarantined: 0, total: total(out) }
            } else {
                look_again(columns, out)
            };
            found = found.plus(of_part);
        }
        found
    }

    fn read_fields(&self, viewpoints: &Viewpoints<'_, N>) -> StateFields {
        match viewpoints {
            Viewpoints::Eyes(eyes) => self.used_fields(eyes),
            Viewpoints::Lenses(task, _) => {
                let position = task.lenses.iter().any(Option::is_some);
                StateFields { position, ..self.used_fields(&[]) }
            }
        }
    }

    /// Computes benefits at [lenses](Viewpoints::Lenses) row by row, and returns the number of quarantined actors.
    pub fn benefits_through(
        &self,
        task: LensTask<'_, N>,
        mut sight: Sight<'_>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> usize {
        let mut quarantined = 0_usize;
        for (out, row) in out.chunks_mut(1).zip(0..) {
            let columns = columns.rows(row, 1);
            let viewpoints = Viewpoints::Lenses(task.rows(row, 1), sight.rows(row, 1));
            let _ = self.part::<1>(viewpoints, columns, out);
            let value = |column: &[N]| column.first().copied().unwrap_or_default();
            let StateColumns { x, y, z, age, speed, .. } = columns;
            let position = [x, y, z].map(value);
            if !(ActorState { position, age: value(age), speed: value(speed) }).is_valid() {
                quarantined = quarantined.wrapping_add(1);
                out.fill(Benefit::ZERO);
            }
        }
        quarantined
    }

    /// Computes the benefits of a part; returns whether all numbers that have a weight or decide what is seen are surely
    /// valid.
    #[inline(always)]
    fn part<const ROWS: usize>(
        &self,
        viewpoints: Viewpoints<'_, N>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> bool {
        let StateColumns { age, speed, .. } = columns;
        let weights = &self.terms.weights;
        let mut invalid_bits = N::InvalidBits::default();
        let mut nearest = [N::Square::default(); ROWS];
        match viewpoints {
            Viewpoints::Eyes(eyes) => {
                let eyes = if self.used_fields(eyes).position { eyes } else { &[] };
                let mut has_any = false;
                for eye in eyes {
                    let bits = nearer(*eye, None, columns, has_any, &mut nearest);
                    invalid_bits = invalid_bits.max(bits);
                    has_any = true;
                }
                self.benefits_at(has_any.then_some(&nearest), columns, out);
            }
            Viewpoints::Lenses(task, mut sight) => {
                let views = task.lenses.iter().flatten().count();
                if views > 1 && matches!(sight, Sight::Tested { .. }) {
                    invalid_bits = self.at_several::<ROWS>(&task, &mut sight, columns, out);
                } else {
                    let mut in_view = [true; ROWS];
                    sight.given(&mut in_view);
                    let mut has_any = false;
                    for (index, lens) in task.lenses.iter().enumerate() {
                        let Some(lens) = lens else { continue };
                        sight.look(index, lens, columns, task.radius, &mut in_view);
                        let bits = nearer(lens.eye, lens.shrink, columns, has_any, &mut nearest);
                        invalid_bits = invalid_bits.max(bits);
                        has_any = true;
                    }
                    self.benefits_at(has_any.then_some(&nearest), columns, out);
                    leave_outside(task.outside, &in_view, out);
                }
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

    /// Computes the greatest benefits at several views.
    #[inline(always)]
    fn at_several<const ROWS: usize>(
        &self,
        task: &LensTask<'_, N>,
        sight: &mut Sight<'_>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) -> N::InvalidBits {
        let mut invalid_bits = N::InvalidBits::default();
        // The least squared distance to a view that sees the actor, and to one that does not.
        let mut nearest = [[N::Square::default(); ROWS]; 2];
        let mut has_any = [[false; ROWS]; 2];
        for (index, lens) in task.lenses.iter().enumerate() {
            let Some(lens) = lens else { continue };
            let (mut in_view, mut distances) = ([true; ROWS], [N::Square::default(); ROWS]);
            sight.look(index, lens, columns, task.radius, &mut in_view);
            let bits = nearer(lens.eye, lens.shrink, columns, false, &mut distances);
            invalid_bits = invalid_bits.max(bits);
            for ((nearest, has_any), wanted) in
                nearest.iter_mut().zip(&mut has_any).zip([true, false])
            {
                let rows = nearest.iter_mut().zip(has_any).zip(distances.iter().zip(&in_view));
                for ((nearest, has_any), (distance, in_view)) in rows {
                    let nearer = if *has_any { distance.at_most(*nearest) } else { *distance };
                    let is_wanted = *in_view == wanted;
                    *nearest = if is_wanted { nearer } else { *nearest };
                    *has_any |= is_wanted;
                }
            }
        }
        out.fill(Benefit::ZERO);
        let mut benefits = [Benefit::ZERO; ROWS];
        let factors = [OutsideFactor::ONE, task.outside];
        for ((nearest, has_any), factor) in nearest.iter().zip(&has_any).zip(factors) {
            if factor == OutsideFactor::ZERO || !has_any.contains(&true) {
                continue;
            }
            let benefits = benefits.get_mut(..out.len()).unwrap_or_default();
            self.benefits_at(Some(nearest), columns, benefits);
            for ((out, benefit), has_any) in out.iter_mut().zip(benefits).zip(has_any) {
                let benefit = benefit.outside(factor).max(*out);
                *out = if *has_any { benefit } else { *out };
            }
        }
        invalid_bits
    }

    /// Computes benefits at squared distances; `None` without a view.
    // The smallest Cortex-M have the least flash: all callers share one copy there.
    #[cfg_attr(not(all(target_arch = "arm", not(target_has_atomic = "32"))), inline(always))]
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    fn benefits_at<const ROWS: usize>(
        &self,
        distances: Option<&[N::Square; ROWS]>,
        columns: StateColumns<'_, N>,
        out: &mut [Benefit],
    ) {
        let (terms, weights) = (Sum::of(self), &self.terms.weights);
        let StateColumns { age, speed, curve, .. } = columns;
        let mut values = [N::ZERO; ROWS];
        if let Some(distances) = distances.filter(|_| weights.distance > N::ZERO) {
            let rows = values.iter_mut().zip(distances).zip(curve);
            match self.terms.distance_importance {
                DistanceImportance::SolidAngle => rows.for_each(|((value, distance_sq), curve)| {
                    *value = terms.near(DistanceImportance::SolidAngle.at(*curve, *distance_sq));
                }),
                DistanceImportance::Angular => rows.for_each(|((value, distance_sq), curve)| {
                    *value = terms.near(DistanceImportance::Angular.at(*curve, *distance_sq));
                }),
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
        if terms.is_low() {
            out.iter_mut().zip(&values).for_each(|(out, value)| *out = terms.low_benefit(*value));
        } else {
            out.iter_mut().zip(&values).for_each(|(out, value)| *out = terms.benefit(*value));
        }
    }
}

/// Computes squared distances as a view magnifies them, and keeps them where they are less than `nearest`, if it has
/// any; returns bits that show an invalid position.
#[inline(always)]
fn nearer<N: Real, const ROWS: usize>(
    eye: [N; 3],
    shrink: Option<N::Square>,
    StateColumns { x, y, z, .. }: StateColumns<'_, N>,
    has_any: bool,
    nearest: &mut [N::Square; ROWS],
) -> N::InvalidBits {
    let mut invalid_bits = N::InvalidBits::default();
    let mut distances = [N::Square::default(); ROWS];
    for (((x, y), z), distance) in x.iter().zip(y).zip(z).zip(&mut distances) {
        *distance = N::distance_sq([*x, *y, *z], eye);
        invalid_bits = invalid_bits.max(N::invalid_bits_of_square(*distance));
    }
    if let Some(shrink) = shrink {
        for distance in &mut distances {
            *distance = *distance * shrink;
        }
    }
    if has_any {
        for (distance, nearest) in distances.iter_mut().zip(&*nearest) {
            *distance = distance.at_most(*nearest);
        }
    }
    *nearest = distances;
    invalid_bits
}

/// Lowers the benefits of the rows that the only view does not see; returns their sum.
#[inline(always)]
pub(super) fn limit_to_view<N: Real>(
    task: &LensTask<'_, N>,
    sight: &mut Sight<'_>,
    first: usize,
    columns: StateColumns<'_, N>,
    out: &mut [Benefit],
) -> u64 {
    let mut sight = sight.rows(first, out.len());
    let mut in_view = [true; EVALUATE_ROWS];
    sight.given(&mut in_view);
    if let [Some(lens)] = task.lenses {
        sight.look(0, lens, columns, task.rows(first, out.len()).radius, &mut in_view);
    }
    leave_outside(task.outside, &in_view, out);
    total(out)
}

/// Lowers the benefits of the rows that no view sees.
#[inline(always)]
fn leave_outside<const ROWS: usize>(
    outside: OutsideFactor,
    in_view: &[bool; ROWS],
    out: &mut [Benefit],
) {
    if outside == OutsideFactor::ZERO {
        for (benefit, in_view) in out.iter_mut().zip(in_view) {
            *benefit = if *in_view { *benefit } else { Benefit::ZERO };
        }
    } else if outside < OutsideFactor::ONE {
        for (benefit, in_view) in out.iter_mut().zip(in_view) {
            *benefit = if *in_view { *benefit } else { benefit.outside(outside) };
        }
    }
}

impl Sight<'_> {
    /// Finds the rows that a view sees, and records them.
    #[inline(always)]
    fn look<N: Real, const ROWS: usize>(
        &mut self,
        index: usize,
        lens: &Lens<N>,
        columns: StateColumns<'_, N>,
        radius: &[N],
        in_view: &mut [bool; ROWS],
    ) {
        match self {
            Self::All | Self::Given(_) => {}
            Self::Tested { bits, stride } => {
                let bit = 1_u8.wrapping_shl(u32::try_from(index % 8).unwrap_or(0));
                let bits = bits.get_mut(index / 8..).unwrap_or_default();
                let stride = (*stride).max(1);
                if stride == 1 {
                    test(lens, bit, bits, columns, radius, in_view);
                } else {
                    let mut bytes = [0_u8; ROWS];
                    for (byte, bits) in bytes.iter_mut().zip(bits.iter().step_by(stride)) {
                        *byte = *bits;
                    }
                    test(lens, bit, &mut bytes, columns, radius, in_view);
                    for (byte, bits) in bytes.iter().zip(bits.iter_mut().step_by(stride)) {
                        *bits = *byte;
                    }
                }
            }
        }
    }

    #[inline(always)]
    fn given<const ROWS: usize>(&self, in_view: &mut [bool; ROWS]) {
        if let Self::Given(out_of_view) = self {
            for (in_view, out_of_view) in in_view.iter_mut().zip(*out_of_view) {
                *in_view = !out_of_view;
            }
        }
    }
}

/// Tests the frustum of a view, if it has one, and updates its bit in a byte for each row.
#[inline(always)]
fn test<N: Real, const ROWS: usize>(
    lens: &Lens<N>,
    bit: u8,
    bytes: &mut [u8],
    StateColumns { x, y, z, .. }: StateColumns<'_, N>,
    radius: &[N],
    in_view: &mut [bool; ROWS],
) {
    if let Some(frustum) = &lens.frustum {
        let [eye_x, eye_y, eye_z] = lens.eye;
        for ((((x, y), z), radius), in_view) in
            x.iter().zip(y).zip(z).zip(radius).zip(&mut *in_view)
        {
            *in_view = frustum.contains([*x - eye_x, *y - eye_y, *z - eye_z], *radius);
        }
        // Few actors are near a side: lines without one that left are skipped.
        let mut has_left = [0; ROWS];
        for ((has_left, byte), in_view) in has_left.iter_mut().zip(&*bytes).zip(&*in_view) {
            *has_left = byte & bit & u8::from(*in_view).wrapping_sub(1);
        }
        for (has_left, first) in has_left.chunks(LINE).zip((0_usize..).step_by(LINE)) {
            if has_left.iter().fold(0, |any, has_left| any | has_left) != 0 {
                let end = first.saturating_add(LINE).min(radius.len());
                let (x, y, z) = (part(x, first, end), part(y, first, end), part(z, first, end));
                let in_view = in_view.get_mut(first..end).unwrap_or_default();
                let rows = x.iter().zip(y).zip(z).zip(part(radius, first, end));
                for (((((x, y), z), radius), in_view), has_left) in rows.zip(in_view).zip(has_left)
                {
                    let offset = [*x - eye_x, *y - eye_y, *z - eye_z];
                    *in_view |= (*has_left != 0) & frustum.keeps(offset, *radius);
                }
            }
        }
    }
    for (byte, in_view) in bytes.iter_mut().zip(in_view) {
        *byte = (*byte & !bit) | if *in_view { bit } else { 0 };
    }
}
