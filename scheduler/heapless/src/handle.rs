//! Handles, the slots of actors, and the errors of a scene.
//!
//! A released slot is used again with another generation.

use core::fmt;
use core::num::NonZeroU32;

use lodger_core::ValueError;

use crate::column::{Column, set, short};

/// The handle of an actor: 8 bytes, also in an `Option`. It becomes stale when the actor is despawned.
///
/// A stale handle is always detected: a slot that has used its 2³² − 1 generations, as after two years
/// of sixty spawns a second in this slot alone, is not used again. A handle does not contain its scene, as
/// a program has one scene, or scenes of different types.
///
/// Handles are ordered by slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ActorId {
    slot: u16,
    generation: NonZeroU32,
}

impl ActorId {
    pub(crate) const fn new(slot: u16, generation: NonZeroU32) -> Self {
        Self { slot, generation }
    }

    /// Returns the number of the actor's slot, below the `ACTORS` of its scene: an index for the user's own
    /// arrays. Among actors of equal benefit the lower slot is upgraded first.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    pub(crate) const fn generation(self) -> NonZeroU32 {
        self.generation
    }
}

/// The handle of a module: a byte. Modules stay, so it never becomes stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleId(u8);

impl ModuleId {
    /// Makes the handle of the module that is added with that number, from 0 on: a constant of a program
    /// that adds its modules in a known order. Until then no module has this handle.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// Returns the number of the module in its scene: 0 for the first that was added, then 1, 2 and so on.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The slots of up to `ACTORS` actors.
#[derive(Debug, Clone)]
pub(crate) struct Slots<const ACTORS: usize> {
    generation: Column<NonZeroU32, ACTORS>,
    /// The row of each slot's actor. In an empty slot, the slot that was released before it.
    row: Column<u16, ACTORS>,
    /// The slot that was released last.
    free: u16,
}

/// The number of no slot: there is one slot less than numbers.
const NONE: u16 = u16::MAX;

impl<const ACTORS: usize> Slots<ACTORS> {
    pub(crate) const fn new() -> Self {
        Self { generation: Column::new(), row: Column::new(), free: NONE }
    }

    /// Returns the number of slots that were ever used.
    pub(crate) fn len(&self) -> usize {
        self.row.len()
    }

    /// Whether every slot is used or retired.
    pub(crate) fn are_used_up(&self) -> bool {
        self.free == NONE && self.row.is_full()
    }

    /// Inserts a row into the slot that was released last, or else into a new one.
    pub(crate) fn insert(&mut self, row: u16) -> Option<ActorId> {
        if self.free == NONE {
            let slot = short(self.row.len());
            self.generation.push(NonZeroU32::MIN).ok()?;
            self.row.push(row).ok()?;
            return Some(ActorId::new(slot, NonZeroU32::MIN));
        }
        let slot = self.free;
        let id = self.at(slot.into())?;
        self.free = core::mem::replace(self.row.get_mut(usize::from(slot))?, row);
        Some(id)
    }

    /// Returns the row of an actor, unless its handle is stale.
    pub(crate) fn row(&self, id: ActorId) -> Option<usize> {
        let generation = self.generation.get(id.slot())?;
        if *generation != id.generation() {
            return None;
        }
        self.row_at(id.slot())
    }

    /// Returns the row of a slot's actor; meaningless for an empty slot.
    pub(crate) fn row_at(&self, slot: usize) -> Option<usize> {
        self.row.get(slot).map(|&row| row.into())
    }

    /// Sets the row of a slot's actor.
    pub(crate) fn moved(&mut self, slot: u32, row: usize) {
        if let Ok(slot) = usize::try_from(slot) {
            set(&mut self.row, slot, short(row));
        }
    }

    /// Releases the slot of an actor.
    pub(crate) fn remove(&mut self, id: ActorId) {
        let slot = id.slot();
        let Some(generation) = self.generation.get_mut(slot) else { return };
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            set(&mut self.row, slot, self.free);
            self.free = short(slot);
        } else {
            // The slot retires, as its last handle would become valid again.
            set(&mut self.row, slot, NONE);
        }
    }

    /// Returns the handle of a slot's actor; in an empty slot, the handle of the next actor.
    pub(crate) fn at(&self, slot: usize) -> Option<ActorId> {
        Some(ActorId::new(short(slot), *self.generation.get(slot)?))
    }
}

/// The error of a call; the scene is unchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SceneError {
    /// A value is invalid.
    Invalid(ValueError),
    /// The capacity for something is exhausted.
    Full(Capacity),
    /// The actor was despawned.
    StaleActor,
    /// The scene has no module with that number.
    NoSuchModule,
}

/// The capacity that is exhausted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Capacity {
    /// The number of modules, which the scene's type limits.
    Modules,
    /// The number of actors, which the scene's type limits.
    Actors,
    /// The levels of all different ladders, which the scene's type limits.
    Costs,
    /// The number of eyes, limited by [`MAX_EYES`](crate::MAX_EYES).
    Eyes,
}

/// The error of a spawn, with the actor.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct SpawnError<A> {
    /// The actor.
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
    fn from(refused: SpawnError<A>) -> Self {
        refused.error
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::Full(Capacity::Modules) => "the scene has no room for another module",
            Self::Full(Capacity::Actors) => "the scene has no room for another actor",
            Self::Full(Capacity::Costs) => "the scene has no room for other levels",
            Self::Full(Capacity::Eyes) => "the scene has no room for so many eyes",
            Self::StaleActor => "the actor is no longer in this scene",
            Self::NoSuchModule => "there is no such module in this scene",
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
    fn a_slot_without_generations_left_is_not_used_again() {
        let mut slots = Slots::<2>::new();
        slots.insert(0).unwrap();
        slots.generation[0] = NonZeroU32::MAX;
        let last = slots.at(0).unwrap();
        assert_eq!(slots.row(last), Some(0));
        slots.remove(last);
        // No scene has that many rows.
        assert_eq!(slots.row(last), Some(NONE.into()));
        let next = slots.insert(0).unwrap();
        assert_eq!((next.slot(), slots.are_used_up()), (1, true));
        assert_eq!(slots.insert(1), None);
        slots.remove(next);
        assert!(!slots.are_used_up());
        assert_eq!(slots.insert(0).map(ActorId::slot), Some(1));
    }
}
