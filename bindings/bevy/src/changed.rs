//! Who has another level than before.

use std::marker::PhantomData;

use bevy_ecs::entity::Entity;
use bevy_ecs::event::EntityEvent;
use bevy_ecs::message::Message;

use crate::kind::{LodModule, plain};

/// An entity has another whole level than before: a message, and with
/// [`LodModulePlugin::with_observers`](crate::LodModulePlugin::with_observers) an event of the entity too.
#[derive(Message, EntityEvent)]
pub struct LodChanged<M: LodModule> {
    /// The entity.
    #[event_target]
    pub entity: Entity,
    /// The level that it had before; `None` if this was the first decision for it.
    pub from: Option<u8>,
    /// The level that it has now.
    pub to: u8,
    module: PhantomData<fn() -> M>,
}

plain!(copy LodChanged { entity, from, to });

impl<M: LodModule> Eq for LodChanged<M> {}

impl<M: LodModule> LodChanged<M> {
    pub(crate) const fn new(entity: Entity, from: Option<u8>, to: u8) -> Self {
        Self { entity, from, to, module: PhantomData }
    }
}
