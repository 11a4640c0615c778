//! Prints the index of a Streamed SOG of 4 096 leaves with 5 levels, or the time of a decision for it.
//!
//! ```text
//! cargo run --release -p lodger-tests --example streamed-sog > lod-meta.json
//! lodger schedule lod-meta.json --budget 2M --eye 256,2,256
//! cargo run --release -p lodger-tests --example streamed-sog -- time
//! ```

use std::error::Error;
use std::time::Instant;

use lodger_quota::Quota;
use lodger_scenes::{PlanReport, SceneFile, SceneLimits, SceneOverrides};
use lodger_scheduler::{Budget, View};

fn main() -> Result<(), Box<dyn Error>> {
    let text = lodger_testkit::build::streamed_sog::index();
    match std::env::args().nth(1).as_deref() {
        None => println!("{text}"),
        Some("time") => [1_000_000, 2_000_000, 4_000_000, 8_000_000]
            .into_iter()
            .try_for_each(|budget| time(&text, budget))?,
        Some(other) => return Err(format!("`{other}` is not `time`").into()),
    }
    Ok(())
}

fn time(text: &str, budget: u64) -> Result<(), Box<dyn Error>> {
    let settings = SceneOverrides {
        units: Some(Budget::from_ns(budget)),
        view: Some(View::from_position([256.0, 2.0, 256.0])?),
        ..SceneOverrides::default()
    };
    let quota = Quota::new(lodger_quota::QuotaLimits::default());
    let start = Instant::now();
    let mut file = SceneFile::from_streamed_sog(text, &settings, SceneLimits::default(), &quota)?;
    let read = start.elapsed();
    let start = Instant::now();
    file.scene.tick();
    let first = start.elapsed();
    let start = Instant::now();
    file.scene.tick();
    let next = start.elapsed();
    let report = PlanReport::new(&mut file);
    let split: Vec<_> = report
        .levels
        .iter()
        .map(|level| format!("{} at {}", level.actors, level.file_lod))
        .collect();
    println!(
        "{budget} splats: {} assigned, leaves {}; worth {:.4} of at most {:.4}, gap {:.2e}; read in \
         {read:.1?}, decided in {first:.1?}, then in {next:.1?}",
        report.assigned.to_f64(),
        split.join(", "),
        report.certificate.value(),
        report.certificate.upper_bound(),
        report.certificate.gap(),
    );
    Ok(())
}
