//! Errors name the entity, and previous values stay in force.

use crate::prelude::*;

fn only(app: &mut App, entity: Entity, module: &str) -> LodProblem {
    let errors = messages::<LodError>(app);
    assert_eq!(errors.len(), 1, "{errors:?}");
    assert_eq!((errors[0].entity, errors[0].module), (Some(entity), module));
    assert!(errors[0].to_string().starts_with(&entity.to_string()));
    errors[0].problem.clone()
}

fn position(app: &App, entity: Entity) -> Option<[f32; 3]> {
    app.scene().position(plan_of(app, entity)?.actor)
}

#[test]
fn an_actor_without_a_transform_waits_for_one() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn(cape());
    app.update();
    assert_eq!((only(&mut app, entity, "Animation"), actors(&app)), (LodProblem::NoTransform, 0));
    app.update();
    assert_eq!(errors(&mut app), [], "it is reported once");
    app.insert(entity, at(2.0));
    app.update();
    assert_eq!((actors(&app), level_of(&app, entity)), (1, 3));
    app.world_mut().entity_mut(entity).remove::<(Transform, GlobalTransform)>();
    app.update();
    assert_eq!(only(&mut app, entity, "Animation"), LodProblem::NoTransform);
    assert_eq!(position(&app, entity), Some([2.0, 0.0, 0.0]));
    assert_eq!(errors(&mut app), []);
}

#[test]
fn a_position_that_is_not_finite_keeps_the_last_one() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(2.0), cape()));
    app.update();
    for bad in [f32::NAN, f32::INFINITY] {
        set(&mut app, entity, at(bad));
        app.update();
        assert_eq!(only(&mut app, entity, "Animation"), LodProblem::NotFinite);
        assert_eq!(position(&app, entity), Some([2.0, 0.0, 0.0]));
    }
    // Also if few of many move.
    for x in 0..10_u8 {
        app.spawn((at(x.into()), cape()));
    }
    app.update();
    set(&mut app, entity, at(f32::NAN));
    app.update();
    assert_eq!(only(&mut app, entity, "Animation"), LodProblem::NotFinite);
    set(&mut app, entity, at(3.0));
    app.update();
    assert_eq!(position(&app, entity), Some([3.0, 0.0, 0.0]));
    assert_eq!(errors(&mut app), []);
}

#[test]
fn a_new_actor_without_a_finite_position_is_quarantined() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(f32::NAN), cape()));
    app.update();
    assert_eq!(only(&mut app, entity, "Animation"), LodProblem::NotFinite);
    assert_eq!(plan_of(&app, entity).map(|plan| plan.reason), Some(Reason::Quarantined));
    set(&mut app, entity, at(2.0));
    app.update();
    assert_eq!(level_of(&app, entity), 3);
}

#[test]
fn a_rejected_value_keeps_the_previous_one() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(2.0), cape()));
    app.update();
    let bad: [Actor; 5] = [
        LodActor::new(-1.0, WORK),
        LodActor::new(f32::NAN, WORK),
        LodActor::new(1.0, &[10, 9]),
        LodActor::new(1.0, &[]),
        LodActor::new(1.0, WORK).with_qualities(&[0.0, 1.0]),
    ];
    for bad in bad {
        app.insert(entity, bad.clone());
        let new = app.spawn((at(2.0), bad));
        app.update();
        let errors = errors(&mut app);
        let entities: Vec<_> = errors.iter().map(|error| error.entity).collect();
        assert_eq!(entities, [Some(entity), Some(new)]);
        assert!(errors.iter().all(|error| matches!(error.problem, LodProblem::Invalid(_))));
        assert_eq!((actors(&app), level_of(&app, entity)), (1, 3));
        app.world_mut().despawn(new);
    }
    app.insert(entity, (cape(), Range::new(0, 4)));
    app.update();
    assert!(matches!(only(&mut app, entity, "Animation"), LodProblem::Invalid(_)));
    assert_eq!(level_of(&app, entity), 3);
}

#[test]
fn an_actor_changes_as_a_whole_or_not_at_all() {
    let mut app = with_camera(Budget::UNLIMITED);
    let first = Actor::new(1.5, &[0, 20, 60]).with_qualities(&[0.0, 0.7, 1.0]);
    let range = Range::new(0, 1);
    let entity = app.spawn((at(2.0), first, range));
    app.update();
    let kept = |app: &App| {
        let actor = plan_of(app, entity).expect("decided").actor;
        let scene = app.scene();
        let (work, qualities) = (scene.work(actor).map(<[u32]>::to_vec), scene.qualities(actor));
        (scene.radius(actor), work, qualities, scene.lod_range(actor))
    };
    let before = kept(&app);
    assert_eq!((before.0, before.1.clone()), (Some(1.5), Some(vec![0, 20, 60])));
    let bad: [Actor; 4] = [
        LodActor::new(-1.0, &[0, 1]),
        LodActor::new(4.0, &[10, 9]),
        LodActor::new(5.0, &[0, 30, 70]).with_qualities(&[0.0, 1.0]),
        LodActor::new(6.0, &[0, 1]).with_qualities(&[1.0, 0.5]),
    ];
    for bad in bad {
        app.insert(entity, bad);
        app.update();
        assert!(matches!(only(&mut app, entity, "Animation"), LodProblem::Invalid(_)));
        assert_eq!(kept(&app), before);
    }
}

#[test]
fn an_actor_without_a_module_is_reported_and_waits() {
    let mut app = with_camera(Budget::UNLIMITED);
    let entity = app.spawn((at(2.0), LodActor::<Cloth>::new(1.0, WORK)));
    app.update();
    assert_eq!(only(&mut app, entity, "Cloth"), LodProblem::NoModule);
    app.add_plugins(LodModulePlugin::<Cloth>::new(module("cloth")));
    app.update();
    assert_eq!((actors(&app), level::<Cloth>(&app, entity)), (1, 3));
}

#[test]
fn a_view_without_a_valid_position_keeps_its_last_one() {
    let mut app = with_camera(Budget::UNLIMITED);
    let eyes = |app: &App| -> Vec<_> {
        let plan = app.world().resource::<LodPlan>();
        plan.scene().views().map(|(_, view)| view.position()).collect()
    };
    let camera = app.spawn(LodView);
    app.update();
    assert_eq!(only(&mut app, camera, ""), LodProblem::NoTransform);
    app.update();
    assert_eq!(errors(&mut app), [], "it is reported once");
    app.insert(camera, at(7.0));
    app.update();
    set(&mut app, camera, at(f32::NAN));
    app.update();
    assert_eq!(only(&mut app, camera, ""), LodProblem::NotFinite);
    assert_eq!(eyes(&app), [[0.0; 3], [7.0, 0.0, 0.0]]);
}

#[test]
#[allow(clippy::float_cmp, reason = "the same bits are meant")]
fn a_camera_has_the_sides_and_the_zoom_of_its_projection() {
    let mut app = app(Budget::UNLIMITED);
    let mut plan = app.world_mut().resource_mut::<LodPlan>();
    plan.module_mut::<Animation>().unwrap().set_outside(OutsideFactor::ZERO).unwrap();
    // Looks along −z, with 90° between opposite sides.
    let perspective = [[1., 0., 0., 0.], [0., 1., 0., 0.], [0., 0., 0., -1.], [0., 0., 0.1, 0.]];
    let projection = LodProjection::new(perspective);
    let camera = app.spawn((at(0.0), LodView, projection.with_frustum()));
    let [before, behind] =
        [-8.0, 8.0].map(|z| app.spawn((Transform::from_xyz(0.0, 0.0, z), cape())));
    let benefits = |app: &mut App| {
        app.update();
        [before, behind].map(|it| plan_of(app, it).unwrap().benefit.to_f64())
    };
    let [plain, hidden] = benefits(&mut app);
    assert!(plain > 0.0 && hidden == 0.0);
    // Turned around.
    let turned =
        Transform::IDENTITY.looking_to(Transform::IDENTITY.back(), Transform::IDENTITY.up());
    set(&mut app, camera, turned);
    assert_eq!(benefits(&mut app), [0.0, plain]);
    // An orthographic projection is rejected.
    let mut orthographic = projection;
    orthographic.clip_from_view[2][3] = 0.0;
    orthographic.clip_from_view[3][3] = 1.0;
    app.insert(camera, orthographic);
    assert_eq!(benefits(&mut app), [0.0, plain]);
    assert!(matches!(only(&mut app, camera, ""), LodProblem::Invalid(_)));
    // 60° of reference, 90° of the projection.
    app.insert(camera, projection.with_reference_fov(60.0));
    let [first, second] = benefits(&mut app);
    assert!(first == second && (first * 3.0 - plain).abs() < 0.001, "{first} of {plain}");
    app.remove::<LodProjection>(camera);
    assert_eq!(benefits(&mut app), [plain; 2]);
    assert_eq!(errors(&mut app), []);
}

#[test]
fn a_rejected_priority_keeps_the_last_one() {
    let mut app = with_camera(Budget::UNLIMITED);
    let [entity, other] = [2.0, 3.0].map(|x| app.spawn((at(x), cape(), Prioritised::new(2.0))));
    app.update();
    let priority = |app: &App, entity| app.scene().priority(plan_of(app, entity)?.actor);
    let [two, one] = [2.0, 1.0].map(|factor| Priority::new(factor).ok());
    assert_eq!([entity, other].map(|it| priority(&app, it)), [two; 2]);
    for bad in [16.0, -1.0, f32::NAN] {
        app.insert(entity, Prioritised::new(bad));
        app.update();
        assert!(matches!(only(&mut app, entity, "Animation"), LodProblem::Invalid(_)));
        assert_eq!(priority(&app, entity), two);
    }
    app.world_mut().entity_mut(entity).remove::<Prioritised>();
    app.update();
    assert_eq!([entity, other].map(|it| priority(&app, it)), [one, two]);
    // In a batch of new actors, too: only the valid one is spawned.
    let [bad, good] =
        [16.0, 0.5].map(|factor| app.spawn((at(2.0), cape(), Prioritised::new(factor))));
    app.update();
    assert!(matches!(only(&mut app, bad, "Animation"), LodProblem::Invalid(_)));
    assert_eq!((actors(&app), priority(&app, good)), (3, Priority::new(0.5).ok()));
}

#[test]
fn a_proportional_policy_without_a_benefit_value_is_reported() {
    let mut app = App::new();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::UNLIMITED)));
    let policy = |app: &mut App, policy| {
        app.world_mut().resource_mut::<LodSettings>().policy = policy;
        app.update();
    };
    policy(&mut app, Policy::Optimal);
    let cloth = Module::new("capes", UnitCost::from_ns(1_000.0).unwrap());
    app.add_plugins(LodModulePlugin::<Cloth>::new(cloth));
    app.update();
    assert_eq!(errors(&mut app), []);
    policy(&mut app, Policy::APEX);
    let errors = errors(&mut app);
    assert_eq!((errors.len(), errors[0].entity), (1, None));
    assert!(errors[0].to_string().contains("capes"), "{}", errors[0]);
    assert_eq!(app.scene().policy(), Policy::Optimal);
}

#[test]
#[should_panic(expected = "LodgerPlugin must be added before")]
fn a_module_without_the_plugin_panics() {
    App::new().add_plugins(LodModulePlugin::<Animation>::new(module("animation")));
}

#[test]
#[should_panic(expected = "the scene rejects module Cloth")]
fn a_module_that_the_scene_rejects_panics() {
    let too_much = module("cloth").overhead(u32::MAX);
    with_camera(Budget::UNLIMITED).add_plugins(LodModulePlugin::<Cloth>::new(too_much));
}
