//! The files of `docs/files` that are made; those in TOML are written by hand.

use lodger_cli::simulation::{Candidate, Path, Prices, Settings, Simulation, Stage};
use lodger_scheduler::{Policy, Stability};
use lodger_testkit::build::streamed_sog::index_of;

use super::{meshes, model};

/// The frames of the log.
const FRAMES: usize = 61;
/// 128 leaves.
const HALVINGS: u32 = 7;

/// The files by their names, with the same bytes each time.
pub(crate) fn made() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("hat.llmesh", meshes::hat()),
        ("draft.llmesh", meshes::draft()),
        ("region.oar", meshes::region()),
        ("truck.glb", model::truck()),
        ("lod-meta.json", index_of(HALVINGS).into_bytes()),
        ("frames.log", log()),
    ]
}

/// The log that `lodger simulate --frames 61 --record` writes.
fn log() -> Vec<u8> {
    let settings = Settings {
        path: Path::Orbit,
        walking: true,
        frames: FRAMES,
        prices: Prices::Measured { wrong: 3.0, noise: 0.05, spike: 0.01 },
        seed: 1,
    };
    let candidates = [Candidate::Ledger(Policy::Optimal, Stability::STEADY)];
    let stage = Stage::crowd(settings.seed).expect("a stage");
    let mut simulation = Simulation::new(stage, &candidates, settings, false).expect("sound");
    simulation.record().expect("memory takes it");
    (0..FRAMES).for_each(|_| simulation.step().expect("sound costs"));
    simulation.log().expect("memory takes it").expect("it is recorded")
}
