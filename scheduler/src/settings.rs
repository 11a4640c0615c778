//! Setters and getters of actors.

use std::ops::RangeInclusive;
use std::sync::Arc;

use lodger_core::benefit::ActorState;
use lodger_core::budget::{Lod, LodControl, Quality};
use lodger_core::{Benefit, Real};

use crate::handle::{ActorId, ActorLocation, ModuleId, SceneError};
use crate::ladders::LadderInput;
use crate::module_data::ModuleData;
use crate::scene::Scene;
use crate::scene_data::SceneData;
use crate::states::ModuleStates;

/// Setters fail with [`SceneError::StaleActor`] or [`SceneError::ForeignActor`] if the handle is of no
/// actor of this scene; getters then return `None`.
impl<N: Real> Scene<N> {
    /// Returns the module of an actor.
    #[must_use]
    pub fn module_of(&self, id: ActorId) -> Option<ModuleId> {
        self.data.location(id).ok().map(|location| ModuleId::new(location.module, self.data.tag))
    }

    /// Sets the position, age and speed of an actor. They have no effect while its benefit is overridden,
    /// but are kept.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_state(&mut self, id: ActorId, state: ActorState<N>) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        [states.x[row], states.y[row], states.z[row]] = state.position;
        (states.age[row], states.speed[row]) = (state.age, state.speed);
        module.rows.note_set(row, state.is_valid(), true);
        Ok(())
    }

    /// Sets the position of an actor, in metres. See [`set_state`](Self::set_state).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_position(&mut self, id: ActorId, [x, y, z]: [N; 3]) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        (states.x[row], states.y[row], states.z[row]) = (x, y, z);
        module.rows.note_set(row, states.state(row).is_valid(), true);
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
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_age(&mut self, id: ActorId, seconds: N) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        states.age[row] = seconds;
        module.rows.note_set(row, states.state(row).is_valid(), module.used_fields.age);
        Ok(())
    }

    /// Sets an actor's speed in metres per second. See [`set_state`](Self::set_state).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_speed(&mut self, id: ActorId, metres_per_second: N) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        states.speed[row] = metres_per_second;
        module.rows.note_set(row, states.state(row).is_valid(), module.used_fields.speed);
        Ok(())
    }

    /// Sets the radius of an actor's bounding sphere in metres.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Refused`] if it is
    /// negative or not finite.
    pub fn set_radius(&mut self, id: ActorId, radius: N) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        states.curve[row] = states.rule.curve(radius)?;
        states.radius[row] = radius;
        module.rows.dirty.mark(row);
        Ok(())
    }

    /// Returns the radius of an actor's bounding sphere, in metres.
    #[must_use]
    pub fn radius(&self, id: ActorId) -> Option<N> {
        let location = self.data.location(id).ok()?;
        Some(self.states[usize::from(location.module)].radius[location.row as usize])
    }

    /// Overrides the benefit of an actor; `None` removes the override.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_benefit_override(
        &mut self,
        id: ActorId,
        given: Option<Benefit>,
    ) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        module.rows.benefit_override[row] = given;
        module.rows.overridden.set(row);
        module.rows.dirty.mark(row);
        Ok(())
    }

    /// Returns the benefit override of an actor; the inner `None` means a computed benefit.
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn benefit_override(&self, id: ActorId) -> Option<Option<Benefit>> {
        self.data.row(id).map(|(module, row)| module.rows.benefit_override[row])
    }

    /// Sets whether an actor is visible. An invisible actor has benefit 0, whatever its override and
    /// position: it gets its minimum, and no part of the leftover budget. A forced LOD stays, and in a
    /// module that is not managed the actor has its highest LOD as all others do. Its state may change
    /// meanwhile.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_visible(&mut self, id: ActorId, visible: bool) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        module.rows.flags[row].set_visible(visible);
        module.rows.overridden.set(row);
        module.rows.dirty.mark(row);
        Ok(())
    }

    /// Whether an actor is visible.
    #[must_use]
    pub fn is_visible(&self, id: ActorId) -> Option<bool> {
        self.data.row(id).map(|(module, row)| module.rows.flags[row].is_visible())
    }

    /// Sets the user's key of an actor.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn set_key(&mut self, id: ActorId, key: u64) -> Result<(), SceneError> {
        self.data.preserve_plan(id)?;
        let (module, row) = self.data.row_mut(id)?;
        module.rows.key[row] = key;
        Ok(())
    }

    /// Returns the user's key of an actor.
    #[must_use]
    pub fn key(&self, id: ActorId) -> Option<u64> {
        self.data.row(id).map(|(module, row)| module.rows.key[row])
    }

    /// Sets the valid LODs of an actor. A forced LOD is stored as requested, and clamped to the range.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Refused`] if the
    /// range is empty or beyond the actor's levels.
    pub fn set_lod_range(
        &mut self,
        id: ActorId,
        range: RangeInclusive<u8>,
    ) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        let units = module.ladders.units(module.rows.ladder[row]).ok_or(SceneError::StaleActor)?;
        let units = Arc::clone(units);
        let qualities = module.ladders.qualities(module.rows.ladder[row]).cloned();
        let range = Some((*range.start(), *range.end()));
        self.data.set_ladder(id, LadderInput::new(&units, range, qualities.as_deref())?)
    }

    /// Returns the valid LODs of an actor. The module decides whether only whole LODs are valid; see
    /// [`is_continuous`](Self::is_continuous).
    #[doc(alias = "getPhysicalLodRange")]
    #[must_use]
    pub fn lod_range(&self, id: ActorId) -> Option<RangeInclusive<u8>> {
        let (module, row) = self.data.row(id)?;
        let (lowest, highest) = module.ladders.range(module.rows.ladder[row])?;
        Some(lowest..=highest)
    }

    /// Sets the units of work at each LOD, all of which become valid. The qualities are those of the
    /// module, or even steps if it has none or another number of them.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Refused`] as for
    /// [`spawn`](Self::spawn).
    pub fn set_work(&mut self, id: ActorId, units: &[u32]) -> Result<(), SceneError> {
        let (module, _) = self.data.row_mut(id)?;
        let qualities = module.qualities.clone().filter(|table| table.len() == units.len());
        self.data.set_ladder(id, LadderInput::new(units, None, qualities.as_deref())?)
    }

    /// Sets the quality of each level of an actor; `None` for even steps. See
    /// [`Actor::qualities`](crate::Actor::qualities).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Refused`] as for
    /// [`spawn`](Self::spawn).
    pub fn set_qualities(
        &mut self,
        id: ActorId,
        qualities: Option<&[Quality]>,
    ) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        let ladder = module.rows.ladder[row];
        let units = Arc::clone(module.ladders.units(ladder).ok_or(SceneError::StaleActor)?);
        let range = module.ladders.range(ladder);
        self.data.set_ladder(id, LadderInput::new(&units, range, qualities)?)
    }

    /// Returns the quality of each level of an actor, valid or not.
    #[must_use]
    pub fn qualities(&self, id: ActorId) -> Option<Vec<Quality>> {
        let (module, row) = self.data.row(id)?;
        let ladder = module.rows.ladder[row];
        let levels = module.ladders.units(ladder)?.len();
        let all = (0..=u8::MAX).take(levels);
        Some(all.map(|level| module.ladders.quality(ladder, level)).collect())
    }

    /// Returns the units of work of an actor at LOD 0, 1, 2 and so on.
    #[must_use]
    pub fn work(&self, id: ActorId) -> Option<&[u32]> {
        let (module, row) = self.data.row(id)?;
        module.ladders.units(module.rows.ladder[row]).map(|units| &**units)
    }

    /// Forces an actor's LOD; `None` makes it automatic.
    ///
    /// The LOD is rounded, halves up, if only whole LODs are valid, and clamped to the range; the plan
    /// states the result. The request itself is stored.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn force_lod(&mut self, id: ActorId, lod: Option<Lod>) -> Result<(), SceneError> {
        let location = self.data.location(id)?;
        let control = lod.map_or(LodControl::Automatic, LodControl::Forced);
        if self.control(id) == Some(control) {
            return Ok(());
        }
        self.data.preserve_plan(id)?;
        let before = self.data.modules[usize::from(location.module)].part(location.row as usize);
        let ActorLocation { module, row } = match control {
            LodControl::Automatic => self.make_automatic(location),
            LodControl::Forced(_) => self.make_forced(location),
        };
        let module = &mut self.data.modules[usize::from(module)];
        module.note(before, module.part(row as usize));
        module.rows.control[row as usize] = control;
        self.data.changes.note(id.slot());
        Ok(())
    }

    /// Calls [`force_lod`](Self::force_lod) by the document's convention: a negative number means automatic.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Refused`] for NaN;
    /// then nothing changes.
    #[doc(alias = "forcePhysicalLod")]
    pub fn force_physical_lod(&mut self, id: ActorId, lod: f32) -> Result<(), SceneError> {
        match LodControl::from_number(lod.into())? {
            LodControl::Automatic => self.force_lod(id, None),
            LodControl::Forced(lod) => self.force_lod(id, Some(lod)),
        }
    }

    /// Returns whether the LOD of an actor is automatic, and otherwise the requested LOD.
    #[must_use]
    pub fn control(&self, id: ActorId) -> Option<LodControl> {
        self.data.row(id).map(|(module, row)| module.rows.control[row])
    }

    fn state_mut(
        &mut self,
        id: ActorId,
    ) -> Result<(&mut ModuleData, &mut ModuleStates<N>, usize), SceneError> {
        let ActorLocation { module, row } = self.data.location(id)?;
        let index = usize::from(module);
        Ok((&mut self.data.modules[index], &mut self.states[index], row as usize))
    }
}

impl SceneData {
    fn set_ladder(&mut self, id: ActorId, work: LadderInput<'_>) -> Result<(), SceneError> {
        let (module, _) = self.row_mut(id)?;
        let ladder = module.ladders.acquire(work, module.settings.unit_cost)?;
        self.preserve_plan(id)?;
        let (module, row) = self.row_mut(id)?;
        let before = module.part(row);
        let old = module.rows.ladder[row];
        module.rows.set_ladder(row, ladder);
        module.rows.dirty.mark(row);
        let levels = |ladder| module.ladders.units(ladder).map(|units| units.len());
        if levels(old) != levels(ladder) {
            module.rows.flags[row].forget_last();
        }
        module.note(before, module.part(row));
        module.ladders.release(old);
        self.changes.note(id.slot());
        Ok(())
    }

    /// Stores the last tick's plan of an actor that is about to change.
    fn preserve_plan(&mut self, id: ActorId) -> Result<(), SceneError> {
        self.location(id)?;
        if let Some(plan) = self.actor_plan(id) {
            self.plan_overrides.insert(id.slot(), plan);
        }
        Ok(())
    }
}
