//! Scenes with views and qualities: the errors of settings, and what begins anew.

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_heapless::{
    Actor, BenefitValue, Budget, Graded, Module, ModuleId, OutsideFactor, Policy, Positions,
    Prioritised, Quality, QualityCurve, Scene, SceneError, UnitCost, View, Viewed,
};
use lodger_scheduler as host;

const ACTORS: usize = 40;

type OurScene<N, C> = Scene<N, 2, ACTORS, 12, Graded<Prioritised<Viewed<C>>>>;

static TABLES: [[Quality; 4]; 2] = [
    [Quality::ZERO, Quality::from_bits(9_000), Quality::from_bits(9_000), Quality::ONE],
    [Quality::from_bits(3), Quality::from_bits(30_000), Quality::from_bits(31_000), Quality::ONE],
];

/// A view from the origin along −z, with 90° between its sides.
fn view() -> View<f32> {
    let [x, y] = [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0]];
    let view = [x, y, [0.0, 0.0, 1.0, 0.0], [0.0, 0.0, 0.0, 1.0]];
    let projection = [x, y, [0.0, 0.0, -1.0, -1.0], [0.0, 0.0, -0.2, 0.0]];
    View::from_matrices(view, projection).and_then(View::frustum).expect("a perspective")
}

#[test]
fn actors_count_as_new_after_another_number_of_views() {
    let mut scene = OurScene::<f32, Positions>::new();
    let value = BenefitValue::from_ns(1_000_000);
    let module = Module::new(UnitCost::from_ns(1.0).expect("a cost")).benefit_value(value);
    let id = scene.add_module(module).expect("space");
    scene.set_outside(id, OutsideFactor::ZERO).expect("present");
    let outside = [30.0, 0.0, -10.0];
    let actor = scene.spawn(id, Actor::at(outside, 0.1, &[0, 1])).expect("space");
    let mut level = |position: [f32; 3], views: &[View<f32>]| {
        scene.set_position(actor, position).expect("present");
        scene.set_views(views).expect("few");
        scene.tick(Budget::from_ns(10)).level(actor)
    };
    // Within the margin of a side, an actor stays as it was.
    let (margin, inside) = ([10.25, 0.0, -10.0], [0.0, 0.0, -10.0]);
    assert_eq!(level(outside, &[view()]), Some(0));
    assert_eq!(level(margin, &[view()]), Some(0));
    assert_eq!(level(margin, &[view(); 2]), Some(1));
    assert_eq!(level(outside, &[view(); 2]), Some(0));
    assert_eq!(level(margin, &[view()]), Some(1));
    assert_eq!(level(outside, &[view()]), Some(0));
    assert_eq!(level(inside, &[view()]), Some(1));
    assert_eq!(level(margin, &[view()]), Some(1));
}

#[test]
fn proportional_policies_need_benefit_values_as_on_the_host() {
    let mut ours = OurScene::<f32, Positions>::new();
    let mut theirs = host::Scene::<f32>::new(Budget::from_ns(0));
    let cost = UnitCost::from_ns(1.0).expect("a cost");
    let (module, named) = (Module::new(cost), host::Module::new("m", cost));
    let id = ModuleId::new(0);
    let missing = Err(SceneError::NoBenefitValue(id));
    let missing_there = || Err(host::SceneError::NoBenefitValue("m".into()));
    assert_eq!(ours.add_module(module), missing.map(|()| id));
    assert_eq!(theirs.add_module(named.clone()).map(drop), missing_there());
    ours.set_policy(Policy::Optimal).expect("no modules");
    theirs.set_policy(Policy::Optimal).expect("no modules");
    assert_eq!(ours.add_module(module), Ok(id));
    let other = theirs.add_module(named).expect("space");
    assert_eq!((ours.benefit_value(id), theirs.benefit_value(other)), (None, None));
    assert_eq!(
        (ours.set_policy(Policy::APEX), theirs.set_policy(Policy::APEX)),
        (missing, missing_there())
    );
    assert_eq!(ours.policy(), Policy::Optimal);
    ours.set_managed(id, false).expect("present");
    theirs.set_managed(other, false).expect("present");
    assert_eq!((ours.set_policy(Policy::APEX), theirs.set_policy(Policy::APEX)), (Ok(()), Ok(())));
    assert_eq!(ours.set_managed(id, true), missing);
    assert_eq!(theirs.set_managed(other, true), missing_there());
    assert_eq!(ours.is_managed(id), Some(false));
    ours.set_benefit_value(id, BenefitValue::from_ns(1)).expect("present");
    assert_eq!(ours.set_managed(id, true), Ok(()));
}

#[test]
fn qualities_fit_the_ladders_and_change_later() {
    let mut scene = OurScene::<f32, Positions>::new();
    scene.set_policy(Policy::Optimal).expect("no modules");
    let module = Module::new(UnitCost::from_ns(1.0).expect("a cost"));
    let id = scene.add_module(module).expect("space");
    let spawn = |scene: &mut OurScene<f32, Positions>, work: &[u32]| {
        scene.spawn(id, Actor::at([1.0; 3], 1.0, work)).map_err(SceneError::from)
    };
    let problem = |problem| Err(SceneError::Invalid(ValueError::new(Quantity::Quality, problem)));
    let actor = spawn(&mut scene, &[1, 2, 3, 4]).expect("valid");
    let falling: &[Quality] = &[Quality::ONE, Quality::ZERO];
    assert_eq!(scene.set_module_qualities(id, falling), problem(ValueProblem::Decreasing));
    assert_eq!(scene.set_module_qualities(id, &TABLES[0][..3]), problem(ValueProblem::Missing));
    assert_eq!(
        scene.set_module_qualities(id, &[Quality::ZERO; 5]),
        problem(ValueProblem::TooLarge)
    );
    assert_eq!(scene.quality(actor, 1), Some(Quality::even(1, 4)));
    scene.set_module_qualities(id, &TABLES[1]).expect("fits");
    assert_eq!(scene.quality(actor, 1), Some(TABLES[1][1]));
    assert_eq!(spawn(&mut scene, &[1, 2, 3]).map(drop), problem(ValueProblem::TooLarge));
    // Actors of the same module have the same table, also with other valid levels.
    scene.set_lod_range(actor, 1..=2).expect("valid");
    let second = spawn(&mut scene, &[1, 2, 3, 4]).expect("valid");
    assert_eq!([actor, second].map(|id| scene.quality(id, 3)), [Some(Quality::ONE); 2]);
    assert_eq!(scene.quality(actor, 4), None);
}

#[test]
fn a_curve_of_qualities_equals_its_table() {
    for curve in QualityCurve::ALL {
        let mut scene = OurScene::<f32, Positions>::new();
        scene.set_policy(Policy::Optimal).expect("no modules");
        let module = Module::new(UnitCost::from_ns(1.0).expect("a cost"));
        let id = scene.add_module(module).expect("space");
        scene.set_module_qualities(id, &TABLES[0]).expect("sorted");
        let actors = [1.0, 2.0, 4.0]
            .map(|x| scene.spawn(id, Actor::at([x; 3], 1.0, &[0, 40, 200, 700])).expect("space"));
        let levels = |scene: &mut OurScene<f32, Positions>| {
            let budgets = [30, 100, 300, 500, 900, 2_000].map(Budget::from_ns);
            budgets.map(|budget| actors.map(|actor| scene.tick(budget).level(actor)))
        };
        scene.set_module_quality_curve(id, *curve).expect("present");
        let of_curve = levels(&mut scene);
        let table = curve.qualities::<4>();
        assert_eq!([0, 1, 2, 3].map(|level| scene.quality(actors[0], level)), table.map(Some));
        scene.set_module_qualities(id, Box::leak(Box::new(table))).expect("sorted");
        assert_eq!(levels(&mut scene), of_curve, "{curve}");
    }
}

#[test]
fn each_actor_of_a_module_needs_a_bit() {
    let mut scene = OurScene::<f32, Positions>::new();
    let value = BenefitValue::from_ns(1_000);
    let module = Module::new(UnitCost::from_ns(1.0).expect("a cost")).benefit_value(value);
    let [first, second] = [(); 2].map(|()| scene.add_module(module).expect("space"));
    for slot in 0..33 {
        let module = if slot == 0 { first } else { second };
        scene.spawn(module, Actor::at([1.0; 3], 1.0, &[1, 2])).expect("space");
    }
    let problem = ValueError::new(Quantity::Count, ValueProblem::TooSmall);
    assert_eq!(scene.set_in_view(first, &[0]), Ok(()));
    assert_eq!(scene.set_in_view(second, &[0]), Err(SceneError::Invalid(problem)));
    assert_eq!(scene.set_in_view(second, &[0; 2]), Ok(()));
    assert_eq!(scene.set_in_view(ModuleId::new(2), &[0; 2]), Err(SceneError::NoSuchModule));
    // Slot 32 has the first bit of the second word.
    scene.set_eyes(&[[0.0; 3]]).expect("few");
    scene.set_outside(second, OutsideFactor::ZERO).expect("present");
    scene.set_in_view(second, &[0, 1]).expect("a bit for each");
    let levels = scene.tick(Budget::from_ns(1_000)).levels(second);
    let raised = levels.filter(|&(_, level)| level > 0).map(|(actor, _)| actor.slot());
    assert!(raised.eq([32]));
}
