//! Columns of scenes with priorities.

use core::marker::PhantomData;
use core::ops::Range;

use lodger_core::benefit::{Priority, prioritise};
use lodger_core::{Benefit, Real};

use crate::column::{Column, at, exchange, part, set};
use crate::columns::{
    Columns, KeptOverrides, ModulePriority, PriorityColumn, Selection, WithMotion, WithOptimal,
    WithPositions, WithPriorities, WithQualities, WithRules, WithTickTimes, WithViews,
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
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Sight = C::Sight;
    type Views<N: Real, const ACTORS: usize> = C::Views<N, ACTORS>;
    type ModulePriority = Priority;
    type Priorities<const ACTORS: usize> = RowPriorities<ACTORS>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = C::Optimal<COSTS>;
    type Qualities = C::Qualities;
    type Overrides<const ACTORS: usize> = KeptOverrides<ACTORS>;
    type TickCost = C::TickCost;
}

impl ModulePriority for Priority {
    const NEW: Self = Self::ONE;

    fn get(&self) -> Self {
        *self
    }

    fn set(&mut self, priority: Self) {
        *self = priority;
    }
}

#[derive(Debug, Clone)]
pub struct RowPriorities<const ACTORS: usize>(Column<Priority, ACTORS>);

impl<const ACTORS: usize> PriorityColumn<Priority> for RowPriorities<ACTORS> {
    const NEW: Self = Self([Priority::from_bits(0); ACTORS]);

    fn exchange(&mut self, a: usize, b: usize) {
        exchange(&mut self.0, a, b);
    }

    fn set(&mut self, row: usize, priority: Priority) {
        set(&mut self.0, row, priority);
    }

    fn at(&self, row: usize) -> Priority {
        at(&self.0, row)
    }

    fn prioritise(&self, module: &Priority, rows: Range<usize>, benefits: &mut [Benefit]) {
        prioritise(benefits, part(&self.0, rows.start, rows.len()), *module);
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
        self.rows.priorities.set(row, priority);
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
        self.row(id).ok().map(|row| self.rows.priorities.at(row))
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
        self.module_mut(id)?.priority.set(priority);
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
        self.module(id).map(|module| module.priority.get())
    }
}
