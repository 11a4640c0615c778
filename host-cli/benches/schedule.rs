//! A whole run of `lodger schedule` on a TOML scene of 100 000 actors, and parsing of that file
//! alone.

use std::fmt::Write as _;
use std::hint::black_box;
use std::process::{Command, Stdio};

use criterion::{Criterion, Throughput, criterion_group, criterion_main};

const ACTORS: u32 = 100_000;

/// Four modules, and actors scattered over a square kilometre.
fn scene() -> String {
    let mut text = String::from("budget_ms = 16.6\n[[view]]\neye = [500, 2, 500]\n");
    for module in 0..4 {
        let _ = writeln!(
            text,
            "[[module]]\nname = \"module {module}\"\nunit_cost_ms = 0.00001\nbenefit_value = 0.5\n\
             max_distance = 400\nweights = {{ distance = 0.7, age = 0.3 }}\nmax_age = 60"
        );
    }
    for i in 0..ACTORS {
        let (x, z) = (i.wrapping_mul(7_919) % 1_000, i.wrapping_mul(104_729) % 1_000);
        let (module, radius, age) = (i % 4, 1 + i % 5, i % 90);
        let _ = writeln!(
            text,
            "[[actor]]\nname = \"actor {i}\"\nmodule = \"module {module}\"\n\
             position = [{x}.25, 1.5, {z}.75]\nradius = {radius}\nage = {age}\n\
             work = [0, 60, 250, 1000, 4000]"
        );
    }
    text
}

fn schedule(c: &mut Criterion) {
    let text = scene();
    let folder = tempfile::tempdir().expect("a folder for the scene");
    let file = folder.path().join("scene.toml");
    std::fs::write(&file, &text).expect("the scene is written");
    let mut group = c.benchmark_group(format!("{ACTORS} actors in TOML"));
    group.sample_size(10);
    group.throughput(Throughput::Elements(ACTORS.into()));
    group.bench_function("lodger schedule --format json", |b| {
        b.iter(|| {
            let status = Command::new(env!("CARGO_BIN_EXE_lodger"))
                .args(["schedule", "--format", "json"])
                .arg(&file)
                .stdout(Stdio::null())
                .status();
            assert!(status.expect("lodger runs").success());
        });
    });
    group.bench_function("toml::de::DeTable::parse alone", |b| {
        b.iter(|| black_box(toml::de::DeTable::parse(&text).expect("it is TOML")));
    });
}

criterion_group!(benches, schedule);
criterion_main!(benches);
