//! Spawning and despawning of actors, and the order of their rows.

use lodger_core::Real;
use lodger_core::benefit::ActorState;
use lodger_core::budget::{LodControl, MAX_ACTORS};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

use crate::handle::{ActorId, ActorLocation, Ids, ModuleId, SceneError, SlotHandle};
use crate::input::Actor;
use crate::scene::Scene;

impl<N: Real> Scene<N> {
    /// Returns the number of actors.
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.actors.len()
    }

    /// Whether there is no actor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an actor is in this scene: its handle is neither stale nor from another scene.
    #[must_use]
    pub fn contains(&self, id: ActorId) -> bool {
        self.data.location(id).is_ok()
    }

    /// Returns all actors, in the order of their slots.
    pub fn actors(&self) -> impl Iterator<Item = ActorId> {
        self.data.actors.iter(self.data.tag).map(|(handle, _)| ActorId(handle))
    }

    /// Reserves memory for `actors` more actors of a module. Spawning them then allocates nothing if
    /// other actors of the module have the same work.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`ValueProblem::TooLarge`] if there
    /// would be more than [`MAX_ACTORS`] actors.
    pub fn reserve(&mut self, id: ModuleId, actors: usize) -> Result<(), SceneError> {
        let index = self.data.module_index(id)?;
        if actors > self.data.actors.scratch() {
            return Err(FULL.into());
        }
        self.data.modules[index].rows.reserve(actors);
        self.states[index].reserve(actors);
        self.data.actors.reserve(actors);
        self.data.changes.reserve(actors);
        Ok(())
    }

    /// Adds an actor to a module. It gets the slot that was released last, or else a new one.
    ///
    /// A position, age or speed that is not finite is accepted, as it may also become invalid later:
    /// the actor is then quarantined, with benefit 0 at its lowest LOD.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]. [`SceneError::Refused`] for a
    /// radius that is negative or not finite; for work that is missing, decreases, has more than 256
    /// levels or costs 4.29 s or more; for a range that is empty or beyond the levels; for more than
    /// [`MAX_ACTORS`] actors.
    pub fn spawn(&mut self, id: ModuleId, actor: Actor<'_, N>) -> Result<ActorId, SceneError> {
        self.data.actors.next().ok_or(FULL)?;
        self.data.module_index(id)?;
        let handle = self.add(id.index(), &actor)?;
        self.data.changes.note(handle.slot());
        Ok(ActorId(handle))
    }

    /// Adds many actors to a module, all or none, with the same result as calls of [`spawn`](Self::spawn).
    /// Memory is reserved once, for the iterator's lower size hint.
    ///
    /// It allocates nothing if memory was [reserved](Self::reserve) and other actors of the module have
    /// the same work.
    ///
    /// # Errors
    /// The errors of [`spawn`](Self::spawn); then no actor is added.
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// let module = Module::new("sparks", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let sparks = scene.add_module(module)?;
    /// scene.reserve(sparks, 1_000)?;
    ///
    /// let burst = (0..1_000).map(|key| Actor::at([4.0, 1.0, 0.0], 0.1, &[0, 5, 20]).key(key));
    /// let spawned = scene.spawn_many(sparks, burst)?;
    /// let first = spawned.ids().next().ok_or("nobody came")?;
    /// assert_eq!((spawned.slots.len(), scene.key(first)), (1_000, Some(0)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn spawn_many<'w>(
        &mut self,
        id: ModuleId,
        actors: impl IntoIterator<Item = Actor<'w, N>>,
    ) -> Result<Spawned<'_>, SceneError> {
        let index = self.data.module_index(id)?;
        let actors = actors.into_iter();
        let many = actors.size_hint().0;
        if many > self.data.actors.scratch() {
            return Err(ValueError::new(Quantity::Count, ValueProblem::TooLarge).into());
        }
        self.data.modules[index].rows.reserve(many);
        self.states[index].reserve(many);
        self.data.actors.reserve(many);
        let before = self.data.changes.begin_notes(many);
        for actor in actors {
            match self.add(id.index(), &actor) {
                Ok(handle) => self.data.changes.note_next(handle.slot()),
                Err(error) => {
                    self.take_back(before)?;
                    return Err(error.into());
                }
            }
        }
        let ids = Ids::new(&self.data.actors, self.data.tag);
        Ok(Spawned { ids, slots: self.data.changes.notes_after(before) })
    }

    /// Adds an actor to an existing module.
    fn add(&mut self, module: u16, actor: &Actor<'_, N>) -> Result<SlotHandle, ValueError> {
        let slot = self.data.actors.next().ok_or(FULL)?;
        let states = &mut self.states[usize::from(module)];
        let curve = states.rule.curve(actor.radius);
        let data = &mut self.data.modules[usize::from(module)];
        let row = row_number(data.rows.len());
        data.add(slot, actor, curve.map(drop))?;
        states.push(actor.state, actor.radius, curve?);
        let location = ActorLocation { module, row };
        let handle = self.data.actors.insert(location, self.data.tag).ok_or(FULL)?;
        if actor.control == LodControl::Automatic {
            self.make_automatic(location);
        }
        Ok(handle)
    }

    /// Despawns the actors that were noted after the first `before`, the last first, which restores the
    /// order of all rows.
    fn take_back(&mut self, before: usize) -> Result<(), SceneError> {
        while let Some(slot) = self.data.changes.take_note_after(before) {
            if let Some((handle, _)) = self.data.actors.at(slot, self.data.tag) {
                self.despawn(ActorId(handle))?;
            }
        }
        Ok(())
    }

    /// Removes an actor. Its handle becomes stale.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn despawn(&mut self, id: ActorId) -> Result<(), SceneError> {
        let location = self.data.location(id)?;
        // The row first leaves the automatic ones; the sums of the last tick keep its former part.
        let before = self.data.modules[usize::from(location.module)].part(location.row as usize);
        let ActorLocation { module, row } = self.make_forced(location);
        let index = usize::from(module);
        let data = &mut self.data.modules[index];
        data.note(before, data.part(row as usize));
        let last = row_number(data.rows.len() - 1);
        self.swap_rows(module, row, last);
        self.data.modules[index].remove_last();
        self.states[index].pop();
        self.data.actors.remove(id.0);
        Ok(())
    }

    /// Adds seconds, which may be negative, to all ages. An invalid age stays invalid.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`]; then no age changes.
    pub fn advance_ages(&mut self, seconds: N) -> Result<(), SceneError> {
        seconds.finite(Quantity::Age)?;
        for (module, states) in self.data.modules.iter_mut().zip(&mut self.states) {
            states.advance_ages(module, seconds);
        }
        Ok(())
    }

    /// Returns the position, age and speed of an actor.
    #[must_use]
    pub fn state(&self, id: ActorId) -> Option<ActorState<N>> {
        let location = self.data.location(id).ok()?;
        Some(self.states[usize::from(location.module)].state(location.row as usize))
    }

    /// Moves a row to the automatic ones, and returns its new location.
    pub(crate) fn make_automatic(&mut self, location: ActorLocation) -> ActorLocation {
        let ActorLocation { module, row } = location;
        let rows = &mut self.data.modules[usize::from(module)].rows;
        let other = row_number(rows.make_automatic(row as usize));
        self.swap_rows(module, row, other)
    }

    /// Moves a row to the forced ones, and returns its new location.
    pub(crate) fn make_forced(&mut self, location: ActorLocation) -> ActorLocation {
        let ActorLocation { module, row } = location;
        let rows = &mut self.data.modules[usize::from(module)].rows;
        let other = row_number(rows.make_forced(row as usize));
        self.swap_rows(module, row, other)
    }

    /// Swaps a row with another, and returns its new location.
    fn swap_rows(&mut self, module: u16, row: u32, other: u32) -> ActorLocation {
        if row != other {
            self.data.swap_rows(module, row, other);
            self.states[usize::from(module)].swap(row as usize, other as usize);
        }
        ActorLocation { module, row: other }
    }
}

/// Actors that were spawned together, in the order of the iterator; see [`Scene::spawn_many`].
#[derive(Debug, Clone, Copy)]
pub struct Spawned<'a> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
}

impl<'a> Spawned<'a> {
    /// Returns the handles of the actors.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a> {
        self.ids.of(self.slots)
    }
}

/// The error of a full scene.
const FULL: ValueError = ValueError::new(Quantity::Count, ValueProblem::TooLarge);

/// Converts a row to its number; there are at most [`MAX_ACTORS`].
fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(MAX_ACTORS)
}
