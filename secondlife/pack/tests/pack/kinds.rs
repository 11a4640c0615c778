//! Measures packing of models of ten kinds, with 1 000 and with 100 000 triangles.
//!
//! `cargo run --release -p lodger-pack --example kinds`, on Linux: seconds of processor time, peak
//! memory, units of work, and the growth of time with a hundred times as many triangles.

#[expect(dead_code, unused_imports, reason = "the tests need more of it")]
mod models;

use std::fs;

use lodger_core::cost::physics::ShapeType;
use lodger_core::cost::streaming::StreamingRules;
use lodger_pack::{
    ChildDecomposer, CollisionKind, GltfSource, LodRule, ObjectFile, PackOptions, SkinChoice, pack,
    read,
};
use lodger_quota::{Quota, QuotaLimits};
use models::Drawing;

type Failure = Box<dyn std::error::Error>;

/// A kind of model, by its approximate number of triangles.
type Kind = fn(u32) -> Drawing;

const KINDS: [Kind; 10] = [
    |triangles| models::sphere(1.0, (triangles / 4).isqrt()),
    |triangles| models::terrain((triangles / 2).isqrt()),
    |triangles| models::torus_knot(triangles / 16, 8),
    |triangles| models::tree_of_cards(triangles / 4),
    |triangles| models::cloth((triangles / 2).isqrt()),
    |triangles| models::rings(20, triangles / 40),
    |triangles| models::tubes(4, triangles / 8),
    |triangles| models::navigation((triangles * 2 / 3).isqrt()),
    models::soup,
    models::fan,
];

struct Taken {
    triangles: usize,
    seconds: f64,
    mebibytes: f64,
    units: f64,
}

fn main() -> Result<(), Failure> {
    println!(
        "kind             triangles  seconds  peak MiB  million units  units/ns  times as long"
    );
    for kind in KINDS {
        let small = kind(1_000);
        let few = taken(&small)?;
        let many = taken(&kind(100_000))?;
        for (taken, ratio) in [(&few, None), (&many, Some(many.seconds / few.seconds))] {
            let Taken { triangles, seconds, mebibytes, units } = taken;
            let ratio = ratio.map_or_else(String::new, |ratio| format!("{ratio:.0}"));
            println!(
                "{:<16} {triangles:>9} {seconds:>8.2} {mebibytes:>9.1} {:>14.0} {:>9.2} {ratio:>14}",
                small.name,
                units / 1e6,
                units / (seconds * 1e9)
            );
        }
    }
    Ok(())
}

fn taken(drawing: &Drawing) -> Result<Taken, Failure> {
    let bytes = drawing.glb();
    // Resets the peak.
    fs::write("/proc/self/clear_refs", "5")?;
    let before = seconds()?;
    let quota = Quota::new(QuotaLimits { memory: u64::MAX, work: u64::MAX });
    let mut external = |_: &str, _| Err(std::io::ErrorKind::Unsupported.into());
    let source = GltfSource { name: "model.glb", bytes: &bytes, external: &mut external };
    let mut model = read(&mut [source], SkinChoice::Keep, &quota)?;
    let options = PackOptions {
        land_impact: None,
        size: None,
        lods: LodRule::default(),
        keep_high: false,
        shape: ShapeType::ConvexHull,
        physics: CollisionKind::Hull,
        physics_cost: None,
        rules: StreamingRules::VIEWER,
    };
    // A hull needs no child process.
    let child = ChildDecomposer::new("none".into());
    let packed = pack(&mut model, &options, &child, &quota, &|_| ())?;
    for index in 0..packed.objects.len() {
        for file in ObjectFile::ALL {
            file.bytes(&model, &packed, index)?;
        }
    }
    Ok(Taken {
        triangles: model.objects.iter().map(|object| object.high.triangle_count()).sum(),
        seconds: seconds()? - before,
        mebibytes: field(&fs::read_to_string("/proc/self/status")?, "VmHWM:") / 1024.0,
        units: quota.worked().to_string().parse()?,
    })
}

fn seconds() -> Result<f64, Failure> {
    let mut nanoseconds = 0.0;
    for thread in fs::read_dir("/proc/self/task")? {
        let schedule = fs::read_to_string(thread?.path().join("schedstat"))?;
        nanoseconds += field(&format!(" {schedule}"), " ");
    }
    Ok(nanoseconds / 1e9)
}

fn field(text: &str, word: &str) -> f64 {
    let rest = text.split(word).nth(1).unwrap_or_default();
    rest.split_whitespace().next().and_then(|number| number.parse().ok()).unwrap_or(0.0)
}
