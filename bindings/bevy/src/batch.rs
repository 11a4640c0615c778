//! Many actors come at once.

use bevy_ecs::bundle::{Bundle, NoBundleEffect};
use bevy_ecs::entity::Entity;
use bevy_ecs::system::Commands;
use bevy_ecs::world::World;

use crate::handle::LodQueue;
use crate::kind::LodModule;

/// Spawns many actors of one module.
pub trait SpawnLods {
    /// Spawns entities as [`World::spawn_batch`] does; those with a [`LodActor<M>`](crate::LodActor) come
    /// into the scene together, at the next sync, and hooks do less for each of them.
    ///
    /// Without the plugin of module `M` it is `spawn_batch`.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::world::World;
    /// use bevy_lodger::{LodActor, SpawnLods};
    /// use bevy_reflect::TypePath;
    /// use bevy_transform::components::Transform;
    ///
    /// #[derive(TypePath)]
    /// struct Crowd;
    ///
    /// let mut world = World::new();
    /// let people = (0..100_u16).map(|i| {
    ///     let place = Transform::from_xyz(f32::from(i), 0.0, 0.0);
    ///     (place, LodActor::<Crowd>::new(1.0, &[1, 20, 60]))
    /// });
    /// assert_eq!(world.spawn_lods::<Crowd, _>(people).len(), 100);
    /// ```
    fn spawn_lods<M: LodModule, I>(&mut self, bundles: I) -> Vec<Entity>
    where
        I: IntoIterator<Item: Bundle<Effect: NoBundleEffect>>;
}

impl SpawnLods for World {
    fn spawn_lods<M: LodModule, I>(&mut self, bundles: I) -> Vec<Entity>
    where
        I: IntoIterator<Item: Bundle<Effect: NoBundleEffect>>,
    {
        let Some(mut queue) = self.get_resource_mut::<LodQueue<M>>() else {
            return self.spawn_batch(bundles).collect();
        };
        queue.takes_batch = true;
        let entities: Vec<_> = self.spawn_batch(bundles).collect();
        self.resource_mut::<LodQueue<M>>().takes_batch = false;
        entities
    }
}

/// [`SpawnLods`], when commands are applied.
pub trait SpawnLodsLater {
    /// Spawns entities as [`SpawnLods::spawn_lods`] does.
    fn spawn_lods<M: LodModule, I>(&mut self, bundles: I)
    where
        I: IntoIterator<Item: Bundle<Effect: NoBundleEffect>> + Send + 'static;
}

impl SpawnLodsLater for Commands<'_, '_> {
    fn spawn_lods<M: LodModule, I>(&mut self, bundles: I)
    where
        I: IntoIterator<Item: Bundle<Effect: NoBundleEffect>> + Send + 'static,
    {
        self.queue(move |world: &mut World| {
            world.spawn_lods::<M, I>(bundles);
        });
    }
}
