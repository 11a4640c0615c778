//! Spawning and despawning of actors, and the order of their rows.

use lodger_core::Real;
use lodger_core::budget::WorkLevels;
use lodger_core::error::Quantity;

use crate::column::set;
use crate::columns::{Columns, ModuleRule, States, WithMotion};
use crate::handle::{ActorId, Capacity, ModuleId, SceneError, SpawnError};
use crate::index::RowNumber as _;
use crate::input::Actor;
use crate::module_data::{ModuleFlags, UnitSum};
use crate::rows::Row;
use crate::scene::Scene;

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Returns the number of actors.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.len(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn len(&self) -> usize {
        self.start(MODULES)
    }

    /// Whether the scene has no actor.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert!(!scene.is_empty());
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the handle of an actor is not stale.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.despawn(cape)?;
    /// assert!(!scene.contains(cape));
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub fn contains(&self, id: ActorId) -> bool {
        self.row(id).is_ok()
    }

    /// Returns all actors, in the order of their slots.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let second = scene.spawn(cloth, Actor::at([9.0, 0.0, 0.0], 0.8, &[0, 100]))?;
    /// assert!(scene.actors().eq([cape, second]));
    /// # Ok::<(), SceneError>(())
    /// ```
    pub fn actors(&self) -> impl Iterator<Item = ActorId> {
        self.places().map(|(id, _)| id)
    }

    /// Returns all actors and their rows, in the order of their slots.
    pub(crate) fn places(&self) -> impl Iterator<Item = (ActorId, usize)> {
        (0..self.slots.len()).filter_map(|slot| {
            let row = self.slots.row_at(slot).filter(|&row| self.is_in(row, slot))?;
            Some((self.slots.at(slot)?, row))
        })
    }

    /// Adds an actor to a module. It gets the empty slot that was released first, or else a new one.
    ///
    /// An actor whose position, age or speed is not finite is quarantined: benefit 0, lowest level.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let flag = Actor::at([1.0, 0.0, 1.0], 1.0, &[100, 900]).lod_range(0..=0);
    /// let flag = scene.spawn(cloth, flag)?;
    /// assert_eq!((flag.slot(), scene.work(flag)), (1, Some(&[100, 900][..])));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// The error contains the actor.
    /// - [`Capacity::Actors`]
    /// - [`Capacity::Costs`] if there is no space for a new ladder
    /// - [`SceneError::NoSuchModule`]
    /// - [`SceneError::Invalid`] for a radius that is negative or not finite; for work that is missing, decreases, has
    ///   more than 256 levels or costs 4.29 s or more; for a range that is empty or beyond the levels; in a scene of
    ///   [given benefits](crate::GivenBenefits) for an actor without one
    pub fn spawn<'w>(
        &mut self,
        id: ModuleId,
        actor: Actor<'w, N>,
    ) -> Result<ActorId, SpawnError<Actor<'w, N>>> {
        self.admit(id, &actor).map_err(|why| SpawnError { actor, error: why })
    }

    fn admit(&mut self, id: ModuleId, actor: &Actor<'_, N>) -> Result<ActorId, SceneError> {
        let module = self.module_index(id)?;
        if self.slots.are_used_up() {
            return Err(Capacity::Actors.into());
        }
        let work = WorkLevels::new(actor.work, actor.lod_range)?;
        let curve = self.module_mut(id)?.rule.curve(actor.radius, actor.given)?;
        let ladder = self.acquire(module, work)?;
        let end = self.len();
        let handle = self.slots.insert(end).ok_or(Capacity::Actors)?;
        let &Actor { state, radius, given, .. } = actor;
        self.rows.add(end, Row { slot: handle.slot(), state, radius, curve, given, ladder });
        let row = self.sink(module, end);
        if let Some(data) = self.modules.get_mut(module) {
            data.rows = data.rows.next();
            data.flags.set(ModuleFlags::STEADY, false);
            data.count_given(false, actor.given.is_some());
        }
        match actor.forced {
            Some(lod) => set(&mut self.rows.forced, row, lod.rounded().level()),
            None => self.make_automatic(module, row),
        }
        Ok(handle)
    }

    /// Removes an actor. Its handle becomes stale.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.despawn(cape)?;
    /// assert_eq!(scene.despawn(cape), Err(SceneError::StaleActor));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn despawn(&mut self, id: ActorId) -> Result<(), SceneError> {
        let (module, row) = self.place(id)?;
        let units = self.units_of(module, row);
        let given = self.rows.is_given(row);
        let ladder = self.rows.ladder(row);
        let row = self.make_forced(module, row);
        if let Some(data) = self.modules.get_mut(module) {
            if data.unit_sum != UnitSum::Made {
                data.units = data.units.saturating_add(units.into());
            }
            data.count_given(given, false);
            data.rows = data.rows.previous();
        }
        let end = self.start(module.wrapping_add(1));
        self.exchange(row, end);
        self.rise(module, end);
        self.rows.remove(self.len());
        self.slots.remove(id);
        self.release(module, ladder);
        Ok(())
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: WithMotion>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Adds seconds, which may be negative, to all ages. An invalid age stays invalid.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// scene.advance_ages(0.25)?;
    /// assert_eq!(scene.state(cape).map(|state| state.age), Some(0.25));
    /// # Ok::<(), SceneError>(())
    /// ```
    ///
    /// # Errors
    /// [`SceneError::Invalid`] if the time is not finite; then no age changes.
    pub fn advance_ages(&mut self, seconds: N) -> Result<(), SceneError> {
        seconds.finite(Quantity::Age)?;
        let len = self.len();
        for age in self.rows.states.ages_mut().iter_mut().take(len) {
            *age = *age + seconds;
        }
        Ok(())
    }
}

impl<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize, C: Columns>
    Scene<N, MODULES, ACTORS, COSTS, C>
{
    /// Moves the last row of all to the end of a module, and returns its new position. One row of each part
    /// that it passes moves.
    fn sink(&mut self, module: usize, end: usize) -> usize {
        let mut row = end;
        for later in (module.wrapping_add(1)..self.modules.len()).rev() {
            let start = self.start(later);
            let automatic = self.modules.get(later).map_or(0, |data| data.automatic.get());
            for first in [start.wrapping_add(automatic), start] {
                self.exchange(row, first);
                row = first;
            }
        }
        row
    }

    /// Moves the row behind a module to the end of all rows.
    fn rise(&mut self, module: usize, end: usize) {
        let (mut row, mut start) = (end, end);
        for later in module.wrapping_add(1)..self.modules.len() {
            let Some(data) = self.modules.get(later) else { continue };
            let (automatic, rows) = (data.automatic.get(), data.rows.get());
            for last in [start.wrapping_add(automatic), start.wrapping_add(rows)] {
                self.exchange(row, last);
                row = last;
            }
            start = start.wrapping_add(rows);
        }
    }

    pub(crate) fn make_automatic(&mut self, module: usize, row: usize) {
        let start = self.start(module);
        let Some(data) = self.modules.get_mut(module) else { return };
        let border = start.wrapping_add(data.automatic.get());
        if row >= border {
            data.automatic = data.automatic.next();
            set(&mut self.rows.forced, row, 0);
            self.exchange(row, border);
        }
    }

    /// Moves a row to the forced rows of its module, and returns its new position.
    pub(crate) fn make_forced(&mut self, module: usize, row: usize) -> usize {
        let start = self.start(module);
        let Some(data) = self.modules.get_mut(module) else { return row };
        let border = start.wrapping_add(data.automatic.get());
        if row >= border {
            return row;
        }
        data.automatic = data.automatic.previous();
        let last = border.wrapping_sub(1);
        self.exchange(row, last);
        last
    }

    fn exchange(&mut self, a: usize, b: usize) {
        if a != b {
            self.rows.exchange(a, b);
            for row in [a, b] {
                if let Some(&slot) = self.rows.slot.get(row) {
                    self.slots.moved(slot.get(), row);
                }
            }
        }
    }
}
