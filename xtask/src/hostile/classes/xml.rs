//! The XML of objects, items and parcels.

use super::over::over;
use crate::hostile::case::Case;
use crate::hostile::class::{Class, Known};
use crate::hostile::make::mesh::good;
use crate::hostile::make::object;
use crate::hostile::make::tar::{Entry, archive, region, region_entries};
use crate::hostile::random::Random;
use crate::hostile::{damage, hard};

pub(super) const CLASS: Class = Class { name: "xml", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 15] = [
    Known::new("an object named U+061C, in a table", 1, |_| named("\u{61c}name", "table")),
    Known::new("an object named with a new line, in a table", 1, |_| named("a\nFORGED", "table")),
    Known::new("an object named with bidi and C1, in a table", 1, |_| {
        named("\u{202e}a\u{9b}31m\u{2066}b\u{85}FORGED", "table")
    }),
    Known::new("an object named as a formula with =, in CSV", 1, |_| named("=1+1", "csv")),
    Known::new("an object named as a formula with @, in CSV", 1, |_| named("@SUM(A1)", "csv")),
    Known::new("an object named as a formula with +, in CSV", 1, |_| named("+a1", "csv")),
    Known::new("an object named as a formula with -, in CSV", 1, |_| named("-a1", "csv")),
    Known::new("a region folder that is a formula, in CSV", 1, |_| folder()),
    Known::new("100 000 levels", 100_000, depth),
    Known::new("entities that grow", 30, entities),
    Known::new("a name of 8 MiB", 8 << 20, |n| named(&hard::long(n), "json")),
    Known::new("an element's name of 8 MiB", 8 << 20, element),
    Known::new("20 000 parts in an object", 20_000, parts),
    Known::new("20 000 objects with a bad number", 20_000, numbers),
    Known::new("20 000 objects and one mesh", 20_000, uses),
];

fn named(name: &str, format: &str) -> Case {
    let name = object::escaped(name);
    let bytes = region(&[], &[object::cube(&name)]);
    Case::of("cost").file("bad.oar", bytes).format(format)
}

fn folder() -> Case {
    let path = "regions/=1+1/objects/a.xml";
    let bytes = archive(&[Entry::file(path, object::cube("a cube"))]);
    Case::of("cost").file("bad.oar", bytes).format("csv")
}

fn alone(xml: String) -> Case {
    Case::of("cost").file("bad_object.xml", xml).beside_good().format("json")
}

fn depth(levels: usize) -> Case {
    let deep = format!("{}{}", "<a>".repeat(levels), "</a>".repeat(levels));
    alone(object::group(&object::part("a", object::BOX, &deep), &deep))
}

fn entities(levels: usize) -> Case {
    let entity = |level: usize| {
        let inner = format!("&a{};", level - 1).repeat(10);
        format!("<!ENTITY a{level} \"{inner}\">")
    };
    let types: Vec<_> = (1..levels).map(entity).collect();
    let types = format!("<!ENTITY a0 \"aaaaaaaaaa\">{}", types.concat());
    let name = format!("&a{};", levels.saturating_sub(1));
    alone(format!("<!DOCTYPE x [{types}]>{}", object::cube(&name)))
}

fn element(bytes: usize) -> Case {
    let name = hard::long(bytes);
    alone(object::group(&object::part("a", object::BOX, &format!("<{name}></{name}>")), ""))
}

fn parts(count: usize) -> Case {
    let part = object::part("a", object::BOX, "");
    let xml = object::group(&part, &part.repeat(count));
    let bytes = region(&[], &[xml]);
    Case::of("cost").file("bad.oar", bytes).beside_good().flag("--parts").format("json")
}

fn numbers(count: usize) -> Case {
    let wrong = object::part("a", "<ProfileCurve>x</ProfileCurve>", "<Scale><X>nan</X></Scale>");
    let objects = vec![object::group(&wrong, ""); count];
    let entries = [Entry::file("objects/all.xml", object::scene(&objects))];
    let bytes = archive(&entries);
    Case::of("cost").file("bad.oar", bytes).beside_good().format("json")
}

fn uses(count: usize) -> Case {
    let objects = vec![object::showing("use", &object::id(1)); count];
    let mut entries = region_entries(&[(object::id(1), good())], &[] as &[&str]);
    entries.push(Entry::file("objects/all.xml", object::scene(&objects)));
    let bytes = archive(&entries);
    Case::of("cost").file("bad.oar", bytes).beside_good().format("csv")
}

fn random(random: &mut Random) -> Case {
    let name = object::escaped(&hard::text(random));
    let rest = format!("<PhysicsShapeType>{}</PhysicsShapeType>", hard::number(random));
    let root = object::part(&name, &object::mesh_shape(&object::id(1)), &rest);
    let other = object::part("other", object::BOX, "").repeat(random.below(3));
    let object = object::group(&root, &other);
    let object = if random.one_in(3) { object::scene(&[object.clone(), object]) } else { object };
    let xml = if random.one_in(5) { object } else { damage::text(random, &object) };
    if random.one_in(3) {
        return over(random, "any XML", "bad_object.xml", xml.into_bytes());
    }
    let bytes = region(&[(object::id(1), good())], &[xml, object::cube("a cube")]);
    over(random, "any XML in an archive", "bad.oar", bytes)
}
