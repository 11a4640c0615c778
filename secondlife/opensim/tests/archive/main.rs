//! Archives that are built in code and read.

mod hostile;
mod inventories;
mod objects;
mod parcels;
mod prims;
mod whole;

use std::io::Read;

use lodger_opensim::archive::{
    Archive, ArchiveError, ArchiveLimits, Object, ObjectPart, ParsedObjects,
};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, region_object};

/// The default quota.
fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}

/// Reads an archive within limits.
fn read(bytes: impl Read, limits: ArchiveLimits) -> Result<Archive, ArchiveError> {
    lodger_opensim::archive::read(bytes, limits, &plenty())
}

/// Reads an archive within a quota.
fn read_within(bytes: impl Read, quota: QuotaLimits) -> Result<Archive, ArchiveError> {
    lodger_opensim::archive::read(bytes, ArchiveLimits::default(), &Quota::new(quota))
}

/// Reads the objects of an XML document.
#[track_caller]
fn read_objects(entry: &str, xml: &[u8], limits: ArchiveLimits) -> ParsedObjects {
    lodger_opensim::archive::read_objects(entry, xml, limits, &plenty()).expect("it is enough")
}

/// Reads a valid archive.
#[track_caller]
fn read_all(bytes: &[u8]) -> Archive {
    read(bytes, ArchiveLimits::default()).expect("an archive")
}

/// Reads an archive without errors.
#[track_caller]
fn read_all_sound(bytes: &[u8]) -> Archive {
    with_errors(read(bytes, ArchiveLimits::default()), 0)
}

/// Asserts that an archive has this number of errors.
#[track_caller]
fn with_errors(archive: Result<Archive, ArchiveError>, count: usize) -> Archive {
    let archive = archive.expect("an archive");
    assert_eq!(archive.errors.len(), count, "{:?}", archive.errors);
    archive
}

/// Reads the objects of a region with one entry.
fn read_xml(xml: impl AsRef<[u8]>) -> (Vec<Object>, Vec<ArchiveError>) {
    let archive = read_all(&ArchiveFile::new().with("objects/it.xml", xml).tar());
    (archive.objects, archive.errors)
}

/// Reads objects without errors.
#[track_caller]
fn read_sound(xml: impl AsRef<[u8]>) -> Vec<Object> {
    let (objects, errors) = read_xml(xml);
    assert!(errors.is_empty(), "{errors:?}");
    objects
}

/// Reads one object of one part.
#[track_caller]
fn read_part(part: &PartXml) -> ObjectPart {
    read_sound(region_object(part, &[])).pop().expect("an object").root
}

fn names(objects: &[Object]) -> Vec<&str> {
    objects.iter().map(Object::name).collect()
}

fn messages(errors: &[ArchiveError]) -> Vec<String> {
    errors.iter().map(ToString::to_string).collect()
}

/// Asserts that an entry has one error, whose message contains these texts.
#[track_caller]
fn fails_with(xml: impl AsRef<[u8]>, texts: &[&str]) {
    let (objects, errors) = read_xml(xml);
    assert_eq!(objects, []);
    assert_eq!(errors.len(), 1, "{errors:?}");
    let message = errors[0].to_string();
    for text in texts {
        assert!(message.contains(text), "no {text:?} in {message}");
    }
    assert!(message.len() < 1_000, "{message}");
}
