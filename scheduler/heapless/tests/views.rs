//! Scenes with views and priorities: the same benefits and levels as on the host.

use lodger_heapless::{
    Actor, ActorState, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, Columns,
    Everything, Fixed, Hysteresis, Module, OutsideFactor, Positions, Prioritised, Priority, Real,
    Scene, UnitCost, View, Viewed, Weights, WithMotion, WithPositions,
};
use lodger_scheduler as host;
use lodger_testkit::SplitMix64;

const ACTORS: usize = 40;

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

/// Ticks a scene of each kind with the same inputs; `put` sets the state of an actor of the scene without a heap.
fn compare<N: Real, C: Columns + WithPositions>(
    seed: u64,
    has_motion: bool,
    put: impl Fn(
        &mut Scene<N, 2, ACTORS, 12, Prioritised<Viewed<C>>>,
        lodger_heapless::ActorId,
        ActorState<N>,
    ),
) {
    let mut random = SplitMix64::new(seed);
    let mut ours = Scene::<N, 2, ACTORS, 12, Prioritised<Viewed<C>>>::new();
    let mut theirs = host::Scene::<N>::new(Budget::from_ns(0));
    let cost = UnitCost::from_ns(1.0).expect("a cost");
    let value = BenefitValue::from_ns(900);
    let modules = [(); 2].map(|()| {
        let rule = rule::<N>(&mut random, has_motion);
        let id = ours.add_module(Module::new(cost, value).rule(rule)).expect("space");
        let module = host::Module::new("m", cost).benefit_value(value).rule(rule);
        (id, theirs.add_module(module).expect("space"))
    });
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
    fn put<N: Real, C: Columns + WithMotion>(
        scene: &mut Scene<N, 2, ACTORS, 12, Prioritised<Viewed<C>>>,
        id: lodger_heapless::ActorId,
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
