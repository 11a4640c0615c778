use std::ops::RangeInclusive;
use std::sync::Arc;

use lodger_core::benefit::{ActorState, Priority};
use lodger_core::budget::{Lod, LodControl, Quality};
use lodger_core::{Benefit, Real};

use crate::handle::{ActorId, ActorLocation, ModuleId, SceneError};
use crate::ladders::LadderInput;
use crate::module_data::ModuleData;
use crate::scene::Scene;
use crate::scene_data::SceneData;
use crate::states::ModuleStates;

/// Setters and getters of actors. Getters return `None` for a stale handle or a handle of another scene.
impl<N: Real> Scene<N> {
    /// Returns the module of an actor.
    ///
    /// # Examples
    /// ```
    /// # let (scene, _, far, cloth, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.module_of(far), Some(cloth));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn module_of(&self, id: ActorId) -> Option<ModuleId> {
        self.data.location(id).ok().map(|location| ModuleId::new(location.module, self.data.tag))
    }

    /// Sets the position, age and speed of an actor, which a benefit override ignores.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_state(far, ActorState { position: [0.0, 1.0, 0.0], age: 3.0, speed: 0.5 })?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_state(&mut self, id: ActorId, state: ActorState<N>) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        [states.x[row], states.y[row], states.z[row]] = state.position;
        (states.age[row], states.speed[row]) = (state.age, state.speed);
        module.rows.note_set(row, state.is_valid(), true);
        Ok(())
    }

    /// Sets the position of an actor, in metres.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_position(far, [0.0, 1.0, 0.0])?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_position(&mut self, id: ActorId, [x, y, z]: [N; 3]) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        (states.x[row], states.y[row], states.z[row]) = (x, y, z);
        module.rows.note_set(row, states.state(row).is_valid(), true);
        Ok(())
    }

    /// Returns the position of an actor, in metres.
    ///
    /// # Examples
    /// ```
    /// # let (scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.position(far), Some([0.0, 5.0, 0.0]));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn position(&self, id: ActorId) -> Option<[N; 3]> {
        self.state(id).map(|state| state.position)
    }

    /// Sets the age of an actor, in seconds.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_age(far, 3.0)?;
    /// assert_eq!(scene.state(far).map(|state| state.age), Some(3.0));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_age(&mut self, id: ActorId, seconds: N) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        states.age[row] = seconds;
        module.rows.note_set(row, states.state(row).is_valid(), module.used_fields.age);
        Ok(())
    }

    /// Sets the speed of an actor, in metres per second.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_speed(far, 0.5)?;
    /// assert_eq!(scene.state(far).map(|state| state.speed), Some(0.5));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_speed(&mut self, id: ActorId, metres_per_second: N) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        states.speed[row] = metres_per_second;
        module.rows.note_set(row, states.state(row).is_valid(), module.used_fields.speed);
        Ok(())
    }

    /// Sets the radius of an actor's bounding sphere, in metres.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Invalid`] if the radius is
    /// negative or not finite.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_radius(far, 3.0)?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_radius(&mut self, id: ActorId, radius: N) -> Result<(), SceneError> {
        let (module, states, row) = self.state_mut(id)?;
        states.curve[row] = states.rule.curve(radius)?;
        states.radius[row] = radius;
        module.rows.dirty.mark(row);
        Ok(())
    }

    /// Returns the radius of an actor's bounding sphere, in metres.
    ///
    /// # Examples
    /// ```
    /// # let (scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.radius(far), Some(1.0));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn radius(&self, id: ActorId) -> Option<N> {
        let location = self.data.location(id).ok()?;
        Some(self.states[usize::from(location.module)].radius[location.row as usize])
    }

    /// Replaces the computed benefit of an actor; `None` computes it again.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_benefit_override(far, Some(Benefit::new(1.0_f32)?))?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_benefit_override(
        &mut self,
        id: ActorId,
        benefit: Option<Benefit>,
    ) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        module.rows.benefit_override[row] = benefit;
        module.rows.overridden.set(row);
        module.rows.dirty.mark(row);
        Ok(())
    }

    /// Returns the benefit override of an actor; the inner `None` means a computed benefit.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.benefit_override(far), Some(None));
    /// scene.set_benefit_override(far, Some(Benefit::ZERO))?;
    /// assert_eq!(scene.benefit_override(far), Some(Some(Benefit::ZERO)));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[allow(clippy::option_option)] // the outer one is for the handle
    #[must_use]
    pub fn benefit_override(&self, id: ActorId) -> Option<Option<Benefit>> {
        self.data.row(id).map(|(module, row)| module.rows.benefit_override[row])
    }

    /// Sets whether an actor is visible. An invisible actor has benefit 0, whatever its override, and gets no
    /// part of the leftover budget. Forced LODs and unmanaged modules are not affected.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_visible(near, false)?;
    /// let plan = scene.tick().actor(near);
    /// assert_eq!(plan.map(|plan| (plan.lod, plan.reason)), Some((Lod::ZERO, Reason::Invisible)));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_visible(&mut self, id: ActorId, visible: bool) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        module.rows.flags[row].set_visible(visible);
        module.rows.overridden.set(row);
        module.rows.dirty.mark(row);
        Ok(())
    }

    /// Whether an actor is visible.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_visible(near, false)?;
    /// assert_eq!([near, far].map(|cape| scene.is_visible(cape)), [Some(false), Some(true)]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn is_visible(&self, id: ActorId) -> Option<bool> {
        self.data.row(id).map(|(module, row)| module.rows.flags[row].is_visible())
    }

    /// Sets how much an actor matters: a factor of its benefit, computed or not, in every policy.
    ///
    /// # Formula
    /// The benefit is multiplied by the priorities of the actor and of its module, whose product is rounded down and at
    /// most 65 535/4096; see [`Priority`].
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let before = scene.tick().actor(far).map(|plan| plan.benefit);
    /// scene.set_priority(far, Priority::new(2.0)?)?;
    /// let after = scene.tick().actor(far).map(|plan| plan.benefit);
    /// assert_eq!(after.map(Benefit::bits), before.map(|benefit| benefit.bits() * 2));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn set_priority(&mut self, id: ActorId, priority: Priority) -> Result<(), SceneError> {
        let (module, row) = self.data.row_mut(id)?;
        let rows = module.rows.len();
        if module.rows.priority.set(row, priority, rows) {
            module.rows.dirty.mark(row);
        }
        Ok(())
    }

    /// Returns how much an actor matters.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_priority(near, Priority::MAX)?;
    /// assert_eq!([near, far].map(|cape| scene.priority(cape)), [Some(Priority::MAX), Some(Priority::ONE)]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn priority(&self, id: ActorId) -> Option<Priority> {
        self.data.row(id).map(|(module, row)| module.rows.priority.get(row))
    }

    /// Sets the user's key of an actor.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_key(far, 17)?;
    /// assert_eq!(scene.tick().actor(far).map(|plan| plan.key), Some(17));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_key(&mut self, id: ActorId, key: u64) -> Result<(), SceneError> {
        self.data.preserve_plan(id)?;
        let (module, row) = self.data.row_mut(id)?;
        module.rows.key[row] = key;
        Ok(())
    }

    /// Returns the user's key of an actor.
    ///
    /// # Examples
    /// ```
    /// # let (scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.key(far), Some(2));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn key(&self, id: ActorId) -> Option<u64> {
        self.data.row(id).map(|(module, row)| module.rows.key[row])
    }

    /// Sets the valid LODs of an actor. A forced LOD is stored as requested, and clamped to the range.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Invalid`] if the range is
    /// empty or beyond the actor's levels.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_lod_range(near, 0..=1)?;
    /// assert_eq!(scene.tick().lod(near).map(|lod| lod.level()), Some(1));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
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

    /// Returns the valid LODs of an actor. LODs between two levels are valid if the module
    /// [is continuous](Self::is_continuous).
    ///
    /// # Examples
    /// ```
    /// # let (scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.lod_range(near), Some(0..=2));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[doc(alias = "getPhysicalLodRange")]
    #[must_use]
    pub fn lod_range(&self, id: ActorId) -> Option<RangeInclusive<u8>> {
        let (module, row) = self.data.row(id)?;
        let (lowest, highest) = module.ladders.range(module.rows.ladder[row])?;
        Some(lowest..=highest)
    }

    /// Sets the units of work at LOD 0, 1, 2 and so on, and makes all these LODs valid. Qualities become the
    /// module's, or even steps if the module has none for this number of levels.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Invalid`] as for
    /// [`spawn`](Self::spawn).
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.set_work(near, &[0, 3_000])?; // 1.5 ms at level 1
    /// assert_eq!(scene.tick().actor(near).map(|plan| plan.cost_ns), Some(1_500_000));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn set_work(&mut self, id: ActorId, units: &[u32]) -> Result<(), SceneError> {
        let (module, _) = self.data.row_mut(id)?;
        let mut qualities = module.qualities.clone();
        let qualities = qualities.of_levels(units.len()).filter(|of| of.len() == units.len());
        self.data.set_ladder(id, LadderInput::new(units, None, qualities)?)
    }

    /// Sets the quality of each level of an actor; `None` for even steps. See [`Actor::qualities`](crate::Actor::qualities).
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Invalid`] as for
    /// [`spawn`](Self::spawn).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let most = Quality::new(0.9)?;
    /// scene.set_qualities(far, Some(&[Quality::ZERO, most, Quality::ONE]))?;
    /// assert_eq!(scene.tick().actor(far).map(|plan| plan.quality), Some(most)); // at level 1
    /// # Ok::<(), SceneError>(())
    /// ```
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
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let even = [Quality::ZERO, Quality::new(0.5)?, Quality::ONE];
    /// assert_eq!(scene.qualities(far).as_deref(), Some(&even[..]));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn qualities(&self, id: ActorId) -> Option<Vec<Quality>> {
        let (module, row) = self.data.row(id)?;
        let ladder = module.rows.ladder[row];
        let levels = module.ladders.units(ladder)?.len();
        let all = (0..=u8::MAX).take(levels);
        Some(all.map(|level| module.ladders.quality(ladder, level)).collect())
    }

    /// Returns the units of work of an actor at LOD 0, 1, 2 and so on.
    ///
    /// # Examples
    /// ```
    /// # let (scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.work(far), Some(&[0, 400, 2_400][..]));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn work(&self, id: ActorId) -> Option<&[u32]> {
        let (module, row) = self.data.row(id)?;
        module.ladders.units(module.rows.ladder[row]).map(|units| &**units)
    }

    /// Forces the LOD of an actor; `None` makes it automatic.
    ///
    /// A tick clamps the stored LOD to the valid range, and rounds it to a whole LOD, halves up, unless the
    /// module is continuous.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.force_lod(far, Some(Lod::new(2, 0)))?;
    /// let plan = scene.tick();
    /// assert_eq!((plan.lod(far), plan.reserved_ns()), (Some(Lod::new(2, 0)), 1_200_000));
    /// # Ok::<(), SceneError>(())
    /// ```
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

    /// Forces the LOD of an actor as in the APEX document: a negative number makes it automatic.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`]; [`SceneError::Invalid`] for NaN.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.force_physical_lod(far, 2.0)?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(2));
    /// scene.force_physical_lod(far, -1.0)?;
    /// assert_eq!(scene.tick().lod(far).map(|lod| lod.level()), Some(1));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[doc(alias = "forcePhysicalLod")]
    pub fn force_physical_lod(&mut self, id: ActorId, lod: f32) -> Result<(), SceneError> {
        match LodControl::from_number(lod.into())? {
            LodControl::Automatic => self.force_lod(id, None),
            LodControl::Forced(lod) => self.force_lod(id, Some(lod)),
        }
    }

    /// Returns the requested LOD of an actor, or that it is automatic.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.force_lod(far, Some(Lod::new(2, 0)))?;
    /// assert_eq!(scene.control(far), Some(LodControl::Forced(Lod::new(2, 0))));
    /// # Ok::<(), SceneError>(())
    /// ```
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
            module.rows.flags[row].forget_previous();
        }
        module.note(before, module.part(row));
        module.ladders.release(old);
        self.changes.note(id.slot());
        Ok(())
    }

    /// Stores the last plan of an actor that is about to change.
    fn preserve_plan(&mut self, id: ActorId) -> Result<(), SceneError> {
        self.location(id)?;
        if let Some(plan) = self.actor_plan(id) {
            self.plan_overrides.insert(id.slot(), plan);
        }
        Ok(())
    }
}
