//! What the whole scene goes by, and when.

use bevy_app::{App, FixedUpdate, PostUpdate, Update};
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{IntoScheduleConfigs, ScheduleLabel};
use bevy_ecs::system::{Query, ResMut};
use bevy_lodger::scheduler::{
    BenefitRule, BenefitTerms, Budget, Policy, Stability, UnitCost, Weights,
};
use bevy_lodger::{
    Lod, LodActor, LodBudget, LodError, LodModulePlugin, LodPlan, LodSettings, LodSystems, LodView,
    LodgerPlugin,
};
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;
use std::time::Duration;

use crate::stage::{Cloth, Crowd, WORK, actors, at, heard, level, module, plan, seen};

#[test]
fn budget_and_settings_may_change_at_any_time() {
    let mut app = seen(Budget::from_ns(0));
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.update();
    assert_eq!(level::<Crowd>(&app, actor), 0);
    app.world_mut().resource_mut::<LodBudget>().0 = Budget::from_ns(110_000);
    app.update();
    assert_eq!(level::<Crowd>(&app, actor), 2);
    let settings = LodSettings {
        policy: Policy::Optimal,
        stability: Stability::STEADY,
        max_raises: Some(3),
        headroom: None,
        trials: 7,
        count_unmanaged: false,
    };
    app.insert_resource(settings);
    app.update();
    let scene = app.world().resource::<LodPlan>().scene();
    assert_eq!((scene.policy(), scene.stability()), (Policy::Optimal, Stability::STEADY));
    assert_eq!((scene.max_raises(), scene.headroom_target()), (Some(3), None));
    assert_eq!((scene.trials(), scene.counts_unmanaged()), (7, false));
    assert_eq!(app.world().resource::<LodPlan>().plan().policy(), Policy::Optimal);
}

#[test]
fn a_module_may_be_set_otherwise_while_the_game_runs() {
    let mut app = seen(Budget::UNLIMITED);
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.update();
    let mut lodger = app.world_mut().resource_mut::<LodPlan>();
    assert!(lodger.module_mut::<Cloth>().is_none());
    let mut crowd = lodger.module_mut::<Crowd>().expect("was added");
    crowd.set_lod_cap(Some(1)).expect("the module is there");
    crowd.set_unit_cost(UnitCost::from_ns(7.0).expect("in range")).expect("small");
    app.update();
    let decided = plan::<Crowd>(&app, actor).expect("decided");
    assert_eq!((decided.lod.level(), decided.cost_ns), (1, 70));
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, ScheduleLabel)]
struct Seldom;

#[test]
fn the_schedule_may_be_chosen() {
    let mut app = App::new();
    app.init_schedule(Seldom);
    app.add_plugins((
        TransformPlugin,
        LodgerPlugin::new(Budget::UNLIMITED).in_schedule(Seldom),
        LodModulePlugin::<Crowd>::new(module("crowd")),
    ));
    app.world_mut().spawn((Transform::default(), LodView));
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.update();
    app.update();
    assert_eq!((actors(&app), level::<Crowd>(&app, actor)), (0, 0));
    app.world_mut().run_schedule(Seldom);
    assert_eq!((actors(&app), level::<Crowd>(&app, actor)), (1, 3));
}

#[derive(Resource, Default)]
struct Seen(Vec<(&'static str, u8)>);

#[test]
fn systems_can_be_ordered_around_the_sets() {
    let mut app = seen(Budget::UNLIMITED);
    app.init_resource::<Seen>();
    app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK)));
    let look = |name: &'static str| {
        move |lods: Query<&Lod<Crowd>>, mut seen: ResMut<Seen>| {
            seen.0.extend(lods.iter().map(|lod| (name, lod.level())));
        }
    };
    app.add_systems(PostUpdate, look("before").before(LodSystems::Sync));
    app.add_systems(
        PostUpdate,
        look("decided").after(LodSystems::Decide).before(LodSystems::Apply),
    );
    app.add_systems(PostUpdate, look("after").after(LodSystems::Apply));
    app.add_systems(Update, look("next"));
    app.update();
    let seen = &app.world().resource::<Seen>().0;
    assert_eq!(*seen, [("next", 0), ("before", 0), ("decided", 0), ("after", 3)]);
}

#[test]
fn actors_age_where_the_module_was_asked_to_let_them() {
    let mut app = seen(Budget::UNLIMITED);
    app.add_plugins(TimePlugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1)));
    let terms = BenefitTerms {
        weights: Weights::new(0.0, 1.0, 0.0).expect("they add up to 1"),
        max_age: Some(10.0),
        ..BenefitTerms::default()
    };
    let ageing = module("cloth").rule(BenefitRule::new(terms).expect("in range"));
    app.add_plugins(LodModulePlugin::<Cloth>::new(ageing).with_ages());
    let old = app.world_mut().spawn((at(2.0), LodActor::<Cloth>::new(1.0, WORK))).id();
    let mut benefits = Vec::new();
    // Bevy's virtual time takes a quarter of a second a frame at most.
    for _ in 0..48 {
        app.update();
        benefits.push(plan::<Cloth>(&app, old).expect("decided").benefit.to_f64());
    }
    let young = app.world_mut().spawn((at(2.0), LodActor::<Cloth>::new(1.0, WORK))).id();
    app.update();
    assert!(benefits.is_sorted_by(|a, b| a >= b) && benefits[0] > 0.9 && benefits[47] < 0.01);
    assert!(plan::<Cloth>(&app, young).expect("decided").benefit.to_f64() > 0.9);
    assert_eq!(heard::<LodError>(&mut app), []);
}

#[test]
fn a_fixed_schedule_decides_as_often_as_it_runs() {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        TransformPlugin,
        LodgerPlugin::new(Budget::UNLIMITED).in_schedule(FixedUpdate),
        LodModulePlugin::<Crowd>::new(module("crowd")),
    ));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    let actor = app.world_mut().spawn((at(2.0), LodActor::<Crowd>::new(1.0, WORK))).id();
    app.world_mut().spawn((Transform::default(), LodView));
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(level::<Crowd>(&app, actor), 3);
}
