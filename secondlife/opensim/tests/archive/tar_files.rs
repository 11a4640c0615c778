//! Whole archives, as tar files and as single entries.

use std::io::{self, Read};

use lodger_opensim::archive::{
    Archive, ArchiveErrorKind, ArchiveKind, ArchiveLimits, ArchiveReader, ObjectLocation,
};
use lodger_quota::{Quota, QuotaExceeded, QuotaLimits};
use lodger_testkit::build::archive::{
    ArchiveFile, NIL_ID, PartXml, coalesced, cube, id, item, object_asset, region_object,
};

use super::{names, plenty, read, read_all, read_all_sound, with_errors};

fn small_region() -> ArchiveFile {
    let root = PartXml::mesh("table", &id(1)).scripts(1);
    ArchiveFile::new()
        .with("assets/", "")
        .with_mesh(&id(1), "mesh one")
        .with(&format!("assets/{}_texture.jp2", id(2)), vec![7; 2_000])
        .with(&format!("assets/{}_object.xml", id(3)), object_asset(&PartXml::cube("nested"), &[]))
        .with("terrains/home.r32", [0; 700])
        .with("objects/table_128-128-021__x.xml", region_object(&root, &[PartXml::cube("leg")]))
        .with_mesh(&id(4), "mesh four")
}

#[test]
fn a_region_has_its_objects_and_meshes() {
    for bytes in [small_region().tar(), small_region().gzip()] {
        let archive = read_all_sound(&bytes);
        assert_eq!(archive.kind, ArchiveKind::Region);
        assert_eq!(archive.entries, 8);
        assert_eq!(archive.objects.len(), 1);
        assert_eq!(*archive.objects[0].source, *"objects/table_128-128-021__x.xml");
        assert_eq!(archive.nested.len(), 1);
        let meshes: Vec<_> =
            archive.meshes.iter().map(|(id, bytes)| (id.to_string(), &bytes[..])).collect();
        assert_eq!(meshes, [(id(1), &b"mesh one"[..]), (id(4), &b"mesh four"[..])]);
    }
}

#[test]
fn an_inventory_has_the_objects_of_its_assets() {
    let cube = |name: &str| object_asset(&PartXml::cube(name), &[]);
    let bytes = ArchiveFile::new()
        .with("inventory/Objects__x/table__y.xml", "<InventoryItem />")
        .with(&format!("assets/{}_object.xml", id(1)), cube("one"))
        .with(&format!("assets/{}_object.xml", id(2)), coalesced(&[cube("two"), cube("three")]))
        .with_mesh(&id(3), "a mesh")
        .gzip();
    let archive = read_all_sound(&bytes);
    assert_eq!(archive.kind, ArchiveKind::Inventory);
    assert_eq!(names(&archive.objects), ["one", "two", "three"]);
    assert!(archive.nested.is_empty());
    assert_eq!(archive.meshes.len(), 1);
}

#[test]
fn each_of_several_regions_has_its_folder() {
    let at = |x: &str| region_object(&PartXml::cube("a").at(x, "0", "0"), &[]);
    let bytes = ArchiveFile::new()
        .with("regions/1_1_home/objects/a.xml", at("1"))
        .with("regions/2_1_away/objects/a.xml", at("2"))
        .with("./regions/2_1_away/objects/b.xml", at("3"))
        .with_mesh(&id(3), "a mesh")
        .tar();
    let archive = read_all_sound(&bytes);
    assert_eq!(archive.kind, ArchiveKind::Region);
    let found = archive.objects.iter().map(|object| match &object.location {
        ObjectLocation::Region { region, position } => (region.as_deref(), position[0]),
        place => panic!("{place:?}"),
    });
    let expected = [(Some("1_1_home"), 1.0), (Some("2_1_away"), 2.0), (Some("2_1_away"), 3.0)];
    assert!(found.eq(expected));
}

#[test]
fn a_long_path_precedes_its_entry() {
    let cube = cube("a");
    let path = format!("objects/{}_128-128-021__x.xml", "long ".repeat(40));
    let archive = read_all_sound(&ArchiveFile::new().with(&path, &cube).gzip());
    assert_eq!(*archive.objects[0].source, *path);

    let record = format!(" path={path}\n");
    let record = format!("{}{record}", record.len() + 3);
    let mut file = ArchiveFile::new();
    file.entry("PaxHeaders/a", record.as_bytes(), b'x');
    file.entry("objects/cut short", cube.as_bytes(), b'0');
    assert_eq!(*read_all(&file.tar()).objects[0].source, *path);
}

#[test]
fn archives_of_the_crate_tar_are_read() {
    let mut builder = tar::Builder::new(Vec::new());
    let xml = cube("a");
    let path = format!("./objects/{}.xml", "long".repeat(60));
    let mut header = tar::Header::new_gnu();
    header.set_size(xml.len() as u64);
    builder.append_data(&mut header, &path, xml.as_bytes()).expect("memory takes it");
    let archive = read_all_sound(&builder.into_inner().expect("memory takes it"));
    assert_eq!(*archive.objects[0].source, *path);
}

#[test]
fn a_repeated_mesh_counts_once() {
    let twice = small_region().with_mesh(&id(1), "mesh one");
    read_all_sound(&twice.clone().tar());
    let twice = twice.with_mesh(&id(1), "another").tar();
    let archive = with_errors(read(&twice[..], ArchiveLimits::default()), 1);
    assert!(archive.errors[0].to_string().contains("an earlier mesh has the same UUID"));
    assert_eq!(archive.meshes.len(), 2);
    let named = small_region().with("assets/x_mesh.llmesh", "a mesh").tar();
    assert!(read_all(&named).errors[0].to_string().contains("does not begin with a UUID"));
}

#[test]
fn ten_thousand_assets_are_read() {
    let mut file = ArchiveFile::new();
    let content = [0x5a; 3_000];
    for number in 0..10_000 {
        let part = PartXml::mesh("a part", &id(number)).scripts(1);
        let xml = region_object(&part, &[part.clone(), PartXml::cube("a box")]);
        file =
            file.with_mesh(&id(number), content).with(&format!("objects/a_{number:05}.xml"), xml);
    }
    let archive = read_all_sound(&file.gzip());
    assert_eq!((archive.meshes.len(), archive.objects.len()), (10_000, 10_000));
}

/// Returns one byte at a time, and is interrupted before each.
struct OneByteReader<'b>(&'b [u8], bool);

impl Read for OneByteReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.1 = !self.1;
        if self.1 {
            return Err(io::ErrorKind::Interrupted.into());
        }
        let one = buffer.len().min(1);
        self.0.read(&mut buffer[..one])
    }
}

#[test]
fn a_stream_may_come_byte_by_byte() {
    for bytes in [small_region().gzip(), small_region().tar()] {
        let archive = with_errors(read(OneByteReader(&bytes, false), ArchiveLimits::default()), 0);
        assert_eq!((archive.objects.len(), archive.meshes.len()), (1, 2));
    }
}

fn entries() -> Vec<(String, String)> {
    let cube = object_asset(&PartXml::cube("a"), &[]);
    vec![
        (format!("inventory/Objects__{}/a__{}.xml", id(1), id(2)), item("a", 6, &id(3), NIL_ID)),
        (format!("assets/{}_object.xml", id(3)), cube),
        (format!("assets/{}_mesh.llmesh", id(4)), "a mesh".to_owned()),
        ("archive.xml".to_owned(), "<archive />".to_owned()),
    ]
}

/// Reads an archive entry by entry.
fn read_entries(read: impl FnOnce(&mut ArchiveReader<'_>)) -> Archive {
    let plenty = plenty();
    let mut reader = ArchiveReader::new(ArchiveLimits::default(), &plenty);
    read(&mut reader);
    reader.finish().expect("it is little")
}

#[test]
fn single_entries_give_the_same_archive_in_any_order() {
    let mut entries = entries();
    let file =
        entries.iter().fold(ArchiveFile::default(), |file, (path, text)| file.with(path, text));
    let whole = read_all(&file.tar());
    for _ in 0..entries.len() {
        entries.rotate_left(1);
        let archive = read_entries(|reader| {
            for (path, text) in &entries {
                reader.entry(path, text.len() as u64, text.as_bytes()).expect("enough memory");
            }
        });
        let archive = with_errors(Ok(archive), 0);
        assert_eq!((archive.kind, archive.entries), (ArchiveKind::Inventory, 4));
        assert_eq!((&archive.objects, &archive.meshes), (&whole.objects, &whole.meshes));
    }
}

#[test]
fn no_entries_are_an_empty_inventory() {
    let empty = read_entries(|_| {});
    assert_eq!((empty.kind, empty.entries), (ArchiveKind::Inventory, 0));
    assert!(empty.objects.is_empty() && empty.errors.is_empty());
}

/// A reader that always fails.
struct FailingReader(io::ErrorKind);

impl Read for FailingReader {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        Err(self.0.into())
    }
}

#[test]
fn one_unreadable_entry_leaves_the_others() {
    let broken = || FailingReader(io::ErrorKind::Other);
    let archive = read_entries(|reader| {
        let asset = format!("assets/{}_object.xml", id(3));
        let error = reader.entry(&asset, 5, broken()).expect_err("broken");
        assert!(matches!(error.kind(), ArchiveErrorKind::Unreadable(_)) && !error.is_limit());
        assert_eq!(error.to_string(), format!("{asset}: it cannot be read: it is corrupt"));
        reader.record_error(error);
        let error = reader.entry("objects/a.xml", 50, &b"<SceneObject"[..]);
        let error = error.expect_err("it is short").to_string();
        assert_eq!(error, "objects/a.xml: it cannot be read: it is cut short");
        // An entry without a use is not read.
        reader.entry("notes.txt", 5, broken()).expect("it is not read");
        let good = cube("a");
        let longer = format!("{good} and what came later");
        reader.entry("objects/b.xml", good.len() as u64, longer.as_bytes()).expect("it is read");
    });
    assert_eq!(with_errors(Ok(archive), 1).objects.len(), 1);
}

#[test]
fn an_unreadable_asset_is_one_error() {
    let archive = read_entries(|reader| {
        for (path, text) in entries() {
            let read = if path.contains("_object") {
                reader.entry(&path, 5, FailingReader(io::ErrorKind::NotFound))
            } else {
                reader.entry(&path, text.len() as u64, text.as_bytes())
            };
            read.unwrap_or_else(|error| reader.record_error(error));
        }
    });
    assert_eq!(with_errors(Ok(archive), 1).objects.len(), 0);
}

#[test]
fn limits_end_the_reading() {
    let plenty = plenty();
    let mut reader =
        ArchiveReader::new(ArchiveLimits { entries: 1, ..ArchiveLimits::default() }, &plenty);
    reader.entry("a", 0, io::empty()).expect("one");
    assert!(reader.entry("b", 0, io::empty()).expect_err("two").is_limit());
    let little = Quota::new(QuotaLimits { memory: 40, ..QuotaLimits::default() });
    let mut reader = ArchiveReader::new(ArchiveLimits::default(), &little);
    let error = reader.entry("objects/a.xml", 100, io::repeat(b' ')).expect_err("too much");
    assert_eq!(error.quota_exceeded(), Some(QuotaExceeded::Memory { limit: 40 }));
    assert!(reader.finish().is_err());
}
