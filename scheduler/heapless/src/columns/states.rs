//! Positions, ages and speeds of actors, and the eyes that see them.

use core::fmt::Debug;
use core::ops::Range;

use heapless::Vec;
use lodger_core::benefit::{ActorState, BenefitRule, LensTask, Sight, StateColumns};
use lodger_core::importance::{CurveExponent, ImportanceCurve, PackedCurve, PackedCurves};
use lodger_core::view::Lens;
use lodger_core::{Benefit, Real};

use super::rule::ComputedRule;
use crate::column::{Column, exchange, set};

/// The greatest number of eyes of a scene.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// assert_eq!(scene.set_eyes(&[[0.5; 3]; MAX_EYES]), Ok(()));
/// assert_eq!(scene.eyes().len(), 4);
/// # Ok::<(), SceneError>(())
/// ```
pub const MAX_EYES: usize = 4;

pub(crate) type Eyes<N> = Vec<[N; 3], MAX_EYES, u8>;
pub(crate) type Lenses<N> = Vec<Option<Lens<N>>, MAX_EYES, u8>;

/// The states of actors, one row each, and the eyes that see them; or nothing.
pub trait States<N: Real, R>: Debug + Clone {
    const NEW: Self;

    /// Sets a new row.
    fn add(&mut self, row: usize, state: ActorState<N>, curve: ImportanceCurve<N>);

    fn exchange(&mut self, a: usize, b: usize);

    /// Computes the benefits of rows; returns the number of quarantined actors, or `None` without such rows.
    fn benefits(&mut self, rule: &R, rows: Range<usize>, out: &mut [Benefit]) -> Option<usize>;

    /// As [`benefits`](Self::benefits), for views with a zoom or a frustum, with the radii of the rows.
    fn benefits_through(
        &self,
        _rule: &R,
        _task: LensTask<'_, N>,
        _sight: Sight<'_>,
        _rows: Range<usize>,
        _out: &mut [Benefit],
    ) -> Option<usize> {
        None
    }

    /// Returns the state of a row; zeros for what is not stored.
    fn state(&self, _row: usize) -> ActorState<N> {
        ActorState { position: [N::ZERO; 3], age: N::ZERO, speed: N::ZERO }
    }

    fn set_position(&mut self, _row: usize, _position: [N; 3]) {}

    fn set_curve(&mut self, _row: usize, _curve: ImportanceCurve<N>) {}

    fn set_age(&mut self, _row: usize, _age: N) {}

    fn set_speed(&mut self, _row: usize, _speed: N) {}

    fn ages_mut(&mut self) -> &mut [N] {
        &mut []
    }

    fn eyes(&self) -> &[[N; 3]] {
        &[]
    }

    fn set_eyes(&mut self, _eyes: Eyes<N>) {}
}

impl<N: Real> States<N, ()> for () {
    const NEW: Self = ();

    fn add(&mut self, _: usize, _: ActorState<N>, _: ImportanceCurve<N>) {}

    fn exchange(&mut self, _: usize, _: usize) {}

    fn benefits(&mut self, (): &(), _: Range<usize>, _: &mut [Benefit]) -> Option<usize> {
        None
    }
}

#[derive(Debug, Clone)]
pub struct PositionColumns<N: Real, const ACTORS: usize> {
    eyes: Eyes<N>,
    x: Column<N, ACTORS>,
    y: Column<N, ACTORS>,
    z: Column<N, ACTORS>,
    curve: Column<PackedCurve<N>, ACTORS>,
    exponent: Column<CurveExponent<N>, ACTORS>,
}

/// The number of rows without ages and speeds whose benefits are computed at once.
const ROWS: usize = 16;

impl<N: Real, R: ComputedRule<N>, const ACTORS: usize> States<N, R> for PositionColumns<N, ACTORS> {
    const NEW: Self = Self {
        eyes: Vec::new(),
        x: [N::ZERO; ACTORS],
        y: [N::ZERO; ACTORS],
        z: [N::ZERO; ACTORS],
        curve: [PackedCurve::ZERO.0; ACTORS],
        exponent: [PackedCurve::<N>::ZERO.1; ACTORS],
    };

    fn add(&mut self, row: usize, state: ActorState<N>, curve: ImportanceCurve<N>) {
        States::<N, R>::set_position(self, row, state.position);
        States::<N, R>::set_curve(self, row, curve);
    }

    fn exchange(&mut self, a: usize, b: usize) {
        exchange(&mut self.x, a, b);
        exchange(&mut self.y, a, b);
        exchange(&mut self.z, a, b);
        exchange(&mut self.curve, a, b);
        exchange(&mut self.exponent, a, b);
    }

    fn benefits(&mut self, rule: &R, rows: Range<usize>, out: &mut [Benefit]) -> Option<usize> {
        let mut place = None;
        let rule = rule.or_default(&mut place);
        let (zeros, end) = ([N::ZERO; ROWS], rows.end);
        let mut quarantined = 0_usize;
        for (start, out) in rows.step_by(ROWS).zip(out.chunks_mut(ROWS)) {
            let rows = start..start.wrapping_add(ROWS).min(end);
            let (columns, curves) = self.columns(rows, &zeros, &zeros)?;
            let found = rule.benefits_of_packed(&self.eyes, columns, curves, out);
            quarantined = quarantined.wrapping_add(found);
        }
        Some(quarantined)
    }

    fn benefits_through(
        &self,
        rule: &R,
        task: LensTask<'_, N>,
        sight: Sight<'_>,
        rows: Range<usize>,
        out: &mut [Benefit],
    ) -> Option<usize> {
        let mut place = None;
        self.through(rule.or_default(&mut place), task, sight, rows, out, |_| Some(None))
    }

    fn state(&self, row: usize) -> ActorState<N> {
        let position = [&self.x, &self.y, &self.z].map(|along| number(along, row));
        ActorState { position, age: N::ZERO, speed: N::ZERO }
    }

    fn set_position(&mut self, row: usize, [x, y, z]: [N; 3]) {
        set(&mut self.x, row, x);
        set(&mut self.y, row, y);
        set(&mut self.z, row, z);
    }

    fn set_curve(&mut self, row: usize, curve: ImportanceCurve<N>) {
        let (curve, exponent) = curve.packed();
        set(&mut self.curve, row, curve);
        set(&mut self.exponent, row, exponent);
    }

    fn eyes(&self) -> &[[N; 3]] {
        &self.eyes
    }

    fn set_eyes(&mut self, eyes: Eyes<N>) {
        self.eyes = eyes;
    }
}

impl<N: Real, const ACTORS: usize> PositionColumns<N, ACTORS> {
    /// Returns the columns of rows without curves, and the curves.
    fn columns<'a>(
        &'a self,
        rows: Range<usize>,
        age: &'a [N],
        speed: &'a [N],
    ) -> Option<(StateColumns<'a, N>, PackedCurves<'a, N>)> {
        let columns = StateColumns {
            x: self.x.get(rows.clone())?,
            y: self.y.get(rows.clone())?,
            z: self.z.get(rows.clone())?,
            age,
            speed,
            curve: &[],
        };
        let (curve, exponent) = (self.curve.get(rows.clone())?, self.exponent.get(rows)?);
        Some((columns, PackedCurves { curve, exponent }))
    }

    /// Computes benefits through lenses, with the ages and speeds of rows, if there are any.
    fn through<'a>(
        &'a self,
        rule: &BenefitRule<N>,
        task: LensTask<'_, N>,
        mut sight: Sight<'_>,
        rows: Range<usize>,
        out: &mut [Benefit],
        motion: impl Fn(Range<usize>) -> Option<Option<(&'a [N], &'a [N])>>,
    ) -> Option<usize> {
        let mut quarantined = 0_usize;
        for (first, out) in (0..).step_by(ROWS).zip(out.chunks_mut(ROWS)) {
            let start = rows.start.wrapping_add(first);
            let rows = start..start.wrapping_add(out.len());
            let (zeros, mut unpacked) = ([N::ZERO; ROWS], [ImportanceCurve::default(); ROWS]);
            let (age, speed) = motion(rows.clone())?.unwrap_or((&zeros, &zeros));
            let (columns, curves) = self.columns(rows, age, speed)?;
            unpacked.iter_mut().zip(curves.iter()).for_each(|(curve, packed)| *curve = packed);
            let columns = StateColumns { curve: &unpacked, ..columns };
            let task = LensTask { radius: task.radius.get(first..)?, ..task };
            let sight = sight.rows(first, out.len());
            quarantined =
                quarantined.wrapping_add(rule.benefits_through(task, sight, columns, out));
        }
        Some(quarantined)
    }
}

fn number<N: Real>(column: &[N], row: usize) -> N {
    column.get(row).copied().unwrap_or(N::ZERO)
}

#[derive(Debug, Clone)]
pub struct MovingStates<N: Real, const ACTORS: usize> {
    positions: PositionColumns<N, ACTORS>,
    age: Column<N, ACTORS>,
    speed: Column<N, ACTORS>,
}

impl<N: Real, R: ComputedRule<N>, const ACTORS: usize> States<N, R> for MovingStates<N, ACTORS> {
    const NEW: Self = Self {
        positions: <PositionColumns<N, ACTORS> as States<N, R>>::NEW,
        age: [N::ZERO; ACTORS],
        speed: [N::ZERO; ACTORS],
    };

    fn add(&mut self, row: usize, state: ActorState<N>, curve: ImportanceCurve<N>) {
        States::<N, R>::add(&mut self.positions, row, state, curve);
        set(&mut self.age, row, state.age);
        set(&mut self.speed, row, state.speed);
    }

    fn exchange(&mut self, a: usize, b: usize) {
        States::<N, R>::exchange(&mut self.positions, a, b);
        exchange(&mut self.age, a, b);
        exchange(&mut self.speed, a, b);
    }

    // Alone it needs few registers, of which the smallest Cortex-M have too few.
    #[cfg_attr(all(target_arch = "arm", not(target_has_atomic = "32")), inline(never))]
    fn benefits(&mut self, rule: &R, rows: Range<usize>, out: &mut [Benefit]) -> Option<usize> {
        let (age, speed) = (self.age.get(rows.clone())?, self.speed.get(rows.clone())?);
        let (columns, curves) = self.positions.columns(rows, age, speed)?;
        let mut place = None;
        let rule = rule.or_default(&mut place);
        Some(rule.benefits_of_packed(&self.positions.eyes, columns, curves, out))
    }

    fn benefits_through(
        &self,
        rule: &R,
        task: LensTask<'_, N>,
        sight: Sight<'_>,
        rows: Range<usize>,
        out: &mut [Benefit],
    ) -> Option<usize> {
        let mut place = None;
        let rule = rule.or_default(&mut place);
        let motion =
            |rows: Range<usize>| Some(Some((self.age.get(rows.clone())?, self.speed.get(rows)?)));
        self.positions.through(rule, task, sight, rows, out, motion)
    }

    fn state(&self, row: usize) -> ActorState<N> {
        let (age, speed) = (number(&self.age, row), number(&self.speed, row));
        ActorState { age, speed, ..States::<N, R>::state(&self.positions, row) }
    }

    fn set_position(&mut self, row: usize, position: [N; 3]) {
        States::<N, R>::set_position(&mut self.positions, row, position);
    }

    fn set_curve(&mut self, row: usize, curve: ImportanceCurve<N>) {
        States::<N, R>::set_curve(&mut self.positions, row, curve);
    }

    fn set_age(&mut self, row: usize, age: N) {
        set(&mut self.age, row, age);
    }

    fn set_speed(&mut self, row: usize, speed: N) {
        set(&mut self.speed, row, speed);
    }

    fn ages_mut(&mut self) -> &mut [N] {
        &mut self.age
    }

    fn eyes(&self) -> &[[N; 3]] {
        States::<N, R>::eyes(&self.positions)
    }

    fn set_eyes(&mut self, eyes: Eyes<N>) {
        States::<N, R>::set_eyes(&mut self.positions, eyes);
    }
}
