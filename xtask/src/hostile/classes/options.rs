//! Options: numbers at every end, long texts, contradictions, and outputs where they do harm.

use crate::hostile::case::{Case, Stdin};
use crate::hostile::class::{Class, Known};
use crate::hostile::hard;
use crate::hostile::input::{Content, Kind};
use crate::hostile::make::{mesh, object, scene, tar};
use crate::hostile::random::Random;

pub(super) const CLASS: Class = Class { name: "options", known: &KNOWN, random: Some(random) };

const KNOWN: [Known; 24] = [
    Known::new("--sweep 5e-324..1e-300 --plot", 1, |_| {
        sweep("5e-324..1e-300").output("--plot", "out.svg")
    }),
    Known::new("--sweep 5e-324..1e-300", 1, |_| sweep("5e-324..1e-300")),
    Known::new("--sweep 1e-300..1e300 --plot", 1, |_| {
        sweep("1e-300..1e300").output("--plot", "out.svg")
    }),
    Known::new("--sweep 1..1e308 --plot", 1, |_| sweep("1..1e308").output("--plot", "out.svg")),
    Known::new("--sweep 1..1.0000000000000002 --plot", 1, |_| {
        sweep("1..1.0000000000000002").output("--plot", "out.svg")
    }),
    Known::new("--scale of 5e-324", 1, |_| {
        good_mesh().option("--scale", "5e-324,5e-324,5e-324").format("json")
    }),
    Known::new("--scale of 1e308, swept", 1, |_| {
        sweep("0.1..64").option("--scale", "1e308,1e-308,1")
    }),
    Known::new("--target of 18446744073709551615", 1, |_| {
        good_mesh().option("--target", "18446744073709551615")
    }),
    Known::new("--scripts of 18446744073709551615", 1, |_| {
        good_mesh().option("--scripts", "18446744073709551615").format("json")
    }),
    Known::new("--lod-bytes at the end", 1, |_| {
        Case::of("cost")
            .option("--lod-bytes", "4294967295,4294967295,4294967295,4294967295")
            .option("--sweep", "0.1..64")
    }),
    Known::new("--output onto an input", 1, |_| {
        good_mesh().format("json").option("--output", "good.llmesh")
    }),
    Known::new("--plot onto an input", 1, |_| sweep("0.1..64").option("--plot", "good.llmesh")),
    Known::new("--output onto an input through a link", 1, |_| {
        good_mesh()
            .input("link", Kind::Link("good.llmesh".into()))
            .format("json")
            .option("--output", "link")
    }),
    Known::new("--output onto an input through a hard link", 1, |_| {
        good_mesh()
            .input("name", Kind::HardLink("good.llmesh".into()))
            .format("json")
            .option("--output", "name")
    }),
    Known::new("--plot onto an input through a path with ..", 1, |_| {
        sweep("0.1..64").input("folder", Kind::Folder).option("--plot", "folder/../good.llmesh")
    }),
    Known::new("--output onto the scene", 1, |_| {
        Case::of("schedule")
            .file("scene.toml", scene::of_actors(2))
            .option("--output", "scene.toml")
    }),
    Known::new("--output onto the buffer of the scene", 1, |_| buffer()),
    Known::new("--output onto the linkset", 1, |_| {
        Case::of("linkset").file("a.toml", scene::linkset(2, 3)).option("--output", "a.toml")
    }),
    Known::new("two outputs to one file", 1, |_| {
        sweep("0.1..64").output("--output", "out").output("--plot", "out").codes(&[2])
    }),
    Known::new("two outputs to one file by two paths", 1, |_| {
        sweep("0.1..64").output("--output", "out").option("--plot", "./out").codes(&[2])
    }),
    Known::new("a missing file, priced", 1, |_| Case::of("cost").path("missing").codes(&[2])),
    Known::new("a missing file, linted", 1, |_| Case::of("lint").path("missing").codes(&[2])),
    Known::new("an object name of 100 KiB that is missing", 100 << 10, |n| {
        let name = hard::long(n);
        let archive = tar::region(&[], &[object::cube("a cube")]);
        Case::of("cost")
            .input("a.oar", Kind::File(Content::of(archive)))
            .path(format!("a.oar:{name}"))
    }),
    Known::new("lint of -", 1, |_| {
        let mut case = Case::of("lint").path("-").format("json").codes(&[0]);
        case.stdin = Stdin::Bytes(mesh::good().into());
        case
    }),
];

fn good_mesh() -> Case {
    Case::of("cost").file("good.llmesh", mesh::good())
}

fn sweep(range: &str) -> Case {
    good_mesh().option("--sweep", range)
}

fn buffer() -> Case {
    let mut model = crate::hostile::make::gltf::model();
    model["buffers"][0]["uri"] = "bad.bin".into();
    Case::of("schedule")
        .file("model.gltf", model.to_string())
        .input("bad.bin", Kind::File(Content::of(crate::hostile::make::gltf::buffer())))
        .format("json")
        .option("--output", "bad.bin")
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
fn text(random: &mut Random) -> String {
    hard::text(random).chars().filter(|c| c.is_ascii() && !c.is_control()).collect()
}

fn value(random: &mut Random, option: &str) -> String {
    let number = |random: &mut Random| hard::number(random);
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

fn random(random: &mut Random) -> Case {
    let schedule = random.one_in(3);
    let mut case = if schedule {
        Case::of("schedule").file("scene.toml", scene::of_actors(3))
    } else if random.one_in(4) {
        let objects = [object::cube("a cube"), object::showing("a mesh", &object::id(1))];
        Case::of("cost").file("a.oar", tar::region(&[(object::id(1), mesh::good())], &objects))
    } else {
        good_mesh()
    };
    "any options".clone_into(&mut case.name);
    let options: &[&str] = if schedule { &OF_SCHEDULE } else { &OF_COST };
    for _ in 0..random.between(1, 4) {
        let option = random.pick(options);
        let value = value(random, option);
        let is_output = matches!(option, "--output" | "--plot");
        let is_file = is_output && !value.starts_with('/') && !matches!(&*value, "" | ".");
        case = if is_file {
            case.output(option, value)
        } else if random.one_in(5) {
            case.flag(format!("{option}={value}"))
        } else {
            case.option(option, value)
        };
    }
    match random.below(8) {
        0 => case = case.flag("--parts"),
        1 => case = case.flag("--physical"),
        2 => case = case.flag(text(random)),
        3 => case = case.path("-").path("-"),
        _ => {}
    }
    case
}
