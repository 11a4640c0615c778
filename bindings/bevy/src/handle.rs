//! The actor of an entity, and the entities that hooks queue for the next sync.

use std::marker::PhantomData;
use std::mem;

use bevy_ecs::archetype::{ArchetypeEntity, Archetypes};
use bevy_ecs::component::ComponentIdFor;
use bevy_ecs::entity::Entities;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use lodger_scheduler::ActorId;

use crate::module::{LodError, LodModule, LodProblem};

/// The actor of an entity in the scene. It is added and removed with [`LodActor`](crate::LodActor) and written by
/// this crate alone. Scene files do not contain it.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.update();
/// let handle = app.world().get::<LodHandle<Cloth>>(cape).unwrap();
/// let plan = app.world().resource::<LodPlan>().actor(handle).unwrap();
/// assert_eq!((plan.key, plan.cost_ns), (cape.to_bits(), 800_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Component, Reflect)]
#[component(clone_behavior = Ignore, on_remove)]
pub struct LodHandle<M: LodModule> {
    #[reflect(ignore)]
    pub(crate) actor: Option<ActorId>,
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

    /// The actor, for calls of the scene and its plan; `None` before the first sync, and while the scene rejects the entity.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// let actor = app.world().get::<LodHandle<Cloth>>(cape).and_then(LodHandle::actor).unwrap();
    /// let scene = app.world().resource::<LodPlan>().scene();
    /// assert_eq!(scene.position(actor), Some([2.0, 0.0, 0.0]));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn actor(&self) -> Option<ActorId> {
        self.actor
    }

    fn on_remove(mut world: DeferredWorld<'_>, context: HookContext) {
        queue_removal::<M>(&mut world, context.entity);
    }
}

/// The entities of a module that changed since the last sync, with duplicates: the sync reads their current components.
#[derive(Debug, Resource)]
pub(crate) struct LodQueue<M: LodModule> {
    /// Entities with a new component, whose [`LodHandle::queued`] is set.
    pub(crate) changed: Vec<Entity>,
    /// Entities that are no longer actors, with their actors.
    pub(crate) gone: Vec<(Entity, Option<ActorId>)>,
    /// Entities that changed during a batch spawn, and entities whose levels could not be written. Some are not actors.
    pub(crate) fresh: Vec<Entity>,
    /// Whether a batch spawn runs, so that hooks do not look up handles.
    pub(crate) takes_batch: bool,
    /// A number that rises with every spawn, despawn, forced or released level that may reorder the module's rows.
    pub(crate) layout_version: u64,
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
            layout_version: 0,
            found: Vec::new(),
            module: PhantomData,
        }
    }
}

/// Queues an entity whose components changed, if it is an actor.
pub(crate) fn queue_change<M: LodModule>(world: &mut DeferredWorld<'_>, entity: Entity) {
    if let Some(mut queue) = world.get_resource_mut::<LodQueue<M>>()
        && queue.takes_batch
    {
        // The components of one entity come one after the other.
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
        errors.write(LodError::of_module::<M>(entity, LodProblem::NoModule));
    }
}

pub(crate) fn queue_removal<M: LodModule>(world: &mut DeferredWorld<'_>, entity: Entity) {
    let Some(mut handle) = world.get_mut::<LodHandle<M>>(entity) else { return };
    let LodHandle { actor, .. } = mem::replace(&mut *handle, LodHandle::none());
    if let Some(mut queue) = world.get_resource_mut::<LodQueue<M>>() {
        queue.gone.push((entity, actor));
    }
}

/// Finds entities with a component `C`, including entities that a disabling component hides from queries.
#[derive(SystemParam)]
pub(crate) struct EntitiesWith<'w, 's, C: Component> {
    entities: &'w Entities,
    archetypes: &'w Archetypes,
    component: ComponentIdFor<'s, C>,
}

impl<C: Component> EntitiesWith<'_, '_, C> {
    pub(crate) fn contains(&self, entity: Entity) -> bool {
        let location = self.entities.get_spawned(entity).ok();
        let archetype = location.and_then(|at| self.archetypes.get(at.archetype_id));
        archetype.is_some_and(|archetype| archetype.contains(self.component.get()))
    }
}

/// Returns all entities with a component `C`, including entities that a disabling component hides from queries.
pub(crate) fn entities_with<C: Component>(world: &World) -> Vec<Entity> {
    let Some(component) = world.component_id::<C>() else { return Vec::new() };
    let archetypes = world.archetypes().iter().filter(|kind| kind.contains(component));
    archetypes.flat_map(|kind| kind.entities().iter().map(ArchetypeEntity::id)).collect()
}
