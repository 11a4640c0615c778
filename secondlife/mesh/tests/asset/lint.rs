//! Findings of lint for assets with one problem.

use lodger_core::cost::ObjectScale;
use lodger_mesh_asset::lint::{
    Finding, FindingCost, FindingKind, FindingSeverity, MAX_THIN_NAMED, lint,
};
use lodger_mesh_asset::{
    Asset, AssetBlock, AssetBuilder, Faces, Geometry, PhysicsConvex, Quantized,
};

use super::sample;

fn findings(builder: &AssetBuilder) -> Vec<Finding> {
    let file = builder.encode().unwrap();
    lint(&Asset::parse(&file).unwrap(), ObjectScale::ONE)
}

fn kinds(builder: &AssetBuilder) -> Vec<(&'static str, Option<AssetBlock>)> {
    let findings = findings(builder).into_iter();
    findings.map(|found| (found.kind.code(), found.block)).collect()
}

#[test]
fn without_high_lod() {
    let mut builder = sample::builder();
    builder.remove("high_lod");
    assert_eq!(kinds(&builder), [("no-high-lod", None)]);
}

#[test]
fn levels_that_disagree() {
    let mut builder = sample::builder();
    let one_face = Faces::new([sample::strip(4).into()]);
    builder.set_lod(AssetBlock::MediumLod, &one_face).unwrap();
    builder.set_lod(AssetBlock::LowestLod, &sample::lod(2)).unwrap();
    let found = findings(&builder);
    assert_eq!(found.len(), 2, "{found:?}");
    let next = AssetBlock::LowLod;
    assert_eq!(found[0].kind, FindingKind::SameAsNext { next });
    assert!(matches!(found[0].cost, Some(FindingCost::Bytes(1..))));
    let kind = FindingKind::FaceCount { faces: 1, high: 2 };
    assert_eq!((&found[1].kind, found[1].block), (&kind, Some(AssetBlock::MediumLod)));
    let severities: Vec<_> = found.iter().map(Finding::severity).collect();
    assert_eq!(severities, [FindingSeverity::Note, FindingSeverity::Warning]);
    builder.set_lod(AssetBlock::LowLod, &sample::lod(7)).unwrap();
    assert!(kinds(&builder).contains(&("more-triangles", Some(AssetBlock::LowLod))));
}

#[test]
fn a_missing_hull_and_its_source() {
    let mut builder = sample::builder();
    builder.remove("physics_convex");
    for block in [AssetBlock::PhysicsMesh, AssetBlock::MediumLod, AssetBlock::HighLod] {
        let source = Some(block);
        assert!(
            findings(&builder)
                .iter()
                .any(|found| found.kind == FindingKind::HullMissing { source })
        );
        builder.remove(block.key());
    }
    let points = vec![[0.1; 3]; 257];
    let many = vec![sample::tetrahedron(0.0); 257];
    for (convex, kind) in [
        (PhysicsConvex::new(&points[..3], &many[..1]), "hull-degenerate"),
        (PhysicsConvex::new(&points, &many[..1]), "too-many-vertices"),
        (PhysicsConvex::new(&points[..9], &many), "too-many-hulls"),
    ] {
        let mut builder = sample::builder();
        builder.set_convex(&convex.unwrap()).unwrap();
        assert_eq!(kinds(&builder), [(kind, Some(AssetBlock::PhysicsConvex))]);
    }
}

#[test]
fn every_degenerate_triangle_is_named() {
    let mut builder = sample::builder();
    let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0]];
    let face = Quantized::from_points(&corners)
        .and_then(|points| Geometry::new(points, &[[0, 1, 2], [0, 1, 1], [2, 2, 2]]));
    let mesh = Faces::new([face.unwrap().into()]);
    builder.set_lod(AssetBlock::PhysicsMesh, &mesh).unwrap();
    let found = findings(&builder);
    let triangles: Vec<_> = found.iter().map(|found| found.triangle).collect();
    assert_eq!(triangles, [Some(1), Some(2)]);
    assert_eq!(found[0].cost, Some(FindingCost::PhysicsOfMesh(150.0)));
    assert_eq!(
        found[0].to_string(),
        "physics_mesh, face 0, triangle 1: a triangle without area (and makes the whole physics \
         mesh cost 150.000); delete the triangle or merge its vertices"
    );
}

#[test]
fn the_thinnest_triangles_are_ranked() {
    let mut builder = sample::builder();
    let thin = (1..=12_u8).map(|i| 0.001 * f32::from(i));
    let ends = thin.chain([0.5; 60]).map(|x| [x, 0.0, 0.0]);
    let corners: Vec<_> = [[0.0; 3], [0.0, 0.5, 0.0]].into_iter().chain(ends).collect();
    let triangles: Vec<_> = (2..74).map(|i| [0, 1, i]).collect();
    let face = Quantized::from_points(&corners).and_then(|all| Geometry::new(all, &triangles));
    let mesh = Faces::new([face.unwrap().into()]);
    builder.set_lod(AssetBlock::PhysicsMesh, &mesh).unwrap();
    let found = findings(&builder);
    assert_eq!(found.len(), MAX_THIN_NAMED, "{found:?}");
    for (triangle, found) in found.iter().enumerate() {
        assert_eq!(found.triangle, Some(triangle));
        assert_eq!(found.kind, FindingKind::ThinTriangle { rank: triangle + 1 });
    }
}

#[test]
fn a_bad_block_does_not_hide_the_others() {
    let mut builder = sample::builder();
    builder.set_raw("skin", b"not zlib".as_slice());
    builder.set_raw("physics_convex", b"nor this".as_slice());
    builder.remove("high_lod");
    let expected = [
        ("unreadable", Some(AssetBlock::Skin)),
        ("unreadable", Some(AssetBlock::PhysicsConvex)),
        ("no-high-lod", None),
    ];
    assert_eq!(kinds(&builder), expected);
}

#[test]
fn thin_triangles_of_a_mesh_with_the_minimum_cost_are_no_findings() {
    let mut builder = sample::builder();
    let corners = [[0.0; 3], [0.5, 0.0, 0.0], [0.0, 0.5, 0.0], [0.5, 0.5, 0.0], [0.25, 0.2, 0.0]];
    let mesh = |scale: f32| {
        let corners = corners.map(|corner| corner.map(|x| x * scale));
        let triangles = [[0, 1, 2], [1, 3, 2], [0, 1, 2], [1, 3, 2], [1, 4, 2]];
        let face = Quantized::from_points(&corners).and_then(|all| Geometry::new(all, &triangles));
        Faces::new([face.unwrap().into()])
    };
    builder.set_lod(AssetBlock::PhysicsMesh, &mesh(8.0)).unwrap();
    assert_eq!(findings(&builder), []);
    builder.set_lod(AssetBlock::PhysicsMesh, &mesh(1.0)).unwrap();
    let found = findings(&builder);
    assert_eq!((found.len(), found[0].triangle), (1, Some(4)), "{found:?}");
    assert!(
        matches!(found[0].cost, Some(FindingCost::Physics(cost)) if (cost - 1.41).abs() < 0.01)
    );
}

#[test]
fn a_physics_mesh_beyond_the_world_is_a_finding() {
    let mut builder = sample::builder();
    let far = Quantized::from_points(&[[0.0; 3], [20_000.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    let far = Faces::new([Geometry::new(far, &[[0, 1, 2]]).unwrap().into()]);
    builder.set_lod(AssetBlock::PhysicsMesh, &far).unwrap();
    assert_eq!(kinds(&builder), [("unreadable", Some(AssetBlock::PhysicsMesh))]);
}
