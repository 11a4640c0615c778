//! Handles, refusals and changes: a scene is as it was after anything that it refused.

use std::ops::RangeInclusive;

use lodger_core::benefit::{BenefitRule, BenefitTerms};
use lodger_core::error::{Problem, Quantity};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::{Benefit, Error};
use lodger_scheduler::{Actor, Module, ModuleId, Scene, SceneError, View};

const WORK: [u32; 3] = [0, 10, 100];

fn scene() -> (Scene, ModuleId) {
    let mut scene = Scene::new(Budget::from_ns(1_000));
    scene.add_view(View::eye([0.0; 3]).unwrap()).unwrap();
    let unit = UnitCost::from_ns(1.0).unwrap();
    let module = Module::new("cloth", unit, BenefitValue::from_ns(1_000));
    let module = scene.add_module(module).unwrap();
    (scene, module)
}

fn refused(quantity: Quantity, problem: Problem) -> SceneError {
    SceneError::Refused(Error::new(quantity, problem))
}

#[test]
fn a_handle_goes_stale_with_its_actor() {
    let (mut scene, module) = scene();
    let actor = Actor::seen([1.0, 0.0, 0.0], 1.0, &WORK);
    let first = scene.spawn(module, actor).unwrap();
    let second = scene.spawn(module, actor).unwrap();
    scene.despawn(first).unwrap();
    assert_eq!(scene.len(), 1);
    let third = scene.spawn(module, actor).unwrap();
    assert_eq!(third.slot(), first.slot());
    assert_ne!(third, first);
    for change in [
        Scene::despawn as fn(&mut Scene, _) -> _,
        |scene, id| scene.set_position(id, [0.0; 3]),
        |scene, id| scene.set_age(id, 0.0),
        |scene, id| scene.set_speed(id, 0.0),
        |scene, id| scene.set_radius(id, 0.0),
        |scene, id| scene.set_work(id, &WORK),
        |scene, id| scene.set_benefit(id, None),
        |scene, id| scene.set_lod_range(id, 0..=0),
        |scene, id| scene.force_lod(id, None),
    ] {
        assert_eq!(change(&mut scene, first), Err(SceneError::StaleActor));
    }
    assert_eq!(scene.lod_range(first), None);
    let plan = scene.tick();
    assert_eq!(plan.lod(first), None);
    assert!(plan.actor(first).is_none());
    let actors: Vec<_> = plan.actors().map(|actor| actor.actor).collect();
    assert_eq!(actors, [third, second]);
}

#[test]
fn what_is_refused_names_the_quantity() {
    let (mut scene, module) = scene();
    let seen = |radius, work| Actor::seen([1.0, 0.0, 0.0], radius, work);
    let inverted = RangeInclusive::new(2, 1);
    let cases = [
        (seen(-1.0, &WORK), Quantity::Radius, Problem::Negative),
        (seen(f32::NAN, &WORK), Quantity::Radius, Problem::NotFinite),
        (seen(1e30, &WORK), Quantity::Radius, Problem::TooLarge),
        (seen(1.0, &[]), Quantity::Work, Problem::Missing),
        (seen(1.0, &[2, 1]), Quantity::Work, Problem::Decreasing),
        (seen(1.0, &[0; 257]), Quantity::Work, Problem::TooLarge),
        (seen(1.0, &WORK).lod_range(inverted), Quantity::LodRange, Problem::Decreasing),
        (seen(1.0, &WORK).lod_range(0..=3), Quantity::LodRange, Problem::TooLarge),
    ];
    for (actor, quantity, problem) in cases {
        assert_eq!(scene.spawn(module, actor), Err(refused(quantity, problem)), "{actor:?}");
        assert!(scene.is_empty());
    }
    assert!(scene.spawn(module, seen(1.0, &[0; 256])).is_ok(), "256 levels are allowed");
}

#[test]
fn handles_beyond_the_scene_are_refused() {
    let (mut small, module) = scene();
    let (mut large, _) = scene();
    let unit = UnitCost::from_ns(1.0).unwrap();
    let foreign = large.add_module(Module::new("", unit, BenefitValue::default())).unwrap();
    let view = large.add_view(View::eye([0.0; 3]).unwrap()).unwrap();
    let actor = Actor::seen([0.0; 3], 1.0, &WORK);
    assert_eq!(small.spawn(foreign, actor), Err(SceneError::ForeignModule));
    assert_eq!(small.set_managed(foreign, true), Err(SceneError::ForeignModule));
    assert_eq!(small.unit_cost(foreign), None);
    assert_eq!(small.set_view(view, View::eye([0.0; 3]).unwrap()), Err(SceneError::ForeignView));
    assert_eq!(large.spawn(module, actor), Err(SceneError::ForeignModule));
    let id = large.spawn(foreign, actor).unwrap();
    assert_eq!(small.despawn(id), Err(SceneError::ForeignActor));
}

#[test]
fn a_price_that_no_ladder_can_bear_changes_nothing() {
    let (mut scene, module) = scene();
    let actor = scene.spawn(module, Actor::given(Benefit::MAX, &[0, 10, 100])).unwrap();
    let cost = |scene: &mut Scene| scene.tick().actor(actor).map(|actor| actor.cost_ns);
    assert_eq!(cost(&mut scene), Some(100));
    let expensive = UnitCost::from_ns(100_000_000.0).unwrap();
    let error = scene.set_unit_cost(module, expensive);
    assert_eq!(error, Err(refused(Quantity::Cost, Problem::TooLarge)));
    assert_eq!(
        (cost(&mut scene), scene.unit_cost(module)),
        (Some(100), UnitCost::from_ns(1.0).ok())
    );
    scene.set_unit_cost(module, UnitCost::from_ns(2.5).unwrap()).unwrap();
    assert_eq!(cost(&mut scene), Some(250));
    assert!(scene.set_work(actor, &[4, u32::MAX]).is_err());
    assert_eq!(cost(&mut scene), Some(250));
    scene.set_work(actor, &[0, 1, 2, 3]).unwrap();
    assert_eq!(cost(&mut scene), Some(8), "⌈2.5 · 3⌉");
}

/// Ladders that nobody uses any more make room for others.
#[test]
fn ladders_come_and_go() {
    let (mut scene, module) = scene();
    let keeper = scene.spawn(module, Actor::given(Benefit::MAX, &[7, 8, 9])).unwrap();
    let shared = scene.spawn(module, Actor::given(Benefit::ZERO, &[7, 8, 9])).unwrap();
    for i in 0..500 {
        let id = scene.spawn(module, Actor::given(Benefit::MAX, &[i, i + 1, i + 2])).unwrap();
        assert_eq!(scene.tick().actor(id).map(|actor| actor.cost_ns), Some(i + 2), "{i}");
        scene.set_lod_range(id, 1..=1).unwrap();
        assert_eq!(scene.lod_range(id), Some(1..=1));
        assert_eq!(scene.tick().actor(id).map(|actor| actor.cost_ns), Some(i + 1), "{i}");
        scene.despawn(id).unwrap();
        assert_eq!(scene.tick().actor(keeper).map(|actor| actor.cost_ns), Some(9), "{i}");
        assert_eq!(scene.tick().actor(shared).map(|actor| actor.cost_ns), Some(7), "{i}");
    }
}

#[test]
fn a_new_rule_applies_to_the_actors_that_are_there() {
    let (mut scene, module) = scene();
    let actor = scene.spawn(module, Actor::seen([4.0, 0.0, 0.0], 1.0, &WORK)).unwrap();
    let benefit = |scene: &mut Scene| scene.tick().actor(actor).map(|a| a.benefit.to_f64());
    let before = benefit(&mut scene).unwrap();
    assert!((before - std::f64::consts::PI / 16.0).abs() < 1e-5, "{before}");
    let bounded = BenefitTerms { max_distance: Some(4.0), ..BenefitTerms::default() };
    scene.set_benefit_rule(module, BenefitRule::new(bounded).unwrap()).unwrap();
    assert_eq!(benefit(&mut scene), Some(0.0));
    scene.set_radius(actor, 3.0).unwrap();
    assert_eq!(benefit(&mut scene), Some(1.0));
    assert!(scene.set_radius(actor, -3.0).is_err());
    assert_eq!(benefit(&mut scene), Some(1.0));
}

#[test]
fn a_clone_takes_the_handles_of_the_original() {
    let (mut scene, module) = scene();
    let actor = Actor::seen([1.0, 0.0, 0.0], 1.0, &WORK);
    let id = scene.spawn(module, actor).unwrap();
    let mut copy = scene.clone();
    assert!(copy.contains(id) && copy.module_of(id) == Some(module));
    let unit = UnitCost::from_ns(1.0).unwrap();
    let later = copy.add_module(Module::new("", unit, BenefitValue::default())).unwrap();
    assert_eq!(scene.spawn(later, actor), Err(SceneError::NoSuchModule));
    let other = Scene::<f32>::new(Budget::UNLIMITED);
    assert!(!other.contains(id));
    assert_eq!((other.key(id), other.state(id), other.module_of(id)), (None, None, None));
}

#[test]
fn a_scene_may_go_to_another_thread() {
    fn is_free<T: Send + Sync + 'static>(_: &T) {}
    is_free(&scene().0);
}
