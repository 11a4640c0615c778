//! Objects that are chosen from a file by a string.

use std::fs;
use std::path::{Path, PathBuf};

use lodger_opensim::archive::{Archive, Object};
use lodger_opensim::files::{Content, Search, Source, find, only_object};

use super::limits::{OF_ARCHIVES, allowance};

/// So many objects of an archive are chosen one after the other.
const FEW: usize = 4;

/// A choice, a newline and a file on a disk: every object of it can be chosen by its name; what is chosen
/// is part of the file. It is valid if the choice finds something.
///
/// # Panics
/// If anything of this is not so.
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
    let found = open(&chosen(&path, wanted));
    let Some(whole) = open(&path) else {
        assert!(found.is_none(), "a choice from no archive");
        return false;
    };
    for object in whole.objects.iter().take(FEW) {
        let found = open(&chosen(&path, object.name())).expect("it is there");
        assert!(found.objects.contains(object), "`{}` is not found", object.name());
    }
    found.is_some_and(|found| is_part(found, &whole))
}

/// The file, and what is chosen from it.
fn chosen(path: &Path, wanted: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(":");
    name.push(wanted);
    name.into()
}

/// The archive that a path names.
fn open(path: &Path) -> Option<Archive> {
    let [source] = find(&[path.to_owned()], Search::Everything).try_into().expect("one path");
    let source: Source = source.expect("it is no folder");
    match source.open(OF_ARCHIVES, &allowance()) {
        Ok(Content::Archive { archive, unreadable, .. }) => {
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
    let all: Vec<&Object> = whole.objects.iter().chain(&whole.stowed).collect();
    assert!(!found.objects.is_empty() && found.objects.iter().all(|object| all.contains(&object)));
    assert!(found.meshes.iter().all(|(id, mesh)| whole.meshes.get(id) == Some(mesh)));
    let source = Source::named(Path::new("file"));
    let count = found.objects.len();
    assert_eq!(only_object(&source, found.objects).is_ok(), count == 1);
    true
}
