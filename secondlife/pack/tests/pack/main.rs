//! Whole models through the library, and whole files through the program.

mod assets;
mod hostile;
mod models;
mod physics;
mod program;
mod read;
mod work;

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::StreamingRules;
use lodger_pack::{CollisionKind, GltfSource, LodRule, Model, PackOptions, SkinChoice};
use lodger_quota::{Quota, QuotaLimits};

fn read_one(drawing: &models::Drawing) -> Model {
    let bytes = drawing.glb();
    let mut external = |_: &str, _| Err(std::io::ErrorKind::Unsupported.into());
    let name = format!("{}.glb", drawing.name);
    let source = GltfSource { name: &name, bytes: &bytes, external: &mut external };
    lodger_pack::read(&mut [source], SkinChoice::Keep, &plenty()).expect("a model")
}

fn options(land_impact: Option<u32>, size: Option<[f64; 3]>) -> PackOptions {
    PackOptions {
        land_impact,
        size,
        lods: LodRule::default(),
        keep_high: false,
        shape: ShapeType::ConvexHull,
        physics: CollisionKind::Hull,
        physics_cost: None,
        rules: StreamingRules::VIEWER,
    }
}

fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}

type Hulls = Result<Vec<Vec<[f32; 3]>>, String>;

const NO_PARTS: fn(&[[f32; 3]], &[[u32; 3]], u32, u32) -> Hulls =
    |_, _, _, _| Err("nothing is taken apart here".to_owned());
