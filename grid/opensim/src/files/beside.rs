//! The files that another file names, which lie beside it.

use std::fs::{self, File};
use std::io::{self, ErrorKind, Read as _};
use std::path::{Path, PathBuf};

/// The first bytes, at most so many, of what a file names by a URI: a relative path from its own folder
/// to a regular file, as a glTF file does for its buffers.
///
/// # Errors
/// [`ErrorKind::InvalidInput`] for anything but such a path, or beside stdin (`-`), and what the
/// operating system says.
///
/// # Examples
/// ```
/// use lodger_opensim::files::beside;
///
/// # let folder = tempfile::tempdir()?;
/// # let scene = folder.path().join("scene.gltf");
/// std::fs::write(scene.with_file_name("all trees.bin"), [1, 2, 3])?;
/// assert_eq!(beside(&scene, "all%20trees.bin", 2)?, [1, 2]);
/// assert!(beside(&scene, "https://example.org/trees.bin", 2).is_err());
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn beside(file: &Path, uri: &str, most: u64) -> io::Result<Vec<u8>> {
    let path = path_beside(file, uri)?;
    // A pipe would be waited for, and a device has no end.
    if !fs::metadata(&path)?.is_file() {
        return Err(refused("it is not a file"));
    }
    let mut bytes = Vec::new();
    File::open(path)?.take(most).read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The path of what a file names by a URI, whether or not it is there.
///
/// # Errors
/// [`ErrorKind::InvalidInput`], as for [`beside`].
pub fn path_beside(file: &Path, uri: &str) -> io::Result<PathBuf> {
    if file == Path::new("-") {
        return Err(refused("there is no folder beside stdin"));
    }
    Ok(file.parent().unwrap_or(Path::new("")).join(relative(uri)?))
}

fn relative(uri: &str) -> io::Result<PathBuf> {
    let has_scheme = uri.split(['/', '?', '#']).next().is_some_and(|first| first.contains(':'));
    let path = PathBuf::from(decoded(uri).ok_or_else(|| refused("it is no path"))?);
    if has_scheme || path.has_root() || path.is_absolute() {
        return Err(refused("only relative paths are followed"));
    }
    Ok(path)
}

/// A URI with its percent signs resolved; none if they stand for what is no text of a path.
fn decoded(uri: &str) -> Option<String> {
    let mut bytes = Vec::with_capacity(uri.len());
    let mut rest = uri.bytes();
    while let Some(byte) = rest.next() {
        bytes.push(match byte {
            b'%' => {
                let digit = |byte: u8| char::from(byte).to_digit(16);
                let code = digit(rest.next()?)? * 16 + digit(rest.next()?)?;
                u8::try_from(code).ok()?
            }
            byte => byte,
        });
    }
    String::from_utf8(bytes).ok().filter(|path| !path.is_empty() && !path.contains('\0'))
}

fn refused(why: &str) -> io::Error {
    io::Error::new(ErrorKind::InvalidInput, why)
}

#[cfg(test)]
mod tests {
    use super::{decoded, relative};

    #[test]
    fn percent_signs_stand_for_bytes() {
        assert_eq!(decoded("a%20b/%c3%A9.bin").as_deref(), Some("a b/é.bin"));
        for wrong in ["a%2", "%zz", "%ff", "%00", "", "%+1"] {
            assert_eq!(decoded(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn only_relative_paths_are_followed() {
        for fine in ["a.bin", "data/a.bin", "./a.bin", "a%3Ab.bin"] {
            assert!(relative(fine).is_ok(), "{fine}");
        }
        for wrong in ["/etc/passwd", "%2Fetc/passwd", "file:///a.bin", "http://a/b.bin", "c:a.bin"]
        {
            assert!(relative(wrong).is_err(), "{wrong}");
        }
    }
}
