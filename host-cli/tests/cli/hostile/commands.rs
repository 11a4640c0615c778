//! Options, linksets and simulations.

use lodger_testkit::SplitMix64;
use lodger_testkit::build::archive::{
    Entry, PartXml, cube, id, region, region_object, scene_xml, showing, tar_of,
};
use lodger_testkit::build::{damage, gltf, mesh, scene};
use lodger_testkit::campaign::{Class, heavy, known, size};
use lodger_testkit::run::{Case, InputKind};

use super::{USUAL, cost, good_mesh, schedule};

/// Options: numbers at every end, long texts, contradictions, and outputs where they do harm.
pub(super) const OPTIONS: Class = Class {
    name: "options",
    memory: USUAL,
    known: &[
        known("--sweep 5e-324..1e-300 --plot", || sweep("5e-324..1e-300").args("--plot out.svg")),
        known("--sweep 5e-324..1e-300", || sweep("5e-324..1e-300")),
        known("--sweep 1e-300..1e300 --plot", || sweep("1e-300..1e300").args("--plot out.svg")),
        known("--sweep 1..1e308 --plot", || sweep("1..1e308").args("--plot out.svg")),
        known("--sweep 1..1.0000000000000002 --plot", || {
            sweep("1..1.0000000000000002").args("--plot out.svg")
        }),
        known("--scale of 5e-324", || {
            good_mesh().args("--scale 5e-324,5e-324,5e-324").format("json")
        }),
        known("--scale of 1e308, swept", || sweep("0.1..64").args("--scale 1e308,1e-308,1")),
        known("--target of 18446744073709551615", || {
            good_mesh().args("--target 18446744073709551615")
        }),
        known("--scripts of 18446744073709551615", || {
            good_mesh().args("--scripts 18446744073709551615").format("json")
        }),
        known("--lod-bytes at the end", || {
            Case::new(
                "cost --lod-bytes 4294967295,4294967295,4294967295,4294967295 --sweep 0.1..64",
            )
        }),
        known("--output onto an input", || good_mesh().format("json").args("--output good.llmesh")),
        known("--plot onto an input", || sweep("0.1..64").args("--plot good.llmesh")),
        known("--output onto an input through a link", || {
            good_mesh()
                .input("link", InputKind::Link("good.llmesh".into()))
                .format("json")
                .args("--output link")
        }),
        known("--output onto an input through a hard link", || {
            good_mesh()
                .input("name", InputKind::HardLink("good.llmesh".into()))
                .format("json")
                .args("--output name")
        }),
        known("--plot onto an input through a path with ..", || {
            sweep("0.1..64").input("folder", InputKind::Folder).args("--plot folder/../good.llmesh")
        }),
        known("--output onto the scene", || {
            schedule("scene.toml", scene::of_actors(2)).args("--output scene.toml")
        }),
        known("--output onto the buffer of the scene", buffer),
        known("--output onto the linkset", || {
            Case::new("linkset").reads("a.toml", scene::linkset(2, 3)).args("--output a.toml")
        }),
        known("two outputs to one file", || {
            sweep("0.1..64").args("--output out --plot out").protect(&["out"]).codes(&[2])
        }),
        known("two outputs to one file by two paths", || {
            sweep("0.1..64")
                .args("--output out --plot ./out")
                .protect(&["out", "./out"])
                .codes(&[2])
        }),
        known("a missing file, priced", || Case::new("cost missing").codes(&[2])),
        known("a missing file, linted", || Case::new("lint missing").codes(&[2])),
        known("an object name of 100 KiB that is missing", || {
            let name = damage::long(100 << 10);
            let archive = region(&[], &[cube("a cube")]);
            Case::new("cost").file("a.oar", archive).arg(format!("a.oar:{name}"))
        }),
        known("lint of -", || Case::new("lint - --format json").bytes(mesh::good()).codes(&[0])),
    ],
    random: Some(random_options),
};

fn sweep(range: &str) -> Case {
    good_mesh().arg("--sweep").arg(range)
}

fn buffer() -> Case {
    let mut model = gltf::model();
    model["buffers"][0]["uri"] = "bad.bin".into();
    schedule("model.gltf", model.to_string())
        .input("bad.bin", InputKind::file(gltf::buffer()))
        .format("json")
        .args("--output bad.bin")
        .protect(&["bad.bin"])
}

/// Options with values, by command.
const OF_COST: [&str; 12] = [
    "--scale",
    "--sweep",
    "--target",
    "--scripts",
    "--lod-bytes",
    "--rules",
    "--shape",
    "--by",
    "--format",
    "--output",
    "--plot",
    "--memory",
];
const OF_SCHEDULE: [&str; 8] = [
    "--budget-ms",
    "--eye",
    "--leftovers",
    "--unit-cost-ns",
    "--benefit-value",
    "--scene",
    "--format",
    "--memory",
];

/// A text without what a terminal obeys: it is the user's own, and shown as it is.
fn text(random: &mut SplitMix64) -> String {
    damage::text_value(random).chars().filter(|c| c.is_ascii() && !c.is_control()).collect()
}

fn value(random: &mut SplitMix64, option: &str) -> String {
    let number = |random: &mut SplitMix64| damage::number(random);
    let right = random.one_in(2);
    match option {
        "--scale" | "--eye" => format!("{},{},{}", number(random), number(random), number(random)),
        "--sweep" => format!("{}..{}", number(random), number(random)),
        "--lod-bytes" => (0..4).map(|_| number(random)).collect::<Vec<_>>().join(","),
        "--format" if right => (random.pick(&["table", "json", "csv"])).to_owned(),
        "--shape" if right => (random.pick(&["prim", "none", "convex-hull"])).to_owned(),
        "--by" if right => (random.pick(&["owner", "parcel"])).to_owned(),
        "--rules" if right => (random.pick(&["wiki", "viewer", "grid"])).to_owned(),
        "--leftovers" if right => (random.pick(&["keep", "whole-budget"])).to_owned(),
        "--output" => (random.pick(&["out", "out/out", "no/out", "/dev/null", ""])).to_owned(),
        "--plot" => (random.pick(&["out.svg", "out", "."])).to_owned(),
        _ if random.one_in(6) => text(random),
        _ => number(random),
    }
}

fn random_options(random: &mut SplitMix64) -> Case {
    let is_plan = random.one_in(3);
    let mut case = if is_plan {
        schedule("scene.toml", scene::of_actors(3))
    } else if random.one_in(4) {
        let objects = [cube("a cube"), showing("a mesh", &id(1))];
        cost("a.oar", region(&[(id(1), mesh::good())], &objects))
    } else {
        good_mesh()
    };
    let options: &[&str] = if is_plan { &OF_SCHEDULE } else { &OF_COST };
    for _ in 0..random.between(1, 4) {
        let option = random.pick(options);
        let value = value(random, option);
        case = if random.one_in(5) {
            case.arg(format!("{option}={value}"))
        } else {
            case.arg(option).arg(value)
        };
    }
    match random.index(8) {
        0 => case = case.args("--parts"),
        1 => case = case.args("--physical"),
        2 => case = case.arg(text(random)),
        3 => case = case.arg("-").arg("-"),
        _ => {}
    }
    case
}

/// What is to be linked: by both rules, of files and of archives.
pub(super) const LINKSETS: Class = Class {
    name: "linksets",
    memory: USUAL,
    known: &[
        known("span misses of 1 000 objects with names of 400 bytes", || {
            span(1000, 400).args("--rule span")
        }),
        known("span misses of 1 000 objects with short names", || {
            span(1000, 4).args("--rule span").format("json")
        }),
        heavy("span misses of 10 000 objects", || span(10_000, 5).args("--rule span")),
        known("the sphere of 10 000 objects", || span(10_000, 5).format("json")),
        known("an object of 5 000 parts out of an archive, by span", || {
            parts(5000).args("--rule span")
        }),
        known("a name of 1 MiB", || span(2, 1 << 20).args("--rule span")),
        known("50 000 objects of one name", || chosen(size(50_000))),
        known("a name with a new line and U+061C", odd),
        known("a missing object of a name of 100 KiB", || missing(100 << 10)),
    ],
    random: Some(random_linksets),
};

fn span(objects: usize, name_bytes: usize) -> Case {
    let text = scene::linkset(objects, name_bytes);
    Case::new("linkset").reads("bad.toml", text)
}

fn parts(count: usize) -> Case {
    let part = |i: usize| {
        let offset = format!("<X>{}</X><Y>0</Y><Z>0</Z>", i * 100);
        PartXml::cube(&format!("part {i}")).with("OffsetPosition", &offset)
    };
    let others: Vec<_> = (1..count).map(part).collect();
    let archive = region(&[], &[region_object(&part(0), &others)]);
    Case::new("linkset").arg("bad.oar:part 0").file("bad.oar", archive)
}

fn chosen(count: usize) -> Case {
    let objects = vec![cube("a cube"); count];
    let entries = [Entry::file("objects/all.xml", scene_xml(&objects))];
    let case = Case::new("linkset --rule span").arg("bad.oar:a cube");
    case.file("bad.oar", tar_of(&entries))
}

fn odd() -> Case {
    let text = scene::linkset(2, 1)
        .replace("\"0\"", "\"a\\nFORGED\\u061c\"")
        .replace("\"1\"", "\"\\u001b[31m\\u202e\"");
    Case::new("linkset").reads("bad.toml", text).args("--rule span")
}

fn missing(bytes: usize) -> Case {
    let name = damage::long(bytes);
    let archive = region(&[], &[cube("a cube")]);
    Case::new("linkset").arg(format!("bad.oar:{name}")).file("bad.oar", archive)
}

fn random_linksets(random: &mut SplitMix64) -> Case {
    let objects = random.spread(60);
    let text = scene::linkset(objects, random.spread(200));
    let text = text.replacen("[0, 0.0, 0.0]", &format!("[{}, 0, 0]", damage::number(random)), 1);
    let text = if random.one_in(2) { damage::text(random, &text) } else { text };
    let mut case = Case::new("linkset");
    case.threads = random.one_in(10);
    case.reads("bad.toml", text)
        .arg("--rule")
        .arg(random.pick(&["sphere", "span"]))
        .format(random.pick(&["table", "json"]))
}

/// Simulations: scenes of many modules, camera paths, and outputs that are written as one.
pub(super) const SIMULATE: Class = Class {
    name: "simulate",
    memory: USUAL,
    known: &[
        known("20 000 modules for 600 frames, of 30 million units", || {
            modules(20_000, "600").args("--work 30").codes(&[2])
        }),
        known("60 000 modules for 100 000 frames", || modules(60_000, "100000").codes(&[2])),
        known("a page of 2 000 modules and 100 000 frames", || {
            modules(2_000, "100000").args("--report page.html").protect(&["page.html"]).codes(&[2])
        }),
        known("1 000 seeds of 100 000 frames", || {
            Case::new("simulate --seeds 1000 --frames 100000").codes(&[2])
        }),
        known("local search in 100 000 frames", || {
            Case::new("simulate --policy optimal --stability off --frames 100000").codes(&[2])
        }),
        known("20 000 modules, compared", || modules(20_000, "61").args("--compare").codes(&[0])),
        known("one ladder of 256 levels among 4 000 of two, compared", || one_long_ladder(4_000)),
        known("a speed of 1e308", || along("speed = 1e308", "0").codes(&[2])),
        known("a speed of 3e38 from end to end", || along("speed = 3e38", "3e38").codes(&[0])),
        known("a page beside a result that has no folder", || {
            let case = Case::new("simulate --frames 61 --report page.html --output gone/out");
            case.protect(&["page.html"]).codes(&[2])
        }),
        known("a page beside a result to /dev/full", || {
            let case = Case::new("simulate --frames 61 --report page.html --output /dev/full");
            case.protect(&["page.html"]).codes(&[2])
        }),
    ],
    random: Some(random_simulate),
};

/// Modules without actors, and the number of frames.
fn modules(count: usize, frames: &str) -> Case {
    let module = |number: usize| {
        format!("[[module]]\nname = \"{number}\"\nunit_cost_ms = 0.001\nbenefit_value = 1\n")
    };
    let modules: String = (0..count).map(module).collect();
    let case = Case::new("simulate").reads("bad.toml", format!("budget_ms = 8.0\n{modules}"));
    case.arg("--frames").arg(frames).format("json")
}

fn one_long_ladder(count: usize) -> Case {
    let work: Vec<_> = (0..256).map(|level| level.to_string()).collect();
    let long = scene::actor("\"long\"").replace("[0, 200, 600]", &format!("[{}]", work.join(", ")));
    let text = scene::of_actors(count).replace("[0, 200, 600]", "[0, 1]") + &long;
    let case = Case::new("simulate").reads("bad.toml", text).args("--budget-ms 1000");
    case.args("--frames 61 --compare").format("json").codes(&[0])
}

/// A camera between two points so far from each other.
fn along(speed: &str, metres: &str) -> Case {
    let way =
        format!("{speed}\n[[waypoint]]\neye = [{metres}, 1, 9]\n[[waypoint]]\neye = [0, 1, -9]\n");
    Case::new("simulate --path way.toml --frames 200").file("way.toml", way)
}

fn random_simulate(random: &mut SplitMix64) -> Case {
    let scene = scene::of_actors(random.spread(30));
    let text = damage::text(random, &scene);
    let mut case = Case::new("simulate").reads("bad.toml", text).args("--frames 61");
    for option in ["--noise", "--spike", "--wrong", "--seed", "--seeds", "--budget-ms"] {
        if random.one_in(6) {
            case = case.arg(option).arg(damage::number(random));
        }
    }
    if random.one_in(3) {
        case = case.args("--compare");
    }
    let outputs = [("--report", "page.html"), ("--plot", "ways.svg"), ("--record", "log")];
    if random.one_in(3) {
        return case.format("json").args("--output out");
    }
    for (option, path) in outputs {
        if random.one_in(4) {
            case = case.arg(option).arg(path);
        }
    }
    case.arg("--path").arg(random.pick(&["orbit", "line", "still", "bad.toml"]))
}
