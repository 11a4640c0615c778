//! Written assets read the same, and unchanged assets are written the same.

use lodger_core::cost::physics::{ConvexDecomposition, ConvexHull, Motion, ShapeType};
use lodger_core::cost::streaming::PerLod;
use lodger_core::cost::{ObjectScale, Provenance};
use lodger_mesh_asset::llsd::{LlsdValue, Map};
use lodger_mesh_asset::{
    Asset, AssetBlock, AssetBuilder, Faces, Geometry, Influence, Influences, PhysicsConvex,
    Quantized, VertexWeights,
};
use proptest::prelude::*;

use super::sample;

#[test]
fn every_part_comes_back() {
    let file = sample::file();
    let asset = Asset::parse(&file).unwrap();
    asset.verify().unwrap();
    let inflate = |block| asset.inflate(block).unwrap().unwrap();
    for (block, quads) in AssetBlock::LODS.into_iter().zip([1, 2, 4, 8]) {
        let lod = sample::lod(quads);
        let counts = asset.counts(block).unwrap().unwrap();
        assert_eq!((counts.triangles, counts.vertices), (lod.triangle_count(), lod.vertex_count()));
        assert_eq!(inflate(block).lod().unwrap(), lod);
    }
    assert_eq!(inflate(AssetBlock::Skin).skin().unwrap(), sample::skin());
    assert_eq!(inflate(AssetBlock::PhysicsConvex).convex().unwrap(), sample::convex());
    assert_eq!(asset.physics_cost_data().unwrap(), Some(sample::cost_data()));
    let novelty = asset.inflate_named("novelty").unwrap().unwrap();
    assert_eq!(novelty.value().unwrap(), LlsdValue::from("new"));
    let materials = asset.header().material_list().unwrap();
    assert_eq!(materials, Some(vec!["cloth", "buttons"]));
}

/// The doc examples read this file; `LODGER_BLESS=1` writes it.
#[test]
fn the_sample_of_the_doc_examples_is_the_sample_of_the_tests() {
    let path = "samples/strip.llmesh";
    if std::env::var_os("LODGER_BLESS").is_some() {
        std::fs::write(path, sample::file()).unwrap();
    }
    assert_eq!(std::fs::read(path).unwrap(), sample::file());
}

#[test]
fn the_inputs_of_the_cost_functions() {
    let file = sample::file();
    let asset = Asset::parse(&file).unwrap();
    let sizes = AssetBlock::LODS.map(|block| asset.raw(block).unwrap().len());
    let [lowest, low, medium, high] = sizes.map(|size| i32::try_from(size).unwrap());
    assert_eq!(asset.header().lod_bytes(), PerLod { lowest, low, medium, high });
    let physics = asset.physics().unwrap();
    assert_eq!((physics.hull, physics.hull_source), (ConvexHull::new(4).unwrap(), None));
    assert_eq!(physics.decomposition, Some(ConvexDecomposition::new([4, 4]).unwrap()));
    let shapes = physics.shapes(ObjectScale::new([2.0_f32, 1.0, 1.0]).unwrap()).unwrap();
    let mesh = shapes.mesh.unwrap();
    assert_eq!((mesh.triangles(), mesh.degenerate()), (4, 0));
    // Quads of 1 m × 0.5 m.
    assert!((mesh.mean_width() - 0.5 / 1.25_f32.sqrt()).abs() < 1e-4);
    let cost = |shape| physics.body(ObjectScale::<f64>::ONE).unwrap().cost(shape, Motion::AT_REST);
    let exact = |cost| (cost, Provenance::Exact);
    let hull = cost(ShapeType::ConvexHull);
    assert_eq!((hull.cost, hull.provenance), exact(0.2));
    let decomposition = cost(ShapeType::Prim);
    assert_eq!((decomposition.cost, decomposition.provenance), exact(0.4));
}

#[test]
fn a_missing_hull_has_the_maximum_size() {
    let mut builder = sample::builder();
    builder.remove("physics_convex");
    builder.set_lod(AssetBlock::HighLod, &sample::lod(200)).unwrap();
    for (block, vertices) in
        [(AssetBlock::PhysicsMesh, 6), (AssetBlock::MediumLod, 10), (AssetBlock::HighLod, 256)]
    {
        let file = builder.encode().unwrap();
        let physics = Asset::parse(&file).unwrap().physics().unwrap();
        assert_eq!(physics.hull_source, Some(block));
        assert_eq!(physics.hull, ConvexHull::new(vertices).unwrap());
        assert_eq!(physics.decomposition, None);
        builder.remove(block.key());
    }
    let file = builder.encode().unwrap();
    assert!(Asset::parse(&file).unwrap().physics().is_err());
}

#[test]
fn values_that_core_rejects_are_errors() {
    let physics = |convex: &PhysicsConvex| {
        let mut builder = sample::builder();
        builder.set_convex(convex).unwrap();
        let file = builder.encode().unwrap();
        Asset::parse(&file).unwrap().physics().map(drop)
    };
    let point = [[0.1; 3]];
    assert!(physics(&PhysicsConvex::new(&[[0.1; 3]; 256], &[point]).unwrap()).is_ok());
    assert!(physics(&PhysicsConvex::new(&[[0.1; 3]; 257], &[point]).unwrap()).is_err());
    assert!(physics(&PhysicsConvex::new(&point, &[point; 257]).unwrap()).is_err());
    let far = Quantized::from_points(&[[0.0; 3], [20_000.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    let far = Faces::new([Geometry::new(far, &[[0, 1, 2]]).unwrap().into()]);
    assert!(far.measure(ObjectScale::<f32>::ONE).is_err());
}

#[test]
fn an_untouched_file_keeps_every_byte() {
    for line in [false, true] {
        let file = sample::builder().header_line(line).encode().unwrap();
        let asset = Asset::parse(&file).unwrap();
        assert_eq!(AssetBuilder::from(&asset).encode().unwrap(), file);
    }
}

#[test]
fn overlaps_gaps_and_repeated_keys_are_kept() {
    let entry = |offset, size| {
        let fields = [("hash", 9), ("offset", offset), ("size", size)];
        fields.into_iter().collect::<Map>()
    };
    let entries =
        [("low_lod", entry(3, 5)), ("lowest_lod", entry(3, 5)), ("medium_lod", entry(5, 6))];
    let mut file = LlsdValue::Map(entries.into_iter().collect()).to_bytes().unwrap();
    file.extend(0..20);
    let asset = Asset::parse(&file).unwrap();
    assert_eq!(asset.raw(AssetBlock::LowLod), Some(&[3, 4, 5, 6, 7][..]));
    assert_eq!(asset.raw(AssetBlock::LowLod), asset.raw(AssetBlock::LowestLod));
    assert_eq!(AssetBuilder::from(&asset).encode().unwrap(), file);
}

#[test]
fn a_change_keeps_the_other_blocks() {
    let file = sample::file();
    let before = Asset::parse(&file).unwrap();
    let mut builder = AssetBuilder::from(&before);
    builder.set_lod(AssetBlock::HighLod, &sample::lod(16)).unwrap();
    builder.remove(AssetBlock::Skin.key());
    let changed = builder.encode().unwrap();
    let after = Asset::parse(&changed).unwrap();
    after.verify().unwrap();
    for (name, _) in before.header().blocks() {
        let block = name.parse().ok();
        let kept = !matches!(block, Some(AssetBlock::HighLod | AssetBlock::Skin));
        if kept && let Some(block) = block {
            assert_eq!(after.raw(block), before.raw(block), "{name}");
        }
    }
    assert_eq!(after.raw(AssetBlock::Skin), None);
    let high = after.inflate(AssetBlock::HighLod).unwrap().unwrap();
    assert_eq!(high.lod().unwrap(), sample::lod(16));
    let keys = |asset: &Asset| -> Vec<_> {
        let keys = asset.header().map().iter().map(|(key, _)| key.to_owned());
        keys.filter(|key| key != "skin").collect()
    };
    assert_eq!(keys(&after), keys(&before));
}

#[test]
fn an_alias_is_replaced_not_doubled() {
    let mut builder = AssetBuilder::new();
    let value = sample::convex();
    builder.set_block("decomposition", &value.to_value()).unwrap();
    let file = builder.encode().unwrap();
    let asset = Asset::parse(&file).unwrap();
    assert_eq!(asset.physics().unwrap().hull, ConvexHull::new(4).unwrap());
    let mut builder = AssetBuilder::from(&asset);
    builder.set_convex(&sample::convex()).unwrap();
    let file = builder.encode().unwrap();
    let asset = Asset::parse(&file).unwrap();
    let names: Vec<_> = asset.header().map().iter().map(|(key, _)| key).collect();
    assert_eq!(names, ["physics_convex"]);
}

#[test]
fn cost_data_may_be_in_the_header() {
    let mut builder = AssetBuilder::new();
    builder.set_value("physics_cost_data", sample::cost_data().to_value());
    let file = builder.encode().unwrap();
    let asset = Asset::parse(&file).unwrap();
    assert_eq!(asset.physics_cost_data().unwrap(), Some(sample::cost_data()));
}

fn any_face() -> impl Strategy<Value = Geometry<'static>> {
    let points = prop::collection::vec(prop::array::uniform3(-0.5_f32..0.5), 1..60);
    points.prop_flat_map(|points| {
        let last = u16::try_from(points.len()).unwrap();
        let triangles = prop::collection::vec(prop::array::uniform3(0..last), 0..80);
        let influence = (0..255_u8, any::<u16>());
        let list = prop::collection::vec(influence, 0..5);
        let weights = prop::collection::vec(list, points.len());
        (Just(points), triangles, weights).prop_map(|(points, triangles, weights)| {
            let influence = |(joint, weight)| Influence { joint, weight };
            let lists = weights.into_iter();
            let lists: Vec<_> =
                lists.map(|list| Influences::new(list.into_iter().map(influence))).collect();
            Geometry::new(Quantized::from_points(&points).unwrap(), &triangles)
                .and_then(|face| face.with_weights(VertexWeights::new(&lists)))
                .unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_geometry_comes_back(faces in prop::collection::vec(any_face(), 0..4)) {
        let lod = Faces::new(faces.into_iter().map(Into::into));
        let mut builder = AssetBuilder::new();
        builder.set_lod(AssetBlock::HighLod, &lod).unwrap();
        let file = builder.encode().unwrap();
        let asset = Asset::parse(&file).unwrap();
        let block = asset.inflate(AssetBlock::HighLod).unwrap().unwrap();
        prop_assert_eq!(block.lod().unwrap(), lod);
    }
}

#[test]
fn levels_inflated_for_a_hull_are_observed_once() {
    let empty = Faces::new([]);
    let mut builder = sample::builder();
    builder.remove("physics_convex").remove("physics_mesh").remove("physics_cost_data");
    for expected in [&[AssetBlock::MediumLod][..], &[AssetBlock::MediumLod, AssetBlock::HighLod]] {
        let file = builder.encode().unwrap();
        let asset = Asset::parse(&file).unwrap();
        let mut observed = Vec::new();
        let inputs = asset.physics_with(|block, inflated| {
            assert_eq!(inflated.counts().map(Some), asset.counts(block));
            observed.push(block);
        });
        assert_eq!(inputs.unwrap().hull_source, expected.last().copied());
        assert_eq!(observed, expected);
        builder.set_lod(AssetBlock::MediumLod, &empty).unwrap();
    }
}

#[test]
fn a_sorted_header_leaves_the_blocks_in_their_order() {
    let names = ["skin", "low_lod", "high_lod"];
    let mut builder = AssetBuilder::new();
    for name in names {
        builder.set_raw(name, name.as_bytes());
    }
    builder.set_value("version", 1).sort_header().set_raw("a_late_one", &b"!"[..]);
    let file = builder.encode().unwrap();
    let asset = Asset::parse(&file).unwrap();
    assert_eq!(asset.body(), b"skinlow_lodhigh_lod!");
    let keys: Vec<_> = asset.header().map().iter().map(|(key, _)| key).collect();
    assert_eq!(keys, ["high_lod", "low_lod", "skin", "version", "a_late_one"]);

    let mut again = AssetBuilder::from(&asset);
    let sorted = again.sort_header().encode().unwrap();
    let asset = Asset::parse(&sorted).unwrap();
    assert_eq!(asset.body(), b"skinlow_lodhigh_lod!");
    assert_eq!(asset.header().map().iter().next().unwrap().0, "a_late_one");
}
