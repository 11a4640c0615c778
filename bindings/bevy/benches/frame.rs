//! What the plugin costs beside the bare tick: 100 000 entities without a window, in one thread.
//!
//! `cargo bench -p bevy_lodger` prints medians of one run. Frames of a scene alone and frames of an app with
//! the same actors take turns, so that what the machine does meanwhile meets both. An app's frame is the
//! plugin's own schedule; transforms are written before it, and nobody is timed for that.

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
use bevy_lodger::{LodActor, LodChanged, LodModulePlugin, LodSettings, LodView, LodgerPlugin};
use bevy_reflect::TypePath;
use bevy_transform::components::GlobalTransform;

const ACTORS: u32 = 100_000;
const FRAMES: usize = 201;
const WORK: &[u32] = &[0, 60, 250, 1_000, 4_000];

#[derive(TypePath)]
struct Crowd;

#[derive(Debug, Clone, PartialEq, Eq, Hash, ScheduleLabel)]
struct Frame;

/// A number from 0 to 1, scattered but the same in every run.
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

/// Where it is in that frame: it sways by 2 cm.
fn swayed(place: [f32; 3], frame: usize) -> [f32; 3] {
    let by = if frame % 2 == 0 { 0.02 } else { -0.02 };
    [place[0] + by, place[1], place[2]]
}

fn budget() -> Budget {
    Budget::from_ns(u64::from(ACTORS) * 100)
}

fn module() -> Module<f32> {
    let build = || -> Result<_, bevy_lodger::scheduler::core::Error> {
        let terms = BenefitTerms { max_distance: Some(200.0), ..BenefitTerms::default() };
        let module = Module::new("crowd", UnitCost::from_ns(0.5)?, BenefitValue::from_ns(2_000));
        Ok(module.rule(BenefitRule::new(terms)?))
    };
    build().unwrap_or_else(|error| unreachable!("the numbers above are valid: {error}"))
}

struct Bare {
    scene: Scene<f32>,
    actors: Vec<ActorId>,
}

impl Bare {
    fn new(policy: Policy) -> Self {
        let mut scene = Scene::new(budget());
        scene.set_policy(policy);
        let eye = View::eye([250.0, 250.0, 2.0]).expect("finite");
        scene.add_view(eye).expect("the first");
        let module = scene.add_module(module()).expect("the first");
        let actors = (0..ACTORS).map(|i| Actor::seen(place(i), radius(i), WORK));
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
        app.init_schedule(Frame);
        app.add_plugins((
            LodgerPlugin::new(budget()).with_settings(settings).in_schedule(Frame),
            LodModulePlugin::<Crowd>::new(module()),
        ));
        app.world_mut().spawn((GlobalTransform::from_xyz(250.0, 250.0, 2.0), LodView));
        Self { app, entities: Vec::new() }
    }

    /// How long it takes to spawn everybody one by one, with the plugin's components or without.
    fn spawn(&mut self, with: bool) -> Duration {
        let world = self.app.world_mut();
        let start = Instant::now();
        for i in 0..ACTORS {
            let transform = at(place(i));
            let entity = if with {
                world.spawn((transform, LodActor::<Crowd>::new(radius(i), WORK))).id()
            } else {
                world.spawn(transform).id()
            };
            self.entities.push(entity);
        }
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
        world.run_schedule(Frame);
        let time = start.elapsed();
        let changes = world.resource_mut::<Messages<LodChanged<Crowd>>>().drain().count();
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
    world.spawn(true);
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
    println!(
        "{name:<28} {alone:>9.2} {with:>9.2} {:>9.2} {:>8.3} {:>9.1}",
        with - alone,
        with / alone,
        changes as f64 / FRAMES as f64
    );
}

fn spawns() {
    let policy = Policy::Proportional(Leftovers::Keep);
    let (mut without, mut with, mut heard) = (Vec::new(), Vec::new(), Vec::new());
    for _ in 0..11 {
        without.push(World::new(policy).spawn(false));
        let mut world = World::new(policy);
        with.push(world.spawn(true));
        let first = world.frame().0;
        heard.push(first);
    }
    println!(
        "spawn, ns an entity: {:.0} without the plugin, {:.0} with it, {:.0} in the first frame",
        median(&mut without),
        median(&mut with),
        median(&mut heard)
    );
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
