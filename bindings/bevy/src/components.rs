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
/// The component is immutable: to change it, insert it again. The next [`LodSystems::Sync`](crate::LodSystems::Sync)
/// applies it to the scene, and reports values that the scene rejects as a [`LodError`](crate::LodError). An entity can
/// be an actor of several modules.
///
/// # Examples
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// // A banner of 0, 250, 500 or 750 vertices, 2 m around its centre.
/// let banner = LodActor::<Cloth>::new(2.0, (0..4).map(|n| n * 250).collect::<Vec<_>>());
/// app.world_mut().entity_mut(cape).insert(banner);
/// app.update();
/// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(3));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// Creates an actor from its radius in metres and its units of work: 1 to 256 levels, from level 0 on, not decreasing.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// let banner = LodActor::<Cloth>::new(2.0, &[100, 900]);
    /// assert_eq!((banner.radius(), banner.work()), (2.0, &[100, 900][..]));
    /// ```
    pub fn new(radius: f32, work: impl Into<Cow<'static, [u32]>>) -> Self {
        let qualities = Cow::Borrowed(&[][..]);
        Self { radius, work: work.into(), qualities, module: PhantomData }
    }

    /// Sets the quality of each level, from 0 to 1, not decreasing. By default the module sets qualities.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let actor = LodActor::<Cloth>::new(1.0, &[0, 400, 1_600]).with_qualities(&[0.0, 0.75, 1.0]);
    /// app.world_mut().entity_mut(cape).insert((actor, ForcedLod::<Cloth>::new(1)));
    /// app.update();
    /// let plan = app.world().resource::<LodPlan>();
    /// let plan = plan.actor(app.world().get::<LodHandle<Cloth>>(cape).unwrap()).unwrap();
    /// assert!((plan.quality.to_f64() - 0.75).abs() < 1e-4);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_qualities(mut self, qualities: impl Into<Cow<'static, [f32]>>) -> Self {
        self.qualities = qualities.into();
        self
    }

    /// The radius of the bounding sphere, in metres.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// assert_eq!(app.world().get::<LodActor<Cloth>>(cape).map(LodActor::radius), Some(1.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// The units of work of each level, from level 0 on.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let actor = app.world().get::<LodActor<Cloth>>(cape).unwrap();
    /// assert_eq!(actor.work(), [0, 400, 1_600]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn work(&self) -> &[u32] {
        &self.work
    }

    /// The quality of each level; empty for the qualities of the module.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// let actor = LodActor::<Cloth>::new(1.0, &[0, 9]).with_qualities(vec![0.25, 1.0]);
    /// assert_eq!(actor.qualities(), [0.25, 1.0]);
    /// ```
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

/// Forces the level of an actor while the entity has this component; its cost is reserved first. A level outside the
/// actor's range is clamped, with [`Reason::ForcedIntoRange`](lodger_scheduler::Reason::ForcedIntoRange).
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.world_mut().entity_mut(cape).insert(ForcedLod::<Cloth>::new(1));
/// app.update();
/// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(ForcedLod::<Cloth>::new(2).level(), 2);
    /// ```
    #[must_use]
    pub const fn new(level: u8) -> Self {
        Self::between(level, 0)
    }

    /// Forces a level and a fraction of the step to the next one, in 2⁻¹⁶. A module that is not continuous rounds it,
    /// halves up.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.world_mut().entity_mut(cape).insert(ForcedLod::<Cloth>::between(0, 1 << 15));
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn between(level: u8, fraction: u16) -> Self {
        Self { level, fraction, module: PhantomData }
    }

    /// The whole level.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(ForcedLod::<Cloth>::between(1, 500).level(), 1);
    /// ```
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The fraction of the step to the next level, in 2⁻¹⁶.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(ForcedLod::<Cloth>::between(1, 500).fraction(), 500);
    /// ```
    #[must_use]
    pub const fn fraction(&self) -> u16 {
        self.fraction
    }
}

/// Limits the levels of an actor while the entity has this component.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.world_mut().entity_mut(cape).insert(LodRange::<Cloth>::new(0, 1));
/// app.update();
/// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    /// Sets the lowest and the highest valid level. An empty range, or one beyond the actor's levels, is rejected with a
    /// [`LodError`](crate::LodError).
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// let range = LodRange::<Cloth>::new(1, 2);
    /// assert_eq!((range.lowest(), range.highest()), (1, 2));
    /// ```
    #[must_use]
    pub const fn new(lowest: u8, highest: u8) -> Self {
        Self { lowest, highest, module: PhantomData }
    }

    /// The lowest valid level.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(LodRange::<Cloth>::new(1, 2).lowest(), 1);
    /// ```
    #[must_use]
    pub const fn lowest(&self) -> u8 {
        self.lowest
    }

    /// The highest valid level.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(LodRange::<Cloth>::new(1, 2).highest(), 2);
    /// ```
    #[must_use]
    pub const fn highest(&self) -> u8 {
        self.highest
    }
}

/// Multiplies the benefit of an actor, in every policy, while the entity has this component.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// let benefit = |app: &mut bevy_app::App| {
///     app.update();
///     let handle = app.world().get::<LodHandle<Cloth>>(cape).unwrap();
///     app.world().resource::<LodPlan>().actor(handle).unwrap().benefit.bits()
/// };
/// let before = benefit(&mut app);
/// app.world_mut().entity_mut(cape).insert(LodPriority::<Cloth>::new(0.5));
/// assert_eq!(benefit(&mut app), before / 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Component, Reflect)]
#[component(immutable, on_insert = queue_change::<M>, on_remove = queue_change::<M>)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct LodPriority<M: LodModule> {
    factor: f32,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

impl_without_bounds!(copy LodPriority { factor });

impl<M: LodModule> LodPriority<M> {
    /// Sets the factor, from 0 to 65 535/4096, rounded to 1/4096. Any other number is rejected with a
    /// [`LodError`](crate::LodError), and a new actor is not spawned.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(LodPriority::<Cloth>::new(4.0).factor(), 4.0);
    /// ```
    #[must_use]
    pub const fn new(factor: f32) -> Self {
        Self { factor, module: PhantomData }
    }

    /// The factor.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// assert_eq!(LodPriority::<Cloth>::new(0.25).factor(), 0.25);
    /// ```
    #[must_use]
    pub const fn factor(&self) -> f32 {
        self.factor
    }
}

/// Marks an actor as invisible while the entity has this component: its benefit is 0, and it gets its lowest level
/// and no leftover budget. A forced level stays.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.world_mut().entity_mut(cape).insert(LodHidden::<Cloth>::default());
/// app.update();
/// assert_eq!(app.world().resource::<LodPlan>().plan().assigned_ns(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
/// It is added with [`LodActor`](crate::LodActor), at level 0 until the first decision, and is written only when the
/// level changes: `Changed<Lod<M>>` selects the entities that need an update. Scene files contain it; after a reload over
/// an actor the next [`LodSystems::Sync`](crate::LodSystems::Sync) restores the decided level.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.add_systems(bevy_app::Last, |capes: Query<&Lod<Cloth>, Changed<Lod<Cloth>>>| {
///     assert!(capes.iter().map(Lod::level).eq([2]));
/// });
/// app.update();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// The fraction of the step to the next level, in 2⁻¹⁶; 0 unless the module is continuous.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # #[derive(bevy_reflect::TypePath)] struct Ocean;
    /// # use scheduler::{BenefitValue, Module, UnitCost};
    /// let ocean = Module::new("ocean", UnitCost::from_ns(1.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// app.add_plugins(LodModulePlugin::<Ocean>::new(ocean.continuous(true)));
    /// let waves = (LodActor::<Ocean>::new(1.0, &[0, 400]), ForcedLod::<Ocean>::between(0, 1 << 14));
    /// app.world_mut().entity_mut(cape).insert(waves);
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Ocean>>(cape).map(Lod::fraction), Some(1 << 14));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub const fn fraction(&self) -> u16 {
        self.fraction
    }

    /// The level and its fraction as one number.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::to_f32), Some(2.0));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn to_f32(&self) -> f32 {
        f32::from(self.level) + f32::from(self.fraction) / 65_536.0
    }
}

/// A message that the whole level of an entity changed; with
/// [`LodModulePlugin::with_observers`](crate::LodModulePlugin::with_observers) also an event of the entity.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.update();
/// let mut changes = app.world_mut().resource_mut::<Messages<LodChanged<Cloth>>>();
/// let changes: Vec<_> = changes.drain().map(|change| (change.entity, change.from, change.to)).collect();
/// assert_eq!(changes, [(cape, None, 2)]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use bevy_transform::components::Transform;
/// let capes = (0..100_u8).map(|i| {
///     (Transform::from_xyz(f32::from(i), 0.0, 0.0), LodActor::<Cloth>::new(1.0, &[0, 1]))
/// });
/// app.world_mut().spawn_lods::<Cloth, _>(capes);
/// app.update();
/// assert_eq!(app.world().resource::<LodPlan>().scene().len(), 101);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub trait SpawnLods {
    /// Spawns entities as [`World::spawn_batch`] does. The next sync adds all actors among them to the scene at once,
    /// which costs less than one by one. Without the plugin of module `M` this is `spawn_batch`.
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
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use bevy_transform::components::Transform;
/// app.add_systems(bevy_app::Startup, |mut commands: Commands| {
///     let actor = || LodActor::<Cloth>::new(1.0, &[0, 1]);
///     commands.spawn_lods::<Cloth, _>((0..10).map(move |_| (Transform::default(), actor())));
/// });
/// app.update();
/// assert_eq!(app.world().resource::<LodPlan>().scene().len(), 11);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
