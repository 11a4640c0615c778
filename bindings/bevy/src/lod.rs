//! What was decided for an entity.

use std::marker::PhantomData;

use bevy_ecs::component::Component;
use bevy_ecs::reflect::ReflectComponent;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::kind::{LodModule, plain};

/// The level of detail of an entity, as the last [`LodSystems::Apply`](crate::LodSystems::Apply) left it.
///
/// It comes with [`LodActor`](crate::LodActor), as level 0 until the scene first decides, and is written and
/// marked changed only when it is another one: `Changed<Lod<M>>` is those who have something to do.
///
/// It is in scene files. Where one is loaded over an actor, the level that was decided is written again at
/// the next [`LodSystems::Sync`](crate::LodSystems::Sync).
#[derive(Component, Reflect)]
#[component(clone_behavior = Ignore)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct Lod<M: LodModule> {
    level: u8,
    fraction: u16,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

plain!(copy Lod { level, fraction });

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

    /// How far it is on the way to the next level, in 2⁻¹⁶; 0 unless its module is continuous.
    #[must_use]
    pub const fn fraction(&self) -> u16 {
        self.fraction
    }

    /// Level and fraction as one number.
    #[must_use]
    pub fn to_f32(&self) -> f32 {
        f32::from(self.level) + f32::from(self.fraction) / 65_536.0
    }
}
