//! `cargo xtask package`: what would be published, packed, looked at, and built from the packages alone.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use flate2::read::GzDecoder;
use serde::Deserialize;

use crate::boards::unfit;
use crate::failure::Failure;
use crate::steps::Steps;

/// What stays at home: tests, tools, programs that are flashed and not depended on. `lodger-c` is no crate for
/// others but a library that is installed.
const AT_HOME: [&str; 6] = [
    "lodger-c",
    "lodger-examples",
    "lodger-programs",
    "lodger-qemu-probe",
    "lodger-tests",
    "xtask",
];

/// The most bytes of a package.
const LARGEST: u64 = 1_000_000;

/// The endings of files that a package may have.
const WELCOME: [&str; 9] = ["css", "html", "json", "md", "orig", "rs", "toml", "txt", "yaml"];

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
        let metadata = steps.cargo("metadata --format-version 1 --no-deps --locked");
        let text = steps.ask(&metadata).ok_or(Failure::Metadata("the command fails"))?;
        serde_json::from_str(&text).map_err(|_| Failure::Metadata("it is not what was expected"))
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
    let metadata = Metadata::of_workspace(steps)?;
    let packages = published(&metadata.packages)?;
    let names = arguments(packages.iter().map(|one| one.name.as_str()));
    // Without lock files: cargo would ask a registry for packages that are in none yet.
    let pack = "package --no-verify --allow-dirty --exclude-lockfile --locked --quiet";
    steps.run("pack", &steps.cargo(pack).args(&names))?;
    let packed = metadata.target_directory.join("package");
    let workspace = packed.join("unpacked");
    let lock = steps.root().join("Cargo.lock");
    steps.work("look into packages", || unpack(&packages, &packed, &workspace, &lock))?;
    let manifest = workspace.join("Cargo.toml");
    let check = steps
        .cargo("check --workspace --all-features --manifest-path")
        .arg(manifest.to_string_lossy())
        .arg("--target-dir")
        .arg(metadata.target_directory.to_string_lossy());
    steps.run("build from packages", &check)
}

/// The packages for others, each with what it needs to be one.
fn published(packages: &[Package]) -> Result<Vec<&Package>, Failure> {
    let unknown = AT_HOME.iter().find(|name| packages.iter().all(|one| one.name != **name));
    if let Some(name) = unknown {
        return Err(Failure::Unfit(format!("there is no package {name} that could stay at home")));
    }
    let for_others = packages.iter().filter(|one| !AT_HOME.contains(&one.name.as_str()));
    let for_others = for_others.map(|one| match one.missing() {
        None => Ok(one),
        Some(what) => {
            Err(Failure::Unfit(format!("{} cannot be published without {what}", one.name)))
        }
    });
    for_others.collect()
}

/// Unpacks the packages into a workspace of their own, with the versions of ours, and tells their sizes.
fn unpack(
    packages: &[&Package],
    packed: &Path,
    workspace: &Path,
    versions: &Path,
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
    fs::write(&manifest, manifest_of(packages)).map_err(|error| unfit(&manifest, &error))
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
fn manifest_of(packages: &[&Package]) -> String {
    let mut text = String::from("[workspace]\nresolver = \"3\"\nmembers = [\"*-*.*.*\"]\n\n");
    text.push_str("[patch.crates-io]\n");
    for package in packages {
        let _ = writeln!(text, "{} = {{ path = \"{}\" }}", package.name, package.stem());
    }
    text
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
        let mut all: Vec<_> = AT_HOME.map(package).into();
        assert!(published(&all).unwrap().is_empty());
        all.push(package("lodger-core"));
        assert_eq!(published(&all).unwrap().len(), 1);
        all.remove(0);
        assert!(published(&all).is_err());
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
        let core = package("lodger-core");
        assert!(
            manifest_of(&[&core]).ends_with("lodger-core = { path = \"lodger-core-1.2.3\" }\n")
        );
    }
}
