//! Errors in TOML scenes: one message each, with its place and the allowed values.

use lodger_testkit::SplitMix64;

use crate::run::{BASE, CAPE, TILES, assert_rejected, lodger};

fn scene(from: &str, to: &str) -> String {
    let text = format!("{BASE}{CAPE}");
    assert!(text.contains(from), "the scene has no {from:?}");
    text.replacen(from, to, 1)
}

#[test]
fn each_error_has_its_place_and_its_help() {
    let mut scene = String::new();
    let lines = include_str!("scene_errors.txt").lines();
    for line in lines.filter(|line| !line.is_empty() && !line.starts_with('#')) {
        match line {
            "[time]" => scene = format!("{BASE}{CAPE}"),
            "[units]" => TILES.clone_into(&mut scene),
            _ => {
                println!("{line}");
                let mut fields = line.split('|').map(|field| field.trim().replace("\\n", "\n"));
                let (from, to) = (fields.next().expect("a text"), fields.next().expect("another"));
                let text = if from == "$" {
                    format!("{scene}{to}")
                } else {
                    assert!(scene.contains(&from), "the scene has no {from:?}");
                    scene.replacen(&from, &to, 1)
                };
                let parts: Vec<_> = fields.collect();
                assert_rejected(text, &parts.iter().map(String::as_str).collect::<Vec<_>>());
            }
        }
    }
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
    assert_rejected(
        format!("budget_ms = 1\n{CAPE}"),
        &["no module called `cloth`", "add a [[module]]"],
    );
    let levels = format!("{:?}", (0..257).collect::<Vec<_>>());
    assert_rejected(scene("[0, 10, 20]", &levels), &["257 LODs", "256"]);
}

#[test]
fn values_near_a_limit_are_read() {
    let weights = "benefit_value = 3\nweights = { distance = 0.5, age = 0.4995 }\nmax_age = 3";
    let folder = lodger()
        .with("weights.toml", scene("benefit_value = 3", weights))
        .with("forced.toml", format!("{BASE}{CAPE}force_lod = 7.5\n"));
    folder.run(&["schedule", "weights.toml"]).succeeds();
    let outcome = folder.run(&["schedule", "forced.toml"]).succeeds();
    assert!(outcome.stderr.contains("warning: `force_lod` 7.5 is outside"), "{}", outcome.stderr);
}

#[test]
fn an_invalid_position_is_a_warning() {
    let actors: String = (0..9).map(|i| CAPE.replace("cape", &format!("cape {i}"))).collect();
    let folder = lodger()
        .with("scene.toml", format!("{BASE}{}", actors.replace("[1, 2, 3]", "[1, nan, -inf]")));
    let outcome = folder.run(&["schedule", "scene.toml"]).succeeds();
    assert!(outcome.stderr.contains("quarantined"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("scene.toml:11:12"), "{}", outcome.stderr);
    assert!(outcome.stderr.contains("4 more warnings"), "{}", outcome.stderr);
}

#[test]
fn options_supply_missing_values() {
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

#[test]
fn noise_is_no_scene() {
    assert_rejected(SplitMix64::new(1).noise(65_536), &["scene.toml", "not UTF-8", "offset"]);
    let letters: Vec<_> =
        SplitMix64::new(1).noise(65_536).into_iter().map(|b| 36 + b % 90).collect();
    assert_rejected(letters, &["scene.toml:1:"]);
    let controls: Vec<_> = SplitMix64::new(1).noise(65_536).into_iter().map(|b| b % 32).collect();
    assert_rejected(controls, &["scene.toml:"]);
    let glb = [b"glTF".to_vec(), SplitMix64::new(1).noise(65_536)].concat();
    for (name, bytes) in [("scene.glb", glb), ("scene.gltf", SplitMix64::new(1).noise(65_536))] {
        let folder = lodger().with(name, bytes);
        folder.run(&["schedule", name]).fails_with(&[name]);
    }
}

#[test]
fn an_empty_file_names_the_missing_tables() {
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
fn encodings_are_detected() {
    let folder = lodger().with("scene.toml", format!("\u{feff}{BASE}{CAPE}"));
    folder.run(&["schedule", "scene.toml"]).succeeds();
    assert_rejected("\u{feff}budget_ms = \"x\"", &["scene.toml:1:13"]);
    let folder = lodger().with("scene.toml", format!("{BASE}{CAPE}").replace('\n', "\r\n"));
    folder.run(&["schedule", "scene.toml"]).succeeds();
    let broken = scene("radius = 1", "radius = -1").replace('\n', "\r\n");
    assert_rejected(broken, &["scene.toml:12:10"]);
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
fn unreadable_scenes_are_reported() {
    let folder = lodger();
    folder.run(&["schedule", "nowhere.toml"]).fails_with(&["nowhere.toml", "--print-example"]);
    folder.run(&["schedule", "."]).fails_with(&["cannot read"]);
}
