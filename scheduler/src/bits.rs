//! A bit for each row, 64 rows to a block.

use std::ops::Range;

pub(crate) const ROWS_PER_BLOCK: usize = 64;

/// Rows in a cache line of a column.
pub(crate) const LINE: usize = 16;

#[derive(Debug, Clone, Default)]
pub(crate) struct BitSet {
    groups: Vec<u64>,
    rows: usize,
    set: usize,
}

impl BitSet {
    pub(crate) fn push(&mut self, on: bool) {
        if self.rows.is_multiple_of(ROWS_PER_BLOCK) {
            self.groups.push(0);
        }
        self.rows += 1;
        if on {
            self.set(self.rows - 1);
        }
    }

    pub(crate) fn pop(&mut self) {
        self.rows -= 1;
        self.unset(self.rows);
        self.groups.truncate(self.rows.div_ceil(ROWS_PER_BLOCK));
    }

    pub(crate) fn swap(&mut self, a: usize, b: usize) {
        if self.get(a) != self.get(b) {
            self.flip(a);
            self.flip(b);
        }
    }

    pub(crate) fn reserve(&mut self, rows: usize) {
        let groups = (self.rows + rows).div_ceil(ROWS_PER_BLOCK);
        self.groups.reserve(groups - self.groups.len());
    }

    pub(crate) fn get(&self, row: usize) -> bool {
        self.group(row / ROWS_PER_BLOCK) & bit(row) != 0
    }

    pub(crate) fn set(&mut self, row: usize) {
        if !self.get(row) {
            self.flip(row);
            self.set += 1;
        }
    }

    pub(crate) fn unset(&mut self, row: usize) {
        if self.get(row) {
            self.flip(row);
            self.set -= 1;
        }
    }

    fn flip(&mut self, row: usize) {
        self.groups[row / ROWS_PER_BLOCK] ^= bit(row);
    }

    pub(crate) fn set_range(&mut self, rows: Range<usize>) {
        for (group, mask) in masks(rows) {
            let before = self.groups[group];
            self.groups[group] = before | mask;
            self.set += (mask & !before).count_ones() as usize;
        }
    }

    pub(crate) fn unset_all(&mut self) {
        if self.set > 0 {
            self.groups.fill(0);
            self.set = 0;
        }
    }

    pub(crate) fn any(&self) -> bool {
        self.set > 0
    }

    /// Returns the bits of 64 rows, from the lowest on; 0 beyond the end.
    pub(crate) fn group(&self, group: usize) -> u64 {
        self.groups.get(group).copied().unwrap_or(0)
    }

    pub(crate) fn groups(&self) -> usize {
        self.groups.len()
    }
}

pub(crate) fn rows_of(group: usize, bits: u64) -> impl Iterator<Item = usize> {
    let mut bits = bits;
    std::iter::from_fn(move || {
        let next = (bits != 0).then(|| group * ROWS_PER_BLOCK + bits.trailing_zeros() as usize);
        bits &= bits.wrapping_sub(1);
        next
    })
}

/// Returns the blocks of a range of rows, each with the bits of its rows.
pub(crate) fn masks(rows: Range<usize>) -> impl Iterator<Item = (usize, u64)> {
    let groups = rows.start / ROWS_PER_BLOCK
        ..rows.end.div_ceil(ROWS_PER_BLOCK).max(rows.start / ROWS_PER_BLOCK);
    groups.map(move |group| {
        let from = rows.start.saturating_sub(group * ROWS_PER_BLOCK);
        let beyond = ((group + 1) * ROWS_PER_BLOCK).saturating_sub(rows.end);
        (group, (u64::MAX << from) & (u64::MAX >> beyond))
    })
}

fn bit(row: usize) -> u64 {
    1 << (row % ROWS_PER_BLOCK)
}

/// The rows that the next tick computes again, and some beyond the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Dirty {
    groups: Vec<u64>,
    any: bool,
    /// Whether all rows are dirty, whatever the blocks say.
    all: bool,
}

impl Dirty {
    pub(crate) fn reserve(&mut self, rows: usize) {
        let groups = rows.div_ceil(ROWS_PER_BLOCK);
        self.groups.reserve(groups.saturating_sub(self.groups.len()));
    }

    pub(crate) fn mark(&mut self, row: usize) {
        let group = row / ROWS_PER_BLOCK;
        if group >= self.groups.len() {
            self.groups.resize(group + 1, 0);
        }
        self.groups[group] |= 1 << (row % ROWS_PER_BLOCK);
        self.any = true;
    }

    pub(crate) fn mark_range(&mut self, rows: Range<usize>) {
        if rows.is_empty() {
            return;
        }
        self.groups.resize(self.groups.len().max(rows.end.div_ceil(ROWS_PER_BLOCK)), 0);
        for (group, mask) in masks(rows) {
            self.groups[group] |= mask;
        }
        self.any = true;
    }

    pub(crate) fn any(&self) -> bool {
        self.any
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

    pub(crate) fn group(&self, group: usize) -> u64 {
        if self.all { u64::MAX } else { self.groups.get(group).copied().unwrap_or(0) }
    }

    /// Returns the rows of a block that share cache lines with dirty rows.
    pub(crate) fn lines(&self, group: usize) -> u64 {
        let dirty = self.group(group);
        let lines = (0..ROWS_PER_BLOCK / LINE).map(|line| ((1 << LINE) - 1) << (line * LINE));
        lines.filter(|line| dirty & line != 0).fold(0, |all, line| all | line)
    }

    /// Returns the next rows of one block, from row `from` on, that share cache lines with dirty rows, of `rows` rows in
    /// total.
    pub(crate) fn next_lines(&self, from: usize, rows: usize) -> Option<Range<usize>> {
        let mut bits = self.lines(from / ROWS_PER_BLOCK) & (u64::MAX << (from % ROWS_PER_BLOCK));
        let mut group = from / ROWS_PER_BLOCK;
        while bits == 0 {
            group += 1;
            if group * ROWS_PER_BLOCK >= rows {
                return None;
            }
            if self.group(group) != 0 {
                bits = self.lines(group);
            }
        }
        let start = group * ROWS_PER_BLOCK + bits.trailing_zeros() as usize;
        let len = (bits >> bits.trailing_zeros()).trailing_ones() as usize;
        (start < rows).then_some(start..rows.min(start + len))
    }

    /// Whether a tick computes all `rows` rows again.
    pub(crate) fn are_all(&self, rows: usize) -> bool {
        self.all || self.any && masks(0..rows).all(|(group, mask)| self.lines(group) & mask == mask)
    }

    /// Whether it is faster to compute all `rows` rows in order than only the dirty blocks: at least a quarter of the blocks is
    /// dirty, and the columns do not fit into the second cache of a core, so that most reads of scattered blocks wait for memory.
    pub(crate) fn are_many(&self, rows: usize) -> bool {
        const ROWS_BEYOND_CACHE: usize = 16 * 1024;
        if rows < ROWS_BEYOND_CACHE {
            return false;
        }
        let blocks = rows.div_ceil(ROWS_PER_BLOCK);
        let dirty = self.groups.iter().take(blocks).filter(|&&bits| bits != 0);
        dirty.count() >= blocks / 4
    }

    /// Returns the next run of dirty blocks from row `from` on, in rows, of `rows` rows in total.
    pub(crate) fn next_run(&self, from: usize, rows: usize) -> Option<Range<usize>> {
        if !self.any || from >= rows {
            return None;
        }
        if self.all {
            return Some(from..rows);
        }
        let mut groups = from / ROWS_PER_BLOCK..rows.div_ceil(ROWS_PER_BLOCK);
        let first = groups.find(|&group| self.group(group) != 0)?;
        let end = groups
            .find(|&group| self.group(group) == 0)
            .map_or(rows, |group| group * ROWS_PER_BLOCK);
        Some(from.max(first * ROWS_PER_BLOCK)..end)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn bits_are_a_column(calls in prop::collection::vec((0_u8..7, any::<usize>(), any::<usize>()), 0..300)) {
            let (mut bits, mut plain) = (BitSet::default(), Vec::new());
            for (call, a, b) in calls {
                let len = plain.len();
                match call {
                    0 | 1 => {
                        bits.push(a % 3 == 0);
                        plain.push(a % 3 == 0);
                    }
                    2 => {
                        let (from, to) = ((a % (len + 1)).min(b % (len + 1)), (a % (len + 1)).max(b % (len + 1)));
                        bits.set_range(from..to);
                        plain[from..to].fill(true);
                    }
                    _ if len == 0 => {}
                    3 => {
                        bits.pop();
                        plain.pop();
                    }
                    4 => {
                        bits.swap(a % len, b % len);
                        plain.swap(a % len, b % len);
                    }
                    5 => {
                        bits.set(a % len);
                        plain[a % len] = true;
                    }
                    _ => {
                        bits.unset(a % len);
                        plain[a % len] = false;
                    }
                }
                let rows = (0..bits.groups()).flat_map(|group| rows_of(group, bits.group(group)));
                let expected = (0..plain.len()).filter(|&row| plain[row]);
                prop_assert!(rows.eq(expected), "after {call}");
                prop_assert_eq!(bits.any(), plain.contains(&true));
            }
            bits.unset_all();
            prop_assert!(!bits.any());
        }
    }

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
        assert_eq!(dirty.next_lines(0, 1_000), Some(64..80));
        assert_eq!(dirty.next_lines(0, 70), Some(64..70));
        assert_eq!((dirty.next_lines(0, 64), dirty.next_lines(80, 1_000)), (None, None));
        assert!(!dirty.are_all(65));
        dirty.mark_range(127..193);
        assert_eq!(dirty.lines(1), 0xffff_0000_0000_ffff);
        assert_eq!(dirty.group(2), u64::MAX);
        let first = dirty.next_lines(0, 200);
        let lines = std::iter::successors(first, |lines| dirty.next_lines(lines.end, 200));
        assert!(lines.eq([64..80, 112..128, 128..192, 192..200]));
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
