//! Actors come, change and go.

use lodger_core::Benefit;
use lodger_core::Real;
use lodger_core::benefit::State;
use lodger_core::budget::{Lod, LodControl, MAX_ACTORS};
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::importance::Curve;

use crate::actor::{Actor, ActorId, Source};
use crate::columns::Row;
use crate::error::SceneError;
use crate::ladders::Work;
use crate::module::{ModuleId, ModuleState};
use crate::scene::{Scene, Slot, index};

/// The module of an actor, and its row there.
type Place = (u32, u32);

impl<N: Real> Scene<N> {
    /// How many actors there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.slots.len() - self.free.len()
    }

    /// Whether there is no actor.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an actor to a module. Its slot is the one that was given back last, or else a new one.
    ///
    /// A position, age or speed that is not finite is let in, as it may turn bad later just as well:
    /// the actor is then quarantined, with benefit 0 at its lowest LOD.
    ///
    /// # Errors
    /// [`SceneError::NoSuchModule`]. [`SceneError::Refused`] for a radius that is negative or not
    /// finite; for work that is missing, decreases, has more than 256 levels or costs 4.29 s or
    /// more; for a range that is empty or beyond the levels; for more than [`MAX_ACTORS`] actors.
    pub fn spawn(&mut self, id: ModuleId, actor: Actor<'_, N>) -> Result<ActorId, SceneError> {
        if self.len() >= MAX_ACTORS as usize {
            return Err(Error::new(Quantity::Count, Problem::TooLarge).into());
        }
        let slot = self.free.last().copied().unwrap_or_else(|| index(self.slots.len()));
        let module = self.module_mut(id)?;
        let row = module.row(slot, actor)?;
        module.given += usize::from(row.given.is_some());
        module.rows.push(row);
        let place = (id.0, index(module.rows.len() - 1));
        if self.free.pop().is_none() {
            self.slots.push(Slot { generation: 0, place: None });
        }
        let entry = &mut self.slots[slot as usize];
        entry.place = Some(place);
        let generation = entry.generation;
        if actor.control == LodControl::Automatic {
            self.make_automatic(place);
        }
        Ok(ActorId { slot, generation })
    }

    /// Removes an actor. Its handle is stale from now on.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn despawn(&mut self, id: ActorId) -> Result<(), SceneError> {
        let (module, row) = self.make_forced(self.place(id)?);
        let rows = &self.modules[module as usize].rows;
        self.swap_rows(module, row, index(rows.len() - 1));
        let module = &mut self.modules[module as usize];
        let last = module.rows.len() - 1;
        module.ladders.release(module.rows.ladder[last]);
        module.given -= usize::from(module.rows.given[last].is_some());
        module.rows.pop();
        let slot = &mut self.slots[id.slot as usize];
        *slot = Slot { generation: slot.generation.wrapping_add(1), place: None };
        self.free.push(id.slot);
        Ok(())
    }

    /// Moves an actor; metres.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_position(&mut self, id: ActorId, [x, y, z]: [N; 3]) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        (module.rows.x[row], module.rows.y[row], module.rows.z[row]) = (x, y, z);
        Ok(())
    }

    /// Sets an actor's age in seconds.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_age(&mut self, id: ActorId, seconds: N) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        module.rows.age[row] = seconds;
        Ok(())
    }

    /// Sets an actor's speed in metres per second.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_speed(&mut self, id: ActorId, metres_per_second: N) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        module.rows.speed[row] = metres_per_second;
        Ok(())
    }

    /// Sets the radius of an actor's bounding sphere in metres.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Refused`] if it is negative or not finite.
    pub fn set_radius(&mut self, id: ActorId, radius: N) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        module.rows.curve[row] = module.rule.curve(radius)?;
        module.rows.radius[row] = radius;
        Ok(())
    }

    /// Gives an actor its benefit, or with `None` has it computed from its state.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn set_benefit(&mut self, id: ActorId, given: Option<Benefit>) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        let before = std::mem::replace(&mut module.rows.given[row], given);
        module.given -= usize::from(before.is_some());
        module.given += usize::from(given.is_some());
        Ok(())
    }

    /// Sets which LODs of an actor are valid. A LOD that was forced is clamped to it, as it was asked
    /// for.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Refused`] if the range is empty or beyond the
    /// actor's levels.
    pub fn set_lod_range(&mut self, id: ActorId, lo: u8, hi: u8) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        let old = module.rows.ladder[row];
        let work = module.ladders.work(old).ok_or(SceneError::StaleActor)?.within((lo, hi))?;
        module.rows.ladder[row] = module.ladders.acquire(work, module.unit_cost)?;
        module.ladders.release(old);
        Ok(())
    }

    /// Sets the units of work at each LOD, all of which become valid.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Refused`] as for [`spawn`](Self::spawn).
    pub fn set_work(&mut self, id: ActorId, units: &[u32]) -> Result<(), SceneError> {
        let (module, row) = self.entry(id)?;
        let ladder = module.ladders.acquire(Work::new(units, None)?, module.unit_cost)?;
        module.ladders.release(std::mem::replace(&mut module.rows.ladder[row], ladder));
        Ok(())
    }

    /// The lowest and the highest valid LOD of an actor, and whether only whole ones are valid.
    #[doc(alias = "getPhysicalLodRange")]
    #[must_use]
    pub fn lod_range(&self, id: ActorId) -> Option<(u8, u8, bool)> {
        let (module, row) = self.place(id).ok()?;
        let module = &self.modules[module as usize];
        let (lowest, highest) = module.ladders.work(module.rows.ladder[row as usize])?.range();
        Some((lowest, highest, !module.continuous))
    }

    /// Forces an actor's LOD, or with `None` leaves it to the ledger.
    ///
    /// Where only whole LODs are valid it is rounded, halves up; outside the range it is clamped, and
    /// the plan says so. The request itself is kept.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`].
    pub fn force_lod(&mut self, id: ActorId, lod: Option<Lod>) -> Result<(), SceneError> {
        let place = self.place(id)?;
        let control = lod.map_or(LodControl::Automatic, LodControl::Forced);
        let (module, row) = match control {
            LodControl::Automatic => self.make_automatic(place),
            LodControl::Forced(_) => self.make_forced(place),
        };
        self.modules[module as usize].rows.control[row as usize] = control;
        Ok(())
    }

    /// [`force_lod`](Self::force_lod) as the document has it: a negative number means automatic.
    ///
    /// # Errors
    /// [`SceneError::StaleActor`]; [`SceneError::Refused`] for NaN, and then nothing has changed.
    #[doc(alias = "forcePhysicalLod")]
    pub fn force_physical_lod(&mut self, id: ActorId, lod: f32) -> Result<(), SceneError> {
        match LodControl::from_number(lod.into())? {
            LodControl::Automatic => self.force_lod(id, None),
            LodControl::Forced(lod) => self.force_lod(id, Some(lod)),
        }
    }

    pub(crate) fn place(&self, id: ActorId) -> Result<Place, SceneError> {
        match self.slots.get(id.slot as usize) {
            Some(&Slot { generation, place: Some(place) }) if generation == id.generation => {
                Ok(place)
            }
            _ => Err(SceneError::StaleActor),
        }
    }

    fn entry(&mut self, id: ActorId) -> Result<(&mut ModuleState<N>, usize), SceneError> {
        let (module, row) = self.place(id)?;
        Ok((&mut self.modules[module as usize], row as usize))
    }

    /// Moves a row to the automatic ones, and returns where it is.
    fn make_automatic(&mut self, (module, row): Place) -> Place {
        let border = self.modules[module as usize].rows.automatic;
        if (row as usize) < border {
            return (module, row);
        }
        self.modules[module as usize].rows.automatic += 1;
        self.swap_rows(module, row, index(border));
        (module, index(border))
    }

    /// Moves a row to the forced ones, and returns where it is.
    fn make_forced(&mut self, (module, row): Place) -> Place {
        let border = self.modules[module as usize].rows.automatic;
        if row as usize >= border {
            return (module, row);
        }
        self.modules[module as usize].rows.automatic -= 1;
        self.swap_rows(module, row, index(border - 1));
        (module, index(border - 1))
    }

    fn swap_rows(&mut self, module: u32, a: u32, b: u32) {
        let rows = &mut self.modules[module as usize].rows;
        rows.swap(a as usize, b as usize);
        for row in [a, b] {
            self.slots[rows.slot[row as usize] as usize].place = Some((module, row));
        }
    }
}

impl<N: Real> ModuleState<N> {
    /// The row of an actor to be spawned.
    fn row(&mut self, slot: u32, actor: Actor<'_, N>) -> Result<Row<N>, Error> {
        let work = Work::new(actor.work, actor.lod_range)?;
        let (state, radius, given) = match actor.source {
            Source::Seen { state, radius } => (state, radius, None),
            Source::Given(benefit) => (State::default(), N::ZERO, Some(benefit)),
        };
        let curve: Curve<N> = self.rule.curve(radius)?;
        let ladder = self.ladders.acquire(work, self.unit_cost)?;
        Ok(Row { slot, state, radius, curve, given, ladder, control: actor.control })
    }
}
