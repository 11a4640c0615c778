//! Columns of scenes with more than 255 actors or 256 levels.

use core::marker::PhantomData;

use lodger_core::Real;

use crate::columns::{
    Columns, Selection, WithMotion, WithOptimal, WithPositions, WithPriorities, WithQualities,
    WithRules, WithTickTimes, WithViews,
};

/// Other columns with wider numbers, for scenes of up to 65 535 actors and levels: 11 bytes more for each actor.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Box::new(Scene::<f32, 1, 1_000, 3, Large>::new());
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let cloth = scene.add_module(cloth)?;
/// for x in 0..1_000_u16 {
///     scene.spawn(cloth, Actor::at([x.into(), 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
/// }
/// assert_eq!(scene.len(), 1_000);
/// # Ok::<(), SceneError>(())
/// ```
///
/// Other scenes have at most 255 actors and 256 levels:
/// ```compile_fail,E0080
/// # use lodger_heapless::*;
/// let scene = Scene::<f32, 1, 1_000, 3>::new();
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Large<C = crate::Everything>(PhantomData<C>);

impl<C: Columns> Columns for Large<C> {}
impl<C: WithPositions> WithPositions for Large<C> {}
impl<C: WithMotion> WithMotion for Large<C> {}
impl<C: WithOptimal> WithOptimal for Large<C> {}
impl<C: WithViews> WithViews for Large<C> {}
impl<C: WithRules> WithRules for Large<C> {}
impl<C: WithTickTimes> WithTickTimes for Large<C> {}
impl<C: WithPriorities> WithPriorities for Large<C> {}
impl<C: WithQualities> WithQualities for Large<C> {}

impl<C: Columns> Selection for Large<C> {
    type SlotIndex = u32;
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Sight = C::Sight;
    type Views<N: Real, const ACTORS: usize> = C::Views<N, ACTORS>;
    type ModulePriority = C::ModulePriority;
    type Priorities<const ACTORS: usize> = C::Priorities<ACTORS>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = C::Optimal<COSTS>;
    type Qualities = C::Qualities;
    type Overrides<const ACTORS: usize> = C::Overrides<ACTORS>;
    type TickCost = C::TickCost;
}
