//! Forty fires that burn down, and an emitter for each level, swapped in by the plugin.
//!
//! Benefits fall with age, so that embers get less than new fires. A level is an emitter: none,
//! smoke, sparks or flames.
//!
//! `cargo run -p bevy_lodger --example particles`
#![allow(clippy::needless_pass_by_value)] // parameters of Bevy systems

use std::time::Duration;

use bevy_app::{App, Update};
use bevy_ecs::component::Component;
use bevy_ecs::message::Messages;
use bevy_ecs::query::Changed;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use bevy_lodger::scheduler::{
    BenefitRule, BenefitTerms, BenefitValue, Budget, Module, UnitCost, Weights,
};
use bevy_lodger::{
    Lod, LodActor, LodChanged, LodModulePlugin, LodPlan, LodSwap, LodSwapPlugin, LodView,
    LodgerPlugin, SpawnLods,
};
use bevy_reflect::TypePath;
use bevy_time::{TimePlugin, TimeUpdateStrategy};
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// Particles that live at a time, by level.
const WORK: &[u32] = &[0, 20, 200, 1_000];

#[derive(TypePath)]
struct Fires;

/// The emitter of a render crate, swapped as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Component)]
struct Emitter {
    name: &'static str,
    particles: u32,
}

const EMITTERS: [Emitter; 4] = [
    Emitter { name: "none", particles: 0 },
    Emitter { name: "smoke", particles: 20 },
    Emitter { name: "sparks", particles: 200 },
    Emitter { name: "flames", particles: 1_000 },
];

#[derive(Resource, Default)]
struct Swapped(usize);

fn app() -> App {
    let build = || -> Result<_, bevy_lodger::scheduler::lodger_core::ValueError> {
        let rule = BenefitRule::new(BenefitTerms {
            max_distance: Some(80.0),
            weights: Weights::new(0.6, 0.4, 0.0)?,
            max_age: Some(8.0),
            ..BenefitTerms::default()
        })?;
        let module = Module::new("fires", UnitCost::from_ns(100.0)?)
            .benefit_value(BenefitValue::from_ms(0.2)?);
        Ok((Budget::from_ms(0.8)?, module.rule(rule)))
    };
    let (budget, module) = build().expect("the numbers above are in range");
    let mut app = App::new();
    app.add_plugins((TimePlugin, TransformPlugin, LodgerPlugin::new(budget)));
    app.add_plugins(LodModulePlugin::<Fires>::new(module).with_ages());
    app.add_plugins(LodSwapPlugin::<Fires, Emitter>::default());
    app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(100)));
    app.init_resource::<Swapped>();
    app.add_systems(Update, |made: Query<(), Changed<Emitter>>, mut swapped: ResMut<Swapped>| {
        swapped.0 += made.iter().count();
    });
    app.world_mut().spawn((Transform::default(), LodView));
    app
}

fn catch_fire(app: &mut App, metres: f32) {
    let emitters = LodSwap::<Fires, _>::new(EMITTERS);
    let fires = (0..20_u8).map(|i| {
        let place = Transform::from_xyz(metres + f32::from(i), 0.0, f32::from(i % 4));
        (place, LodActor::<Fires>::new(0.5, WORK), emitters.clone())
    });
    app.world_mut().spawn_lods::<Fires, _>(fires);
}

pub(crate) fn main() {
    let mut app = app();
    catch_fire(&mut app, 4.0);
    let (mut changes, mut live) = (0, Vec::new());
    println!("second  fires | none smoke sparks flames | particles  planned ms");
    for frame in 1..=160_u32 {
        if frame == 40 {
            catch_fire(&mut app, 6.0);
        }
        app.update();
        changes += app.world_mut().resource_mut::<Messages<LodChanged<Fires>>>().drain().count();
        let (mut levels, mut particles) = ([0; 4], 0);
        let mut fires = app.world_mut().query::<(&Lod<Fires>, &Emitter)>();
        for (lod, emitter) in fires.iter(app.world()) {
            levels[usize::from(lod.level())] += 1;
            assert_eq!(*emitter, EMITTERS[usize::from(lod.level())], "{}", emitter.name);
            particles += u64::from(emitter.particles);
        }
        let module = app.world().resource::<LodPlan>().module::<Fires>().expect("decided");
        assert_eq!(particles, module.units);
        assert!(module.assigned_ms() <= 0.8);
        if frame % 20 == 0 {
            let [none, smoke, sparks, flames] = levels;
            println!(
                "{:>6} {:>6} | {none:>4} {smoke:>5} {sparks:>6} {flames:>6} | {particles:>9} {:>11.3}",
                frame / 10,
                module.actors,
                module.assigned_ms(),
            );
            live.push(particles);
        }
    }
    // The last swap is seen in the frame after it.
    app.update();
    let swapped = app.world().resource::<Swapped>().0;
    println!("{changes} levels changed, and {swapped} emitters were made.");
    assert_eq!(swapped, changes);
}
