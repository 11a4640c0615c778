//! A tick of scenes from a thousand to a million actors, beside a plain pass over the same memory.
//!
//! Caches are warm and the view does not move. `lodger bench` measures the costs in a game.

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use lodger_scheduler::{
    Actor, ActorState, BenefitRule, BenefitTerms, BenefitValue, Budget, Leftovers, Module, Policy,
    Scene, UnitCost, View, Weights,
};

const MODULES: u32 = 4;

/// Returns a number from 0 to 1, scattered but the same in every run.
fn unit(i: u32) -> f32 {
    let mut x = i.wrapping_mul(0x9E37_79B9) ^ 0x5bd1_e995;
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^= x >> 12;
    f32::from_bits(0x3f80_0000 | x >> 9) - 1.0
}

fn scene(actors: u32, leftovers: Leftovers) -> Scene<f32> {
    let build = || -> Result<Scene<f32>, Box<dyn std::error::Error>> {
        let mut scene = Scene::new(Budget::from_ns(u64::from(actors) * 100));
        scene.set_policy(Policy::Proportional(leftovers)).unwrap();
        scene.add_view(View::from_position([250.0, 250.0, 2.0])?)?;
        let rule = BenefitRule::new(BenefitTerms {
            max_distance: Some(200.0),
            weights: Weights::new(0.7, 0.3, 0.0)?,
            max_age: Some(10.0),
            ..BenefitTerms::default()
        })?;
        let modules = (0..MODULES)
            .map(|m| {
                let value = BenefitValue::from_ns(1_000 * (m + 1));
                let module = Module::new(format!("module {m}"), UnitCost::from_ns(0.5)?)
                    .benefit_value(value);
                Ok(scene.add_module(module.rule(rule))?)
            })
            .collect::<Result<Vec<_>, Box<dyn std::error::Error>>>()?;
        for i in 0..actors {
            let position = [unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)].map(|x| x * 500.0);
            let state = ActorState { position, age: 20.0 * unit(11 * i), speed: 0.0 };
            let radius = 0.1 + 4.0 * unit(7 * i);
            let actor = Actor::from_state(state, radius, &[0, 60, 250, 1_000, 4_000]).key(i.into());
            scene.spawn(modules[(i % MODULES) as usize], actor)?;
        }
        Ok(scene)
    };
    build().unwrap_or_else(|error| unreachable!("the numbers above are valid: {error}"))
}

fn ticks(c: &mut Criterion) {
    for actors in [1_000, 100_000, 1_000_000] {
        let mut group = c.benchmark_group(format!("tick, {actors} actors"));
        group.sample_size(20);
        group.throughput(Throughput::Elements(actors.into()));
        for leftovers in [
            Leftovers::Keep,
            Leftovers::WithinModule,
            Leftovers::AcrossModules,
            Leftovers::WholeBudget,
        ] {
            let mut scene = scene(actors, leftovers);
            let id = BenchmarkId::from_parameter(format!("{leftovers:?}"));
            group.bench_function(id, |b| b.iter(|| black_box(scene.tick().assigned_ns())));
        }
        let mut listed = scene(actors, Leftovers::Keep);
        listed.track_changes(true);
        group.bench_function("Keep, changes listed", |b| {
            b.iter(|| black_box(listed.tick().changes().len()));
        });
        let (mut words, mut bytes) = (vec![0; actors as usize], vec![0; actors as usize]);
        group.bench_function("plain pass over the same memory", |b| {
            b.iter(|| {
                black_box(&listed).memory_pass(&mut words, &mut bytes);
                black_box((words.as_ptr(), bytes.as_ptr()));
            });
        });
    }
}

/// Positions that are set in bulk, in the order of rows or by key, and one by one.
fn positions(c: &mut Criterion) {
    for actors in [1_000, 100_000, 1_000_000] {
        let mut group = c.benchmark_group(format!("positions, {actors} actors"));
        group.sample_size(20);
        group.throughput(Throughput::Elements(actors.into()));
        let mut scene = scene(actors, Leftovers::Keep);
        let ids: Vec<_> = scene.actors().collect();
        let modules: Vec<_> = scene.modules().collect();
        let positions: Vec<[f32; 3]> =
            (0..actors).map(|i| [unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)]).collect();
        group.bench_function("states_mut, in the order of rows", |b| {
            b.iter(|| {
                for (&module, positions) in
                    modules.iter().zip(positions.chunks(positions.len() / 4))
                {
                    let Ok(rows) = scene.states_mut(module) else { continue };
                    let places = rows.x.iter_mut().zip(rows.y).zip(rows.z);
                    for (((x, y), z), position) in places.zip(positions) {
                        [*x, *y, *z] = *position;
                    }
                }
                black_box(&mut scene);
            });
        });
        group.bench_function("states_mut, by key", |b| {
            b.iter(|| {
                for &module in &modules {
                    let Ok(rows) = scene.states_mut(module) else { continue };
                    let places = rows.x.iter_mut().zip(rows.y).zip(rows.z);
                    for (key, ((x, y), z)) in rows.keys.iter().zip(places) {
                        let Ok(key) = usize::try_from(*key) else { continue };
                        [*x, *y, *z] = positions[key];
                    }
                }
                black_box(&mut scene);
            });
        });
        group.bench_function("set_position, by handle", |b| {
            b.iter(|| {
                for (&id, &position) in ids.iter().zip(&positions) {
                    let _ = scene.set_position(id, position);
                }
                black_box(&mut scene);
            });
        });
    }
}

criterion_group!(tick, ticks, positions);
criterion_main!(tick);
