//! Setters and getters of actors.

use core::ops::RangeInclusive;

use lodger_core::benefit::ActorState;
use lodger_core::budget::Lod;
use lodger_core::{Benefit, Real};

use crate::column::{at, set, short};
use crate::handle::{ActorId, ModuleId, SceneError};
use crate::scene::Scene;

/// Setters fail with [`SceneError::StaleActor`] if the handle is of no actor of this scene; getters then
/// return `None`.
impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>
    Scene<N, MODULES, ACTORS, COSTS>
{
    /// Returns the module of an actor.
    #[must_use]
    pub fn module_of(&self, id: ActorId) -> Option<ModuleId> {
        let (module, _) = self.place(id).ok()?;
        u8::try_from(module).ok().map(ModuleId::new)
    }

    /// Sets the position, age and speed of an actor. They have no effect while its benefit is overridden,
    /// but are kept.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_state(&mut self, id: ActorId, state: ActorState<N>) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.set_position(row, state.position);
        set(&mut self.rows.age, row, state.age);
        set(&mut self.rows.speed, row, state.speed);
        Ok(())
    }

    /// Returns the position, age and speed of an actor.
    #[must_use]
    pub fn state(&self, id: ActorId) -> Option<ActorState<N>> {
        self.row(id).ok().map(|row| self.rows.state(row))
    }

    /// Sets the position of an actor, in metres. See [`set_state`](Self::set_state).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_position(&mut self, id: ActorId, position: [N; 3]) -> Result<(), SceneError> {
        let row = self.row(id)?;
        self.rows.set_position(row, position);
        Ok(())
    }

    /// Returns the position of an actor, in metres.
    #[must_use]
    pub fn position(&self, id: ActorId) -> Option<[N; 3]> {
        self.state(id).map(|state| state.position)
    }

    /// Sets an actor's age in seconds. See [`set_state`](Self::set_state).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_age(&mut self, id: ActorId, seconds: N) -> Result<(), SceneError> {
        let row = self.row(id)?;
        set(&mut self.rows.age, row, seconds);
        Ok(())
    }

    /// Sets an actor's speed in metres per second. See [`set_state`](Self::set_state).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_speed(&mut self, id: ActorId, metres_per_second: N) -> Result<(), SceneError> {
        let row = self.row(id)?;
        set(&mut self.rows.speed, row, metres_per_second);
        Ok(())
    }

    /// Sets the radius of an actor's bounding sphere in metres.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Invalid`] if it is negative or not finite.
    pub fn set_radius(&mut self, id: ActorId, radius: N) -> Result<(), SceneError> {
        let (module, row) = self.place(id)?;
        let data = self.modules.get(module).ok_or(SceneError::NoSuchModule)?;
        let curve = data.rule.curve(radius)?;
        set(&mut self.rows.curve, row, curve);
        Ok(())
    }

    /// Overrides the benefit of an actor; `None` removes the override.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_benefit_override(
        &mut self,
        id: ActorId,
        given: Option<Benefit>,
    ) -> Result<(), SceneError> {
        let (module, row) = self.place(id)?;
        let was_given = at(&self.rows.flags, row).is_given();
        self.rows.set_given(row, given);
        if let Some(data) = self.modules.get_mut(module) {
            let others = data.given.wrapping_sub(was_given.into());
            data.given = others.wrapping_add(given.is_some().into());
        }
        Ok(())
    }

    /// Returns the benefit override of an actor; the inner `None` means a computed benefit.
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn benefit_override(&self, id: ActorId) -> Option<Option<Benefit>> {
        let row = self.row(id).ok()?;
        Some(at(&self.rows.flags, row).is_given().then(|| at(&self.rows.benefit, row)))
    }

    /// Sets the valid LODs of an actor. A forced LOD is stored as requested, and clamped to the range.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Invalid`] if the range is empty or beyond the actor's
    /// levels; [`Capacity::Costs`](crate::Full::Costs) if no other actor of the module has its work and this
    /// range, while others have its work and the range that it had.
    pub fn set_lod_range(
        &mut self,
        id: ActorId,
        range: RangeInclusive<u8>,
    ) -> Result<(), SceneError> {
        let place = self.place(id)?;
        self.change_range(place, (*range.start(), *range.end()))
    }

    /// Returns the valid LODs of an actor.
    #[doc(alias = "getPhysicalLodRange")]
    #[must_use]
    pub fn lod_range(&self, id: ActorId) -> Option<RangeInclusive<u8>> {
        let (module, row) = self.place(id).ok()?;
        let section = self.section(module);
        let (range, _) = self.ladders.range(section, self.ladder_of(row));
        Some(range.lowest()..=range.highest())
    }

    /// Returns the units of work of an actor at LOD 0, 1, 2 and so on.
    #[must_use]
    pub fn work(&self, id: ActorId) -> Option<&[u32]> {
        let (module, row) = self.place(id).ok()?;
        Some(self.ladders.units(self.section(module), self.ladder_of(row)))
    }

    /// Forces an actor's LOD; `None` makes it automatic. It is rounded, halves up, and
    /// clamped to the range; the rounded request itself is stored.
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

    /// Returns the forced level of an actor; the inner `None` means an automatic one.
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn forced_level(&self, id: ActorId) -> Option<Option<u8>> {
        let (module, row) = self.place(id).ok()?;
        let data = self.modules.get(module)?;
        let is_automatic = short(row.wrapping_sub(self.start(module))) < data.automatic;
        Some((!is_automatic).then(|| at(&self.rows.forced, row)))
    }
}
