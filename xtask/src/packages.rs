//! `cargo xtask package` and `msrv`: packages are packed, inspected and built from what was packed, and those that promise
//! an older Rust than the workspace build with it.
//!
//! cargo's own verification cannot do this: `cargo package --workspace` leaves packages with `publish = false` out of
//! the registry that it verifies against, and it compiles every dependency once more for each package. Here one workspace
//! of all unpacked packages is checked, which reuses what clippy has compiled of other crates.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;

use crate::boards::unfit;
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::tools;

/// A workspace whose packages are packed.
struct Workspace {
    /// Its folder, from the root of the repository.
    folder: &'static str,
    /// The packages that are not for others.
    internal: &'static [&'static str],
    /// The folder beside the packages that they are unpacked into.
    unpacked: &'static str,
}

/// Tests, tools, and programs that are flashed are not for others; `lodger-c` is a library that is installed.
const OURS: Workspace = Workspace {
    folder: ".",
    internal: &[
        "lodger-c",
        "lodger-examples",
        "lodger-programs",
        "lodger-qemu-probe",
        "lodger-testkit",
        "lodger-tests",
        "xtask",
    ],
    unpacked: "unpacked",
};

/// The workspace that is built with `DataFusion`. Its packages depend on those of [`OURS`], and `cargo xtask test --grid`
/// builds them from what was packed.
const GRID: Workspace =
    Workspace { folder: "grid/query", internal: &[], unpacked: "unpacked-grid" };

/// The largest size of a package, in bytes.
const MAX_BYTES: u64 = 1_000_000;

/// The file extensions that a package may contain.
const EXTENSIONS: [&str; 10] =
    ["css", "html", "json", "md", "orig", "rs", "sql", "toml", "txt", "yaml"];

/// The Rust that the workspace needs.
const WORKSPACE_RUST: Option<&str> = option_env!("CARGO_PKG_RUST_VERSION");

/// The feature that the older Rust cannot build: its dependencies use AVX-512, which is stable since 1.89.
const TOO_NEW: &str = "lodger-scheduler/vectors";

/// The package whose unit tests run with the oldest Rust; those of others need packages that are newer.
const TESTED: &str = "lodger-core";

/// The part of `cargo metadata` that is used.
#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
    target_directory: PathBuf,
}

/// A package in `cargo metadata`.
#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    rust_version: Option<String>,
    description: Option<String>,
    license: Option<String>,
    readme: Option<PathBuf>,
    keywords: Vec<String>,
    categories: Vec<String>,
    #[serde(default)]
    features: BTreeMap<String, Vec<String>>,
    manifest_path: PathBuf,
}

/// Packs all packages for others, inspects them, and builds those of the main workspace from what was packed.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    tools::for_packing(steps)?;
    let target = pack_all(steps)?;
    OURS.check(steps, &target, &target)
}

/// Does the same with the packages of `grid/query`, and builds them into `target`.
pub(crate) fn of_grid(steps: &mut Steps, target: &Path) -> Result<(), Failure> {
    let packed_in = pack_all(steps)?;
    GRID.check(steps, &packed_in, target)
}

/// Packs all workspaces; returns the target folder that contains the packages.
fn pack_all(steps: &mut Steps) -> Result<PathBuf, Failure> {
    let metadata = Metadata::of(steps, &OURS)?;
    let target = metadata.target_directory.clone();
    let own_profiles = profiles(&read(&steps.root().join("Cargo.toml"))?)?;
    let packages = OURS.pack(steps, metadata, &own_profiles)?;
    let grid = steps.root().join(GRID.folder);
    let lock = read(&grid.join("Cargo.lock"))?;
    let used = packages.iter().filter(|one| lock.contains(&format!("name = \"{}\"\n", one.name)));
    let manifest = patches(used, &format!("../{}/", OURS.unpacked))
        + &profiles(&read(&grid.join("Cargo.toml"))?)?;
    let metadata = Metadata::of(steps, &GRID)?;
    GRID.pack(steps, Metadata { target_directory: target.clone(), ..metadata }, &manifest)?;
    Ok(target)
}

impl Metadata {
    fn of(steps: &Steps, workspace: &Workspace) -> Result<Self, Failure> {
        let metadata = steps.cargo("metadata --format-version 1 --no-deps --locked");
        let metadata = metadata.args(&workspace.manifest_option());
        let text = steps.ask(&metadata).ok_or(Failure::Metadata("the command fails"))?;
        serde_json::from_str(&text).map_err(|_| Failure::Metadata("it has another form"))
    }
}

impl Workspace {
    fn manifest_option(&self) -> String {
        format!("--manifest-path {}/Cargo.toml", self.folder)
    }

    /// The packages for others, each with all that a registry requires.
    fn published(&self, packages: Vec<Package>) -> Result<Vec<Package>, Failure> {
        if let Some(name) =
            self.internal.iter().find(|name| packages.iter().all(|it| it.name != **name))
        {
            return Err(Failure::Unfit(format!(
                "{name} is listed as internal, but there is no such package"
            )));
        }
        let published: Vec<_> =
            packages.into_iter().filter(|it| !self.internal.contains(&&*it.name)).collect();
        match published.iter().find_map(|one| Some((one, one.missing()?))) {
            Some((one, missing)) => {
                Err(Failure::Unfit(format!("{} cannot be published without {missing}", one.name)))
            }
            None => Ok(published),
        }
    }

    /// Packs the packages, and unpacks them into a workspace of their own with our versions and `manifest` at the end
    /// of its Cargo.toml.
    fn pack(
        &self,
        steps: &mut Steps,
        metadata: Metadata,
        manifest: &str,
    ) -> Result<Vec<Package>, Failure> {
        let packages = self.published(metadata.packages)?;
        // Without lock files: cargo would look up packages in a registry that does not have them yet.
        let pack =
            "package --no-verify --allow-dirty --exclude-lockfile --locked --quiet --target-dir";
        let pack = steps.cargo(pack).arg(metadata.target_directory.to_string_lossy());
        let pack = pack.args(&self.manifest_option()).args(&options(&packages));
        steps.run(&format!("pack {}", self.folder), &pack)?;
        let packed = metadata.target_directory.join("package");
        let lock = steps.root().join(self.folder).join("Cargo.lock");
        steps.work(&format!("inspect packages of {}", self.folder), || {
            self.unpack(&packages, &packed, &lock, manifest)
        })?;
        Ok(packages)
    }

    fn unpack(
        &self,
        packages: &[Package],
        packed: &Path,
        lock: &Path,
        manifest: &str,
    ) -> Result<(), Failure> {
        let workspace = packed.join(self.unpacked);
        let failed = |error: std::io::Error| unfit(&workspace, &error);
        if workspace.exists() {
            fs::remove_dir_all(&workspace).map_err(failed)?;
        }
        fs::create_dir_all(&workspace).map_err(failed)?;
        for package in packages {
            let file = packed.join(package.stem() + ".crate");
            let bytes = fs::metadata(&file).map_err(|error| unfit(&file, &error))?.len();
            let files = extract(&file, &workspace).map_err(|error| unfit(&file, &error))?;
            eprintln!(
                "{:28} {:>4} files {:>4} kB",
                package.stem(),
                files.len(),
                bytes.div_ceil(1000)
            );
            if let Some(objection) = objection(bytes, &files) {
                return Err(Failure::Unfit(format!("the package {} {objection}", package.stem())));
            }
        }
        fs::copy(lock, workspace.join("Cargo.lock")).map_err(failed)?;
        let head = "[workspace]\nresolver = \"3\"\nmembers = [\"*-*.*.*\"]\n\n[patch.crates-io]\n";
        let manifest = head.to_owned() + &patches(packages.iter(), "") + manifest;
        fs::write(workspace.join("Cargo.toml"), manifest).map_err(failed)
    }

    /// Builds what was unpacked.
    fn check(&self, steps: &mut Steps, packed_in: &Path, target: &Path) -> Result<(), Failure> {
        let manifest = packed_in.join("package").join(self.unpacked).join("Cargo.toml");
        let check = steps.cargo("check --workspace --all-features --manifest-path");
        let check = check.arg(manifest.to_string_lossy()).arg("--target-dir");
        let check = check.arg(target.to_string_lossy());
        steps.run(&format!("build from packages of {}", self.folder), &check)
    }
}

impl Package {
    /// The name of the folder and the file that cargo packs it as.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// The first thing that a registry or a reader would miss.
    fn missing(&self) -> Option<&'static str> {
        let folder = self.manifest_path.parent().unwrap_or(Path::new(""));
        let has_readme = self.readme.as_ref().is_some_and(|file| folder.join(file).is_file());
        let needed = [
            (self.description.is_some(), "a description"),
            (self.license.is_some(), "a licence"),
            (has_readme, "a README.md"),
            ((1..=5).contains(&self.keywords.len()), "one to five keywords"),
            ((1..=5).contains(&self.categories.len()), "one to five categories"),
            (self.rust_version.is_some(), "a rust-version"),
        ];
        needed.into_iter().find(|(is_there, _)| !is_there).map(|(_, what)| what)
    }
}

/// The options that select these packages.
fn options<'p>(packages: impl IntoIterator<Item = &'p Package>) -> String {
    let option = |one: &Package| format!("--package {}", one.name);
    packages.into_iter().map(option).collect::<Vec<_>>().join(" ")
}

/// The lines of `[patch.crates-io]` that replace packages of a registry by folders.
fn patches<'p>(packages: impl Iterator<Item = &'p Package>, folder: &str) -> String {
    let line = |one: &Package| format!("{} = {{ path = \"{folder}{}\" }}\n", one.name, one.stem());
    packages.map(line).collect()
}

/// The profiles of a manifest, so that crates that were built with them are reused.
fn profiles(manifest: &str) -> Result<String, Failure> {
    let mut manifest: toml::Table =
        manifest.parse().map_err(|_| Failure::Metadata("a manifest is not TOML"))?;
    manifest.retain(|key, _| key == "profile");
    Ok(format!("\n{manifest}"))
}

fn read(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| unfit(path, &error))
}

/// Unpacks a package; returns the paths in it.
fn extract(package: &Path, into: &Path) -> std::io::Result<Vec<PathBuf>> {
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

/// The first fault of a package with this size and these files.
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

/// Builds the packages that promise an older Rust than the workspace with that Rust, and tests core with it.
///
/// If rustup cannot install it, clippy compares the parts of the standard library that they use with that version.
pub(crate) fn msrv(steps: &mut Steps) -> Result<(), Failure> {
    let metadata = Metadata::of(steps, &OURS)?;
    for (version, packages) in older(&metadata.packages) {
        let options = options(packages.iter().copied());
        let features = features(&packages);
        if !has_toolchain(steps, version) {
            eprintln!("\nRust {version} cannot be installed: clippy checks {options} instead");
            tools::component(steps, "clippy", "clippy")?;
            let lint = "--locked -- -D clippy::incompatible_msrv";
            let clippy = steps.cargo(&format!("clippy {options} --lib {features} {lint}"));
            steps.run(&format!("lint for {version}"), &clippy)?;
            continue;
        }
        let with = |args: &str| {
            Command::new("rustup").args(&format!("run {version} cargo {args} --locked"))
        };
        steps
            .run(&format!("check with {version}"), &with(&format!("check {options} {features}")))?;
        if packages.iter().any(|package| package.name == TESTED) {
            let test = format!("test --package {TESTED} --lib --all-features");
            steps.run(&format!("test with {version}"), &with(&test))?;
        }
    }
    Ok(())
}

/// The packages by the Rust that they promise, if it is not that of the workspace.
fn older(packages: &[Package]) -> BTreeMap<&str, Vec<&Package>> {
    let mut found = BTreeMap::<_, Vec<_>>::new();
    for package in packages {
        let version = package.rust_version.as_deref();
        if let Some(version) = version.filter(|_| version != WORKSPACE_RUST) {
            found.entry(version).or_default().push(package);
        }
    }
    found
}

/// The options that select all features of these packages but [`TOO_NEW`].
fn features(packages: &[&Package]) -> String {
    let named = packages.iter().flat_map(|package| {
        let features = package.features.keys().filter(|feature| *feature != "default");
        features.map(|feature| format!("{}/{feature}", package.name))
    });
    let named: Vec<_> = named.filter(|feature| feature != TOO_NEW).collect();
    format!("--no-default-features --features {}", named.join(","))
}

/// Whether rustup has a toolchain, or can install it.
fn has_toolchain(steps: &Steps, version: &str) -> bool {
    let probe = Command::new("rustup").args(&format!("run {version} rustc --version"));
    let has = |steps: &Steps| steps.ask(&probe).is_some_and(|said| said.contains(version));
    if has(steps) {
        return true;
    }
    eprintln!(
        "\nset-up: installs Rust {version} through rustup, which some packages promise to build with"
    );
    let install = format!("toolchain install {version} --profile minimal --no-self-update");
    let install = Command::new("rustup").args(&install).env("RUSTUP_MAX_RETRIES", "0");
    steps.ask(&install).is_some() && has(steps)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str, rust_version: Option<&str>) -> Package {
        Package {
            name: name.to_owned(),
            version: "1.2.3".to_owned(),
            rust_version: rust_version.map(str::to_owned),
            description: Some("d".to_owned()),
            license: Some("MIT".to_owned()),
            readme: Some("Cargo.toml".into()),
            keywords: vec!["a".to_owned()],
            categories: vec!["no-std".to_owned()],
            features: BTreeMap::new(),
            manifest_path: Path::new(env!("CARGO_MANIFEST_DIR")).join("Cargo.toml"),
        }
    }

    #[test]
    fn a_package_without_what_a_registry_requires_is_refused() {
        let complete = || package("a", Some("1.88"));
        assert_eq!(complete().missing(), None);
        let without = |change: fn(&mut Package)| {
            let mut package = complete();
            change(&mut package);
            package.missing()
        };
        assert_eq!(without(|it| it.keywords.clear()), Some("one to five keywords"));
        assert_eq!(without(|it| it.readme = Some("no such file".into())), Some("a README.md"));
        assert_eq!(without(|it| it.rust_version = None), Some("a rust-version"));
    }

    #[test]
    fn internal_packages_exist_and_are_not_packed() {
        let internal = || OURS.internal.iter().map(|name| package(name, Some("1.95")));
        assert!(OURS.published(internal().collect()).unwrap().is_empty());
        let with_core = internal().chain([package("lodger-core", Some("1.88"))]);
        assert_eq!(OURS.published(with_core.collect()).unwrap().len(), 1);
        assert!(OURS.published(internal().skip(1).collect()).is_err());
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
        let core = [package("lodger-core", None)];
        assert_eq!(
            patches(core.iter(), "../a/"),
            "lodger-core = { path = \"../a/lodger-core-1.2.3\" }\n"
        );
        let manifest = "[package]\nname = \"a\"\n[profile.dev.package.\"*\"]\nopt-level = 1\n";
        let table: toml::Table = profiles(manifest).unwrap().parse().unwrap();
        assert_eq!(table.len(), 1);
        assert_eq!(table["profile"]["dev"]["package"]["*"]["opt-level"].as_integer(), Some(1));
        assert!(profiles("[").is_err());
    }

    #[test]
    fn packages_with_the_rust_of_the_workspace_are_not_built_with_an_older_one() {
        let packages =
            [package("core", Some("1.88")), package("cli", WORKSPACE_RUST), package("other", None)];
        let found: Vec<_> =
            older(&packages).into_iter().map(|(version, all)| (version, all.len())).collect();
        assert_eq!(found, [("1.88", 1)]);
        let mut scheduler = package("lodger-scheduler", Some("1.88"));
        scheduler.features =
            ["default", "threads", "vectors"].map(|name| (name.to_owned(), Vec::new())).into();
        let expected = "--no-default-features --features lodger-scheduler/threads";
        assert_eq!(features(&[&scheduler]), expected);
    }
}
