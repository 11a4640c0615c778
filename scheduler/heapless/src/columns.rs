//! The columns that a scene has.

use core::fmt::Debug;
use core::ops::Range;

use heapless::Vec;
use lodger_core::benefit::{
    ActorState, BenefitRule, LensTask, OutsideFactor, Priority, Sight, StateColumns,
};
use lodger_core::budget::{Carryover, OptimalityCertificate, Price, Quality, Slope};
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::importance::{CurveExponent, ImportanceCurve, PackedCurve, PackedCurves};
use lodger_core::view::Lens;
use lodger_core::{Benefit, Real};

use crate::column::{Column, close, exchange, open, set};
use crate::index::SlotIndex;
use crate::ladder_shapes::{LadderColumns, LadderShapes};
use crate::own_cost::{SetCost, TickCost};
use crate::qualities::{EvenQualities, QualityRule};

/// The columns of a [`Scene`](crate::Scene): [`Everything`], [`Positions`] or [`GivenBenefits`], or [`Everything`] with
/// [`RuntimeRules`], each of them also without the columns of the optimal policy, in [`Proportional`].
///
/// Others add to them: [`Prioritised`](crate::Prioritised) priorities, [`Graded`](crate::Graded) qualities of levels,
/// [`SelfTimed`](crate::SelfTimed) the measured time of ticks, and [`Viewed`](crate::Viewed) views, for columns with
/// positions. [`FewLadders`](crate::FewLadders) limits the ladders. Scenes of more than 255 actors need
/// [`Large`](crate::Large).
///
/// # Examples
/// ```
/// use lodger_heapless::{Everything, Fixed, GivenBenefits, Positions, Proportional, Scene};
///
/// type SceneOf64<C> = Scene<Fixed, 4, 64, 20, C>;
/// let bytes = [
///     size_of::<SceneOf64<Everything>>(),
///     size_of::<SceneOf64<Positions>>(),
///     size_of::<SceneOf64<Proportional<Positions>>>(),
///     size_of::<SceneOf64<Proportional<GivenBenefits>>>(),
/// ];
/// assert!(bytes.is_sorted_by(|more, less| more > less));
/// ```
pub trait Columns: sealed::Selection {}

/// Columns with positions, of which benefits are computed: [`Everything`] and [`Positions`].
pub trait WithPositions: Columns {}

/// Columns with ages and speeds too: [`Everything`].
pub trait WithMotion: WithPositions {}

/// Columns with the rules of [`RuntimeRules`].
pub trait WithRules: WithPositions {}

/// Columns with the measurements of [`SelfTimed`](crate::SelfTimed).
pub trait WithTickTimes: Columns {}

/// Columns of every policy: all but [`Proportional`].
pub trait WithOptimal: Columns {}

/// Columns with the views of [`Viewed`](crate::Viewed).
pub trait WithViews: WithPositions {}

/// Columns with the qualities of [`Graded`](crate::Graded).
pub trait WithQualities: WithOptimal {}

/// Columns with the priorities of [`Prioritised`](crate::Prioritised).
pub trait WithPriorities: Columns {}

/// Positions, ages and speeds, for every policy: the default.
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Everything;

/// Positions without ages and speeds, which are 0 for every actor; for every policy.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Positions>::new();
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let cloth = scene.add_module(cloth)?;
/// scene.set_eyes(&[[0.0; 3]])?;
/// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
/// assert_eq!(scene.tick(Budget::from_ms(0.5)?).level(cape), Some(1));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Positions;

/// [`Everything`], with rules in the scene, for rules that are known only at run time: 64 bytes more for each module.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, RuntimeRules>::new();
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let metres = 20.0;
/// let terms = BenefitTerms { max_distance: Some(metres), ..BenefitTerms::default() };
/// let cloth = scene.add_module_with_rule(cloth, BenefitRule::new(terms)?)?;
/// scene.set_eyes(&[[0.0; 3]])?;
/// let cape = scene.spawn(cloth, Actor::at([30.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
/// assert_eq!(scene.tick(Budget::from_ms(0.5)?).module(cloth).map(|module| module.target_ns), Some(0));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct RuntimeRules;

/// Benefits that the program gives, without positions and rules; for every policy.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, GivenBenefits>::new();
/// let voices = Module::new(UnitCost::from_ns(10_000.0)?).benefit_value(BenefitValue::from_ms(0.5)?);
/// let voices = scene.add_module(voices)?;
/// let lead = scene.spawn(voices, Actor::from_benefit(Benefit::new(0.9)?, &[1, 8, 32]))?;
/// assert_eq!(scene.tick(Budget::from_ms(0.1)?).level(lead), Some(1));
/// // An actor without a benefit is rejected.
/// assert!(scene.spawn(voices, Actor::at([0.0; 3], 1.0, &[1, 8, 32])).is_err());
/// # Ok::<(), SceneError>(())
/// ```
///
/// It has no positions:
/// ```compile_fail,E0599
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, GivenBenefits>::new();
/// scene.set_eyes(&[[0.0; 3]]);
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GivenBenefits;

/// Other columns without those of the optimal policy.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Proportional<Positions>>::new();
/// scene.set_leftovers(Leftovers::Keep);
/// assert_eq!(scene.policy(), Policy::Proportional(Leftovers::Keep));
/// ```
///
/// The optimal policy cannot be selected:
/// ```compile_fail,E0599
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Proportional<Positions>>::new();
/// scene.set_policy(Policy::Optimal)?;
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Proportional<C = Everything>(core::marker::PhantomData<C>);

impl Columns for Everything {}
impl WithPositions for Everything {}
impl WithMotion for Everything {}
impl WithOptimal for Everything {}

impl Columns for Positions {}
impl WithPositions for Positions {}
impl WithOptimal for Positions {}

impl Columns for RuntimeRules {}
impl WithPositions for RuntimeRules {}
impl WithMotion for RuntimeRules {}
impl WithOptimal for RuntimeRules {}
impl WithRules for RuntimeRules {}

impl Columns for GivenBenefits {}
impl WithOptimal for GivenBenefits {}

impl<C: Columns> Columns for Proportional<C> {}
impl<C: WithPositions> WithPositions for Proportional<C> {}
impl<C: WithMotion> WithMotion for Proportional<C> {}
impl<C: WithRules> WithRules for Proportional<C> {}
impl<C: WithTickTimes> WithTickTimes for Proportional<C> {}

pub(crate) mod sealed {
    use super::{
        Debug, LadderColumns, ModuleRule, OptimalColumns, OverrideColumn, QualityRule, Real,
        SlotIndex, States, TickCost,
    };

    /// The types of the columns.
    pub trait Selection: Debug + Copy + 'static {
        type SlotIndex: SlotIndex;
        type Rule<N: Real>: ModuleRule<N>;
        type States<N: Real, const ACTORS: usize>: States<N, Self::Rule<N>>;
        type Ladders<const COSTS: usize>: LadderColumns;
        type Optimal<const COSTS: usize>: OptimalColumns;
        type Qualities: QualityRule;
        type Overrides<const ACTORS: usize>: OverrideColumn;
        type TickCost: TickCost;
    }
}
pub(crate) use sealed::Selection;

/// Selects the types of columns that do not add to others, by their rule and their states.
macro_rules! select {
    ($columns:ident: $rule:ty, $states:ty) => {
        impl Selection for $columns {
            type SlotIndex = u8;
            type Rule<N: Real> = $rule;
            type States<N: Real, const ACTORS: usize> = $states;
            type Ladders<const COSTS: usize> = LadderShapes<COSTS>;
            type Optimal<const COSTS: usize> = ValueColumns<COSTS>;
            type Qualities = EvenQualities;
            type Overrides<const ACTORS: usize> = ();
            type TickCost = SetCost;
        }
    };
}

select!(Everything: StaticRule<N>, MovingStates<N, ACTORS>);
select!(Positions: StaticRule<N>, PositionColumns<N, ACTORS>);
select!(RuntimeRules: BenefitRule<N>, MovingStates<N, ACTORS>);
select!(GivenBenefits: (), ());

impl<C: Columns> Selection for Proportional<C> {
    type SlotIndex = C::SlotIndex;
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = ();
    type Qualities = ();
    type Overrides<const ACTORS: usize> = C::Overrides<ACTORS>;
    type TickCost = C::TickCost;
}

/// A rule outside of the scene; `None` for the default one.
pub(crate) type StaticRule<N> = Option<&'static BenefitRule<N>>;

/// A rule that computes benefits.
pub trait ComputedRule<N: Real> {
    /// Returns the rule; `place` may hold it.
    fn or_default<'a>(&'a self, place: &'a mut Option<BenefitRule<N>>) -> &'a BenefitRule<N>;
}

impl<N: Real> ComputedRule<N> for StaticRule<N> {
    fn or_default<'a>(&'a self, place: &'a mut Option<BenefitRule<N>>) -> &'a BenefitRule<N> {
        match self {
            Some(rule) => rule,
            None => place.insert(BenefitRule::default()),
        }
    }
}

impl<N: Real> ComputedRule<N> for BenefitRule<N> {
    fn or_default<'a>(&'a self, _: &'a mut Option<BenefitRule<N>>) -> &'a BenefitRule<N> {
        self
    }
}

/// The rule of a module, or nothing.
pub trait ModuleRule<N: Real>: Debug + Clone {
    fn new(rule: StaticRule<N>) -> Self;

    /// Replaces the rule of a module without actors.
    fn set(&mut self, _rule: BenefitRule<N>) {}

    /// Returns the curve of an actor; an error if its benefit can be neither computed nor is given.
    fn curve(&self, radius: N, given: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError>;

    /// Returns the factor of benefits outside of views.
    fn outside(&self) -> OutsideFactor {
        OutsideFactor::ONE
    }

    fn set_outside(&mut self, _factor: OutsideFactor) {}

    /// Sets whether the program says which actors are in view.
    fn set_view_given(&mut self, _is_given: bool) {}

    fn priority(&self) -> Priority {
        Priority::ONE
    }

    fn set_priority(&mut self, _priority: Priority) {}
}

impl<N: Real> ModuleRule<N> for StaticRule<N> {
    fn new(rule: StaticRule<N>) -> Self {
        rule
    }

    fn curve(&self, radius: N, _: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        self.or_default(&mut None).curve(radius)
    }
}

impl<N: Real> ModuleRule<N> for BenefitRule<N> {
    fn new(rule: StaticRule<N>) -> Self {
        rule.copied().unwrap_or_default()
    }

    fn curve(&self, radius: N, _: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        self.curve(radius)
    }

    fn set(&mut self, rule: BenefitRule<N>) {
        *self = rule;
    }
}

impl<N: Real> ModuleRule<N> for () {
    fn new(_: StaticRule<N>) -> Self {}

    fn curve(&self, _: N, given: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        let missing = ValueError::new(Quantity::Benefit, ValueProblem::Missing);
        given.map(|_| ImportanceCurve::default()).ok_or(missing)
    }
}

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
    fn add(&mut self, row: usize, state: ActorState<N>, radius: N, curve: ImportanceCurve<N>);

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

    /// Tests what views see of a row with a benefit override, and returns its benefit before the priority.
    fn overridden(&mut self, _rule: &R, _row: usize, given: Benefit) -> Benefit {
        given
    }

    /// Sets whether a row is in view, for modules whose program says so.
    fn set_in_view(&mut self, _row: usize, _is_in_view: bool) {}

    fn set_priority(&mut self, _row: usize, _priority: Priority) {}

    fn priority(&self, _row: usize) -> Priority {
        Priority::ONE
    }

    /// Multiplies the benefits of a module's rows by their priorities.
    fn prioritise(&self, _rule: &R, _rows: Range<usize>, _benefits: &mut [Benefit]) {}

    /// Returns the state of a row; zeros for what is not stored.
    fn state(&self, _row: usize) -> ActorState<N> {
        ActorState { position: [N::ZERO; 3], age: N::ZERO, speed: N::ZERO }
    }

    fn set_position(&mut self, _row: usize, _position: [N; 3]) {}

    fn set_radius(&mut self, _row: usize, _radius: N, _curve: ImportanceCurve<N>) {}

    fn set_age(&mut self, _row: usize, _age: N) {}

    fn set_speed(&mut self, _row: usize, _speed: N) {}

    fn ages_mut(&mut self) -> &mut [N] {
        &mut []
    }

    fn eyes(&self) -> &[[N; 3]] {
        &[]
    }

    fn set_eyes(&mut self, _eyes: Eyes<N>) {}

    /// Sets the views; `set_eyes` has their positions.
    fn set_lenses(&mut self, _lenses: Lenses<N>) {}
}

impl<N: Real> States<N, ()> for () {
    const NEW: Self = ();

    fn add(&mut self, _: usize, _: ActorState<N>, _: N, _: ImportanceCurve<N>) {}

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

    fn add(&mut self, row: usize, state: ActorState<N>, _: N, curve: ImportanceCurve<N>) {
        States::<N, R>::set_position(self, row, state.position);
        self.set_curve(row, curve);
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

    fn set_radius(&mut self, row: usize, _: N, curve: ImportanceCurve<N>) {
        self.set_curve(row, curve);
    }

    fn eyes(&self) -> &[[N; 3]] {
        &self.eyes
    }

    fn set_eyes(&mut self, eyes: Eyes<N>) {
        self.eyes = eyes;
    }
}

impl<N: Real, const ACTORS: usize> PositionColumns<N, ACTORS> {
    fn set_curve(&mut self, row: usize, curve: ImportanceCurve<N>) {
        let (curve, exponent) = curve.packed();
        set(&mut self.curve, row, curve);
        set(&mut self.exponent, row, exponent);
    }

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

    fn add(&mut self, row: usize, state: ActorState<N>, radius: N, curve: ImportanceCurve<N>) {
        States::<N, R>::add(&mut self.positions, row, state, radius, curve);
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

    fn set_radius(&mut self, row: usize, radius: N, curve: ImportanceCurve<N>) {
        States::<N, R>::set_radius(&mut self.positions, row, radius, curve);
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

/// The benefit overrides, where they are not the benefits themselves; or nothing.
pub trait OverrideColumn: Debug + Clone {
    const NEW: Self;
    /// Whether overrides are the benefits themselves.
    const ARE_BENEFITS: bool = false;

    fn exchange(&mut self, _a: usize, _b: usize) {}

    fn set(&mut self, _row: usize, _benefit: Benefit) {}

    /// Returns the benefit override of a row; meaningless without one.
    fn at(&self, _row: usize) -> Option<Benefit> {
        None
    }
}

impl OverrideColumn for () {
    const NEW: Self = ();
    const ARE_BENEFITS: bool = true;
}

#[derive(Debug, Clone)]
pub struct KeptOverrides<const ACTORS: usize>(Column<Benefit, ACTORS>);

impl<const ACTORS: usize> OverrideColumn for KeptOverrides<ACTORS> {
    const NEW: Self = Self([Benefit::ZERO; ACTORS]);

    fn exchange(&mut self, a: usize, b: usize) {
        exchange(&mut self.0, a, b);
    }

    fn set(&mut self, row: usize, benefit: Benefit) {
        set(&mut self.0, row, benefit);
    }

    fn at(&self, row: usize) -> Option<Benefit> {
        self.0.get(row).copied()
    }
}

/// The columns of levels and the state that only the optimal policy reads, or nothing.
pub trait OptimalColumns: Debug + Clone {
    const NEW: Self;

    /// Adds the state of the optimal policy to the one that a tick carries over to the next.
    fn add_to(&self, _carryover: &mut Carryover) {}

    /// Keeps the state of the optimal policy after a tick.
    fn keep(&mut self, _carryover: &Carryover, _certificate: Option<OptimalityCertificate>) {}

    /// Returns the price and the certificate of the last tick, if its policy was the optimal one.
    fn certified(&self) -> Option<(Price, OptimalityCertificate)> {
        None
    }

    fn open(&mut self, _place: usize, _levels: usize) {}

    fn close(&mut self, _place: usize, _levels: usize) {}

    fn set_quality(&mut self, _place: usize, _quality: Quality) {}

    fn columns(&mut self) -> (&[Quality], &mut [Slope]) {
        (&[], &mut [])
    }
}

impl OptimalColumns for () {
    const NEW: Self = ();
}

#[derive(Debug, Clone)]
pub struct ValueColumns<const COSTS: usize> {
    qualities: Column<Quality, COSTS>,
    slopes: Column<Slope, COSTS>,
    /// 1 more than the bits of the price that the last tick carries over, or 0.
    next_bits: u32,
    has_certificate: bool,
    certificate: OptimalityCertificate,
}

impl<const COSTS: usize> OptimalColumns for ValueColumns<COSTS> {
    const NEW: Self = Self {
        qualities: [Quality::ZERO; COSTS],
        slopes: [Slope::NEVER; COSTS],
        next_bits: 0,
        has_certificate: false,
        certificate: OptimalityCertificate { value: 0, upper_bound: 0 },
    };

    fn add_to(&self, carryover: &mut Carryover) {
        carryover.price = self.price();
    }

    fn keep(&mut self, carryover: &Carryover, certificate: Option<OptimalityCertificate>) {
        self.next_bits = carryover.price.map_or(0, |price| price.bits().wrapping_add(1));
        self.has_certificate = certificate.is_some();
        self.certificate = certificate.unwrap_or_default();
    }

    fn certified(&self) -> Option<(Price, OptimalityCertificate)> {
        self.price().filter(|_| self.has_certificate).map(|price| (price, self.certificate))
    }

    fn open(&mut self, place: usize, levels: usize) {
        open(&mut self.qualities, place, levels);
        open(&mut self.slopes, place, levels);
    }

    fn close(&mut self, place: usize, levels: usize) {
        close(&mut self.qualities, place, levels);
        close(&mut self.slopes, place, levels);
    }

    fn set_quality(&mut self, place: usize, quality: Quality) {
        set(&mut self.qualities, place, quality);
    }

    fn columns(&mut self) -> (&[Quality], &mut [Slope]) {
        (&self.qualities, &mut self.slopes)
    }
}

impl<const COSTS: usize> ValueColumns<COSTS> {
    fn price(&self) -> Option<Price> {
        self.next_bits.checked_sub(1).map(Price::from_bits)
    }
}
