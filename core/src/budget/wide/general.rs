//! Modules whose ladders fit no table: continuous ones, and those with very many or very long ladders.
//! They are asked row by row.

use crate::budget::book::Book;

/// Keeps all levels as they were before the frame.
pub(super) fn keep_all(part: &mut Book<'_>) {
    let crowd = &mut part.crowd;
    let levels = part.levels.chunks(super::GROUP).zip(crowd.before.chunks_mut(super::GROUP));
    for (group, (levels, before)) in crowd.groups.iter_mut().zip(levels) {
        if !group.changed {
            group.changed = true;
            before.iter_mut().zip(levels).for_each(|(before, &level)| *before = level);
        }
    }
}
