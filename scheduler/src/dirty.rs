//! Which rows may ask for something else than in the last tick.

use std::ops::Range;

use crate::bits::{GROUP, LINE, masks};

/// The rows of a module of which something was set since the last tick that its benefit or its cost
/// depends on; they may have moved, come or gone. Rows beyond the end may be among them.
///
/// It only grows until it is [cleared](Self::clear).
#[derive(Debug, Clone, Default)]
pub(crate) struct Dirty {
    groups: Vec<u64>,
    /// Whether any row is dirty.
    any: bool,
    /// Whether all are, whatever the groups say.
    all: bool,
}

impl Dirty {
    /// Makes room for that many rows in all.
    pub(crate) fn reserve(&mut self, rows: usize) {
        let groups = rows.div_ceil(GROUP);
        self.groups.reserve(groups.saturating_sub(self.groups.len()));
    }

    pub(crate) fn mark(&mut self, row: usize) {
        let group = row / GROUP;
        if group >= self.groups.len() {
            self.groups.resize(group + 1, 0);
        }
        self.groups[group] |= 1 << (row % GROUP);
        self.any = true;
    }

    pub(crate) fn mark_range(&mut self, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        self.groups.resize(self.groups.len().max(rows.end.div_ceil(GROUP)), 0);
        for (group, mask) in masks(rows) {
            self.groups[group] |= mask;
        }
        self.any = true;
    }

    pub(crate) fn mark_all(&mut self) {
        (self.any, self.all) = (true, true);
    }

    pub(crate) fn clear(&mut self) {
        if self.any {
            self.groups.fill(0);
            (self.any, self.all) = (false, false);
        }
    }

    /// The dirty rows of a group, from the lowest bit on.
    pub(crate) fn group(&self, group: usize) -> u64 {
        if self.all { u64::MAX } else { self.groups.get(group).copied().unwrap_or(0) }
    }

    /// The rows of a group that share cache lines with dirty ones: those that a tick looks at again.
    pub(crate) fn lines(&self, group: usize) -> u64 {
        let dirty = self.group(group);
        let lines = (0..GROUP / LINE).map(|line| ((1 << LINE) - 1) << (line * LINE));
        lines.filter(|line| dirty & line != 0).fold(0, |all, line| all | line)
    }

    /// Whether a tick looks at all of so many rows again.
    pub(crate) fn are_all(&self, rows: usize) -> bool {
        self.all || self.any && masks(0..rows).all(|(group, mask)| self.lines(group) & mask == mask)
    }

    /// The next rows, from the given one on, whose groups are dirty: as many as follow each other of
    /// that many in all.
    pub(crate) fn next_run(&self, from: usize, rows: usize) -> Option<Range<usize>> {
        if !self.any || from >= rows {
            return None;
        }
        if self.all {
            return Some(from..rows);
        }
        let mut groups = from / GROUP..rows.div_ceil(GROUP);
        let first = groups.find(|&group| self.group(group) != 0)?;
        let end = groups.find(|&group| self.group(group) == 0).map_or(rows, |group| group * GROUP);
        Some(from.max(first * GROUP)..end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn runs(dirty: &Dirty, rows: usize) -> Vec<(usize, usize)> {
        let first = dirty.next_run(0, rows);
        let runs = std::iter::successors(first, |run| dirty.next_run(run.end, rows));
        runs.map(|run| (run.start, run.end)).collect()
    }

    #[test]
    fn runs_are_whole_groups() {
        let mut dirty = Dirty::default();
        assert_eq!(runs(&dirty, 1_000), []);
        dirty.mark(70);
        assert_eq!((dirty.group(1), dirty.group(0), dirty.group(99)), (1 << 6, 0, 0));
        assert_eq!(runs(&dirty, 1_000), [(64, 128)]);
        assert_eq!(runs(&dirty, 100), [(64, 100)]);
        assert_eq!(runs(&dirty, 64), []);
        assert_eq!((dirty.lines(1), dirty.lines(0)), (0xffff, 0));
        assert!(!dirty.are_all(65));
        dirty.mark_range(127..193);
        assert_eq!(dirty.lines(1), 0xffff_0000_0000_ffff);
        assert_eq!(dirty.group(2), u64::MAX);
        assert_eq!(runs(&dirty, 1_000), [(64, 256)]);
        dirty.mark_range(600..600);
        dirty.mark(640);
        assert_eq!(runs(&dirty, 1_000), [(64, 256), (640, 704)]);
        assert_eq!(runs(&dirty, 641), [(64, 256), (640, 641)]);
        dirty.mark_all();
        assert_eq!(runs(&dirty, 1_000), [(0, 1_000)]);
        assert_eq!(runs(&dirty, 0), []);
        dirty.clear();
        assert_eq!(runs(&dirty, 1_000), []);
    }
}
