//! The previous levels of blocks whose rows are processed one by one.

use super::group::ROWS_PER_BLOCK;
use crate::budget::module_view::{ModuleView, Modules};

pub(in crate::budget) fn keep_all_of<W: Modules + ?Sized>(modules: &mut W) {
    if !W::WIDE {
        return;
    }
    for index in 0..modules.count() {
        modules.visit(index, |module| {
            keep_all(module);
            module.wide.forget();
        });
    }
}

pub(in crate::budget) fn keep_all(part: &mut ModuleView<'_>) {
    let wide = &mut part.wide;
    let levels = part.levels.chunks(ROWS_PER_BLOCK).zip(wide.before.chunks_mut(ROWS_PER_BLOCK));
    for (group, (levels, before)) in wide.groups.iter_mut().zip(levels) {
        group.keep(levels, before);
    }
}
