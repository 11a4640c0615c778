//! The cost of the plugin over the bare tick: 100 000 entities without a window, in one thread.
//!
//! `cargo bench -p bevy_lodger` prints medians of one run. Frames of a bare scene and of an app with the same actors
//! alternate, so that other load affects both. An app's frame is the plugin's schedule; writing transforms before it is
//! not timed.

use std::hint::black_box;
use std::time::{Duration, Instant};

use bevy_app::App;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::Messages;
use bevy_ecs::schedule::ScheduleLabel;
use bevy_lodger::scheduler::{
    Actor, ActorId, BenefitRule, BenefitTerms, BenefitValue, Budget, Leftovers, Module, Policy,
    Scene, UnitCost, View,
};
use bevy_lodger::{
    LodActor, LodChanged, LodModulePlugin, LodSettings, LodView, LodgerPlugin, SpawnLods,
};
use bevy_reflect::TypePath;
use bevy_transform::components::GlobalTransform;

const ACTORS: u32 = 100_000;
const FRAMES: usize = 201;
const WORK: &[u32] = &[0, 60, 250, 1_000, 4_000];

#[derive(TypePath)]
struct Animation;

#[derive(Debug, Clone, PartialEq, Eq, Hash, ScheduleLabel)]
struct BenchFrame;

fn unit(i: u32) -> f32 {
    let mut x = i.wrapping_mul(0x9E37_79B9) ^ 0x5bd1_e995;
    x ^= x >> 15;
    x = x.wrapping_mul(0x2C1B_3C6D);
    x ^= x >> 12;
    f32::from_bits(0x3f80_0000 | x >> 9) - 1.0
}

fn place(i: u32) -> [f32; 3] {
    [unit(3 * i), unit(3 * i + 1), unit(3 * i + 2)].map(|x| x * 500.0)
}

fn radius(i: u32) -> f32 {
    0.1 + 4.0 * unit(7 * i)
}

/// A position that sways by 2 cm from frame to frame.
fn swayed(place: [f32; 3], frame: usize) -> [f32; 3] {
    let by = if frame.is_multiple_of(2) { 0.02 } else { -0.02 };
    [place[0] + by, place[1], place[2]]
}

fn budget() -> Budget {
    Budget::from_ns(u64::from(ACTORS) * 100)
}

fn module() -> Module<f32> {
    let build = || -> Result<_, bevy_lodger::scheduler::lodger_core::ValueError> {
        let terms = BenefitTerms { max_distance: Some(200.0), ..BenefitTerms::default() };
        let module = Module::new("animation", UnitCost::from_ns(0.5)?)
            .benefit_value(BenefitValue::from_ns(2_000));
        Ok(module.rule(BenefitRule::new(terms)?))
    };
    build().unwrap_or_else(|error| unreachable!("the numbers above are valid: {error}"))
}

#[derive(Clone, Copy)]
enum SpawnMethod {
    /// Without the plugin's components.
    Alone,
    AloneInBatch,
    OneByOne,
    InBatch,
}

impl SpawnMethod {
    fn name(self) -> &'static str {
        match self {
            Self::Alone => "no actors, one by one",
            Self::AloneInBatch => "no actors, spawn_batch",
            Self::OneByOne => "actors, one by one",
            Self::InBatch => "actors, spawn_lods",
        }
    }
}

struct Bare {
    scene: Scene<f32>,
    actors: Vec<ActorId>,
}

impl Bare {
    fn new(policy: Policy) -> Self {
        let mut scene = Scene::new(budget());
        scene.set_policy(policy).expect("no module");
        let eye = View::from_position([250.0, 250.0, 2.0]).expect("finite");
        scene.add_view(eye).expect("the first");
        let module = scene.add_module(module()).expect("the first");
        let actors = (0..ACTORS).map(|i| Actor::at(place(i), radius(i), WORK));
        let actors = scene.spawn_many(module, actors).expect("valid").ids().collect();
        Self { scene, actors }
    }

    fn move_all(&mut self, frame: usize) {
        for (&actor, i) in self.actors.iter().zip(0..) {
            self.scene.set_position(actor, swayed(place(i), frame)).expect("is there");
        }
    }

    fn tick(&mut self) -> Duration {
        let start = Instant::now();
        black_box(self.scene.tick().assigned_ns());
        start.elapsed()
    }
}

struct World {
    app: App,
    entities: Vec<Entity>,
}

impl World {
    fn new(policy: Policy) -> Self {
        let mut app = App::new();
        let settings = LodSettings { policy, ..LodSettings::default() };
        app.init_schedule(BenchFrame);
        app.add_plugins((
            LodgerPlugin::new(budget()).with_settings(settings).in_schedule(BenchFrame),
            LodModulePlugin::<Animation>::new(module()),
        ));
        app.world_mut().spawn((GlobalTransform::from_xyz(250.0, 250.0, 2.0), LodView));
        Self { app, entities: Vec::new() }
    }

    fn spawn(&mut self, way: SpawnMethod) -> Duration {
        let world = self.app.world_mut();
        let place = |i| at(place(i));
        let actor = |i| (place(i), LodActor::<Animation>::new(radius(i), WORK));
        let start = Instant::now();
        self.entities = match way {
            SpawnMethod::Alone => (0..ACTORS).map(|i| world.spawn(place(i)).id()).collect(),
            SpawnMethod::AloneInBatch => world.spawn_batch((0..ACTORS).map(place)).collect(),
            SpawnMethod::OneByOne => (0..ACTORS).map(|i| world.spawn(actor(i)).id()).collect(),
            SpawnMethod::InBatch => world.spawn_lods::<Animation, _>((0..ACTORS).map(actor)),
        };
        start.elapsed()
    }

    fn move_all(&mut self, frame: usize) {
        let world = self.app.world_mut();
        for (&entity, i) in self.entities.iter().zip(0..) {
            *world.get_mut::<GlobalTransform>(entity).expect("is there") =
                at(swayed(place(i), frame));
        }
    }

    fn frame(&mut self) -> (Duration, usize) {
        let world = self.app.world_mut();
        let start = Instant::now();
        world.run_schedule(BenchFrame);
        let time = start.elapsed();
        let changes = world.resource_mut::<Messages<LodChanged<Animation>>>().drain().count();
        world.increment_change_tick();
        (time, changes)
    }
}

fn at([x, y, z]: [f32; 3]) -> GlobalTransform {
    GlobalTransform::from_xyz(x, y, z)
}

fn median(times: &mut [Duration]) -> f64 {
    times.sort_unstable();
    times[times.len() / 2].as_secs_f64() * 1e9 / f64::from(ACTORS)
}

fn frames(name: &str, policy: Policy, moves: bool) {
    let mut bare = Bare::new(policy);
    let mut world = World::new(policy);
    world.spawn(SpawnMethod::InBatch);
    for frame in 0..10 {
        bare.move_all(frame);
        bare.tick();
        world.move_all(frame);
        world.frame();
    }
    let (mut alone, mut with, mut changes) = (Vec::new(), Vec::new(), 0);
    for frame in 0..FRAMES {
        if moves {
            bare.move_all(frame);
        }
        alone.push(bare.tick());
        if moves {
            world.move_all(frame);
        }
        let (time, changed) = world.frame();
        with.push(time);
        changes += changed;
    }
    let (alone, with) = (median(&mut alone), median(&mut with));
    let (over, ratio) = (with - alone, with / alone);
    println!("{name:<28} {alone:>9.2} {with:>9.2} {over:>9.2} {ratio:>8.2} {changes:>9}");
}

/// Measures spawning all entities and the first frame, for each way of spawning.
fn spawns() {
    println!("\n{:<28} {:>9} {:>12}", "medians of 11 times", "spawn", "first frame");
    let policy = Policy::Proportional(Leftovers::Keep);
    let (mut spawned, mut first) = (Vec::new(), Vec::new());
    for _ in 0..11 {
        let start = Instant::now();
        let mut bare = Bare::new(policy);
        spawned.push(start.elapsed());
        first.push(bare.tick());
    }
    let (spawned, first) = (median(&mut spawned), median(&mut first));
    println!("{:<28} {spawned:>9.0} {first:>12.0}", "the scene alone, spawn_many");
    for way in
        [SpawnMethod::Alone, SpawnMethod::AloneInBatch, SpawnMethod::OneByOne, SpawnMethod::InBatch]
    {
        let (mut spawned, mut first) = (Vec::new(), Vec::new());
        for _ in 0..11 {
            let mut world = World::new(policy);
            spawned.push(world.spawn(way));
            first.push(world.frame().0);
        }
        println!("{:<28} {:>9.0} {:>12.0}", way.name(), median(&mut spawned), median(&mut first));
    }
}

fn main() {
    println!("{ACTORS} entities, ns an entity, medians of {FRAMES} frames");
    println!(
        "{:<28} {:>9} {:>9} {:>9} {:>8} {:>9}",
        "", "bare tick", "frame", "over", "ratio", "changes"
    );
    for (name, leftovers) in
        [("Keep", Leftovers::Keep), ("AcrossModules", Leftovers::AcrossModules)]
    {
        let policy = Policy::Proportional(leftovers);
        frames(&format!("{name}, still"), policy, false);
        frames(&format!("{name}, all moving"), policy, true);
    }
    spawns();
}
