mod agreement;
#[cfg(target_os = "linux")]
mod hostile;
mod mistakes;

use std::fs;

use lodger_testkit::run::{Case, RunOutput, TestFolder};
use serde_json::Value;

use crate::models::{nine_material_cube, soup, sphere};

fn lodger_pack() -> TestFolder {
    #[cfg(unix)]
    lodger_terminal::signals::reset_for_children().expect("handlers");
    TestFolder::new(env!("CARGO_BIN_EXE_lodger-pack"))
}

trait Packs {
    /// Asserts that assets were written, with or without warnings of lint, and that stderr is
    /// empty.
    fn packs(self) -> Self;
}

impl Packs for RunOutput {
    #[track_caller]
    fn packs(self) -> Self {
        assert!(
            matches!(self.code, Some(0 | 1)),
            "{:?}\n{}{}",
            self.code,
            self.stdout,
            self.stderr
        );
        assert_eq!(self.stderr, "");
        self
    }
}

fn files_of(name: &str) -> Vec<String> {
    let endings = [".glb", ".llmesh", "_LOD0.glb", "_LOD1.glb", "_LOD2.glb", "_PHYS.glb"];
    endings.iter().map(|ending| format!("{name}{ending}")).collect()
}

#[test]
fn help_teaches() {
    let folder = lodger_pack();
    let long = folder.run(&["--help"]).succeeds().stdout;
    for part in [
        "Usage: lodger pack [OPTIONS] --output <DIR> <MODEL>...",
        "NAME_LOD0.glb, NAME_LOD1.glb, NAME_LOD2.glb",
        "lodger pack chair.glb --land-impact 1",
        "Exit codes:",
    ] {
        assert!(long.contains(part), "no {part:?} in:\n{long}");
    }
    let own = include_str!("../../src/program/help.txt");
    assert!(own.lines().all(|line| line.chars().count() < 80), "clap breaks what is longer");
    let short = folder.run(&["-h"]).succeeds().stdout;
    assert!(short.len() < long.len() && short.contains("--land-impact <N>"), "{short}");
    assert!(folder.run(&["--version"]).succeeds().stdout.starts_with("lodger pack "));
    // Without arguments it shows its usage.
    assert_eq!(folder.run(&[]).code, Some(2));
}

#[test]
fn everything_is_written_into_a_folder_that_is_made() {
    let folder = lodger_pack().with("sphere.glb", sphere(0.5, 12).glb());
    let said = folder.run(&["sphere.glb", "--output", "out", "--report", "out/look.html"]).packs();
    assert!(said.stdout.contains("sphere: 1 object in out\nLand impact "), "{}", said.stdout);
    let mut expected = files_of("sphere");
    expected.push("look.html".to_owned());
    expected.sort();
    assert_eq!(folder.files_in("out"), expected);
    assert_eq!(folder.files_in("."), ["out", "sphere.glb"]);
}

#[test]
fn a_copied_level_is_a_note_and_no_fault() {
    let folder = lodger_pack().with("sphere.glb", sphere(0.5, 6).glb());
    let said = folder.run(&["sphere.glb", "--output", "out", "--land-impact", "50"]).succeeds();
    let note = "\nnote: lowest_lod, low_lod, medium_lod: the same as the level above";
    assert!(said.stdout.contains(note), "{}", said.stdout);
}

#[test]
fn existing_files_stay_without_force() {
    let folder = lodger_pack().with("sphere.glb", sphere(0.5, 12).glb());
    folder.run(&["sphere.glb", "--output", "out"]).packs();
    let asset = folder.path("out/sphere.llmesh");
    fs::write(&asset, "mine").expect("a file");
    let again = folder.run(&["sphere.glb", "--output", "out"]);
    again.fails_with(&["sphere.llmesh` is there already, and so are 5 more files", "--force"]);
    assert_eq!(fs::read(&asset).expect("a file"), b"mine");
    folder.run(&["sphere.glb", "--output", "out", "--force"]).packs();
    assert!(fs::read(&asset).expect("a file").len() > 100);
    assert_eq!(folder.files_in("out"), files_of("sphere"));
}

#[test]
fn the_same_is_made_on_any_number_of_threads() {
    let folder = lodger_pack().with("cube.glb", nine_material_cube().glb());
    for (threads, out) in [("1", "one"), ("3", "three")] {
        // The report has all candidates and all pictures.
        let report = format!("{out}/look.html");
        let case = Case::of_args(["cube.glb", "--output", out, "--report", &report]);
        folder.run_case(&case.env("RAYON_NUM_THREADS", threads)).packs();
    }
    assert_eq!(folder.files_in("one"), folder.files_in("three"));
    assert!(folder.files_in("one").contains(&"look.html".to_owned()));
    for name in folder.files_in("one") {
        let bytes = |folder_of: &str| fs::read(folder.path(folder_of).join(&name)).expect("a file");
        assert!(bytes("one") == bytes("three"), "{name}");
    }
}

#[test]
fn a_file_of_physics_is_taken_as_it_is() {
    let folder = lodger_pack()
        .with("ball.glb", sphere(0.5, 12).glb())
        .with("coarse.glb", sphere(0.5, 3).glb());
    let arguments = ["ball.glb", "--output", "out", "--physics", "coarse.glb", "--format", "json"];
    let said = folder.run(&arguments).packs();
    let said: Value = serde_json::from_str(&said.stdout).expect("JSON");
    assert_eq!(said["objects"][0]["physics"]["triangles"], 24, "{said}");
}

#[test]
fn more_work_than_a_model_may_take_is_refused() {
    let folder = lodger_pack().with("soup.glb", soup(500).glb());
    let refused = folder.run(&["soup.glb", "--output", "out", "--work", "5"]);
    refused.fails_with(&["`soup.glb` needs more than 5 million units of work", "raise --work"]);
    assert_eq!(folder.files_in("."), ["soup.glb"]);
}

/// Whenever the signal comes, either all files are written or none.
#[cfg(unix)]
#[test]
fn an_interrupt_leaves_all_or_nothing() {
    use std::time::Duration;

    let folder = lodger_pack().with("sphere.glb", sphere(0.5, 40).glb());
    for wait in [0, 30, 200, 600] {
        let _ = fs::remove_dir_all(folder.path("out"));
        let case = Case::new("sphere.glb --output out").signal("INT", Duration::from_millis(wait));
        folder.run_unchecked(&case);
        let expected = if folder.path("out").exists() { files_of("sphere") } else { Vec::new() };
        assert_eq!(folder.files_in("out"), expected, "after {wait} ms");
    }
}
