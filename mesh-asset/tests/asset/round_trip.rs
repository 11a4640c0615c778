//! What was written reads the same; what was read and not changed is written the same.

use lodger_mesh_asset::llsd::{Map, Value};
use lodger_mesh_asset::{
    Asset, AssetBuilder, Block, Geometry, Influence, Influences, Lod, Quantized, Weights,
};
use proptest::prelude::*;

use super::sample;

#[test]
fn every_part_comes_back() {
    let file = sample::file();
    let asset = Asset::parse(&file).unwrap();
    asset.verify().unwrap();
    let inflate = |block| asset.inflate(block).unwrap().unwrap();
    for (block, quads) in Block::LODS.into_iter().zip([1, 2, 4, 8]) {
        assert_eq!(inflate(block).lod().unwrap(), sample::lod(quads));
    }
    assert_eq!(inflate(Block::Skin).skin().unwrap(), sample::skin());
    assert_eq!(inflate(Block::PhysicsConvex).convex().unwrap(), sample::convex());
    assert_eq!(asset.physics_cost_data().unwrap(), Some(sample::cost_data()));
    let novelty = asset.inflate_named("novelty").unwrap().unwrap();
    assert_eq!(novelty.value().unwrap(), Value::from("new"));
    let materials = asset.header().material_list().unwrap();
    assert_eq!(materials, Some(vec!["cloth", "buttons"]));
}

#[test]
fn the_inputs_of_the_cost_functions() {
    let file = sample::file();
    let asset = Asset::parse(&file).unwrap();
    let sizes = Block::LODS.map(|block| asset.raw(block).unwrap().len());
    let bytes = asset.header().lod_bytes();
    assert_eq!(bytes.map(|size| size.unwrap() as usize), sizes);
    assert_eq!(asset.header().total_lod_bytes(), sizes.iter().sum::<usize>() as u64);
    let physics = asset.physics().unwrap();
    assert_eq!(physics.hull_vertices, Some(4));
    assert_eq!(physics.hulls, [4, 4]);
    let mesh = physics.mesh.unwrap();
    assert_eq!(mesh.lod().unwrap().triangles().count(), 4);
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
    let mut file = Value::Map(entries.into_iter().collect()).to_bytes().unwrap();
    file.extend(0..20);
    let asset = Asset::parse(&file).unwrap();
    assert_eq!(asset.raw(Block::LowLod), Some(&[3, 4, 5, 6, 7][..]));
    assert_eq!(asset.raw(Block::LowLod), asset.raw(Block::LowestLod));
    assert_eq!(AssetBuilder::from(&asset).encode().unwrap(), file);
}

#[test]
fn a_change_keeps_the_other_blocks() {
    let file = sample::file();
    let before = Asset::parse(&file).unwrap();
    let mut builder = AssetBuilder::from(&before);
    builder.set_lod(Block::HighLod, &sample::lod(16)).unwrap();
    builder.remove(Block::Skin.name());
    let changed = builder.encode().unwrap();
    let after = Asset::parse(&changed).unwrap();
    after.verify().unwrap();
    for (name, _) in before.header().blocks() {
        let block = Block::from_name(name);
        let kept = !matches!(block, Some(Block::HighLod | Block::Skin));
        if kept && let Some(block) = block {
            assert_eq!(after.raw(block), before.raw(block), "{name}");
        }
    }
    assert_eq!(after.raw(Block::Skin), None);
    let high = after.inflate(Block::HighLod).unwrap().unwrap();
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
    assert_eq!(asset.physics().unwrap().hull_vertices, Some(4));
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
                .and_then(|face| face.with_weights(Weights::new(&lists)))
                .unwrap()
        })
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn any_geometry_comes_back(faces in prop::collection::vec(any_face(), 0..4)) {
        let lod = Lod::new(faces.into_iter().map(Into::into));
        let mut builder = AssetBuilder::new();
        builder.set_lod(Block::HighLod, &lod).unwrap();
        let file = builder.encode().unwrap();
        let asset = Asset::parse(&file).unwrap();
        let block = asset.inflate(Block::HighLod).unwrap().unwrap();
        prop_assert_eq!(block.lod().unwrap(), lod);
    }
}
