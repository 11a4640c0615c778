//! Where the actors of a module are in its columns.

use lodger_scheduler::ActorId;

/// The rows of a module's actors, by slot.
#[derive(Debug, Default)]
pub(crate) struct Rows {
    by_slot: Vec<u32>,
    /// As of which regrouping they are.
    regroupings: Option<u64>,
}

impl Rows {
    /// Looks the rows up anew if they were regrouped since.
    pub(crate) fn keep_up(&mut self, regroupings: u64, slots: &[u32]) {
        if self.regroupings == Some(regroupings) {
            return;
        }
        self.regroupings = Some(regroupings);
        let most = slots.iter().max().map_or(0, |&slot| slot as usize + 1);
        if self.by_slot.len() < most {
            self.by_slot.resize(most, 0);
        }
        for (&slot, row) in slots.iter().zip(0..) {
            self.by_slot[slot as usize] = row;
        }
    }

    /// The row of an actor that is in the module.
    pub(crate) fn of(&self, actor: ActorId) -> usize {
        self.by_slot[actor.slot() as usize] as usize
    }
}
