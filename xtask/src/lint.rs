//! The part `lint` of `cargo xtask ci`: formatting, builds without std, clippy and rustdoc.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::board_table::BoardEntry;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools::{self, GRID_MANIFEST};
use crate::{board_checks, boards};

const NO_STD: [&str; 2] = ["lodger-core", "lodger-heapless"];
/// The smallest Cortex-M, and one with an FPU.
const NO_STD_TARGETS: [&str; 2] = ["thumbv6m-none-eabi", "thumbv7em-none-eabihf"];

pub(crate) fn format(steps: &mut Steps) -> Result<(), TaskError> {
    tools::component(steps, "rustfmt", "fmt")?;
    steps.run("fmt", &steps.cargo("fmt --all --check"))?;
    steps.run("grid: fmt", &steps.cargo(&format!("fmt {GRID_MANIFEST} --all --check")))
}

/// Checks each feature of [`NO_STD`] except `std`, for both targets in one invocation.
pub(crate) fn no_std(steps: &mut Steps) -> Result<(), TaskError> {
    for target in NO_STD_TARGETS {
        tools::target(steps, target)?;
    }
    let metadata = steps.metadata("--no-deps")?;
    let targets = NO_STD_TARGETS.map(|target| format!("--target {target}")).join(" ");
    let mut owners = BTreeMap::from([("none".to_owned(), NO_STD.to_vec())]);
    for package in NO_STD {
        for feature in features_of(package, &metadata)?.into_iter().filter(|name| name != "std") {
            owners.entry(feature).or_default().push(package);
        }
    }
    for (feature, packages) in owners {
        let mut check = steps.cargo("check --locked --no-default-features").args(&targets);
        for package in packages {
            check = check.args(&format!("--package {package}"));
            if feature != "none" {
                check = check.args(&format!("--features {package}/{feature}"));
            }
        }
        steps.run(&format!("no_std, feature {feature}"), &check)?;
    }
    Ok(())
}

pub(crate) fn features_of(package: &str, metadata: &Value) -> Result<BTreeSet<String>, TaskError> {
    let mut packages = metadata["packages"].as_array().into_iter().flatten();
    let features = packages
        .find(|candidate| candidate["name"] == package)
        .and_then(|found| found["features"].as_object())
        .ok_or(TaskError::Metadata("a package has no feature list"))?;
    Ok(features.keys().filter(|name| *name != "default").cloned().collect())
}

pub(crate) fn clippy(steps: &mut Steps) -> Result<(), TaskError> {
    tools::for_packing(steps)?;
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
    let fuzz_targets = steps.cargo(
        "clippy --manifest-path tests/fuzz/Cargo.toml --target-dir target --all-targets --locked \
         -- -D warnings",
    );
    steps.run("clippy fuzz targets", &fuzz_targets)
}

/// Lints a board of each kind, one also with `rtt`, and the firmware examples.
pub(crate) fn clippy_boards(steps: &mut Steps) -> Result<(), TaskError> {
    tools::component(steps, "clippy", "clippy")?;
    for board in boards::all().filter(|board| boards::is_linted(board)) {
        clippy_board(steps, board, "")?;
    }
    clippy_board(steps, boards::named(boards::PROBED)?, ",rtt")?;
    let examples = format!(
        "clippy --package lodger-programs --lib --bin {} --locked --profile firmware --target {} --features examples \
         -- -D warnings",
        board_checks::EXAMPLES.join(" --bin "),
        boards::named(board_checks::EXAMPLES_BOARD)?.target
    );
    steps.run("clippy examples", &steps.cargo(&examples))
}

pub(crate) fn clippy_other_boards(steps: &mut Steps) -> Result<(), TaskError> {
    tools::component(steps, "clippy", "clippy")?;
    boards::all()
        .filter(|board| !boards::is_linted(board))
        .try_for_each(|board| clippy_board(steps, board, ""))?;
    let with_rtt = boards::emulated().filter(|board| board.chip.is_some());
    let others = with_rtt.filter(|board| board.name != boards::PROBED);
    others.into_iter().try_for_each(|board| clippy_board(steps, board, ",rtt"))
}

fn clippy_board(steps: &mut Steps, board: &BoardEntry, feature: &str) -> Result<(), TaskError> {
    let BoardEntry { name, target, .. } = board;
    tools::target(steps, target)?;
    let clippy = format!(
        "clippy --package lodger-programs --lib --bins --test on_target --locked --profile firmware \
         --target {target} --features {name}{feature} -- -D warnings"
    );
    steps.run(&format!("clippy {name}{feature}"), &steps.cargo(&clippy))
}

pub(crate) fn doc(steps: &mut Steps) -> Result<(), TaskError> {
    tools::for_packing(steps)?;
    let doc = steps.cargo("doc --workspace --no-deps --all-features --locked");
    steps.run("doc", &doc.env("RUSTDOCFLAGS", "-D warnings"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::features_of;

    fn metadata() -> serde_json::Value {
        json!({ "packages": [
            { "name": "other", "features": { "nothing": [] } },
            { "name": "lodger-core", "features": { "default": [], "micromath": ["dep:micromath"] } },
        ] })
    }

    #[test]
    fn every_feature_but_default_is_built() {
        let features = features_of("lodger-core", &metadata()).unwrap();
        assert_eq!(features.into_iter().collect::<Vec<_>>(), ["micromath"]);
    }

    #[test]
    fn a_missing_package_is_no_empty_list() {
        assert!(features_of("lodger-cor", &metadata()).is_err());
        assert!(features_of("lodger-core", &json!({})).is_err());
    }
}
