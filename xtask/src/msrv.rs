//! `cargo xtask msrv`: the packages that promise an older Rust than the workspace, built and tested with it.

use std::collections::BTreeMap;

use crate::command::Command;
use crate::failure::Failure;
use crate::package::{Metadata, Package, arguments};
use crate::steps::Steps;
use crate::tools;

/// What the workspace itself needs.
const WORKSPACE: Option<&str> = option_env!("CARGO_PKG_RUST_VERSION");

/// Its tests need nothing that is younger; those of others compare themselves with the scheduler.
const TESTED: &str = "lodger-core";

/// Builds each with the oldest Rust that it promises, or has clippy read it where that cannot be had.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    let metadata = Metadata::of_workspace(steps)?;
    for (version, names) in older(&metadata.packages, WORKSPACE) {
        let packages = arguments(names.iter().copied());
        if !has_toolchain(steps, version) {
            eprintln!(
                "\nRust {version} is not here and cannot be had: what {} use is only compared with what \
                 clippy knows of that version",
                names.join(" and ")
            );
            lint(steps, version, &packages)?;
            continue;
        }
        let with = |args: &str| {
            Command::new("rustup")
                .args(&format!("run {version} cargo {args} --all-features --locked"))
        };
        steps.run(&format!("check with {version}"), &with(&format!("check {packages}")))?;
        if names.contains(&TESTED) {
            let test = format!("test --package {TESTED} --lib");
            steps.run(&format!("test with {version}"), &with(&test))?;
        }
    }
    Ok(())
}

/// The packages by what they promise, where that is not what everybody needs.
fn older<'p>(packages: &'p [Package], all: Option<&str>) -> BTreeMap<&'p str, Vec<&'p str>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for package in packages {
        if let Some(version) = package.rust_version.as_deref().filter(|one| Some(*one) != all) {
            found.entry(version).or_default().push(package.name.as_str());
        }
    }
    found
}

/// Whether rustup has a toolchain, or gets it.
fn has_toolchain(steps: &Steps, version: &str) -> bool {
    let probe = Command::new("rustup").args(&format!("run {version} rustc --version"));
    let has = |steps: &Steps| steps.ask(&probe).is_some_and(|told| told.contains(version));
    if has(steps) {
        return true;
    }
    eprintln!(
        "\nset-up: asks rustup for Rust {version}, which some packages promise to build with"
    );
    let install = format!("toolchain install {version} --profile minimal --no-self-update");
    let install = Command::new("rustup").args(&install).env("RUSTUP_MAX_RETRIES", "0");
    steps.ask(&install).is_some() && has(steps)
}

fn lint(steps: &mut Steps, version: &str, packages: &str) -> Result<(), Failure> {
    tools::component(steps, "clippy", "clippy")?;
    let clippy =
        format!("clippy {packages} --lib --all-features --locked -- -D clippy::incompatible_msrv");
    steps.run(&format!("lint for {version}"), &steps.cargo(&clippy))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_promises_another_version_is_built_with_it() {
        let packages = r#"[["core", "\"1.88\""], ["scheduler", "\"1.95\""], ["other", "null"]]"#;
        let packages: Vec<[String; 2]> = serde_json::from_str(packages).unwrap();
        let packages: Vec<Package> = packages
            .iter()
            .map(|[name, version]| {
                let text = format!(
                    r#"{{ "name": "{name}", "version": "0", "rust_version": {version}, "keywords": [],
                        "categories": [], "manifest_path": "" }}"#
                );
                serde_json::from_str(&text).unwrap()
            })
            .collect();
        let found = older(&packages, Some("1.95"));
        assert_eq!(found.into_iter().collect::<Vec<_>>(), [("1.88", vec!["core"])]);
    }
}
