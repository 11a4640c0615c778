//! Entries that do not come from a tar file.

use std::io::{self, Read};

use super::archive_files::{ArchiveFile, NOBODY, PartXml, id, item, object_asset, region_object};
use super::{plenty, read_all, sound};
use lodger_allowance::{Allowance, Limits as Allowed, Spent};
use lodger_opensim::archive::{Archive, ArchiveKind, Limits, Problem, Reading};

fn entries() -> Vec<(String, String)> {
    let cube = |name: &str| object_asset(&PartXml::cube(name), &[]);
    vec![
        (format!("inventory/Objects__{}/a__{}.xml", id(1), id(2)), item("a", 6, &id(3), NOBODY)),
        (format!("assets/{}_object.xml", id(3)), cube("a")),
        (format!("assets/{}_mesh.llmesh", id(4)), "a mesh".to_owned()),
        ("archive.xml".to_owned(), "<archive />".to_owned()),
    ]
}

fn gathered(entries: &[(String, String)]) -> Archive {
    let plenty = plenty();
    let mut reading = Reading::new(Limits::default(), &plenty);
    for (path, text) in entries {
        reading.entry(path, text.len() as u64, text.as_bytes()).expect("room for it");
    }
    reading.finish().expect("it is little")
}

#[test]
fn a_folder_gives_what_its_archive_gives() {
    let mut entries = entries();
    let file =
        entries.iter().fold(ArchiveFile::default(), |file, (path, text)| file.with(path, text));
    let whole = read_all(&file.tar());
    for _ in 0..entries.len() {
        entries.rotate_left(1);
        let found = gathered(&entries);
        sound(&found.errors);
        assert_eq!((found.kind, found.entries), (ArchiveKind::Inventory, 4));
        assert_eq!((&found.objects, &found.meshes), (&whole.objects, &whole.meshes));
    }
}

#[test]
fn nothing_is_an_empty_inventory() {
    let empty = Reading::new(Limits::default(), &plenty()).finish().expect("it is little");
    assert_eq!((empty.kind, empty.entries), (ArchiveKind::Inventory, 0));
    assert!(empty.objects.is_empty() && empty.errors.is_empty());
}

/// A file that cannot be read, and one that is no longer as long as it was.
struct Broken(io::ErrorKind);

impl Read for Broken {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
}

#[test]
fn one_entry_that_cannot_be_read_leaves_the_others() {
    let plenty = plenty();
    let mut reading = Reading::new(Limits::default(), &plenty);
    let asset = format!("assets/{}_object.xml", id(3));
    let error = reading.entry(&asset, 5, Broken(io::ErrorKind::Other)).expect_err("broken");
    assert!(matches!(error.problem(), Problem::Unreadable(_)) && !error.is_limit());
    assert_eq!(error.to_string(), format!("{asset}: it cannot be read: it is corrupt"));
    reading.fault(error);
    let error = reading.entry("objects/a.xml", 50, &b"<SceneObject"[..]).expect_err("it is short");
    assert_eq!(error.to_string(), "objects/a.xml: it cannot be read: it is cut short");
    // What is of no use is not read.
    reading.entry("notes.txt", 5, Broken(io::ErrorKind::Other)).expect("nobody reads it");
    let good = region_object(&PartXml::cube("a"), &[]);
    let longer = format!("{good} and what came later");
    reading.entry("objects/b.xml", good.len() as u64, longer.as_bytes()).expect("it is read");
    let archive = reading.finish().expect("it is little");
    assert_eq!((archive.objects.len(), archive.errors.len()), (1, 1), "{:?}", archive.errors);
}

#[test]
fn an_item_whose_asset_cannot_be_read_is_not_told_twice() {
    let plenty = plenty();
    let mut reading = Reading::new(Limits::default(), &plenty);
    for (path, text) in entries() {
        let read = if path.contains("_object") {
            reading.entry(&path, 5, Broken(io::ErrorKind::NotFound))
        } else {
            reading.entry(&path, text.len() as u64, text.as_bytes())
        };
        if let Err(error) = read {
            reading.fault(error);
        }
    }
    let archive = reading.finish().expect("it is little");
    assert_eq!((archive.objects.len(), archive.errors.len()), (0, 1), "{:?}", archive.errors);
}

#[test]
fn limits_end_the_reading() {
    let plenty = plenty();
    let mut reading = Reading::new(Limits { entries: 1, ..Limits::default() }, &plenty);
    reading.entry("a", 0, io::empty()).expect("one");
    assert!(reading.entry("b", 0, io::empty()).expect_err("two").is_limit());
    let little = Allowance::new(Allowed { memory: 40, ..Allowed::default() });
    let mut reading = Reading::new(Limits::default(), &little);
    let error = reading.entry("objects/a.xml", 100, io::repeat(b' ')).expect_err("too much");
    assert_eq!(error.spent(), Some(Spent::Memory { limit: 40 }));
    assert!(reading.finish().is_err());
}
