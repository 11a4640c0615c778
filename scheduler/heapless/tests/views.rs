//! Scenes with views, priorities and qualities: the same benefits and levels as on the host.

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_heapless::{
    Actor, ActorId, ActorState, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget,
    Everything, Fixed, Graded, Hysteresis, Module, ModuleId, OutsideFactor, Policy, Positions,
    Prioritised, Priority, Quality, QualityCurve, Real, Scene, SceneError, UnitCost, View, Viewed,
    Weights, WithMotion, WithOptimal, WithPositions,
};
use lodger_scheduler as host;
use lodger_testkit::SplitMix64;

const ACTORS: usize = 40;

type OurScene<N, C> = Scene<N, 2, ACTORS, 12, Graded<Prioritised<Viewed<C>>>>;

static TABLES: [[Quality; 4]; 2] = [
    [Quality::ZERO, Quality::from_bits(9_000), Quality::from_bits(9_000), Quality::ONE],
    [Quality::from_bits(3), Quality::from_bits(30_000), Quality::from_bits(31_000), Quality::ONE],
];

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).expect("in the range")
}

/// A view that looks horizontally, or a mere eye.
fn view<N: Real>(random: &mut SplitMix64) -> View<N> {
    let eye = [(); 3].map(|()| random.real(-20.0, 20.0));
    let zoom = random.pick(&[1.0, 1.0, 0.5, 4.0]);
    if random.percent(20) {
        let view = View::from_position(eye.map(number::<N>)).expect("finite");
        return view.zoom(zoom).expect("in the range");
    }
    let (sine, cosine) = random.real(-4.0, 4.0).sin_cos();
    let right = [cosine, 0.0, -sine];
    let back = [sine, 0.0, cosine];
    let along = |axis: [f64; 3]| -axis.iter().zip(eye).map(|(a, e)| a * e).sum::<f64>();
    let up = [0.0, 1.0, 0.0];
    let column = |k: usize| [right[k], up[k], back[k], 0.0];
    let last = [along(right), along(up), along(back), 1.0];
    let (x, y) = (random.real(0.3, 4.0), random.real(0.3, 4.0));
    let projection =
        [[x, 0.0, 0.0, 0.0], [0.0, y, 0.0, 0.0], [0.1, 0.0, 0.0, -1.0], [0.0, 0.0, 0.1, 0.0]];
    let view = View::from_matrices([column(0), column(1), column(2), last], projection);
    view.and_then(|view| view.zoom(zoom)?.frustum_with_margin(5.0)).expect("a perspective")
}

fn rule<N: Real>(random: &mut SplitMix64, has_motion: bool) -> BenefitRule<N> {
    let age = if has_motion { random.unit() } else { 0.0 };
    let speed = if has_motion { random.unit() } else { 0.0 };
    BenefitRule::new(BenefitTerms {
        weights: Weights::normalised(number(1.0), number(age), number(speed)).expect("a total"),
        max_distance: random.percent(50).then(|| number(60.0)),
        bias: number(random.pick(&[0.0, 0.125])),
        max_age: Some(number(10.0)),
        max_speed: Some(number(5.0)),
        ..BenefitTerms::default()
    })
    .expect("valid terms")
}

type Modules = [(ModuleId, host::ModuleId); 2];
type Actors = [(ActorId, host::ActorId)];

/// Sets the policy, and adds two modules with any qualities.
fn add_modules<N: Real, C: WithOptimal + WithPositions>(
    random: &mut SplitMix64,
    has_motion: bool,
    ours: &mut OurScene<N, C>,
    theirs: &mut host::Scene<N>,
) -> Modules {
    let (cost, value) = (UnitCost::from_ns(1.0).expect("a cost"), BenefitValue::from_ns(900));
    let policy = random.pick(&[Policy::default(), Policy::APEX, Policy::Optimal, Policy::Optimal]);
    ours.set_policy(policy).expect("no modules");
    theirs.set_policy(policy).expect("no modules");
    theirs.set_search_moves(0);
    [(); 2].map(|()| {
        let rule = rule::<N>(random, has_motion);
        let (our, their) = (
            Module::new(cost).rule(Box::leak(Box::new(rule))),
            host::Module::new("m", cost).rule(rule),
        );
        let (our, mut their) = if policy != Policy::Optimal || random.percent(50) {
            (our.benefit_value(value), their.benefit_value(value))
        } else {
            (our, their)
        };
        let id = ours.add_module(our).expect("space");
        match random.index(3) {
            0 => {
                let curve = random.pick(QualityCurve::ALL);
                ours.set_module_quality_curve(id, curve).expect("present");
                their = their.quality_curve(curve);
            }
            1 => {
                let table = &TABLES[random.index(2)];
                ours.set_module_qualities(id, table).expect("valid");
                their = their.qualities(*table);
            }
            _ => {}
        }
        (id, theirs.add_module(their).expect("space"))
    })
}

/// Says which actors of a module are in view, or has the frusta tested again.
fn see<N: Real, C: WithOptimal + WithPositions>(
    random: &mut SplitMix64,
    (ours, our_module): (&mut OurScene<N, C>, ModuleId),
    (theirs, their_module): (&mut host::Scene<N>, host::ModuleId),
    actors: &Actors,
) {
    if random.percent(30) {
        ours.test_views(our_module).expect("present");
        theirs.test_views(their_module).expect("present");
        return;
    }
    let in_view = random.next_u64();
    let bits = [0, 32].map(|first| u32::try_from(in_view >> first & 0xffff_ffff).expect("32 bits"));
    ours.set_in_view(our_module, &bits).expect("a bit for each slot");
    let ids: Vec<_> = theirs.states_mut(their_module).expect("present").ids().collect();
    let rows = ids.iter().zip(0..).fold(0_u64, |rows, (id, row)| {
        let slot = actors.iter().find(|(_, their)| their == id).map_or(0, |(our, _)| our.slot());
        rows | (in_view >> slot & 1) << row
    });
    theirs.set_in_view(their_module, &[rows]).expect("a bit for each row");
}

/// Ticks a scene of each kind with the same inputs; `put` sets the state of an actor of the scene without a heap.
fn compare<N: Real, C: WithOptimal + WithPositions>(
    seed: u64,
    has_motion: bool,
    put: impl Fn(&mut OurScene<N, C>, ActorId, ActorState<N>),
) {
    let mut random = SplitMix64::new(seed);
    let mut ours = OurScene::<N, C>::new();
    let mut theirs = host::Scene::<N>::new(Budget::from_ns(0));
    let modules = add_modules(&mut random, has_motion, &mut ours, &mut theirs);
    ours.set_hysteresis(Hysteresis::TYPICAL);
    theirs.set_hysteresis(Hysteresis::TYPICAL);
    let state = |random: &mut SplitMix64| {
        let position = [(); 3].map(|()| number(random.real(-40.0, 40.0)));
        let (age, speed) = (random.real(-1.0, 12.0), random.real(0.0, 6.0));
        let motion = if has_motion { [age, speed] } else { [0.0; 2] };
        ActorState { position, age: number(motion[0]), speed: number(motion[1]) }
    };
    let mut actors = Vec::new();
    let mut views: Vec<host::ViewId> = Vec::new();
    for frame in 0..30 {
        if frame % 5 == 0 && actors.len() < ACTORS {
            for _ in 0..8 {
                let (ours_id, theirs_id) = random.pick(&modules);
                let (state, radius) = (state(&mut random), number(random.real(0.1, 5.0)));
                let work = [0, 40, 200, 700];
                let ours_id = ours.spawn(ours_id, Actor::from_state(state, radius, &work));
                let actor = host::Actor::from_state(state, radius, &work);
                let theirs_id = theirs.spawn(theirs_id, actor).expect("valid");
                actors.push((ours_id.expect("space"), theirs_id));
            }
        }
        let (our_actor, their_actor) = random.pick(&actors);
        if random.percent(50) {
            let state = state(&mut random);
            put(&mut ours, our_actor, state);
            theirs.set_state(their_actor, state).expect("present");
        }
        if random.percent(30) {
            let given = random.percent(50).then(|| Benefit::from_bits(20_000));
            ours.set_benefit_override(our_actor, given).expect("present");
            theirs.set_benefit_override(their_actor, given).expect("present");
        }
        if random.percent(30) {
            let priority = Priority::from_bits(random.within(0, u16::MAX));
            ours.set_priority(our_actor, priority).expect("present");
            theirs.set_priority(their_actor, priority).expect("present");
            let (ours_id, theirs_id) = random.pick(&modules);
            let priority = Priority::from_bits(random.within(2_000, 9_000));
            ours.set_module_priority(ours_id, priority).expect("present");
            theirs.set_module_priority(theirs_id, priority).expect("present");
        }
        if random.percent(20) {
            let (ours_id, theirs_id) = random.pick(&modules);
            let factor = OutsideFactor::new(random.pick(&[1.0, 0.0, 0.3])).expect("in the range");
            ours.set_outside(ours_id, factor).expect("present");
            theirs.set_outside(theirs_id, factor).expect("present");
        }
        if random.percent(20) {
            let (our_module, their_module) = random.pick(&modules);
            see(&mut random, (&mut ours, our_module), (&mut theirs, their_module), &actors);
        }
        // Another number of views begins anew, so the host's scene gets new ones too.
        let count = if random.percent(10) { random.index(4) } else { views.len() };
        if count == views.len() && random.percent(70) {
            let all: Vec<_> = (0..count).map(|_| view::<N>(&mut random)).collect();
            ours.set_views(&all).expect("few");
            for (id, view) in views.iter().zip(all) {
                theirs.set_view(*id, view).expect("present");
            }
        } else if count != views.len() {
            let all: Vec<_> = (0..count).map(|_| view::<N>(&mut random)).collect();
            ours.set_views(&all).expect("few");
            for id in views.drain(..) {
                theirs.remove_view(id).expect("present");
            }
            views = all.into_iter().map(|view| theirs.add_view(view).expect("space")).collect();
        }
        let budget = Budget::from_ns(random.within(500, 9_000));
        theirs.set_budget(budget);
        let (ours, theirs) = (ours.tick(budget), theirs.tick());
        assert_eq!(ours.assigned_ns(), theirs.assigned_ns(), "{} {seed} frame {frame}", N::NAME);
        for &(our_actor, their_actor) in &actors {
            let expected = theirs.actor(their_actor).expect("present");
            assert_eq!(ours.level(our_actor), Some(expected.lod.level()));
        }
        for (ours_id, theirs_id) in modules {
            let target = ours.module(ours_id).map(|module| module.target_ns);
            assert_eq!(target, theirs.module(theirs_id).map(|module| module.target_ns));
        }
    }
}

fn compare_all<N: Real>() {
    fn put<N: Real, C: WithOptimal + WithMotion>(
        scene: &mut OurScene<N, C>,
        id: ActorId,
        state: ActorState<N>,
    ) {
        scene.set_state(id, state).expect("present");
    }
    for seed in 0..60 {
        compare::<N, Everything>(seed, true, put);
        compare::<N, Positions>(seed, false, |scene, id, state| {
            scene.set_position(id, state.position).expect("present");
        });
    }
}

#[test]
fn scenes_with_views_and_priorities_decide_as_on_the_host() {
    compare_all::<f32>();
    compare_all::<Fixed>();
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
fn each_actor_of_a_module_needs_a_bit() {
    let mut scene = OurScene::<f32, Positions>::new();
    let value = BenefitValue::from_ns(1);
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
}
