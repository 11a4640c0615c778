//! Capes around a camera that turns, and then looks through a scope, without a window.
//!
//! The `Projection` and the `GlobalTransform` of a `Camera3d` give the view its zoom and its frustum. Capes outside of it
//! cost nothing; the scope shows few of them, in more detail.
//!
//! `cargo run -p bevy_lodger --example camera`
#![allow(clippy::needless_pass_by_value)] // parameters of Bevy systems

use std::f32::consts::PI;

use bevy_app::{App, PostUpdate};
use bevy_camera::{Camera3d, PerspectiveProjection, Projection};
use bevy_ecs::prelude::*;
use bevy_lodger::scheduler::lodger_core::ValueError;
use bevy_lodger::scheduler::{BenefitValue, Budget, Module, OutsideFactor, UnitCost};
use bevy_lodger::{
    Lod, LodActor, LodHandle, LodModulePlugin, LodPlan, LodProjection, LodSystems, LodView,
    LodgerPlugin,
};
use bevy_reflect::TypePath;
use bevy_transform::TransformPlugin;
use bevy_transform::components::Transform;

const CAPES: u16 = 120;

#[derive(TypePath)]
struct Cloth;

type ChangedCamera = (With<LodView>, Changed<Projection>);

/// Reads the perspective of a camera when it changes. The plugin reads its transform in each frame.
fn read_projections(cameras: Query<(Entity, &Projection), ChangedCamera>, mut commands: Commands) {
    for (camera, projection) in &cameras {
        let perspective = LodProjection::new(projection.get_clip_from_view().to_cols_array_2d());
        commands.entity(camera).insert(perspective.with_reference_fov(60.0).with_frustum());
    }
}

fn perspective(degrees: f32) -> Projection {
    Projection::Perspective(PerspectiveProjection {
        fov: degrees.to_radians(),
        aspect_ratio: 16.0 / 9.0,
        ..PerspectiveProjection::default()
    })
}

/// An app with capes of 0, 400 or 1600 vertices on a circle of 20 m, and a camera in its middle.
fn app() -> Result<(App, Entity), ValueError> {
    let cloth = Module::new("cloth", UnitCost::from_ns(50.0)?)
        .benefit_value(BenefitValue::from_ms(3.0)?)
        .outside(OutsideFactor::ZERO); // capes are only drawn
    let mut app = App::new();
    app.add_plugins((TransformPlugin, LodgerPlugin::new(Budget::from_ms(1.0)?)));
    app.add_plugins(LodModulePlugin::<Cloth>::new(cloth));
    app.add_systems(PostUpdate, read_projections.before(LodSystems::Sync));
    let camera = (Camera3d::default(), perspective(60.0), Transform::default(), LodView);
    let camera = app.world_mut().spawn(camera).id();
    for number in 0..CAPES {
        let (sine, cosine) = (f32::from(number) * 2.0 * PI / f32::from(CAPES)).sin_cos();
        let place = Transform::from_xyz(20.0 * sine, 0.0, 20.0 * cosine);
        app.world_mut().spawn((place, LodActor::<Cloth>::new(1.0, &[0, 400, 1_600])));
    }
    Ok((app, camera))
}

/// Prints and returns the number of capes in view, and of capes at each level.
fn show(app: &mut App, what: &str) -> (usize, [usize; 3]) {
    app.update();
    let mut capes = app.world_mut().query::<(&Lod<Cloth>, &LodHandle<Cloth>)>();
    let plan = app.world().resource::<LodPlan>();
    let (mut in_view, mut levels) = (0, [0; 3]);
    for (lod, handle) in capes.iter(app.world()) {
        let is_in_view = handle.actor().and_then(|cape| plan.scene().is_in_view(cape));
        assert_eq!(is_in_view, Some(lod.level() > 0), "a cape in view has at least 400 vertices");
        in_view += usize::from(lod.level() > 0);
        levels[usize::from(lod.level())] += 1;
    }
    let ms = plan.module::<Cloth>().map_or(0.0, |module| module.assigned_ms());
    let zoom = plan.scene().views().map(|(_, view)| view.zoom_factor()).fold(0.0, f64::max);
    println!(
        "{what:<14} zoom {zoom:4.2}: {in_view:3} of {CAPES} capes in view, {} at level 2, {ms:.3} ms",
        levels[2]
    );
    (in_view, levels)
}

pub(crate) fn main() {
    let (mut app, camera) = app().expect("the numbers above are in range");
    let (wide, _) = show(&mut app, "60°");
    // A quarter to the left, in steps of 3°.
    for _ in 0..30 {
        let mut camera = app.world_mut().get_mut::<Transform>(camera).expect("it was inserted");
        camera.rotate_y(PI / 60.0);
        app.update();
    }
    let (left, _) = show(&mut app, "turned by 90°");
    assert!(wide.abs_diff(left) <= 2, "{wide} capes, then {left}");
    app.world_mut().entity_mut(camera).insert(perspective(10.0));
    let (narrow, [_, rough, fine]) = show(&mut app, "scope of 10°");
    assert!(narrow * 3 < wide && (rough, fine) == (0, narrow), "all capes have 1600 vertices");
}
