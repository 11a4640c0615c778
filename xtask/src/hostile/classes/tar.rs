//! Archives of the kind tar.

use super::over::over;
use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::make::mesh::{broken_with_name_of, good};
use crate::hostile::make::tar::{BLOCK, Entry, archive, damage, region, region_entries, sparse};
use crate::hostile::make::{Piece, gzip, gzip_of, object};
use crate::hostile::random::Random;
use crate::hostile::{damage as bytes, hard};

pub(super) const CLASS: Class = Class { name: "tar", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 14] = [
    Known::new("200 uses of a mesh with a broken name of 1 MiB", 200, broken_uses),
    Known::new("a path of 16 000 bytes over 20 000 objects", 20_000, long_path),
    Known::new("the parts of 3 000 objects under a path of 16 000 bytes", 3_000, reported_parts),
    Known::new("a sparse entry of 4 extents, then an object", 4, |n| with_sparse(n, "json")),
    Known::new("a sparse entry of 5 extents, then an object", 5, |n| with_sparse(n, "json")),
    Known::new("a sparse entry of 26 extents, then an object", 26, |n| with_sparse(n, "csv")),
    Known::new("a sparse entry of 60 extents, linted", 60, linted_sparse),
    Known::new("a long name of 64 MiB", 64 << 20, |n| long_name(n, b'L')),
    Known::new("a pax header of 64 MiB", 64 << 20, |n| long_name(n, b'x')),
    Known::new("a million entries of nothing", 1_000_000, entries),
    Known::new("an entry that says it is of 2⁶³ bytes", 1 << 63, sized),
    Known::new("5 000 broken objects", 5_000, broken_objects),
    Known::new("a mesh 1 000 times under one UUID", 1_000, duplicates),
    Known::new("names that ESC, U+061C and a new line are in", 1, |_| odd_names()),
];

fn region_of(entries: &[Entry]) -> Case {
    Case::of("cost").file("bad.oar", gzip(&archive(entries))).beside_good().format("json")
}

fn broken_uses(count: usize) -> Case {
    let mesh = broken_with_name_of(1 << 20);
    let objects: Vec<_> =
        (0..count).map(|i| object::showing(&format!("use {i}"), &object::id(2))).collect();
    let bytes = gzip(&region(&[(object::id(2), mesh)], &objects));
    Case::of("cost").file("bad.oar", bytes).beside_good().format("json")
}

fn long_path(objects: usize) -> Case {
    let path = format!("objects/{}.xml", hard::long(16_000));
    let objects: Vec<_> = (0..objects).map(|i| object::cube(&i.to_string())).collect();
    let mut entries = region_entries(&[], &[] as &[&str]);
    entries.push(Entry::file(path, object::scene(&objects)));
    region_of(&entries)
}

/// Each row of the report repeats the path of its object.
fn reported_parts(objects: usize) -> Case {
    long_path(objects).flag("--parts").option("--memory", "64").codes(&[1])
}

const AFTER: [&str; 2] = ["before it", "after it"];

fn sparse_entries(extents: usize) -> Vec<Entry> {
    let mut entries = region_entries(&[], &[object::cube(AFTER[0])]);
    entries.push(sparse("assets/sparse.bin", extents));
    entries.push(Entry::file("objects/after.xml", object::cube(AFTER[1])));
    entries
}

fn with_sparse(extents: usize, format: &str) -> Case {
    let mut case =
        Case::of("cost").file("bad.oar", archive(&sparse_entries(extents))).format(format);
    case.objects = &AFTER;
    case
}

fn linted_sparse(extents: usize) -> Case {
    let mut entries = sparse_entries(extents);
    entries.push(Entry::file(format!("assets/{}_mesh.llmesh", object::id(3)), good()));
    let mut case = Case::of("lint").file("bad.oar", archive(&entries)).format("json");
    case.objects = &["00000003-5b93"];
    case
}

fn long_name(bytes: usize, kind: u8) -> Case {
    let mut content = vec![b'n'; bytes];
    if kind == b'x' {
        let length = format!("{bytes} path=");
        content[..length.len()].copy_from_slice(length.as_bytes());
        content[bytes - 1] = b'\n';
    }
    let mut entries = region_entries(&[], &[object::cube("a cube")]);
    entries.insert(1, Entry::file("././@LongLink", content).kind(kind));
    region_of(&entries)
}

fn entries(count: usize) -> Case {
    let nothing = archive(&[Entry::file("nothing", "")])[..BLOCK].repeat(1000);
    let head = archive(&region_entries(&[], &[object::cube("a cube")]));
    let pieces =
        [Piece::Bytes(&head[..head.len() - 2 * BLOCK]), Piece::Repeated(nothing, count / 1000)];
    Case::of("cost").file("bad.oar", gzip_of(&pieces)).beside_good().format("json")
}

fn sized(size: usize) -> Case {
    let mut entries = region_entries(&[], &[object::cube("a cube"), object::cube("another")]);
    entries[1].size = Some(size as u64);
    Case::of("cost").file("bad.oar", archive(&entries)).beside_good().format("json")
}

fn broken_objects(count: usize) -> Case {
    let objects = vec!["<SceneObjectGroup><SceneObjectPart>"; count];
    Case::of("cost").file("bad.oar", gzip(&region(&[], &objects))).beside_good().format("json")
}

fn duplicates(count: usize) -> Case {
    let meshes = vec![(object::id(2), good()); count];
    let bytes = region(&meshes, &[object::showing("a mesh", &object::id(2))]);
    Case::of("cost").file("bad.oar", gzip(&bytes)).beside_good().format("json")
}

fn odd_names() -> Case {
    let name = "\u{61c}\u{202e}=1&#27;[31m&#10;FORGED";
    let mut entries = region_entries(&[], &[object::cube(name)]);
    entries.push(Entry::file("objects/a\nFORGED\u{1b}[31m\u{61c}.xml", "<no>"));
    Case::of("cost").file("bad.oar", archive(&entries)).flag("--all").format("table")
}

fn random(random: &mut Random) -> Case {
    let names: Vec<_> =
        (0..random.spread(12)).map(|_| object::escaped(&hard::text(random))).collect();
    let objects: Vec<_> =
        names.iter().map(|name| object::showing(name, &object::id(random.below(4)))).collect();
    let mut entries = region_entries(&[(object::id(1), good())], &objects);
    if random.one_in(2) {
        let parcel = object::parcel(5, "a parcel");
        entries.push(Entry::file(format!("landdata/{}.xml", object::id(5)), parcel));
    }
    for _ in 0..random.between(1, 3) {
        damage(random, &mut entries);
    }
    let mut bad = archive(&entries);
    if random.one_in(4) {
        bytes::bytes(random, &mut bad);
    }
    let bad = if random.one_in(3) { gzip(&bad) } else { bad };
    let mut case = over(random, "any archive", "bad.oar", bad);
    if random.one_in(4) {
        // Sums have no rows of files.
        case.good.clear();
        case = case.option("--by", random.pick(&["owner", "parcel"]));
    }
    case
}
