//! Rows behind handles: a slot that is given back is used again, under another generation.

use core::num::NonZeroU32;

use crate::column::{Column, set, short};
use crate::handle::ActorId;

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
