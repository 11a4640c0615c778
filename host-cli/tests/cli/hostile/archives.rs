//! Archives, compressed files, and the XML in them.

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{
    BLOCK, Entry, PartXml, cube, damage_entries, escaped_xml, id, land_data, region,
    region_entries, region_object, scene_xml, showing, sparse, tar_of,
};
use lodger_testkit::build::compressed::{Piece, gzip, gzip_of, run};
use lodger_testkit::build::mesh::{broken_with_name_of, good};
use lodger_testkit::build::{damage, scene};
use lodger_testkit::campaign::{Class, heavy, known, size};
use lodger_testkit::run::Case;

use super::{USUAL, cost, lint, over, schedule};

/// Archives of the kind tar.
pub(super) const TAR: Class = Class {
    name: "tar",
    memory: USUAL,
    known: &[
        known("200 uses of a mesh with a broken name of 1 MiB", || broken_uses(200)),
        known("a path of 16 000 bytes over 20 000 objects", || long_path(20_000)),
        known("the parts of 3 000 objects under a path of 16 000 bytes", || reported_parts(3_000)),
        known("a sparse entry of 4 extents, then an object", || with_sparse(4, "json")),
        known("a sparse entry of 5 extents, then an object", || with_sparse(5, "json")),
        known("a sparse entry of 26 extents, then an object", || with_sparse(26, "csv")),
        known("a sparse entry of 60 extents, linted", || linted_sparse(60)),
        known("a long name of 64 MiB", || long_name(64 << 20, b'L')),
        known("a pax header of 64 MiB", || long_name(64 << 20, b'x')),
        known("a million entries of nothing", || entries(size(1_000_000))),
        known("an entry that says it is of 2⁶³ bytes", || sized(1 << 63)),
        known("5 000 broken objects", || broken_objects(5_000)),
        known("a mesh 1 000 times under one UUID", || duplicates(1_000)),
        known("names that ESC, U+061C and a new line are in", odd_names),
    ],
    random: Some(random_tar),
};

fn region_of(entries: &[Entry]) -> Case {
    cost("bad.oar", gzip(&tar_of(entries))).beside_good().format("json")
}

fn broken_uses(count: usize) -> Case {
    let mesh = broken_with_name_of(1 << 20);
    let objects: Vec<_> = (0..count).map(|i| showing(&format!("use {i}"), &id(2))).collect();
    let bytes = gzip(&region(&[(id(2), mesh)], &objects));
    cost("bad.oar", bytes).beside_good().format("json")
}

fn long_path(objects: usize) -> Case {
    let path = format!("objects/{}.xml", damage::long(16_000));
    let objects: Vec<_> = (0..objects).map(|i| cube(&i.to_string())).collect();
    let mut entries = region_entries(&[], &[""; 0]);
    entries.push(Entry::file(path, scene_xml(&objects)));
    region_of(&entries)
}

/// Each row of the report repeats the path of its object.
fn reported_parts(objects: usize) -> Case {
    long_path(objects).args("--parts").args("--memory 64").codes(&[1])
}

const AFTER: [&str; 2] = ["before it", "after it"];

fn sparse_entries(extents: usize) -> Vec<Entry> {
    let mut entries = region_entries(&[], &[cube(AFTER[0])]);
    entries.push(sparse("assets/sparse.bin", extents));
    entries.push(Entry::file("objects/after.xml", cube(AFTER[1])));
    entries
}

fn with_sparse(extents: usize, format: &str) -> Case {
    let mut case = cost("bad.oar", tar_of(&sparse_entries(extents))).format(format);
    case.objects = &AFTER;
    case
}

fn linted_sparse(extents: usize) -> Case {
    let mut entries = sparse_entries(extents);
    entries.push(Entry::file(format!("assets/{}_mesh.llmesh", id(3)), good()));
    let mut case = lint("bad.oar", tar_of(&entries)).format("json");
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
    let mut entries = region_entries(&[], &[cube("a cube")]);
    entries.insert(1, Entry::file("././@LongLink", content).kind(kind));
    region_of(&entries)
}

fn entries(count: usize) -> Case {
    let nothing = tar_of(&[Entry::file("nothing", "")])[..BLOCK].repeat(1000);
    let head = tar_of(&region_entries(&[], &[cube("a cube")]));
    let pieces =
        [Piece::Bytes(&head[..head.len() - 2 * BLOCK]), Piece::Repeated(nothing, count / 1000)];
    cost("bad.oar", gzip_of(&pieces)).beside_good().format("json")
}

fn sized(size: usize) -> Case {
    let mut entries = region_entries(&[], &[cube("a cube"), cube("another")]);
    entries[1].size = Some(size as u64);
    cost("bad.oar", tar_of(&entries)).beside_good().format("json")
}

fn broken_objects(count: usize) -> Case {
    let objects = vec!["<SceneObjectGroup><SceneObjectPart>"; count];
    cost("bad.oar", gzip(&region(&[], &objects))).beside_good().format("json")
}

fn duplicates(count: usize) -> Case {
    let meshes = vec![(id(2), good()); count];
    let bytes = region(&meshes, &[showing("a mesh", &id(2))]);
    cost("bad.oar", gzip(&bytes)).beside_good().format("json")
}

fn odd_names() -> Case {
    let name = "\u{61c}\u{202e}=1&#27;[31m&#10;FORGED";
    let mut entries = region_entries(&[], &[cube(name)]);
    entries.push(Entry::file("objects/a\nFORGED\u{1b}[31m\u{61c}.xml", "<no>"));
    cost("bad.oar", tar_of(&entries)).args("--all").format("table")
}

fn random_tar(random: &mut SplitMix64) -> Case {
    let names: Vec<_> =
        (0..random.spread(12)).map(|_| escaped_xml(&damage::text_value(random))).collect();
    let objects: Vec<_> = names.iter().map(|name| showing(name, &id(random.index(4)))).collect();
    let mut entries = region_entries(&[(id(1), good())], &objects);
    if random.one_in(2) {
        let parcel = land_data(&id(5), "a parcel", &id(7), "AQAAAAAAAAA=");
        entries.push(Entry::file(format!("landdata/{}.xml", id(5)), parcel));
    }
    for _ in 0..random.between(1, 3) {
        damage_entries(random, &mut entries);
    }
    let mut bad = tar_of(&entries);
    if random.one_in(4) {
        damage::bytes(random, &mut bad);
    }
    let bad = if random.one_in(3) { gzip(&bad) } else { bad };
    let mut case = over(random, "bad.oar", bad);
    if random.one_in(4) {
        // Sums have no rows of files.
        case.good.clear();
        case = case.arg("--by").arg(random.pick(&["owner", "parcel"]));
    }
    case
}

/// Compressed files.
pub(super) const GZIP: Class = Class {
    name: "gzip",
    memory: USUAL,
    known: &[
        heavy("a bomb of 8 GiB", || bad("cost", gzip_of(&run(0, 8 << 30)))),
        known("a bomb of 200 MiB", || bad("cost", gzip_of(&run(0, 200 << 20)))),
        known("a bomb of 200 MiB, linted", || bad("lint", gzip_of(&run(0, 200 << 20)))),
        known("a bomb behind an archive", || behind(1 << 30)),
        known("gzip in gzip, 20 times", || nested(20)),
        known("100 000 members", || members(size(100_000))),
        known("a scene that is a bomb", || {
            schedule("bad.toml", gzip_of(&run(0, 1 << 30))).format("json")
        }),
        known("an archive in gzip on stdin", on_stdin),
    ],
    random: Some(random_gzip),
};

fn bad(command: &'static str, bytes: Vec<u8>) -> Case {
    Case::new(command).reads("bad.oar", bytes).beside_good().format("json")
}

fn good_archive() -> Vec<u8> {
    region(&[(id(1), good())], &[showing("a mesh", &id(1))])
}

fn behind(zeros: usize) -> Case {
    bad("cost", [gzip(&good_archive()), gzip_of(&run(0, zeros))].concat())
}

fn nested(times: usize) -> Case {
    bad("cost", (0..times).fold(good_archive(), |bytes, _| gzip(&bytes)))
}

fn members(count: usize) -> Case {
    let nothing = gzip(&[]).repeat(count);
    bad("cost", [nothing, gzip(&good_archive())].concat())
}

fn on_stdin() -> Case {
    Case::new("cost - --format json").bytes(gzip(&good_archive())).codes(&[0])
}

fn random_gzip(random: &mut SplitMix64) -> Case {
    let inner = match random.index(4) {
        0 => scene::of_actors(3).into_bytes(),
        1 => good(),
        _ => good_archive(),
    };
    let mut bytes = gzip(&inner);
    match random.index(5) {
        0 => bytes.truncate(random.index(bytes.len())),
        1 => bytes.extend(random.noise(30)),
        2 => bytes.extend(gzip(&inner)),
        3 => bytes = gzip(&bytes),
        _ => damage::bytes(random, &mut bytes),
    }
    let name = random.pick(&["bad.oar", "bad.llmesh.gz", "bad"]);
    over(random, name, bytes)
}

/// The XML of objects, items and parcels.
pub(super) const XML: Class = Class {
    name: "xml",
    memory: USUAL,
    known: &[
        known("an object named U+061C, in a table", || named("\u{61c}name", "table")),
        known("an object named with a new line, in a table", || named("a\nFORGED", "table")),
        known("an object named with bidi and C1, in a table", || {
            named("\u{202e}a\u{9b}31m\u{2066}b\u{85}FORGED", "table")
        }),
        known("an object named as a formula with =, in CSV", || named("=1+1", "csv")),
        known("an object named as a formula with @, in CSV", || named("@SUM(A1)", "csv")),
        known("an object named as a formula with +, in CSV", || named("+a1", "csv")),
        known("an object named as a formula with -, in CSV", || named("-a1", "csv")),
        known("a region folder that is a formula, in CSV", folder),
        known("100 000 levels", || depth(100_000)),
        known("entities that grow", || entities(30)),
        known("a name of 8 MiB", || named(&damage::long(8 << 20), "json")),
        known("an element's name of 8 MiB", || element(8 << 20)),
        known("20 000 parts in an object", || parts(20_000)),
        known("20 000 objects with a bad number", || numbers(20_000)),
        known("20 000 objects and one mesh", || uses(size(20_000))),
    ],
    random: Some(random_xml),
};

fn named(name: &str, format: &str) -> Case {
    let name = escaped_xml(name);
    let bytes = region(&[], &[cube(&name)]);
    cost("bad.oar", bytes).format(format)
}

fn folder() -> Case {
    let path = "regions/=1+1/objects/a.xml";
    let bytes = tar_of(&[Entry::file(path, cube("a cube"))]);
    cost("bad.oar", bytes).format("csv")
}

fn alone(xml: String) -> Case {
    cost("bad_object.xml", xml).beside_good().format("json")
}

fn depth(levels: usize) -> Case {
    let deep = format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
    let other = PartXml::cube("b").raw(&deep);
    alone(region_object(&PartXml::cube("a").raw(&deep), &[other]))
}

fn entities(levels: usize) -> Case {
    let entity = |level: usize| {
        let inner = format!("&a{};", level - 1).repeat(10);
        format!("<!ENTITY a{level} \"{inner}\">")
    };
    let types: Vec<_> = (1..levels).map(entity).collect();
    let types = format!("<!ENTITY a0 \"aaaaaaaaaa\">{}", types.concat());
    let name = format!("&a{};", levels.saturating_sub(1));
    alone(format!("<!DOCTYPE x [{types}]>{}", cube(&name)))
}

fn element(bytes: usize) -> Case {
    let name = damage::long(bytes);
    alone(region_object(&PartXml::cube("a").with(&name, ""), &[]))
}

fn parts(count: usize) -> Case {
    let part = PartXml::cube("a");
    let bytes = region(&[], &[region_object(&part, &vec![part.clone(); count])]);
    cost("bad.oar", bytes).beside_good().args("--parts").format("json")
}

fn numbers(count: usize) -> Case {
    let wrong = PartXml::cube("a").shape("ProfileCurve", "x").raw("<Scale><X>nan</X></Scale>");
    let objects = vec![region_object(&wrong, &[]); count];
    let entries = [Entry::file("objects/all.xml", scene_xml(&objects))];
    let bytes = tar_of(&entries);
    cost("bad.oar", bytes).beside_good().format("json")
}

fn uses(count: usize) -> Case {
    let objects = vec![showing("use", &id(1)); count];
    let mut entries = region_entries(&[(id(1), good())], &[""; 0]);
    entries.push(Entry::file("objects/all.xml", scene_xml(&objects)));
    let bytes = tar_of(&entries);
    cost("bad.oar", bytes).beside_good().format("csv")
}

fn random_xml(random: &mut SplitMix64) -> Case {
    let name = escaped_xml(&damage::text_value(random));
    let shape = damage::number(random);
    let root = PartXml::mesh(&name, &id(1)).with("PhysicsShapeType", &shape);
    let others = vec![PartXml::cube("other"); random.index(3)];
    let object = region_object(&root, &others);
    let object = if random.one_in(3) { scene_xml(&[object.clone(), object]) } else { object };
    let xml = if random.one_in(5) { object } else { damage::text(random, &object) };
    if random.one_in(3) {
        return over(random, "bad_object.xml", xml.into_bytes());
    }
    let bytes = region(&[(id(1), good())], &[xml, cube("a cube")]);
    over(random, "bad.oar", bytes)
}
