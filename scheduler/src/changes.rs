//! Who has another level than before.

use lodger_core::Real;

use crate::decision::Change;
use crate::handle::{ActorId, ModuleId, SceneTag};
use crate::roster::Roster;
use crate::slots::Slots;

/// How many levels are compared at once.
const BLOCK: usize = 256;

/// Where an actor is: its module and its row there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Place {
    pub(crate) module: u16,
    pub(crate) row: u32,
}

/// The changes of the last tick, and what the next one needs to find its own.
#[derive(Debug, Clone, Default)]
pub(crate) struct ChangeList {
    /// Whether ticks keep a list.
    pub(crate) wanted: bool,
    /// The slots of actors that no tick has seen. Some may be empty again, or be named twice.
    fresh: Vec<u32>,
    /// All levels before the tick, module by module.
    before: Vec<u8>,
    /// In the order of slots.
    changes: Vec<Change>,
    /// The changes of each module, as indices.
    by_module: Vec<Vec<u32>>,
}

impl ChangeList {
    pub(crate) fn all(&self) -> &[Change] {
        &self.changes
    }

    pub(crate) fn of_module(&self, module: u16) -> impl Iterator<Item = &Change> {
        let indices = self.by_module.get(usize::from(module)).map_or(&[][..], Vec::as_slice);
        indices.iter().filter_map(|&index| self.changes.get(index as usize))
    }

    /// Makes room for so many more spawns.
    pub(crate) fn reserve(&mut self, spawns: usize) {
        self.fresh.reserve(spawns);
    }

    /// Notes that an actor was spawned. Slots that come and go without a tick do not pile up.
    pub(crate) fn note_spawn(&mut self, slot: u32) {
        if self.fresh.len() == self.fresh.capacity() {
            self.fresh.sort_unstable();
            self.fresh.dedup();
            if self.fresh.len() > self.fresh.capacity() / 2 {
                self.fresh.reserve(self.fresh.len());
            }
        }
        self.fresh.push(slot);
    }

    /// Remembers the levels before a tick.
    pub(crate) fn begin_tick<N: Real>(&mut self, rosters: &[Roster<N>]) {
        self.before.clear();
        self.changes.clear();
        for indices in &mut self.by_module {
            indices.clear();
        }
        if self.wanted {
            self.before.reserve(rosters.iter().map(|roster| roster.rows.len()).sum());
            for roster in rosters {
                self.before.extend_from_slice(&roster.rows.level);
            }
        }
    }

    /// Notes that the tick has seen all actors, and lists those that changed.
    pub(crate) fn end_tick<N: Real>(
        &mut self,
        rosters: &mut [Roster<N>],
        slots: &Slots<Place>,
        scene: SceneTag,
    ) {
        if self.wanted {
            self.compare(rosters, slots, scene);
        }
        let mut fresh = std::mem::take(&mut self.fresh);
        for slot in fresh.drain(..) {
            let Some((handle, &place)) = slots.at(slot, scene) else { continue };
            let rows = &mut rosters[usize::from(place.module)].rows;
            let row = place.row as usize;
            if self.wanted && !rows.marks[row].is_seen() {
                self.changes.push(Change {
                    actor: ActorId(handle),
                    key: rows.key[row],
                    module: ModuleId::new(place.module, scene),
                    from: None,
                    to: rows.level[row],
                    fraction: rows.fraction[row],
                });
            }
            rows.marks[row].set_seen();
        }
        self.fresh = fresh;
        if self.wanted {
            self.put_in_order(rosters.len());
        }
    }

    /// Lists the actors that an earlier tick gave another level.
    fn compare<N: Real>(&mut self, rosters: &[Roster<N>], slots: &Slots<Place>, scene: SceneTag) {
        let mut before = self.before.as_slice();
        for (roster, module) in rosters.iter().zip(0..) {
            let rows = &roster.rows;
            let (old, later) = before.split_at(rows.len());
            before = later;
            let blocks = old.chunks(BLOCK).zip(rows.level.chunks(BLOCK)).enumerate();
            for (block, (old, new)) in blocks.filter(|(_, (old, new))| old != new) {
                let pairs = old.iter().zip(new).enumerate();
                for (index, (&from, &to)) in pairs.filter(|(_, (from, to))| from != to) {
                    let row = block * BLOCK + index;
                    let Some((handle, _)) = slots.at(rows.slot[row], scene) else { continue };
                    if rows.marks[row].is_seen() {
                        self.changes.push(Change {
                            actor: ActorId(handle),
                            key: rows.key[row],
                            module: ModuleId::new(module, scene),
                            from: Some(from),
                            to,
                            fraction: rows.fraction[row],
                        });
                    }
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
            list.note_spawn(spawn % 100);
        }
        assert!(list.fresh.len() < 1_000);
        assert!((0..100).all(|slot| list.fresh.contains(&slot)));
    }
}
