//! The result of a run: its end, its outputs, and the changes of its folder.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};
use std::time::SystemTime;

use crate::case::Case;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Code(i32),
    Signal(i32),
    OutOfTime,
    OutOfMemory,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RunLimits {
    pub memory: u64,
    /// Elapsed seconds, without the time in which other programs use all processors.
    pub seconds: f64,
}

#[derive(Debug)]
pub struct RunOutput {
    pub end: RunEnd,
    pub code: Option<i32>,
    /// Standard output with invalid UTF-8 replaced.
    pub stdout: String,
    /// Standard error with invalid UTF-8 replaced.
    pub stderr: String,
    pub is_utf8: bool,
    pub peak: u64,
    pub seconds: f64,
    pub changes: FolderChanges,
    pub case: Case,
    pub limits: RunLimits,
}

#[derive(Debug, Default)]
pub struct FolderChanges {
    /// New entries that the command line does not name as outputs.
    pub strays: Vec<String>,
    /// Changed entries that the command line does not name as outputs.
    pub changed: Vec<String>,
    /// New and changed entries in output folders.
    pub filled: Vec<String>,
    pub written: Vec<Vec<u8>>,
}

/// Files up to this size are compared byte for byte.
const COMPARED: u64 = 1 << 20;
const UNFINISHED: &str = ".lodger-";

/// The entries of a folder, at all depths.
#[derive(Debug)]
pub(crate) struct FolderState(BTreeMap<PathBuf, EntryState>);

#[derive(Debug, PartialEq, Eq)]
enum EntryState {
    File(Vec<u8>),
    LargeFile(u64, Option<SystemTime>),
    Link(PathBuf),
    Folder,
    Other,
}

impl FolderState {
    pub(crate) fn read(folder: &Path) -> io::Result<Self> {
        let mut entries = BTreeMap::new();
        let mut waiting = vec![PathBuf::new()];
        while let Some(inner) = waiting.pop() {
            for entry in fs::read_dir(folder.join(&inner))? {
                let entry = entry?;
                let path = inner.join(entry.file_name());
                let state = EntryState::read(&entry.path())?;
                if state == EntryState::Folder {
                    waiting.push(path.clone());
                }
                entries.insert(path, state);
            }
        }
        Ok(Self(entries))
    }

    pub(crate) fn changes(&self, later: &Self, folder: &Path, case: &Case) -> FolderChanges {
        let outputs: Vec<_> =
            case.outputs().into_iter().flat_map(|output| self.written_by(output, folder)).collect();
        let mut changes = FolderChanges::default();
        let paths: std::collections::BTreeSet<_> = self.0.keys().chain(later.0.keys()).collect();
        for path in paths {
            let (before, after) = (self.0.get(path), later.0.get(path));
            if before == after {
                continue;
            }
            let shown = path.display().to_string();
            let is_unfinished =
                path.file_name().is_some_and(|it| it.to_string_lossy().starts_with(UNFINISHED));
            let output = outputs.iter().find(|output| path.starts_with(output));
            match (output, before) {
                _ if is_unfinished => changes.strays.push(shown),
                (Some(output), _) if output == path => changes.written.extend(match after {
                    Some(EntryState::File(bytes)) => Some(bytes.clone()),
                    Some(EntryState::LargeFile(..)) => fs::read(folder.join(path)).ok(),
                    _ => None,
                }),
                (Some(_), _) => changes.filled.push(shown),
                (None, None) => changes.strays.push(shown),
                (None, Some(_)) => changes.changed.push(shown),
            }
        }
        changes
    }

    /// The path of an output in the folder, and the targets of its links.
    fn written_by(&self, output: OsString, folder: &Path) -> Vec<PathBuf> {
        let output = PathBuf::from(output);
        let mut path = plain(output.strip_prefix(folder).unwrap_or(&output));
        let mut paths = Vec::new();
        while !paths.contains(&path) && path.is_relative() && !path.as_os_str().is_empty() {
            paths.push(path.clone());
            if let Some(EntryState::Link(target)) = self.0.get(&path) {
                path = plain(&path.parent().unwrap_or(Path::new("")).join(target));
            }
        }
        paths
    }
}

fn plain(path: &Path) -> PathBuf {
    path.components().filter(|part| *part != Component::CurDir).collect()
}

impl EntryState {
    fn read(path: &Path) -> io::Result<Self> {
        let found = fs::symlink_metadata(path)?;
        if found.is_dir() {
            return Ok(Self::Folder);
        } else if found.is_symlink() {
            return Ok(Self::Link(fs::read_link(path)?));
        } else if !found.is_file() {
            return Ok(Self::Other);
        }
        let whole = if found.len() <= COMPARED { fs::read(path).ok() } else { None };
        Ok(whole.map_or_else(|| Self::LargeFile(found.len(), found.modified().ok()), Self::File))
    }
}

#[track_caller]
fn assert_contains(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "no {part:?} in:\n{text}");
    }
}

impl RunOutput {
    #[track_caller]
    pub fn succeeds(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        self
    }

    /// Asserts exit code 2, nothing on stdout, and exactly one error, which contains all parts.
    #[track_caller]
    pub fn fails_with(self, parts: &[&str]) -> Self {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{}", self.stderr);
        assert_contains(&self.stderr, parts);
        self
    }

    /// Asserts that stdout contains all parts.
    #[track_caller]
    pub fn shows(self, parts: &[&str]) -> Self {
        assert_contains(&self.stdout, parts);
        self
    }

    #[track_caller]
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error}: {}{}", self.stdout, self.stderr))
    }
}
