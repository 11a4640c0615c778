//! The mesh asset: decoded, judged, priced and encoded.

use lodger_core::cost::ObjectScale;
use lodger_core::cost::physics::{Motion, ShapeType};
use lodger_core::cost::streaming::{Rules, Streaming};
use lodger_core::{Fixed, Real};
use lodger_mesh_asset::lint::lint;
use lodger_mesh_asset::llsd::Value;
use lodger_mesh_asset::{Asset, AssetBuilder, Block};

use super::limits::OF_MESHES;

/// A mesh asset: everything is decoded and judged, costs are numbers, and encoding keeps every block.
///
/// # Panics
/// If anything of this is not so.
#[must_use]
pub fn asset(bytes: &[u8]) -> bool {
    let Ok(asset) = Asset::parse_within(bytes, OF_MESHES) else {
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

/// The value as each block that is decoded, beside nothing else.
pub(crate) fn as_each_block(value: &Value) {
    for block in Block::ALL {
        let mut builder = AssetBuilder::new();
        builder.set_block(block.key(), value).expect("it was read, so it can be written");
        let file = builder.encode().expect("a small asset");
        let _ = asset(&file);
    }
}

/// Every cost at a small, a plain and an uneven scale.
fn price<N: Real>(asset: &Asset) {
    let number = |metres: f64| N::from_f64(metres).unwrap_or(N::ONE);
    let streaming = Streaming::<N>::new(Rules::VIEWER).expect("rules that hold");
    for sides in [[0.01; 3], [1.0; 3], [0.0, 64.0, 3.5]] {
        let scale = ObjectScale::new(sides.map(number)).expect("a scale within reach");
        is_cost(streaming.cost(scale.radius(), asset.header().lod_bytes()));
        let Ok(body) = asset.physics().and_then(|inputs| inputs.body(scale)) else {
            continue;
        };
        for shape in [ShapeType::Prim, ShapeType::ConvexHull, ShapeType::None] {
            for motion in [Motion::AT_REST, Motion::Physical] {
                is_cost(body.cost(shape, motion).cost);
            }
        }
    }
}

fn is_cost<N: Real>(cost: N) {
    assert!(cost.is_finite() && cost >= N::ZERO, "{cost:?}");
}

/// As it is, and with a change elsewhere.
fn rewrite(asset: &Asset) {
    let mut builder = AssetBuilder::from(asset);
    let untouched = builder.encode().expect("what was read can be written");
    let untouched = Asset::parse(&untouched).expect("what was written can be read");
    builder.set_value("fuzzed", true);
    let changed = builder.encode().expect("what was read can be written");
    let changed = Asset::parse(&changed).expect("what was written can be read");
    for block in Block::ALL {
        assert_eq!(untouched.raw(block), asset.raw(block), "{block}");
        assert_eq!(changed.raw(block), asset.raw(block), "{block}");
    }
}
