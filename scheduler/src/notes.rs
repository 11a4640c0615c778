//! What the ledger notes of a module's rows from tick to tick, and what comes of it: who has another level.

use std::ops::Range;

use lodger_core::Benefit;
use lodger_core::budget::{Crowd, Draft, Group, Guess};

use crate::bits::GROUP;

/// What the ledger notes of a module's rows.
#[derive(Debug, Clone, Default)]
pub(crate) struct WideBuffers {
    /// Of the automatic rows.
    groups: Vec<Group>,
    /// The levels before the tick: of forced rows, and of groups that changed.
    pub(crate) before: Vec<u8>,
    /// How many rows are automatic.
    automatic: usize,
    /// The sum of their benefits, if it is known, in 2⁻¹⁶.
    pub(crate) total: Option<u64>,
    pub(crate) guess: Guess,
    pub(crate) draft: Draft,
}

impl WideBuffers {
    /// Begins a tick of so many automatic rows, and all others of those that have levels.
    pub(crate) fn begin_tick(&mut self, automatic: usize, levels: &[u8], is_regrouped: bool) {
        self.before.resize(levels.len(), 0);
        if is_regrouped || automatic != self.automatic {
            self.automatic = automatic;
            self.groups.resize(automatic.div_ceil(GROUP), Group::default());
            (self.total, self.draft) = (None, Draft::default());
        }
        self.groups.iter_mut().for_each(Group::begin);
    }

    /// What a book of these rows is lent.
    pub(crate) fn view(&mut self, automatic: usize) -> Crowd<'_> {
        // Who came since the tick has no place yet.
        let known = automatic.min(self.before.len());
        Crowd {
            groups: &mut self.groups,
            before: &mut self.before[..known],
            total: self.total,
            guess: self.guess,
            draft: self.draft,
            ..Crowd::default()
        }
    }

    /// WideBuffers that an automatic row has another benefit than was added up.
    pub(crate) fn replace(&mut self, old: Benefit, new: Benefit) {
        let more = u64::from(new.bits()).wrapping_sub(old.bits().into());
        self.total = self.total.map(|total| total.wrapping_add(more));
    }

    /// WideBuffers that a benefit of 64 rows changed.
    pub(crate) fn touch(&mut self, group: usize) {
        if let Some(group) = self.groups.get_mut(group) {
            group.touch();
        }
    }

    /// The rows that may have another level than before, in order.
    fn suspects(&self) -> impl Iterator<Item = Range<usize>> {
        let groups = self.groups.iter().zip((0..).step_by(GROUP));
        let changed = groups.filter(|(group, _)| group.has_changed());
        let end = self.automatic;
        let changed = changed.map(move |(_, first)| first..end.min(first + GROUP));
        changed.chain(std::iter::once(self.automatic..self.before.len()))
    }

    /// The rows that have another level than before the tick, and that level.
    pub(crate) fn changed(&self, levels: &[u8]) -> impl Iterator<Item = (usize, u8)> {
        self.suspects().flat_map(move |rows| {
            let pairs = self.before[rows.clone()].iter().zip(&levels[rows.clone()]).zip(rows);
            let changed = pairs.filter(|((before, level), _)| before != level);
            changed.map(|((&before, _), row)| (row, before))
        })
    }

    /// Whether a row has another level than before the tick, after the ledger has decided.
    pub(crate) fn has_changed(&self, row: usize, levels: &[u8]) -> bool {
        let is_kept = row >= self.automatic || self.groups[row / GROUP].has_changed();
        is_kept && self.before[row] != levels[row]
    }
}
