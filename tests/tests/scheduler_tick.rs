//! What a tick sees, what it does with numbers that are none, and that it leaves the allocator alone.

use glam::camera::rh::view::look_at_mat4;
use glam::{Mat4, Vec3};
use lodger_core::Benefit;
use lodger_core::benefit::{BenefitRule, BenefitTerms, State, Weights};
use lodger_core::budget::Leftovers;
use lodger_core::error::{Error, Problem, Quantity};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::{
    Actor, ActorId, ActorPlan, Module, ModuleId, Policy, Reason, Scene, SceneError, View,
};
use proptest::prelude::*;

const LEFTOVERS: [Leftovers; 4] =
    [Leftovers::Keep, Leftovers::WithinModule, Leftovers::AcrossModules, Leftovers::WholeBudget];

/// Two modules, the second continuous, all importances with a weight.
fn scene(budget_ns: u64) -> (Scene, [ModuleId; 2]) {
    let mut scene = Scene::new(Budget::from_ns(budget_ns));
    scene.add_view(View::eye([0.0; 3]).unwrap()).unwrap();
    let rule = BenefitRule::new(BenefitTerms {
        max_distance: Some(100.0),
        weights: Weights::new(0.5, 0.25, 0.25).unwrap(),
        max_age: Some(10.0),
        max_speed: Some(10.0),
        ..BenefitTerms::default()
    })
    .unwrap();
    let modules = [false, true].map(|continuous| {
        let unit = UnitCost::from_ns(1.0).unwrap();
        let module = Module::new("", unit, BenefitValue::from_ns(1_000));
        scene.add_module(module.rule(rule).continuous(continuous)).unwrap()
    });
    (scene, modules)
}

fn fill(scene: &mut Scene, modules: [ModuleId; 2], actors: u16) -> Vec<ActorId> {
    let spawn = |i: u16| {
        let i = f32::from(i);
        let position = [i % 17.0, i % 31.0, i % 5.0];
        let state = State { position, age: i % 13.0, speed: i % 11.0 };
        let actor = Actor::in_state(state, 1.0 + i % 3.0, &[2, 50, 200, 900]);
        scene.spawn(modules[usize::from(i % 2.0 == 0.0)], actor).unwrap()
    };
    (0..actors).map(spawn).collect()
}

#[test]
fn the_nearest_of_several_views_counts() {
    let (mut scene, [module, _]) = scene(1_000);
    let far = scene.add_view(View::eye([500.0, 0.0, 0.0]).unwrap()).unwrap();
    let actor = scene.spawn(module, Actor::seen([90.0, 0.0, 0.0], 1.0, &[0, 1])).unwrap();
    let benefit = |scene: &mut Scene| scene.tick().actor(actor).map(|actor| actor.benefit);
    let before = benefit(&mut scene);
    scene.set_view(far, View::eye([89.0, 0.0, 0.0]).unwrap()).unwrap();
    assert!(benefit(&mut scene) > before);
    let camera = look_at_mat4(Vec3::new(500.0, 0.0, 0.0), Vec3::ZERO, Vec3::Y);
    let view = View::from_matrix(camera.to_cols_array_2d()).unwrap();
    assert_eq!(View::try_from(camera), Ok(view));
    assert_eq!(View::try_from(camera.as_dmat4()), Ok(view));
    scene.set_view(far, view).unwrap();
    assert_eq!(benefit(&mut scene), before);
    scene.set_view(far, View::eye([89.0, 0.0, 0.0]).unwrap()).unwrap();
    assert!(benefit(&mut scene) > before);
    scene.remove_view(far).unwrap();
    assert_eq!(benefit(&mut scene), before);
    assert_eq!(scene.view(far), None);
    assert_eq!(scene.remove_view(far), Err(SceneError::StaleView));
}

#[test]
fn matrices_that_are_no_views_are_refused() {
    let refused = |view: Mat4| View::<f32>::from_matrix(view.to_cols_array_2d()).unwrap_err();
    let singular = Mat4::from_scale(Vec3::new(1.0, 0.0, 1.0));
    let endless = Mat4::from_translation(Vec3::new(f32::INFINITY, 0.0, 0.0));
    assert_eq!(refused(singular), Error::new(Quantity::View, Problem::Singular));
    assert_eq!(refused(endless), Error::new(Quantity::View, Problem::NotFinite));
    let eye = View::<f32>::eye([0.0, f32::NAN, 0.0]).unwrap_err();
    assert_eq!(eye, Error::new(Quantity::Position, Problem::NotFinite));
}

fn plans(scene: &mut Scene) -> Vec<ActorPlan> {
    scene.tick().actors().collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    /// The plan of all others is what it would be if the quarantined had benefit 0.
    #[test]
    fn quarantined_actors_touch_nobody_else(
        bad in prop::collection::vec((0_usize..40, 0_u8..6), 1..6),
        budget in 0_u64..20_000,
        leftovers in prop::sample::select(&LEFTOVERS),
    ) {
        let (mut scene, modules) = scene(budget);
        scene.set_policy(Policy::Proportional(leftovers));
        let actors = fill(&mut scene, modules, 40);
        let mut worthless = scene.clone();
        for &(index, way) in &bad {
            let (nan, inf) = (f32::NAN, f32::INFINITY);
            match way {
                0 => scene.set_position(actors[index], [nan, 0.0, 0.0]),
                1 => scene.set_position(actors[index], [0.0, inf, 0.0]),
                2 => scene.set_age(actors[index], nan),
                3 => scene.set_age(actors[index], -inf),
                4 => scene.set_speed(actors[index], nan),
                _ => scene.set_speed(actors[index], -1.0),
            }
            .unwrap();
            worthless.set_benefit(actors[index], Some(Benefit::ZERO)).unwrap();
        }
        let mut indices: Vec<_> = bad.iter().map(|&(index, _)| index).collect();
        indices.sort_unstable();
        indices.dedup();
        prop_assert_eq!(scene.tick().quarantined(), indices.len());
        prop_assert_eq!(worthless.tick().quarantined(), 0);
        for (index, (got, mut expected)) in
            plans(&mut scene).into_iter().zip(plans(&mut worthless)).enumerate()
        {
            if indices.contains(&index) {
                expected.reason = Reason::Quarantined;
            }
            prop_assert_eq!(got, expected);
        }
    }
}

#[test]
fn a_given_benefit_needs_no_sound_state() {
    let (mut scene, [module, _]) = scene(1_000);
    let given = Actor::given(Benefit::new(0.5_f32).unwrap(), &[0, 100]);
    let actor = scene.spawn(module, given).unwrap();
    scene.set_position(actor, [f32::NAN; 3]).unwrap();
    let plan = scene.tick();
    assert_eq!(plan.quarantined(), 0);
    assert_eq!(plan.actor(actor).map(|a| (a.lod.level(), a.reason)), Some((1, Reason::Highest)));
    scene.set_benefit(actor, None).unwrap();
    let plan = scene.tick();
    assert_eq!(plan.quarantined(), 1);
    assert_eq!(
        plan.actor(actor).map(|a| (a.lod.level(), a.reason)),
        Some((0, Reason::Quarantined))
    );
}

#[test]
fn a_warm_tick_allocates_nothing() {
    for leftovers in LEFTOVERS {
        let (mut scene, modules) = scene(20_000);
        scene.set_policy(Policy::Proportional(leftovers));
        let actors = fill(&mut scene, modules, 500);
        // Nobody bids for an unlimited budget; everybody does for the tight one that comes.
        scene.set_budget(Budget::UNLIMITED);
        scene.tick();
        scene.set_budget(Budget::from_ns(10_000));
        let counted = allocation_counter::measure(|| {
            for &actor in &actors {
                scene.set_position(actor, [3.0, 1.0, 4.0]).unwrap();
            }
            scene.force_lod(actors[0], None).unwrap();
            assert!(scene.tick().assigned_ns() > 0);
        });
        assert_eq!(counted.count_total, 0, "{leftovers:?}");
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
