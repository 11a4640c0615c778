//! Ticks: views and invalid states; handles, rejected inputs and changes of a scene.

use std::ops::RangeInclusive;

use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec3};
use lodger_core::Benefit;
use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::units::{BenefitValue, Budget};
use lodger_scheduler::{Actor, Module, ModuleId, Policy, Reason, Scene, SceneError, View};
use lodger_testkit::script::{Call, ScenePlayer, numbered_spawn};

use crate::scheduler_settings::{LEFTOVERS, ns, plans};

#[test]
fn a_matrix_of_glam_is_a_view() {
    let camera = look_at_mat4(Vec3::new(500.0, 0.0, 0.0), Vec3::ZERO, Vec3::Y);
    let view = View::<f32>::from_matrix(camera.to_cols_array_2d()).unwrap();
    assert_eq!(view.position(), [500.0, 0.0, 0.0]);
    assert_eq!(View::try_from(camera), Ok(view));
    assert_eq!(View::try_from(camera.as_dmat4()), Ok(view));
}

#[test]
fn invalid_views_are_rejected() {
    let error = |view: Mat4| View::<f32>::from_matrix(view.to_cols_array_2d()).unwrap_err();
    let singular = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    let infinite = Mat4::from_translation(Vec3::new(f32::INFINITY, 0.0, 0.0));
    assert_eq!(error(singular), ValueError::new(Quantity::View, ValueProblem::Singular));
    assert_eq!(error(infinite), ValueError::new(Quantity::View, ValueProblem::NotFinite));
    let eye = View::<f32>::from_position([0.0, f32::NAN, 0.0]).unwrap_err();
    assert_eq!(eye, ValueError::new(Quantity::Position, ValueProblem::NotFinite));
}

#[test]
fn an_overridden_benefit_needs_no_valid_state() {
    let mut game = ScenePlayer::<f32>::started(&[Call::SetBudget(None)]);
    let (module, scene) = (game.modules[0], &mut game.scene);
    let actor = Actor::from_benefit(Benefit::new(0.5_f32).unwrap(), &[0, 100]);
    let actor = scene.spawn(module, actor).unwrap();
    scene.set_position(actor, [f32::NAN; 3]).unwrap();
    let plan = scene.tick();
    assert_eq!(plan.quarantined(), 0);
    assert_eq!(plan.actor(actor).map(|a| (a.lod.level(), a.reason)), Some((1, Reason::Highest)));
    scene.set_benefit_override(actor, None).unwrap();
    let plan = scene.tick();
    assert_eq!(plan.quarantined(), 1);
    assert_eq!(
        plan.actor(actor).map(|a| (a.lod.level(), a.reason)),
        Some((0, Reason::Quarantined))
    );
}

/// Modules of this size are computed in order if many of their blocks change.
#[test]
fn scattered_changes_lead_to_the_plan_of_a_new_scene() {
    let spawns: Vec<_> = (12..40_000).map(numbered_spawn).collect();
    let ScenePlayer { mut scene, actors, .. } = ScenePlayer::<f32>::started(&spawns);
    scene.set_budget(Budget::from_ns(1_000_000));
    scene.set_age(actors[8], f32::NAN).unwrap();
    let policies = LEFTOVERS.map(Policy::Proportional).into_iter().chain([Policy::Optimal]);
    for policy in policies {
        scene.set_policy(policy).unwrap();
        let (mut changed, mut new) = (scene.clone(), scene.clone());
        changed.tick();
        let scattered: Vec<_> = actors.iter().skip(51).step_by(100).copied().collect();
        let near = &actors[20_001..20_011];
        for (moved, to) in [(&scattered[..], [1.0, 2.0, 3.0]), (near, [4.0, 5.0, 6.0])] {
            for actor in moved {
                changed.set_position(*actor, to).unwrap();
                new.set_position(*actor, to).unwrap();
            }
            changed.tick();
        }
        assert_eq!(changed.tick().quarantined(), 1, "{policy:?}");
        assert_eq!(plans(&mut changed), plans(&mut new), "{policy:?}");
    }
}

#[test]
fn an_empty_scene_has_a_plan() {
    let mut scene = Scene::<f32>::new(Budget::from_ns(5));
    let plan = scene.tick();
    assert!(plan.is_feasible());
    assert_eq!((plan.assigned_ns(), plan.actors().count()), (0, 0));
    assert_eq!(plan.scale().bits(), 1 << 32);
}

const WORK: [u32; 3] = [0, 10, 100];

fn scene() -> (Scene, ModuleId) {
    let mut scene = Scene::new(Budget::from_ns(1_000));
    scene.add_view(View::from_position([0.0; 3]).unwrap()).unwrap();
    let module = Module::new("cloth", ns(1.0)).benefit_value(BenefitValue::from_ns(1_000));
    let module = scene.add_module(module).unwrap();
    (scene, module)
}

fn invalid(quantity: Quantity, problem: ValueProblem) -> SceneError {
    SceneError::Invalid(ValueError::new(quantity, problem))
}

#[test]
fn a_handle_goes_stale_with_its_actor() {
    let (mut scene, module) = scene();
    let actor = Actor::at([1.0, 0.0, 0.0], 1.0, &WORK);
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
        |scene, id| scene.set_benefit_override(id, None),
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
fn an_error_names_the_quantity() {
    let (mut scene, module) = scene();
    let actor = |radius, work| Actor::at([1.0, 0.0, 0.0], radius, work);
    let inverted = RangeInclusive::new(2, 1);
    let cases = [
        (actor(-1.0, &WORK), Quantity::Radius, ValueProblem::Negative),
        (actor(f32::NAN, &WORK), Quantity::Radius, ValueProblem::NotFinite),
        (actor(1e30, &WORK), Quantity::Radius, ValueProblem::TooLarge),
        (actor(1.0, &[]), Quantity::Work, ValueProblem::Missing),
        (actor(1.0, &[2, 1]), Quantity::Work, ValueProblem::Decreasing),
        (actor(1.0, &[0; 257]), Quantity::Work, ValueProblem::TooLarge),
        (actor(1.0, &WORK).lod_range(inverted), Quantity::LodRange, ValueProblem::Decreasing),
        (actor(1.0, &WORK).lod_range(0..=3), Quantity::LodRange, ValueProblem::TooLarge),
    ];
    for (actor, quantity, problem) in cases {
        assert_eq!(scene.spawn(module, actor), Err(invalid(quantity, problem)), "{actor:?}");
        assert!(scene.is_empty());
    }
    assert!(scene.spawn(module, actor(1.0, &[0; 256])).is_ok(), "256 levels are allowed");
}

#[test]
fn handles_of_other_scenes_are_rejected() {
    let (mut small, module) = scene();
    let (mut large, _) = scene();
    let foreign =
        large.add_module(Module::new("", ns(1.0)).benefit_value(BenefitValue::default())).unwrap();
    let view = large.add_view(View::from_position([0.0; 3]).unwrap()).unwrap();
    let actor = Actor::at([0.0; 3], 1.0, &WORK);
    assert_eq!(small.spawn(foreign, actor), Err(SceneError::ForeignModule));
    assert_eq!(small.set_managed(foreign, true), Err(SceneError::ForeignModule));
    assert_eq!(small.unit_cost(foreign), None);
    assert_eq!(
        small.set_view(view, View::from_position([0.0; 3]).unwrap()),
        Err(SceneError::ForeignView)
    );
    assert_eq!(large.spawn(module, actor), Err(SceneError::ForeignModule));
    let id = large.spawn(foreign, actor).unwrap();
    assert_eq!(small.despawn(id), Err(SceneError::ForeignActor));
}

#[test]
fn a_unit_cost_too_large_for_a_ladder_changes_nothing() {
    let (mut scene, module) = scene();
    let actor = scene.spawn(module, Actor::from_benefit(Benefit::MAX, &[0, 10, 100])).unwrap();
    let cost = |scene: &mut Scene| scene.tick().actor(actor).map(|actor| actor.cost_ns);
    assert_eq!(cost(&mut scene), Some(100));
    let expensive = ns(100_000_000.0);
    let error = scene.set_unit_cost(module, expensive);
    assert_eq!(error, Err(invalid(Quantity::Cost, ValueProblem::TooLarge)));
    assert_eq!((cost(&mut scene), scene.unit_cost(module)), (Some(100), Some(ns(1.0))));
    scene.set_unit_cost(module, ns(2.5)).unwrap();
    assert_eq!(cost(&mut scene), Some(250));
    assert!(scene.set_work(actor, &[4, u32::MAX]).is_err());
    assert_eq!(cost(&mut scene), Some(250));
    scene.set_work(actor, &[0, 1, 2, 3]).unwrap();
    assert_eq!(cost(&mut scene), Some(8), "⌈2.5 · 3⌉");
}

/// Other ladders reuse the memory of unused ones.
#[test]
fn ladders_come_and_go() {
    let (mut scene, module) = scene();
    let keeper = scene.spawn(module, Actor::from_benefit(Benefit::MAX, &[7, 8, 9])).unwrap();
    let shared = scene.spawn(module, Actor::from_benefit(Benefit::ZERO, &[7, 8, 9])).unwrap();
    for i in 0..500 {
        let id =
            scene.spawn(module, Actor::from_benefit(Benefit::MAX, &[i, i + 1, i + 2])).unwrap();
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
fn a_clone_accepts_the_handles_of_the_original() {
    let (mut scene, module) = scene();
    let actor = Actor::at([1.0, 0.0, 0.0], 1.0, &WORK);
    let id = scene.spawn(module, actor).unwrap();
    let mut copy = scene.clone();
    assert!(copy.contains(id) && copy.module_of(id) == Some(module));
    let later =
        copy.add_module(Module::new("", ns(1.0)).benefit_value(BenefitValue::default())).unwrap();
    assert_eq!(scene.spawn(later, actor), Err(SceneError::NoSuchModule));
    let other = Scene::<f32>::new(Budget::UNLIMITED);
    assert!(!other.contains(id));
    assert_eq!((other.key(id), other.state(id), other.module_of(id)), (None, None, None));
}

#[test]
fn a_scene_may_go_to_another_thread() {
    fn assert_sendable<T: Send + Sync + 'static>(_: &T) {}
    assert_sendable(&scene().0);
}

#[test]
fn a_scene_before_its_first_tick_has_a_certificate() {
    let mut scene = Scene::<f32>::new(Budget::from_ns(100));
    let value = BenefitValue::from_ns(1_000);
    let module = Module::new("first", ns(1.0)).benefit_value(value);
    let module = scene.add_module(module).unwrap();
    scene.spawn(module, Actor::from_benefit(Benefit::MAX, &[0, 80])).unwrap();
    // Benefits come with a tick.
    assert_eq!(scene.certify().upper_bound, 0);
    scene.tick();
    scene.spawn(module, Actor::from_benefit(Benefit::MAX, &[0, 80])).unwrap();
    assert!(scene.certify().upper_bound() > 0.0);
}

#[test]
fn every_row_is_read_and_written_once() {
    let mut scene = Scene::<f32>::new(Budget::from_ns(1_000));
    for (module, actors) in [("a", 3_u8), ("b", 0), ("c", 130)] {
        let price = (ns(1.0), BenefitValue::from_ns(1_000));
        let id = scene.add_module(Module::new(module, price.0).benefit_value(price.1)).unwrap();
        for n in 0..actors {
            scene.spawn(id, Actor::at([n.into(), 1.0, 2.0], 1.0, &[0, 5])).unwrap();
        }
    }
    let (mut words, mut bytes) = ([0; 133], [0; 133]);
    scene.memory_pass(&mut words, &mut bytes);
    assert!(words.iter().zip(bytes).all(|(word, byte)| *word != 0 && (word >> 24) as u8 == byte));
    assert_eq!(words[..3], words[3..6], "equal actors, equal words");
    scene.memory_pass(&mut words[..1], &mut []);
}
