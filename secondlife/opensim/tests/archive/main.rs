//! Archives that are built in code and read.

mod inventories;
mod objects;
mod parcels;
mod prims;
mod tar_files;
mod untrusted;

use std::io::Read;

use lodger_opensim::archive::{
    Archive, ArchiveError, ArchiveLimits, Object, ObjectPart, ParsedObjects,
};
use lodger_quota::{Quota, QuotaLimits};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, region_object};

fn plenty() -> Quota {
    Quota::new(QuotaLimits::default())
}

fn read(bytes: impl Read, limits: ArchiveLimits) -> Result<Archive, ArchiveError> {
    lodger_opensim::archive::read(bytes, limits, &plenty())
}

fn read_within(bytes: impl Read, quota: QuotaLimits) -> Result<Archive, ArchiveError> {
    lodger_opensim::archive::read(bytes, ArchiveLimits::default(), &Quota::new(quota))
}

#[track_caller]
fn read_objects(entry: &str, xml: &[u8], limits: ArchiveLimits) -> ParsedObjects {
    lodger_opensim::archive::read_objects(entry, xml, limits, &plenty()).expect("it is enough")
}

#[track_caller]
fn read_all(bytes: &[u8]) -> Archive {
    read(bytes, ArchiveLimits::default()).expect("an archive")
}

#[track_caller]
fn read_all_sound(bytes: &[u8]) -> Archive {
    with_errors(read(bytes, ArchiveLimits::default()), 0)
}

#[track_caller]
fn with_errors(archive: Result<Archive, ArchiveError>, count: usize) -> Archive {
    let archive = archive.expect("an archive");
    assert_eq!(archive.errors.len(), count, "{:?}", archive.errors);
    archive
}

fn read_xml(xml: impl AsRef<[u8]>) -> (Vec<Object>, Vec<ArchiveError>) {
    let archive = read_all(&ArchiveFile::new().with("objects/it.xml", xml).tar());
    (archive.objects, archive.errors)
}

#[track_caller]
fn read_sound(xml: impl AsRef<[u8]>) -> Vec<Object> {
    let (objects, errors) = read_xml(xml);
    assert!(errors.is_empty(), "{errors:?}");
    objects
}

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
