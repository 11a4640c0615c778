//! The files that are read for the paths of a command line.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use crate::find::find;
use crate::object_file;
use crate::search::{Search, list};
use crate::unpacked;

/// Whether a file is one that is looked for.
type Is<'i> = &'i dyn Fn(&Path) -> bool;

/// The first file that is read for some paths, as [`find`] takes them, of which `is` is true: files, those
/// in folders and in unpacked archives, and meshes beside the XML of an object. stdin is asked for as `-`.
/// Only the listings of folders are read, and the beginnings of files where their names do not say enough.
///
/// # Examples
/// ```
/// use lodger_files::{Search, find_input};
///
/// # let folder = tempfile::tempdir()?;
/// # let region = folder.path().join("region.oar");
/// std::fs::write(&region, "")?;
/// let house = [format!("{}:House", region.display()).into()];
/// let found = find_input(&house, Search::Everything, &|file| file == region);
/// assert_eq!(found, Some(region));
/// # Ok::<(), std::io::Error>(())
/// ```
#[must_use]
pub fn find_input(
    paths: &[PathBuf],
    search: Search,
    is: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let mut seen = HashSet::new();
    find(paths, search).into_iter().flatten().find_map(|source| match source.path() {
        None => is(Path::new("-")).then(|| "-".into()),
        Some(folder) if source.is_unpacked() => {
            unpacked::entries(folder).find_map(|inner| below(inner, is))
        }
        Some(file) if is(file) => Some(file.to_owned()),
        Some(file) => beside(file, &mut seen, is),
    })
}

/// The first such file in a folder, however deep, or the file itself.
fn below(path: PathBuf, is: Is<'_>) -> Option<PathBuf> {
    let mut waiting = vec![path];
    while let Some(path) = waiting.pop() {
        let Ok(listing) = list(&path) else {
            if is(&path) {
                return Some(path);
            }
            continue;
        };
        // Links are not followed there.
        if let Some(found) = listing.files.into_iter().find(|file| !file.is_symlink() && is(file)) {
            return Some(found);
        }
        waiting.extend(listing.folders);
    }
    None
}

/// The first such mesh where those of an object may be, in folders that were not seen before.
fn beside(file: &Path, seen: &mut HashSet<PathBuf>, is: Is<'_>) -> Option<PathBuf> {
    if file.extension().is_none_or(|ending| ending != "xml") {
        return None;
    }
    let mut folders = object_file::folders(file);
    folders.retain(|folder| seen.insert(folder.clone()));
    folders.into_iter().find_map(|folder| {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let files = list(here).unwrap_or_default().files;
        files.into_iter().find(|file| object_file::is_mesh(file) && is(file))
    })
}
