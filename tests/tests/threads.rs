//! The smallest work that is done on several threads, for tools that watch threads: see `tests/DEEP.md`.

use lodger_allowance::Allowance;
use lodger_archive::Limits;
use lodger_core::cost::streaming::Rules;
use lodger_pricing::{MeshUse, Pricing, Within};

use crate::fuzz_entry::seeds;

fn plenty() -> Allowance {
    Allowance::new(lodger_allowance::Limits::default())
}

/// Each seed of an archive has two objects at most, and a mesh or none.
#[test]
fn small_archives_cost_the_same_on_one_thread_and_on_three() {
    let viewer = Pricing::new(Rules::VIEWER).expect("rules that hold");
    for bytes in seeds::of("archive") {
        let archive =
            lodger_archive::read(&bytes[..], Limits::default(), &plenty()).expect("a valid seed");
        let priced = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
            let allowance = plenty();
            let limits = lodger_mesh_asset::Limits::default();
            let within = Within { limits, allowance: &allowance };
            let price = || viewer.archive_in_parts(&archive, &MeshUse::default(), within, |_| {});
            pool.expect("threads").install(price)
        };
        assert_eq!(priced(3), priced(1));
    }
}
