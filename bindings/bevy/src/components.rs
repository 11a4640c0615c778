//! The components of an actor, the message for a new level, and batch spawns.

use std::borrow::Cow;
use std::marker::PhantomData;

use bevy_ecs::bundle::NoBundleEffect;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::handle::{self, LodHandle, LodQueue};
use crate::module::{LodModule, impl_without_bounds};

/// Makes an entity an actor of module `M`, at the position of its `GlobalTransform`.
///
/// The component is immutable: to change it, insert it again. The scene applies it at the next
/// [`LodSystems::Sync`](crate::LodSystems::Sync), and reports values that it rejects as a
/// [`LodError`](crate::LodError). An entity can be an actor of several modules.
///
/// # Examples
/// ```
/// use bevy_lodger::LodActor;
/// use bevy_reflect::TypePath;
///
/// #[derive(TypePath)]
/// struct Cloth;
///
/// // A cape of 0, 400 or 1600 vertices, 0.8 m around its centre.
/// let cape = LodActor::<Cloth>::new(0.8, &[0, 400, 1_600]);
/// // A computed table.
/// let banner = LodActor::<Cloth>::new(2.0, (0..4).map(|n| n * 250).collect::<Vec<_>>());
/// assert_eq!((cape.work().len(), banner.work()[3]), (3, 750));
/// ```
#[derive(Component, Reflect)]
#[component(immutable, on_insert, on_remove)]
#[require(Lod<M>, LodHandle<M> = LodHandle::none())]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct LodActor<M: LodModule> {
    radius: f32,
    work: Cow<'static, [u32]>,
    qualities: Cow<'static, [f32]>,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(LodActor { radius, work, qualities });

impl<M: LodModule> LodActor<M> {
    /// Creates an actor with a radius in metres, and units of work for 1 to 256 levels, from level 0 on, not
    /// decreasing.
    pub fn new(radius: f32, work: impl Into<Cow<'static, [u32]>>) -> Self {
        let qualities = Cow::Borrowed(&[][..]);
        Self { radius, work: work.into(), qualities, module: PhantomData }
    }

    /// Sets the quality of each level, from 0 to 1, not decreasing. The default is the qualities of the module.
    #[must_use]
    pub fn with_qualities(mut self, qualities: impl Into<Cow<'static, [f32]>>) -> Self {
        self.qualities = qualities.into();
        self
    }

    /// The radius of the bounding sphere, in metres.
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The units of work of each level, from level 0 on.
    #[must_use]
    pub fn work(&self) -> &[u32] {
        &self.work
    }

    /// The quality of each level; empty for the qualities of the module.
    #[must_use]
    pub fn qualities(&self) -> &[f32] {
        &self.qualities
    }

    fn on_insert(mut world: DeferredWorld<'_>, context: HookContext) {
        handle::queue_change::<M>(&mut world, context.entity);
    }

    fn on_remove(mut world: DeferredWorld<'_>, context: HookContext) {
        handle::queue_removal::<M>(&mut world, context.entity);
    }
}

/// Forces the level of an actor while the entity has this component; the budget pays it first. A level outside the
/// actor's range is clamped, with [`Reason::ForcedIntoRange`](lodger_scheduler::Reason::ForcedIntoRange).
#[derive(Component, Reflect)]
#[component(immutable, on_insert = queue_change::<M>, on_remove = queue_change::<M>)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct ForcedLod<M: LodModule> {
    level: u8,
    fraction: u16,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(copy ForcedLod { level, fraction });

impl<M: LodModule> ForcedLod<M> {
    /// Forces a whole level, from 0.
    #[must_use]
    pub const fn new(level: u8) -> Self {
        Self::between(level, 0)
    }

    /// Forces a level and a fraction of the step to the next one, in 2⁻¹⁶. A module that is not continuous rounds it,
    /// halves up.
    #[must_use]
    pub const fn between(level: u8, fraction: u16) -> Self {
        Self { level, fraction, module: PhantomData }
    }

    /// The whole level.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The fraction of the step to the next level, in 2⁻¹⁶.
    #[must_use]
    pub const fn fraction(&self) -> u16 {
        self.fraction
    }
}

/// The valid levels of an actor while the entity has this component; without it all levels are valid.
#[derive(Component, Reflect)]
#[component(immutable, on_insert = queue_change::<M>, on_remove = queue_change::<M>)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct LodRange<M: LodModule> {
    lowest: u8,
    highest: u8,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(copy LodRange { lowest, highest });

impl<M: LodModule> LodRange<M> {
    /// Sets the lowest and the highest valid level, both inclusive. An empty range, or one beyond the actor's
    /// levels, is rejected with a [`LodError`](crate::LodError).
    #[must_use]
    pub const fn new(lowest: u8, highest: u8) -> Self {
        Self { lowest, highest, module: PhantomData }
    }

    /// The lowest valid level.
    #[must_use]
    pub const fn lowest(&self) -> u8 {
        self.lowest
    }

    /// The highest valid level.
    #[must_use]
    pub const fn highest(&self) -> u8 {
        self.highest
    }
}

/// Marks an actor as invisible while the entity has this component: its benefit is 0, and it gets its lowest level
/// and no leftover budget. A forced level stays.
#[derive(Component, Reflect)]
#[component(immutable, on_insert = queue_change::<M>, on_remove = queue_change::<M>)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct LodHidden<M: LodModule> {
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(copy LodHidden {});

impl<M: LodModule> Default for LodHidden<M> {
    fn default() -> Self {
        Self { module: PhantomData }
    }
}

fn queue_change<M: LodModule>(mut world: DeferredWorld<'_>, context: HookContext) {
    handle::queue_change::<M>(&mut world, context.entity);
}

/// The level of detail of an entity, written by [`LodSystems::Apply`](crate::LodSystems::Apply).
///
/// It is added with [`LodActor`](crate::LodActor), at level 0 until the first decision. It is written and marked as
/// changed only when the level changes: `Changed<Lod<M>>` selects the entities that need an update.
///
/// Scene files contain it. If a file is loaded over an actor, the next
/// [`LodSystems::Sync`](crate::LodSystems::Sync) restores the decided level.
#[derive(Component, Reflect)]
#[component(clone_behavior = Ignore)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct Lod<M: LodModule> {
    level: u8,
    fraction: u16,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(copy Lod { level, fraction });

impl<M: LodModule> Eq for Lod<M> {}

impl<M: LodModule> Default for Lod<M> {
    fn default() -> Self {
        Self::new(0, 0)
    }
}

impl<M: LodModule> Lod<M> {
    pub(crate) const fn new(level: u8, fraction: u16) -> Self {
        Self { level, fraction, module: PhantomData }
    }

    /// The whole level, from 0.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The fraction of the step to the next level, in 2⁻¹⁶; 0 unless the module is continuous.
    #[must_use]
    pub const fn fraction(&self) -> u16 {
        self.fraction
    }

    /// The level and its fraction as one number.
    #[must_use]
    pub fn to_f32(&self) -> f32 {
        f32::from(self.level) + f32::from(self.fraction) / 65_536.0
    }
}

/// A message that the whole level of an entity changed, and with
/// [`LodModulePlugin::with_observers`](crate::LodModulePlugin::with_observers) also an event of the entity.
#[derive(Message, EntityEvent)]
pub struct LodChanged<M: LodModule> {
    /// The entity.
    #[event_target]
    pub entity: Entity,
    /// The previous level; `None` for the first decision.
    pub from: Option<u8>,
    /// The new level.
    pub to: u8,
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(copy LodChanged { entity, from, to });

impl<M: LodModule> Eq for LodChanged<M> {}

impl<M: LodModule> LodChanged<M> {
    pub(crate) const fn new(entity: Entity, from: Option<u8>, to: u8) -> Self {
        Self { entity, from, to, module: PhantomData }
    }
}

/// Spawns many actors of one module at once.
pub trait SpawnLods {
    /// Spawns entities as [`World::spawn_batch`] does. The next sync adds all actors among them to the scene at once,
    /// which costs less than one by one.
    ///
    /// Without the plugin of module `M` this is `spawn_batch`.
    ///
    /// # Examples
    /// ```
    /// use bevy_ecs::world::World;
    /// use bevy_lodger::{LodActor, SpawnLods};
    /// use bevy_reflect::TypePath;
    /// use bevy_transform::components::Transform;
    ///
    /// #[derive(TypePath)]
    /// struct Animation;
    ///
    /// let mut world = World::new();
    /// let people = (0..100_u16).map(|i| {
    ///     let place = Transform::from_xyz(f32::from(i), 0.0, 0.0);
    ///     (place, LodActor::<Animation>::new(1.0, &[1, 20, 60]))
    /// });
    /// assert_eq!(world.spawn_lods::<Animation, _>(people).len(), 100);
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

/// [`SpawnLods`] as a command.
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
