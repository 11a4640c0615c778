//! The triangles that a mesh really has.

use lodger_core::cost::streaming::MeshLod;
use lodger_mesh_asset::{Asset, AssetBuilder, Block, Limits};
use lodger_pricing::{Mesh, MeshUse, Remark};

use crate::sample::{self, viewer};

#[test]
fn triangles_are_those_of_the_file() {
    let file = sample::file(20);
    let mesh = Mesh::read_counted(&file, Limits::default()).expect("an asset");
    let detail = viewer().mesh_in_detail(&mesh, &MeshUse::default()).expect("a price");
    let asset = Asset::parse(&file).expect("an asset");
    for (lod, block) in MeshLod::ALL.into_iter().zip(Block::LODS) {
        let inflated = asset.inflate(block).expect("whole").expect("there");
        let decoded = inflated.lod().expect("geometry");
        let counts = detail.lods.geometry.of(lod).expect("counts");
        assert_eq!(counts.triangles, decoded.triangle_count());
        assert_eq!(counts.vertices, decoded.vertex_count());
    }
    assert_eq!(detail.remarks, []);
    let uncounted = Mesh::read(&file, Limits::default()).expect("an asset");
    assert_eq!((&uncounted.geometry, uncounted.sizes), (&None, mesh.sizes));
    assert_eq!(viewer().mesh(&uncounted, &MeshUse::default()), Ok(detail.price));
}

#[test]
fn what_cannot_be_decoded_is_said_and_does_not_stop_the_price() {
    let whole = sample::file(20);
    let mut builder = AssetBuilder::new();
    let asset = Asset::parse(&whole).expect("an asset");
    for block in [Block::PhysicsConvex, Block::MediumLod] {
        builder.set_raw(block.key(), asset.raw(block).expect("there").to_vec());
    }
    builder.set_raw(Block::LowLod.key(), b"noise".to_vec());
    builder.set_raw(Block::HighLod.key(), b"no geometry either".to_vec());
    let file = builder.encode().expect("an asset");
    let mesh = Mesh::read_counted(&file, Limits::default()).expect("an asset");
    let detail = viewer().mesh_in_detail(&mesh, &MeshUse::default()).expect("a price");
    let known = detail.lods.geometry.map(|counts| counts.is_some());
    assert_eq!(known.to_array(), [false, false, true, false]);
    let [Remark::NotDecoded { lods, error }] = &detail.remarks[..] else {
        panic!("{:?}", detail.remarks);
    };
    assert_eq!((&lods[..], error.block()), (&[MeshLod::Low, MeshLod::High][..], Some("low_lod")));
    let said = detail.remarks[0].to_string();
    assert!(said.contains("its low, high LOD") && said.contains("low_lod"), "{said}");
}
