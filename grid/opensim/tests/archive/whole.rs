//! Whole archives.

use std::io::{self, Read};

use super::archive_files::{ArchiveFile, PartXml, coalesced, id, object_asset, region_object};
use super::{read, read_all, sound};
use lodger_opensim::archive::{ArchiveKind, Limits, Object};

fn small_region() -> ArchiveFile {
    let root = PartXml::mesh("table", &id(1)).scripts(1);
    ArchiveFile::new()
        .with("assets/", "")
        .with_mesh(&id(1), "mesh one")
        .with(&format!("assets/{}_texture.jp2", id(2)), vec![7; 2_000])
        .with(&format!("assets/{}_object.xml", id(3)), object_asset(&PartXml::cube("stowed"), &[]))
        .with("terrains/home.r32", [0; 700])
        .with("objects/table_128-128-021__x.xml", region_object(&root, &[PartXml::cube("leg")]))
        .with_mesh(&id(4), "mesh four")
}

#[test]
fn a_region_has_its_objects_and_meshes() {
    for bytes in [small_region().tar(), small_region().gzip()] {
        let archive = read_all(&bytes);
        assert_eq!(archive.kind, ArchiveKind::Region);
        sound(&archive.errors);
        assert_eq!(archive.entries, 8);
        assert_eq!(archive.objects.len(), 1);
        assert_eq!(*archive.objects[0].source, *"objects/table_128-128-021__x.xml");
        assert_eq!(archive.stowed.len(), 1);
        let meshes: Vec<_> =
            archive.meshes.iter().map(|(id, bytes)| (id.to_string(), &bytes[..])).collect();
        assert_eq!(meshes, [(id(1), &b"mesh one"[..]), (id(4), &b"mesh four"[..])]);
    }
}

#[test]
fn an_inventory_has_its_object_assets() {
    let cube = |name: &str| object_asset(&PartXml::cube(name), &[]);
    let bytes = ArchiveFile::new()
        .with("inventory/Objects__x/table__y.xml", "<InventoryItem />")
        .with(&format!("assets/{}_object.xml", id(1)), cube("one"))
        .with(&format!("assets/{}_object.xml", id(2)), coalesced(&[cube("two"), cube("three")]))
        .with_mesh(&id(3), "a mesh")
        .gzip();
    let archive = read_all(&bytes);
    assert_eq!(archive.kind, ArchiveKind::Inventory);
    sound(&archive.errors);
    let names: Vec<_> = archive.objects.iter().map(Object::name).collect();
    assert_eq!(names, ["one", "two", "three"]);
    assert!(archive.stowed.is_empty());
    assert_eq!(archive.meshes.len(), 1);
}

#[test]
fn regions_of_several_have_folders_of_their_own() {
    let cube = region_object(&PartXml::cube("a"), &[]);
    let bytes = ArchiveFile::new()
        .with("regions/1_1_home/objects/a.xml", &cube)
        .with("regions/1_2_away/objects/a.xml", &cube)
        .with_mesh(&id(3), "a mesh")
        .tar();
    let archive = read_all(&bytes);
    assert_eq!((archive.kind, archive.objects.len()), (ArchiveKind::Region, 2));
}

#[test]
fn long_paths_come_in_front_of_their_entry() {
    let cube = region_object(&PartXml::cube("a"), &[]);
    let path = format!("objects/{}_128-128-021__x.xml", "long ".repeat(40));
    let archive = read_all(&ArchiveFile::new().with(&path, &cube).gzip());
    sound(&archive.errors);
    assert_eq!(*archive.objects[0].source, *path);

    let record = format!(" path={path}\n");
    let record = format!("{}{record}", record.len() + 3);
    let mut file = ArchiveFile::new();
    file.entry("PaxHeaders/a", record.as_bytes(), b'x');
    file.entry("objects/cut short", cube.as_bytes(), b'0');
    assert_eq!(*read_all(&file.tar()).objects[0].source, *path);
}

#[test]
fn what_the_crate_writes_is_read() {
    let mut builder = tar::Builder::new(Vec::new());
    let xml = region_object(&PartXml::cube("a"), &[]);
    let path = format!("./objects/{}.xml", "long".repeat(60));
    let mut header = tar::Header::new_gnu();
    header.set_size(xml.len() as u64);
    builder.append_data(&mut header, &path, xml.as_bytes()).expect("memory takes it");
    let archive = read_all(&builder.into_inner().expect("memory takes it"));
    sound(&archive.errors);
    assert_eq!(*archive.objects[0].source, *path);
}

#[test]
fn a_mesh_that_comes_twice_counts_once() {
    let twice = small_region().with_mesh(&id(1), "mesh one");
    sound(&read_all(&twice.clone().tar()).errors);
    let archive = read_all(&twice.with_mesh(&id(1), "another").tar());
    assert_eq!(archive.errors.len(), 1);
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
    let archive = read_all(&file.gzip());
    assert_eq!((archive.meshes.len(), archive.objects.len()), (10_000, 10_000));
    sound(&archive.errors);
}

/// Gives one byte at a time, and is interrupted before each.
struct Trickle<'b>(&'b [u8], bool);

impl Read for Trickle<'_> {
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
fn a_stream_may_come_in_crumbs() {
    for bytes in [small_region().gzip(), small_region().tar()] {
        let archive = read(Trickle(&bytes, false), Limits::default()).expect("an archive");
        assert_eq!((archive.objects.len(), archive.meshes.len()), (1, 2));
        sound(&archive.errors);
    }
}
