//! Columns of scenes whose modules have qualities of levels.

use core::marker::PhantomData;

use lodger_core::Real;
use lodger_core::budget::{Quality, QualityCurve};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

use crate::columns::{
    Columns, Selection, WithMotion, WithOptimal, WithPositions, WithPriorities, WithQualities,
    WithRules, WithTickTimes, WithViews,
};
use crate::handle::{ActorId, ModuleId, SceneError};
use crate::qualities::{GradedQualities, LevelQualities, QualityRule as _};
use crate::scene::Scene;

/// Other columns with qualities of levels, which the optimal policy reads: a curve or a table for each module.
///
/// ```
/// # use lodger_heapless::*;
/// static TABLE: [Quality; 3] = [Quality::ZERO, Quality::from_bits(1_000), Quality::ONE];
///
/// let mut scene = Scene::<f32, 2, 8, 3, Graded<GivenBenefits>>::new();
/// scene.set_policy(Policy::Optimal)?;
/// let voices = scene.add_module(Module::new(UnitCost::from_ns(10_000.0)?))?;
/// scene.set_module_qualities(voices, &TABLE)?; // eight partials sound like none
/// let voice = Actor::from_benefit(Benefit::new(0.9)?, &[0, 8, 32]);
/// let [first, second] = [scene.spawn(voices, voice)?, scene.spawn(voices, voice)?];
/// let plan = scene.tick(Budget::from_ms(0.35)?);
/// assert_eq!([first, second].map(|voice| plan.level(voice)), [Some(2), Some(0)]);
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Graded<C = crate::Everything>(PhantomData<C>);

impl<C: WithOptimal> Columns for Graded<C> {}
impl<C: WithOptimal> WithOptimal for Graded<C> {}
impl<C: WithOptimal> WithQualities for Graded<C> {}
impl<C: WithOptimal + WithPositions> WithPositions for Graded<C> {}
impl<C: WithOptimal + WithMotion> WithMotion for Graded<C> {}
impl<C: WithOptimal + WithViews> WithViews for Graded<C> {}
impl<C: WithOptimal + WithRules> WithRules for Graded<C> {}
impl<C: WithOptimal + WithTickTimes> WithTickTimes for Graded<C> {}
impl<C: WithOptimal + WithPriorities> WithPriorities for Graded<C> {}

impl<C: WithOptimal> Selection for Graded<C> {
    type SlotIndex = C::SlotIndex;
    type Rule<N: Real> = C::Rule<N>;
    type States<N: Real, const ACTORS: usize> = C::States<N, ACTORS>;
    type Sight = C::Sight;
    type Views<N: Real, const ACTORS: usize> = C::Views<N, ACTORS>;
    type ModulePriority = C::ModulePriority;
    type Priorities<const ACTORS: usize> = C::Priorities<ACTORS>;
    type Ladders<const COSTS: usize> = C::Ladders<COSTS>;
    type Optimal<const COSTS: usize> = C::Optimal<COSTS>;
    type Qualities = GradedQualities;
    type Overrides<const ACTORS: usize> = C::Overrides<ACTORS>;
    type TickCost = C::TickCost;
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithQualities>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets the quality of each level, valid or not, of a module's actors, not decreasing; even steps by default. Only the
    /// optimal policy reads it.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]; [`SceneError::Invalid`] for qualities that decrease, and if an actor has another number of
    /// levels; then nothing changes. Later, [`spawn`](Self::spawn) fails for an actor with another number of levels.
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// static TABLE: [Quality; 2] = [Quality::from_bits(9), Quality::ONE];
    ///
    /// let mut scene = Scene::<f32, 1, 8, 4, Graded>::new();
    /// scene.set_policy(Policy::Optimal)?;
    /// let cloth = scene.add_module(Module::new(UnitCost::from_ns(500.0)?))?;
    /// scene.set_module_qualities(cloth, &TABLE)?;
    /// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400]))?;
    /// assert_eq!(scene.quality(cape, 0), Some(Quality::from_bits(9)));
    /// assert!(scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600])).is_err());
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_module_qualities(
        &mut self,
        id: ModuleId,
        table: &'static [Quality],
    ) -> Result<(), SceneError> {
        if !table.is_sorted() {
            return Err(ValueError::new(Quantity::Quality, ValueProblem::Decreasing).into());
        }
        self.grade(id, LevelQualities::Table(table))
    }

    /// Sets the quality of each level by a curve, for actors with any number of levels; replaces
    /// [a table](Self::set_module_qualities).
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Graded>::new();
    /// scene.set_policy(Policy::Optimal)?;
    /// let cloth = scene.add_module(Module::new(UnitCost::from_ns(500.0)?))?;
    /// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
    /// scene.set_module_quality_curve(cloth, QualityCurve::Diminishing)?;
    /// assert_eq!(scene.quality(cape, 1), Some(Quality::new(0.75)?));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_module_quality_curve(
        &mut self,
        id: ModuleId,
        curve: QualityCurve,
    ) -> Result<(), SceneError> {
        self.grade(id, LevelQualities::Curve(curve))
    }

    fn grade(&mut self, id: ModuleId, qualities: LevelQualities) -> Result<(), SceneError> {
        let section = self.section(self.module_index(id)?);
        for ladder in 0..section.ladders {
            let (_, top) = self.ladders.range(section, ladder);
            qualities.check(usize::from(top).wrapping_add(1))?;
        }
        let module = self.modules.get_mut(id.index()).ok_or(SceneError::NoSuchModule)?;
        module.qualities.set(qualities);
        module.qualities.invalidate_slopes();
        self.ladders.set_qualities(section, &module.qualities);
        Ok(())
    }

    /// Returns the quality of a level of an actor, valid or not; `None` if the actor has no such level.
    ///
    /// # Examples
    /// ```
    /// # use lodger_heapless::*;
    /// let mut scene = Scene::<f32, 1, 8, 3, Graded>::new();
    /// scene.set_policy(Policy::Optimal)?;
    /// let cloth = scene.add_module(Module::new(UnitCost::from_ns(500.0)?))?;
    /// let cape = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400, 1_600]))?;
    /// assert_eq!([1, 2, 3].map(|level| scene.quality(cape, level).map(Quality::to_f64)), [Some(0.5), Some(1.0), None]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn quality(&self, id: ActorId, level: u8) -> Option<Quality> {
        let (module, row) = self.place(id).ok()?;
        let (_, top) = self.ladders.range(self.section(module), self.rows.ladder(row));
        let qualities = &self.modules.get(module)?.qualities;
        (level <= top).then(|| qualities.quality(level, u16::from(top).wrapping_add(1)))
    }
}
