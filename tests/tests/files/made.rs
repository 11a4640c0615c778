//! The files of `docs/files` that are made; the TOML files are written by hand.

use lodger_cli::simulation::{
    CameraMotion, Candidate, CostKnowledge, Simulation, SimulationScene, SimulationSettings,
};
use lodger_mesh_asset::PhysicsConvex;
use lodger_scheduler::{Hysteresis, Policy};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, parcel, region_object};
use lodger_testkit::build::mesh::{bytes, tetrahedron, with_lods};
use lodger_testkit::build::streamed_sog::index_of;

use super::model;

const FRAMES: usize = 61;
/// The index has 2^7 leaves.
const HALVINGS: u32 = 7;

pub(crate) fn made() -> Vec<(&'static str, Vec<u8>)> {
    vec![
        ("hat.llmesh", hat()),
        ("draft.llmesh", flawed()),
        ("region.oar", region()),
        ("truck.glb", model::truck()),
        ("lod-meta.json", index_of(HALVINGS).into_bytes()),
        ("frames.log", log()),
    ]
}

/// The log that `lodger simulate --frames 61 --record` writes.
fn log() -> Vec<u8> {
    let settings = SimulationSettings {
        path: CameraMotion::Orbit,
        walking: true,
        frames: FRAMES,
        decide_every: 1,
        prices: CostKnowledge::Measured { wrong: 3.0, noise: 0.05, spike: 0.01 },
        seed: 1,
    };
    let candidates = [Candidate::Scheduler(Policy::Optimal, Hysteresis::TYPICAL)];
    let scene = SimulationScene::demo(settings.seed).expect("a scene");
    let mut simulation =
        Simulation::new(scene, &candidates, settings, false).expect("valid settings");
    simulation.record().expect("in memory");
    (0..FRAMES).for_each(|_| simulation.step().expect("valid costs"));
    simulation.log().expect("in memory").expect("a recording")
}

fn hat() -> Vec<u8> {
    let mut builder = with_lods([60, 240, 960, 3_600]);
    let convex = PhysicsConvex::new(&tetrahedron(), &[tetrahedron()]);
    builder.set_convex(&convex.expect("a hull")).expect("a short block");
    bytes(&builder)
}

/// A mesh without a hull, whose low level is finer than the medium one.
fn flawed() -> Vec<u8> {
    bytes(&with_lods([60, 1_200, 960, 3_600]))
}

/// A region of two parcels with a house of three parts, a porch and a lamp with scripts.
fn region() -> Vec<u8> {
    let mesh = |name: &str| PartXml::mesh(name, &id(1));
    let house =
        mesh("House").scale("10", "10", "4").at("20", "20", "21").owner(&id(51)).id(&id(11));
    let offset = |part: PartXml, along: &str| {
        part.with("OffsetPosition", &format!("<X>0</X><Y>{along}</Y><Z>0.5</Z>"))
    };
    let wall = offset(PartXml::cube("wall").scale("8", "0.5", "3").id(&id(12)), "5");
    let chimney = offset(mesh("chimney").scale("1", "1", "2").id(&id(13)), "-3");
    let porch = mesh("Porch").scale("4", "2", "3").at("26", "20", "21").owner(&id(51)).id(&id(14));
    let lamp =
        mesh("Lamp").scale("0.5", "0.5", "2").at("200", "40", "21").owner(&id(52)).id(&id(15));
    let half = |name, number, owner, west| {
        parcel(&id(number), name, &id(owner), 64, move |x, _| (x < 32) == west)
    };
    ArchiveFile::new()
        .with_mesh(&id(1), hat())
        .with("objects/house.xml", region_object(&house, &[wall, chimney]))
        .with("objects/porch.xml", region_object(&porch, &[]))
        .with("objects/lamp.xml", region_object(&lamp.scripts(2), &[]))
        .with_parcel("", &id(71), half("West", 71, 51, true))
        .with_parcel("", &id(72), half("East", 72, 52, false))
        .gzip()
}
