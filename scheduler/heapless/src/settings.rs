//! Setters and getters of actors.

use core::ops::RangeInclusive;

use lodger_core::benefit::ActorState;
use lodger_core::budget::Lod;
use lodger_core::{Benefit, Real};

use crate::column::{at, set};
use crate::columns::{
    Columns, ModuleRule, OverrideColumn, States, ViewColumns, WithMotion, WithPositions,
};
use crate::handle::{ActorId, ModuleId, SceneError};
use crate::index::RowNumber as _;
use crate::scene::Scene;

/// Setters of an actor fail with [`SceneError::StaleActor`] for a stale handle; getters return `None`.
impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithPositions>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets the position of an actor, in metres. See [`set_state`](Self::set_state).
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_position(cape, [60.0, 0.0, 0.0])?;
    /// assert_eq!(scene.position(cape), Some([60.0, 0.0, 0.0]));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_position(&mut self, id: ActorId, position: [N; 3]) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.states.set_position(row, position);
        Ok(())
    }

    /// Returns the position of an actor, in metres.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.position(cape), Some([2.0, 0.0, 0.0]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn position(&self, id: ActorId) -> Option<[N; 3]> {
        self.row(id).ok().map(|row| self.rows.states.state(row).position)
    }

    /// Sets the radius of an actor's bounding sphere in metres.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let before = scene.tick(Budget::UNLIMITED).module(cloth).map(|module| module.target_ns);
    /// scene.set_radius(cape, 0.1)?;
    /// let after = scene.tick(Budget::UNLIMITED).module(cloth).map(|module| module.target_ns);
    /// assert!(after < before);
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Invalid`] if it is negative or not finite.
    pub fn set_radius(&mut self, id: ActorId, radius: N) -> Result<(), SceneError> {
        let (module, row) = self.place(id)?;
        let data = self.modules.get(module).ok_or(SceneError::NoSuchModule)?;
        let curve = data.rule.curve(radius, None)?;
        self.rows.states.set_curve(row, curve);
        self.rows.views.set_radius(row, radius);
        Ok(())
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithMotion>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Sets the position, age and speed of an actor. They have no effect while its benefit is overridden.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let state = ActorState { position: [3.0, 0.0, 0.0], age: 1.0, speed: 0.5 };
    /// scene.set_state(cape, state)?;
    /// assert_eq!(scene.state(cape), Some(state));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_state(&mut self, id: ActorId, state: ActorState<N>) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.states.set_position(row, state.position);
        self.rows.states.set_age(row, state.age);
        self.rows.states.set_speed(row, state.speed);
        Ok(())
    }

    /// Returns the position, age and speed of an actor.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let state = ActorState { position: [2.0, 0.0, 0.0], age: 0.0, speed: 0.0 };
    /// assert_eq!(scene.state(cape), Some(state));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn state(&self, id: ActorId) -> Option<ActorState<N>> {
        self.row(id).ok().map(|row| self.rows.states.state(row))
    }

    /// Sets an actor's age in seconds. See [`set_state`](Self::set_state).
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_age(cape, 1.5)?;
    /// assert_eq!(scene.state(cape).map(|state| state.age), Some(1.5));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_age(&mut self, id: ActorId, seconds: N) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.states.set_age(row, seconds);
        Ok(())
    }

    /// Sets an actor's speed in metres per second. See [`set_state`](Self::set_state).
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_speed(cape, 4.0)?;
    /// assert_eq!(scene.state(cape).map(|state| state.speed), Some(4.0));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_speed(&mut self, id: ActorId, metres_per_second: N) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.states.set_speed(row, metres_per_second);
        Ok(())
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Returns the module of an actor.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.module_of(cape), Some(cloth));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn module_of(&self, id: ActorId) -> Option<ModuleId> {
        let (module, _) = self.place(id).ok()?;
        u8::try_from(module).ok().map(ModuleId::new)
    }

    /// Overrides the benefit of an actor; `None` removes the override.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_benefit_override(cape, Some(Benefit::new(0.25)?))?;
    /// let plan = scene.tick(Budget::UNLIMITED);
    /// // A quarter of the 2 ms of the module.
    /// assert_eq!(plan.module(cloth).map(|module| module.target_ns), Some(500_000));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Invalid`] for `None` in a scene of [given benefits](crate::GivenBenefits).
    pub fn set_benefit_override(
        &mut self,
        id: ActorId,
        given: Option<Benefit>,
    ) -> Result<(), SceneError> {
        let (module, row) = self.place(id)?;
        self.modules.get(module).map(|data| data.rule.curve(N::ZERO, given)).transpose()?;
        let was_given = self.rows.is_given(row);
        self.rows.set_given(row, given);
        if let Some(data) = self.modules.get_mut(module) {
            data.count_given(was_given, given.is_some());
        }
        Ok(())
    }

    /// Returns the benefit override of an actor; `None` if its benefit is computed.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.benefit_override(cape), Ok(None));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn benefit_override(&self, id: ActorId) -> Result<Option<Benefit>, SceneError> {
        let row = self.row(id)?;
        let rows = &self.rows;
        let given = || rows.overrides.at(row).unwrap_or(at(&rows.benefit, row));
        Ok(rows.is_given(row).then(given))
    }

    /// Sets the valid LODs of an actor. A forced LOD is stored as requested, and clamped to the range.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.set_lod_range(cape, 1..=1)?;
    /// assert_eq!(scene.tick(Budget::from_ns(1)).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// - [`SceneError::StaleActor`]
    /// - [`SceneError::Invalid`] if the range is empty or beyond the actor's levels
    /// - [`Capacity::Costs`](crate::Capacity::Costs) if there is no space for a new ladder, which the actor needs
    ///   if others have its present ladder and no actor of the module has its work with the new range
    pub fn set_lod_range(
        &mut self,
        id: ActorId,
        range: RangeInclusive<u8>,
    ) -> Result<(), SceneError> {
        let place = self.place(id)?;
        self.change_range(place, (*range.start(), *range.end()))
    }

    /// Returns the valid LODs of an actor.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.lod_range(cape), Some(0..=2));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[doc(alias = "getPhysicalLodRange")]
    #[must_use]
    pub fn lod_range(&self, id: ActorId) -> Option<RangeInclusive<u8>> {
        let (module, row) = self.place(id).ok()?;
        let section = self.section(module);
        let (range, _) = self.ladders.range(section, self.rows.ladder(row));
        Some(range.lowest()..=range.highest())
    }

    /// Returns the units of work of an actor at LOD 0, 1, 2 and so on.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.work(cape), Some(&[0, 400, 1_600][..]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn work(&self, id: ActorId) -> Option<&[u32]> {
        let (module, row) = self.place(id).ok()?;
        Some(self.ladders.units(self.section(module), self.rows.ladder(row)))
    }

    /// Forces an actor's LOD, rounded with halves up and clamped to the range; `None` makes it automatic.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.force_lod(cape, Some(Lod::new(1, 0)))?;
    /// assert_eq!(scene.tick(Budget::UNLIMITED).level(cape), Some(1));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    #[doc(alias = "forcePhysicalLod")]
    pub fn force_lod(&mut self, id: ActorId, lod: Option<Lod>) -> Result<(), SceneError> {
        let (module, row) = self.place(id)?;
        match lod {
            Some(lod) => {
                let row = self.make_forced(module, row);
                set(&mut self.rows.forced, row, lod.rounded().level());
            }
            None => self.make_automatic(module, row),
        }
        Ok(())
    }

    /// Returns the forced level of an actor, not clamped to the range; `None` if the level is automatic.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.force_lod(cape, Some(Lod::new(9, 0)))?;
    /// assert_eq!(scene.forced_level(cape), Ok(Some(9)));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn forced_level(&self, id: ActorId) -> Result<Option<u8>, SceneError> {
        let (module, row) = self.place(id)?;
        let data = self.modules.get(module).ok_or(SceneError::NoSuchModule)?;
        let is_automatic = row.wrapping_sub(self.start(module)) < data.automatic.get();
        Ok((!is_automatic).then(|| at(&self.rows.forced, row)))
    }
}
