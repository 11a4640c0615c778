//! The smallest work that is done on several threads, for tools that watch threads: see `tests/DEEP.md`.

use lodger_allowance::Allowance;
use lodger_core::cost::streaming::Rules;
use lodger_opensim::archive::{Archive, Limits, Reading};
use lodger_opensim::pricing::{MeshUse, Pricing, Within};

use crate::fuzz_entry::seeds;

fn plenty() -> Allowance {
    Allowance::new(lodger_allowance::Limits::default())
}

/// Four objects, one of which shows a mesh that cannot be read.
fn archive() -> Archive {
    let plenty = plenty();
    let mut reading = Reading::new(Limits::default(), &plenty);
    let mut entry = |path: &str, content: &[u8]| {
        reading.entry(path, content.len() as u64, content).expect("a small entry");
    };
    for (number, xml) in seeds::of("objects").iter().enumerate() {
        entry(&format!("objects/{number}.xml"), xml);
    }
    entry("assets/11111111-2222-3333-4444-555555555555_mesh.llmesh", b"broken");
    entry("assets/22222222-2222-3333-4444-555555555555_mesh.llmesh", b"broken too");
    reading.finish().expect("it is little")
}

#[test]
fn a_small_archive_costs_the_same_on_one_thread_and_on_three() {
    let viewer = Pricing::new(Rules::VIEWER).expect("rules that hold");
    let archive = archive();
    let priced = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let (limits, allowance) = (lodger_mesh_asset::Limits::default(), plenty());
        let within = Within { limits, allowance: &allowance };
        let price = || viewer.archive_in_parts(&archive, &MeshUse::default(), within, |_| {});
        pool.expect("threads").install(price).expect("it is enough")
    };
    let on_one = priced(1);
    assert_eq!((on_one.objects.len(), on_one.unused.len()), (4, 1));
    assert_eq!(priced(3), on_one);
}
