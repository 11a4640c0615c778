//! The modules of a scene, as a decision visits them.

use lodger_core::budget::{ModuleView, Modules};

use crate::index::{RowNumber as _, SlotIndex};
use crate::module_data::ModuleData;

pub(crate) struct SceneModules<'v, 'a, I: SlotIndex, Rule, Q> {
    pub(crate) views: &'v mut [ModuleView<'a>],
    pub(crate) modules: &'v [ModuleData<Rule, Q>],
    /// The row of each slot's actor.
    pub(crate) row_of_slot: &'v [I::Row],
}

impl<I: SlotIndex, Rule, Q> Modules for SceneModules<'_, '_, I, Rule, Q> {
    fn count(&self) -> usize {
        self.views.len()
    }

    #[inline]
    fn visit<R>(&mut self, index: usize, see: impl FnOnce(&mut ModuleView<'_>) -> R) -> Option<R> {
        self.views.get_mut(index).map(see)
    }

    #[inline]
    fn place_of(&mut self, id: u32) -> Option<(usize, usize)> {
        let mut row = self.row_of_slot.get(usize::try_from(id).ok()?)?.get();
        for (index, module) in self.modules.iter().enumerate() {
            match row.checked_sub(module.rows.into()) {
                None => return Some((index, row)),
                Some(later) => row = later,
            }
        }
        None
    }
}
