//! Expansion of paths to sources, the files among the inputs, and parallel work on sources.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};

use lodger_quota::{Quota, QuotaExceeded, QuotaLimits, QuotaPool};

use crate::files::error::{FileError, FileErrorKind};
use crate::files::kind::FileKind;
use crate::files::source::InputSource;
use crate::files::stream::SniffedReader;
use crate::files::unpacked::{entries, folders_of_meshes, is_unpacked, list, may_be_mesh};

/// A filter for files in folders, by the ends of their names. Files that are named directly always match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileFilter {
    /// Mesh assets, archives, unpacked archives, and objects.
    All,
    /// Mesh assets, archives and unpacked archives.
    Meshes,
}

/// Ends of matching file names; objects come last.
const ENDINGS: &[&str] = &[".llmesh", ".mesh", ".slm", ".iar", ".oar", "_object.xml"];
const OF_MESHES: &[&str] = ENDINGS.split_at(5).0;

impl FileFilter {
    /// The ends of the names of matching files.
    #[must_use]
    pub const fn endings(self) -> &'static [&'static str] {
        match self {
            Self::All => ENDINGS,
            Self::Meshes => OF_MESHES,
        }
    }

    pub(crate) fn matches(self, path: &Path) -> bool {
        ends_with_any(path, self.endings())
    }

    /// Whether a file matches in a folder without other matches: the XML of an object under any name, as
    /// `objects/NAME__UUID.xml` of `OpenSimulator`. Reads the beginning of the file.
    pub(crate) fn matches_fallback(self, path: &Path) -> bool {
        // A pipe would block.
        let is_file = || fs::metadata(path).is_ok_and(|found| found.is_file());
        let is_object =
            || SniffedReader::open(path).is_ok_and(|it| it.kind() == FileKind::ObjectXml);
        self == Self::All && ends_with_any(path, &[".xml"]) && is_file() && is_object()
    }
}

fn ends_with_any(path: &Path, endings: &[&str]) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy().to_ascii_lowercase();
    let name = name.strip_suffix(".gz").unwrap_or(&name);
    let is_end = |ending: &&str| name.strip_suffix(*ending).is_some_and(|stem| !stem.is_empty());
    endings.iter().any(is_end)
}

/// Expands paths to sources ([`InputSource::from_path`]), and folders to the matching files in them.
///
/// A folder is searched recursively in order of names, its files before its folders. An unpacked archive is one
/// source. With [`FileFilter::All`], a folder without a match is searched for the XML of objects under any name.
///
/// A folder without a match, an unreadable folder, and a second `-` are errors in their place. `-` is always stdin; a
/// file or folder of that name is `./-`.
///
/// # Examples
/// ```
/// use lodger_opensim::files::{FileFilter, expand_paths};
///
/// let folder = tempfile::tempdir()?;
/// let found = expand_paths(&[folder.path().to_owned()], FileFilter::All);
/// let error = found.into_iter().next().and_then(Result::err).ok_or("the folder has something")?;
/// assert!(error.kind().to_string().starts_with("this folder has no file of the kinds .llmesh"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn expand_paths(paths: &[PathBuf], filter: FileFilter) -> Vec<Result<InputSource, FileError>> {
    let mut found = Vec::new();
    for path in paths {
        if path != "-" && path.is_dir() {
            found.extend(in_folder(path, filter));
            continue;
        }
        let source = InputSource::from_path(path);
        let is_again = source.is_stdin() && found.iter().flatten().any(InputSource::is_stdin);
        let twice = || FileError::new(source.name(), FileErrorKind::StdinTwice);
        found.push(if is_again { Err(twice()) } else { Ok(source) });
    }
    found
}

fn in_folder(folder: &Path, filter: FileFilter) -> Vec<Result<InputSource, FileError>> {
    let mut found = search_in(folder, |file| filter.matches(file));
    if found.iter().all(Result::is_err) {
        found = search_in(folder, |file| filter.matches_fallback(file));
    }
    if found.is_empty() {
        let kind = FileErrorKind::NothingInFolder { endings: filter.endings() };
        found.push(Err(FileError::new(folder.display().to_string(), kind)));
    }
    found
}

/// Searches iteratively, so that no depth is too deep.
fn search_in(folder: &Path, wants: impl Fn(&Path) -> bool) -> Vec<Result<InputSource, FileError>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        if is_unpacked(&folder) {
            found.push(Ok(InputSource::unpacked(&folder)));
            continue;
        }
        match list(&folder) {
            Ok(listing) => {
                let files = listing.files.iter().filter(|file| wants(file) && may_be_file(file));
                found.extend(files.map(|file| Ok(InputSource::from_path(file))));
                waiting.extend(listing.folders.into_iter().rev());
            }
            Err(error) => found.push(Err(FileError::unreadable(&folder, error))),
        }
    }
    found
}

/// Whether a path may be a regular file. A missing file is an error later; a pipe would block, a device may have no
/// end.
fn may_be_file(path: &Path) -> bool {
    fs::metadata(path).map_or(true, |found| found.is_file())
}

type FilePredicate<'i> = &'i dyn Fn(&Path) -> bool;

/// Returns the first file that is read for these paths and satisfies `predicate`, as [`expand_paths`] expands them.
///
/// The inputs are files, files in folders and unpacked archives, and the sibling meshes of objects; stdin is `-`.
/// Only folders are listed, and the beginnings of files read if their names are ambiguous.
///
/// # Examples
/// ```
/// use lodger_opensim::files::{FileFilter, find_input};
///
/// # let folder = tempfile::tempdir()?;
/// # let region = folder.path().join("region.oar");
/// std::fs::write(&region, "")?;
/// let house = [format!("{}:House", region.display()).into()];
/// let found = find_input(&house, FileFilter::All, &|file| file == region);
/// assert_eq!(found, Some(region));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn find_input(
    paths: &[PathBuf],
    filter: FileFilter,
    predicate: &dyn Fn(&Path) -> bool,
) -> Option<PathBuf> {
    let mut visited = HashSet::new();
    expand_paths(paths, filter).into_iter().flatten().find_map(|source| match source.path() {
        None => predicate(Path::new("-")).then(|| "-".into()),
        Some(folder) if source.is_unpacked() => {
            entries(folder).find_map(|inner| find_below(inner, predicate))
        }
        Some(file) if predicate(file) => Some(file.to_owned()),
        Some(file) => find_sibling_mesh(file, &mut visited, predicate),
    })
}

fn find_below(path: PathBuf, predicate: FilePredicate<'_>) -> Option<PathBuf> {
    let mut waiting = vec![path];
    while let Some(path) = waiting.pop() {
        let Ok(listing) = list(&path) else {
            if predicate(&path) {
                return Some(path);
            }
            continue;
        };
        // Links are not followed in unpacked archives.
        if let Some(found) =
            listing.files.into_iter().find(|file| !file.is_symlink() && predicate(file))
        {
            return Some(found);
        }
        waiting.extend(listing.folders);
    }
    None
}

fn find_sibling_mesh(
    file: &Path,
    visited: &mut HashSet<PathBuf>,
    predicate: FilePredicate<'_>,
) -> Option<PathBuf> {
    if file.extension().is_none_or(|ending| ending != "xml") {
        return None;
    }
    let mut folders = folders_of_meshes(file);
    folders.retain(|folder| visited.insert(folder.clone()));
    folders.into_iter().find_map(|folder| {
        let here = if folder.as_os_str().is_empty() { Path::new(".") } else { &folder };
        let files = list(here).unwrap_or_default().files;
        files.into_iter().find(|file| may_be_mesh(file) && predicate(file))
    })
}

/// Runs `work` on all sources, on all threads of rayon, each with its own quota.
///
/// The results have the order of the sources. Sources that do not fit into memory together wait for each other
/// ([`QuotaPool::run_each`]).
///
/// # Examples
/// ```
/// use lodger_opensim::files::{FileFilter, InputSource, expand_paths, map_sources};
/// use lodger_quota::QuotaLimits;
///
/// let sources = expand_paths(&["a".into(), "b".into()], FileFilter::All);
/// let work = |source: &InputSource, _: &_| Ok(source.name().to_owned());
/// let names: Result<Vec<_>, _> = map_sources(sources, QuotaLimits::default(), work).into_iter().collect();
/// assert_eq!(names?, ["a", "b"]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn map_sources<T: Send>(
    found: Vec<Result<InputSource, FileError>>,
    limits: QuotaLimits,
    work: impl Fn(&InputSource, &Quota) -> Result<T, QuotaExceeded> + Sync,
) -> Vec<Result<T, FileError>> {
    let sources: Vec<_> = found.iter().flatten().collect();
    let pool = QuotaPool::new(limits);
    let done = pool.run_each(
        &sources,
        |source| source.is_rereadable(),
        |source, quota| work(source, quota),
    );
    let mut done = done.into_iter();
    let result = |source: Result<InputSource, FileError>| {
        let source = source?;
        let done = done.next().unwrap_or(Err(QuotaExceeded::Contended));
        done.map_err(|exceeded| {
            FileError::new(source.name(), FileErrorKind::QuotaExceeded(exceeded))
        })
    };
    found.into_iter().map(result).collect()
}
