//! Archives that are built in code and read.

#[path = "../../../tests/cli/archive_files.rs"]
mod archive_files;

mod hostile;
mod objects;
mod whole;

use super::{Archive, ArchiveError, Limits, Object, read};
use archive_files::{ArchiveFile, PartXml, region_object};

/// Reads an archive that is one.
#[track_caller]
fn read_all(bytes: &[u8]) -> Archive {
    read(bytes, Limits::default()).expect("an archive")
}

/// Reads the objects of a region with one entry.
fn read_xml(xml: impl AsRef<[u8]>) -> (Vec<Object>, Vec<ArchiveError>) {
    let archive = read_all(&ArchiveFile::new().with("objects/it.xml", xml).tar());
    (archive.objects, archive.errors)
}

/// Reads one object of one part.
#[track_caller]
fn read_part(part: &PartXml) -> super::Part {
    let (mut objects, errors) = read_xml(region_object(part, &[]));
    assert_eq!(errors, []);
    objects.pop().expect("an object").root
}

/// The one error of an entry.
#[track_caller]
fn refused(xml: impl AsRef<[u8]>, parts: &[&str]) {
    let (objects, errors) = read_xml(xml);
    assert_eq!(objects, []);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let said = errors[0].to_string();
    for part in parts {
        assert!(said.contains(part), "no {part:?} in {said}");
    }
    assert!(said.len() < 1_000, "{said}");
}
