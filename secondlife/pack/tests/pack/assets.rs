//! Prices, errors and reports of the assets of whole models.

use std::fs;
use std::path::Path;

use lodger_core::cost::ObjectScale;
use lodger_core::cost::land_impact::{greatest_weight, land_impact};
use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::StreamingRules;
use lodger_mesh_asset::AssetLimits;
use lodger_opensim::pricing::{MeshInputs, MeshUse, Pricer};
use lodger_pack::{
    CollisionKind, PackError, PackOptions, PackedModel, PackedObject, pack, render_report,
};

use crate::models::{
    Drawing, nine_material_cube, skinned_tube, sphere, terrain, torus_knot, tree_of_cards,
};
use crate::{no_parts, options, plenty, read_one};

fn packed(drawing: &Drawing, options: &PackOptions) -> Result<PackedModel, PackError> {
    pack(&mut read_one(drawing), options, &halves, &plenty(), &|_| ())
}

#[expect(clippy::unnecessary_wraps, reason = "a decomposer may fail")]
fn halves(points: &[[f32; 3]], triangles: &[[u32; 3]], _: u32, _: u32) -> crate::Hulls {
    let corners = |triangle: &[u32; 3]| triangle.map(|index| points[index as usize]);
    let is_left = |corners: &[[f32; 3]; 3]| corners.iter().map(|point| point[0]).sum::<f32>() < 0.0;
    let (left, right): (Vec<_>, Vec<_>) = triangles.iter().map(corners).partition(is_left);
    Ok(vec![left.into_flattened(), right.into_flattened()])
}

/// A unit test beside `choose` compares random chains with all selections.
#[test]
fn the_land_impact_is_met_with_no_more_loss_than_thirds() {
    let drawings = [
        sphere(2.0, 14),
        terrain(18),
        tree_of_cards(80),
        torus_knot(64, 8),
        nine_material_cube(),
        skinned_tube(24, 12),
    ];
    let mut ratios = Vec::new();
    for drawing in drawings {
        for side in [0.5, 2.0, 12.0] {
            let size = Some([side; 3]);
            let own = packed(&drawing, &options(None, size)).expect("thirds").land_impact.value;
            let mut targets = vec![own.div_ceil(3), own.div_ceil(2), own, own + 1, own * 2];
            targets.dedup();
            for target in targets {
                match packed(&drawing, &options(Some(target), size)) {
                    Ok(packed) => {
                        let (name, lost) = (drawing.name, packed.loss);
                        assert!(packed.land_impact.value <= target, "{name}, {target}");
                        assert!(packed.streaming <= greatest_weight(target), "{name}, {target}");
                        assert!(lost <= packed.viewer.loss, "{name}, {target}: {lost}");
                        ratios.extend(distances(&packed));
                    }
                    Err(PackError::TargetInfeasible(error)) => {
                        assert!(
                            target < own && error.minimum > target,
                            "{}: {error}",
                            drawing.name
                        );
                    }
                    Err(error) => panic!("{}: {error}", drawing.name),
                }
            }
        }
    }
    let count = f64::from(u32::try_from(ratios.len()).expect("a few hundred"));
    let mean = (ratios.iter().map(|ratio| ratio.ln()).sum::<f64>() / count).exp();
    assert!(mean <= 1.0, "distances to the source over those of thirds: {mean}");
}

/// The ratio of each level's distance to the source and its distance in the viewer's split, where
/// both have one.
fn distances(packed: &PackedModel) -> Vec<f64> {
    let pairs = packed.objects.iter().zip(&packed.viewer.selected).flat_map(|(object, viewers)| {
        let error = |index: usize| object.chain.candidates()[index].error;
        let ours = object.selected.to_array().map(error);
        ours.into_iter().zip(viewers.to_array().map(error)).collect::<Vec<_>>()
    });
    let pairs = pairs.inspect(|&(ours, theirs)| assert!(ours <= 0.0 || theirs > 0.0));
    pairs.filter(|&(ours, _)| ours > 0.0).map(|(ours, theirs)| ours / theirs).collect()
}

const SHAPES: [ShapeType; 3] = [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None];

fn price(object: &PackedObject, shape: ShapeType) -> (f64, f64) {
    #[expect(clippy::cast_possible_truncation, reason = "a grid stores single floats")]
    let sides = object.frame.sides().map(|side| f64::from(side as f32));
    let scale = ObjectScale::new(sides).expect("a size");
    let mesh = MeshInputs::read(&object.asset, AssetLimits::default()).expect("an asset");
    let pricer = Pricer::new(StreamingRules::VIEWER).expect("rules");
    let usage = MeshUse { scale, shape, ..MeshUse::default() };
    let price = pricer.mesh(&mesh, &usage).expect("a price");
    (price.assessment.streaming, price.physics.cost)
}

#[track_caller]
fn agree(name: &str, packed: &PackedModel) {
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
fn every_shape_costs_as_much_as_its_file() {
    use CollisionKind::{Box, Hull, Mesh, None, Parts};
    let mut two = sphere(0.5, 4);
    two.meshes.extend(torus_knot(8, 3).named("knot").meshes);
    for (drawing, target, side, kinds) in [
        (sphere(2.0, 4), Option::None, 4.0, &[None, Box, Hull, Mesh][..]),
        (torus_knot(6, 3), Option::None, 0.3, &[Mesh]),
        (tree_of_cards(2), Option::None, 7.3, &[Mesh]),
        (two, Option::None, 1.0, &[Mesh]),
        (skinned_tube(2, 3), Option::None, 2.1, &[Hull]),
        (sphere(1.0, 4), Some(2), 2.0, &[Parts]),
    ] {
        for (physics, shape) in kinds.iter().flat_map(|kind| SHAPES.map(|shape| (kind, shape))) {
            let options = PackOptions {
                physics: physics.clone(),
                shape,
                ..options(target, Some([side, side * 0.7, side * 1.1]))
            };
            let packed = packed(&drawing, &options).expect("assets");
            assert_eq!(packed.physics == 0.0, shape == ShapeType::None);
            let has_parts = packed.objects.iter().any(|object| !object.physics.parts.is_empty());
            assert_eq!(has_parts, *physics == Parts);
            agree(&format!("{} {physics:?} {shape:?}", drawing.name), &packed);
        }
    }
}

#[test]
fn a_cost_of_physics_decides_where_nothing_else_is_requested() {
    let with = |max| PackOptions { physics_cost: Some(max), ..options(None, None) };
    for max in [0.37, 1.0, 3.0] {
        let packed = packed(&sphere(1.0, 6), &with(max)).expect("a hull");
        assert!(packed.physics <= max && packed.physics > max / 2.0, "{}", packed.physics);
        agree("sphere", &packed);
    }
    let error = packed(&sphere(1.0, 4), &with(0.01)).expect_err("no hull is so cheap").to_string();
    assert_eq!(error, "a physics cost of 0.01 cannot be met: 0.200 is the least");
}

/// `cargo xtask report` shows the page in a browser.
#[test]
fn a_report_describes_the_packed_model() {
    let mut model = read_one(&nine_material_cube());
    let options = options(None, Some([2.0; 3]));
    let packed = pack(&mut model, &options, &no_parts, &plenty(), &|_| ()).expect("assets");
    let page = render_report(&model, &packed, &plenty(), &|_| ()).expect("plenty");
    let impact = format!("<strong>{}</strong>", packed.land_impact.value);
    assert!(page.contains(&impact), "the land impact");
    assert_eq!(page.matches("<article>").count(), packed.objects.len());
    assert!(page.matches("<img ").count() > 8 * packed.objects.len());
    let noted = page.split("<summary>").nth(1).is_some_and(|rest| rest.contains("</li>"));
    assert_eq!(noted, !packed.notes.is_empty(), "{:?}", packed.notes);
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("report.html");
    fs::write(file, page).expect("a page");
}
