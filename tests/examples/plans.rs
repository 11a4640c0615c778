//! Digests of the plans of random scenes, to compare two versions of the scheduler.
//!
//! ```text
//! cargo run --release -p lodger-tests --example plans -- 2000 > after.txt
//! ```
//!
//! Each line is a scene under a policy, with or without hysteresis, in `f32`, `f64`, `Fixed` and `Micro`, over eight
//! ticks in which actors, the view, the budget and measured times change. Compare the output of two commits by
//! `diff`.

#![allow(
    clippy::cast_possible_truncation,
    clippy::cast_precision_loss,
    reason = "small random numbers"
)]

use std::fmt::Write as _;
use std::process::ExitCode;
use std::time::Duration;

use lodger_core::benefit::{ActorState, BenefitRule, BenefitTerms, Weights};
use lodger_core::budget::Lod;
use lodger_core::importance::DistanceImportance;
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_core::{Fixed, Micro, Real};
use lodger_scheduler::{
    Actor, ActorId, Hysteresis, Leftovers, Module, ModuleId, Policy, Scene, View,
};
use lodger_testkit::{FNV_START, SplitMix64, fnv1a};

const TICKS: u32 = 8;

const POLICIES: [(&str, Policy); 5] = [
    ("keep", Policy::Proportional(Leftovers::Keep)),
    ("within-module", Policy::Proportional(Leftovers::WithinModule)),
    ("across-modules", Policy::Proportional(Leftovers::AcrossModules)),
    ("whole-budget", Policy::Proportional(Leftovers::WholeBudget)),
    ("optimal", Policy::Optimal),
];
const HYSTERESIS: [(&str, Hysteresis); 2] = [("off", Hysteresis::OFF), ("on", Hysteresis::TYPICAL)];

fn main() -> ExitCode {
    let scenes = match std::env::args().nth(1).map(|count| count.parse::<u64>()) {
        None => 2_000,
        Some(Ok(scenes)) => scenes,
        Some(Err(error)) => {
            eprintln!("error: the number of scenes: {error}");
            return ExitCode::from(2);
        }
    };
    for seed in 0..scenes {
        let mut lines = String::new();
        for policy in POLICIES {
            for hysteresis in HYSTERESIS {
                let digests = [
                    digest::<f32>(seed, policy.1, hysteresis.1),
                    digest::<f64>(seed, policy.1, hysteresis.1),
                    digest::<Fixed>(seed, policy.1, hysteresis.1),
                    digest::<Micro>(seed, policy.1, hysteresis.1),
                ];
                let [single, double, fixed, micro] = digests;
                let (policy, hysteresis) = (policy.0, hysteresis.0);
                let _ = writeln!(
                    lines,
                    "{seed} {policy} {hysteresis} {single:016x} {double:016x} {fixed:016x} {micro:016x}"
                );
            }
        }
        print!("{lines}");
    }
    ExitCode::SUCCESS
}

fn digest<N: Real>(seed: u64, policy: Policy, hysteresis: Hysteresis) -> u64 {
    let mut random = SplitMix64::new(seed);
    let mut scene = Scene::<N>::new(Budget::UNLIMITED);
    scene.set_policy(policy).unwrap();
    scene.set_hysteresis(hysteresis);
    scene.track_changes(true);
    scene.set_max_upgrades((random.below(4) == 0).then(|| random.below(9) as u32));
    scene.set_cautious_start(random.below(4) == 0);
    scene.set_unmanaged_in_budget(random.below(4) > 0);
    let view = scene.add_view(eye(&mut random)).expect("the first view");
    let modules: Vec<ModuleId> = (0..=random.below(4))
        .map(|_| scene.add_module(module(&mut random)).expect("few"))
        .collect();
    let mut actors: Vec<ActorId> = Vec::new();
    for _ in 0..random.below(60) {
        let module = modules[random.below(modules.len() as u64) as usize];
        actors.push(spawn(&mut scene, module, &mut random));
    }

    let mut plans = FNV_START;
    let mut add = |bytes: &[u8]| plans = fnv1a(plans, bytes);
    for _ in 0..TICKS {
        if random.below(2) == 0 {
            scene.set_view(view, eye(&mut random)).expect("the view is there");
        }
        let max = 1 << random.below(20);
        scene.set_budget(match random.below(8) {
            0 => Budget::UNLIMITED,
            _ => Budget::from_ns(random.below(max)),
        });
        scene.advance_ages(number(0.25)).expect("a finite time");
        for &module in &modules {
            let micros = random.below(400);
            if random.below(3) == 0 {
                scene
                    .observe_time(module, 1 + random.below(3_000), Duration::from_micros(micros))
                    .expect("a module");
            }
        }
        for actor in &mut actors {
            let (id, level) = (*actor, random.below(5) as u8);
            match random.below(40) {
                0 => scene.force_lod(id, Some(Lod::new(level, 0))).expect("an actor"),
                1 => scene.force_lod(id, None).expect("an actor"),
                2 => scene.set_visible(id, level > 2).expect("an actor"),
                3 => {
                    let module = scene.module_of(id).expect("an actor");
                    scene.despawn(id).expect("an actor");
                    *actor = spawn(&mut scene, module, &mut random);
                }
                4..=9 => scene.set_state(id, state(&mut random)).expect("an actor"),
                _ => {}
            }
        }
        let plan = scene.tick();
        let mut text = String::new();
        let _ = write!(
            text,
            "{:?} {} {} {:?} {:?} {} {:?} {}",
            plan.scale(),
            plan.assigned_ns(),
            plan.reserved_ns(),
            plan.price(),
            plan.certificate().map(|bounds| (bounds.value, bounds.upper_bound)),
            plan.switches(),
            plan.load(),
            plan.overcommit_ns()
        );
        add(text.as_bytes());
        for actor in plan.actors() {
            add(&actor.benefit.bits().to_le_bytes());
            add(&[actor.lod.level()]);
            add(&actor.lod.fraction().to_le_bytes());
        }
        for change in plan.changes() {
            add(format!("{:?} {:?}", change.from, change.to).as_bytes());
        }
    }
    plans
}

fn module<N: Real>(random: &mut SplitMix64) -> Module<N> {
    let weights = [[1.0, 0.0, 0.0], [0.5, 0.25, 0.25], [0.5, 0.5, 0.0], [0.75, 0.0, 0.25]];
    let [distance, age, speed] = weights[random.below(4) as usize].map(number);
    let weights = Weights::new(distance, age, speed).expect("their sum is 1");
    let distance_importance = match random.below(2) {
        0 => DistanceImportance::Angular,
        _ => DistanceImportance::SolidAngle,
    };
    let terms = BenefitTerms {
        distance_importance,
        max_distance: (random.below(2) == 0).then(|| number(40.0)),
        weights,
        bias: number(0.125),
        max_age: Some(number(20.0)),
        max_speed: Some(number(8.0)),
    };
    let unit = UnitCost::from_ns(1.0 + random.below(8) as f64 / 2.0).expect("a cost");
    Module::new("module", unit)
        .benefit_value(BenefitValue::from_ns(1 + random.below(1 << 16) as u32))
        .rule(BenefitRule::new(terms).expect("sound terms"))
        .continuous(random.below(4) == 0)
        .managed(random.below(8) > 0)
        .overhead(random.below(40) as u32)
}

fn spawn<N: Real>(scene: &mut Scene<N>, module: ModuleId, random: &mut SplitMix64) -> ActorId {
    let mut work = vec![0; 1 + random.below(6) as usize];
    for level in 1..work.len() {
        work[level] = work[level - 1] + 1 + random.below(400) as u32;
    }
    let mut actor = Actor::from_state(state(random), number(1.0), &work);
    if random.below(8) == 0 {
        actor = actor.lod_range(0..=random.below(work.len() as u64) as u8);
    }
    scene.spawn(module, actor).expect("a sound actor")
}

fn eye<N: Real>(random: &mut SplitMix64) -> View<N> {
    View::from_position(position(random)).expect("a finite position")
}

fn state<N: Real>(random: &mut SplitMix64) -> ActorState<N> {
    let position = position(random);
    ActorState { position, age: number(random.unit() * 30.0), speed: number(random.unit() * 10.0) }
}

fn position<N: Real>(random: &mut SplitMix64) -> [N; 3] {
    [(); 3].map(|()| number(random.unit() * 100.0 - 50.0))
}

fn number<N: Real>(value: f64) -> N {
    N::from_f64(value).expect("a small number")
}
