//! Columns of scenes with priorities.

use core::marker::PhantomData;
use core::ops::Range;

use lodger_core::benefit::{
    ActorState, BenefitRule, LensTask, OutsideFactor, Priority, Sight, prioritise,
};
use lodger_core::error::ValueError;
use lodger_core::importance::ImportanceCurve;
use lodger_core::{Benefit, Real};

use crate::column::{Column, at, exchange, part, set};
use crate::columns::{
    Columns, Eyes, KeptOverrides, Lenses, ModuleRule, Selection, States, StaticRule, WithMotion,
    WithOptimal, WithPositions, WithPriorities, WithQualities, WithRules, WithTickTimes, WithViews,
};
use crate::handle::{ActorId, ModuleId, SceneError};
use crate::scene::Scene;

/// Other columns with those of priorities: 2 bytes for each actor, and 4 more for its benefit override.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, Prioritised<GivenBenefits>>::new();
/// let module = Module::new(UnitCost::from_ns(10_000.0)?).benefit_value(BenefitValue::from_ms(0.5)?);
/// let voices = scene.add_module(module)?;
/// let [first, second] = [0.4, 0.5].map(|benefit| Actor::from_benefit(Benefit::from_bits((benefit * 65_536.0) as u32), &[1, 8]));
/// let [first, second] = [scene.spawn(voices, first)?, scene.spawn(voices, second)?];
/// scene.set_priority(first, Priority::new(2.0)?)?; // the hero speaks
/// let plan = scene.tick(Budget::from_ms(0.1)?);
/// assert_eq!([first, second].map(|voice| plan.level(voice)), [Some(1), Some(0)]);
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Prioritised<C = crate::Everything>(PhantomData<C>);

impl<C: Columns> Columns for Prioritised<C> {}
impl<C: Columns> WithPriorities for Prioritised<C> {}
impl<C: WithPositions> WithPositions for Prioritised<C> {}
impl<C: WithViews> WithViews for Prioritised<C> {}
impl<C: WithMotion> WithMotion for Prioritised<C> {}
impl<C: WithOptimal> WithOptimal for Prioritised<C> {}
impl<C: WithQualities> WithQualities for Prioritised<C> {}
impl<C: WithRules> WithRules for Prioritised<C> {}
impl<C: WithTickTimes> WithTickTimes for Prioritised<C> {}

impl<C: Columns> Selection for Prioritised<C> {
    type SlotIndex = C::SlotIndex;
    type Rule<N: Real> = PriorityRule<C::Rule<N>>;
    type States<N: Real, const ACTORS: usize> = PriorityStates<ACTORS, C::States<N, ACTORS>>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = C::Optimal<COSTS>;
    type Qualities = C::Qualities;
    type Overrides<const ACTORS: usize> = KeptOverrides<ACTORS>;
    type TickCost = C::TickCost;
}

/// A rule, and the priority of its module.
#[derive(Debug, Clone)]
pub struct PriorityRule<R> {
    rule: R,
    priority: Priority,
}

impl<N: Real, R: ModuleRule<N>> ModuleRule<N> for PriorityRule<R> {
    fn new(rule: StaticRule<N>) -> Self {
        Self { rule: R::new(rule), priority: Priority::ONE }
    }

    fn set(&mut self, rule: BenefitRule<N>) {
        self.rule.set(rule);
    }

    fn curve(&self, radius: N, given: Option<Benefit>) -> Result<ImportanceCurve<N>, ValueError> {
        self.rule.curve(radius, given)
    }

    fn outside(&self) -> OutsideFactor {
        self.rule.outside()
    }

    fn set_outside(&mut self, factor: OutsideFactor) {
        self.rule.set_outside(factor);
    }

    fn set_view_given(&mut self, is_given: bool) {
        self.rule.set_view_given(is_given);
    }

    fn priority(&self) -> Priority {
        self.priority
    }

    fn set_priority(&mut self, priority: Priority) {
        self.priority = priority;
    }
}

#[derive(Debug, Clone)]
pub struct PriorityStates<const ACTORS: usize, S> {
    states: S,
    priority: Column<Priority, ACTORS>,
}

impl<N: Real, const ACTORS: usize, R, S: States<N, R>> States<N, PriorityRule<R>>
    for PriorityStates<ACTORS, S>
{
    const NEW: Self = Self { states: S::NEW, priority: [Priority::from_bits(0); ACTORS] };

    fn add(&mut self, row: usize, state: ActorState<N>, radius: N, curve: ImportanceCurve<N>) {
        self.states.add(row, state, radius, curve);
        set(&mut self.priority, row, Priority::ONE);
    }

    fn exchange(&mut self, a: usize, b: usize) {
        self.states.exchange(a, b);
        exchange(&mut self.priority, a, b);
    }

    fn benefits(
        &mut self,
        rule: &PriorityRule<R>,
        rows: Range<usize>,
        out: &mut [Benefit],
    ) -> Option<usize> {
        self.states.benefits(&rule.rule, rows, out)
    }

    fn benefits_through(
        &self,
        rule: &PriorityRule<R>,
        task: LensTask<'_, N>,
        sight: Sight<'_>,
        rows: Range<usize>,
        out: &mut [Benefit],
    ) -> Option<usize> {
        self.states.benefits_through(&rule.rule, task, sight, rows, out)
    }

    fn overridden(&mut self, rule: &PriorityRule<R>, row: usize, given: Benefit) -> Benefit {
        self.states.overridden(&rule.rule, row, given)
    }

    fn set_in_view(&mut self, row: usize, is_in_view: bool) {
        self.states.set_in_view(row, is_in_view);
    }

    fn set_priority(&mut self, row: usize, priority: Priority) {
        set(&mut self.priority, row, priority);
    }

    fn priority(&self, row: usize) -> Priority {
        at(&self.priority, row)
    }

    fn prioritise(&self, rule: &PriorityRule<R>, rows: Range<usize>, benefits: &mut [Benefit]) {
        prioritise(benefits, part(&self.priority, rows.start, rows.len()), rule.priority);
    }

    fn state(&self, row: usize) -> ActorState<N> {
        self.states.state(row)
    }

    fn set_position(&mut self, row: usize, position: [N; 3]) {
        self.states.set_position(row, position);
    }

    fn set_radius(&mut self, row: usize, radius: N, curve: ImportanceCurve<N>) {
        self.states.set_radius(row, radius, curve);
    }

    fn set_age(&mut self, row: usize, age: N) {
        self.states.set_age(row, age);
    }

    fn set_speed(&mut self, row: usize, speed: N) {
        self.states.set_speed(row, speed);
    }

    fn ages_mut(&mut self) -> &mut [N] {
        self.states.ages_mut()
    }

    fn eyes(&self) -> &[[N; 3]] {
        self.states.eyes()
    }

    fn set_eyes(&mut self, eyes: Eyes<N>) {
        self.states.set_eyes(eyes);
    }

    fn set_lenses(&mut self, lenses: Lenses<N>) {
        self.states.set_lenses(lenses);
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithPriorities>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets how much an actor matters: a factor of its benefit, computed or not, in every policy; 1 when it is spawned.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<Fixed, 1, 8, 3, Prioritised>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// let cape = scene.spawn(cloth, Actor::from_benefit(Benefit::from_bits(500), &[0, 400]))?;
    /// scene.set_priority(cape, Priority::new(1.5)?)?;
    /// assert_eq!(scene.priority(cape), Some(Priority::new(1.5)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_priority(&mut self, id: ActorId, priority: Priority) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.states.set_priority(row, priority);
        Ok(())
    }

    /// Returns how much an actor matters.
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<Fixed, 1, 8, 3, Prioritised>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// let cape = scene.spawn(cloth, Actor::from_benefit(Benefit::from_bits(500), &[0, 400]))?;
    /// assert_eq!(scene.priority(cape), Some(Priority::ONE));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn priority(&self, id: ActorId) -> Option<Priority> {
        self.row(id).ok().map(|row| self.rows.states.priority(row))
    }

    /// Sets how much a module matters: a factor of the benefits of all its actors, beside their own
    /// [priorities](Self::set_priority).
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Prioritised>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// scene.spawn(cloth, Actor::from_benefit(Benefit::from_bits(65_536), &[0, 400]))?;
    /// scene.set_module_priority(cloth, Priority::new(0.25)?)?;
    /// let plan = scene.tick(Budget::from_ms(1.0)?);
    /// assert_eq!(plan.module(cloth).map(|module| module.target_ns), Some(500_000));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_module_priority(
        &mut self,
        id: ModuleId,
        priority: Priority,
    ) -> Result<(), SceneError> {
        self.module_mut(id)?.rule.set_priority(priority);
        Ok(())
    }

    /// Returns how much a module matters.
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Prioritised>::new();
    /// let module = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
    /// let cloth = scene.add_module(module)?;
    /// assert_eq!(scene.module_priority(cloth), Some(Priority::ONE));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn module_priority(&self, id: ModuleId) -> Option<Priority> {
        self.module(id).map(|module| module.rule.priority())
    }
}
