//! Handles, slots, and errors of a scene.

use core::fmt;
use core::num::NonZeroU16;

use lodger_core::ValueError;

use crate::column::{Column, set, short};
use crate::index::RowNumber;

/// The handle of an actor, which becomes stale when the actor is despawned; 4 bytes, also in an `Option`.
///
/// A stale handle is detected, except after a multiple of 65 535 later spawns in its slot. Slots are used again in the order
/// in which they were released, so that this takes long. A handle does not contain its scene. Handles are ordered by slot.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// scene.despawn(cape)?;
/// let next = scene.spawn(cloth, Actor::at([2.0, 0.0, 0.0], 0.8, &[0, 400]))?;
/// assert_eq!((next.slot(), next == cape), (cape.slot(), false));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ActorId {
    slot: u16,
    generation: NonZeroU16,
}

impl ActorId {
    pub(crate) const fn new(slot: u16, generation: NonZeroU16) -> Self {
        Self { slot, generation }
    }

    /// Returns the actor's slot, below `ACTORS`. Among actors of equal benefit the lower slot is upgraded first.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let mut vertices = [0_u32; 4];
    /// vertices[cape.slot()] = scene.work(cape).map_or(0, |work| work[2]);
    /// assert_eq!(vertices, [1_600, 0, 0, 0]);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    pub(crate) const fn generation(self) -> NonZeroU16 {
        self.generation
    }
}

/// The handle of a module: one byte, never stale.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// const CLOTH: ModuleId = ModuleId::new(0);
/// assert_eq!(scene.module_len(CLOTH), Some(1));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleId(u8);

impl ModuleId {
    /// Makes the handle of the module that is added as number `index`, from 0 on.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// assert_eq!(scene.module_of(cape), Some(ModuleId::new(0)));
    /// assert_eq!(scene.module_len(ModuleId::new(1)), None);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// Returns the number of the module: 0 for the first one added, then 1, 2 and so on.
    ///
    /// ```
    /// # use lodger_heapless::*;
    /// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
    /// let module = Module::new(UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// assert_eq!(scene.add_module(module)?.index(), 1);
    /// # Ok::<(), SceneError>(())
    /// ```
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

#[derive(Debug, Clone)]
pub(crate) struct Slots<R, const ACTORS: usize> {
    generation: Column<NonZeroU16, ACTORS>,
    /// The row of each slot's actor. In an empty slot, the slot that was released after it.
    pub(crate) row: Column<R, ACTORS>,
    /// The slots that were released first and last of all empty ones.
    free: R,
    last_free: R,
    /// The number of slots that ever had an actor.
    len: u16,
}

impl<R: RowNumber, const ACTORS: usize> Slots<R, ACTORS> {
    pub(crate) const fn new() -> Self {
        Self {
            generation: [NonZeroU16::MIN; ACTORS],
            row: [R::NONE; ACTORS],
            free: R::NONE,
            last_free: R::NONE,
            len: 0,
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.len.into()
    }

    pub(crate) fn are_used_up(&self) -> bool {
        self.free == R::NONE && self.len() >= ACTORS
    }

    /// Inserts a row into the empty slot that was released first, or else into a new one.
    pub(crate) fn insert(&mut self, row: usize) -> Option<ActorId> {
        if self.free == R::NONE {
            let slot = self.len();
            *self.row.get_mut(slot)? = R::new(row);
            self.len = self.len.wrapping_add(1);
            return self.at(slot);
        }
        let slot = self.free.get();
        let id = self.at(slot)?;
        self.free = core::mem::replace(self.row.get_mut(slot)?, R::new(row));
        Some(id)
    }

    pub(crate) fn row(&self, id: ActorId) -> Option<usize> {
        let generation = self.generation.get(id.slot())?;
        if *generation != id.generation() {
            return None;
        }
        self.row_at(id.slot())
    }

    /// Returns the row of a slot's actor; meaningless for an empty slot.
    pub(crate) fn row_at(&self, slot: usize) -> Option<usize> {
        self.row.get(slot).map(|&row| row.get())
    }

    pub(crate) fn moved(&mut self, slot: usize, row: usize) {
        set(&mut self.row, slot, R::new(row));
    }

    pub(crate) fn remove(&mut self, id: ActorId) {
        let slot = id.slot();
        let Some(generation) = self.generation.get_mut(slot) else { return };
        *generation = generation.checked_add(1).unwrap_or(NonZeroU16::MIN);
        set(&mut self.row, slot, R::NONE);
        let last = core::mem::replace(&mut self.last_free, R::new(slot));
        if self.free == R::NONE {
            self.free = self.last_free;
        } else {
            set(&mut self.row, last.get(), self.last_free);
        }
    }

    /// Returns the handle of a slot's actor; in an empty slot, the handle of the next actor.
    pub(crate) fn at(&self, slot: usize) -> Option<ActorId> {
        Some(ActorId::new(short(slot), *self.generation.get(slot)?))
    }
}

/// An error of a call, which leaves the scene unchanged.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// assert_eq!(scene.set_managed(ModuleId::new(1), false), Err(SceneError::NoSuchModule));
/// assert_eq!(SceneError::NoSuchModule.to_string(), "there is no such module in this scene");
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SceneError {
    /// A value is invalid.
    Invalid(ValueError),
    /// A capacity is exhausted.
    Full(Capacity),
    /// The actor was despawned.
    StaleActor,
    /// The scene has no module with that number.
    NoSuchModule,
    /// The managed module has no benefit value, which proportional policies need.
    NoBenefitValue(ModuleId),
}

/// A limit of a scene's size.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// assert_eq!(scene.set_eyes(&[[1.0; 3]; MAX_EYES + 1]), Err(SceneError::Full(Capacity::Eyes)));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Capacity {
    /// Modules, limited by the scene's type.
    Modules,
    /// Actors, limited by the scene's type.
    Actors,
    /// Levels of all different ladders, limited by the scene's type.
    Costs,
    /// Different ladders, limited by [`FewLadders`](crate::FewLadders).
    Ladders,
    /// Eyes, limited by [`MAX_EYES`](crate::MAX_EYES).
    Eyes,
}

/// The error of [`Scene::spawn`](crate::Scene::spawn), which returns the actor.
///
/// ```
/// # use lodger_heapless::*;
/// # let (mut scene, cloth, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"))?;
/// let flag = Actor::at([1.0; 3], -0.5, &[10, 20]);
/// let rejected = scene.spawn(cloth, flag).unwrap_err();
/// assert_eq!((rejected.actor, scene.len()), (flag, 1));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SpawnError<A> {
    /// The actor that was not spawned.
    pub actor: A,
    /// The reason.
    pub error: SceneError,
}

impl From<ValueError> for SceneError {
    fn from(error: ValueError) -> Self {
        Self::Invalid(error)
    }
}

impl From<Capacity> for SceneError {
    fn from(full: Capacity) -> Self {
        Self::Full(full)
    }
}

impl<A> From<SpawnError<A>> for SceneError {
    fn from(rejected: SpawnError<A>) -> Self {
        rejected.error
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::Full(Capacity::Modules) => "the scene has no room for another module",
            Self::Full(Capacity::Actors) => "the scene has no room for another actor",
            Self::Full(Capacity::Costs) => "the scene has no room for other levels",
            Self::Full(Capacity::Ladders) => "the scene has no room for another ladder",
            Self::Full(Capacity::Eyes) => "the scene has no room for so many eyes",
            Self::StaleActor => "the actor is no longer in this scene",
            Self::NoSuchModule => "there is no such module in this scene",
            Self::NoBenefitValue(id) => {
                return write!(
                    f,
                    "module {} has no benefit value, which proportional policies need",
                    id.index()
                );
            }
        })
    }
}

impl core::error::Error for SceneError {}

impl<A: fmt::Debug> fmt::Display for SpawnError<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.error.fmt(f)
    }
}

impl<A: fmt::Debug> core::error::Error for SpawnError<A> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_handle_passes_again_after_all_generations_of_its_slot() {
        let mut slots = Slots::<u16, 2>::new();
        let first = slots.insert(0).unwrap();
        let mut actor = first;
        for spawns in 1..=u32::from(u16::MAX) {
            slots.remove(actor);
            actor = slots.insert(0).unwrap();
            assert_eq!(slots.row(first).is_some(), spawns == u16::MAX.into(), "{spawns}");
        }
        assert_eq!(actor, first);
    }

    #[test]
    fn empty_slots_are_used_in_the_order_of_their_release() {
        let mut slots = Slots::<u8, 3>::new();
        let actors = [0, 1, 2].map(|row| slots.insert(row).unwrap());
        assert!(slots.are_used_up());
        for actor in [actors[1], actors[2], actors[0]] {
            slots.remove(actor);
        }
        assert_eq!([0, 1].map(|row| slots.insert(row).map(ActorId::slot)), [Some(1), Some(2)]);
        slots.remove(slots.at(1).unwrap());
        assert_eq!(
            [0, 1, 2].map(|row| slots.insert(row).map(ActorId::slot)),
            [Some(0), Some(1), None]
        );
    }
}
