//! Models far from the origin are made as exactly as those near it.

use lodger_pack::{Model, Packed, SkinChoice, Source, pack, read};
use lodger_quota::{Quota, QuotaLimits};
use serde_json::{Value, json};

use crate::goals::options;
use crate::models::sphere;

/// A ball of 10 cm on a node that is so far out along each axis.
fn ball(far: f64) -> Model {
    let glb = sphere(0.05, 8).glb();
    let length = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let mut file: Value = serde_json::from_slice(&glb[20..20 + length]).unwrap();
    file["nodes"][0]["translation"] = json!([far, far, far]);
    let bytes = lodger_testkit::build::gltf::glb(file.to_string(), &glb[20 + length + 8..]);
    let mut nothing = |_: &str, _| Err(std::io::ErrorKind::Unsupported.into());
    let source = Source { name: "ball.glb", bytes: &bytes, outside: &mut nothing };
    read(&mut [source], SkinChoice::Keep, &Quota::new(QuotaLimits::default())).unwrap()
}

fn packed(model: &mut Model) -> Packed {
    pack(model, &options(None, None), &crate::NO_PARTS, &crate::plenty(), &|_| ()).unwrap()
}

#[test]
#[expect(clippy::float_cmp, reason = "the middle of a ball is exactly where its node is")]
fn a_ball_is_the_same_wherever_it_is() {
    let near = packed(&mut ball(0.0));
    for far in [1e3, 1e4, 1e6] {
        let mut model = ball(far);
        assert_eq!(model.origin.map(f64::abs), [far; 3]);
        assert_eq!(model.notes.iter().filter(|note| note.code == "origin-moved").count(), 1);
        let packed = packed(&mut model);
        let (there, here) = (packed.objects[0].frame.sides(), near.objects[0].frame.sides());
        for (a, b) in there.into_iter().zip(here) {
            assert!((a - b).abs() < 1e-8, "{far}: {a} instead of {b}");
        }
        assert!((packed.streaming - near.streaming).abs() < 0.01 * near.streaming);
        assert!((packed.physics - near.physics).abs() < 1e-9);
    }
    assert_eq!(ball(0.0).origin, [0.0; 3]);
}
