//! Columns of scenes whose actors share few ladders.

use core::marker::PhantomData;

use lodger_core::Real;

use crate::columns::{
    Columns, Selection, WithMotion, WithOptimal, WithPositions, WithPriorities, WithQualities,
    WithRules, WithTickTimes, WithViews,
};
use crate::ladder_shapes::LadderShapes;

/// Other columns for at most `LADDERS` different ladders in all modules: 10 bytes for each of them, in place of 10 bytes for
/// each level.
///
/// Actors of a module with the same work and valid levels share a ladder, so that a module whose actors differ in state alone
/// has one.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 6, FewLadders<1>>::new();
/// let cloth = Module::new(UnitCost::from_ns(500.0)?).benefit_value(BenefitValue::from_ms(2.0)?);
/// let cloth = scene.add_module(cloth)?;
/// for x in [2.0, 3.0] {
///     scene.spawn(cloth, Actor::at([x, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
/// }
/// let rejected = scene.spawn(cloth, Actor::at([4.0, 0.0, 0.0], 0.8, &[0, 900]));
/// assert_eq!(rejected.map_err(SceneError::from), Err(Capacity::Ladders.into()));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct FewLadders<const LADDERS: usize, C = crate::Everything>(PhantomData<C>);

impl<const LADDERS: usize, C: Columns> Columns for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithPositions> WithPositions for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithMotion> WithMotion for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithRules> WithRules for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithTickTimes> WithTickTimes for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithOptimal> WithOptimal for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithViews> WithViews for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithPriorities> WithPriorities for FewLadders<LADDERS, C> {}
impl<const LADDERS: usize, C: WithQualities> WithQualities for FewLadders<LADDERS, C> {}

impl<const LADDERS: usize, C: Columns> Selection for FewLadders<LADDERS, C> {
    type SlotIndex = C::SlotIndex;
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Sight = C::Sight;
    type Views<N: Real, const ACTORS: usize> = C::Views<N, ACTORS>;
    type ModulePriority = C::ModulePriority;
    type Priorities<const ACTORS: usize> = C::Priorities<ACTORS>;
    type Ladders<const COSTS: usize> = LadderShapes<LADDERS>;
    type Optimal<const COSTS: usize> = C::Optimal<COSTS>;
    type Qualities = C::Qualities;
    type Overrides<const ACTORS: usize> = C::Overrides<ACTORS>;
    type TickCost = C::TickCost;
}
