//! A crowd of 600 whose bones are animated at several rates, within a budget.
//!
//! A level is a rate: every 8th, 4th, 2nd frame or each one. A viewer walks through; the measured time of animation
//! updates the cost of a bone.
//!
//! `cargo run -p bevy_lodger --example crowd`
#![allow(clippy::needless_pass_by_value)] // parameters of Bevy systems

use bevy_app::{App, Update};
use bevy_ecs::component::Component;
use bevy_ecs::query::With;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use bevy_lodger::scheduler::{BenefitValue, Budget, Hysteresis, Module, UnitCost};
use bevy_lodger::{
    Lod, LodActor, LodClock, LodHandle, LodModulePlugin, LodPlan, LodSettings, LodView,
    LodgerPlugin,
};
use bevy_reflect::TypePath;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const PEOPLE: u16 = 600;
const BONES: usize = 64;
/// A build without optimisation is slower and gets a larger budget.
const BUDGET_NS: u64 = if cfg!(debug_assertions) { 800_000 } else { 120_000 };
/// The frames from one pose to the next, by level.
const PERIODS: [u32; 4] = [8, 4, 2, 1];
/// The bones of a frame, by level.
const WORK: &[u32] = &[8, 16, 32, 64];

#[derive(TypePath)]
struct Animation;

#[derive(Component)]
struct Skeleton {
    number: u32,
    angles: [f32; BONES],
}

/// The number of frames, and of bones since the last reset.
#[derive(Resource, Default)]
struct Work {
    frame: u32,
    bones: u64,
}

fn animate(
    clock: LodClock<Animation>,
    mut people: Query<(&Lod<Animation>, &mut Skeleton)>,
    mut work: ResMut<Work>,
) {
    let _timer = clock.start();
    work.frame += 1;
    for (lod, mut skeleton) in &mut people {
        let period = PERIODS[usize::from(lod.level())];
        if !(work.frame + skeleton.number).is_multiple_of(period) {
            continue;
        }
        for (angle, bone) in skeleton.angles.iter_mut().zip(0_u8..) {
            let phase = angle.mul_add(0.9, f32::from(bone) * 0.1);
            *angle = phase.sin();
        }
        work.bones += BONES as u64;
    }
}

fn move_viewers(mut viewers: Query<&mut Transform, With<LodView>>) {
    for mut viewer in &mut viewers {
        viewer.translation.x += 0.25;
    }
}

fn app() -> App {
    let build = || -> Result<_, bevy_lodger::scheduler::lodger_core::ValueError> {
        let module = Module::new("crowd", UnitCost::from_ns(20.0)?)
            .benefit_value(BenefitValue::from_ms(0.5)?);
        Ok(module)
    };
    let module = build().expect("the numbers above are in range");
    let mut app = App::new();
    let settings = LodSettings { hysteresis: Hysteresis::TYPICAL, ..LodSettings::default() };
    let lodger = LodgerPlugin::new(Budget::from_ns(BUDGET_NS)).with_settings(settings);
    app.add_plugins((TransformPlugin, lodger));
    app.add_plugins(LodModulePlugin::<Animation>::new(module));
    app.init_resource::<Work>();
    app.add_systems(Update, (animate, move_viewers));
    app.world_mut().spawn((Transform::from_xyz(0.0, 1.7, 0.0), LodView));
    for i in 0..PEOPLE {
        let (row, seat) = (f32::from(i / 30), f32::from(i % 30));
        app.world_mut().spawn((
            Transform::from_xyz(3.0 * row, 0.9, 1.5 * seat - 21.75),
            LodActor::<Animation>::new(0.9, WORK),
            Skeleton { number: i.into(), angles: [0.5; BONES] },
        ));
    }
    app
}

fn rates(app: &mut App) -> [usize; 4] {
    let mut rates = [0; 4];
    let mut people = app.world_mut().query::<&Lod<Animation>>();
    people.iter(app.world()).for_each(|lod| rates[usize::from(lod.level())] += 1);
    rates
}

pub(crate) fn main() {
    let mut app = app();
    println!("frame  every 8th  4th  2nd  each | bones a frame: planned, animated | planned ms");
    for step in 1..=8_u32 {
        let (mut planned, mut feasible) = (0, true);
        app.world_mut().resource_mut::<Work>().bones = 0;
        for _ in 0..24 {
            let before = app.world().resource::<LodPlan>().module::<Animation>();
            planned += before.map_or(0, |module| module.units);
            app.update();
            let plan = app.world().resource::<LodPlan>().plan();
            feasible &= plan.is_feasible();
            assert!(plan.assigned_ns() <= BUDGET_NS || !plan.is_feasible());
        }
        let animated = app.world().resource::<Work>().bones / 24;
        let rates = rates(&mut app);
        assert_eq!(rates.iter().sum::<usize>(), usize::from(PEOPLE));
        let ms =
            app.world().resource::<LodPlan>().module::<Animation>().expect("decided").assigned_ms();
        println!(
            "{:>5} {:>10} {:>4} {:>4} {:>5} | {:>22} {:>9} | {ms:>9.3} {}",
            24 * step,
            rates[0],
            rates[1],
            rates[2],
            rates[3],
            planned / 24,
            animated,
            if feasible { "" } else { "(over budget: all at their minimum)" },
        );
        // Animated bones follow the plan, up to phases and level changes.
        assert!(step == 1 || animated.abs_diff(planned / 24) * 4 <= planned / 24);
    }
    let mut people = app.world_mut().query::<(&Transform, &LodHandle<Animation>)>();
    let to_viewer = |place: &Transform| place.translation.distance([48.0, 1.7, 0.0].into());
    let people = people.iter(app.world());
    let mut people: Vec<_> = people.map(|(place, handle)| (to_viewer(place), handle)).collect();
    people.sort_by(|(a, _), (b, _)| a.total_cmp(b));
    let plan = app.world().resource::<LodPlan>();
    let of = |index: usize| plan.actor(people[index].1).expect("all were decided for");
    let (near, far) = (of(0), of(people.len() - 1));
    println!("The nearest has level {}: {}.", near.lod.level(), near.reason);
    println!("The farthest has level {}: {}.", far.lod.level(), far.reason);
    assert!(near.lod >= far.lod);
    let cost = plan.module::<Animation>().expect("decided").raw_unit_cost.ns();
    println!("A bone was assumed to take 20 ns, and took {cost:.1} ns.");
    assert!((cost - 20.0).abs() > 1e-6, "it was measured");
}
