//! Packs packages and builds them from the packed files; `msrv` builds them with the older Rust that they promise.
//!
//! cargo's own verification leaves out packages with `publish = false` and compiles every dependency again for each.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde_json::Value;

use crate::command::Command;
use crate::error::TaskError;
use crate::lint::features_of;
use crate::steps::Steps;
use crate::tools;

/// Not published: tests, tools, flashed programs, and an installed library.
const INTERNAL: [&str; 6] =
    ["lodger-c", "lodger-programs", "lodger-qemu-probe", "lodger-testkit", "lodger-tests", "xtask"];

/// Workspaces, each with a folder below `packages`. Packages of the second depend on packages of the first.
const OURS: [&str; 2] = [".", "ours"];
const GRID: [&str; 2] = ["secondlife/query", "grid"];

/// The largest size of a package, in bytes.
const MAX_BYTES: u64 = 1_000_000;

const EXTENSIONS: [&str; 11] =
    ["css", "html", "json", "llmesh", "md", "orig", "rs", "sql", "toml", "txt", "yaml"];

const KEYS: [&str; 6] =
    ["description", "license", "readme", "keywords", "categories", "rust-version"];

const WORKSPACE_RUST: &str = env!("CARGO_PKG_RUST_VERSION");
const OLDEST_RUST: &str = "1.88";

/// Features that need AVX-512, which is stable since 1.89.
const TOO_NEW: [&str; 2] = ["lodger-scheduler/vectors", "lodger-cpu/detect"];

pub(crate) fn run(steps: &mut Steps) -> Result<(), TaskError> {
    tools::for_packing(steps)?;
    pack_all(steps)?;
    let target = steps.target_folder()?;
    check(steps, OURS, &target)
}

pub(crate) fn of_grid(steps: &mut Steps, target: &Path) -> Result<(), TaskError> {
    pack_all(steps)?;
    check(steps, GRID, target)
}

fn pack_all(steps: &mut Steps) -> Result<(), TaskError> {
    let ours = pack(steps, OURS, &[])?;
    let lock = steps.root().join(GRID[0]).join("Cargo.lock");
    let lock = fs::read_to_string(&lock).map_err(|error| TaskError::file(&lock, &error))?;
    let is_used = |package: &&Package| lock.contains(&format!("name = \"{}\"\n", package.name));
    let used: Vec<_> = ours.iter().filter(is_used).collect();
    pack(steps, GRID, &used).map(drop)
}

struct Package {
    name: String,
    /// The folder, relative to the unpacked workspace.
    folder: String,
}

fn packed_folder(steps: &Steps, [_, name]: [&str; 2]) -> Result<PathBuf, TaskError> {
    Ok(steps.target_folder()?.join("packages").join(name).join("package"))
}

/// Unpacks packages into a new workspace with the same versions and profiles, in which packages of `others` are found
/// too.
fn pack(
    steps: &mut Steps,
    workspace: [&str; 2],
    others: &[&Package],
) -> Result<Vec<Package>, TaskError> {
    let packed = packed_folder(steps, workspace)?;
    let excluded = INTERNAL.map(|name| format!("--exclude {name}")).join(" ");
    // Without lock files: cargo would look up packages in a registry that does not have them yet.
    let pack = "package --workspace --no-verify --allow-dirty --exclude-lockfile --locked --quiet";
    let pack = steps.cargo(pack).args(if workspace == OURS { &excluded } else { "" });
    let pack = pack.args(&format!("--manifest-path {}/Cargo.toml --target-dir", workspace[0]));
    let _ = fs::remove_dir_all(&packed);
    let target = packed.parent().unwrap_or(&packed).to_string_lossy();
    steps.run(&format!("pack {}", workspace[0]), &pack.arg(target))?;
    let source = steps.root().join(workspace[0]);
    steps.work(&format!("inspect packages of {}", workspace[0]), || {
        let failed = |error: io::Error| TaskError::file(&packed, &error);
        let packages = unpack_all(&packed).map_err(failed)?;
        let faults: Vec<String> = packages.iter().filter_map(|(_, fault)| fault.clone()).collect();
        if !faults.is_empty() {
            return Err(TaskError::Invalid(faults.join("\n")));
        }
        let packages: Vec<Package> = packages.into_iter().map(|(package, _)| package).collect();
        let manifest = fs::read_to_string(source.join("Cargo.toml")).map_err(failed)?;
        let manifest = workspace_manifest(&packages, others, &manifest)?;
        fs::write(packed.join("Cargo.toml"), manifest).map_err(failed)?;
        fs::copy(source.join("Cargo.lock"), packed.join("Cargo.lock")).map_err(failed)?;
        Ok(packages)
    })
}

fn unpack_all(packed: &Path) -> io::Result<Vec<(Package, Option<String>)>> {
    let mut packages = Vec::new();
    for entry in packed.read_dir()? {
        let file = entry?.path();
        let Some(folder) = file.file_name().and_then(OsStr::to_str) else { continue };
        let Some(folder) = folder.strip_suffix(".crate") else { continue };
        let (bytes, files) = (file.metadata()?.len(), extract(&file, packed)?);
        eprintln!("{folder:28} {:>4} files {:>4} kB", files.len(), bytes.div_ceil(1000));
        let manifest = fs::read_to_string(packed.join(folder).join("Cargo.toml"))?;
        let manifest: toml::Table = manifest.parse().map_err(io::Error::other)?;
        let fault = missing(&manifest).or_else(|| objection(bytes, &files));
        let name = manifest["package"]["name"].as_str().unwrap_or_default().to_owned();
        let fault = fault.map(|fault| format!("the package {name} {fault}"));
        packages.push((Package { name, folder: folder.to_owned() }, fault));
    }
    Ok(packages)
}

fn extract(package: &Path, into: &Path) -> io::Result<Vec<PathBuf>> {
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(package)?));
    // cargo's are from 2006, so that a changed file would not be built again.
    archive.set_preserve_mtime(false);
    let mut paths = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        paths.push(entry.path()?.into_owned());
        entry.unpack_in(into)?;
    }
    Ok(paths)
}

/// The first missing one of [`KEYS`]; a list must have one to five elements.
fn missing(manifest: &toml::Table) -> Option<String> {
    let is_there = |key: &&str| match manifest.get("package").and_then(|package| package.get(key)) {
        Some(toml::Value::Array(list)) => (1..=5).contains(&list.len()),
        Some(toml::Value::String(text)) => !text.is_empty(),
        _ => false,
    };
    let key = KEYS.iter().find(|key| !is_there(key))?;
    Some(format!("needs {key}, for a list one to five of them"))
}

/// The first fault in a package's size or files.
fn objection(bytes: u64, files: &[PathBuf]) -> Option<String> {
    if bytes > MAX_BYTES {
        return Some(format!("has {bytes} bytes, more than {MAX_BYTES}"));
    }
    if !files.iter().any(|file| file.file_name() == Some(OsStr::new("README.md"))) {
        return Some("has no README.md".to_owned());
    }
    let is_allowed = |file: &Path| {
        file.extension().and_then(OsStr::to_str).is_some_and(|it| EXTENSIONS.contains(&it))
    };
    let stray = files.iter().find(|file| !is_allowed(file))?;
    Some(format!("contains {}, which its build does not need", stray.display()))
}

/// Finds packages in folders, and has the profiles of `source`, so that compiled crates are reused.
fn workspace_manifest(
    packages: &[Package],
    others: &[&Package],
    source: &str,
) -> Result<String, TaskError> {
    let mut profiles: toml::Table =
        source.parse().map_err(|_| TaskError::Metadata("a manifest is not TOML"))?;
    profiles.retain(|key, _| key == "profile");
    let own = packages.iter().map(|Package { name, folder }| (name, folder.clone()));
    let others = others
        .iter()
        .map(|Package { name, folder }| (name, format!("../../{}/package/{folder}", OURS[1])));
    let lines = own.chain(others).map(|(name, path)| format!("{name} = {{ path = \"{path}\" }}\n"));
    let members: Vec<&str> = packages.iter().map(|package| package.folder.as_str()).collect();
    Ok(format!(
        "[workspace]\nresolver = \"3\"\nmembers = {members:?}\n\n[patch.crates-io]\n{}\n{profiles}",
        lines.collect::<String>()
    ))
}

fn check(steps: &mut Steps, workspace: [&str; 2], target: &Path) -> Result<(), TaskError> {
    let manifest = packed_folder(steps, workspace)?.join("Cargo.toml");
    let check = steps.cargo("check --workspace --all-features --manifest-path");
    let check = check.arg(manifest.to_string_lossy()).arg("--target-dir");
    let check = check.arg(target.to_string_lossy());
    steps.run(&format!("build from packages of {}", workspace[0]), &check)
}

/// Builds packages with the oldest Rust. Without it, clippy compares the used parts of the standard library.
pub(crate) fn msrv(steps: &mut Steps) -> Result<(), TaskError> {
    let selected = oldest(&steps.metadata("--no-deps")?)?;
    if !has_toolchain(steps) {
        eprintln!("\nRust {OLDEST_RUST} cannot be installed: clippy checks instead");
        tools::component(steps, "clippy", "clippy")?;
        let lint = format!("clippy --lib {selected} --locked -- -D clippy::incompatible_msrv");
        return steps.run("lint for the oldest Rust", &steps.cargo(&lint));
    }
    let check = format!("run {OLDEST_RUST} cargo check --locked {selected}");
    steps.run(&format!("check with {OLDEST_RUST}"), &Command::new("rustup").args(&check))
}

/// The cargo options of packages with the oldest Rust: all features but [`TOO_NEW`].
fn oldest(metadata: &Value) -> Result<String, TaskError> {
    let mut options = vec!["--no-default-features".to_owned()];
    for package in metadata["packages"].as_array().into_iter().flatten() {
        let (name, rust) = (&package["name"], &package["rust_version"]);
        let (Some(name), Some(rust)) = (name.as_str(), rust.as_str()) else { continue };
        if rust == OLDEST_RUST {
            options.push(format!("--package {name}"));
            let features = features_of(name, metadata)?;
            let features = features.iter().map(|feature| format!("{name}/{feature}"));
            let features = features.filter(|feature| !TOO_NEW.contains(&feature.as_str()));
            options.extend(features.map(|feature| format!("--features {feature}")));
        } else if rust != WORKSPACE_RUST {
            let words = format!("{name} promises Rust {rust}, with which nothing is built");
            return Err(TaskError::Invalid(words));
        }
    }
    Ok(options.join(" "))
}

fn has_toolchain(steps: &Steps) -> bool {
    let probe = Command::new("rustup").args(&format!("run {OLDEST_RUST} rustc --version"));
    let has = |steps: &Steps| steps.ask(&probe).is_some_and(|said| said.contains(OLDEST_RUST));
    if has(steps) {
        return true;
    }
    eprintln!(
        "\nset-up: installs Rust {OLDEST_RUST} through rustup, which some packages promise to build with"
    );
    let install = format!("toolchain install {OLDEST_RUST} --profile minimal --no-self-update");
    let install = Command::new("rustup").args(&install).env("RUSTUP_MAX_RETRIES", "0");
    steps.ask(&install).is_some() && has(steps)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_package_without_a_required_field_is_rejected() {
        let complete = "[package]\nname = \"a\"\ndescription = \"d\"\nlicense = \"MIT\"\n\
            readme = \"README.md\"\nkeywords = [\"a\"]\ncategories = [\"no-std\"]\nrust-version = \"1.88\"\n";
        let missing = |text: &str| missing(&text.parse().unwrap());
        assert_eq!(missing(complete), None);
        for line in complete.lines().skip(2) {
            let key = line.split(' ').next().unwrap();
            let fault = missing(&complete.replace(line, "")).unwrap();
            assert!(fault.contains(key), "{key}: {fault}");
        }
        assert!(missing(&complete.replace("[\"a\"]", "[]")).unwrap().contains("keywords"));
    }

    #[test]
    fn internal_packages_exist() {
        let lock = include_str!("../../Cargo.lock");
        for name in INTERNAL {
            assert!(lock.contains(&format!("name = \"{name}\"\n")), "{name}");
        }
    }

    #[test]
    fn large_packages_and_stray_files_are_refused() {
        let mut files = vec![PathBuf::from("a-1.2.3/README.md"), "a-1.2.3/src/lib.rs".into()];
        assert_eq!(objection(MAX_BYTES, &files), None);
        assert!(objection(MAX_BYTES + 1, &files).unwrap().contains("more than"));
        files.push("a-1.2.3/core.12345".into());
        assert!(objection(1, &files).unwrap().contains("core.12345"));
        assert!(objection(1, &files[1..]).unwrap().contains("README.md"));
    }

    #[test]
    fn packages_are_found_in_folders_and_built_with_our_profiles() {
        let package =
            |name: &str| Package { name: name.to_owned(), folder: format!("{name}-1.2.3") };
        let source = "[package]\nname = \"a\"\n[profile.dev.package.\"*\"]\nopt-level = 1\n";
        let manifest = workspace_manifest(&[package("b")], &[&package("core")], source).unwrap();
        let manifest: toml::Table = manifest.parse().unwrap();
        assert!(!manifest.contains_key("package"));
        let members = manifest["workspace"]["members"].as_array().unwrap();
        assert_eq!((members.len(), members[0].as_str()), (1, Some("b-1.2.3")));
        let patches = &manifest["patch"]["crates-io"];
        assert_eq!(patches["b"]["path"].as_str(), Some("b-1.2.3"));
        assert_eq!(patches["core"]["path"].as_str(), Some("../../ours/package/core-1.2.3"));
        let level = &manifest["profile"]["dev"]["package"]["*"]["opt-level"];
        assert_eq!(level.as_integer(), Some(1));
        assert!(workspace_manifest(&[], &[], "[").is_err());
    }

    #[test]
    fn packages_with_the_oldest_rust_are_selected_with_their_features() {
        let metadata = |rust: &str| {
            json!({ "packages": [
                { "name": "lodger-scheduler", "rust_version": "1.88",
                  "features": { "default": [], "threads": [], "vectors": [] } },
                { "name": "a", "rust_version": rust, "features": {} },
            ] })
        };
        assert_eq!(
            oldest(&metadata(WORKSPACE_RUST)).unwrap(),
            "--no-default-features --package lodger-scheduler --features lodger-scheduler/threads"
        );
        assert!(oldest(&metadata("1.70")).is_err());
    }
}
