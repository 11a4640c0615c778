//! The folder of a run: laid out before it, looked at after it.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::{self, BufWriter, Read as _, Write as _};
use std::os::unix::ffi::OsStrExt as _;
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};

use rustix::fs::{CWD, FileType, Mode, mknodat};

use super::case::Case;
use super::input::{Content, Input, Kind};
use super::random::Random;

/// Where temporary files go that are not beside their target.
pub(super) const TEMPORARY: &str = "tmp";
/// Where a small disk is mounted.
pub(super) const DISK: &str = "disk";
/// The start of the names of unfinished files.
const BEGUN: &[u8] = b".lodger-";
/// Files up to this size are compared byte for byte, larger ones by what the system knows of them.
const COMPARED: u64 = 64 << 20;
/// The bytes that are written at a time.
const PIECE: usize = 1 << 20;

/// A folder with the inputs of a case in it.
#[derive(Debug)]
pub(super) struct Folder {
    path: PathBuf,
    /// What the system knows of each input.
    known: Vec<Option<(u64, i64, i64)>>,
}

/// What a run left behind.
#[derive(Debug, Default)]
pub(super) struct After {
    /// What is neither input nor asked for.
    pub(super) strays: Vec<String>,
    /// The inputs that are not what they were.
    pub(super) changed: Vec<String>,
    /// New and changed files in folders that the run fills: outputs that end in `/`.
    pub(super) filled: Vec<String>,
    /// What was asked for and is there, with whether it was there before, as it is now.
    pub(super) outputs: Vec<(Vec<u8>, bool)>,
}

impl Folder {
    /// Makes a folder and what lies in it.
    pub(super) fn make(path: PathBuf, case: &Case) -> io::Result<Self> {
        fs::create_dir_all(path.join(TEMPORARY))?;
        open_to_all(&path.join(TEMPORARY))?;
        open_to_all(&path)?;
        if case.denied.disk.is_some() {
            fs::create_dir_all(path.join(DISK))?;
        }
        for input in &case.inputs {
            lay(&path, input)?;
        }
        let known = case.inputs.iter().map(|input| known(&path.join(&input.path))).collect();
        Ok(Self { path, known })
    }

    /// Where it is.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Looks at what is there now.
    pub(super) fn after(&self, case: &Case) -> io::Result<After> {
        let mut after = After::default();
        let is_filled = |path: &Path| {
            let is_temporary =
                path.file_name().is_some_and(|name| name.as_bytes().starts_with(BEGUN));
            let mut folders = case.outputs.iter().filter(|it| it.as_bytes().ends_with(b"/"));
            !is_temporary && folders.any(|folder| path.starts_with(folder))
        };
        let mut expected: BTreeSet<OsString> = [TEMPORARY, DISK].map(OsString::from).into();
        for (input, known_before) in case.inputs.iter().zip(&self.known) {
            expected.insert(input.path.clone());
            let is_output = case.outputs.contains(&input.path);
            if !is_output && !self.is_as_it_was(input, known_before.as_ref()) {
                let filled = is_filled(Path::new(&input.path));
                let list = if filled { &mut after.filled } else { &mut after.changed };
                list.push(input.path.to_string_lossy().into_owned());
            }
        }
        for output in &case.outputs {
            self.look_at_output(case, output, &mut after)?;
            expected.insert(output.clone());
        }
        for path in list(&self.path)? {
            let inner = path.strip_prefix(&self.path).unwrap_or(&path);
            if !expected.contains(inner.as_os_str()) {
                let list = if is_filled(inner) { &mut after.filled } else { &mut after.strays };
                list.push(inner.display().to_string());
            }
        }
        Ok(after)
    }

    fn look_at_output(&self, case: &Case, output: &OsStr, after: &mut After) -> io::Result<()> {
        let path = self.path.join(output);
        let before = case.inputs.iter().find(|input| input.path == output);
        if !fs::metadata(&path).is_ok_and(|found| found.is_file()) {
            return Ok(());
        }
        let bytes = fs::read(&path)?;
        let as_before = match before.map(|input| &input.kind) {
            Some(Kind::File(Content::Bytes(before))) => **before == bytes,
            _ => false,
        };
        after.outputs.push((bytes, as_before));
        Ok(())
    }

    fn is_as_it_was(&self, input: &Input, before: Option<&(u64, i64, i64)>) -> bool {
        let path = self.path.join(&input.path);
        match &input.kind {
            Kind::File(Content::Bytes(bytes)) | Kind::Unreadable(Content::Bytes(bytes))
                if bytes.len() as u64 <= COMPARED =>
            {
                same(&path, bytes).unwrap_or(false)
            }
            Kind::Link(target) => {
                fs::read_link(&path).is_ok_and(|found| found.as_os_str() == target)
            }
            Kind::Folder | Kind::Fifo => path.exists(),
            _ => known(&path).as_ref() == before,
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        // What cannot be removed now goes with the folder around it.
        let _ = fs::remove_dir_all(&self.path);
    }
}

/// Lets everybody write into a folder: a case may run as somebody else.
pub(super) fn open_to_all(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o777))
}

/// Puts an input into a folder.
pub(super) fn lay(folder: &Path, input: &Input) -> io::Result<()> {
    let path = folder.join(&input.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match &input.kind {
        Kind::File(content) => write(&path, content),
        Kind::Unreadable(content) => {
            write(&path, content)?;
            fs::set_permissions(&path, Permissions::from_mode(0o000))
        }
        Kind::Folder => fs::create_dir_all(&path),
        Kind::Fifo => Ok(mknodat(CWD, &path, FileType::Fifo, Mode::from_raw_mode(0o666), 0)?),
        Kind::Link(target) => symlink(target, &path),
        Kind::HardLink(target) => fs::hard_link(folder.join(target), &path),
    }
}

fn write(path: &Path, content: &Content) -> io::Result<()> {
    let mut file = File::create(path)?;
    match content {
        Content::Bytes(bytes) => file.write_all(bytes),
        Content::Repeated(0, count) => file.set_len(*count as u64),
        Content::Repeated(byte, count) => {
            io::copy(
                &mut io::repeat(*byte).take(*count as u64),
                &mut BufWriter::with_capacity(PIECE, file),
            )?;
            Ok(())
        }
        Content::Noise(count) => {
            let mut random = Random::of_case(1, "noise", 0);
            let piece = random.noise(PIECE);
            for _ in 0..count / PIECE {
                file.write_all(&piece)?;
            }
            Ok(())
        }
    }
}

fn known(path: &Path) -> Option<(u64, i64, i64)> {
    let found = fs::symlink_metadata(path).ok()?;
    Some((found.len(), found.mtime(), found.mtime_nsec()))
}

fn same(path: &Path, bytes: &[u8]) -> io::Result<bool> {
    // As nobody may read it, nobody has written to it.
    let found = fs::metadata(path)?;
    if found.permissions().mode() & 0o400 == 0 {
        return Ok(found.len() == bytes.len() as u64);
    }
    Ok(fs::read(path)? == bytes)
}

/// All that is in a folder and the folders in it, but for those folders that have something.
fn list(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let mut found = Vec::new();
    let mut waiting = vec![folder.to_owned()];
    while let Some(folder) = waiting.pop() {
        for entry in fs::read_dir(folder)? {
            let entry = entry?;
            let is_folder = entry.file_type()?.is_dir();
            let inner = if is_folder { list_one(&entry.path()) } else { 0 };
            if inner > 0 {
                waiting.push(entry.path());
            } else {
                found.push(entry.path());
            }
        }
    }
    Ok(found)
}

fn list_one(folder: &Path) -> usize {
    fs::read_dir(folder).map_or(0, Iterator::count)
}
