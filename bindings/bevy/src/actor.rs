//! What makes an entity an actor.

use std::borrow::Cow;
use std::marker::PhantomData;

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;

use crate::handle::{self, LodHandle};
use crate::kind::{LodModule, plain};
use crate::lod::Lod;

/// Makes an entity an actor of module `M`, at the place of its `GlobalTransform`.
///
/// The component cannot be changed in place: to say something else, insert it anew. What the scene makes of
/// it is heard at the next [`LodSystems::Sync`](crate::LodSystems::Sync), and what it refuses comes back as a
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
/// // A table that was computed.
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

plain!(LodActor { radius, work, qualities });

impl<M: LodModule> LodActor<M> {
    /// An actor of that radius, in metres, around its place, and that many units of work at levels 0, 1, 2
    /// and so on: at least one level, at most 256, and not decreasing.
    pub fn new(radius: f32, work: impl Into<Cow<'static, [u32]>>) -> Self {
        let qualities = Cow::Borrowed(&[][..]);
        Self { radius, work: work.into(), qualities, module: PhantomData }
    }

    /// Says how good each level is, from 0 to 1: as many as there are levels, and not decreasing. Those of
    /// its module, unless this is called.
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

    /// The units of work at levels 0, 1, 2 and so on.
    #[must_use]
    pub fn work(&self) -> &[u32] {
        &self.work
    }

    /// How good each level is; empty for what the module says.
    #[must_use]
    pub fn qualities(&self) -> &[f32] {
        &self.qualities
    }

    fn on_insert(mut world: DeferredWorld<'_>, context: HookContext) {
        handle::note::<M>(&mut world, context.entity);
    }

    fn on_remove(mut world: DeferredWorld<'_>, context: HookContext) {
        handle::forget::<M>(&mut world, context.entity);
    }
}
