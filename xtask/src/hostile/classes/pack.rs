//! Models that are packed: soups, rings, cloth, joints that are no avatar's, damage; places that are taken.

use std::time::Duration;

use crate::hostile::case::{Case, Signal};
use crate::hostile::class::{Class, Known};
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::gltf::{damage, glb};
use crate::hostile::make::solid::{Model, cloth, rings, skinned, soup};
use crate::hostile::random::Random;
use crate::hostile::{damage as bytes, hard};

pub(super) const CLASS: Class = Class { name: "pack", known: &KNOWN, random: Some(random) };

/// A model was packed, whatever lint says of it.
const PACKED: &[i32] = &[0, 1];
const REFUSED: &[i32] = &[2];
/// Seconds: a child that takes a shape apart may run for a minute.
const PARTS: f64 = 60.0;

const KNOWN: [Known; 25] = [
    Known::new("a soup of 300 triangles", 300, |n| pack(&soup(n), &[]).codes(PACKED)),
    Known::heavy("a soup of 10 000 triangles", 10_000, |n| {
        within(30.0, pack(&soup(n), &[]).codes(PACKED))
    }),
    Known::new("a soup and hardly any memory", 20_000, |n| {
        pack(&soup(n), &["--memory", "1"]).codes(REFUSED)
    }),
    Known::new("a soup and hardly any work", 10_000, |n| pack(&soup(n), &["--work", "1"])),
    Known::new("a report of a soup, of 1 000 million units", 2_000, |n| {
        pack(&soup(n), &["--report", "page.html", "--work", "1000"]).codes(REFUSED)
    }),
    Known::heavy("a soup in parts", 300, |n| {
        within(PARTS, pack(&soup(n), &["--physics", "parts", "--shape", "prim"]))
    }),
    Known::new("a disc of rings", 2000, |n| pack(&rings(n), &[]).codes(PACKED)),
    Known::new("a disc that collides as triangles", 2000, |n| {
        pack(&rings(n), &["--physics", "mesh", "--shape", "prim"])
    }),
    Known::new("a cloth in folds", 2000, |n| pack(&cloth(n), &[]).codes(PACKED)),
    Known::new("a joint that is no avatar's", 1, |n| pack(&bones(n), &[]).codes(REFUSED)),
    Known::new("a joint that is no avatar's, at rest", 1, |n| {
        pack(&bones(n), &["--skin", "rest"]).codes(PACKED)
    }),
    Known::new("50 000 joints that are no avatar's, at rest", 50_000, |n| {
        pack(&bones(n), &["--skin", "rest"]).codes(PACKED)
    }),
    Known::new("no triangle with an area", 0, |n| pack(&soup(n), &[]).codes(REFUSED)),
    Known::new("a name with ESC, U+061C and a new line", 1, |_| {
        let mut model = cloth(8);
        model.0["nodes"][0]["name"] = "\u{61c}\u{1b}[31m\nFORGED/../x".into();
        pack(&model, &[]).codes(PACKED)
    }),
    Known::new("an endless model", 1, |_| Case { endless: true, ..filled("/dev/zero", &[]) }),
    Known::new("a file outside behind a link", 1, |_| linked("../mine", &[]).codes(REFUSED)),
    Known::new("a file outside behind a link, by force", 1, |_| {
        linked("../mine", &["--force"]).codes(PACKED)
    }),
    Known::new("a link to nowhere, by force", 1, |_| linked("../no", &["--force"]).codes(PACKED)),
    Known::new("a link to a folder, by force", 1, |_| linked("..", &["--force"]).codes(PACKED)),
    Known::new("a link to the model, by force", 1, |_| {
        linked("../bad.glb", &["--force"]).codes(REFUSED)
    }),
    Known::new("a FIFO, by force", 1, |_| {
        pack(&cloth(8), &["--force"]).input("out/it.glb", Kind::Fifo).codes(REFUSED)
    }),
    Known::new("a report onto the model", 1, |_| report("bad.glb")),
    Known::new("a report onto a level", 1, |_| report("out/it_LOD1.glb")),
    Known::new("a report onto the folder", 1, |_| report("out")),
    Known::new("a signal while it packs", 5000, |n| {
        let signal = Some((Signal::Interrupt, Duration::from_millis(300)));
        Case { signal, ..pack(&soup(n), &[]) }
    }),
];

/// Packs a model into a folder.
fn pack((json, bin): &Model, words: &[&str]) -> Case {
    let file = glb(json.to_string().as_bytes(), bin, [None; 3]);
    filled("bad.glb", words).input("bad.glb", Kind::File(Content::of(file)))
}

/// Packs what is at a path into a folder.
fn filled(model: &str, words: &[&str]) -> Case {
    let mut case = Case::of("pack").path(model).option("--output", "out");
    case.outputs.push("out/".into());
    words.iter().fold(case, |case, word| case.flag(*word))
}

fn bones(count: usize) -> Model {
    skinned(&(0..count).map(|joint| format!("mixamorig:Bone{joint}")).collect::<Vec<_>>())
}

/// Packs into a folder that has a link where the asset is to be.
fn linked(target: &str, words: &[&str]) -> Case {
    pack(&cloth(8), words)
        .input("mine", Kind::File(Content::of("mine")))
        .input("out/it.llmesh", Kind::Link(target.into()))
}

/// A case that may take longer than others.
fn within(seconds: f64, case: Case) -> Case {
    Case { seconds, ..case }
}

fn report(path: &str) -> Case {
    pack(&cloth(8), &["--force", "--report", path]).codes(REFUSED)
}

fn random(random: &mut Random) -> Case {
    let count = random.between(1, 200);
    let mut model = match random.below(4) {
        0 => soup(count),
        1 => rings(count),
        2 => cloth(count),
        _ => skinned(&vec![(random.pick(&["mPelvis", "hip", "Bone", "\u{1b}"])).to_owned(); count]),
    };
    for _ in 0..random.below(3) {
        damage(random, &mut model.0);
    }
    if random.one_in(3) {
        bytes::bytes(random, &mut model.1);
    }
    let mut case = pack(&model, &[]);
    "any model".clone_into(&mut case.name);
    let options: [(&str, &[&str]); 7] = [
        ("--skin", &["keep", "rest"]),
        ("--physics", &["none", "box", "hull", "parts", "mesh", "bad.glb"]),
        ("--shape", &["prim", "convex-hull", "none"]),
        ("--lods", &["auto", "50%,25%,10%", "9,3,1"]),
        ("--rules", &["viewer", "grid", "wiki"]),
        ("--memory", &["1", "64"]),
        ("--work", &["1", "100"]),
    ];
    for (option, values) in options {
        if random.one_in(3) {
            let value = random.pick(values);
            case = case.option(option, value);
            case = if value == "parts" { within(PARTS, case) } else { case };
        }
    }
    for option in ["--land-impact", "--physics-cost", "--scale"] {
        if random.one_in(4) {
            let value = if random.one_in(2) { hard::number(random) } else { "3".to_owned() };
            let value = if option == "--scale" { format!("{value},1,2") } else { value };
            // A path that begins with a dash is no option.
            case = case.flag(format!("{option}={value}"));
        }
    }
    if random.one_in(3) {
        let target = random.pick(&["../bad.glb", "../no", "..", "/dev/zero", "it.llmesh"]);
        let name = random.pick(&["out/it.llmesh", "out/it.glb", "out/it_PHYS.glb"]);
        case = case.input(name, Kind::Link(target.into())).flag("--force");
    }
    match random.below(4) {
        0 => case.output("--report", "look.html"),
        1 => case.option("--report", random.pick(&["bad.glb", "out/it.glb", "out", "no/a"])),
        _ => case.format(random.pick(&["table", "json"])),
    }
}
