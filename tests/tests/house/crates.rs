//! The packages of the workspace and their sources.

use std::fs;
use std::path::{Path, PathBuf};

/// The folder of the workspace.
pub(super) fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("tests/ is in the workspace")
}

/// The folders with a Cargo.toml, but that of what is built.
pub(super) fn packages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![root().to_owned()];
    while let Some(folder) = folders.pop() {
        if folder.join("Cargo.toml").is_file() {
            found.push(folder.clone());
        }
        for entry in fs::read_dir(&folder).expect("a folder").flatten() {
            let name = entry.file_name();
            let is_hidden = name.to_string_lossy().starts_with('.');
            if entry.path().is_dir() && !is_hidden && name != "target" && name != "src" {
                folders.push(entry.path());
            }
        }
    }
    found
}

/// The `src` of each package.
pub(super) fn sources() -> Vec<PathBuf> {
    packages().iter().map(|package| package.join("src")).filter(|src| src.is_dir()).collect()
}

/// All files with Rust in them below a folder.
pub(super) fn rust_files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(rust_files(&path));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            found.push(path);
        }
    }
    found.sort();
    found
}
