//! What is promised of assets is what they cost, as lodger prices their files.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::land_impact;
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::Rules;
use lodger_mesh_asset::Limits;
use lodger_opensim::pricing::{Mesh, MeshUse, Pricing};
use lodger_pack::{Options, Packed, PackedObject, PhysicsChoice, pack};

use crate::DecomposeWith;
use crate::goals::options;
use crate::models::{Drawing, skinned_tube, sphere, torus_knot, tree_of_cards};

const SHAPES: [ShapeType; 3] = [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None];

/// Two hulls: of the triangles on one side, and of the others.
#[expect(clippy::unnecessary_wraps, reason = "a decomposer may fail")]
fn halves(points: &[[f32; 3]], triangles: &[[u32; 3]]) -> crate::Hulls {
    let corners = |triangle: &[u32; 3]| triangle.map(|index| points[index as usize]);
    let is_left = |corners: &[[f32; 3]; 3]| corners.iter().map(|point| point[0]).sum::<f32>() < 0.0;
    let (left, right): (Vec<_>, Vec<_>) = triangles.iter().map(corners).partition(is_left);
    Ok(vec![left.into_flattened(), right.into_flattened()])
}

/// A ball and a knot.
fn two() -> Drawing {
    let mut ball = sphere(0.5, 4);
    ball.meshes.extend(torus_knot(8, 3).meshes);
    "knot".clone_into(&mut ball.meshes[1].name);
    ball
}

fn packed(drawing: &Drawing, options: &Options) -> Packed {
    let packed = pack(
        &mut crate::read_one(drawing),
        options,
        &DecomposeWith(halves),
        &crate::plenty(),
        &|_| (),
    );
    packed.unwrap_or_else(|error| panic!("{}: {error}", drawing.name))
}

/// Streaming and physics of the file of an object.
fn price(object: &PackedObject, shape: ShapeType) -> (f64, f64) {
    #[expect(clippy::cast_possible_truncation, reason = "as a grid knows it")]
    let sides = object.frame.sides().map(|side| f64::from(side as f32));
    let scale = ObjectScale::new(sides).expect("a size");
    let mesh = Mesh::read(&object.asset, Limits::default()).expect("an asset");
    let pricing = Pricing::new(Rules::VIEWER).expect("rules");
    let usage = MeshUse { scale, shape, ..MeshUse::default() };
    let price = pricing.mesh(&mesh, &usage).expect("a price");
    (price.assessment.streaming, price.physics.cost)
}

#[track_caller]
fn agree(name: &str, packed: &Packed) {
    let prices: Vec<_> = packed.objects.iter().map(|one| price(one, packed.shape)).collect();
    let streaming: f64 = prices.iter().map(|price| price.0).sum();
    let physics: f64 = prices.iter().map(|price| price.1).sum();
    assert!((streaming - packed.streaming).abs() <= 1e-9, "{name}: {streaming}");
    assert!((physics - packed.physics).abs() <= 1e-9, "{name}: {physics} {}", packed.physics);
    for (object, price) in packed.objects.iter().zip(prices) {
        assert!((object.physics.cost - price.1).abs() <= 1e-9, "{name}: {price:?}");
    }
    let impact = land_impact(streaming, physics, packed.server);
    assert_eq!(impact.value, packed.land_impact.value, "{name}");
    assert!(impact.value <= packed.target, "{name}: {impact:?}");
}

#[test]
fn every_shape_costs_what_its_file_costs() {
    use PhysicsChoice::{Box, Hull, Mesh, None};
    for (drawing, side, kinds) in [
        (sphere(2.0, 4), 4.0, &[None, Box, Hull, Mesh][..]),
        (torus_knot(6, 3), 0.3, &[Mesh]),
        (tree_of_cards(2), 7.3, &[Mesh]),
        (two(), 1.0, &[Mesh]),
        (skinned_tube(2, 3), 2.1, &[Hull]),
    ] {
        for (physics, shape) in kinds.iter().flat_map(|kind| SHAPES.map(|shape| (kind, shape))) {
            let options = Options {
                physics: physics.clone(),
                shape,
                ..crate::goals::options(Option::None, Some([side, side * 0.7, side * 1.1]))
            };
            let packed = packed(&drawing, &options);
            assert_eq!(packed.physics == 0.0, shape == ShapeType::None);
            agree(&format!("{} {physics:?} {shape:?}", drawing.name), &packed);
        }
    }
}

#[test]
fn parts_cost_what_their_file_costs() {
    for shape in SHAPES {
        let asked = Options { physics: PhysicsChoice::Parts, shape, ..options(Some(2), None) };
        let packed = packed(&sphere(1.0, 4), &asked);
        assert!(!packed.objects[0].physics.parts.is_empty());
        agree("sphere", &packed);
    }
}

#[test]
fn a_cost_of_physics_decides_where_nothing_else_is_asked() {
    for most in [0.37, 1.0, 3.0] {
        let asked = Options { physics_cost: Some(most), ..options(None, None) };
        let packed = packed(&sphere(1.0, 6), &asked);
        assert!(packed.physics <= most && packed.physics > most / 2.0, "{}", packed.physics);
        agree("sphere", &packed);
    }
    let asked = Options { physics_cost: Some(0.01), ..options(None, None) };
    let error = pack(
        &mut crate::read_one(&sphere(1.0, 4)),
        &asked,
        &DecomposeWith(halves),
        &crate::plenty(),
        &|_| (),
    );
    let error = error.expect_err("no hull is so cheap").to_string();
    assert_eq!(error, "a physics cost of 0.01 cannot be met: 0.200 is the least");
}
