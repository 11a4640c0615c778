//! Columns of scenes that learn the time of their own ticks.

use core::marker::PhantomData;

use lodger_core::Real;
use lodger_core::calibration::OwnCost;

use crate::columns::{
    Columns, Selection, WithMotion, WithOptimal, WithPositions, WithPriorities, WithQualities,
    WithRules, WithTickTimes, WithViews,
};
use crate::own_cost::TickCost as _;
use crate::scene::Scene;

/// Other columns with the measurements of the time of a tick itself.
///
/// ```
/// # use lodger_heapless::*;
/// let mut scene = Scene::<f32, 1, 8, 3, SelfTimed>::new();
/// scene.tick(Budget::from_ms(1.0)?);
/// scene.observe_own_time(300_000);
/// assert_eq!(scene.tick(Budget::from_ms(1.0)?).reserved_ns(), 300_000);
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SelfTimed<C = crate::Everything>(PhantomData<C>);

impl<C: Columns> Columns for SelfTimed<C> {}
impl<C: Columns> WithTickTimes for SelfTimed<C> {}
impl<C: WithPositions> WithPositions for SelfTimed<C> {}
impl<C: WithMotion> WithMotion for SelfTimed<C> {}
impl<C: WithRules> WithRules for SelfTimed<C> {}
impl<C: WithOptimal> WithOptimal for SelfTimed<C> {}
impl<C: WithViews> WithViews for SelfTimed<C> {}
impl<C: WithPriorities> WithPriorities for SelfTimed<C> {}
impl<C: WithQualities> WithQualities for SelfTimed<C> {}

impl<C: Columns> Selection for SelfTimed<C> {
    type SlotIndex = C::SlotIndex;
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
    type TickCost = Option<OwnCost>;
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithTickTimes>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Records the measured time of a tick itself, in nanoseconds. From the next tick on, the
    /// [own cost](Self::set_own_cost) follows as unit costs do. Without a cost, the first time above 0 becomes the cost.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, SelfTimed<Positions>>::new();
    /// scene.observe_own_time(300_000);
    /// assert_eq!(scene.own_cost_ns(), 300_000);
    /// ```
    pub fn observe_own_time(&mut self, nanoseconds: u64) {
        self.own_cost.observe(nanoseconds);
    }
}
