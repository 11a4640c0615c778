//! Handles where slots are known.

use crate::changes::Place;
use crate::handle::{ActorId, SceneTag};
use crate::slots::Slots;

/// Makes handles of slots.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Ids<'a> {
    actors: &'a Slots<Place>,
    scene: SceneTag,
}

impl<'a> Ids<'a> {
    pub(crate) fn new(actors: &'a Slots<Place>, scene: SceneTag) -> Self {
        Self { actors, scene }
    }

    pub(crate) fn of(self, slots: &'a [u32]) -> impl Iterator<Item = ActorId> + use<'a> {
        let handles = slots.iter().filter_map(move |&slot| self.actors.at(slot, self.scene));
        handles.map(|(handle, _)| ActorId(handle))
    }
}
