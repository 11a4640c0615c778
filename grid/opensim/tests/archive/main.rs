//! Archives that are built in code and read.

mod archive_files;
mod hostile;
mod inventories;
mod objects;
mod parcels;
mod places;
mod prims;
mod unpacked;
mod whole;
mod words;

use std::io::Read;

use archive_files::{ArchiveFile, PartXml, region_object};
use lodger_allowance::{Allowance, Limits as Allowed};
use lodger_opensim::archive::{Archive, Error, Limits, Object, Objects, Part};

/// An allowance that is enough for anything.
fn plenty() -> Allowance {
    Allowance::new(Allowed::default())
}

/// Reads an archive within limits.
fn read(bytes: impl Read, limits: Limits) -> Result<Archive, Error> {
    lodger_opensim::archive::read(bytes, limits, &plenty())
}

/// Reads an archive within an allowance.
fn read_within(bytes: impl Read, allowed: Allowed) -> Result<Archive, Error> {
    lodger_opensim::archive::read(bytes, Limits::default(), &Allowance::new(allowed))
}

/// Reads the objects of an XML document.
#[track_caller]
fn read_objects(entry: &str, xml: &[u8], limits: Limits) -> Objects {
    lodger_opensim::archive::read_objects(entry, xml, limits, &plenty()).expect("it is enough")
}

/// Reads an archive that is one.
#[track_caller]
fn read_all(bytes: &[u8]) -> Archive {
    read(bytes, Limits::default()).expect("an archive")
}

/// Reads the objects of a region with one entry.
fn read_xml(xml: impl AsRef<[u8]>) -> (Vec<Object>, Vec<Error>) {
    let archive = read_all(&ArchiveFile::new().with("objects/it.xml", xml).tar());
    (archive.objects, archive.errors)
}

/// Reads one object of one part.
#[track_caller]
fn read_part(part: &PartXml) -> Part {
    let (mut objects, errors) = read_xml(region_object(part, &[]));
    sound(&errors);
    objects.pop().expect("an object").root
}

/// There is nothing wrong.
#[track_caller]
fn sound(errors: &[Error]) {
    assert!(errors.is_empty(), "{errors:?}");
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
