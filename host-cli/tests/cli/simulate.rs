use std::fs;

use serde_json::Value;

use crate::run::{BASE, CAPE, Case, RunOutput, TestFolder, lodger};

const SHORT: [&str; 3] = ["simulate", "--frames", "61"];

const WAY: &str = "speed = 2\n[[waypoint]]\neye = [0, 1, 9]\n[[waypoint]]\neye = [0, 1, -9]\n";

fn simulate(folder: &TestFolder, arguments: &[&str]) -> RunOutput {
    let arguments = [&SHORT[..], arguments].concat();
    folder.run(&arguments)
}

fn json(folder: &TestFolder, arguments: &[&str]) -> Value {
    simulate(folder, &[arguments, &["--format", "json"]].concat()).succeeds().json()
}

#[test]
fn the_same_seed_gives_the_same_bytes() {
    let folder = lodger();
    let all = |seed: &str| {
        let files = ["--report", "page.html", "--plot", "ways.svg", "--output", "rows.json"];
        let arguments = [&["--compare", "--format", "json", "--seed", seed], &files[..]].concat();
        simulate(&folder, &arguments).succeeds();
        ["page.html", "ways.svg", "rows.json"]
            .map(|name| fs::read(folder.path(name)).expect("a file"))
    };
    let first = all("7");
    assert!(first == all("7"));
    assert!(first.iter().zip(all("8")).all(|(first, other)| *first != other));
    assert_eq!(folder.files(), ["page.html", "rows.json", "ways.svg"]);
}

#[test]
fn json_has_the_documented_keys() {
    let folder = lodger();
    let report = json(&folder, &["--compare", "--spike", "0"]);
    assert_eq!(report["schema"], 1);
    assert_eq!(report["settings"]["actors"], 500);
    let rows = report["rows"].as_array().expect("rows");
    let named: Vec<_> = rows.iter().map(|row| row["policy"].as_str().expect("a name")).collect();
    let expected =
        ["optimal", "proportional", "distance bands", "round robin", "feedback", "greedy"];
    assert_eq!(named, expected);
    for key in ["over_budget", "benefit", "bound", "flips_per_s", "returns_per_s"] {
        assert!(
            rows.iter().all(|row| row[key].as_f64().is_some_and(|number| number >= 0.0)),
            "{key}"
        );
    }
    assert!(rows[0]["unit_cost_error"].is_f64() && rows[2]["unit_cost_error"].is_null());
    assert_eq!((&rows[0]["stability"], &rows[2]["stability"]), (&"on".into(), &Value::Null));
    let off = json(&folder, &["--stability", "off", "--policy", "proportional"]);
    assert_eq!(off["rows"][0]["stability"], "off");
    assert_eq!(off["rows"][0]["policy"], "proportional");
}

#[test]
fn a_scene_of_a_file_is_simulated_along_a_path_of_a_file() {
    let folder = lodger().with("scene.toml", format!("{BASE}{CAPE}")).with("way.toml", WAY);
    let report = json(&folder, &["scene.toml", "--path", "way.toml"]);
    assert_eq!(report["settings"]["path"], "file");
    assert_eq!(report["settings"]["budget_ms"], 5.0);
    assert_eq!(report["rows"][0]["policy"], "proportional");
    assert_eq!(report["rows"].as_array().map(Vec::len), Some(1));
    let unlimited = json(&folder, &["scene.toml", "--budget-ms", "inf", "--path", "line"]);
    assert!(unlimited["settings"]["budget_ms"].is_null());
    assert_eq!(unlimited["rows"][0]["over_budget"], 0.0);
    let nobody = lodger().with("scene.toml", BASE);
    simulate(&nobody, &["scene.toml", "--compare", "--report", "page.html"]).succeeds();
}

/// The numbers of a page between this text and the next quotation mark.
fn of_page<'p>(page: &'p str, key: &str) -> &'p str {
    let from = page.split_once(&format!("\"{key}\":")).expect("a key").1;
    from.trim_start_matches('"').split(['"', ',']).next().expect("a value")
}

#[test]
fn a_page_has_the_frustum_and_the_actors_outside_of_it() {
    let view = "eye = [0, 0, 0]\nlook = [0, 0, -9]\nfov = 90\naspect = 2\nfrustum = true";
    let module = "benefit_value = 3\noutside = 0";
    let scene = BASE.replace("eye = [0, 0, 0]", view).replace("benefit_value = 3", module);
    let still = "speed = 1e-9\n[[waypoint]]\neye = [1, 2, -5]\n[[waypoint]]\neye = [1, 2, -6]\n";
    let turned = |z: i32| {
        let look = |waypoint: &str| format!("{waypoint}\nlook = [1, 2, {z}]\n");
        still.replace("-5]\n", &look("-5]")).replace("-6]\n", &look("-6]"))
    };
    let folder = lodger()
        .with("scene.toml", format!("{scene}{CAPE}"))
        .with("blind.toml", still)
        .with("towards.toml", turned(9))
        .with("away.toml", turned(-9));
    let page = |path: &str| {
        let arguments = ["scene.toml", "--path", path, "--report", "page.html"];
        simulate(&folder, &arguments).succeeds();
        folder.read("page.html")
    };
    // 61 bits of a single actor, the lowest first.
    let [none, all] = ["AAAAAAAAAAA=", "/////////x8="];
    for (path, outside) in [("towards.toml", none), ("away.toml", all), ("blind.toml", none)] {
        let page = page(path);
        assert_eq!(of_page(&page, "outside"), outside, "{path}");
        let half_width: f64 = of_page(&page, "half_width").parse().expect("a number");
        assert!((half_width - 2.0).abs() < 1e-12);
    }
    // The direction −z as three floats.
    assert!(of_page(&page("away.toml"), "directions").starts_with("AAAAAAAAAAAAAIC/"));
    simulate(&folder, &["--report", "page.html"]).succeeds();
    let page = folder.read("page.html");
    assert_eq!(
        ["directions", "outside", "half_width"].map(|key| of_page(&page, key)),
        ["", "", "null"]
    );
}

#[test]
fn the_table_names_the_measurement() {
    simulate(&lodger(), &["--compare"]).succeeds().shows(&[
        "the built-in scene: 500 actors, 4 ms a frame",
        "Over budget",
        "optimal",
        "greedy",
    ]);
}

#[test]
fn errors_are_reported() {
    let wrong = WAY.replace("speed = 2", "speed = 0");
    let folder =
        lodger().with("way.toml", wrong).with("short.toml", "closed = true").with("a.toml", WAY);
    let refused =
        |arguments: &[&str], parts: &[&str]| drop(simulate(&folder, arguments).fails_with(parts));
    refused(
        &["--path", "way.toml"],
        &["`speed` is 0, but must be a finite number above 0", "way.toml:1"],
    );
    refused(&["--path", "short.toml"], &["at least two waypoints", "[[waypoint]]"]);
    refused(&["--path", "none.toml"], &["cannot read the camera path `none.toml`"]);
    refused(&["--path", "a.toml", "--output", "a.toml"], &["would overwrite the input"]);
    refused(&["--output", "x", "--report", "x"], &["name the same file"]);
    for (option, value, says) in [
        ("--noise", "nan", "a part is expected"),
        ("--spike", "1.5", "a part is expected"),
        ("--wrong", "0", "a factor is expected"),
        ("--frames", "60", "60 is not in 61..="),
        ("--decide-every", "0", "0 is not in 1..="),
        ("--policy", "best", "invalid value"),
    ] {
        let outcome = folder.run(&["simulate", option, value]);
        outcome.fails_with(&[says]);
    }
    refused(&["--compare", "--policy", "optimal"], &["cannot be used with"]);
    let units = format!(
        "unit = \"splat\"\n{}",
        BASE.replace("budget_ms", "budget").replace("unit_cost_ms = 0.001", "unit_cost = 1")
    );
    let folder = lodger().with("splats.toml", units);
    simulate(&folder, &["splats.toml"]).fails_with(&["the money of this scene is `splat`"]);
}

#[test]
fn frames_modules_and_candidates_are_charged_before_the_first_frame() {
    let module =
        |number| format!("[[module]]\nname = \"{number}\"\nunit_cost_ms = 1\nbenefit_value = 1\n");
    let modules: String = (0..2_000).map(module).collect();
    let folder = lodger().with("many.toml", format!("budget_ms = 5\n{modules}"));
    let many = |arguments: &[&str]| {
        let arguments = [&["simulate", "many.toml"], arguments].concat();
        folder.run(&arguments)
    };
    let work =
        &["the simulation of many.toml needs more than 30 million units of work", "--frames"];
    many(&["--frames", "600", "--work", "30"]).fails_with(work);
    many(&["--frames", "61", "--work", "30"]).succeeds();
    many(&["--frames", "61", "--work", "30", "--compare"]).fails_with(work);
    many(&["--frames", "61", "--work", "30", "--seeds", "2"]).fails_with(work);
    let memory = ["needs more than 1024 MiB of memory", "raise --memory"];
    many(&["--frames", "100000", "--report", "page.html"]).fails_with(&memory);
    many(&["--frames", "100000", "--record", "log"]).fails_with(&memory);
    assert_eq!(folder.files(), ["many.toml"]);
}

#[test]
fn all_files_are_written_or_none() {
    let folder = lodger().with("page.html", "old");
    let files = ["--report", "page.html", "--plot", "ways.svg", "--output"];
    simulate(&folder, &[&files[..], &["gone/rows.json"]].concat())
        .fails_with(&["cannot write to `gone/rows.json`", "there is no folder `gone`"]);
    assert_eq!(folder.files(), ["page.html"]);
    assert_eq!(folder.read("page.html"), "old");
    simulate(&folder, &[&files[..], &["rows.txt"]].concat()).succeeds();
    assert_eq!(folder.files(), ["page.html", "rows.txt", "ways.svg"]);
}

#[cfg(target_os = "linux")]
#[test]
fn files_stay_out_where_a_device_is_full() {
    let folder = lodger();
    let files = ["--report", "page.html", "--output"];
    simulate(&folder, &[&files[..], &["/dev/full"]].concat()).fails_with(&["`/dev/full`"]);
    assert!(folder.files().is_empty());
    simulate(&folder, &[&files[..], &["/dev/null"]].concat()).succeeds();
    assert_eq!(folder.files(), ["page.html"]);
}

#[test]
fn several_seeds_have_their_medians_shown() {
    let folder = lodger();
    let medians = json(&folder, &["--compare", "--seeds", "3", "--seed", "4"]);
    let mut flips: Vec<_> = ["4", "5", "6"]
        .map(|seed| {
            json(&folder, &["--compare", "--seed", seed])["rows"][3]["flips_per_s"].as_f64()
        })
        .into();
    flips.sort_by(|one, other| one.partial_cmp(other).expect("numbers"));
    assert_eq!(medians["rows"][3]["flips_per_s"].as_f64(), flips[1]);
    assert_eq!(
        (&medians["settings"]["seed"], &medians["settings"]["seeds"]),
        (&4.into(), &3.into())
    );
    assert!(medians["rows"][0]["shown"].is_f64());
    let one = json(&folder, &[]);
    assert!(one["settings"]["seeds"].is_null() && one["rows"][0]["shown"].is_null());
    simulate(&folder, &["--seeds", "2"])
        .succeeds()
        .shows(&["seeds 1 to 2; medians from frame 60 on:"]);
    simulate(&folder, &["--seeds", "2", "--plot", "ways.svg"]).fails_with(&["--seeds", "--plot"]);
}

#[test]
fn a_recorded_simulation_replays() {
    let folder = lodger();
    for policy in ["optimal", "proportional", "apex"] {
        simulate(&folder, &["--record", "frames.log", "--policy", policy]).succeeds();
        let text = folder.run(&["replay", "frames.log"]).succeeds().stdout;
        assert!(text.starts_with("Identical: 61 ticks of up to 500 actors"), "{text}");
    }
    simulate(&folder, &["--record", "frames.log", "--compare"]).fails_with(&["--compare"]);
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_nothing_half_written() {
    use std::time::Duration;

    let folder = lodger().with("page.html", "old");
    let arguments = ["simulate", "--frames", "100000", "--report", "page.html"];
    let case = Case::of_args(arguments).signal("INT", Duration::from_millis(200));
    assert_ne!(folder.run_case(&case).code, Some(0));
    assert_eq!(folder.read("page.html"), "old");
    assert_eq!(folder.files(), ["page.html"]);
}
