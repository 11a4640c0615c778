//! The changes of levels in a tick.

use crate::bits::ROWS_PER_BLOCK;
use crate::decision::LevelChange;
use crate::handle::{ActorId, ActorLocation, ModuleId, SceneTag, Slots};
use crate::module_data::ModuleData;
use crate::rows::ActorRows;

#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeList {
    pub(crate) wanted: bool,
    /// The slots of new actors, and of actors that were forced, made automatic or given another ladder. Slots may
    /// be empty again, and repeated until a tick begins.
    unsettled: Vec<u32>,
    /// The levels of planned actors that have no previous level for the decision.
    forgotten: Vec<(ActorLocation, u8)>,
    /// The changes, in the order of slots.
    changes: Vec<LevelChange>,
    /// The indices of each module's changes.
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

    pub(crate) fn reserve(&mut self, spawns: usize) {
        self.unsettled.reserve(spawns);
    }

    /// Records an unsettled actor. Repeated slots do not accumulate without a tick.
    pub(crate) fn note(&mut self, slot: u32) {
        if self.unsettled.len() == self.unsettled.capacity() {
            self.remove_repeats();
            if self.unsettled.len() > self.unsettled.capacity() / 2 {
                self.unsettled.reserve(self.unsettled.len());
            }
        }
        self.unsettled.push(slot);
    }

    /// Reserves memory for `slots` slots of [`note_next`](Self::note_next), and returns the number of slots before
    /// them.
    pub(crate) fn begin_notes(&mut self, slots: usize) -> usize {
        if self.unsettled.capacity() - self.unsettled.len() < slots {
            self.remove_repeats();
            self.unsettled.reserve(slots);
        }
        self.unsettled.len()
    }

    pub(crate) fn note_next(&mut self, slot: u32) {
        self.unsettled.push(slot);
    }

    pub(crate) fn take_note_after(&mut self, slots: usize) -> Option<u32> {
        if self.unsettled.len() > slots { self.unsettled.pop() } else { None }
    }

    pub(crate) fn notes_after(&self, slots: usize) -> &[u32] {
        &self.unsettled[slots..]
    }

    fn remove_repeats(&mut self) {
        self.unsettled.sort_unstable();
        self.unsettled.dedup();
    }

    pub(crate) fn begin_tick(&mut self) {
        self.remove_repeats();
        self.changes.clear();
        for indices in &mut self.by_module {
            indices.clear();
        }
    }

    /// Sets the level of automatic actors without a previous level to 255, which means none.
    pub(crate) fn forget_levels(
        &mut self,
        modules: &mut [ModuleData],
        slots: &Slots<ActorLocation>,
    ) {
        for &slot in &self.unsettled {
            let Some(&location) = slots.value_at(slot) else { continue };
            let module = &mut modules[usize::from(location.module)];
            let (row, automatic) = (location.row as usize, module.automatic());
            if row < automatic && !module.rows.flags[row].has_previous() {
                if module.rows.flags[row].is_planned() {
                    self.forgotten.push((location, module.rows.level[row]));
                }
                module.rows.level[row] = u8::MAX;
                module.wide.touch(row / ROWS_PER_BLOCK);
            }
        }
    }

    /// Counts the actors that were automatic in the tick before too and have another level. `changed` counts all
    /// automatic actors with another level.
    pub(crate) fn switches(
        &self,
        changed: u32,
        modules: &[ModuleData],
        slots: &Slots<ActorLocation>,
    ) -> u32 {
        let has_changed = |module: &ModuleData, row| {
            row < module.automatic() && module.wide.has_changed(row, &module.rows.level)
        };
        let unmanaged = modules.iter().filter(|module| !module.was_managed);
        let unmanaged: usize = unmanaged
            .map(|module| (0..module.automatic()).filter(|&row| has_changed(module, row)).count())
            .sum();
        let new = self.newly_automatic(modules, slots);
        let new = new.filter(|location| {
            has_changed(&modules[usize::from(location.module)], location.row as usize)
        });
        let others = u32::try_from(unmanaged + new.count()).unwrap_or(u32::MAX);
        changed.saturating_sub(others)
    }

    /// Returns the actors that have become automatic in modules that were managed before. Valid until the tick
    /// ends.
    fn newly_automatic(
        &self,
        modules: &[ModuleData],
        slots: &Slots<ActorLocation>,
    ) -> impl Iterator<Item = ActorLocation> {
        let locations = self.unsettled.iter().filter_map(|&slot| slots.value_at(slot).copied());
        locations.filter(|location| {
            let module = &modules[usize::from(location.module)];
            module.was_managed && module.is_newly_automatic(location.row as usize)
        })
    }

    pub(crate) fn end_tick(
        &mut self,
        modules: &mut [ModuleData],
        slots: &Slots<ActorLocation>,
        scene: SceneTag,
    ) {
        for (location, level) in self.forgotten.drain(..) {
            modules[usize::from(location.module)].wide.restore(location.row as usize, level);
        }
        if self.wanted {
            self.compare(modules, slots, scene);
        }
        let mut unsettled = std::mem::take(&mut self.unsettled);
        for slot in unsettled.drain(..) {
            let Some((handle, &location)) = slots.at(slot, scene) else { continue };
            let rows = &mut modules[usize::from(location.module)].rows;
            let row = location.row as usize;
            if self.wanted && !rows.flags[row].is_planned() {
                let module = ModuleId::new(location.module, scene);
                self.changes.push(rows.change(row, (ActorId(handle), module), None));
            }
            let forced = row >= rows.automatic;
            rows.flags[row].settle(forced);
        }
        self.unsettled = unsettled;
        if self.wanted {
            self.sort(modules.len());
        }
    }

    fn compare(&mut self, modules: &[ModuleData], slots: &Slots<ActorLocation>, scene: SceneTag) {
        for (data, module) in modules.iter().zip(0..) {
            let rows = &data.rows;
            for (row, from) in data.wide.changed(&rows.level) {
                let Some((handle, _)) = slots.at(rows.slot[row], scene) else { continue };
                if rows.flags[row].is_planned() {
                    let module = ModuleId::new(module, scene);
                    self.changes.push(rows.change(row, (ActorId(handle), module), Some(from)));
                }
            }
        }
    }

    fn sort(&mut self, modules: usize) {
        self.changes.sort_unstable_by_key(|change| change.actor);
        self.by_module.resize_with(modules, Vec::new);
        for (change, index) in self.changes.iter().zip(0..) {
            self.by_module[usize::from(change.module.index())].push(index);
        }
    }
}

impl ActorRows {
    fn change(
        &self,
        row: usize,
        (actor, module): (ActorId, ModuleId),
        from: Option<u8>,
    ) -> LevelChange {
        let (key, to, fraction) = (self.key[row], self.level[row], self.fraction[row]);
        LevelChange { actor, key, module, from, to, fraction }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_slots_do_not_accumulate() {
        let mut list = ChangeList::default();
        for spawn in 0..100_000 {
            list.note(spawn % 100);
        }
        assert!(list.unsettled.len() < 1_000);
        assert!((0..100).all(|slot| list.unsettled.contains(&slot)));
    }
}
