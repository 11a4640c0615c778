//! Apps to test in, and what they are asked.

use bevy_app::App;
use bevy_ecs::component::{Component, Mutable};
use bevy_ecs::entity::Entity;
use bevy_ecs::message::{Message, Messages};
use bevy_lodger::scheduler::{
    ActorPlan, BenefitRule, BenefitTerms, BenefitValue, Budget, Module, UnitCost,
};
use bevy_lodger::{Lod, LodHandle, LodModule, LodModulePlugin, LodPlan, LodView, LodgerPlugin};
use bevy_reflect::TypePath;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use lodger_testkit::SplitMix64;

#[derive(TypePath)]
pub(crate) struct Crowd;

#[derive(TypePath)]
pub(crate) struct Cloth;

/// Levels of 0, 10, 100 and 1000 units.
pub(crate) const WORK: &[u32] = &[0, 10, 100, 1_000];

/// 1 µs a unit; an actor in the face of the viewer may cost 2 ms.
pub(crate) fn module(name: &str) -> Module<f32> {
    let cost = UnitCost::from_ns(1_000.0).expect("in range");
    let rule = BenefitTerms { max_distance: Some(100.0), ..BenefitTerms::default() };
    let rule = BenefitRule::new(rule).expect("in range");
    Module::new(name, cost, BenefitValue::from_ms(2.0).expect("in range")).rule(rule)
}

pub(crate) fn app(budget: Budget) -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(budget)));
    app.add_plugins(LodModulePlugin::<Crowd>::new(module("crowd")));
    app
}

/// An app with a camera at the origin.
pub(crate) fn seen(budget: Budget) -> App {
    let mut app = app(budget);
    app.world_mut().spawn((Transform::default(), LodView));
    app
}

pub(crate) fn at(x: f32) -> Transform {
    Transform::from_xyz(x, 0.0, 0.0)
}

pub(crate) fn set<C: Component<Mutability = Mutable>>(app: &mut App, entity: Entity, to: C) {
    *app.world_mut().get_mut::<C>(entity).expect("the entity has it") = to;
}

pub(crate) fn level<M: LodModule>(app: &App, entity: Entity) -> u8 {
    app.world().get::<Lod<M>>(entity).expect("an actor has a level").level()
}

pub(crate) fn plan<M: LodModule>(app: &App, entity: Entity) -> Option<ActorPlan> {
    app.world().resource::<LodPlan>().actor(app.world().get::<LodHandle<M>>(entity)?)
}

pub(crate) fn actors(app: &App) -> usize {
    app.world().resource::<LodPlan>().scene().len()
}

/// The messages since this was asked last.
pub(crate) fn heard<T: Message>(app: &mut App) -> Vec<T> {
    app.world_mut().resource_mut::<Messages<T>>().drain().collect()
}

/// Random choices, the same for the same seed.
pub(crate) struct Chance(SplitMix64);

impl Chance {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number from 0 on, below that one.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.0.below(end.into())).unwrap_or(0)
    }

    pub(crate) fn level(&mut self, end: u8) -> u8 {
        u8::try_from(self.below(end.into())).unwrap_or(end)
    }

    #[allow(clippy::cast_precision_loss)] // small numbers
    pub(crate) fn metres(&mut self, most: u32) -> f32 {
        self.below(most * 100) as f32 / 100.0 - most as f32 / 2.0
    }
}
