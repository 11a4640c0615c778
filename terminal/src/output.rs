//! Results on stdout, or in files that are written as a whole or not at all and that replace no input.

mod batch;

use std::ffi::OsStr;
use std::fs::{self, File, Metadata, OpenOptions, Permissions};
use std::io::{self, BufWriter, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::Diagnostic;
use crate::signals;

use batch::WriterId;

pub use batch::FileBatch;

/// The output of a result.
#[derive(Clone, Copy, Debug)]
pub enum OutputTarget<'a> {
    /// Standard output.
    Stdout,
    /// A file.
    File(&'a Path),
}

impl<'a> OutputTarget<'a> {
    /// Returns the file if one is given, and stdout otherwise.
    pub fn from_path(file: Option<&'a Path>) -> Self {
        file.map_or(Self::Stdout, Self::File)
    }
}

/// Writes a result piece by piece. Boxed, so that a file is written by code that is compiled once.
type WritePieces<'a> = Box<dyn FnOnce(&mut dyn Write) -> io::Result<()> + 'a>;

/// Removes a temporary folder and its content if Ctrl-C ends the program, with 130. The caller removes it in all
/// other cases.
pub fn remove_on_interrupt(folder: &Path) {
    batch::remove_scratch(folder);
}

/// Runs `hook`, which must be short, before Ctrl-C ends the program with 130.
pub fn on_interrupt(hook: impl FnOnce() + Send + 'static) {
    batch::add_cleanup_hook(Box::new(hook));
}

/// Writes a result. A closed pipe is no error; a file that would grow beyond the process's limit (`ulimit -f`) is
/// one.
///
/// # Errors
/// The result cannot be written.
pub fn write(target: OutputTarget<'_>, bytes: &[u8]) -> Result<(), Diagnostic> {
    write_with(target, |out| out.write_all(bytes))
}

/// Writes a result piece by piece. The file appears after the last piece.
///
/// # Errors
/// The errors of [`write()`] and of `pieces`.
pub fn write_with(
    target: OutputTarget<'_>,
    pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>,
) -> Result<(), Diagnostic> {
    write_pieces(target, Box::new(pieces))
}

fn write_pieces(target: OutputTarget<'_>, pieces: WritePieces<'_>) -> Result<(), Diagnostic> {
    // Without a handler the limit ends the program, which is acceptable.
    let _ = signals::outlive_file_limit();
    let written = match target {
        OutputTarget::Stdout => buffered(&mut io::stdout().lock(), pieces),
        OutputTarget::File(path) => to_file(path, pieces),
    };
    match written {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => Err(refused(target, &error)),
        _ => Ok(()),
    }
}

/// Writes all results, or none. Results for stdout or a device are written after the temporary files are complete,
/// and before these are renamed.
///
/// # Errors
/// The errors of [`write()`] and of [`FileBatch`].
///
/// # Examples
/// ```
/// use lodger_terminal::{OutputTarget, output};
///
/// # let work = tempfile::tempdir()?;
/// let [rows, page] = ["rows.json", "page.html"].map(|name| work.path().join(name));
/// let results = [(OutputTarget::File(&rows), b"{}".to_vec()), (OutputTarget::File(&page), b"<p>".to_vec())];
/// output::write_all(&results).map_err(|error| error.message)?;
/// assert_eq!(std::fs::read(rows)?, b"{}");
///
/// let nowhere = work.path().join("none/page.html");
/// let new = work.path().join("new.json");
/// let results = [(OutputTarget::File(&new), b"{}".to_vec()), (OutputTarget::File(&nowhere), b"<p>".to_vec())];
/// assert!(output::write_all(&results).is_err());
/// assert!(!new.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn write_all(results: &[(OutputTarget<'_>, Vec<u8>)]) -> Result<(), Diagnostic> {
    let batch = FileBatch::new(true);
    let mut streams = Vec::new();
    for (target, bytes) in results {
        let file = match target {
            OutputTarget::Stdout => None,
            OutputTarget::File(path) => {
                regular_file(path).map_err(|error| refused(*target, &error))?
            }
        };
        match file {
            Some(file) => batch.add(&file, bytes)?,
            None => streams.push((*target, bytes)),
        }
    }
    streams.into_iter().try_for_each(|(target, bytes)| write(target, bytes))?;
    batch.finish()
}

fn refused(target: OutputTarget<'_>, error: &io::Error) -> Diagnostic {
    let name = match target {
        OutputTarget::Stdout => "stdout".to_owned(),
        OutputTarget::File(path) => format!("`{}`", path.display()),
    };
    Diagnostic::error(format!("cannot write to {name}: {error}"))
        .help("choose another file with --output FILE")
}

/// Writes a result as one JSON document.
///
/// # Errors
/// The errors of [`write()`].
pub fn write_json(target: OutputTarget<'_>, result: &impl Serialize) -> Result<(), Diagnostic> {
    write_with(target, |out| {
        serde_json::to_writer_pretty(&mut *out, result)?;
        out.write_all(b"\n")
    })
}

/// Counts the bytes that `pieces` write, without keeping them. Writes fail beyond `most` bytes; the count is then
/// above `most`.
///
/// # Examples
/// ```
/// use lodger_terminal::output::count_bytes;
///
/// assert_eq!(count_bytes(9, |out| out.write_all(b"seven: 7")), 8);
/// assert!(count_bytes(7, |out| out.write_all(b"seven: 7")) > 7);
/// ```
pub fn count_bytes(most: u64, pieces: impl FnOnce(&mut dyn Write) -> io::Result<()>) -> u64 {
    let mut counter = ByteCounter { bytes: 0, most };
    // The only failure is a count above the limit, which the counter knows.
    let _ = buffered(&mut counter, Box::new(pieces));
    counter.bytes
}

struct ByteCounter {
    bytes: u64,
    most: u64,
}

impl Write for ByteCounter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.bytes = self.bytes.saturating_add(bytes.len() as u64);
        if self.bytes > self.most { Err(io::Error::other("too much")) } else { Ok(bytes.len()) }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn buffered(out: &mut dyn Write, pieces: WritePieces<'_>) -> io::Result<()> {
    const BUFFER: usize = 1 << 16;
    let mut out = BufWriter::with_capacity(BUFFER, out);
    pieces(&mut out)?;
    out.flush()
}

fn to_file(path: &Path, pieces: WritePieces<'_>) -> io::Result<()> {
    match regular_file(path)? {
        Some(file) => replace(&file, pieces),
        None => buffered(&mut OpenOptions::new().write(true).open(path)?, pieces),
    }
}

/// Follows symbolic links; `None` for a device or a pipe.
fn regular_file(path: &Path) -> io::Result<Option<PathBuf>> {
    let file = match fs::metadata(path) {
        Ok(found) if found.is_file() => return fs::canonicalize(path).map(Some),
        Ok(found) if found.is_dir() => {
            return Err(io::Error::new(ErrorKind::IsADirectory, "it is a folder"));
        }
        Ok(_) => return Ok(None),
        Err(error) if error.kind() == ErrorKind::NotFound => match fs::read_link(path) {
            Ok(target) => folder_of(path).join(target),
            Err(_) => path.to_owned(),
        },
        Err(error) => return Err(error),
    };
    let folder = folder_of(&file);
    if !folder.is_dir() {
        let message = format!("there is no folder `{}`", folder.display());
        return Err(io::Error::new(ErrorKind::NotFound, message));
    }
    Ok(Some(file))
}

fn replace(path: &Path, pieces: WritePieces<'_>) -> io::Result<()> {
    let permissions = fs::metadata(path).ok().map(|found| found.permissions());
    let writer = WriterId::new();
    let file = batch::begin(writer, path)?;
    fill(&file, permissions, pieces).inspect_err(|_| batch::lock().abandon(writer))?;
    match batch::lock().take(writer).pop() {
        Some(file) => file.temporary.persist(file.target).map_err(|e| e.error),
        None => Err(ErrorKind::Interrupted.into()),
    }
}

fn fill(
    mut file: &File,
    permissions: Option<Permissions>,
    pieces: WritePieces<'_>,
) -> io::Result<()> {
    buffered(&mut file, pieces)?;
    if let Some(permissions) = permissions {
        file.set_permissions(permissions)?;
    }
    file.sync_all()
}

/// Serialises a result as one JSON document.
///
/// # Errors
/// The result is not representable in JSON.
pub fn json(result: &impl Serialize) -> Result<Vec<u8>, Diagnostic> {
    let mut bytes = Vec::new();
    // The writer of `write_json`: a result is serialised by code that is compiled once.
    let out: &mut dyn Write = &mut bytes;
    serde_json::to_writer_pretty(out, result)
        .map_err(|e| Diagnostic::error(format!("cannot show the result as JSON: {e}")))?;
    bytes.push(b'\n');
    Ok(bytes)
}

/// Rejects outputs that would replace an input or each other. `outputs` are options with their paths; `find_input`
/// returns the first input, or `-` for stdin, that satisfies a predicate.
///
/// Files are compared behind links. Terminals and devices are not files.
///
/// # Errors
/// An option names an input or the file of another option.
pub fn check_outputs(
    outputs: &[(&str, Option<&Path>)],
    find_input: impl Fn(&dyn Fn(&Path) -> bool) -> Option<PathBuf>,
) -> Result<(), Diagnostic> {
    let mut others: Vec<(&str, FileId)> = Vec::new();
    for (option, path) in outputs {
        let Some(path) = path else { continue };
        let Some(id) = FileId::of(path) else { continue };
        if let Some((other, _)) = others.iter().find(|(_, other)| *other == id) {
            let message = format!("{other} and {option} name the same file, `{}`", path.display());
            return Err(Diagnostic::error(message).help("give each a file of its own"));
        }
        let is_it = |input: &Path| is_same_file(input, path);
        let input = if id.exists() { find_input(&is_it) } else { None };
        if let Some(input) = input {
            let (path, input) = (path.display(), input.display());
            let message = format!("`{option} {path}` would overwrite the input `{input}`");
            return Err(Diagnostic::error(message).help(format!("give {option} another file")));
        }
        others.push((option, id));
    }
    Ok(())
}

/// Whether two paths lead to one file, which need not exist. Terminals and devices are not files.
#[must_use]
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    FileId::of(a).is_some_and(|a| FileId::of(b).is_some_and(|b| a == b))
}

pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

#[derive(Debug, PartialEq, Eq)]
enum FileId {
    Existing(Identity),
    /// The path of a missing file, without links.
    New(PathBuf),
}

impl FileId {
    /// `-` is stdin; `None` unless it is a file or a pipe.
    fn of(path: &Path) -> Option<Self> {
        let path = if path == "-" { Path::new("/dev/stdin") } else { path };
        match fs::metadata(path) {
            Ok(found) if found.is_file() || is_pipe(&found) => {
                identity(path, &found).map(Self::Existing)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                resolve_missing(path).map(Self::New)
            }
            _ => None,
        }
    }

    fn exists(&self) -> bool {
        matches!(self, Self::Existing(_))
    }
}

/// Resolves the path of a missing file, whose folder may be missing, too. A dangling link is followed, as when it is
/// written.
fn resolve_missing(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path);
    let path = fs::read_link(path).map_or_else(|_| path.to_owned(), |link| folder.join(link));
    let name: &OsStr = path.file_name()?;
    let folder = folder_of(&path);
    let folder = match fs::canonicalize(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => resolve_missing(&folder),
        folder => folder.ok(),
    };
    Some(folder?.join(name))
}

/// Device and inode.
#[cfg(unix)]
type Identity = (u64, u64);
/// Canonical path.
#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(unix)]
#[expect(clippy::unnecessary_wraps, reason = "elsewhere there may be none")]
fn identity(_: &Path, found: &Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    Some((found.dev(), found.ino()))
}

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Option<Identity> {
    fs::canonicalize(path).ok()
}

#[cfg(unix)]
fn is_pipe(found: &Metadata) -> bool {
    use std::os::unix::fs::FileTypeExt as _;
    found.file_type().is_fifo()
}

#[cfg(not(unix))]
fn is_pipe(_: &Metadata) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(outputs: &[(&str, Option<&Path>)], inputs: &[PathBuf]) -> Option<String> {
        let find = |is: &dyn Fn(&Path) -> bool| inputs.iter().find(|input| is(input)).cloned();
        check_outputs(outputs, find).err().map(|diagnostic| diagnostic.message)
    }

    #[test]
    fn files_are_compared_and_not_paths() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        for name in ["a", "b"] {
            fs::write(at(name), name).expect("a file");
        }
        fs::create_dir(at("in")).expect("a folder");
        fs::hard_link(at("a"), at("hard")).expect("a link");
        let of =
            |output: PathBuf, input: &str| refused(&[("--output", Some(&output))], &[at(input)]);
        for same in ["a", "./a", "in/../a", "hard"] {
            assert!(
                of(at(same), "a").is_some_and(|it| it.contains("overwrite the input")),
                "{same}"
            );
        }
        for other in ["b", "c", "in", "none/a"] {
            assert_eq!(of(at(other), "a"), None, "{other}");
        }
    }

    #[test]
    fn results_do_not_share_a_file() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        fs::create_dir(at("in")).expect("a folder");
        let both = |a: &str, b: &str| {
            refused(&[("--plot", Some(&at(a))), ("--output", Some(&at(b)))], &[]).is_some()
        };
        assert!(both("new", "new") && both("new", "in/../new") && both("./new", "new"));
        assert!(!both("new", "in/new") && !both("new", "other"));
        assert!(both("no/new", "./no/new") && both("no/no/new", "in/../no/no/new"));
        assert!(!both("no/new", "new") && !both("no/new", "no/other"));
        #[cfg(unix)]
        {
            std::os::unix::fs::symlink("new", at("link")).expect("a link");
            std::os::unix::fs::symlink("in", at("folder")).expect("a link");
            assert!(both("new", "link") && both("link", "new") && both("in/x", "folder/x"));
            std::os::unix::fs::symlink("round/x", at("round")).expect("a link");
            assert!(!both("round", "round/x"));
            let null = Path::new("/dev/null");
            assert_eq!(refused(&[("--plot", Some(null)), ("--output", Some(null))], &[]), None);
            assert_eq!(refused(&[("--output", Some(null))], &[null.to_owned()]), None);
        }
    }
}
