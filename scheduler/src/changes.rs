//! The changes of levels in a tick.

use crate::decision::LevelChange;
use crate::handle::{ActorId, ActorLocation, ModuleId, SceneTag, Slots};
use crate::module_data::ModuleData;

/// The changes of the last tick, and the state that the next tick needs for its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeList {
    /// Whether ticks make a list.
    pub(crate) wanted: bool,
    /// The slots of actors whose flags the end of a tick updates: no tick has seen them, or they were
    /// forced, released or given another ladder since. Some may be empty again, or occur twice before a
    /// tick begins.
    unsettled: Vec<u32>,
    /// The changes, in the order of slots.
    changes: Vec<LevelChange>,
    /// The changes of each module, as indices.
    by_module: Vec<Vec<u32>>,
}

impl ChangeList {
    pub(crate) fn all(&self) -> &[LevelChange] {
        &self.changes
    }

    pub(crate) fn of_module(&self, module: u16) -> impl Iterator<Item = &LevelChange> {
        let indices = self.by_module.get(usize::from(module)).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(|&index| self.changes.get(index as usize))
    }

    /// Reserves memory for `spawns` more spawns.
    pub(crate) fn reserve(&mut self, spawns: usize) {
        self.unsettled.reserve(spawns);
    }

    /// Records that an actor was spawned, forced, released or given another ladder. Repeated slots do not
    /// accumulate without a tick.
    pub(crate) fn note(&mut self, slot: u32) {
        if self.unsettled.len() == self.unsettled.capacity() {
            self.name_once();
            if self.unsettled.len() > self.unsettled.capacity() / 2 {
                self.unsettled.reserve(self.unsettled.len());
            }
        }
        self.unsettled.push(slot);
    }

    /// Reserves memory for `slots` slots, which [`note_next`](Self::note_next) then records in order, and
    /// returns the number of slots before them.
    pub(crate) fn begin_notes(&mut self, slots: usize) -> usize {
        if self.unsettled.capacity() - self.unsettled.len() < slots {
            self.name_once();
            self.unsettled.reserve(slots);
        }
        self.unsettled.len()
    }

    /// Records a slot after all others.
    pub(crate) fn note_next(&mut self, slot: u32) {
        self.unsettled.push(slot);
    }

    /// Removes the last slot, unless only `slots` remain.
    pub(crate) fn take_note_after(&mut self, slots: usize) -> Option<u32> {
        if self.unsettled.len() > slots { self.unsettled.pop() } else { None }
    }

    /// Returns the slots after the first `slots`.
    pub(crate) fn notes_after(&self, slots: usize) -> &[u32] {
        &self.unsettled[slots..]
    }

    fn name_once(&mut self) {
        self.unsettled.sort_unstable();
        self.unsettled.dedup();
    }

    /// Clears the changes of the tick before.
    pub(crate) fn begin_tick(&mut self) {
        self.name_once();
        self.changes.clear();
        for indices in &mut self.by_module {
            indices.clear();
        }
    }

    /// Counts the actors that were automatic in the tick before too and have another level, from the number
    /// of all automatic actors with another level.
    pub(crate) fn switches(
        &self,
        changed: u32,
        modules: &[ModuleData],
        slots: &Slots<ActorLocation>,
    ) -> u32 {
        let has_changed = |module: &ModuleData, row| {
            row < module.automatic() && module.notes.has_changed(row, &module.rows.level)
        };
        let unmanaged = modules.iter().filter(|module| !module.was_managed);
        let unmanaged: usize = unmanaged
            .map(|module| (0..module.automatic()).filter(|&row| has_changed(module, row)).count())
            .sum();
        let new = self.newly_automatic(modules, slots);
        let new = new
            .filter(|place| has_changed(&modules[usize::from(place.module)], place.row as usize));
        let others = u32::try_from(unmanaged + new.count()).unwrap_or(u32::MAX);
        changed.saturating_sub(others)
    }

    /// Returns the actors that have become automatic, in modules that were managed before. Valid until the
    /// tick ends.
    fn newly_automatic(
        &self,
        modules: &[ModuleData],
        slots: &Slots<ActorLocation>,
    ) -> impl Iterator<Item = ActorLocation> {
        let places = self.unsettled.iter().filter_map(|&slot| slots.value_at(slot).copied());
        places.filter(|place| {
            let module = &modules[usize::from(place.module)];
            module.was_managed && module.is_newly_automatic(place.row as usize)
        })
    }

    /// Records that the tick has seen all actors, and lists the changes.
    pub(crate) fn end_tick(
        &mut self,
        modules: &mut [ModuleData],
        slots: &Slots<ActorLocation>,
        scene: SceneTag,
    ) {
        if self.wanted {
            self.compare(modules, slots, scene);
        }
        let mut unsettled = std::mem::take(&mut self.unsettled);
        for slot in unsettled.drain(..) {
            let Some((handle, &place)) = slots.at(slot, scene) else { continue };
            let rows = &mut modules[usize::from(place.module)].rows;
            let row = place.row as usize;
            if self.wanted && !rows.flags[row].is_planned() {
                self.changes.push(LevelChange {
                    actor: ActorId(handle),
                    key: rows.key[row],
                    module: ModuleId::new(place.module, scene),
                    from: None,
                    to: rows.level[row],
                    fraction: rows.fraction[row],
                });
            }
            let forced = row >= rows.automatic;
            rows.flags[row].settle(forced);
        }
        self.unsettled = unsettled;
        if self.wanted {
            self.put_in_order(modules.len());
        }
    }

    /// Lists actors that an earlier tick gave another level.
    fn compare(&mut self, modules: &[ModuleData], slots: &Slots<ActorLocation>, scene: SceneTag) {
        for (data, module) in modules.iter().zip(0..) {
            let rows = &data.rows;
            for (row, from) in data.notes.changed(&rows.level) {
                let Some((handle, _)) = slots.at(rows.slot[row], scene) else { continue };
                if rows.flags[row].is_planned() {
                    self.changes.push(LevelChange {
                        actor: ActorId(handle),
                        key: rows.key[row],
                        module: ModuleId::new(module, scene),
                        from: Some(from),
                        to: rows.level[row],
                        fraction: rows.fraction[row],
                    });
                }
            }
        }
    }

    fn put_in_order(&mut self, modules: usize) {
        self.changes.sort_unstable_by_key(|change| change.actor);
        self.by_module.resize_with(modules, Vec::new);
        for (change, index) in self.changes.iter().zip(0..) {
            self.by_module[usize::from(change.module.index())].push(index);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_that_come_and_go_do_not_pile_up() {
        let mut list = ChangeList::default();
        for spawn in 0..100_000 {
            list.note(spawn % 100);
        }
        assert!(list.unsettled.len() < 1_000);
        assert!((0..100).all(|slot| list.unsettled.contains(&slot)));
    }
}
