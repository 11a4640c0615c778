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
use lodger_pack::{CollisionKind, LodRule, Model, PackOptions};
use lodger_quota::{Quota, QuotaLimits};

fn read_one(drawing: &models::Drawing) -> Model {
    let name = format!("{}.glb", drawing.name);
    read::read_all(&[(&name, &drawing.glb())], QuotaLimits::default()).expect("a model")
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

fn no_parts(_: &[[f32; 3]], _: &[[u32; 3]], _: u32, _: u32) -> Hulls {
    Err("nothing is taken apart here".to_owned())
}
