//! Mesh assets and LLSD.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Motion, ShapeType};
use lodger_core::cost::streaming::{StreamingModel, StreamingRules};
use lodger_core::{Fixed, Real};
use lodger_mesh_asset::lint::lint;
use lodger_mesh_asset::llsd::LlsdValue;
use lodger_mesh_asset::{
    Asset, AssetBlock, AssetBuilder, Faces, PhysicsConvex, PhysicsCostData, Skin,
};

use super::MESH_LIMITS;

/// A mesh asset: all blocks are decoded and linted, costs are finite, and encoding keeps every block.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn asset(bytes: &[u8]) -> bool {
    let Ok(asset) = Asset::parse_within(bytes, MESH_LIMITS) else {
        return false;
    };
    let findings = lint(&asset, ObjectScale::ONE);
    for finding in &findings {
        assert!(!finding.to_string().is_empty());
    }
    price::<f32>(&asset);
    price::<f64>(&asset);
    price::<Fixed>(&asset);
    rewrite(&asset);
    asset.verify().is_ok()
}

fn as_each_block(value: &LlsdValue) {
    for block in AssetBlock::ALL {
        let mut builder = AssetBuilder::new();
        builder.set_block(block.key(), value).expect("a read value can be written");
        let file = builder.encode().expect("a small asset");
        let _ = asset(&file);
    }
}

fn price<N: Real>(asset: &Asset) {
    let number = |metres: f64| N::from_f64(metres).unwrap_or(N::ONE);
    let streaming = StreamingModel::<N>::new(StreamingRules::VIEWER).expect("valid rules");
    for sides in [[0.01; 3], [1.0; 3], [0.0, 64.0, 3.5]] {
        let scale = ObjectScale::new(sides.map(number)).expect("a valid scale");
        assert_cost(streaming.cost(scale.radius(), asset.header().lod_bytes()));
        let Ok(body) = asset.physics().and_then(|inputs| inputs.body(scale)) else {
            continue;
        };
        for shape in [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None] {
            for motion in [Motion::AT_REST, Motion::Physical] {
                assert_cost(body.cost(shape, motion).cost);
            }
        }
    }
}

fn assert_cost<N: Real>(cost: N) {
    assert!(cost.is_finite() && cost >= N::ZERO, "{cost:?}");
}

fn rewrite(asset: &Asset) {
    let mut builder = AssetBuilder::from(asset);
    let untouched = builder.encode().expect("a read value can be written");
    let untouched = Asset::parse(&untouched).expect("a written value can be read");
    builder.set_value("fuzzed", true);
    let changed = builder.encode().expect("a read value can be written");
    let changed = Asset::parse(&changed).expect("a written value can be read");
    for block in AssetBlock::ALL {
        assert_eq!(untouched.raw(block), asset.raw(block), "{block}");
        assert_eq!(changed.raw(block), asset.raw(block), "{block}");
    }
}

/// Binary LLSD: values and their decoded forms are written and read the same; also decoded as each block of an asset.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn llsd(bytes: &[u8]) -> bool {
    let Ok(value) = LlsdValue::from_bytes(bytes) else {
        return false;
    };
    let written = value.to_bytes().expect("a read value can be written");
    let again = LlsdValue::from_bytes(&written).expect("a written value can be read");
    assert_eq!(again.to_bytes().expect("the same value"), written);
    if let Ok(lod) = Faces::from_value(&value) {
        assert_eq!(Faces::from_value(&lod.to_value()).as_ref(), Ok(&lod));
    }
    if let Ok(convex) = PhysicsConvex::from_value(&value) {
        assert_eq!(PhysicsConvex::from_value(&convex.to_value()).as_ref(), Ok(&convex));
    }
    if let Ok(data) = PhysicsCostData::from_value(&value) {
        assert!(PhysicsCostData::from_value(&data.to_value()).is_ok());
    }
    if let Ok(skin) = Skin::from_value(&value) {
        assert!(Skin::from_value(&skin.to_value()).is_ok());
    }
    as_each_block(&value);
    true
}
