//! Which actor of the scene an entity is, and what hooks note between two frames.

use std::marker::PhantomData;
use std::mem;

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::message::Messages;
use bevy_ecs::resource::Resource;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use lodger_scheduler::ActorId;

use crate::error::{LodError, LodProblem};
use crate::kind::LodModule;

/// The actor that stands for an entity in the scene. It comes and goes with
/// [`LodActor`](crate::LodActor), and only this crate makes or writes it: it is in no scene file.
#[derive(Debug, Component, Reflect)]
#[component(clone_behavior = Ignore, on_remove)]
pub struct LodHandle<M: LodModule> {
    #[reflect(ignore)]
    pub(crate) actor: Option<ActorId>,
    /// Whether the entity is in the module's queue.
    #[reflect(ignore)]
    pub(crate) queued: bool,
    /// Whether the entity waits for a `GlobalTransform`.
    #[reflect(ignore)]
    pub(crate) waits: bool,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl<M: LodModule> LodHandle<M> {
    pub(crate) const fn none() -> Self {
        Self { actor: None, queued: false, waits: false, module: PhantomData }
    }

    /// The actor, for [`Plan::actor`](lodger_scheduler::Plan::actor) and the rest; `None` before the first
    /// sync, and while the entity is refused.
    #[must_use]
    pub fn actor(&self) -> Option<ActorId> {
        self.actor
    }

    fn on_remove(mut world: DeferredWorld<'_>, context: HookContext) {
        forget::<M>(&mut world, context.entity);
    }
}

/// Entities of a module about which something changed since the last sync.
///
/// Nothing is done twice: the sync asks the world what an entity is now, whatever was noted of it.
#[derive(Debug, Resource)]
pub(crate) struct LodQueue<M: LodModule> {
    /// Entities that were given a component, and whose [`LodHandle::queued`] is set.
    pub(crate) changed: Vec<Entity>,
    /// Entities that are no actors any more, and the actors that they were.
    pub(crate) gone: Vec<(Entity, Option<ActorId>)>,
    /// Entities of which something was noted while a batch was spawned, some more than once, whatever their
    /// handles say, and those whose levels could not be written. Not all need be actors.
    pub(crate) fresh: Vec<Entity>,
    /// Whether a batch is being spawned, so that handles are not to be looked up.
    pub(crate) takes_batch: bool,
    /// How often actors were spawned, despawned, forced or released, or might have been.
    pub(crate) regroupings: u64,
    /// Entities that waited for a `GlobalTransform` and have one now.
    pub(crate) found: Vec<Entity>,
    module: PhantomData<fn() -> M>,
}

impl<M: LodModule> Default for LodQueue<M> {
    fn default() -> Self {
        Self {
            changed: Vec::new(),
            gone: Vec::new(),
            fresh: Vec::new(),
            takes_batch: false,
            regroupings: 0,
            found: Vec::new(),
            module: PhantomData,
        }
    }
}

/// Notes that something was said of an entity, if it is an actor.
pub(crate) fn note<M: LodModule>(world: &mut DeferredWorld<'_>, entity: Entity) {
    if let Some(mut queue) = world.get_resource_mut::<LodQueue<M>>()
        && queue.takes_batch
    {
        // One entity's components come one after the other.
        if queue.fresh.last() != Some(&entity) {
            queue.fresh.push(entity);
        }
        return;
    }
    let Some(mut handle) = world.get_mut::<LodHandle<M>>(entity) else { return };
    if mem::replace(&mut handle.queued, true) {
        return;
    }
    if let Some(mut queue) = world.get_resource_mut::<LodQueue<M>>() {
        queue.changed.push(entity);
    } else if let Some(mut errors) = world.get_resource_mut::<Messages<LodError>>() {
        let module = M::short_type_path();
        errors.write(LodError { entity: Some(entity), module, problem: LodProblem::NoModule });
    }
}

/// Notes that an entity is about to be no actor any more.
pub(crate) fn forget<M: LodModule>(world: &mut DeferredWorld<'_>, entity: Entity) {
    let Some(mut handle) = world.get_mut::<LodHandle<M>>(entity) else { return };
    let LodHandle { actor, .. } = mem::replace(&mut *handle, LodHandle::none());
    if let Some(mut queue) = world.get_resource_mut::<LodQueue<M>>() {
        queue.gone.push((entity, actor));
    }
}
