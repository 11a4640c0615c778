//! The entry points of `tests/fuzz` on a stable toolchain, with seeds and mutations; and the smallest work on several
//! threads, for tools that watch threads (see `tests/DEEP.md`).

use std::panic::{AssertUnwindSafe, catch_unwind};

use lodger_core::cost::streaming::StreamingRules;
use lodger_opensim::archive::{Archive, ArchiveLimits, ArchiveReader};
use lodger_opensim::pricing::{MeshReadLimits, MeshUse, Pricer};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::SplitMix64;
use lodger_testkit::build::damage;

use crate::fuzz_entry::{self, seeds};

/// Runs the seeds of a target, which are valid, and `cases` mutations.
#[track_caller]
fn run(target: &str, cases: u64, entry: fn(&[u8]) -> bool) {
    let seeds = seeds::of(target);
    assert!(!seeds.is_empty(), "{target} has no seeds");
    for seed in &seeds {
        assert!(entry(seed), "a seed of {target} is not valid");
    }
    for case in 0..cases {
        let mut random = SplitMix64::of_case(1, target, case);
        let mut bytes = seeds[random.index(seeds.len())].clone();
        match str::from_utf8(&bytes) {
            Ok(text) if random.one_in(2) => bytes = damage::text(&mut random, text).into_bytes(),
            _ => damage::bytes(&mut random, &mut bytes),
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| entry(&bytes)));
        assert!(outcome.is_ok(), "{target}, case {case}: {}", bytes.escape_ascii());
    }
}

macro_rules! targets {
    ($($target:ident: $cases:literal,)*) => {
        $(
            #[test]
            fn $target() {
                run(stringify!($target), $cases, fuzz_entry::$target);
            }
        )*
    };
}

targets! {
    llsd: 3_000,
    asset: 5_000,
    pricing: 1_000,
    archive: 2_000,
    entries: 2_000,
    objects: 3_000,
    stream: 3_000,
    choice: 1_000,
    scene: 3_000,
    gltf: 3_000,
    sog: 5_000,
    linkset: 2_000,
    terminal: 3_000,
    conform: 2_000,
    telemetry: 3_000,
}

fn quota() -> Quota {
    Quota::new(QuotaLimits::default())
}

fn small_archive() -> Archive {
    let quota = quota();
    let mut reading = ArchiveReader::new(ArchiveLimits::default(), &quota);
    let mut entry = |path: &str, content: &[u8]| {
        reading.entry(path, content.len() as u64, content).expect("a small entry");
    };
    for (number, xml) in seeds::of("objects").iter().enumerate() {
        entry(&format!("objects/{number}.xml"), xml);
    }
    entry("assets/11111111-2222-3333-4444-555555555555_mesh.llmesh", b"broken");
    entry("assets/22222222-2222-3333-4444-555555555555_mesh.llmesh", b"broken too");
    reading.finish().expect("a small archive")
}

#[test]
fn a_small_archive_costs_the_same_on_one_thread_and_on_three() {
    let viewer = Pricer::new(StreamingRules::VIEWER).expect("valid rules");
    let archive = small_archive();
    let priced = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let (limits, quota) = (lodger_mesh_asset::AssetLimits::default(), quota());
        let within = MeshReadLimits { limits, quota: &quota };
        let price = || viewer.archive_in_parts(&archive, &MeshUse::default(), within, |_| {});
        pool.expect("threads").install(price).expect("within the quota")
    };
    let on_one = priced(1);
    assert_eq!((on_one.objects.len(), on_one.unused.len()), (4, 1));
    assert_eq!(priced(3), on_one);
}
