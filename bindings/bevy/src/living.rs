//! Who is there, whatever disables it.

use bevy_ecs::archetype::{ArchetypeEntity, Archetypes};
use bevy_ecs::component::{Component, ComponentIdFor};
use bevy_ecs::entity::{Entities, Entity};
use bevy_ecs::system::SystemParam;
use bevy_ecs::world::World;

/// The entities with a component `C`, those too that a disabling component of the game's own keeps out of
/// queries.
#[derive(SystemParam)]
pub(crate) struct Living<'w, 's, C: Component> {
    entities: &'w Entities,
    archetypes: &'w Archetypes,
    component: ComponentIdFor<'s, C>,
}

impl<C: Component> Living<'_, '_, C> {
    /// Whether the entity lives and has the component.
    pub(crate) fn has(&self, entity: Entity) -> bool {
        let location = self.entities.get_spawned(entity).ok();
        let archetype = location.and_then(|at| self.archetypes.get(at.archetype_id));
        archetype.is_some_and(|archetype| archetype.contains(self.component.get()))
    }
}

/// All of them.
pub(crate) fn all<C: Component>(world: &World) -> Vec<Entity> {
    let Some(component) = world.component_id::<C>() else { return Vec::new() };
    let archetypes = world.archetypes().iter().filter(|kind| kind.contains(component));
    archetypes.flat_map(|kind| kind.entities().iter().map(ArchetypeEntity::id)).collect()
}
