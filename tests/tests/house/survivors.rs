//! Folders and libraries that users rely on, and the border between the scheduler's half and Second Life's.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::crates::{packages, root, rust_files};

const FOLDERS: [&str; 6] = ["core", "scheduler", "firmware", "host-cli", "tests", ".cargo"];

/// Libraries that shipped code uses, not only tests.
const LIBRARIES: [&str; 7] =
    ["heapless", "libm", "micromath", "embedded-hal", "defmt", "probe-rs", "tokio"];

/// The folders outside of `secondlife/` that may depend on its packages.
const USERS_OF_SECOND_LIFE: [&str; 5] =
    ["host-cli", "tests", "tests/fuzz", "tests/testkit", "xtask"];

#[test]
fn folders_that_users_know_are_there() {
    for folder in FOLDERS {
        assert!(root().join(folder).is_dir(), "{folder}/ is gone");
    }
    assert!(root().join("scheduler/src/task.rs").is_file(), "the tokio task is gone");
}

#[test]
fn libraries_that_users_know_are_used_by_shipped_code() {
    for library in LIBRARIES {
        let path = format!("{}::", library.replace('-', "_"));
        let is_used = packages().iter().any(|package| {
            let sources = package.join("src");
            dependencies(package, "dependencies").contains(library)
                && sources.is_dir()
                && rust_files(&sources).iter().any(|file| read(file).contains(&path))
        });
        assert!(is_used, "no package depends on {library} and uses it");
    }
}

#[test]
fn core_and_scheduler_have_criterion_benches() {
    for package in ["core", "scheduler"] {
        let package = root().join(package);
        assert!(dependencies(&package, "dev-dependencies").contains("criterion"));
        let benches = rust_files(&package.join("benches"));
        assert!(benches.iter().any(|file| read(file).contains("criterion_main!")), "{package:?}");
    }
}

/// An engineer who works on the scheduler needs nothing of Second Life.
#[test]
fn the_half_of_second_life_is_used_by_commands_and_tests_alone() {
    let is_inside = |package: &Path| package.starts_with(root().join("secondlife"));
    let (inside, outside): (Vec<_>, Vec<_>) =
        packages().into_iter().partition(|package| is_inside(package));
    let names: BTreeSet<String> = inside.iter().filter_map(|package| name(package)).collect();
    assert!(names.contains("lodger-mesh-asset"), "{names:?}");
    for package in outside {
        let folder = package.strip_prefix(root()).expect("a package of the workspace");
        let used: Vec<_> = ["dependencies", "dev-dependencies"]
            .iter()
            .flat_map(|table| dependencies(&package, table))
            .filter(|dependency| names.contains(dependency))
            .collect();
        let may = USERS_OF_SECOND_LIFE.iter().any(|user| folder == Path::new(user));
        assert!(used.is_empty() || may, "{} depends on {used:?}", folder.display());
    }
}

/// The names in a table of dependencies of a package, for all targets.
fn dependencies(package: &Path, table: &str) -> BTreeSet<String> {
    let manifest = manifest(package);
    let of_targets = manifest.get("target").and_then(toml::Value::as_table);
    let of_targets = of_targets.into_iter().flatten().filter_map(|(_, target)| target.get(table));
    let tables = manifest.get(table).into_iter().chain(of_targets);
    tables.filter_map(toml::Value::as_table).flat_map(|table| table.keys().cloned()).collect()
}

fn name(package: &Path) -> Option<String> {
    manifest(package).get("package")?.get("name")?.as_str().map(str::to_owned)
}

fn manifest(package: &Path) -> toml::Table {
    read(&package.join("Cargo.toml")).parse().expect("a manifest in TOML")
}

fn read(file: &Path) -> String {
    fs::read_to_string(file).expect("a readable file")
}
