//! `cargo xtask dist`: an archive of the release programs for this machine, with completions, man pages and licences.

use std::collections::{BTreeMap, BTreeSet};
use std::env::consts::EXE_SUFFIX;
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use flate2::Compression;
use flate2::write::GzEncoder;
use serde::Deserialize;

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools::{self, GRID_MANIFEST};

const VERSION: &str = env!("CARGO_PKG_VERSION");
const PROGRAMS: [(&str, &str); 3] =
    [("lodger", "lodger-cli"), ("lodger-pack", "lodger-pack"), ("lodger-board", "lodger-board")];
const GRID: (&str, &str) = ("lodger-grid", "lodger-grid");
/// Shells, and the file names that they look for.
const SHELLS: [(&str, &str); 5] = [
    ("bash", "lodger.bash"),
    ("zsh", "_lodger"),
    ("fish", "lodger.fish"),
    ("powershell", "_lodger.ps1"),
    ("elvish", "lodger.elv"),
];
const DOCUMENTS: [&str; 4] = ["README.md", "CHANGELOG.md", "LICENSE-MIT", "LICENSE-APACHE"];
/// Upper-case prefixes of licence files' names.
const LICENCE_FILES: [&str; 5] = ["LICENSE", "LICENCE", "COPYING", "NOTICE", "UNLICENSE"];
const THIRD_PARTY: &str = "LICENSES-THIRD-PARTY.txt";

#[derive(Deserialize)]
struct Metadata {
    packages: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    manifest_path: PathBuf,
}

/// Writes `lodger-VERSION-TARGET.tar.gz` and its checksum.
pub(crate) fn run(steps: &mut Steps, with_grid: bool) -> Result<(), TaskError> {
    tools::for_packing(steps)?;
    let target = steps.target_folder()?;
    let packages = PROGRAMS.map(|(_, package)| format!("--package {package}")).join(" ");
    steps.run("build programs", &steps.cargo("build --release --locked").args(&packages))?;
    let grid_package = format!("{} --package {}", GRID_MANIFEST, GRID.1);
    if with_grid {
        let build = steps.cargo("build --release --locked --target-dir");
        let build = build.arg(target.to_string_lossy()).args(&grid_package);
        steps.run("build lodger-grid", &build)?;
    }
    let version = steps.ask(&Command::new("rustc").arg("-vV")).unwrap_or_default();
    let host = version.lines().find_map(|line| line.strip_prefix("host: "));
    let host = host.ok_or_else(|| TaskError::Invalid("`rustc -vV` names no host".to_owned()))?;
    let name = format!("lodger-{VERSION}-{host}");
    let (release, dist) = (target.join("release"), target.join("dist"));
    let folder = dist.join(&name);
    let failed = |error: io::Error| TaskError::file(&folder, &error);
    let mut texts = BTreeMap::new();
    read_licences(steps, &packages, host, &mut texts)?;
    if with_grid {
        read_licences(steps, &grid_package, host, &mut texts)?;
    }
    let root = steps.root().to_owned();
    steps.work(&format!("collect {name}"), || {
        empty(&folder).map_err(failed)?;
        let programs = PROGRAMS.iter().chain(with_grid.then_some(&GRID));
        for (program, _) in programs {
            let program = format!("{program}{EXE_SUFFIX}");
            copy(&release.join(&program), &folder.join("bin").join(&program))?;
        }
        DOCUMENTS.iter().try_for_each(|name| copy(&root.join(name), &folder.join(name)))?;
        write_help(&folder)?;
        fs::write(folder.join(THIRD_PARTY), third_party(&texts)).map_err(failed)
    })?;
    let archive = format!("{name}.tar.gz");
    steps.work(&format!("pack {archive}"), || {
        pack(&dist, &name, &archive).map_err(failed)?;
        let sum = checksum(&dist, &archive)?;
        fs::write(dist.join(format!("{archive}.sha256")), sum).map_err(failed)
    })?;
    println!("{}", dist.join(archive).display());
    Ok(())
}

fn empty(folder: &Path) -> io::Result<()> {
    if folder.exists() {
        fs::remove_dir_all(folder)?;
    }
    ["bin", "completions", "man"].iter().try_for_each(|name| fs::create_dir_all(folder.join(name)))
}

fn copy(from: &Path, to: &Path) -> Result<(), TaskError> {
    fs::copy(from, to).map(drop).map_err(|error| TaskError::file(from, &error))
}

/// `lodger` writes the help of all programs.
fn write_help(folder: &Path) -> Result<(), TaskError> {
    let program = folder.join("bin").join(format!("lodger{EXE_SUFFIX}"));
    let lodger = |args: &str| {
        let command = Command::at("lodger", program.as_os_str()).args(args);
        let failed = || TaskError::Invalid(format!("`{command}` fails"));
        command.output(folder).ok_or_else(failed)
    };
    for (shell, file) in SHELLS {
        let file = folder.join("completions").join(file);
        let script = lodger(&format!("completions {shell}"))?;
        fs::write(&file, script).map_err(|error| TaskError::file(&file, &error))?;
    }
    lodger("man man")?;
    let man = folder.join("man");
    let pages = man.read_dir().map_err(|error| TaskError::file(&man, &error))?.count();
    if pages == 0 {
        Err(TaskError::Invalid("`lodger man` wrote no page".to_owned()))
    } else {
        Ok(())
    }
}

/// Dependencies by licence text.
type Texts = BTreeMap<String, BTreeSet<String>>;

fn read_licences(
    steps: &Steps,
    packages: &str,
    host: &str,
    texts: &mut Texts,
) -> Result<(), TaskError> {
    let tree = "tree --locked --edges normal --prefix none --format {p}|{l} --target";
    let tree = steps.cargo(tree).arg(host).args(packages);
    let tree = steps.ask(&tree).ok_or_else(|| TaskError::Invalid(format!("`{tree}` fails")))?;
    let manifest = if packages.contains(GRID_MANIFEST) { GRID_MANIFEST } else { "" };
    let metadata: Metadata = serde_json::from_value(steps.metadata(manifest)?)
        .map_err(|_| TaskError::Metadata("it has another form"))?;
    for (name, version, licence) in tree.lines().filter_map(linked) {
        let has_name = |it: &&Package| it.name == name && it.version == version;
        let package = metadata.packages.iter().find(has_name);
        let folder = package.and_then(|package| package.manifest_path.parent());
        let mut found = folder.map(licence_texts).unwrap_or_default();
        if found.is_empty() {
            found.push(format!("Its package has no text of its licence: {licence}\n"));
        }
        for text in found {
            texts.entry(text).or_default().insert(format!("{name} {version} ({licence})"));
        }
    }
    Ok(())
}

/// Name, version and licence in a line of `cargo tree`, except the workspace's packages.
fn linked(line: &str) -> Option<(&str, &str, &str)> {
    let (package, licence) = line.trim_end_matches(" (*)").split_once('|')?;
    let mut words = package.split(' ');
    let (name, version) = (words.next()?, words.next()?.strip_prefix('v')?);
    let is_ours =
        words.any(|word| word.starts_with("(/") || word.starts_with("(\\") || word.contains(":\\"));
    (!is_ours).then_some((name, version, licence))
}

fn licence_texts(folder: &Path) -> Vec<String> {
    let entries = folder.read_dir().into_iter().flatten().flatten();
    let mut files: Vec<PathBuf> = entries
        .map(|entry| entry.path())
        .filter(|file| {
            let name = file.file_name().unwrap_or_default().to_string_lossy().to_uppercase();
            file.is_file() && LICENCE_FILES.iter().any(|start| name.starts_with(start))
        })
        .collect();
    files.sort();
    files.iter().filter_map(|file| fs::read_to_string(file).ok()).collect()
}

/// Each text once, below the dependencies that have it.
fn third_party(texts: &Texts) -> String {
    let mut all =
        "The programs contain the packages below, each under the licence that follows it.\n"
            .to_owned();
    for (text, packages) in texts {
        let packages: Vec<&str> = packages.iter().map(String::as_str).collect();
        let _ = write!(all, "\n{}\n\n{}\n\n{}\n", "-".repeat(72), packages.join("\n"), text.trim());
    }
    all
}

/// Packs a folder sorted, without times and owners, so that the same files give the same archive.
fn pack(dist: &Path, name: &str, archive: &str) -> io::Result<()> {
    let gzip = GzEncoder::new(File::create(dist.join(archive))?, Compression::best());
    let mut tar = tar::Builder::new(gzip);
    for file in files(&dist.join(name))? {
        let path = file.strip_prefix(dist).unwrap_or(&file);
        let is_program = file.parent().is_some_and(|folder| folder.ends_with("bin"));
        let mut header = tar::Header::new_gnu();
        header.set_size(file.metadata()?.len());
        header.set_mode(if is_program { 0o755 } else { 0o644 });
        tar.append_data(&mut header, path, File::open(&file)?)?;
    }
    tar.into_inner()?.finish().map(drop)
}

fn files(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.is_dir() { &mut folders } else { &mut found }.push(path);
        }
    }
    found.sort();
    Ok(found)
}

/// A line with the SHA-256 of a file, as `sha256sum --check` reads it.
fn checksum(dist: &Path, archive: &str) -> Result<String, TaskError> {
    let programs = [Command::new("sha256sum"), Command::new("shasum").args("-a 256")];
    let sum = programs.into_iter().find_map(|program| program.arg(archive).output(dist));
    sum.ok_or_else(|| TaskError::Invalid("there is neither sha256sum nor shasum here".to_owned()))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs::{self, File};

    use flate2::read::GzDecoder;

    use super::{Texts, checksum, empty, linked, pack, third_party};

    #[test]
    fn an_archive_has_programs_that_run_and_is_the_same_each_time() {
        let dist = tempfile::tempdir().unwrap();
        let folder = dist.path().join("lodger-1");
        let make = || {
            empty(&folder).unwrap();
            fs::write(folder.join("bin/lodger"), "program").unwrap();
            fs::write(folder.join("README.md"), "text").unwrap();
            pack(dist.path(), "lodger-1", "a.tar.gz").unwrap();
            fs::read(dist.path().join("a.tar.gz")).unwrap()
        };
        assert_eq!(make(), make());
        let mut tar =
            tar::Archive::new(GzDecoder::new(File::open(dist.path().join("a.tar.gz")).unwrap()));
        let entries: Vec<_> = tar
            .entries()
            .unwrap()
            .map(Result::unwrap)
            .map(|entry| {
                (entry.path().unwrap().display().to_string(), entry.header().mode().unwrap())
            })
            .collect();
        assert_eq!(
            entries,
            [("lodger-1/README.md".into(), 0o644), ("lodger-1/bin/lodger".into(), 0o755)]
        );
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn a_checksum_matches_the_file() {
        let dist = tempfile::tempdir().unwrap();
        fs::write(dist.path().join("a"), "").unwrap();
        let of_nothing = "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855  a\n";
        assert_eq!(checksum(dist.path(), "a").unwrap(), of_nothing);
        assert!(checksum(dist.path(), "no such file").is_err());
    }

    #[test]
    fn each_licence_text_stands_once() {
        assert_eq!(
            linked("clap v4.6.7|MIT OR Apache-2.0 (*)"),
            Some(("clap", "4.6.7", "MIT OR Apache-2.0"))
        );
        assert_eq!(linked("lodger-core v0.1.0 (/home/a/core)|MIT"), None);
        assert_eq!(linked(""), None);
        let users = BTreeSet::from(["a 1 (MIT)".to_owned(), "b 2 (MIT)".to_owned()]);
        let text = third_party(&Texts::from([("the text".to_owned(), users)]));
        assert_eq!(text.matches("the text").count(), 1);
        assert!(text.contains("a 1 (MIT)\nb 2 (MIT)\n"));
    }
}
