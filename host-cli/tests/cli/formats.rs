//! `docs/formats.md` names every key of every JSON and every column of every CSV, and no other.
//!
//! Each test runs a command on small inputs that together produce all keys, collects the paths of
//! the keys, as `modules[].name`, and compares them with the first columns of the tables below the
//! heading of that command.

use lodger_mesh_asset::{AssetBlock, AssetBuilder};
use lodger_testkit::build::archive::{ArchiveFile, PartXml, id, parcel, region_object};
use lodger_testkit::build::mesh::{bytes, good, good_builder, strip};
use lodger_testkit::build::streamed_sog::index;
use lodger_testkit::page::{Keys, assert_named, key_paths, named};

use crate::replay::{different, log};
use crate::run::{BASE, CAPE, TestFolder, lodger};

const MAPS: [&str; 5] =
    ["ns_per_actor", "spread", "ratios", "sweep[].ns_per_actor", "sweep[].spread"];

fn keys(folder: &TestFolder, runs: &[&[&str]]) -> Keys {
    let mut keys = Keys::new();
    for arguments in runs {
        let outcome = folder.run(&[arguments, &["--format", "json"][..]].concat());
        let value = outcome.json();
        assert_eq!(value["schema"], 1, "{arguments:?}");
        keys.extend(key_paths(&value, &MAPS));
    }
    keys
}

#[track_caller]
fn has_columns(heading: &str, folder: &TestFolder, arguments: &[&str]) {
    let outcome = folder.run(&[arguments, &["--format", "csv"][..]].concat());
    let header = outcome.stdout.lines().next().expect("a header");
    assert_eq!(header.split(',').collect::<Vec<_>>(), named(heading), "{heading}");
}

fn scenes() -> TestFolder {
    // The cape is behind the camera.
    let view = "eye = [0, 0, 0]\nlook = [0, 0, -9]\nfov = 60\nfrustum = true";
    let module = "benefit_value = 3\npriority = 2\noutside = 0.5";
    let scene = BASE.replace("eye = [0, 0, 0]", view).replace("benefit_value = 3", module);
    let scene = format!("{scene}{CAPE}priority = 3\n");
    lodger().with("scene.toml", scene).with("lod-meta.json", index())
}

#[test]
fn the_plan() {
    let folder = scenes();
    let (timed, splats) = (&["schedule", "scene.toml"][..], &["schedule", "lod-meta.json"]);
    assert_named("lodger schedule: JSON in milliseconds", &keys(&folder, &[timed]));
    let in_units = keys(&folder, &[&[&splats[..], &["--budget", "2M", "--eye", "9,2,9"]].concat()]);
    assert_named("lodger schedule: JSON in another unit", &in_units);
    has_columns("lodger schedule: CSV", &folder, timed);
    let arguments = [&splats[..], &["--budget", "2M", "--eye", "9,2,9"]].concat();
    has_columns("lodger schedule: CSV in another unit", &folder, &arguments);
}

#[test]
fn the_linkset() {
    let prim = |name: &str, x: u32| {
        format!(
            "[[object]]\nname = \"{name}\"\n[[object.prim]]\nposition = [{x}, 0, 0]\nscale = [1, 1, 1]\n"
        )
    };
    let folder = lodger().with("far.toml", prim("a", 0) + &prim("b", 900));
    assert_named("lodger linkset: the sphere rule", &keys(&folder, &[&["linkset", "far.toml"]]));
    let span = keys(&folder, &[&["linkset", "far.toml", "--rule", "span"]]);
    assert_named("lodger linkset: the span rule", &span);
}

/// A region with a mesh that is used, one that is not, a box, parcels, and objects without a price.
fn priced() -> TestFolder {
    let house = PartXml::mesh("House", &id(1)).owner(&id(5)).at("9", "9", "9").id(&id(6));
    let archive = ArchiveFile::new()
        .with_mesh(&id(1), good())
        .with_mesh(&id(2), good())
        .with_mesh(&id(3), "broken")
        .with("objects/house.xml", region_object(&house, &[PartXml::cube("wall")]))
        .with("objects/lost.xml", region_object(&PartXml::mesh("lost", &id(4)), &[]))
        .with_parcel("", &id(7), parcel(&id(7), "West", &id(5), 64, |_, _| true));
    let folder = lodger().with("region.oar", archive.gzip()).with("hat.llmesh", good());
    // Without a hull, of which there is a note.
    let mut bare = AssetBuilder::new();
    bare.set_lod(AssetBlock::HighLod, &strip(8)).expect("a short block");
    folder.with("bare.llmesh", bytes(&bare))
}

#[test]
fn the_costs() {
    let folder = priced();
    let files = &["cost", "region.oar", "hat.llmesh", "bare.llmesh"][..];
    assert_named("lodger cost: JSON", &keys(&folder, &[files]));
    let with = |option: &[&'static str]| [files, option].concat();
    let more = |option: &[&'static str]| {
        let usual = keys(&folder, &[files]);
        keys(&folder, &[&with(option)]).difference(&usual).cloned().collect::<Keys>()
    };
    assert_named("lodger cost --parts: JSON", &more(&["--parts"]));
    assert_named("lodger cost --by: JSON", &more(&["--by", "parcel"]));
    let sweep = &["cost", "hat.llmesh", "--sweep", "1..4"][..];
    let target = &["cost", "hat.llmesh", "--target", "2"][..];
    assert_named("lodger cost --sweep: JSON", &keys(&folder, &[sweep]));
    // The current price of the mesh is a row of files.
    let target_keys = keys(&folder, &[target]);
    let (now, own): (Keys, Keys) = target_keys.into_iter().partition(|key| key.starts_with("now."));
    let as_file = |key: &String| key.replacen("now.", "files[].", 1);
    let usual = keys(&folder, &[files]);
    assert!(now.iter().all(|key| usual.contains(&as_file(key))), "{now:?}");
    assert_named("lodger cost --target: JSON", &own);
    let simulator = &["--simulator", "unofficial-2011"][..];
    let also = |arguments: &[&'static str]| {
        let usual = keys(&folder, &[arguments]);
        let all = keys(&folder, &[&[arguments, simulator].concat()]);
        all.difference(&usual).cloned().collect::<Keys>()
    };
    let by = with(&["--by", "parcel"]);
    let mut resource = also(&by);
    resource.extend(also(sweep));
    assert_named("lodger cost --simulator: JSON", &resource);
    for (arguments, heading) in [
        (files, "lodger cost --simulator: CSV"),
        (&by, "lodger cost --simulator of sums and sizes: CSV"),
        (sweep, "lodger cost --simulator of sums and sizes: CSV"),
        (target, "lodger cost --simulator: CSV"),
    ] {
        let header = |options: &[&str]| {
            let run = folder.run(&[arguments, options, &["--format", "csv"]].concat());
            run.stdout.lines().next().expect("a header").to_owned()
        };
        let columns = format!("{},{}", header(&[]), named(heading).join(","));
        assert_eq!(header(simulator), columns, "{arguments:?}");
    }
    has_columns("lodger cost: CSV", &folder, files);
    has_columns("lodger cost --parts: CSV", &folder, &with(&["--parts"]));
    has_columns("lodger cost --by: CSV", &folder, &with(&["--by", "owner"]));
    has_columns("lodger cost --sweep: CSV", &folder, sweep);
    has_columns("lodger cost --target: CSV", &folder, target);
}

#[test]
fn the_findings() {
    let mut thin = good_builder();
    thin.set_lod(AssetBlock::LowLod, &strip(16)).expect("a short block");
    let folder = priced().with("thin.llmesh", bytes(&thin));
    let files = &["lint", "region.oar", "thin.llmesh", "gone.llmesh"][..];
    let mut said = keys(&folder, &[files]);
    // The unit of a cost is its key.
    said.retain(|key| !key.starts_with("files[].findings[].cost."));
    assert_named("lodger lint: JSON", &said);
}

#[test]
fn the_replay() {
    let folder = lodger().with("good.log", log()).with("bad.log", different());
    let said = keys(&folder, &[&["replay", "good.log"], &["replay", "bad.log"]]);
    assert_named("lodger replay: JSON", &said);
}

#[test]
fn the_simulation() {
    let arguments = &["simulate", "--frames", "61", "--compare"][..];
    let medians = [arguments, &["--seeds", "2"]].concat();
    assert_named("lodger simulate: JSON", &keys(&lodger(), &[arguments, &medians]));
}

#[test]
fn the_bench() {
    let few = &["bench", "--actors", "100", "--seconds", "0"][..];
    let folder = lodger();
    let sweep = [few, &["--sweep", "growth.svg"]].concat();
    assert_named("lodger bench: JSON", &keys(&folder, &[few, &sweep]));
}

type Ranges<'a> = &'a [(&'a str, &'a [&'a str], &'a [&'a str])];

const SCENE: Ranges<'_> = &[
    ("budget_ms", &["0", "0.5", "inf"], &["-1", "nan"]),
    ("policy", &["\"proportional\"", "\"apex\"", "\"optimal\""], &["\"best\""]),
    (
        "leftovers",
        &["\"keep\"", "\"within-module\"", "\"across-modules\"", "\"whole-budget\""],
        &["\"all\""],
    ),
    ("count_unmanaged", &["true", "false"], &["1"]),
];
const IN_UNITS: Ranges<'_> = &[
    (
        "unit",
        &["\"splat\"", "\"a-1_b\"", "\"abcdefghijklmnopqrstuvwx\""],
        &[
            "\"\"",
            "\"ms\"",
            "\"us\"",
            "\"ns\"",
            "\"s\"",
            "\"two words\"",
            "\"abcdefghijklmnopqrstuvwxy\"",
        ],
    ),
    ("budget", &["0", "9007199254740991", "inf"], &["-1", "1.5", "9007199254740992"]),
];
const VIEW: Ranges<'_> = &[
    ("eye", &["[0, -1, 2.5]"], &["[0, 1]", "[0, 1, 2, 3]", "[0, inf, 0]"]),
    ("look", &["[0, 1, 2]"], &["[0, 0, 0]", "[0, nan, 0]"]),
    ("up", &["[0, 0, -7]", "[9, 0, 0]"], &["[0, 0, 0]", "[0, inf, 0]"]),
    ("fov", &["0.001", "170"], &["0", "179.1", "nan"]),
    ("aspect", &["0.05", "20"], &["0", "-1", "21", "nan"]),
    ("frustum", &["true", "false"], &["1"]),
    ("margin", &["0", "30"], &["-1", "80", "nan"]),
    ("zoom", &["0.015625", "64"], &["0", "65", "nan"]),
    ("reference_fov", &["20", "120"], &["0", "180", "nan"]),
];
const MODULE: Ranges<'_> = &[
    ("unit_cost_ms", &["0.000001", "4294"], &["0", "-1", "4295", "inf"]),
    ("benefit_value", &["0", "4294"], &["-1", "4295", "inf"]),
    (
        "quality",
        &["[0, 1]", "[0.5, 0.5]", "\"linear\"", "\"diminishing\"", "\"all-or-nothing\""],
        &["[0]", "[0, 1, 1]", "[1, 0]", "[0, 1.1]", "[-0.1, 1]", "\"even\""],
    ),
    ("priority", &["0", "15.9997"], &["-1", "16", "nan"]),
    ("outside", &["0", "1"], &["-0.1", "1.1", "nan"]),
    ("overhead", &["0", "8589"], &["-1", "8590", "4294967296"]),
    ("enabled", &["true", "false"], &["\"no\""]),
    ("continuous", &["true", "false"], &["2"]),
    ("distance_importance", &["\"solid-angle\"", "\"angular\""], &["\"near\""]),
    ("max_distance", &["0", "10", "inf"], &["-1", "nan"]),
    (
        "weights",
        &["{ age = 1 }", "{ distance = 0.5, speed = 0.4995 }"],
        &["{}", "{ distance = 0.9 }", "{ distance = 2, age = -1 }", "{ size = 1 }"],
    ),
    ("bias", &["0", "5"], &["-0.1", "inf"]),
    ("max_age", &["0", "10"], &["-1", "inf"]),
    ("max_speed", &["0.1"], &["0", "-1", "inf"]),
];
const UNIT_COST: Ranges<'_> = &[("unit_cost", &["0.5", "4294967294"], &["0", "-1", "4294967296"])];
const ACTOR: Ranges<'_> = &[
    ("module", &["\"m\""], &["\"n\""]),
    ("benefit", &["0", "7"], &["-1", "inf"]),
    ("position", &["[1, 2, 3]", "[1, nan, 3]"], &["[1, 2]"]),
    ("radius", &["0", "9"], &["-1", "inf"]),
    ("age", &["-5", "5"], &["inf"]),
    ("speed", &["0", "5"], &["-1", "inf"]),
    ("work", &["[0]", "[1, 1, 2]"], &["[]", "[2, 1]", "[-1]", "[0.5]", "[4294967296]"]),
    ("quality", &["[0, 1]", "[0, 0]", "\"diminishing\""], &["[0]", "[1, 0]", "[0, 1.1]", "\"no\""]),
    ("priority", &["0", "15.9997"], &["-1", "16", "inf"]),
    ("lod_range", &["[0, 1]", "[1, 1]"], &["[1, 0]", "[0, 2]", "[0]"]),
    ("force_lod", &["0", "0.5", "9", "-1"], &["nan", "inf"]),
];

struct Table {
    heading: &'static str,
    lines: Vec<(&'static str, &'static str)>,
}

fn tables(is_time: bool) -> [Table; 4] {
    let table = |heading, lines| Table { heading, lines };
    let budget = if is_time {
        vec![("budget_ms", "5")]
    } else {
        vec![("unit", "\"splat\""), ("budget", "5")]
    };
    let cost = if is_time { "unit_cost_ms" } else { "unit_cost" };
    let view =
        vec![("eye", "[0, 0, 0]"), ("look", "[0, 0, -9]"), ("fov", "60"), ("frustum", "true")];
    let module = vec![
        ("name", "\"m\""),
        (cost, "0.5"),
        ("benefit_value", "3"),
        ("max_age", "10"),
        ("max_speed", "10"),
    ];
    let actor = vec![
        ("name", "\"a\""),
        ("module", "\"m\""),
        ("position", "[1, 2, 3]"),
        ("radius", "1"),
        ("work", "[0, 1]"),
    ];
    [
        table("", budget),
        table("[[view]]", view),
        table("[[module]]", module),
        table("[[actor]]", actor),
    ]
}

fn scene(is_time: bool, heading: &str, key: &str, value: &str) -> String {
    let mut text = String::new();
    for Table { heading: of, mut lines } in tables(is_time) {
        if of == heading {
            let goes = |other: &str| {
                other == key || key == "benefit" && ["position", "radius"].contains(&other)
            };
            lines.retain(|(other, _)| !goes(other));
        }
        let own = (of == heading).then_some((key, value));
        let lines = lines.into_iter().chain(own).map(|(key, value)| format!("{key} = {value}\n"));
        text = format!("{text}{of}\n{}", lines.collect::<String>());
    }
    text
}

fn check(is_time: bool, heading: &str, ranges: Ranges<'_>) {
    for (key, within, outside) in ranges {
        let code = |value: &&str| {
            let scene = scene(is_time, heading, key, value);
            lodger().with("scene.toml", scene).run(&["schedule", "scene.toml"]).code
        };
        for value in *within {
            assert_eq!(code(value), Some(0), "{heading} {key} = {value}");
        }
        for value in *outside {
            assert_eq!(code(value), Some(2), "{heading} {key} = {value}");
        }
    }
}

#[test]
fn the_ranges_of_a_scene_are_those_of_the_page() {
    check(true, "", SCENE);
    check(false, "", IN_UNITS);
    check(true, "[[view]]", VIEW);
    check(true, "[[module]]", MODULE);
    check(false, "[[module]]", UNIT_COST);
    check(true, "[[actor]]", ACTOR);
}

/// A new key of the page needs its range here.
#[test]
fn every_key_of_the_page_has_its_range_tried() {
    let tried = |ranges: &[Ranges<'_>]| {
        let mut keys: Vec<_> =
            ranges.iter().flat_map(|ranges| ranges.iter().map(|(key, ..)| *key)).collect();
        keys.sort_unstable();
        keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>()
    };
    let page = |heading: &str| {
        // Tables have ranges of their own, and names may be any text.
        let mut keys = named(heading);
        keys.retain(|key| !["name", "view", "module", "actor"].contains(&&**key));
        keys.sort_unstable();
        keys
    };
    assert_eq!(tried(&[SCENE, IN_UNITS]), page("The scene"));
    assert_eq!(tried(&[VIEW]), page("A view"));
    assert_eq!(tried(&[MODULE, UNIT_COST]), page("A module"));
    let actor = [&ACTOR[1..]];
    assert_eq!((tried(&actor), ACTOR[0].0), (page("An actor"), "module"));
}
