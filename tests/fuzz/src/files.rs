//! Files of any kind: objects that a selector names, and streams.

use std::fs;
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};

use lodger_opensim::archive::{Archive, Object};
use lodger_opensim::files::{
    FileErrorKind, FileFilter, FileKind, InputSource, SniffedReader, SourceContent, expand_paths,
    single_object,
};
use lodger_testkit::build::compressed::gzip;

use super::{ARCHIVE_LIMITS, quota};

const SELECTED: usize = 4;

/// A selector, a newline and a file on a disk: every object can be selected by its name, and a selection is a part of
/// the file. Valid if the selector finds an object.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn choice(bytes: &[u8]) -> bool {
    let end = bytes.iter().position(|&byte| byte == b'\n').unwrap_or(bytes.len());
    let (Ok(wanted), Some(content)) = (std::str::from_utf8(&bytes[..end]), bytes.get(end + 1..))
    else {
        return false;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("file");
    fs::write(&path, content).expect("a file");
    let found = open(&selected(&path, wanted));
    let Some(whole) = open(&path) else {
        assert!(found.is_none(), "a selection without an archive");
        return false;
    };
    for object in whole.objects.iter().take(SELECTED) {
        let found = open(&selected(&path, object.name())).expect("an object of the archive");
        assert!(found.objects.contains(object), "`{}` is not found", object.name());
    }
    found.is_some_and(|found| is_part(found, &whole))
}

fn selected(path: &Path, wanted: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(":");
    name.push(wanted);
    name.into()
}

fn open(path: &Path) -> Option<Archive> {
    let [source] = expand_paths(&[path.to_owned()], FileFilter::All).try_into().expect("one path");
    let source: InputSource = source.expect("a file");
    match source.open(ARCHIVE_LIMITS, &quota()) {
        Ok(SourceContent::Archive { archive, unreadable, .. }) => {
            assert!(unreadable.is_empty(), "{unreadable:?}");
            Some(archive)
        }
        Ok(_) => None,
        Err(error) => {
            assert_eq!(error.name(), source.name());
            assert!(!error.to_string().is_empty());
            None
        }
    }
}

fn is_part(found: Archive, whole: &Archive) -> bool {
    let all: Vec<&Object> = whole.objects.iter().chain(&whole.nested).collect();
    assert!(!found.objects.is_empty() && found.objects.iter().all(|object| all.contains(&object)));
    assert!(found.meshes.iter().all(|(id, mesh)| whole.meshes.get(id) == Some(mesh)));
    let source = InputSource::from_path(Path::new("file"));
    let count = found.objects.len();
    assert_eq!(single_object(&source, found.objects).is_ok(), count == 1);
    true
}

/// A file of any kind: its first bytes decide the kind, all bytes are read from pieces of any size, also through one
/// gzip but not through two. Valid if readable.
///
/// # Panics
/// If a property does not hold.
#[must_use]
pub fn stream(bytes: &[u8]) -> bool {
    let kind = FileKind::detect(bytes);
    assert!(!kind.to_string().is_empty());
    assert_eq!(FileKind::detect(&bytes[..bytes.len().min(FileKind::SNIFF_BYTES)]), kind);
    let read = read_all(bytes);
    assert_eq!(read_all(InterruptedReader { rest: bytes, calls: 0 }), read);
    if kind != FileKind::Gzip {
        assert_eq!(read, Ok((kind, bytes.to_vec())));
    }
    match SniffedReader::new(&gzip(bytes)[..]) {
        Err(FileErrorKind::GzipInGzip) => assert_eq!(kind, FileKind::Gzip),
        Err(other) => panic!("{other}"),
        Ok(stream) => {
            assert_eq!(stream.kind(), kind);
            assert_eq!(stream.read_all(&quota()).expect("a complete stream"), bytes);
        }
    }
    read.is_ok()
}

fn read_all(input: impl Read) -> Result<(FileKind, Vec<u8>), String> {
    let stream = SniffedReader::new(input).map_err(|problem| problem.to_string())?;
    Ok((stream.kind(), stream.read_all(&quota()).map_err(|problem| problem.to_string())?))
}

/// Returns bytes in pieces of 7, and an interruption in every third call.
struct InterruptedReader<'b> {
    rest: &'b [u8],
    calls: u32,
}

impl Read for InterruptedReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(ErrorKind::Interrupted.into());
        }
        let len = buffer.len().min(7);
        self.rest.read(&mut buffer[..len])
    }
}
