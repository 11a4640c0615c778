//! The host's scene and the one without a heap decide the same, whatever is done to both.

use std::fmt::Debug;
use std::time::Duration;

use lodger_core::Real;
use lodger_heapless::{
    Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, DistanceImportance, Fixed, Full,
    HeadroomTarget, Leftovers, Lod, Policy, SceneError, Stability, State, UnitCost, Weights,
};
use proptest::prelude::*;

type Heapless<N> = lodger_heapless::Scene<N, 3, 12, 16>;
type Host<N> = lodger_scheduler::Scene<N>;
type Ids = (lodger_heapless::ActorId, lodger_scheduler::ActorId);

const WORKS: [&[u32]; 5] =
    [&[0, 40, 160], &[10, 20, 20, 90], &[300], &[0, 5, 1_000_000_000], &[1, 2, 3, 4, 5]];

#[derive(Debug, Clone)]
struct Spawn {
    state: [f64; 5],
    radius: f64,
    given: Option<u32>,
    work: usize,
    range: Option<(u8, u8)>,
    forced: Option<f64>,
}

#[derive(Debug, Clone)]
enum Call {
    Module { unit_cost: f64, value: u32, rule: Option<u8>, managed: bool, overhead: u32 },
    Spawn(usize, Spawn),
    Despawn(usize),
    State(usize, [f64; 5]),
    Position(usize, [f64; 3]),
    Age(usize, f64),
    Speed(usize, f64),
    Radius(usize, f64),
    Benefit(usize, Option<u32>),
    Force(usize, Option<f64>),
    Range(usize, (u8, u8)),
    Cap(usize, Option<u8>),
    Managed(usize, bool),
    UnitCost(usize, f64),
    Overhead(usize, u32),
    Value(usize, u32),
    Advance(f64),
    Eyes(Vec<[f64; 3]>),
    Policy(u8),
    Stability(bool),
    MaxRaises(Option<u32>),
    CountUnmanaged(bool),
    Headroom(Option<f64>),
    Measured(usize, u64),
    Tick(Option<u64>),
    Frames(u64, f64),
}

fn place() -> impl Strategy<Value = [f64; 3]> {
    [-30.0..30.0, -2.0..2.0, 0.0..40.0]
}

fn state() -> impl Strategy<Value = [f64; 5]> {
    // A speed below 0 is not sound.
    (place(), -1.0..8.0, -0.5..4.0).prop_map(|([x, y, z], age, speed)| [x, y, z, age, speed])
}

fn call() -> impl Strategy<Value = Call> {
    let module = 0..4_usize;
    let actor = 0..24_usize;
    let bits = || prop_oneof![Just(0_u32), 0..200_000_u32];
    let range = || (0..4_u8, 0..5_u8);
    let spawn = (
        state(),
        -0.1..3.0,
        prop::option::of(bits()),
        0..WORKS.len(),
        prop::option::weighted(0.3, range()),
        prop::option::weighted(0.2, 0.0..5.0),
    );
    let spawn = spawn.prop_map(|(state, radius, given, work, range, forced)| Spawn {
        state,
        radius,
        given,
        work,
        range,
        forced,
    });
    let rare = prop_oneof![
        (module.clone(), prop::option::of(0..4_u8)).prop_map(|(m, cap)| Call::Cap(m, cap)),
        (module.clone(), any::<bool>()).prop_map(|(m, managed)| Call::Managed(m, managed)),
        (module.clone(), 0.5..2_000.0).prop_map(|(m, cost)| Call::UnitCost(m, cost)),
        (module.clone(), 0..400_u32).prop_map(|(m, units)| Call::Overhead(m, units)),
        (module.clone(), 0..400_000_u32).prop_map(|(m, value)| Call::Value(m, value)),
        prop::collection::vec(place(), 0..3).prop_map(Call::Eyes),
        (0..5_u8).prop_map(Call::Policy),
        any::<bool>().prop_map(Call::Stability),
        prop::option::of(0..4_u32).prop_map(Call::MaxRaises),
        any::<bool>().prop_map(Call::CountUnmanaged),
        prop::option::of(0.001..0.4).prop_map(Call::Headroom),
        (1_000..400_000_u64, 0.5..1.6).prop_map(|(budget, wrong)| Call::Frames(budget, wrong)),
    ];
    let new_module =
        (0.5..2_000.0, 0..400_000_u32, prop::option::of(0..4_u8), any::<bool>(), 0..50_u32);
    prop_oneof![
        1 => new_module.prop_map(|(unit_cost, value, rule, unmanaged, overhead)| Call::Module {
            unit_cost, value, rule, managed: !unmanaged || value % 2 == 0, overhead,
        }),
        8 => (module.clone(), spawn).prop_map(|(module, spawn)| Call::Spawn(module, spawn)),
        3 => actor.clone().prop_map(Call::Despawn),
        2 => (actor.clone(), state()).prop_map(|(actor, state)| Call::State(actor, state)),
        2 => (actor.clone(), place()).prop_map(|(actor, place)| Call::Position(actor, place)),
        1 => (actor.clone(), -1.0..8.0).prop_map(|(actor, age)| Call::Age(actor, age)),
        1 => (actor.clone(), -1.0..8.0).prop_map(|(actor, speed)| Call::Speed(actor, speed)),
        1 => (actor.clone(), -0.1..3.0).prop_map(|(actor, radius)| Call::Radius(actor, radius)),
        2 => (actor.clone(), prop::option::of(bits())).prop_map(|(a, b)| Call::Benefit(a, b)),
        2 => (actor.clone(), prop::option::of(0.0..5.0)).prop_map(|(a, lod)| Call::Force(a, lod)),
        2 => (actor.clone(), range()).prop_map(|(actor, range)| Call::Range(actor, range)),
        1 => (-0.5..1.0).prop_map(Call::Advance),
        6 => rare,
        3 => (module.clone(), 0..300_000_u64).prop_map(|(m, time)| Call::Measured(m, time)),
        6 => prop::option::weighted(0.95, 0..600_000_u64).prop_map(Call::Tick),
    ]
}

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).unwrap()
}

fn numbers<N: Real, const NUMBERS: usize>(values: [f64; NUMBERS]) -> [N; NUMBERS] {
    values.map(number)
}

fn sound<N: Real>([x, y, z, age, speed]: [f64; 5]) -> State<N> {
    State { position: numbers([x, y, z]), age: number(age), speed: number(speed) }
}

fn rule<N: Real>(kind: u8) -> BenefitRule<N> {
    let [d, a, s] =
        [[1.0, 0.0, 0.0], [0.5, 0.5, 0.0], [0.25, 0.25, 0.5], [0.0, 0.0, 1.0]][usize::from(kind)];
    let angular = kind % 2 == 1;
    BenefitRule::new(BenefitTerms {
        distance_importance: if angular {
            DistanceImportance::Angular
        } else {
            DistanceImportance::SolidAngle
        },
        max_distance: angular.then(|| number(35.0)),
        weights: Weights::new(number(d), number(a), number(s)).unwrap(),
        bias: number(f64::from(kind) / 16.0),
        max_age: Some(number(6.0)),
        max_speed: Some(number(3.0)),
    })
    .unwrap()
}

fn policy(kind: u8) -> Policy {
    match kind {
        0 => Policy::Proportional(Leftovers::Keep),
        1 => Policy::Proportional(Leftovers::WithinModule),
        2 => Policy::Proportional(Leftovers::AcrossModules),
        3 => Policy::Proportional(Leftovers::WholeBudget),
        _ => Policy::Optimal,
    }
}

fn lod(number: Option<f64>) -> Option<Lod> {
    number.map(|lod| Lod::from_f64(lod).unwrap())
}

/// Both scenes, and all handles that either ever gave.
struct Both<N: Real> {
    heapless: Heapless<N>,
    host: Host<N>,
    modules: Vec<(lodger_heapless::ModuleId, lodger_scheduler::ModuleId)>,
    ids: Vec<Ids>,
}

impl<N: Real> Both<N> {
    fn new() -> Self {
        let mut host = Host::new(Budget::from_ns(0));
        host.set_trials(0);
        host.track_changes(true);
        Self { heapless: Heapless::new(), host, modules: Vec::new(), ids: Vec::new() }
    }

    fn module(
        &self,
        index: usize,
    ) -> Option<(lodger_heapless::ModuleId, lodger_scheduler::ModuleId)> {
        self.modules.get(index).copied()
    }

    fn add_module(&mut self, call: &Call) {
        let &Call::Module { unit_cost, value, rule: kind, managed, overhead } = call else {
            return;
        };
        let (unit_cost, value) =
            (UnitCost::from_ns(unit_cost).unwrap(), BenefitValue::from_ns(value));
        let mut ours = lodger_heapless::Module::new(unit_cost, value);
        let mut theirs = lodger_scheduler::Module::new("module", unit_cost, value);
        if let Some(kind) = kind {
            (ours, theirs) = (ours.rule(rule(kind)), theirs.rule(rule(kind)));
        }
        match self.heapless.add_module(ours.managed(managed).overhead(overhead)) {
            Ok(id) => {
                let theirs = theirs.managed(managed).overhead(overhead);
                self.modules.push((id, self.host.add_module(theirs).unwrap()));
            }
            Err(error) => {
                assert_eq!((error, self.modules.len()), (SceneError::Full(Full::Modules), 3));
            }
        }
    }

    fn spawn(&mut self, module: usize, spawn: &Spawn) {
        let Some((ours, theirs)) = self.module(module) else { return };
        let (state, radius) = (sound(spawn.state), number(spawn.radius));
        let work = WORKS[spawn.work];
        let mut actor = lodger_heapless::Actor::in_state(state, radius, work);
        let mut same = lodger_scheduler::Actor::in_state(state, radius, work);
        if let Some(bits) = spawn.given {
            let benefit = Benefit::from_bits(bits);
            actor = lodger_heapless::Actor::given(benefit, work);
            same = lodger_scheduler::Actor::given(benefit, work);
        }
        if let Some((low, high)) = spawn.range {
            (actor, same) = (actor.lod_range(low..=high), same.lod_range(low..=high));
        }
        if let Some(lod) = lod(spawn.forced) {
            (actor, same) = (actor.forced(lod), same.forced(lod));
        }
        match self.heapless.spawn(ours, actor) {
            Ok(id) => {
                let other = self.host.spawn(theirs, same).unwrap();
                assert_eq!(id.slot(), usize::try_from(other.slot()).unwrap());
                self.ids.push((id, other));
            }
            Err(refused) => match refused.why {
                SceneError::Full(full) => {
                    assert_eq!(refused.actor, actor);
                    assert!(full != Full::Actors || self.host.len() == 12);
                }
                _ => assert!(self.host.spawn(theirs, same).is_err()),
            },
        }
    }

    /// Does something to an actor in both, which either refuses or neither.
    fn to<T, E: Debug, U, F: Debug>(
        &mut self,
        actor: usize,
        ours: impl FnOnce(&mut Heapless<N>, lodger_heapless::ActorId) -> Result<T, E>,
        theirs: impl FnOnce(&mut Host<N>, lodger_scheduler::ActorId) -> Result<U, F>,
    ) {
        // Handles that are stale, too, but mostly the latest.
        let Some(&(id, other)) = self.ids.iter().rev().nth(actor) else { return };
        let ours = ours(&mut self.heapless, id).map(|_| ()).map_err(|error| format!("{error:?}"));
        let theirs = theirs(&mut self.host, other).map(|_| ());
        assert_eq!(ours.is_ok(), theirs.is_ok(), "{ours:?} {theirs:?}");
    }

    fn measured(&mut self, module: usize, time: u64) {
        let Some((ours, theirs)) = self.module(module) else { return };
        let units = self.host.plan().module(theirs).map_or(0, |plan| plan.units);
        self.heapless.measured(ours, time).unwrap();
        self.host.measured(theirs, units, Duration::from_nanos(time)).unwrap();
        assert_eq!(self.heapless.unit_cost(ours), self.host.unit_cost(theirs));
        assert_eq!(self.heapless.raw_unit_cost(ours), self.host.raw_unit_cost(theirs));
    }

    fn call(&mut self, call: &Call) {
        match *call {
            Call::Module { .. } => self.add_module(call),
            Call::Spawn(module, ref spawn) => self.spawn(module, spawn),
            Call::Despawn(a) => self.to(a, Heapless::despawn, Host::despawn),
            Call::State(a, s) => {
                self.to(a, |x, i| x.set_state(i, sound(s)), |x, i| x.set_state(i, sound(s)));
            }
            Call::Position(a, p) => {
                let p = numbers(p);
                self.to(a, |x, i| x.set_position(i, p), |x, i| x.set_position(i, p));
            }
            Call::Age(a, t) => {
                self.to(a, |x, i| x.set_age(i, number(t)), |x, i| x.set_age(i, number(t)));
            }
            Call::Speed(a, v) => {
                self.to(a, |x, i| x.set_speed(i, number(v)), |x, i| x.set_speed(i, number(v)));
            }
            Call::Radius(a, r) => {
                self.to(a, |x, i| x.set_radius(i, number(r)), |x, i| x.set_radius(i, number(r)));
            }
            Call::Benefit(a, bits) => {
                let given = bits.map(Benefit::from_bits);
                self.to(a, |x, i| x.set_benefit(i, given), |x, i| x.set_benefit(i, given));
            }
            Call::Force(a, forced) => {
                let forced = lod(forced);
                self.to(a, |x, i| x.force_lod(i, forced), |x, i| x.force_lod(i, forced));
            }
            Call::Range(a, (low, high)) => self.range(a, low, high),
            Call::Measured(module, time) => self.measured(module, time),
            Call::Advance(seconds) => {
                self.heapless.advance_ages(number(seconds)).unwrap();
                self.host.advance_ages(number(seconds)).unwrap();
            }
            Call::Eyes(ref eyes) => {
                let eyes: Vec<[N; 3]> = eyes.iter().map(|&eye| numbers(eye)).collect();
                self.heapless.look_from(&eyes).unwrap();
                let views: Vec<_> = self.host.views().map(|(id, _)| id).collect();
                for view in views {
                    self.host.remove_view(view).unwrap();
                }
                for eye in eyes {
                    self.host.add_view(lodger_scheduler::View::eye(eye).unwrap()).unwrap();
                }
            }
            Call::Policy(kind) => {
                self.heapless.set_policy(policy(kind));
                self.host.set_policy(policy(kind));
            }
            Call::Stability(on) => {
                let stability = if on { Stability::STEADY } else { Stability::OFF };
                self.heapless.set_stability(stability);
                self.host.set_stability(stability);
            }
            Call::MaxRaises(most) => {
                self.heapless.set_max_raises(most);
                self.host.set_max_raises(most);
            }
            Call::CountUnmanaged(count) => {
                self.heapless.set_count_unmanaged(count);
                self.host.set_count_unmanaged(count);
            }
            Call::Headroom(target) => {
                let target = target.map(|part| HeadroomTarget::new(part).unwrap());
                self.heapless.set_headroom_target(target);
                self.host.set_headroom_target(target);
            }
            Call::Tick(budget) => self.tick(budget.map_or(Budget::UNLIMITED, Budget::from_ns)),
            Call::Frames(budget, wrong) => self.frames(budget, wrong),
            _ => self.of_module(call),
        }
    }

    fn of_module(&mut self, call: &Call) {
        let (&Call::Cap(module, _)
        | &Call::Managed(module, _)
        | &Call::UnitCost(module, _)
        | &Call::Overhead(module, _)
        | &Call::Value(module, _)) = call
        else {
            return;
        };
        let Some((ours, theirs)) = self.module(module) else { return };
        let (heapless, host) = (&mut self.heapless, &mut self.host);
        let (did, same) = match *call {
            Call::Cap(_, cap) => (heapless.set_lod_cap(ours, cap), host.set_lod_cap(theirs, cap)),
            Call::Managed(_, on) => (heapless.set_managed(ours, on), host.set_managed(theirs, on)),
            Call::UnitCost(_, ns) => {
                let cost = UnitCost::from_ns(ns).unwrap();
                (heapless.set_unit_cost(ours, cost), host.set_unit_cost(theirs, cost))
            }
            Call::Overhead(_, units) => {
                (heapless.set_overhead(ours, units), host.set_overhead(theirs, units))
            }
            Call::Value(_, ns) => {
                let value = BenefitValue::from_ns(ns);
                (heapless.set_benefit_value(ours, value), host.set_benefit_value(theirs, value))
            }
            _ => return,
        };
        assert_eq!(did.is_ok(), same.is_ok());
    }

    fn range(&mut self, actor: usize, low: u8, high: u8) {
        let Some(&(id, other)) = self.ids.iter().rev().nth(actor) else { return };
        match self.heapless.set_lod_range(id, low..=high) {
            Err(SceneError::Full(Full::Costs)) => {}
            did => assert_eq!(did.is_ok(), self.host.set_lod_range(other, low..=high).is_ok()),
        }
        assert_eq!(self.heapless.lod_range(id), self.host.lod_range(other));
        assert_eq!(self.heapless.work(id), self.host.work(other));
    }

    /// Enough frames for the headroom to follow what they took.
    fn frames(&mut self, budget: u64, wrong: f64) {
        for frame in 0..45 {
            self.tick(Budget::from_ns(budget));
            for module in 0..self.modules.len() {
                let planned = self.host.plan().module(self.modules[module].1).unwrap().assigned_ns;
                let noise = 1.0 + f64::from(frame * 7 % 5) / 20.0;
                #[allow(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    clippy::cast_precision_loss
                )]
                self.measured(module, (planned as f64 * wrong * noise) as u64);
            }
        }
    }

    fn tick(&mut self, budget: Budget) {
        self.host.set_budget(budget);
        let (plan, same) = (self.heapless.tick(budget), self.host.tick());
        let decision = plan.decision();
        assert_eq!(
            (decision.scale, decision.price, decision.certificate, decision.flips),
            (same.scale(), same.price(), same.certificate(), same.flips()),
        );
        assert_eq!(
            (plan.fixed_ns(), plan.assigned_ns(), plan.overcommit_ns(), plan.quarantined()),
            (same.fixed_ns(), same.assigned_ns(), same.overcommit_ns(), same.quarantined()),
        );
        assert_eq!(
            (plan.budget(), plan.load(), plan.headroom()),
            (same.budget(), same.load(), same.headroom())
        );
        for &(id, other) in &self.ids {
            assert_eq!(plan.level(id), same.lod(other).map(Lod::level));
        }
        for &(ours, theirs) in &self.modules {
            let (module, same) = (plan.module(ours).unwrap(), same.module(theirs).unwrap());
            assert_eq!(
                (module.units, module.assigned_ns, module.target_ns, module.actors),
                (same.units, same.assigned_ns, same.target_ns, same.actors),
            );
            assert_eq!((module.unit_cost, module.overhead), (same.unit_cost, same.overhead));
            assert_eq!(plan.levels(ours).count(), module.actors);
        }
        let slot = |slot: u32| usize::try_from(slot).unwrap();
        let changes: Vec<_> =
            plan.changes().map(|it| (it.actor.slot(), it.module.index(), it.from, it.to)).collect();
        let others = same.changes().iter();
        let others: Vec<_> = others
            .map(|it| (slot(it.actor.slot()), usize::from(it.module.index()), it.from, it.to))
            .collect();
        assert_eq!(changes, others);
    }
}

fn run<N: Real>(calls: &[Call]) {
    let mut both = Both::<N>::new();
    for call in calls {
        both.call(call);
        assert_eq!(both.heapless.len(), both.host.len());
        for &(id, other) in &both.ids {
            assert_eq!(both.heapless.contains(id), both.host.contains(other));
            let module = both.heapless.module_of(id).map(lodger_heapless::ModuleId::index);
            assert_eq!(module, both.host.module_of(other).map(|id| id.index().into()));
            assert_eq!(both.heapless.state(id), both.host.state(other));
        }
    }
    both.tick(Budget::from_ns(50_000));
}

/// Modules first, so that there is something to call.
fn calls() -> impl Strategy<Value = Vec<Call>> {
    let module = (0.5..2_000.0, 0..400_000_u32, prop::option::of(0..4_u8), 0..50_u32);
    let module = module.prop_map(|(unit_cost, value, rule, overhead)| Call::Module {
        unit_cost,
        value,
        rule,
        managed: true,
        overhead,
    });
    let modules = prop::collection::vec(module, 1..3);
    (modules, prop::collection::vec(call(), 1..120)).prop_map(|(mut calls, others)| {
        calls.extend(others);
        calls
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, ..ProptestConfig::default() })]

    #[test]
    fn in_floats(calls in calls()) {
        run::<f32>(&calls);
    }

    #[test]
    fn in_fixed_point(calls in calls()) {
        run::<Fixed>(&calls);
    }
}
