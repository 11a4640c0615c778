use lodger_core::Real;
use lodger_core::benefit::ActorState;
use lodger_core::budget::{LodControl, MAX_ACTORS};
use lodger_core::error::{Quantity, ValueError, ValueProblem};

use crate::handle::{ActorId, ActorLocation, Ids, ModuleId, SceneError, SlotHandle};
use crate::input::Actor;
use crate::scene::Scene;

impl<N: Real> Scene<N> {
    /// Returns the number of actors.
    ///
    /// # Examples
    /// ```
    /// # let (scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.len(), 2);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.data.actors.len()
    }

    /// Whether there is no actor.
    ///
    /// # Examples
    /// ```
    /// # let (scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert!(!scene.is_empty());
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an actor is in this scene: its handle is neither stale nor of another scene.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.despawn(far)?;
    /// assert_eq!([near, far].map(|cape| scene.contains(cape)), [true, false]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, id: ActorId) -> bool {
        self.data.location(id).is_ok()
    }

    /// Returns all actors, in the order of slots.
    ///
    /// # Examples
    /// ```
    /// # let (scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.actors().collect::<Vec<_>>(), [near, far]);
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn actors(&self) -> impl Iterator<Item = ActorId> {
        self.data.actors.iter(self.data.tag).map(|(handle, _)| ActorId(handle))
    }

    /// Reserves memory for `actors` more actors of a module. Spawning them then allocates nothing if other
    /// actors of the module have the same work.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`ValueProblem::TooLarge`] if there
    /// would be more than [`MAX_ACTORS`] actors.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.reserve(cloth, 10_000)?;
    /// assert!(scene.reserve(cloth, 1 << 24).is_err());
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn reserve(&mut self, id: ModuleId, actors: usize) -> Result<(), SceneError> {
        let index = self.data.module_index(id)?;
        if actors > self.data.actors.remaining() {
            return Err(FULL.into());
        }
        self.data.modules[index].rows.reserve(actors);
        self.states[index].reserve(actors);
        self.data.actors.reserve(actors);
        self.data.changes.reserve(actors);
        Ok(())
    }

    /// Adds an actor to a module, in the empty slot that was released first, or else a new one.
    ///
    /// A position, age or speed that is not finite quarantines the actor: it has benefit 0 and its lowest LOD.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]. [`SceneError::Invalid`] for
    ///
    /// - a radius that is negative or not finite,
    /// - work that is missing, decreases, has more than 256 levels or costs 4.29 s or more,
    /// - a range that is empty or beyond the levels,
    /// - more than [`MAX_ACTORS`] actors.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let cape = scene.spawn(cloth, Actor::at([0.0, 0.0, 1.0], 1.0, &[0, 100]))?;
    /// assert_eq!(scene.tick().actor(cape).map(|plan| plan.cost_ns), Some(50_000));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn spawn(&mut self, id: ModuleId, actor: Actor<'_, N>) -> Result<ActorId, SceneError> {
        self.data.actors.next().ok_or(FULL)?;
        self.data.module_index(id)?;
        let handle = self.add(id.index(), &actor)?;
        self.data.changes.note(handle.slot());
        Ok(ActorId(handle))
    }

    /// Adds many actors to a module, all or none, with the same result as [`spawn`](Self::spawn) one by one.
    /// Reserves memory once, for the iterator's lower size hint.
    ///
    /// # Errors
    /// The errors of [`spawn`](Self::spawn).
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let flags = (0..1_000).map(|key| Actor::at([9.0, 0.0, 1.0], 0.1, &[0, 100]).key(key));
    /// let spawned = scene.spawn_many(cloth, flags)?;
    /// let last = spawned.ids().last().and_then(|actor| scene.key(actor));
    /// assert_eq!((last, scene.len()), (Some(999), 1_002));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn spawn_many<'w>(
        &mut self,
        id: ModuleId,
        actors: impl IntoIterator<Item = Actor<'w, N>>,
    ) -> Result<Spawned<'_>, SceneError> {
        let index = self.data.module_index(id)?;
        let actors = actors.into_iter();
        let many = actors.size_hint().0;
        if many > self.data.actors.remaining() {
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
                    self.undo_spawns(before)?;
                    return Err(error.into());
                }
            }
        }
        let ids = Ids::new(&self.data.actors, self.data.tag);
        Ok(Spawned { ids, slots: self.data.changes.notes_after(before) })
    }

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

    /// Despawns the actors after the first `before` noted ones, the last first, which restores all rows.
    fn undo_spawns(&mut self, before: usize) -> Result<(), SceneError> {
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
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, near, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.despawn(near)?;
    /// assert_eq!(scene.tick().assigned_ns(), 200_000); // the far cape alone
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
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

    /// Adds seconds, which may be negative, to the ages of all actors.
    ///
    /// # Errors
    /// [`ValueProblem::NotFinite`]; then no age changes.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// scene.advance_ages(0.5)?;
    /// assert_eq!(scene.state(far).map(|state| state.age), Some(0.5));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    pub fn advance_ages(&mut self, seconds: N) -> Result<(), SceneError> {
        seconds.finite(Quantity::Age)?;
        for (module, states) in self.data.modules.iter_mut().zip(&mut self.states) {
            states.advance_ages(module, seconds);
        }
        Ok(())
    }

    /// Returns the position, age and speed of an actor.
    ///
    /// # Examples
    /// ```
    /// # let (scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.state(far).map(|state| state.position), Some([0.0, 5.0, 0.0]));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn state(&self, id: ActorId) -> Option<ActorState<N>> {
        let location = self.data.location(id).ok()?;
        Some(self.states[usize::from(location.module)].state(location.row as usize))
    }

    pub(crate) fn make_automatic(&mut self, location: ActorLocation) -> ActorLocation {
        let ActorLocation { module, row } = location;
        let rows = &mut self.data.modules[usize::from(module)].rows;
        let other = row_number(rows.make_automatic(row as usize));
        self.swap_rows(module, row, other)
    }

    pub(crate) fn make_forced(&mut self, location: ActorLocation) -> ActorLocation {
        let ActorLocation { module, row } = location;
        let rows = &mut self.data.modules[usize::from(module)].rows;
        let other = row_number(rows.make_forced(row as usize));
        self.swap_rows(module, row, other)
    }

    /// Returns the new location of the first row.
    fn swap_rows(&mut self, module: u16, row: u32, other: u32) -> ActorLocation {
        if row != other {
            self.data.swap_rows(module, row, other);
            self.states[usize::from(module)].swap(row as usize, other as usize);
        }
        ActorLocation { module, row: other }
    }
}

/// The actors of a call of [`Scene::spawn_many`], in the order of its iterator.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let spawned = scene.spawn_many(cloth, [1.0, 2.0].map(|y| Actor::at([0.0, y, 0.0], 1.0, &[0, 9])))?;
/// assert_eq!(spawned.slots, [2, 3]);
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Spawned<'a> {
    ids: Ids<'a>,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
}

impl<'a> Spawned<'a> {
    /// Returns the handles of the actors.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scheduler::*;
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let spawned = scene.spawn_many(cloth, [Actor::at([0.0, 1.0, 0.0], 1.0, &[0, 9])])?;
    /// assert_eq!(spawned.ids().map(|actor| actor.slot()).collect::<Vec<_>>(), [2]);
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a> {
        self.ids.of(self.slots)
    }
}

const FULL: ValueError = ValueError::new(Quantity::Count, ValueProblem::TooLarge);

/// There are at most [`MAX_ACTORS`] rows.
fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(MAX_ACTORS)
}
