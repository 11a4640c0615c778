//! Actors come and go, and rows move.

use lodger_core::Real;
use lodger_core::benefit::State;
use lodger_core::budget::{LodControl, MAX_ACTORS};
use lodger_core::error::{Error, Problem, Quantity};

use crate::actor::Actor;
use crate::changes::Place;
use crate::error::SceneError;
use crate::handle::{ActorId, Handle, ModuleId};
use crate::ids::Ids;
use crate::scene::Scene;

impl<N: Real> Scene<N> {
    /// How many actors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.actors.len()
    }

    /// Whether there is no actor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether an actor is in this scene: its handle is not stale and not another scene's.
    #[must_use]
    pub fn contains(&self, id: ActorId) -> bool {
        self.place(id).is_ok()
    }

    /// All actors, in the order of their slots.
    pub fn actors(&self) -> impl Iterator<Item = ActorId> {
        self.actors.iter(self.tag).map(|(handle, _)| ActorId(handle))
    }

    /// Makes room for so many more actors of a module, whose spawning then allocates nothing if
    /// their work is that of actors which the module has.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]; [`Problem::TooLarge`] if there
    /// would be more than [`MAX_ACTORS`] actors.
    pub fn reserve(&mut self, id: ModuleId, actors: usize) -> Result<(), SceneError> {
        let index = self.module_index(id)?;
        if actors > self.actors.room() {
            return Err(FULL.into());
        }
        self.modules[index].rows.reserve(actors);
        self.actors.reserve(actors);
        self.changes.reserve(actors);
        Ok(())
    }

    /// Adds an actor to a module. Its slot is the one that was given back last, or else a new one.
    ///
    /// A position, age or speed that is not finite is let in, as it may turn bad later just as well:
    /// the actor is then quarantined, with benefit 0 at its lowest LOD.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`]. [`SceneError::Refused`] for a
    /// radius that is negative or not finite; for work that is missing, decreases, has more than 256
    /// levels or costs 4.29 s or more; for a range that is empty or beyond the levels; for more than
    /// [`MAX_ACTORS`] actors.
    pub fn spawn(&mut self, id: ModuleId, actor: Actor<'_, N>) -> Result<ActorId, SceneError> {
        self.actors.next().ok_or(FULL)?;
        self.module_index(id)?;
        let handle = self.add(id.index(), &actor)?;
        self.changes.note(handle.slot());
        Ok(ActorId(handle))
    }

    /// Adds many actors to a module, all or none of them, as so many calls of [`spawn`](Self::spawn) would.
    /// Room is made once for as many as the iterator announces.
    ///
    /// Nothing is allocated if room was [reserved](Self::reserve) and the work is that of actors which the
    /// module has.
    ///
    /// # Errors
    /// Those of [`spawn`](Self::spawn), and then nobody has come.
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
    /// let burst = (0..1_000).map(|key| Actor::seen([4.0, 1.0, 0.0], 0.1, &[0, 5, 20]).key(key));
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
        let index = self.module_index(id)?;
        let actors = actors.into_iter();
        let many = actors.size_hint().0;
        if many > self.actors.room() {
            return Err(Error::new(Quantity::Count, Problem::TooLarge).into());
        }
        self.modules[index].rows.reserve(many);
        self.actors.reserve(many);
        let before = self.changes.begin_notes(many);
        for actor in actors {
            match self.add(id.index(), &actor) {
                Ok(handle) => self.changes.note_next(handle.slot()),
                Err(error) => {
                    self.take_back(before)?;
                    return Err(error.into());
                }
            }
        }
        let ids = Ids::new(&self.actors, self.tag);
        Ok(Spawned { ids, slots: self.changes.notes_after(before) })
    }

    /// Adds an actor to a module that is there.
    fn add(&mut self, module: u16, actor: &Actor<'_, N>) -> Result<Handle, Error> {
        let slot = self.actors.next().ok_or(FULL)?;
        let roster = &mut self.modules[usize::from(module)];
        let row = row_number(roster.rows.len());
        roster.add(slot, actor)?;
        let place = Place { module, row };
        let handle = self.actors.insert(place, self.tag).ok_or(FULL)?;
        if actor.control == LodControl::Automatic {
            self.make_automatic(place);
        }
        Ok(handle)
    }

    /// Takes those away again that were noted after so many others, the last first: all rows are then
    /// where they were.
    fn take_back(&mut self, before: usize) -> Result<(), SceneError> {
        while let Some(slot) = self.changes.take_note_after(before) {
            if let Some((handle, _)) = self.actors.at(slot, self.tag) {
                self.despawn(ActorId(handle))?;
            }
        }
        Ok(())
    }

    /// Removes an actor. Its handle is stale from now on.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`] or [`SceneError::ForeignActor`].
    pub fn despawn(&mut self, id: ActorId) -> Result<(), SceneError> {
        let place = self.place(id)?;
        // The row leaves the automatic ones first, and the sums of the last tick keep what it was.
        let before = self.modules[usize::from(place.module)].part(place.row as usize);
        let Place { module, row } = self.make_forced(place);
        let roster = &mut self.modules[usize::from(module)];
        let now = roster.part(row as usize);
        roster.note(before, now);
        let last = row_number(roster.rows.len() - 1);
        self.swap_rows(module, row, last);
        self.modules[usize::from(module)].remove_last();
        self.actors.remove(id.0);
        Ok(())
    }

    /// Ages all actors; seconds, which may be negative. An age that is not a sound number stays so.
    ///
    /// # Errors
    /// [`Problem::NotFinite`], and then nobody has aged.
    pub fn advance_ages(&mut self, seconds: N) -> Result<(), SceneError> {
        seconds.finite(Quantity::Age)?;
        for module in &mut self.modules {
            module.advance_ages(seconds);
        }
        Ok(())
    }

    /// The position, age and speed of an actor.
    #[must_use]
    pub fn state(&self, id: ActorId) -> Option<State<N>> {
        let Place { module, row } = self.place(id).ok()?;
        Some(self.modules[usize::from(module)].rows.state(row as usize))
    }

    /// Moves a row to the automatic ones, and returns where it is.
    pub(crate) fn make_automatic(&mut self, Place { module, row }: Place) -> Place {
        let rows = &mut self.modules[usize::from(module)].rows;
        let border = row_number(rows.automatic);
        if row < border {
            return Place { module, row };
        }
        rows.automatic += 1;
        rows.is_regrouped = true;
        rows.dirty.mark(border as usize);
        if row == border {
            return Place { module, row };
        }
        self.swap_rows(module, row, border);
        Place { module, row: border }
    }

    /// Moves a row to the forced ones, and returns where it is.
    pub(crate) fn make_forced(&mut self, Place { module, row }: Place) -> Place {
        let rows = &mut self.modules[usize::from(module)].rows;
        if row >= row_number(rows.automatic) {
            return Place { module, row };
        }
        rows.automatic -= 1;
        rows.is_regrouped = true;
        let last = row_number(rows.automatic);
        rows.dirty.mark(rows.automatic);
        if row == last {
            return Place { module, row };
        }
        self.swap_rows(module, row, last);
        Place { module, row: last }
    }

    fn swap_rows(&mut self, module: u16, a: u32, b: u32) {
        let rows = &mut self.modules[usize::from(module)].rows;
        rows.swap(a as usize, b as usize);
        for row in [a, b] {
            if let Some(place) = self.actors.at_mut(rows.slot[row as usize]) {
                *place = Place { module, row };
            }
        }
    }
}

/// Actors that came together, in the order in which they were given; see [`Scene::spawn_many`].
#[derive(Debug, Clone, Copy)]
pub struct Spawned<'a> {
    ids: Ids<'a>,
    /// Their slots; see [`ActorId::slot`].
    pub slots: &'a [u32],
}

impl<'a> Spawned<'a> {
    /// Their handles.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a> {
        self.ids.of(self.slots)
    }
}

/// Why no more actors are let in.
const FULL: Error = Error::new(Quantity::Count, Problem::TooLarge);

/// The number of a row; there are at most [`MAX_ACTORS`].
fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(MAX_ACTORS)
}
