//! Modules whose ladders fit no table: continuous ones, and those with very many or very long ladders.
//! They are results row by row.

use super::group::Draft;
use crate::budget::module_view::{Book, Walk};

/// Keeps all levels of a scene that is not results in parts: what follows does not say which it changes.
pub(in crate::budget) fn keep_all_of<W: Walk + ?Sized>(modules: &mut W) {
    for index in 0..modules.accounts() {
        modules.visit(index, |module| {
            keep_all(module);
            module.crowd.draft = Draft::default();
        });
    }
}

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
