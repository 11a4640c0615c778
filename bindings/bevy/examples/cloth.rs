//! Ten capes and a hero, whose cape is simulated in full wherever the hero is.
//!
//! Levels are vertices: none, 100, 400 or 1600. The hero's level is forced and paid first; the others share the rest.
//!
//! `cargo run -p bevy_lodger --example cloth`
#![allow(clippy::needless_pass_by_value)] // parameters of Bevy systems

use bevy_app::{App, Update};
use bevy_ecs::component::Component;
use bevy_ecs::system::Query;
use bevy_lodger::scheduler::{BenefitValue, Budget, Module, Reason, UnitCost};
use bevy_lodger::{
    ForcedLod, Lod, LodActor, LodHandle, LodModulePlugin, LodPlan, LodView, LodgerPlugin,
};
use bevy_reflect::TypePath;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

/// Vertices along an edge, by level.
const EDGES: [usize; 4] = [0, 10, 20, 40];
const WORK: &[u32] = &[0, 100, 400, 1_600];

#[derive(TypePath)]
struct Cloth;

#[derive(Component)]
struct Cape {
    name: &'static str,
    edge: usize,
    heights: Vec<f32>,
    before: Vec<f32>,
}

impl Cape {
    fn new(name: &'static str) -> Self {
        Self { name, edge: 0, heights: Vec::new(), before: Vec::new() }
    }

    fn cut(&mut self, edge: usize) {
        if self.edge != edge {
            self.edge = edge;
            self.heights = vec![0.0; edge * edge];
            self.before.clone_from(&self.heights);
        }
    }

    /// Falls for a sixtieth of a second, and is held by the row above.
    fn fall(&mut self) {
        let length = 1.0 / 40.0_f32.max(1.0);
        for i in self.edge..self.heights.len() {
            let (now, above) = (self.heights[i], self.heights[i - self.edge]);
            let fallen = now + (now - self.before[i]) * 0.98 - 9.81 / 3_600.0;
            self.before[i] = now;
            self.heights[i] = fallen.max(above - length);
        }
    }
}

fn simulate(mut capes: Query<(&Lod<Cloth>, &mut Cape)>) {
    for (lod, mut cape) in &mut capes {
        cape.cut(EDGES[usize::from(lod.level())]);
        cape.fall();
    }
}

fn app() -> App {
    let build = || -> Result<_, bevy_lodger::scheduler::lodger_core::ValueError> {
        let module = Module::new("cloth", UnitCost::from_ns(500.0)?)
            .benefit_value(BenefitValue::from_ms(2.0)?);
        Ok((Budget::from_ms(2.0)?, module))
    };
    let (budget, module) = build().expect("the numbers above are in range");
    let mut app = App::new();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(budget)));
    app.add_plugins(LodModulePlugin::<Cloth>::new(module));
    app.add_systems(Update, simulate);
    app.world_mut().spawn((Transform::default(), LodView));
    let names = ["ann", "ben", "cleo", "dan", "eve", "finn", "gwen", "hal", "ida", "jon"];
    for (name, i) in names.into_iter().zip(1_u8..) {
        let place = Transform::from_xyz(3.0 * f32::from(i), 0.0, 0.0);
        app.world_mut().spawn((place, LodActor::<Cloth>::new(1.0, WORK), Cape::new(name)));
    }
    app.world_mut().spawn((
        Transform::from_xyz(60.0, 0.0, 0.0),
        LodActor::<Cloth>::new(1.0, WORK),
        ForcedLod::<Cloth>::new(3),
        Cape::new("the hero"),
    ));
    app
}

pub(crate) fn main() {
    let mut app = app();
    for _ in 0..60 {
        app.update();
    }
    println!("{:<10} {:>6} {:>9} {:>8}  why", "cape", "metres", "vertices", "ms");
    let mut capes = app.world_mut().query::<(&Cape, &Transform, &LodHandle<Cloth>)>();
    let plan = app.world().resource::<LodPlan>();
    let mut in_all = 0.0;
    for (cape, place, handle) in capes.iter(app.world()) {
        let decided = plan.actor(handle).expect("all were decided for");
        let (vertices, ms) = (cape.heights.len(), decided.cost_ms());
        let metres = place.translation.x;
        println!("{:<10} {metres:>6} {vertices:>9} {ms:>8.3}  {}", cape.name, decided.reason);
        in_all += ms;
        assert_eq!(u32::try_from(vertices).ok(), Some(WORK[usize::from(decided.lod.level())]));
        if cape.name == "the hero" {
            assert_eq!((vertices, decided.reason), (1_600, Reason::Forced));
            let hem = cape.heights.last().expect("it has vertices");
            assert!(*hem < -0.5, "a second of falling");
        }
    }
    println!("{:<10} {:>6} {:>9} {in_all:>8.3}  of 2 ms", "in all", "", "");
    assert!(plan.plan().is_feasible() && in_all <= 2.0);
    // 0.8 ms for the hero; the others, all nearer, have no more than the rest.
    assert_eq!(plan.plan().reserved_ns(), 800_000);
}
