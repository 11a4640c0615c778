//! `cargo xtask ci`: everything that must hold before a change lands, cheap checks first.

use lodger_board_table::Architecture;
use serde_json::Value;

use crate::failure::Failure;
use crate::steps::Steps;
use crate::{boards, examples, grid, msrv, package, test, tools};

/// Where lodger-core must build: the smallest Cortex-M, and one with an FPU.
const TARGETS: [&str; 2] = ["thumbv6m-none-eabi", "thumbv7em-none-eabihf"];

/// The board with a RISC-V whose programs are linted.
const RISC_V: &str = "riscv32imac";

/// Runs all checks. The tests come last, so that their closing lines are the last of any tool.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    format(steps)?;
    no_std(steps)?;
    tools::for_packing(steps)?;
    clippy(steps)?;
    fuzz_targets(steps)?;
    clippy_of_boards(steps)?;
    doc(steps)?;
    package::run(steps)?;
    msrv::run(steps)?;
    licences(steps)?;
    grid::without_building(steps)?;
    test::all(steps)
}

fn format(steps: &mut Steps) -> Result<(), Failure> {
    tools::component(steps, "rustfmt", "fmt")?;
    let fmt = steps.cargo("fmt --all --check");
    steps.run("fmt", &fmt)
}

/// What builds without std.
const NO_STD: [&str; 2] = ["lodger-core", "lodger-heapless"];

/// Builds what needs no std without it: bare, then with each feature but that one.
fn no_std(steps: &mut Steps) -> Result<(), Failure> {
    for package in NO_STD {
        let features = features(steps, package)?;
        for target in TARGETS {
            tools::target(steps, target)?;
            let bare = format!(
                "build --package {package} --locked --target {target} --no-default-features"
            );
            let name = format!("no_std {package} {target}");
            steps.run(&name, &steps.cargo(&bare))?;
            for feature in features.iter().filter(|feature| *feature != "std") {
                let build = steps.cargo(&bare).args(&format!("--features {feature}"));
                steps.run(&format!("{name} {feature}"), &build)?;
            }
        }
    }
    Ok(())
}

/// The features of a package, asked of cargo so that a new one is never forgotten here.
fn features(steps: &Steps, package: &str) -> Result<Vec<String>, Failure> {
    let metadata = steps.cargo("metadata --format-version 1 --no-deps --locked");
    let text = steps.ask(&metadata).ok_or(Failure::Metadata("the command fails"))?;
    features_of(package, &text)
}

fn features_of(package: &str, metadata: &str) -> Result<Vec<String>, Failure> {
    let metadata: Value =
        serde_json::from_str(metadata).map_err(|_| Failure::Metadata("it is not JSON"))?;
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let features = packages
        .find(|candidate| candidate["name"] == package)
        .and_then(|found| found["features"].as_object())
        .ok_or(Failure::Metadata("a package has no feature list"))?;
    Ok(features.keys().filter(|name| *name != "default").cloned().collect())
}

/// Lints every target; that compiles the benches too, so they need no build of their own.
fn clippy(steps: &mut Steps) -> Result<(), Failure> {
    tools::component(steps, "clippy", "clippy")?;
    let clippy =
        steps.cargo("clippy --workspace --all-targets --all-features --locked -- -D warnings");
    steps.run("clippy", &clippy)?;
    for features in ["", "threads", "vectors"] {
        let bare = format!(
            "clippy --package lodger-scheduler --no-default-features --features={features} --locked \
             -- -D warnings"
        );
        let name = format!("clippy lodger-scheduler with no features but: {features}");
        steps.run(&name, &steps.cargo(&bare))?;
    }
    Ok(())
}

/// Lints the fuzz targets, which are a workspace of their own.
fn fuzz_targets(steps: &mut Steps) -> Result<(), Failure> {
    let clippy = steps.cargo(
        "clippy --manifest-path tests/fuzz/Cargo.toml --target-dir target --all-targets --locked \
         -- -D warnings",
    );
    steps.run("fuzz targets", &clippy)
}

/// Lints what only a board compiles, and what an emulated one has behind a debug probe.
fn clippy_of_boards(steps: &mut Steps) -> Result<(), Failure> {
    let cortex_m = boards::emulated().filter(|b| b.architecture() == Architecture::CortexM);
    // Those with a RISC-V differ in nothing that lints see.
    let boards = cortex_m.chain([boards::named(RISC_V)?]).chain(boards::real());
    let boards = boards.map(|board| (board, ""));
    let probed = boards::emulated().filter(|board| board.chip.is_some()).map(|b| (b, ",rtt"));
    for (board, feature) in boards.chain(probed) {
        let lodger_board_table::Board { name, target, .. } = board;
        tools::target(steps, target)?;
        let clippy = format!(
            "clippy --package lodger-programs --lib --bins --test on_target --locked --profile firmware \
             --target {target} --features {name}{feature} -- -D warnings"
        );
        steps.run(&format!("clippy {name}{feature}"), &steps.cargo(&clippy))?;
    }
    let examples = format!(
        "clippy --package lodger-examples --lib --bins --locked --profile firmware --target {} -- -D warnings",
        boards::named(examples::BOARD)?.target
    );
    steps.run("clippy examples", &steps.cargo(&examples))
}

fn doc(steps: &mut Steps) -> Result<(), Failure> {
    let doc = steps
        .cargo("doc --workspace --no-deps --all-features --locked")
        .env("RUSTDOCFLAGS", "-D warnings");
    steps.run("doc", &doc)
}

/// Checks deny.toml. Advisories stay out: they need a database that is not everywhere in reach.
fn licences(steps: &mut Steps) -> Result<(), Failure> {
    tools::cargo_deny(steps)?;
    let deny = steps.cargo("deny --workspace --locked check licenses bans sources");
    steps.run("licences", &deny)
}

#[cfg(test)]
mod tests {
    use super::features_of;

    const METADATA: &str = r#"{ "packages": [
        { "name": "other", "features": { "nothing": [] } },
        { "name": "lodger-core", "features": { "default": [], "micromath": ["dep:micromath"] } }
    ] }"#;

    #[test]
    fn every_feature_but_default_is_built() {
        assert_eq!(features_of("lodger-core", METADATA).unwrap(), ["micromath"]);
    }

    #[test]
    fn a_missing_package_is_no_empty_list() {
        assert!(features_of("lodger-cor", METADATA).is_err());
        assert!(features_of("lodger-core", "no JSON").is_err());
    }
}
