//! `cargo xtask package`: what would be published, packed, looked at, and built from the packages alone.
//!
//! There are two workspaces. What is in that of grid/query is packed and looked at here, and built from its packages by
//! `cargo xtask test --grid`, because `DataFusion` is.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;

use crate::boards::unfit;
use crate::failure::Failure;
use crate::steps::Steps;

/// A workspace of ours.
struct Workspace {
    /// Its folder, from that of the repository.
    folder: &'static str,
    /// The packages that are for us alone.
    at_home: &'static [&'static str],
    /// The folder, beside the packages, that they are unpacked into.
    unpacked: &'static str,
}

/// What stays at home: tests, tools, programs that are flashed and not depended on. `lodger-c` is no crate for
/// others but a library that is installed.
const OURS: Workspace = Workspace {
    folder: ".",
    at_home: &[
        "lodger-c",
        "lodger-programs",
        "lodger-qemu-probe",
        "lodger-testkit",
        "lodger-tests",
        "xtask",
    ],
    unpacked: "unpacked",
};

/// What is built with `DataFusion`. All of it is for others, and depends on what is in [`OURS`].
const GRID: Workspace = Workspace { folder: "grid/query", at_home: &[], unpacked: "unpacked-grid" };

/// The most bytes of a package.
const LARGEST: u64 = 1_000_000;

/// The endings of files that a package may have.
const WELCOME: [&str; 10] =
    ["css", "html", "json", "md", "orig", "rs", "sql", "toml", "txt", "yaml"];

/// What cargo says of the workspace.
#[derive(Deserialize)]
pub(crate) struct Metadata {
    /// All of its packages.
    pub(crate) packages: Vec<Package>,
    target_directory: PathBuf,
}

/// What cargo says of a package.
#[derive(Deserialize)]
pub(crate) struct Package {
    /// Its name.
    pub(crate) name: String,
    version: String,
    /// The lowest Rust that it promises to build with.
    pub(crate) rust_version: Option<String>,
    description: Option<String>,
    license: Option<String>,
    readme: Option<PathBuf>,
    keywords: Vec<String>,
    categories: Vec<String>,
    manifest_path: PathBuf,
}

impl Metadata {
    /// Asks cargo.
    pub(crate) fn of_workspace(steps: &Steps) -> Result<Self, Failure> {
        Self::of(steps, &OURS)
    }

    fn of(steps: &Steps, workspace: &Workspace) -> Result<Self, Failure> {
        let metadata = steps.cargo("metadata --format-version 1 --no-deps --locked");
        let metadata = metadata.args(&workspace.manifest());
        let text = steps.ask(&metadata).ok_or(Failure::Metadata("the command fails"))?;
        serde_json::from_str(&text).map_err(|_| Failure::Metadata("it is not what was expected"))
    }
}

impl Workspace {
    /// What tells cargo of it.
    fn manifest(&self) -> String {
        format!("--manifest-path {}/Cargo.toml", self.folder)
    }

    /// The packages of it for others, each with what it needs to be one.
    fn published(&self, packages: Vec<Package>) -> Result<Vec<Package>, Failure> {
        let unknown = self.at_home.iter().find(|name| packages.iter().all(|it| it.name != **name));
        if let Some(name) = unknown {
            let words = format!("there is no package {name} that could stay at home");
            return Err(Failure::Unfit(words));
        }
        let for_others = packages.into_iter().filter(|it| !self.at_home.contains(&&*it.name));
        let for_others = for_others.map(|one| match one.missing() {
            None => Ok(one),
            Some(what) => {
                let words = format!("{} cannot be published without {what}", one.name);
                Err(Failure::Unfit(words))
            }
        });
        for_others.collect()
    }

    /// Packs them into `target`; unpacks them into a workspace of their own there, with the versions of ours.
    fn pack(&self, steps: &mut Steps, target: &Path, more: &str) -> Result<Vec<Package>, Failure> {
        let packages = self.published(Metadata::of(steps, self)?.packages)?;
        let names = arguments(packages.iter().map(|one| one.name.as_str()));
        // Without lock files: cargo would ask a registry for packages that are in none yet.
        let pack = "package --no-verify --allow-dirty --exclude-lockfile --locked --quiet";
        let pack = steps.cargo(pack).args(&self.manifest()).arg("--target-dir");
        let pack = pack.arg(target.to_string_lossy()).args(&names);
        steps.run(&format!("pack {}", self.folder), &pack)?;
        let packed = target.join("package");
        let workspace = packed.join(self.unpacked);
        let lock = steps.root().join(self.folder).join("Cargo.lock");
        steps.work(&format!("look into packages of {}", self.folder), || {
            unpack(&packages, &packed, &workspace, &lock, more)
        })?;
        Ok(packages)
    }

    /// Builds what was unpacked of it.
    fn check(&self, steps: &mut Steps, packed_in: &Path, target: &Path) -> Result<(), Failure> {
        let manifest = packed_in.join("package").join(self.unpacked).join("Cargo.toml");
        let check = steps.cargo("check --workspace --all-features --manifest-path");
        let check = check.arg(manifest.to_string_lossy()).arg("--target-dir");
        let check = check.arg(target.to_string_lossy());
        steps.run(&format!("build from packages of {}", self.folder), &check)
    }
}

impl Package {
    /// The folder and the file that cargo packs it as.
    fn stem(&self) -> String {
        format!("{}-{}", self.name, self.version)
    }

    /// What a registry or a reader would miss.
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

/// What tells cargo of these packages.
pub(crate) fn arguments<'p>(names: impl Iterator<Item = &'p str>) -> String {
    names.map(|name| format!("--package {name}")).collect::<Vec<_>>().join(" ")
}

/// Packs, looks, unpacks and builds. Nothing is published, and no registry is told anything.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    let target = pack_all(steps)?;
    OURS.check(steps, &target, &target)
}

/// The same of what is built with `DataFusion`, into a target folder of its own.
pub(crate) fn of_grid(steps: &mut Steps, target: &Path) -> Result<(), Failure> {
    let packed_in = pack_all(steps)?;
    GRID.check(steps, &packed_in, target)
}

/// Packs all workspaces; the target folder that the packages are in.
fn pack_all(steps: &mut Steps) -> Result<PathBuf, Failure> {
    let target = Metadata::of_workspace(steps)?.target_directory;
    let file = |workspace: &Workspace, name| steps.root().join(workspace.folder).join(name);
    let [own_profiles, grid_profiles] =
        [OURS, GRID].map(|workspace| profiles(&text(&file(&workspace, "Cargo.toml"))?));
    let lock = text(&file(&GRID, "Cargo.lock"))?;
    let ours = OURS.pack(steps, &target, &own_profiles?)?;
    let needed = ours.iter().filter(|one| lock.contains(&format!("name = \"{}\"\n", one.name)));
    let mut more = patches(needed, &format!("../{}/", OURS.unpacked));
    more += &grid_profiles?;
    GRID.pack(steps, &target, &more)?;
    Ok(target)
}

/// The profiles of a manifest, so that what was built with them need not be built again.
fn profiles(manifest: &str) -> Result<String, Failure> {
    let unfit = |_| Failure::Metadata("a manifest is no TOML");
    let mut manifest: toml::Table = manifest.parse().map_err(unfit)?;
    manifest.retain(|key, _| key == "profile");
    Ok(format!("\n{manifest}"))
}

fn text(path: &Path) -> Result<String, Failure> {
    fs::read_to_string(path).map_err(|error| unfit(path, &error))
}

/// Unpacks the packages into a workspace of their own, with the versions of ours and more in its manifest, and tells
/// their sizes.
fn unpack(
    packages: &[Package],
    packed: &Path,
    workspace: &Path,
    versions: &Path,
    more: &str,
) -> Result<(), Failure> {
    if workspace.exists() {
        fs::remove_dir_all(workspace).map_err(|error| unfit(workspace, &error))?;
    }
    fs::create_dir_all(workspace).map_err(|error| unfit(workspace, &error))?;
    for package in packages {
        let file = packed.join(package.stem() + ".crate");
        let bytes = fs::metadata(&file).map_err(|error| unfit(&file, &error))?.len();
        let files = entries(&file, workspace).map_err(|error| unfit(&file, &error))?;
        eprintln!("{:28} {:>4} files {:>4} kB", package.stem(), files.len(), bytes.div_ceil(1000));
        if let Some(what) = objection(bytes, &files) {
            return Err(Failure::Unfit(format!("the package {} {what}", package.stem())));
        }
    }
    let lock = workspace.join("Cargo.lock");
    fs::copy(versions, &lock).map_err(|error| unfit(&lock, &error))?;
    let manifest = workspace.join("Cargo.toml");
    let text = manifest_of(packages) + more;
    fs::write(&manifest, text).map_err(|error| unfit(&manifest, &error))
}

/// Unpacks a package; returns the paths in it.
fn entries(package: &Path, into: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut archive = tar::Archive::new(GzDecoder::new(File::open(package)?));
    // cargo's are of the year 2006: what had changed would not be built again.
    archive.set_preserve_mtime(false);
    let mut paths = Vec::new();
    for entry in archive.entries()? {
        let mut entry = entry?;
        paths.push(entry.path()?.into_owned());
        entry.unpack_in(into)?;
    }
    Ok(paths)
}

/// What is wrong with a package of so many bytes and these files.
fn objection(bytes: u64, files: &[PathBuf]) -> Option<String> {
    if bytes > LARGEST {
        return Some(format!("has {bytes} bytes, more than {LARGEST}"));
    }
    if !files.iter().any(|file| file.file_name() == Some(OsStr::new("README.md"))) {
        return Some("has no README.md in it".to_owned());
    }
    let is_welcome = |file: &Path| {
        file.extension().and_then(OsStr::to_str).is_some_and(|ending| WELCOME.contains(&ending))
    };
    let stray = files.iter().find(|file| !is_welcome(file))?;
    Some(format!("holds {}, which nobody needs who builds it", stray.display()))
}

/// The workspace of the unpacked packages, which find each other where a registry would be asked.
fn manifest_of(packages: &[Package]) -> String {
    let head = "[workspace]\nresolver = \"3\"\nmembers = [\"*-*.*.*\"]\n\n[patch.crates-io]\n";
    head.to_owned() + &patches(packages.iter(), "")
}

/// Where packages are that a registry would be asked for.
fn patches<'p>(packages: impl Iterator<Item = &'p Package>, folder: &str) -> String {
    let line = |one: &Package| format!("{} = {{ path = \"{folder}{}\" }}\n", one.name, one.stem());
    packages.map(line).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn package(name: &str) -> Package {
        let text = format!(
            r#"{{ "name": "{name}", "version": "1.2.3", "rust_version": "1.88", "description": "d",
                "license": "MIT", "readme": "Cargo.toml", "keywords": ["a"], "categories": ["no-std"],
                "manifest_path": "{}/Cargo.toml" }}"#,
            env!("CARGO_MANIFEST_DIR")
        );
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn what_a_registry_wants_is_missed() {
        assert_eq!(package("a").missing(), None);
        assert_eq!(
            Package { keywords: Vec::new(), ..package("a") }.missing().unwrap(),
            "one to five keywords"
        );
        let readme = Some("no such file".into());
        assert_eq!(Package { readme, ..package("a") }.missing(), Some("a README.md"));
        assert_eq!(
            Package { rust_version: None, ..package("a") }.missing(),
            Some("a rust-version")
        );
    }

    #[test]
    fn who_stays_at_home_exists_and_is_not_packed() {
        let at_home = || OURS.at_home.iter().map(|name| package(name));
        assert!(OURS.published(at_home().collect()).unwrap().is_empty());
        let with_core = at_home().chain([package("lodger-core")]);
        assert_eq!(OURS.published(with_core.collect()).unwrap().len(), 1);
        assert!(OURS.published(at_home().skip(1).collect()).is_err());
    }

    #[test]
    fn large_and_stray_files_are_objected_to() {
        let mut files = vec![PathBuf::from("a-1.2.3/README.md"), "a-1.2.3/src/lib.rs".into()];
        assert_eq!(objection(LARGEST, &files), None);
        assert!(objection(LARGEST + 1, &files).unwrap().contains("more than"));
        files.push("a-1.2.3/core.12345".into());
        assert!(objection(1, &files).unwrap().contains("core.12345"));
        assert!(objection(1, &files[1..]).unwrap().contains("README.md"));
    }

    #[test]
    fn packages_find_each_other() {
        let core = [package("lodger-core")];
        let line = "lodger-core = { path = \"lodger-core-1.2.3\" }\n";
        assert!(manifest_of(&core).ends_with(line));
        assert_eq!(patches(core.iter(), "../a/"), line.replace("\"l", "\"../a/l"));
    }

    #[test]
    fn profiles_are_those_of_the_manifest() {
        let manifest = "[package]\nname = \"a\"\n[profile.dev.package.\"*\"]\nopt-level = 1\n";
        let table: toml::Table = profiles(manifest).unwrap().parse().unwrap();
        assert_eq!(table.len(), 1);
        assert_eq!(table["profile"]["dev"]["package"]["*"]["opt-level"].as_integer(), Some(1));
        assert!(profiles("[").is_err());
    }
}
