//! Untrusted models and output folders: soups, rings, cloth, foreign joints, damage.

use std::time::Duration;

use lodger_testkit::SplitMix64;
use lodger_testkit::build::damage;
use lodger_testkit::build::gltf::{damage_value, glb};
use lodger_testkit::campaign::{Class, heavy, known};
use lodger_testkit::run::{Case, InputKind};

use crate::models::{Drawing, cloth, fan, rings, skinned_tube, soup};

const PACK: Class = Class {
    name: "pack",
    memory: (256, 20),
    known: &[
        known("a soup of 300 triangles", || pack(soup(300), &[]).codes(PACKED)),
        heavy("a soup of 10 000 triangles", || within(30.0, pack(soup(10_000), &[]).codes(PACKED))),
        known("a soup and hardly any memory", || {
            pack(soup(20_000), &["--memory", "1"]).codes(REFUSED)
        }),
        known("a soup and hardly any work", || pack(soup(10_000), &["--work", "1"])),
        known("a report of a soup, of 1 000 million units", || {
            pack(soup(2_000), &["--report", "page.html", "--work", "1000"]).codes(REFUSED)
        }),
        heavy("a soup in parts", || {
            within(PARTS, pack(soup(300), &["--physics", "parts", "--shape", "prim"]))
        }),
        known("a disc of rings", || pack(rings(20, 50), &[]).codes(PACKED)),
        known("a disc that collides as triangles", || {
            pack(rings(20, 50), &["--physics", "mesh", "--shape", "prim"])
        }),
        known("a cloth in folds", || pack(cloth(32), &[]).codes(PACKED)),
        known("a joint that is no avatar's", || {
            pack(bones(&["mixamorig:Bone".to_owned()]), &[]).codes(REFUSED)
        }),
        known("a joint that is no avatar's, at rest", || {
            pack(bones(&["mixamorig:Bone".to_owned()]), &["--skin", "rest"]).codes(PACKED)
        }),
        known("50 000 joints that are no avatar's, at rest", || {
            let many: Vec<_> = (0..50_000).map(|joint| format!("mixamorig:Bone{joint}")).collect();
            pack(bones(&many), &["--skin", "rest"]).codes(PACKED)
        }),
        known("no triangle with an area", || pack(soup(0), &[]).codes(REFUSED)),
        known("a name with ESC, U+061C and a new line", || {
            let named = fan(8).named("\u{61c}\u{1b}[31m\nFORGED/../x");
            pack_file(named.glb(), &[]).codes(PACKED)
        }),
        known("an endless model", || Case { endless: true, ..filled("/dev/zero", &[]) }),
        known("a file outside behind a link", || linked("../mine", &[]).codes(REFUSED)),
        known("a file outside behind a link, by force", || {
            linked("../mine", &["--force"]).codes(PACKED)
        }),
        known("a link to nowhere, by force", || linked("../no", &["--force"]).codes(PACKED)),
        known("a link to a folder, by force", || linked("..", &["--force"]).codes(PACKED)),
        known("a link to the model, by force", || {
            linked("../bad.glb", &["--force"]).codes(REFUSED)
        }),
        known("a FIFO, by force", || {
            pack(fan(8), &["--force"]).input("out/it.glb", InputKind::Fifo).codes(REFUSED)
        }),
        known("a report onto the model", || report("bad.glb")),
        known("a report onto a level", || report("out/it_LOD1.glb")),
        known("a report onto the folder", || report("out")),
        known("a signal while it packs", || {
            pack(soup(5000), &[]).signal("INT", Duration::from_millis(300))
        }),
    ],
    random: Some(random_pack),
};

const PACKED: &[i32] = &[0, 1];
const REFUSED: &[i32] = &[2];
/// Seconds: a child that decomposes a shape may run for a minute.
const PARTS: f64 = 60.0;

fn pack(drawing: Drawing, words: &[&str]) -> Case {
    pack_file(drawing.named("it").glb(), words)
}

fn pack_file(file: Vec<u8>, words: &[&str]) -> Case {
    filled("bad.glb", words).file("bad.glb", file)
}

fn filled(model: &str, words: &[&str]) -> Case {
    Case::of_args([&[model, "--output", "out"], words].concat())
}

/// A tube that hangs on joints of these names in turns, on the first 256 at most.
fn bones(names: &[String]) -> Drawing {
    let mut tube = skinned_tube(4, 6);
    tube.joints = names.iter().map(|name| (name.clone(), [0.0, 0.1, 0.0])).collect();
    for (vertex, weights) in tube.meshes[0].primitives[0].weights.iter_mut().enumerate() {
        let joint = u8::try_from(vertex % names.len()).unwrap_or(0);
        *weights = ([joint, 0], [1.0, 0.0]);
    }
    tube
}

fn linked(target: &str, words: &[&str]) -> Case {
    pack(fan(8), words).file("mine", "mine").input("out/it.llmesh", InputKind::Link(target.into()))
}

fn within(seconds: f64, case: Case) -> Case {
    Case { seconds, ..case }
}

fn report(path: &'static str) -> Case {
    let case = pack(fan(8), &["--force", "--report", path]).codes(REFUSED);
    if path == "out" { case } else { case.protect(&["bad.glb", "out/it_LOD1.glb"]) }
}

fn random_pack(random: &mut SplitMix64) -> Case {
    let count = random.between(1, 200);
    let triangles = u32::try_from(count).expect("few");
    let drawing = match random.index(4) {
        0 => soup(triangles),
        1 => rings(3, triangles.div_ceil(6)),
        2 => cloth(triangles.isqrt()),
        _ => bones(&vec![random.pick(&["mPelvis", "hip", "Bone", "\u{1b}"]).to_owned(); count]),
    };
    let model = drawing.named("it").builder();
    let (mut json, mut bin) = (model.document(), model.bin);
    for _ in 0..random.index(3) {
        damage_value(random, &mut json);
    }
    if random.one_in(3) {
        damage::bytes(random, &mut bin);
    }
    let mut case = pack_file(glb(json.to_string(), &bin), &[]);
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
            case = case.arg(option).arg(value);
            case = if value == "parts" { within(PARTS, case) } else { case };
        }
    }
    for option in ["--land-impact", "--physics-cost", "--scale"] {
        if random.one_in(4) {
            let value = if random.one_in(2) { damage::number(random) } else { "3".to_owned() };
            let value = if option == "--scale" { format!("{value},1,2") } else { value };
            // `=` allows values that begin with a dash.
            case = case.arg(format!("{option}={value}"));
        }
    }
    if random.one_in(3) {
        let target = random.pick(&["../bad.glb", "../no", "..", "/dev/zero", "it.llmesh"]);
        let name = random.pick(&["out/it.llmesh", "out/it.glb", "out/it_PHYS.glb"]);
        case = case.input(name, InputKind::Link(target.into())).args("--force");
    }
    match random.index(4) {
        0 => case.args("--report look.html"),
        1 => case.arg("--report").arg(random.pick(&["bad.glb", "out/it.glb", "out", "no/a"])),
        _ => case.format(random.pick(&["table", "json"])),
    }
}

#[test]
fn bad_models_break_no_promise() {
    PACK.run(env!("CARGO_BIN_EXE_lodger-pack"));
}
