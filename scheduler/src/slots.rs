//! Values behind handles: a released slot is used again with another generation.

use lodger_core::budget::MAX_ACTORS;

use crate::handle::{ActorId, Handle, SceneTag};

#[derive(Debug, Clone)]
struct Slot<T> {
    generation: u32,
    value: Option<T>,
}

/// At most [`MAX_ACTORS`] values.
#[derive(Debug, Clone)]
pub(crate) struct Slots<T> {
    entries: Vec<Slot<T>>,
    /// The empty slots; the one that was released last is at the end.
    free: Vec<u32>,
    /// The number of slots that have used their generations.
    retired: usize,
}

impl<T> Default for Slots<T> {
    fn default() -> Self {
        Self { entries: Vec::new(), free: Vec::new(), retired: 0 }
    }
}

impl<T> Slots<T> {
    pub(crate) fn len(&self) -> usize {
        self.entries.len() - self.free.len() - self.retired
    }

    /// Returns the number of values that can still be inserted.
    pub(crate) fn room(&self) -> usize {
        (MAX_ACTORS as usize).saturating_sub(self.entries.len()) + self.free.len()
    }

    /// Reserves memory for `values` more values, so that neither their insertion nor their removal
    /// allocates.
    pub(crate) fn reserve(&mut self, values: usize) {
        let new = values.saturating_sub(self.free.len());
        self.entries.reserve(new);
        self.free.reserve(self.entries.len() + new - self.free.len());
    }

    /// Returns the slot of the next value: the one that was released last, or else a new one; `None` if
    /// the slots are full.
    pub(crate) fn next(&self) -> Option<u32> {
        let new = u32::try_from(self.entries.len()).ok().filter(|&slot| slot < MAX_ACTORS);
        self.free.last().copied().or(new)
    }

    /// Inserts a value into the [`next`](Self::next) slot.
    pub(crate) fn insert(&mut self, value: T, scene: SceneTag) -> Option<Handle> {
        let slot = self.next()?;
        if self.free.pop().is_none() {
            self.entries.push(Slot { generation: 0, value: None });
        }
        let place = &mut self.entries[slot as usize];
        place.value = Some(value);
        Some(Handle::new(slot, place.generation, scene))
    }

    /// Returns the value of a handle of this scene, unless the handle is stale.
    pub(crate) fn get(&self, handle: Handle) -> Option<&T> {
        let slot = self.entries.get(handle.slot() as usize)?;
        slot.value.as_ref().filter(|_| slot.generation == handle.generation())
    }

    pub(crate) fn get_mut(&mut self, handle: Handle) -> Option<&mut T> {
        let slot = self.entries.get_mut(handle.slot() as usize)?;
        slot.value.as_mut().filter(|_| slot.generation == handle.generation())
    }

    pub(crate) fn remove(&mut self, handle: Handle) -> Option<T> {
        self.get(handle)?;
        let slot = &mut self.entries[handle.slot() as usize];
        if slot.generation < Handle::MAX_GENERATION {
            slot.generation += 1;
            self.free.push(handle.slot());
        } else {
            self.retired += 1;
        }
        slot.value.take()
    }

    /// Returns the value in a slot, and its handle.
    pub(crate) fn at(&self, slot: u32, scene: SceneTag) -> Option<(Handle, &T)> {
        let place = self.entries.get(slot as usize)?;
        Some((Handle::new(slot, place.generation, scene), place.value.as_ref()?))
    }

    pub(crate) fn value_at(&self, slot: u32) -> Option<&T> {
        self.entries.get(slot as usize)?.value.as_ref()
    }

    pub(crate) fn at_mut(&mut self, slot: u32) -> Option<&mut T> {
        self.entries.get_mut(slot as usize)?.value.as_mut()
    }

    /// Returns all values in the order of their slots, with their handles.
    pub(crate) fn iter(&self, scene: SceneTag) -> impl Iterator<Item = (Handle, &T)> {
        let handles = self.entries.iter().zip(0..);
        handles.filter_map(move |(slot, index)| {
            Some((Handle::new(index, slot.generation, scene), slot.value.as_ref()?))
        })
    }
}

/// The module of an actor, and its row there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct ActorLocation {
    pub(crate) module: u16,
    pub(crate) row: u32,
}

/// Converts slots to handles.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ids<'a> {
    actors: &'a Slots<ActorLocation>,
    scene: SceneTag,
}

impl<'a> Ids<'a> {
    pub(crate) fn new(actors: &'a Slots<ActorLocation>, scene: SceneTag) -> Self {
        Self { actors, scene }
    }

    pub(crate) fn of(self, slots: &'a [u32]) -> impl Iterator<Item = ActorId> + use<'a> {
        let handles = slots.iter().filter_map(move |&slot| self.actors.at(slot, self.scene));
        handles.map(|(handle, _)| ActorId(handle))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_without_generations_left_is_not_used_again() {
        let scene = SceneTag::next();
        let mut slots = Slots::default();
        let first = slots.insert('a', scene).unwrap();
        slots.entries[0].generation = Handle::MAX_GENERATION;
        let last = Handle::new(0, Handle::MAX_GENERATION, scene);
        assert_eq!((slots.get(first), slots.get(last)), (None, Some(&'a')));
        assert_eq!(slots.remove(last), Some('a'));
        let next = slots.insert('b', scene).unwrap();
        assert_eq!((next.slot(), slots.len()), (1, 1));
        assert_eq!(slots.get(last), None);
    }
}
