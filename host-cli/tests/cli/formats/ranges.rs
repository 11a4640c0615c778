//! The ranges of the keys of a scene, as `docs/formats.md` has them: what is just within is read, and what is
//! just outside is refused.

use lodger_testkit::page::named;

use crate::run::lodger;

/// The keys of a table with what they may be, and what they may not.
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
const VIEW: Ranges<'_> = &[("eye", &["[0, -1, 2.5]"], &["[0, 1]", "[0, 1, 2, 3]", "[0, inf, 0]"])];
const MODULE: Ranges<'_> = &[
    ("unit_cost_ms", &["0.000001", "4294"], &["0", "-1", "4295", "inf"]),
    ("benefit_value", &["0", "4294"], &["-1", "4295", "inf"]),
    (
        "quality",
        &["[0, 1]", "[0.5, 0.5]"],
        &["[0]", "[0, 1, 1]", "[1, 0]", "[0, 1.1]", "[-0.1, 1]"],
    ),
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
    ("quality", &["[0, 1]", "[0, 0]"], &["[0]", "[1, 0]", "[0, 1.1]"]),
    ("lod_range", &["[0, 1]", "[1, 1]"], &["[1, 0]", "[0, 2]", "[0]"]),
    ("force_lod", &["0", "0.5", "9", "-1"], &["nan", "inf"]),
];

/// The lines of a table, and what stands above it.
struct Table {
    heading: &'static str,
    lines: Vec<(&'static str, &'static str)>,
}

/// A scene of one actor, whose money is time or not.
fn tables(is_time: bool) -> [Table; 4] {
    let table = |heading, lines| Table { heading, lines };
    let budget = if is_time {
        vec![("budget_ms", "5")]
    } else {
        vec![("unit", "\"splat\""), ("budget", "5")]
    };
    let cost = if is_time { "unit_cost_ms" } else { "unit_cost" };
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
        table("[[view]]", vec![("eye", "[0, 0, 0]")]),
        table("[[module]]", module),
        table("[[actor]]", actor),
    ]
}

/// The scene with another value for a key of a table.
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

/// Whoever adds a key to the page adds its range here.
#[test]
fn every_key_of_the_page_has_its_range_tried() {
    let tried = |ranges: &[Ranges<'_>]| {
        let mut keys: Vec<_> =
            ranges.iter().flat_map(|ranges| ranges.iter().map(|(key, ..)| *key)).collect();
        keys.sort_unstable();
        keys.iter().map(|key| (*key).to_owned()).collect::<Vec<_>>()
    };
    let page = |heading: &str| {
        // What lists are made of is in the others, and names may be anything.
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
