use std::f32::consts::TAU;

use lodger_core::cost::physics::Representation;
use lodger_quota::QuotaLimits;
use proptest::prelude::*;

use super::super::Decompose;
use super::*;
use crate::lod_chain::{LodCandidate, LodOrigin};
use crate::model::{ModelObject, Submesh};
use crate::physics::decomposer::{DecomposeRequest, decompose};
use crate::test_meshes::{cuboid, object, sheet};

/// Decomposes in this process.
#[expect(clippy::unnecessary_wraps, reason = "a decomposer may fail")]
fn here(
    points: &[[f32; 3]],
    triangles: &[[u32; 3]],
    hulls: u32,
    resolution: u32,
) -> Result<Vec<Vec<[f32; 3]>>, String> {
    let (points, triangles) = (points.to_vec(), triangles.to_vec());
    // Coarser than requested, as tests are not optimised.
    let resolution = resolution / 4;
    let request = DecomposeRequest { hulls, resolution, seconds: 0, memory: 0, points, triangles };
    Ok(decompose(&request))
}

fn surface(steps: u16, at: impl Fn(f32, f32) -> [f32; 3]) -> ModelObject {
    object(vec![sheet(steps, steps, at)])
}

fn sphere() -> ModelObject {
    surface(14, |u, v| {
        let (a, b) = (u * TAU, v * TAU / 2.0);
        [2.0 * b.sin() * a.cos(), 2.0 * b.sin() * a.sin(), 2.0 * b.cos()]
    })
}

fn torus() -> ModelObject {
    surface(16, |u, v| {
        let (a, b) = (u * TAU, v * TAU);
        let out = 3.0 + b.cos();
        [out * a.cos(), out * a.sin(), b.sin()]
    })
}

fn terrain() -> ModelObject {
    surface(14, |u, v| [20.0 * u, 30.0 * v, (5.0 * u).sin() * (4.0 * v).cos()])
}

fn cube() -> ModelObject {
    object(vec![cuboid([0.0; 3], [1.0; 3])])
}

fn quad() -> ModelObject {
    surface(1, |u, v| [3.0 * u, 5.0 * v, 1.0])
}

fn tilted() -> ModelObject {
    surface(6, |u, v| [3.0 * u + v, 5.0 * v - u, 4.0 * u + 2.0 * v])
}

fn line() -> ModelObject {
    surface(4, |u, v| [u + v, 2.0 * (u + v), 3.0 * (u + v)])
}

fn spot() -> ModelObject {
    surface(1, |_, _| [7.0, 8.0, 9.0])
}

fn make_shapes(
    objects: &[ModelObject],
    choice: &CollisionKind,
    shape: ShapeType,
    max: f64,
) -> Result<(Vec<CollisionShape>, Vec<Note>), PackError> {
    made_by(&here, objects, choice, shape, max)
}

fn made_by(
    decompose: &dyn Decompose,
    objects: &[ModelObject],
    choice: &CollisionKind,
    shape: ShapeType,
    max: f64,
) -> Result<(Vec<CollisionShape>, Vec<Note>), PackError> {
    let frames: Vec<_> =
        objects.iter().map(|object| ObjectFrame::from_mesh(&object.high)).collect();
    let source = |object: &ModelObject| {
        let (level, origin) = (object.high.clone(), LodOrigin::Source);
        vec![LodCandidate { level, bytes: 0, error: 0.0, origin }]
    };
    let candidates: Vec<_> = objects.iter().map(source).collect();
    let parts = objects.iter().zip(&frames).zip(&candidates);
    let shapings: Vec<_> = parts
        .map(|((object, frame), candidates)| ShapeInput { object, frame, candidates })
        .collect();
    let mut notes = Vec::new();
    let quota = &Quota::new(QuotaLimits::default());
    let making = ShapeContext { decompose, quota, tried: &|_| () };
    let physics = shapes(&shapings, choice, (shape, max), &making, &mut notes)?;
    for (physics, object) in physics.iter().zip(objects) {
        check(physics, object);
    }
    Ok((physics, notes))
}

/// Asserts that a shape has a hull with a volume around all vertices, and valid counts.
fn check(physics: &CollisionShape, object: &ModelObject) {
    let frame = ObjectFrame::from_mesh(&object.high);
    assert!((4..=256).contains(&physics.bounding.len()));
    assert!(physics.parts.len() <= 256);
    assert!(physics.parts.iter().all(|part| (4..=256).contains(&part.len())));
    let hulls = std::iter::once(&physics.bounding).chain(&physics.parts);
    let unit: Vec<_> = hulls.flatten().map(|&point| frame.to_unit(point)).collect();
    let written = QuantizedPoints::new(&unit).unwrap();
    let outside = written.max_outside(physics.bounding.len(), object.high.positions(), &frame);
    let (far, max) = outside.expect("a hull with a volume");
    assert!(far <= max, "{far} {max}");
    assert_eq!(far.to_bits(), physics.outside.to_bits());
    let hull = Polytope::hull(&written.steps[..physics.bounding.len()]).unwrap();
    assert_eq!(hull.corner_count(), physics.bounding.len(), "no corner is paid for nothing");
}

fn hull(object: &ModelObject, max: f64) -> CollisionShape {
    let objects = std::slice::from_ref(object);
    let (mut made, notes) =
        make_shapes(objects, &CollisionKind::Hull, ShapeType::ConvexHull, max).unwrap();
    assert_eq!(notes, []);
    made.remove(0)
}

#[test]
fn hulls_stay_within_the_cost_and_improve_with_it() {
    for object in [sphere(), torus(), terrain(), cube(), quad(), tilted(), line(), spot()] {
        let mut last = f64::INFINITY;
        for max in [0.2, 0.99, 10.28] {
            let physics = hull(&object, max);
            assert!(physics.cost <= max + 1e-12, "{} of {max}", physics.cost);
            assert!(physics.volume_error <= last);
            last = physics.volume_error;
        }
    }
}

#[test]
fn a_cube_needs_eight_vertices_and_a_sphere_many() {
    let cube = hull(&cube(), 10.28);
    assert_eq!((cube.bounding.len(), cube.cost), (8, 0.36));
    assert!(cube.volume_error < 1e-4);
    let sphere = hull(&sphere(), 10.28);
    assert!(sphere.bounding.len() > 100);
    assert!(sphere.volume_error < 0.02, "{}", sphere.volume_error);
    assert!(hull(&super::tests::sphere(), 1.0).volume_error < 0.1);
}

#[test]
fn an_infeasible_cost_names_the_least() {
    let objects = [sphere(), cube()];
    let requested = |choice, shape, max| make_shapes(&objects, &choice, shape, max);
    let refused = |choice, max| match requested(choice, ShapeType::ConvexHull, max) {
        Err(PackError::TargetInfeasible(what)) => (what.limiting, what.weight),
        other => panic!("{other:?}"),
    };
    let (limiting, weight) = refused(CollisionKind::Hull, 0.3);
    assert_eq!(limiting, ObjectWeight::Physics);
    assert!((weight - 0.4).abs() < 1e-9, "{weight}");
    let (_, weight) = refused(CollisionKind::Box, 0.5);
    assert!((weight - 0.72).abs() < 1e-9, "{weight}");
    // The type none costs nothing.
    let (free, _) = requested(CollisionKind::None, ShapeType::None, 0.0).unwrap();
    assert!(free.iter().all(|physics| physics.cost == 0.0 && physics.bounding.len() == 8));
}

#[test]
fn cost_is_spent_where_it_saves_most_volume() {
    let objects = [sphere(), cube()];
    let (made, _) =
        make_shapes(&objects, &CollisionKind::Hull, ShapeType::ConvexHull, 3.0).unwrap();
    assert!(made[0].bounding.len() > made[1].bounding.len());
    assert!(made.iter().map(|physics| physics.cost).sum::<f64>() <= 3.0 + 1e-12);
}

#[test]
fn parts_of_a_torus_beat_its_hull() {
    let objects = [torus()];
    let (parts, notes) =
        make_shapes(&objects, &CollisionKind::Parts, ShapeType::Prim, 8.0).unwrap();
    assert_eq!(notes, []);
    let (parts, hull) = (&parts[0], hull(&objects[0], 8.0));
    assert!(parts.parts.len() > 3 && parts.cost <= 8.0 + 1e-12, "{}", parts.parts.len());
    assert!(
        parts.volume_error < 0.5 * hull.volume_error,
        "{} {}",
        parts.volume_error,
        hull.volume_error
    );
    let diagonal = (64.0_f64 + 64.0 + 4.0).sqrt();
    assert!(parts.uncovered <= super::super::COVERAGE * diagonal);
    // The hull is within the same limit.
    let frame = ObjectFrame::from_mesh(&objects[0].high);
    let as_hull = parts.cost_as(ShapeType::ConvexHull, &frame).unwrap();
    assert_eq!(as_hull.representation, Representation::Hull);
    assert!(as_hull.cost <= 8.0 + 1e-12);
}

#[test]
fn a_small_cost_allows_one_part_and_a_failure_is_an_error() {
    let objects = [torus()];
    let (made, _) = make_shapes(&objects, &CollisionKind::Parts, ShapeType::Prim, 0.3).unwrap();
    assert_eq!(made[0].parts.len(), 1);
    let fails = |_: &[[f32; 3]], _: &[[u32; 3]], _, _| Err("it fell over".into());
    let failed = made_by(&fails, &objects, &CollisionKind::Parts, ShapeType::Prim, 8.0);
    assert_eq!(failed.unwrap_err().to_string(), "it: it fell over");
}

#[test]
fn a_mesh_of_the_model_is_taken_as_it_is() {
    let mut object = sphere();
    object.physics = Some(cube().high);
    let objects = [object];
    let (mesh, _) = make_shapes(&objects, &CollisionKind::Mesh, ShapeType::Prim, 20.0).unwrap();
    let kept = mesh[0].mesh.as_ref().unwrap();
    assert_eq!(kept.triangle_count(), 12);
    let frame = ObjectFrame::from_mesh(&objects[0].high);
    let cost = mesh[0].cost_as(ShapeType::Prim, &frame).unwrap();
    assert_eq!((cost.representation, cost.cost), (Representation::Mesh, mesh[0].cost));
    assert!(matches!(
        make_shapes(&objects, &CollisionKind::Mesh, ShapeType::Prim, 0.3),
        Err(PackError::TargetInfeasible(_))
    ));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn any_points_are_enclosed(
        points in prop::collection::vec(prop::array::uniform3(-30.0_f32..30.0), 1..120),
        flat in prop::array::uniform3(prop::bool::weighted(0.8)),
        max in 0.2_f64..10.3,
    ) {
        let keep = |point: [f32; 3]| std::array::from_fn(|axis| if flat[axis] { point[axis] } else { 3.5 });
        let positions: Vec<_> = points.into_iter().map(keep).collect();
        let face = Submesh { positions, triangles: vec![[0; 3]], ..Submesh::default() };
        let physics = hull(&object(vec![face]), max);
        prop_assert!(physics.cost <= max + 1e-12);
        prop_assert!(physics.volume_error >= 0.0);
    }
}
