//! Actors come and go, and rows move.

use lodger_core::Real;
use lodger_core::benefit::State;
use lodger_core::budget::{LodControl, MAX_ACTORS};
use lodger_core::error::{Error, Problem, Quantity};

use crate::actor::Actor;
use crate::changes::Place;
use crate::error::SceneError;
use crate::handle::{ActorId, ModuleId, SceneTag};
use crate::numbers::Numbers;
use crate::scene::Scene;
use crate::slots::Slots;

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
            return Err(Error::new(Quantity::Count, Problem::TooLarge).into());
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
        let full = Error::new(Quantity::Count, Problem::TooLarge);
        let slot = self.actors.next().ok_or(full)?;
        let index = self.module_index(id)?;
        let row = row_number(self.modules[index].rows.len());
        self.modules[index].add(slot, &actor)?;
        let place = Place { module: id.index(), row };
        let handle = self.actors.insert(place, self.tag).ok_or(full)?;
        self.changes.note(slot);
        if actor.control == LodControl::Automatic {
            self.make_automatic(place);
        }
        Ok(ActorId(handle))
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

    /// The states of all actors of a module, to be set in one pass.
    ///
    /// Rows are in no order that means anything. They stay as they are until an actor of the module
    /// is spawned, despawned, forced or released.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`] or [`SceneError::ForeignModule`].
    ///
    /// # Examples
    /// ```
    /// use lodger_scheduler::{Actor, BenefitValue, Budget, Module, Scene, UnitCost};
    ///
    /// let mut scene = Scene::<f32>::new(Budget::from_ms(2.0)?);
    /// let module = Module::new("sparks", UnitCost::from_ns(100.0)?, BenefitValue::from_ms(1.0)?);
    /// let sparks = scene.add_module(module)?;
    /// let spark = scene.spawn(sparks, Actor::seen([0.0; 3], 0.1, &[0, 5]).key(2))?;
    ///
    /// let heights = [0.0, 1.0, 4.0, 9.0]; // the user's own, by key
    /// let rows = scene.states_mut(sparks)?;
    /// for (key, y) in rows.keys.iter().zip(rows.y) {
    ///     *y = heights[*key as usize];
    /// }
    /// assert_eq!(scene.position(spark), Some([0.0, 4.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn states_mut(&mut self, id: ModuleId) -> Result<StatesMut<'_, N>, SceneError> {
        let index = self.module_index(id)?;
        let module = &mut self.modules[index];
        module.hand_out(Numbers::ALL, 0..module.rows.len());
        let rows = &mut module.rows;
        Ok(StatesMut {
            actors: &self.actors,
            scene: self.tag,
            slots: &rows.slot,
            keys: &rows.key,
            x: &mut rows.x,
            y: &mut rows.y,
            z: &mut rows.z,
            age: &mut rows.age,
            speed: &mut rows.speed,
        })
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

/// The states of the actors of a module, a column for each number; see [`Scene::states_mut`].
///
/// The columns are of equal length. A number that is not sound quarantines its actor.
#[derive(Debug)]
pub struct StatesMut<'a, N> {
    actors: &'a Slots<Place>,
    scene: SceneTag,
    /// The slots of the actors; see [`ActorId::slot`].
    pub slots: &'a [u32],
    /// The user's own numbers for the actors.
    pub keys: &'a [u64],
    /// x in metres.
    pub x: &'a mut [N],
    /// y in metres.
    pub y: &'a mut [N],
    /// z in metres.
    pub z: &'a mut [N],
    /// Ages in seconds.
    pub age: &'a mut [N],
    /// Speeds in metres per second.
    pub speed: &'a mut [N],
}

impl<'a, N> StatesMut<'a, N> {
    /// The handles of the actors, row by row.
    pub fn ids(&self) -> impl Iterator<Item = ActorId> + use<'a, N> {
        let (actors, scene) = (self.actors, self.scene);
        let handles = self.slots.iter().filter_map(move |&slot| actors.at(slot, scene));
        handles.map(|(handle, _)| ActorId(handle))
    }
}

/// The number of a row; there are at most [`MAX_ACTORS`].
fn row_number(row: usize) -> u32 {
    u32::try_from(row).unwrap_or(MAX_ACTORS)
}
