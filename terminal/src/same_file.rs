//! Whether two paths lead to one file.

use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

use crate::Diagnostic;

/// Refuses results that would take the place of a file that is read, or of each other. `outputs` are the
/// options that name places, with the places; `find_input` gives the first of the files to be read, or `-`
/// for stdin, of which the question it is handed is true.
///
/// Files are compared, not paths: links lead to what they name. Terminals and devices are no files.
///
/// # Errors
/// Which option names which file.
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

/// Whether two paths lead to one file, which may be still to be made. Terminals and devices are no files.
#[must_use]
pub fn is_same_file(a: &Path, b: &Path) -> bool {
    FileId::of(a).is_some_and(|a| FileId::of(b).is_some_and(|b| a == b))
}

/// The folder that a path is in.
pub(crate) fn folder_of(path: &Path) -> PathBuf {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    }
}

/// What tells a file from all others.
#[derive(Debug, PartialEq, Eq)]
enum FileId {
    /// A file that exists.
    There(Identity),
    /// The path of one that does not, free of links.
    New(PathBuf),
}

impl FileId {
    /// The file that a path leads to, `-` being stdin; none for what is no file and no pipe.
    fn of(path: &Path) -> Option<Self> {
        let path = if path == "-" { Path::new("/dev/stdin") } else { path };
        match fs::metadata(path) {
            Ok(found) if found.is_file() || is_pipe(&found) => {
                identity(path, &found).map(Self::There)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => new(path).map(Self::New),
            _ => None,
        }
    }

    fn exists(&self) -> bool {
        matches!(self, Self::There(_))
    }
}

/// The path of a file that does not exist, free of links. Its folder may be missing, too. A link to nowhere is
/// followed, as when it is written.
fn new(path: &Path) -> Option<PathBuf> {
    let folder = folder_of(path);
    let path = fs::read_link(path).map_or_else(|_| path.to_owned(), |link| folder.join(link));
    let name: &OsStr = path.file_name()?;
    let folder = folder_of(&path);
    let folder = match fs::canonicalize(&folder) {
        Err(error) if error.kind() == ErrorKind::NotFound => new(&folder),
        folder => folder.ok(),
    };
    Some(folder?.join(name))
}

/// The device of a file, and its number there.
#[cfg(unix)]
type Identity = (u64, u64);
/// The path of a file, free of links.
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
