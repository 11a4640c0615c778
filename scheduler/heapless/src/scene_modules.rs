//! The modules of a scene, as a decision visits them.

use lodger_core::budget::{ModuleView, Modules};

use crate::index::{RowNumber as _, SlotIndex};

/// It has no number type or rule, so that a decision is compiled once for scenes of all number types.
pub(crate) struct SceneModules<'v, 'a, I: SlotIndex> {
    pub(crate) views: &'v mut [ModuleView<'a>],
    /// The end of each module's rows.
    pub(crate) ends: &'v [u16],
    /// The row of each slot's actor.
    pub(crate) row_of_slot: &'v [I::Row],
}

impl<I: SlotIndex> Modules for SceneModules<'_, '_, I> {
    fn count(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn visit<R>(&mut self, index: usize, see: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        self.views.get_mut(index).map(see)
    }

    #[inline]
    fn place_of(&mut self, id: u32) -> Option<(usize, usize)> {
        let row = self.row_of_slot.get(usize::try_from(id).ok()?)?.get();
        let mut start = 0;
        for (index, &end) in self.ends.iter().enumerate() {
            if row < usize::from(end) {
                return Some((index, row.wrapping_sub(start)));
            }
            start = end.into();
        }
        None
    }
}
