//! Scenes with fewer columns take less memory and decide the same.

use lodger_heapless::{
    Actor, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, Columns, Everything,
    FewLadders, Fixed, GivenBenefits, Graded, Hysteresis, Large, Leftovers, Lod, Module,
    OutsideFactor, Policy, Positions, Prioritised, Proportional, RuntimeRules, Scene, SceneError,
    SelfTimed, UnitCost, View, Viewed, Weights, WithOptimal, WithPositions, WithViews,
};
use proptest::prelude::*;

type SceneOf64<C> = Scene<Fixed, 4, 64, 20, C>;

#[test]
fn a_scene_takes_memory_only_for_its_columns() {
    let sizes = [
        size_of::<SceneOf64<Everything>>(),
        size_of::<SceneOf64<Positions>>(),
        size_of::<SceneOf64<Proportional<Positions>>>(),
        size_of::<SceneOf64<GivenBenefits>>(),
        size_of::<SceneOf64<Proportional<GivenBenefits>>>(),
        size_of::<SceneOf64<Viewed<Positions>>>(),
        size_of::<SceneOf64<Prioritised<GivenBenefits>>>(),
        size_of::<SceneOf64<Graded<GivenBenefits>>>(),
        size_of::<SceneOf64<Large>>(),
        size_of::<SceneOf64<RuntimeRules>>(),
        size_of::<SceneOf64<SelfTimed>>(),
    ];
    let documented = [4_200, 3_688, 3_432, 2_256, 2_000, 4_792, 2_672, 2_320, 4_936, 4_456, 4_248];
    assert_eq!(sizes, documented);
}

#[test]
fn a_scene_with_a_ladder_for_each_module_takes_less() {
    let sizes = [
        size_of::<SceneOf64<FewLadders<4>>>(),
        size_of::<SceneOf64<FewLadders<4, Positions>>>(),
        size_of::<SceneOf64<FewLadders<4, Proportional<Positions>>>>(),
        size_of::<SceneOf64<FewLadders<4, GivenBenefits>>>(),
        size_of::<SceneOf64<FewLadders<4, Proportional<GivenBenefits>>>>(),
    ];
    assert_eq!(sizes, [4_040, 3_528, 3_272, 2_096, 1_840]);
}

/// Returns the bytes of an actor, a level and a module.
fn shares<C: Columns>() -> [usize; 3] {
    let none = size_of::<Scene<Fixed, 0, 0, 0, C>>();
    [
        size_of::<Scene<Fixed, 0, 64, 0, C>>(),
        size_of::<Scene<Fixed, 0, 0, 64, C>>(),
        size_of::<Scene<Fixed, 64, 0, 0, C>>(),
    ]
    .map(|with_64| (with_64 - none) / 64)
}

#[test]
fn the_documented_shares_are_true() {
    let shares = [
        shares::<Everything>(),
        shares::<Positions>(),
        shares::<Proportional<Positions>>(),
        shares::<GivenBenefits>(),
        shares::<Proportional<GivenBenefits>>(),
        shares::<Viewed<Positions>>(),
        shares::<Prioritised<GivenBenefits>>(),
        shares::<Graded<GivenBenefits>>(),
        shares::<Large>(),
    ];
    let documented = [
        [46, 28, 128],
        [38, 28, 128],
        [38, 18, 120],
        [17, 28, 120],
        [17, 18, 112],
        [47, 28, 136],
        [23, 28, 128],
        [17, 28, 136],
        [57, 28, 136],
    ];
    assert_eq!(shares, documented);
}

const ACTORS: usize = 40;
type Small<C> = Scene<f32, 2, ACTORS, 16, C>;

const TERMS: BenefitTerms<f32> = BenefitTerms {
    max_age: Some(4.0),
    max_distance: Some(30.0),
    weights: Weights::<f32>::from_percent_f32(70, 30, 0).unwrap(),
    ..BenefitTerms::DISTANCE
};
static RULE: BenefitRule<f32> = match BenefitRule::new_f32(TERMS) {
    Ok(rule) => rule,
    Err(_) => panic!("invalid terms"),
};

fn scene<C: Columns>(actors: &[Actor<'_, f32>]) -> Result<Small<C>, SceneError> {
    let mut scene = Small::<C>::new();
    scene.set_hysteresis(Hysteresis::TYPICAL);
    let module = Module::new(UnitCost::from_ns(50.0)?)
        .benefit_value(BenefitValue::from_ns(9_000))
        .rule(&RULE);
    let modules = [scene.add_module(module)?, scene.add_module(module)?];
    for (place, &actor) in actors.iter().enumerate() {
        scene.spawn(modules[usize::from(place % 4 == 3)], actor)?;
    }
    Ok(scene)
}

/// Returns the levels, the cost and the number of quarantined actors of a tick.
fn plan<C: Columns>(scene: &mut Small<C>, ns: u64) -> (Vec<Option<u8>>, u64, usize) {
    scene.tick(Budget::from_ns(ns));
    let levels = scene.actors().map(|id| scene.plan().level(id)).collect();
    let plan = scene.plan();
    (levels, plan.assigned_ns(), plan.quarantined())
}

/// Returns the plans of frames, each with an eye and a budget, after an actor was despawned.
fn plans<C: Columns>(
    mut scene: Small<C>,
    removed: usize,
    frames: &[(f32, u64)],
    see: impl Fn(&mut Small<C>, f32) -> Result<(), SceneError>,
) -> Vec<(Vec<Option<u8>>, u64, usize)> {
    let gone = scene.actors().nth(removed);
    if let Some(id) = gone {
        scene.despawn(id).unwrap();
    }
    let plans = frames.iter().map(|&(eye, ns)| {
        see(&mut scene, eye).unwrap();
        plan(&mut scene, ns)
    });
    plans.collect()
}

fn see<C: WithPositions>(scene: &mut Small<C>, eye: f32) -> Result<(), SceneError> {
    scene.set_eyes(&[[eye, 0.0, 1.0]])
}

/// Looks along −x, with 90° between the sides and an eighth of the benefits outside of them.
fn see_through_lens<C: WithViews>(scene: &mut Small<C>, eye: f32) -> Result<(), SceneError> {
    let view =
        [[0.0, 0.0, 1.0, 0.0], [0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [1.0, 0.0, -eye, 1.0]];
    let projection =
        [[1.0, 0.0, 0.0, 0.0], [0.0, 1.0, 0.0, 0.0], [0.0, 0.0, -1.0, -1.0], [0.0, 0.0, -0.2, 0.0]];
    for module in scene.modules() {
        scene.set_outside(module, OutsideFactor::new(0.125)?)?;
    }
    scene.set_views(&[View::from_matrices(view, projection)?.zoom(2.0)?.frustum()?])
}

fn with_policy<C: WithOptimal>(actors: &[Actor<'_, f32>], is_optimal: bool) -> Small<C> {
    let mut scene = scene::<C>(actors).unwrap();
    if is_optimal {
        scene.set_policy(Policy::Optimal).unwrap();
    }
    scene
}

const WORK: [&[u32]; 3] = [&[0, 20, 50], &[5, 90], &[1, 2, 3]];

proptest! {
    #[test]
    fn fewer_columns_decide_the_same(
        actors in prop::collection::vec(
            (-20.0_f32..20.0, 0.0_f32..3.0, prop::option::of(0_u32..1 << 17), prop::option::of(0_u8..3), any::<bool>()),
            1..ACTORS,
        ),
        frames in prop::collection::vec((-20.0_f32..20.0, 0_u64..90_000), 1..6),
        is_optimal: bool,
        removed in 0..ACTORS,
    ) {
        let actor = |place: usize, &(x, radius, given, forced, is_invalid): &(f32, f32, Option<u32>, Option<u8>, bool)| {
            let x = if is_invalid && place.is_multiple_of(5) { f32::NAN } else { x };
            let work = WORK[place % 3];
            let given = given.map(Benefit::from_bits);
            let placed = Actor::at([x, 0.0, 0.0], radius, work);
            let actor = given.map_or(placed, |benefit| Actor::from_benefit(benefit, work));
            forced.filter(|_| place % 7 == 6).map_or(actor, |level| actor.forced(Lod::new(level, 0)))
        };
        let actors: Vec<_> = actors.iter().enumerate().map(|(place, spec)| actor(place, spec)).collect();
        let is = is_optimal;
        let expected = plans(with_policy::<Everything>(&actors, is), removed, &frames, see);
        let same = [
            plans(with_policy::<Positions>(&actors, is), removed, &frames, see),
            plans(with_policy::<Large>(&actors, is), removed, &frames, see),
            plans(with_policy::<FewLadders<6, SelfTimed>>(&actors, is), removed, &frames, see),
        ];
        prop_assert_eq!(same, [(); 3].map(|()| expected.clone()));
        if !is_optimal {
            let scaled = scene::<Proportional<Positions>>(&actors).unwrap();
            prop_assert_eq!(plans(scaled, removed, &frames, see), expected);
        }
        let viewed = with_policy::<Viewed<Everything>>(&actors, is);
        let placed = with_policy::<Viewed<Positions>>(&actors, is);
        prop_assert_eq!(
            plans(placed, removed, &frames, see_through_lens),
            plans(viewed, removed, &frames, see_through_lens)
        );
    }

    #[test]
    fn given_benefits_need_no_other_columns(
        benefits in prop::collection::vec(0_u32..1 << 17, 1..ACTORS),
        budgets in prop::collection::vec(0_u64..90_000, 1..6),
        is_optimal: bool,
    ) {
        let actor = |(place, &bits): (usize, &u32)| {
            Actor::from_benefit(Benefit::from_bits(bits), WORK[place % 3])
        };
        let actors: Vec<_> = benefits.iter().enumerate().map(actor).collect();
        let frames: Vec<_> = budgets.into_iter().map(|ns| (0.0, ns)).collect();
        let all = with_policy::<Everything>(&actors, is_optimal);
        let plans_of_all = plans(all, ACTORS, &frames, |_, _| Ok(()));
        let given = with_policy::<GivenBenefits>(&actors, is_optimal);
        prop_assert_eq!(&plans(given, ACTORS, &frames, |_, _| Ok(())), &plans_of_all);
        if !is_optimal {
            let scaled = scene::<Proportional<GivenBenefits>>(&actors).unwrap();
            prop_assert_eq!(plans(scaled, ACTORS, &frames, |_, _| Ok(())), plans_of_all);
        }
    }
}

#[test]
fn an_actor_without_a_benefit_is_rejected_if_benefits_are_given() {
    let loud = Actor::from_benefit(Benefit::MAX, WORK[0]);
    let mut scene = scene::<Proportional<GivenBenefits>>(&[loud]).unwrap();
    scene.set_leftovers(Leftovers::Keep);
    assert_eq!(scene.policy(), Policy::Proportional(Leftovers::Keep));
    let (module, id) = (scene.modules().next().unwrap(), scene.actors().next().unwrap());
    let rejected = scene.spawn(module, Actor::at([0.0; 3], 1.0, WORK[0])).unwrap_err();
    assert!(matches!(rejected.error, SceneError::Invalid(_)), "{rejected:?}");
    assert!(matches!(scene.set_benefit_override(id, None), Err(SceneError::Invalid(_))));
    assert_eq!(scene.set_benefit_override(id, Some(Benefit::ZERO)), Ok(()));
    assert_eq!((scene.len(), scene.benefit_override(id)), (1, Ok(Some(Benefit::ZERO))));
}
