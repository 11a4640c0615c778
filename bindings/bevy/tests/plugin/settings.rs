//! Settings, schedules and measured times.

use std::thread;
use std::time::Duration;

use bevy_app::FixedUpdate;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_lodger::scheduler::{Hysteresis, Weights};
use bevy_time::{TimePlugin, TimeUpdateStrategy};

use crate::prelude::*;

#[test]
fn budget_and_settings_may_change_at_any_time() {
    let mut app = with_camera(Budget::from_ns(0));
    let actor = app.spawn((at(2.0), cape()));
    app.update();
    assert_eq!(level_of(&app, actor), 0);
    app.world_mut().resource_mut::<LodBudget>().0 = Budget::from_ns(110_000);
    app.update();
    assert_eq!(level_of(&app, actor), 2);
    let settings = LodSettings {
        policy: Policy::Optimal,
        hysteresis: Hysteresis::TYPICAL,
        max_upgrades: Some(3),
        headroom: None,
        search_moves: 7,
        unmanaged_in_budget: false,
    };
    app.insert_resource(settings);
    app.update();
    let scene = app.scene();
    assert_eq!((scene.policy(), scene.hysteresis()), (Policy::Optimal, Hysteresis::TYPICAL));
    assert_eq!((scene.max_upgrades(), scene.headroom_target()), (Some(3), None));
    assert_eq!((scene.search_moves(), scene.is_unmanaged_in_budget()), (7, false));
    assert_eq!(app.world().resource::<LodPlan>().plan().policy(), Policy::Optimal);
}

#[test]
fn settings_of_a_module_may_change() {
    let mut app = with_camera(Budget::UNLIMITED);
    let actor = app.spawn((at(2.0), cape()));
    app.update();
    let mut lodger = app.world_mut().resource_mut::<LodPlan>();
    assert!(lodger.module_mut::<Cloth>().is_none());
    let mut animation = lodger.module_mut::<Animation>().expect("was added");
    animation.set_lod_cap(Some(1)).expect("the module is there");
    animation.set_unit_cost(UnitCost::from_ns(7.0).expect("in range")).expect("small");
    app.update();
    let decided = plan_of(&app, actor).expect("decided");
    assert_eq!((decided.lod.level(), decided.cost_ns), (1, 70));
}

#[derive(Debug, Clone, PartialEq, Eq, Hash, ScheduleLabel)]
struct OnDemand;

#[test]
fn the_schedule_may_be_chosen() {
    let mut app = App::new();
    app.init_schedule(OnDemand);
    app.add_plugins((
        TransformPlugin,
        LodgerPlugin::new(Budget::UNLIMITED).in_schedule(OnDemand),
        LodModulePlugin::<Animation>::new(module("animation")),
    ));
    app.spawn((Transform::default(), LodView));
    let actor = app.spawn((at(2.0), cape()));
    app.update();
    app.update();
    assert_eq!((actors(&app), level_of(&app, actor)), (0, 0));
    app.world_mut().run_schedule(OnDemand);
    assert_eq!((actors(&app), level_of(&app, actor)), (1, 3));
}

#[derive(Resource, Default)]
struct Levels(Vec<(&'static str, u8)>);

#[test]
fn systems_can_be_ordered_around_the_sets() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.init_resource::<Levels>();
    app.spawn((at(2.0), cape()));
    let record = |name: &'static str| {
        move |lods: Query<&Lod<Animation>>, mut levels: ResMut<Levels>| {
            levels.0.extend(lods.iter().map(|lod| (name, lod.level())));
        }
    };
    app.add_systems(PostUpdate, record("before").before(LodSystems::Sync));
    app.add_systems(
        PostUpdate,
        record("decided").after(LodSystems::Decide).before(LodSystems::Apply),
    );
    app.add_systems(PostUpdate, record("after").after(LodSystems::Apply));
    app.add_systems(Update, record("next"));
    app.update();
    let levels = &app.world().resource::<Levels>().0;
    assert_eq!(*levels, [("next", 0), ("before", 0), ("decided", 0), ("after", 3)]);
}

#[test]
fn actors_age_if_the_module_has_ages() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.add_plugins(TimePlugin);
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_secs(1)));
    let terms = BenefitTerms {
        weights: Weights::new(0.0, 1.0, 0.0).expect("they add up to 1"),
        max_age: Some(10.0),
        ..BenefitTerms::default()
    };
    let ageing = module("cloth").rule(BenefitRule::new(terms).expect("in range"));
    app.add_plugins(LodModulePlugin::<Cloth>::new(ageing).with_ages());
    let old = app.spawn((at(2.0), LodActor::<Cloth>::new(1.0, WORK)));
    let mut benefits = Vec::new();
    // Bevy's virtual time advances by at most a quarter of a second a frame.
    for _ in 0..48 {
        app.update();
        benefits.push(plan::<Cloth>(&app, old).expect("decided").benefit.to_f64());
    }
    let young = app.spawn((at(2.0), LodActor::<Cloth>::new(1.0, WORK)));
    app.update();
    assert!(benefits.is_sorted_by(|a, b| a >= b) && benefits[0] > 0.9 && benefits[47] < 0.01);
    assert!(plan::<Cloth>(&app, young).expect("decided").benefit.to_f64() > 0.9);
    assert_eq!(errors(&mut app), []);
}

#[test]
fn a_fixed_schedule_decides_as_often_as_it_runs() {
    let mut app = App::new();
    app.add_plugins((
        TimePlugin,
        TransformPlugin,
        LodgerPlugin::new(Budget::UNLIMITED).in_schedule(FixedUpdate),
        LodModulePlugin::<Animation>::new(module("animation")),
    ));
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    let actor = app.spawn((at(2.0), cape()));
    app.spawn((Transform::default(), LodView));
    for _ in 0..3 {
        app.update();
    }
    assert_eq!(level_of(&app, actor), 3);
}

/// An app whose frames take twice the assumed time for 3000 units, measured by two systems and four threads.
fn working() -> App {
    let mut app = with_camera(Budget::UNLIMITED);
    for x in 1..4_u8 {
        let actor = (cape(), Forced::new(3));
        app.spawn((at(x.into()), actor));
    }
    app.add_systems(Update, |clock: LodClock<Animation>| clock.add(Duration::from_millis(1)));
    app.add_systems(Update, |clock: LodClock<Animation>| {
        thread::scope(|scope| {
            let clock = &clock;
            for _ in 0..4 {
                scope.spawn(move || clock.add(Duration::from_micros(1_250)));
            }
        });
    });
    app
}

fn unit_cost(app: &App) -> UnitCost {
    app.world().resource::<LodPlan>().module::<Animation>().expect("decided").raw_unit_cost
}

#[test]
fn unit_costs_follow_the_times_of_systems_and_threads() {
    let mut app = working();
    app.update();
    assert!((unit_cost(&app).ns() - 1_000.0).abs() < 1.0, "nothing was planned when it worked");
    for _ in 0..60 {
        app.update();
    }
    // 3000 units in 6 ms.
    assert!((unit_cost(&app).ns() - 2_000.0).abs() < 20.0, "{}", unit_cost(&app).ns());
    assert_eq!(errors(&mut app), []);
}

#[test]
fn a_timer_measures_until_it_is_dropped() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.spawn((at(1.0), Actor::new(1.0, &[0, 1])));
    app.add_systems(Update, |clock: LodClock<Animation>, lods: Query<&Lod<Animation>>| {
        let _timer = clock.start();
        assert_eq!(lods.iter().count(), 1);
        thread::sleep(Duration::from_millis(1));
    });
    for _ in 0..20 {
        app.update();
    }
    // The assumed cost is 1 µs, and the system sleeps for at least a millisecond.
    assert!(unit_cost(&app).ns() > 500_000.0, "{}", unit_cost(&app).ns());
}

#[test]
fn a_frame_without_a_reading_measures_nothing() {
    let mut app = with_camera(Budget::UNLIMITED);
    app.spawn((at(1.0), cape()));
    for _ in 0..20 {
        app.update();
    }
    assert!((unit_cost(&app).ns() - 1_000.0).abs() < 1.0);
}
