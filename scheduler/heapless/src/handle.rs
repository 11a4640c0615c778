//! The handles that users hold, the rows behind them, and the errors of a scene.
//!
//! A slot that is given back is used again, under another generation.

use core::fmt;
use core::num::NonZeroU32;

use lodger_core::Error;

use crate::column::{Column, set, short};

/// The handle of an actor: 8 bytes, also in an `Option`. It goes stale when the actor is despawned.
///
/// A stale handle is always noticed: a slot whose 2³² − 1 generations are used up, as after two years
/// of sixty spawns a second in it alone, is not used again. Which scene a handle belongs to is not in
/// it, as a program has one scene or types that tell them apart.
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

    /// The number of the actor's slot, below the `ACTORS` of its scene: the place of what the user
    /// keeps of it, in an array. Among actors of equal benefit the lower one is served first.
    #[must_use]
    pub const fn slot(self) -> usize {
        self.slot as usize
    }

    pub(crate) const fn generation(self) -> NonZeroU32 {
        self.generation
    }
}

/// The handle of a module: a byte. Modules stay, so it never goes stale.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct ModuleId(u8);

impl ModuleId {
    /// The handle of the module that is added as that one, from 0 on: a constant of a program that adds
    /// its modules in a known order. Until then it is one of no module.
    #[must_use]
    pub const fn new(index: u8) -> Self {
        Self(index)
    }

    /// The number of the module in its scene: 0 for the first that was added, then 1, 2 and so on.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// The slots of up to `ACTORS` actors.
#[derive(Debug, Clone)]
pub(crate) struct Slots<const ACTORS: usize> {
    generation: Column<NonZeroU32, ACTORS>,
    /// The row of each slot's actor. In an empty slot, the one that was given back before it.
    row: Column<u16, ACTORS>,
    /// The empty slot that was given back last.
    free: u16,
}

/// No slot: there is one less than numbers.
const NONE: u16 = u16::MAX;

impl<const ACTORS: usize> Slots<ACTORS> {
    pub(crate) const fn new() -> Self {
        Self { generation: Column::new(), row: Column::new(), free: NONE }
    }

    /// How many slots were ever used.
    pub(crate) fn len(&self) -> usize {
        self.row.len()
    }

    /// Whether every slot is used or retired.
    pub(crate) fn are_used_up(&self) -> bool {
        self.free == NONE && self.row.is_full()
    }

    /// Puts a row into the slot that was given back last, or else into a new one.
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

    /// The row of an actor, unless its handle is stale.
    pub(crate) fn row(&self, id: ActorId) -> Option<usize> {
        let generation = self.generation.get(id.slot())?;
        if *generation != id.generation() {
            return None;
        }
        self.row_at(id.slot())
    }

    /// The row of a slot's actor; in an empty slot it means nothing.
    pub(crate) fn row_at(&self, slot: usize) -> Option<usize> {
        self.row.get(slot).map(|&row| row.into())
    }

    /// Notes where an actor is now.
    pub(crate) fn moved(&mut self, slot: u32, row: usize) {
        if let Ok(slot) = usize::try_from(slot) {
            set(&mut self.row, slot, short(row));
        }
    }

    /// Empties the slot of an actor that is there.
    pub(crate) fn remove(&mut self, id: ActorId) {
        let slot = id.slot();
        let Some(generation) = self.generation.get_mut(slot) else { return };
        if let Some(next) = generation.checked_add(1) {
            *generation = next;
            set(&mut self.row, slot, self.free);
            self.free = short(slot);
        } else {
            // Its last handle would be found again.
            set(&mut self.row, slot, NONE);
        }
    }

    /// The handle of a slot's actor; in an empty slot, that of the next one.
    pub(crate) fn at(&self, slot: usize) -> Option<ActorId> {
        Some(ActorId::new(short(slot), *self.generation.get(slot)?))
    }
}

/// Why a scene refused something; the scene is as it was before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum SceneError {
    /// A value makes no sense.
    Invalid(Error),
    /// There is no room for more of something.
    Full(Full),
    /// The actor was despawned.
    StaleActor,
    /// No module was added as that one.
    NoSuchModule,
}

/// What a scene has no room for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
#[non_exhaustive]
pub enum Full {
    /// It has as many modules as its type says.
    Modules,
    /// It has as many actors as its type says.
    Actors,
    /// The levels of the different ladders of its actors are as many as its type says.
    Costs,
    /// It has [`MAX_EYES`](crate::MAX_EYES).
    Eyes,
}

/// An actor that was not taken in, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Refused<A> {
    /// The actor, as it was given.
    pub actor: A,
    /// Why it was not taken in.
    pub why: SceneError,
}

impl From<Error> for SceneError {
    fn from(error: Error) -> Self {
        Self::Invalid(error)
    }
}

impl From<Full> for SceneError {
    fn from(full: Full) -> Self {
        Self::Full(full)
    }
}

impl<A> From<Refused<A>> for SceneError {
    fn from(refused: Refused<A>) -> Self {
        refused.why
    }
}

impl fmt::Display for SceneError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Invalid(error) => return error.fmt(f),
            Self::Full(Full::Modules) => "the scene has no room for another module",
            Self::Full(Full::Actors) => "the scene has no room for another actor",
            Self::Full(Full::Costs) => "the scene has no room for other levels",
            Self::Full(Full::Eyes) => "the scene has no room for so many eyes",
            Self::StaleActor => "the actor is no longer in this scene",
            Self::NoSuchModule => "there is no such module in this scene",
        })
    }
}

impl core::error::Error for SceneError {}

impl<A: fmt::Debug> fmt::Display for Refused<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.why.fmt(f)
    }
}

impl<A: fmt::Debug> core::error::Error for Refused<A> {}

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
        // No scene has so many rows.
        assert_eq!(slots.row(last), Some(NONE.into()));
        let next = slots.insert(0).unwrap();
        assert_eq!((next.slot(), slots.are_used_up()), (1, true));
        assert_eq!(slots.insert(1), None);
        slots.remove(next);
        assert!(!slots.are_used_up());
        assert_eq!(slots.insert(0).map(ActorId::slot), Some(1));
    }
}
