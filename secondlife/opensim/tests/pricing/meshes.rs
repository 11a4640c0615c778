//! Prices of meshes at one size and at many.

use lodger_core::cost::physics::{Representation, ShapeType};
use lodger_core::cost::streaming::{MeshLod, Reach};
use lodger_mesh_asset::{Asset, AssetBlock, AssetBuilder, AssetLimits};
use lodger_opensim::pricing::{
    BytesInfeasible, MeshInputs, MeshUse, PriceNote, PricingError, SizeRange, SweepEvent,
};

use crate::{mesh, mesh_file, of_scale, viewer};

fn counted(file: &[u8]) -> MeshInputs {
    MeshInputs::from_asset_counted(&Asset::parse(file).expect("an asset")).expect("its inputs")
}

#[test]
fn triangles_are_those_of_the_file() {
    let file = mesh_file(20);
    let mesh = counted(&file);
    let detail = viewer().mesh_in_detail(&mesh, &MeshUse::default()).expect("a price");
    let asset = Asset::parse(&file).expect("an asset");
    for (lod, block) in MeshLod::ALL.into_iter().zip(AssetBlock::LODS) {
        let inflated = asset.inflate(block).expect("whole").expect("there");
        let decoded = inflated.lod().expect("geometry");
        let counts = detail.lods.geometry.of(lod).expect("counts");
        assert_eq!(counts.triangles, decoded.triangle_count());
        assert_eq!(counts.vertices, decoded.vertex_count());
    }
    assert_eq!(detail.notes, []);
    let uncounted = MeshInputs::read(&file, AssetLimits::default()).expect("an asset");
    assert_eq!((&uncounted.geometry, uncounted.sizes), (&None, mesh.sizes));
    assert_eq!(viewer().mesh(&uncounted, &MeshUse::default()), Ok(detail.price));
}

#[test]
fn an_undecodable_lod_is_a_note_and_leaves_the_price() {
    let whole = mesh_file(20);
    let mut builder = AssetBuilder::new();
    let asset = Asset::parse(&whole).expect("an asset");
    for block in [AssetBlock::PhysicsConvex, AssetBlock::MediumLod] {
        builder.set_raw(block.key(), asset.raw(block).expect("there").to_vec());
    }
    builder.set_raw(AssetBlock::LowLod.key(), b"noise".to_vec());
    builder.set_raw(AssetBlock::HighLod.key(), b"no geometry either".to_vec());
    let file = builder.encode().expect("an asset");
    let mesh = counted(&file);
    let detail = viewer().mesh_in_detail(&mesh, &MeshUse::default()).expect("a price");
    let known = detail.lods.geometry.map(|counts| counts.is_some());
    assert_eq!(known.to_array(), [false, false, true, false]);
    let [PriceNote::NotDecoded { lods, error }] = &detail.notes[..] else {
        panic!("{:?}", detail.notes);
    };
    assert_eq!((&lods[..], error.block()), (&[MeshLod::Low, MeshLod::High][..], Some("low_lod")));
    let text = detail.notes[0].to_string();
    assert!(text.contains("its low, high LOD") && text.contains("low_lod"), "{text}");
}

fn range() -> SizeRange {
    SizeRange::new(0.1, 64.0).expect("a range")
}

#[test]
fn every_point_of_a_sweep_is_the_price_at_that_size() {
    let (mesh, viewer) = (mesh(), viewer());
    let usage = MeshUse { shape: ShapeType::Prim, ..of_scale([2.0, 1.0, 1.5]) };
    let points = viewer.sweep(&mesh, &usage, range()).expect("a sweep");
    assert!(points.iter().map(|point| point.size).is_sorted());
    for point in &points {
        let again = MeshUse { scale: point.price.scale, ..usage };
        assert_eq!(viewer.mesh(&mesh, &again), Ok(point.price));
        assert_eq!(point.price.scale.longest().to_bits(), point.size.to_bits());
    }
    let flip =
        points.iter().position(|point| point.event == Some(SweepEvent::Flip)).expect("a flip");
    let representation = |at: usize| points[at].price.physics.representation;
    assert_eq!(representation(flip - 1), Representation::Hull);
    assert_eq!(representation(flip), Representation::Mesh);
    assert!((points[flip].size - 1.0).abs() < 1e-9, "the shortest side is half as long");
}

#[test]
fn steps_are_where_the_land_impact_changes() {
    let points = viewer().sweep(&mesh(), &MeshUse::default(), range()).expect("a sweep");
    let mut steps = 0;
    for pair in points.windows(2) {
        if let Some(SweepEvent::Step { from, to }) = pair[1].event {
            assert_eq!((pair[0].land_impact(), pair[1].land_impact()), (from, to));
            assert!(pair[1].size / pair[0].size < 1.0 + 1e-9);
            steps += 1;
        }
    }
    assert!(steps > 2, "{steps}");
}

#[test]
fn linked_meshes_cost_the_sum_of_their_costs() {
    let (mesh, viewer) = (mesh(), viewer());
    let uses = [of_scale([2.0, 1.0, 1.5]), of_scale([0.5, 4.0, 1.0])];
    let whole = of_scale([2.0, 4.0, 8.0]).scale;
    let linked = uses.map(|usage| (&mesh, usage));
    let points = viewer.sweep_linked(&linked, whole, range()).expect("a sweep");
    let mut steps = 0;
    for (index, point) in points.iter().enumerate() {
        let alone = uses.map(|usage| {
            let sides = usage.scale.sides().map(|side| point.size * (side / 8.0));
            viewer.mesh(&mesh, &of_scale(sides)).expect("a price").assessment
        });
        let linked = point.price.assessment;
        let [streaming, physics] =
            [alone[0].streaming + alone[1].streaming, alone[0].physics + alone[1].physics];
        assert_eq!(linked.streaming.to_bits(), streaming.to_bits());
        assert_eq!(linked.physics.to_bits(), physics.to_bits());
        assert_eq!((linked.server, linked.prims), (1.0, 2));
        if let Some(SweepEvent::Step { from, to }) = point.event {
            assert_eq!((points[index - 1].land_impact(), point.land_impact()), (from, to));
            steps += 1;
        }
    }
    assert!(steps > 2, "{steps}");
    let flat = of_scale([0.0; 3]).scale;
    assert_eq!(viewer.sweep_linked(&linked, flat, range()), Err(PricingError::NoExtent));
    assert!(viewer.sweep_linked(&[], whole, range()).is_err(), "no mesh has no price");
}

#[test]
fn a_target_is_met_and_one_byte_or_step_more_is_not() {
    let (mesh, viewer, usage) = (mesh(), viewer(), of_scale([10.0; 3]));
    let impact = |mesh: &MeshInputs, usage: &MeshUse| {
        viewer.mesh(mesh, usage).expect("a price").assessment.land_impact.value
    };
    let half = impact(&mesh, &usage) / 2;
    let target = viewer.limits_for(&mesh, &usage, half).expect("an answer");
    let scaled = target.bytes.scaled.expect("some bytes");
    assert_eq!(impact(&MeshInputs { sizes: scaled, ..mesh.clone() }, &usage), half);
    let Reach::UpTo(scale) = target.size.reach else { panic!("{:?}", target.size) };
    assert_eq!(impact(&mesh, &MeshUse { scale, ..usage }), half);
    let above = scale.sides().map(|side| side * (1.0 + 1e-12));
    assert_eq!(impact(&mesh, &of_scale(above)), half + 1);
    let scripted = MeshUse { scripts: 100, physical: true, ..of_scale([60.0; 3]) };
    let heavy = viewer.limits_for(&mesh, &scripted, 1).expect("an answer");
    assert!(
        matches!(heavy.bytes.none, Some(BytesInfeasible::OtherWeight { .. })),
        "{:?}",
        heavy.bytes
    );
}

#[test]
fn scales_without_proportions_and_empty_ranges_are_rejected() {
    let flat = of_scale([0.0; 3]);
    assert_eq!(viewer().sweep(&mesh(), &flat, range()), Err(PricingError::NoExtent));
    assert_eq!(viewer().limits_for(&mesh(), &flat, 2), Err(PricingError::NoExtent));
    for (from, to) in [(0.0, 1.0), (2.0, 1.0), (1.0, 1.0), (1.0, 16_385.0), (f64::NAN, 1.0)] {
        assert!(SizeRange::new(from, to).is_err(), "{from}..{to}");
    }
}
