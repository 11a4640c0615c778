//! Files that are no scenes: one clear error each, quickly.

use crate::run::{BASE, CAPE, Folder, refuse};

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
    refuse(noise(65_536), &["scene.toml", "not UTF-8", "offset"]);
    let letters: Vec<_> = noise(65_536).into_iter().map(|b| 32 + b % 95).collect();
    refuse(letters, &["scene.toml:1:"]);
    let controls: Vec<_> = noise(65_536).into_iter().map(|b| b % 32).collect();
    refuse(controls, &["scene.toml:"]);
    let glb = [b"glTF".to_vec(), noise(65_536)].concat();
    for (name, bytes) in [("scene.glb", glb), ("scene.gltf", noise(65_536))] {
        let folder = Folder::new().with(name, bytes);
        folder.schedule(&[name]).refused(&[name]);
    }
}

#[test]
fn an_empty_file_is_told_what_it_lacks() {
    refuse("", &["scene.toml", "no `budget_ms`"]);
    let folder = Folder::new().with("scene.toml", "");
    let outcome = folder.schedule(&["scene.toml", "--budget-ms", "0"]).succeeded();
    assert!(outcome.stderr.contains("note: the scene has no actors"), "{}", outcome.stderr);
    for name in ["scene.glb", "scene.gltf"] {
        Folder::new().with(name, "").schedule(&[name]).refused(&[name]);
    }
}

#[test]
fn a_million_unknown_keys_are_one_error() {
    let keys: Vec<_> = (0..1_000_000).map(|i| format!("key{i} = 1\n")).collect();
    refuse(keys.concat(), &["unknown key `key0`", "scene.toml:1:1"]);
}

#[test]
fn a_line_of_64_kb_is_clipped() {
    for text in [
        format!("budget_ms = 5; {}", "x".repeat(65_536)),
        format!("\"{}\" = 1", "k".repeat(65_536)),
        format!("budget_ms = 5\nview = [{}3]", "{ eye = [0, 0, 0] }, ".repeat(3_000)),
    ] {
        let folder = Folder::new().with("scene.toml", text);
        let outcome = folder.schedule(&["scene.toml"]).refused(&["scene.toml:"]);
        assert!(outcome.stderr.len() < 2_000, "{}", outcome.stderr);
    }
}

#[test]
fn nesting_has_an_end() {
    refuse(format!("a = {}", "[".repeat(65_536)), &["scene.toml:1:"]);
    refuse(format!("{}a = 1", "a.".repeat(32_768)), &["scene.toml", "nested"]);
    let json = format!("{{\"scenes\":{}", "[".repeat(65_536));
    Folder::new().with("deep.gltf", json).schedule(&["deep.gltf"]).refused(&["deep.gltf"]);
}

#[test]
fn encodings_are_told_apart() {
    let folder = Folder::new().with("scene.toml", format!("\u{feff}{BASE}{CAPE}"));
    folder.schedule(&["scene.toml"]).succeeded();
    refuse("\u{feff}budget_ms = \"x\"", &["scene.toml:1:13"]);
    let folder = Folder::new().with("scene.toml", format!("{BASE}{CAPE}").replace('\n', "\r\n"));
    folder.schedule(&["scene.toml"]).succeeded();
    refuse(
        format!("{BASE}{CAPE}").replace("radius = 1", "radius = -1").replace('\n', "\r\n"),
        &["scene.toml:12:10"],
    );
    refuse(
        [BASE.as_bytes(), b"# caf\xe9\n"].concat(),
        &[&format!("offset {}", BASE.len() + 5), "line 8"],
    );
    let utf16: Vec<_> =
        format!("\u{feff}{BASE}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    refuse(utf16, &["UTF-16"]);
}

#[test]
fn a_name_cannot_command_the_terminal() {
    let named = CAPE.replace("cape", r"ca\u001b[2Jpe\u009b\n");
    let folder = Folder::new().with("scene.toml", format!("{BASE}{named}"));
    let outcome = folder.schedule(&["scene.toml"]).succeeded();
    crate::run::assert_harmless(&outcome.stdout);
    refuse(format!("{BASE}{named}{named}"), &["two actors"]);
    refuse("budget_ms = \"\u{9b}31m\u{202e}\"", &["scene.toml:1:13"]);
}

#[test]
fn what_cannot_be_read_is_said() {
    let folder = Folder::new();
    folder.schedule(&["nowhere.toml"]).refused(&["nowhere.toml", "--print-example"]);
    folder.schedule(&["."]).refused(&["cannot read"]);
}
