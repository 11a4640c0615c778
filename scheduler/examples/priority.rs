//! Under the optimal policy, capes get little of a budget that they share with particles: these buy more benefit for a
//! millisecond. A priority says that capes matter.
use lodger_scheduler::{Actor, Budget, Module, ModuleId, Policy, Priority, Scene, UnitCost, View};

/// Vertices and particles at each level.
const CAPE: [u32; 4] = [0, 60, 300, 1_200];
const EMITTER: [u32; 4] = [0, 20, 80, 300];

/// Returns a position within 60 m of the camera.
#[expect(clippy::cast_precision_loss, reason = "small")]
fn position(number: u32) -> [f32; 3] {
    let [x, z] = [7_919, 104_729].map(|prime| (number * prime % 1_201) as f32 / 10.0 - 60.0);
    [x, 0.0, z]
}

pub(crate) fn capes_above_level_0(priority: f64) -> Result<usize, Box<dyn std::error::Error>> {
    let mut scene = Scene::<f32>::new(Budget::from_ms(8.0)?);
    scene.set_policy(Policy::Optimal)?;
    scene.add_view(View::from_position([0.0, 1.7, 0.0])?)?;
    let capes = Module::new("capes", UnitCost::from_ns(250.0)?).priority(Priority::new(priority)?);
    let capes = scene.add_module(capes)?;
    let particles = scene.add_module(Module::new("particles", UnitCost::from_ns(40.0)?))?;
    let mut spawn = |module: ModuleId, count, radius, work| {
        let actors = (1..=count).map(|number| Actor::at(position(number), radius, work));
        scene.spawn_many(module, actors).map(|_| ())
    };
    spawn(capes, 600, 0.5, &CAPE)?;
    spawn(particles, 3_000, 0.7, &EMITTER)?;
    let plan = scene.tick();
    let mut shown = plan.actors().filter(|actor| actor.module == capes);
    Ok(shown.by_ref().filter(|cape| cape.lod.level() > 0).count())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for priority in [1.0, 2.0, 4.0, 8.0] {
        let shown = capes_above_level_0(priority)?;
        println!("priority {priority}: {shown} of 600 capes are above level 0");
    }
    Ok(())
}
