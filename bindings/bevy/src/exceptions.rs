//! What an actor may ask for besides: a level of its own, a range, not to be seen.

use std::marker::PhantomData;

use bevy_ecs::component::Component;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;

use crate::handle;
use crate::kind::{LodModule, plain};

/// Forces the level of an actor, while it is there; the budget pays it first. Outside the actor's range it is
/// clamped, and the plan says so.
#[derive(Component, Reflect)]
#[component(immutable, on_insert = noted::<M>, on_remove = noted::<M>)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct ForcedLod<M: LodModule> {
    level: u8,
    fraction: u16,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

plain!(copy ForcedLod { level, fraction });

impl<M: LodModule> ForcedLod<M> {
    /// A whole level, from 0.
    #[must_use]
    pub const fn new(level: u8) -> Self {
        Self::between(level, 0)
    }

    /// A level that is so far on the way to the next one, in 2⁻¹⁶. Where only whole levels are valid it is
    /// rounded, halves up.
    #[must_use]
    pub const fn between(level: u8, fraction: u16) -> Self {
        Self { level, fraction, module: PhantomData }
    }

    /// The whole level.
    #[must_use]
    pub const fn level(&self) -> u8 {
        self.level
    }

    /// How far it is on the way to the next one, in 2⁻¹⁶.
    #[must_use]
    pub const fn fraction(&self) -> u16 {
        self.fraction
    }
}

/// Which levels of an actor are valid, while it is there; all of them without.
#[derive(Component, Reflect)]
#[component(immutable, on_insert = noted::<M>, on_remove = noted::<M>)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct LodRange<M: LodModule> {
    lowest: u8,
    highest: u8,
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

plain!(copy LodRange { lowest, highest });

impl<M: LodModule> LodRange<M> {
    /// From the lowest to the highest valid level, both included. An empty range, or one beyond the actor's
    /// levels, is refused with a [`LodError`](crate::LodError).
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

/// Nobody can see the actor while this is there: its benefit is 0, it gets the lowest level, and nothing of
/// what is left over. A level that is forced stays.
#[derive(Component, Reflect)]
#[component(immutable, on_insert = noted::<M>, on_remove = noted::<M>)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct LodHidden<M: LodModule> {
    #[reflect(ignore)]
    module: PhantomData<fn() -> M>,
}

plain!(copy LodHidden {});

impl<M: LodModule> Default for LodHidden<M> {
    fn default() -> Self {
        Self { module: PhantomData }
    }
}

fn noted<M: LodModule>(mut world: DeferredWorld<'_>, context: HookContext) {
    handle::note::<M>(&mut world, context.entity);
}
