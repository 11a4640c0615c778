//! Mistakes in a TOML scene: each is told once, with its place and what is allowed.

use crate::run::{BASE, CAPE, assert_rejected, lodger};

fn scene(from: &str, to: &str) -> String {
    let text = format!("{BASE}{CAPE}");
    assert!(text.contains(from), "the scene has no {from:?}");
    text.replacen(from, to, 1)
}

/// Refuses the scene of one actor with something replaced in it.
#[track_caller]
fn refuse_with(from: &str, to: &str, parts: &[&str]) {
    assert_rejected(scene(from, to), parts);
}

#[test]
fn unknown_keys_are_placed_and_the_nearest_is_suggested() {
    refuse_with(
        "radius",
        "raduis",
        &["unknown key `raduis`", "scene.toml:12:1", "did you mean `radius`?"],
    );
    refuse_with(
        "budget_ms = 5",
        "budget_ms = 5\nbugdet = 3",
        &["unknown key `bugdet`", "scene.toml:2:1"],
    );
    refuse_with(
        "benefit_value = 3",
        "benefit_value = 3\nweights = { distance = 1, sped = 0 }",
        &["unknown key `sped`", "did you mean `speed`?"],
    );
}

#[test]
fn wrong_types_name_the_field_and_the_type() {
    refuse_with(
        "radius = 1",
        "radius = \"big\"",
        &["`actor.radius`", "expected a number", "scene.toml:12:10"],
    );
    refuse_with(
        "[0, 10, 20]",
        "[0, 1.5]",
        &["`actor.work`", "a whole number from 0", "scene.toml:13:12"],
    );
    refuse_with("[0, 10, 20]", "[0, -1]", &["`actor.work`", "-1", "a whole number from 0"]);
    refuse_with("[1, 2, 3]", "[1, 2]", &["`actor.position`", "an array of 3 numbers"]);
    refuse_with("[1, 2, 3]", "[1, 2, 3, 4]", &["`actor.position`", "an array of 3 numbers"]);
    refuse_with("[[actor]]", "[actor]", &["`actor`", "[[actor]]", "scene.toml:8:1"]);
    refuse_with(
        "benefit_value = 3",
        "benefit_value = 3\ndistance_importance = \"angle\"",
        &["`solid-angle` or `angular`", "scene.toml:8:23"],
    );
}

#[test]
fn duplicate_names_point_at_both_places() {
    assert_rejected(
        format!("{BASE}{CAPE}{CAPE}"),
        &["two actors called `cape`", "scene.toml:15:8", "scene.toml:9:8", "first used here"],
    );
    let module = BASE.split_once("[[module]]").expect("a module").1;
    assert_rejected(
        format!("{BASE}[[module]]{module}{CAPE}"),
        &["two modules called `cloth`", "scene.toml:9:8", "scene.toml:5:8"],
    );
}

#[test]
fn a_module_that_does_not_exist_is_answered_with_those_that_do() {
    refuse_with(
        "module = \"cloth\"",
        "module = \"cloths\"",
        &["no module called `cloths`", "scene.toml:10:10", "did you mean `cloth`?"],
    );
    refuse_with(
        "module = \"cloth\"",
        "module = \"particles\"",
        &["no module called `particles`", "the scene has `cloth`"],
    );
    assert_rejected(
        format!("budget_ms = 1\n{CAPE}"),
        &["no module called `cloth`", "add a [[module]]"],
    );
}

#[test]
fn numbers_outside_their_range_are_refused() {
    let module = |key: &str| ("benefit_value = 3", format!("benefit_value = 3\n{key}"));
    let cases = [
        ("radius = 1", "radius = -1".to_owned(), "`radius` is -1"),
        ("radius = 1", "radius = nan".to_owned(), "`radius` is NaN"),
        ("radius = 1", "radius = inf".to_owned(), "`radius` is inf"),
        ("radius = 1", "radius = 1\nage = inf".to_owned(), "`age` is inf"),
        ("radius = 1", "radius = 1\nspeed = -2".to_owned(), "`speed` is -2"),
        ("unit_cost_ms = 0.001", "unit_cost_ms = 0".to_owned(), "`unit_cost_ms` is 0"),
        ("benefit_value = 3", "benefit_value = -3".to_owned(), "`benefit_value` is -3"),
        ("budget_ms = 5", "budget_ms = -5".to_owned(), "`budget_ms` is -5"),
        ("budget_ms = 5", "budget_ms = nan".to_owned(), "`budget_ms` is NaN"),
        ("[0, 0, 0]", "[0, nan, 0]".to_owned(), "`eye` is NaN"),
        (module("bias = -1").0, module("bias = -1").1, "`bias` is -1"),
        (module("").0, module("max_distance = -1").1, "`max_distance` is -1"),
        (module("").0, module("max_age = -1").1, "`max_age` is -1"),
        (module("").0, module("max_speed = 0").1, "`max_speed` is 0"),
    ];
    for (from, to, message) in cases {
        refuse_with(from, &to, &[message, "must be", "scene.toml:"]);
    }
}

#[test]
fn weights_total_one_and_have_their_references() {
    let with = |weights: &str| scene("benefit_value = 3", &format!("benefit_value = 3\n{weights}"));
    assert_rejected(
        with("weights = { distance = 0.5, age = 0.4 }"),
        &["the weights total 0.9", "must total 1", "scene.toml:8:11"],
    );
    assert_rejected(
        with("weights = { distance = 1.5, speed = -0.5 }"),
        &["`weights.speed` is -0.5", "scene.toml:8:37"],
    );
    assert_rejected(with("weights = { distance = 0.5, age = 0.5 }"), &["`max_age` is missing"]);
    assert_rejected(with("weights = { distance = 0.5, speed = 0.5 }"), &["`max_speed` is missing"]);
    let folder = lodger()
        .with("scene.toml", with("weights = { distance = 0.5, age = 0.4995 }\nmax_age = 3"));
    folder.run(&["schedule", "scene.toml"]).succeeds();
}

#[test]
fn a_benefit_stands_for_what_it_is_computed_from() {
    assert_rejected(
        format!("{BASE}{CAPE}benefit = 0.4\n"),
        &["cannot have `position`", "scene.toml:11:12"],
    );
    refuse_with("radius = 1\n", "", &["`radius` is missing"]);
    refuse_with("position = [1, 2, 3]\n", "", &["`position` is missing"]);
    refuse_with("position = [1, 2, 3]\nradius = 1", "benefit = -1", &["`benefit` is -1"]);
}

#[test]
fn work_is_a_ladder_that_can_be_paid() {
    refuse_with("[0, 10, 20]", "[]", &["`work` is empty", "scene.toml:13:8"]);
    refuse_with("[0, 10, 20]", "[0, 30, 20]", &["from 30 at LOD 1 to 20 at LOD 2"]);
    refuse_with(
        "[0, 10, 20]",
        &format!("{:?}", (0..257).collect::<Vec<_>>()),
        &["257 LODs", "256"],
    );
    refuse_with("[0, 10, 20]", "[0, 4294967295]", &["4.29 s", "scene.toml:13:8"]);
}

#[test]
fn lods_are_chosen_among_those_there_are() {
    assert_rejected(
        format!("{BASE}{CAPE}lod_range = [2, 1]\n"),
        &["`lod_range` begins at 2", "scene.toml:14:13"],
    );
    assert_rejected(format!("{BASE}{CAPE}lod_range = [0, 3]\n"), &["LODs 0 to 2 only"]);
    assert_rejected(format!("{BASE}{CAPE}force_lod = nan\n"), &["`force_lod` is NaN"]);
    let folder = lodger().with("scene.toml", format!("{BASE}{CAPE}force_lod = 7.5\n"));
    let outcome = folder.run(&["schedule", "scene.toml"]).succeeds();
    assert!(outcome.stderr.contains("warning: `force_lod` 7.5 is outside"), "{}", outcome.stderr);
}

#[test]
fn a_position_that_is_no_place_is_a_warning() {
    let actors: String = (0..9).map(|i| CAPE.replace("cape", &format!("cape {i}"))).collect();
    let folder = lodger()
        .with("scene.toml", format!("{BASE}{}", actors.replace("[1, 2, 3]", "[1, nan, -inf]")));
    let outcome = folder.run(&["schedule", "scene.toml"]).succeeds();
    assert!(outcome.stderr.contains("quarantined"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("scene.toml:11:12"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("4 more warnings"), "{}", outcome.stderr);
}

#[test]
fn what_is_missing_can_come_from_the_command_line() {
    let no_budget = lodger().with("scene.toml", scene("budget_ms = 5\n", ""));
    no_budget.run(&["schedule", "scene.toml"]).fails_with(&[
        "no `budget_ms`",
        "scene.toml",
        "--budget-ms",
    ]);
    no_budget.run(&["schedule", "scene.toml", "--budget-ms", "3"]).succeeds();
    let no_view = lodger().with("scene.toml", scene("[[view]]\neye = [0, 0, 0]\n", ""));
    no_view.run(&["schedule", "scene.toml"]).fails_with(&["no view", "scene.toml:9:12", "--eye"]);
    no_view.run(&["schedule", "scene.toml", "--eye", "-1,2,3"]).succeeds();
    let blind = scene("[[view]]\neye = [0, 0, 0]\n", "")
        .replace("position = [1, 2, 3]\nradius = 1", "benefit = 0.4");
    lodger().with("scene.toml", blind).run(&["schedule", "scene.toml"]).succeeds();
}

/// Bytes without a pattern, the same on every run.
fn noise(length: usize) -> Vec<u8> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state.to_le_bytes()[3]
    };
    (0..length).map(|_| next()).collect()
}

#[test]
fn noise_is_no_scene() {
    assert_rejected(noise(65_536), &["scene.toml", "not UTF-8", "offset"]);
    let letters: Vec<_> = noise(65_536).into_iter().map(|b| 32 + b % 95).collect();
    assert_rejected(letters, &["scene.toml:1:"]);
    let controls: Vec<_> = noise(65_536).into_iter().map(|b| b % 32).collect();
    assert_rejected(controls, &["scene.toml:"]);
    let glb = [b"glTF".to_vec(), noise(65_536)].concat();
    for (name, bytes) in [("scene.glb", glb), ("scene.gltf", noise(65_536))] {
        let folder = lodger().with(name, bytes);
        folder.run(&["schedule", name]).fails_with(&[name]);
    }
}

#[test]
fn an_empty_file_is_told_what_it_lacks() {
    assert_rejected("", &["scene.toml", "no `budget_ms`"]);
    let folder = lodger().with("scene.toml", "");
    let outcome = folder.run(&["schedule", "scene.toml", "--budget-ms", "0"]).succeeds();
    assert!(outcome.stderr.contains("note: the scene has no actors"), "{}", outcome.stderr);
    for name in ["scene.glb", "scene.gltf"] {
        lodger().with(name, "").run(&["schedule", name]).fails_with(&[name]);
    }
}

#[test]
fn two_hundred_thousand_unknown_keys_are_one_error() {
    let keys: Vec<_> = (0..200_000).map(|i| format!("key{i} = 1\n")).collect();
    assert_rejected(keys.concat(), &["unknown key `key0`", "scene.toml:1:1"]);
}

#[test]
fn a_line_of_64_kb_is_clipped() {
    for text in [
        format!("budget_ms = 5; {}", "x".repeat(65_536)),
        format!("\"{}\" = 1", "k".repeat(65_536)),
        format!("budget_ms = 5\nview = [{}3]", "{ eye = [0, 0, 0] }, ".repeat(3_000)),
    ] {
        let folder = lodger().with("scene.toml", text);
        let outcome = folder.run(&["schedule", "scene.toml"]).fails_with(&["scene.toml:"]);
        assert!(outcome.stderr.len() < 2_000, "{}", outcome.stderr);
    }
}

#[test]
fn nesting_has_an_end() {
    assert_rejected(format!("a = {}", "[".repeat(65_536)), &["scene.toml:1:"]);
    assert_rejected(format!("{}a = 1", "a.".repeat(32_768)), &["scene.toml", "nested"]);
    let json = format!("{{\"scenes\":{}", "[".repeat(65_536));
    lodger().with("deep.gltf", json).run(&["schedule", "deep.gltf"]).fails_with(&["deep.gltf"]);
}

#[test]
fn encodings_are_told_apart() {
    let folder = lodger().with("scene.toml", format!("\u{feff}{BASE}{CAPE}"));
    folder.run(&["schedule", "scene.toml"]).succeeds();
    assert_rejected("\u{feff}budget_ms = \"x\"", &["scene.toml:1:13"]);
    let folder = lodger().with("scene.toml", format!("{BASE}{CAPE}").replace('\n', "\r\n"));
    folder.run(&["schedule", "scene.toml"]).succeeds();
    assert_rejected(
        format!("{BASE}{CAPE}").replace("radius = 1", "radius = -1").replace('\n', "\r\n"),
        &["scene.toml:12:10"],
    );
    assert_rejected(
        [BASE.as_bytes(), b"# caf\xe9\n"].concat(),
        &[&format!("offset {}", BASE.len() + 5), "line 8"],
    );
    let utf16: Vec<_> =
        format!("\u{feff}{BASE}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    assert_rejected(utf16, &["UTF-16"]);
}

#[test]
fn a_name_cannot_command_the_terminal() {
    let named = CAPE.replace("cape", r"ca\u001b[2Jpe\u009b\n");
    let folder = lodger().with("scene.toml", format!("{BASE}{named}"));
    folder.run(&["schedule", "scene.toml"]).succeeds();
    assert_rejected(format!("{BASE}{named}{named}"), &["two actors"]);
    assert_rejected("budget_ms = \"\u{9b}31m\u{202e}\"", &["scene.toml:1:13"]);
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = lodger();
    folder.run(&["schedule", "nowhere.toml"]).fails_with(&["nowhere.toml", "--print-example"]);
    folder.run(&["schedule", "."]).fails_with(&["cannot read"]);
}
