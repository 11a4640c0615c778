//! Benefits, and the actors whose benefit is none of their rule's.
//!
//! A rule reads the numbers that it weighs, and finds those that are not sound. All other numbers are
//! checked where they are set: by a setter at once, in columns that were handed out when the next tick
//! begins. Whoever may be an exception has a bit; a tick looks at those alone.

use std::ops::Range;

use lodger_core::{Benefit, Real};

use crate::bits::{GROUP, rows_of};
use crate::numbers::Numbers;
use crate::roster::Roster;
use crate::rows::Rows;

impl<N: Real> Rows<N> {
    /// Notes that numbers of a row were set, which its benefit depends on or not.
    pub(crate) fn note_set(&mut self, row: usize, matters: bool) {
        if !self.state(row).is_sound() {
            self.special.set(row);
        }
        if matters || self.special.get(row) {
            self.dirty.mark(row);
        }
    }

    /// Whether an age of 64 rows or fewer is not sound, or a speed or position.
    fn any_unsound(&self, group: usize, numbers: Numbers) -> bool {
        let rows = group * GROUP..self.len().min((group + 1) * GROUP);
        let finite = |column: &[N]| column[rows.clone()].iter().all(|number| number.is_finite());
        let amounts = |column: &[N]| column[rows.clone()].iter().all(|number| number.is_amount());
        numbers.position && !(finite(&self.x) && finite(&self.y) && finite(&self.z))
            || numbers.age && !finite(&self.age)
            || numbers.speed && !amounts(&self.speed)
    }
}

impl<N: Real> Roster<N> {
    /// Notes that the numbers of some rows are handed out to be set.
    pub(crate) fn hand_out(&mut self, numbers: Numbers, rows: Range<usize>) {
        let matters = numbers.position
            || numbers.age && self.weighs_age()
            || numbers.speed && self.weighs_speed();
        if matters {
            self.rows.dirty.mark_range(rows.clone());
        }
        self.rows.unchecked.set_range(rows);
        self.handed_out = self.handed_out.or(numbers);
    }

    pub(crate) fn advance_ages(&mut self, seconds: N) {
        if self.weighs_age() {
            self.rows.dirty.mark_all();
        }
        for group in 0..self.rows.len().div_ceil(GROUP) {
            let rows = group * GROUP..self.rows.len().min((group + 1) * GROUP);
            let mut are_sound = true;
            for age in &mut self.rows.age[rows.clone()] {
                *age = *age + seconds;
                are_sound &= age.is_finite();
            }
            if !are_sound {
                rows.for_each(|row| self.rows.note_set(row, false));
            }
        }
    }

    pub(crate) fn weighs_age(&self) -> bool {
        self.rule.weighed(&[]).age
    }

    pub(crate) fn weighs_speed(&self) -> bool {
        self.rule.weighed(&[]).speed
    }

    /// Finds out which rows are not sound in a column that was handed out and that nobody reads.
    pub(crate) fn check_handed_out(&mut self, read: Numbers) {
        let numbers = std::mem::take(&mut self.handed_out).without(read);
        if numbers.any() {
            for group in 0..self.rows.unchecked.groups() {
                let handed_out = self.rows.unchecked.group(group);
                let unsound = handed_out != 0 && self.rows.any_unsound(group, numbers);
                let special = self.rows.special.group(group);
                for row in rows_of(group, if unsound { handed_out } else { handed_out & special }) {
                    self.rows.note_set(row, false);
                }
            }
        }
        self.rows.unchecked.unset_all();
    }

    /// Gives everybody among the dirty their benefit whose benefit is not computed, and marks who is
    /// invisible or quarantined. So many states were found not to be sound.
    pub(crate) fn find_exceptions(&mut self, read: Numbers, unsound: usize) {
        let mut known = 0;
        if self.rows.special.any() {
            for group in 0..self.rows.special.groups() {
                let special = self.rows.special.group(group);
                if special != 0 && self.rows.dirty.group(group) != 0 {
                    for row in rows_of(group, special & self.rows.dirty.lines(group)) {
                        known += usize::from(!read.are_sound(self.rows.state(row)));
                        self.find_exception(row);
                    }
                }
            }
        }
        if unsound > known {
            self.find_unsound();
        }
    }

    /// Finds those among the dirty that turned bad in numbers that are read.
    fn find_unsound(&mut self) {
        let mut from = 0;
        while let Some(run) = self.rows.dirty.next_run(from, self.rows.len()) {
            from = run.end;
            for row in run {
                let may_be = self.rows.benefit[row] == Benefit::ZERO && !self.rows.special.get(row);
                if may_be && !self.rows.state(row).is_sound() {
                    self.rows.special.set(row);
                    self.find_exception(row);
                }
            }
        }
    }

    fn find_exception(&mut self, row: usize) {
        let given = match (self.rows.marks[row].is_visible(), self.rows.given[row]) {
            (false, _) => Some(Benefit::ZERO),
            (true, given) => given,
        };
        let quarantined = given.is_none() && !self.rows.state(row).is_sound();
        let computed = self.rows.benefit[row];
        let benefit = if quarantined { Benefit::ZERO } else { given.unwrap_or(computed) };
        self.rows.benefit[row] = benefit;
        if row < self.automatic() {
            self.notes.replace(computed, benefit);
        }
        if !quarantined && given.is_none() {
            self.rows.special.unset(row);
        }
        let marks = &mut self.rows.marks[row];
        self.quarantined -= usize::from(marks.was_quarantined());
        self.quarantined += usize::from(quarantined);
        marks.find(quarantined);
    }
}
