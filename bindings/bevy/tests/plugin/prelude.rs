//! Test apps, their modules and actors, and the types that all tests use.

pub(crate) use bevy_app::{App, Last, PostUpdate, PreUpdate, Update};
use bevy_ecs::component::Mutable;
pub(crate) use bevy_ecs::prelude::*;
pub(crate) use bevy_lodger::scheduler::{
    ActorPlan, BenefitRule, BenefitTerms, BenefitValue, Budget, Leftovers, Module, OutsideFactor,
    Policy, Priority, Reason, Scene, UnitCost,
};
pub(crate) use bevy_lodger::*;
pub(crate) use bevy_reflect::{Reflect, TypePath};
pub(crate) use bevy_transform::TransformPlugin;
pub(crate) use bevy_transform::components::{GlobalTransform, Transform};
use lodger_testkit::SplitMix64;

#[derive(TypePath)]
pub(crate) struct Animation;

#[derive(TypePath)]
pub(crate) struct Cloth;

/// Levels of 0, 10, 100 and 1000 units.
pub(crate) const WORK: &[u32] = &[0, 10, 100, 1_000];

/// A module with a unit cost of 1 µs, and 2 ms for a benefit of 1.
pub(crate) fn module(name: &str) -> Module<f32> {
    let cost = UnitCost::from_ns(1_000.0).expect("in range");
    let rule = BenefitTerms { max_distance: Some(100.0), ..BenefitTerms::default() };
    let rule = BenefitRule::new(rule).expect("in range");
    Module::new(name, cost).benefit_value(BenefitValue::from_ms(2.0).expect("in range")).rule(rule)
}

pub(crate) type Actor = LodActor<Animation>;
pub(crate) type Forced = ForcedLod<Animation>;
pub(crate) type Range = LodRange<Animation>;
pub(crate) type Prioritised = LodPriority<Animation>;
pub(crate) type Hidden = LodHidden<Animation>;

pub(crate) fn cape() -> Actor {
    LodActor::new(1.0, WORK)
}

#[derive(Debug, Clone, PartialEq, Component, Reflect)]
pub(crate) struct Mesh(pub(crate) &'static str);

pub(crate) fn app(budget: Budget) -> App {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(budget)));
    app.add_plugins(LodModulePlugin::<Animation>::new(module("animation")));
    app
}

pub(crate) fn with_camera(budget: Budget) -> App {
    let mut app = app(budget);
    app.spawn((Transform::default(), LodView));
    app
}

pub(crate) fn at(x: f32) -> Transform {
    Transform::from_xyz(x, 0.0, 0.0)
}

/// Shorter forms of calls on an app's world.
pub(crate) trait AppExt {
    fn spawn(&mut self, bundle: impl Bundle) -> Entity;
    fn insert(&mut self, entity: Entity, bundle: impl Bundle);
    fn remove<B: Bundle>(&mut self, entity: Entity);
    fn scene(&self) -> &Scene<f32>;
}

impl AppExt for App {
    fn spawn(&mut self, bundle: impl Bundle) -> Entity {
        self.world_mut().spawn(bundle).id()
    }

    fn insert(&mut self, entity: Entity, bundle: impl Bundle) {
        self.world_mut().entity_mut(entity).insert(bundle);
    }

    fn remove<B: Bundle>(&mut self, entity: Entity) {
        self.world_mut().entity_mut(entity).remove::<B>();
    }

    fn scene(&self) -> &Scene<f32> {
        self.world().resource::<LodPlan>().scene()
    }
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

pub(crate) fn level_of(app: &App, entity: Entity) -> u8 {
    level::<Animation>(app, entity)
}

pub(crate) fn plan_of(app: &App, entity: Entity) -> Option<ActorPlan> {
    plan::<Animation>(app, entity)
}

pub(crate) fn actors(app: &App) -> usize {
    app.scene().len()
}

pub(crate) fn messages<T: Message>(app: &mut App) -> Vec<T> {
    app.world_mut().resource_mut::<Messages<T>>().drain().collect()
}

pub(crate) fn level_changes(app: &mut App) -> Vec<LodChanged<Animation>> {
    messages(app)
}

pub(crate) fn errors(app: &mut App) -> Vec<LodError> {
    messages(app)
}

pub(crate) struct Random(SplitMix64);

impl Random {
    pub(crate) fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// A number from 0 to below `end`.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        u32::try_from(self.0.below(end.into())).unwrap_or(0)
    }

    pub(crate) fn level(&mut self, end: u8) -> u8 {
        u8::try_from(self.below(end.into())).unwrap_or(end)
    }

    #[allow(clippy::cast_precision_loss)] // small numbers
    pub(crate) fn metres(&mut self, max: u32) -> f32 {
        self.below(max * 100) as f32 / 100.0 - max as f32 / 2.0
    }
}
