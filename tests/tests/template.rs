//! `firmware/template` has the memory, the target and the chip of each board, and docs/firmware.md shows its lines. The example
//! `template` builds and runs it.

use std::fs;
use std::path::{Path, PathBuf};

use lodger_testkit::template::{TemplateValues, boards, render};
use lodger_wire::boards::{BoardEntry, all, named};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the workspace")
}

fn template() -> PathBuf {
    root().join("firmware/template")
}

/// Renders the template, and returns its files by their names.
fn rendered(lodger: &str, board: &str) -> impl Fn(&str) -> Option<String> {
    let folder = tempfile::tempdir().expect("a folder");
    render(&template(), &TemplateValues { project_name: "frames", lodger, board }, folder.path());
    move |name| fs::read_to_string(folder.path().join(name)).ok()
}

#[test]
fn the_template_has_the_memory_the_target_and_the_chip_of_each_board() {
    let boards = boards(&template());
    for row in all().iter().filter(|row| row.template) {
        assert!(boards.contains(&row.name), "{} is no choice of the template", row.name);
    }
    for board in boards {
        let BoardEntry { target, chip, emulated, flash, ram, .. } = named(&board).expect("a row");
        let file = rendered("/lodger", &board);
        let config = file(".cargo/config.toml").expect("settings of cargo");
        let settings: toml::Table = toml::from_str(&config).expect("valid TOML");
        assert_eq!(settings["build"]["target"].as_str(), Some(target.as_str()), "{board}");
        let runner = match chip.as_ref().filter(|_| !emulated) {
            Some(chip) => format!(" --chip {chip}\""),
            None if *emulated => format!(" -machine {board} "),
            None => "\"espflash ".to_owned(),
        };
        assert!(config.contains(&runner), "{board}: {runner} in {config}");
        for (region, memory) in [("FLASH", flash), ("RAM", ram)] {
            let line = format!(
                "  {region} : ORIGIN = {:#010x}, LENGTH = {:#x}\n",
                memory.origin, memory.length
            );
            let script = file("memory.x");
            // esp-hal has the memory of an ESP32.
            assert_eq!(script.is_some(), !board.starts_with("esp32"), "{board}");
            assert!(script.is_none_or(|script| script.contains(&line)), "{board}: {line}");
        }
        let manifest: toml::Table = file("Cargo.toml").expect("a manifest").parse().expect("TOML");
        let path = &manifest["dependencies"]["lodger-heapless"]["path"];
        assert_eq!(path.as_str(), Some("/lodger/scheduler/heapless"), "{board}");
    }
}

#[test]
fn the_page_of_firmware_shows_lines_of_the_template() {
    let page = fs::read_to_string(root().join("docs/firmware.md")).expect("a page");
    let files: Vec<_> = ["mps2-an386", "microbit-v1"]
        .into_iter()
        .flat_map(|board| {
            let file = rendered("https://example.com/lodger", board);
            ["Cargo.toml", ".cargo/config.toml"].map(|name| file(name).expect("a file"))
        })
        .collect();
    let is_in = |line: &str| files.iter().any(|file| file.lines().any(|other| other == line));
    let blocks: Vec<_> = page.split("```toml\n").skip(1).collect();
    assert!(blocks.len() >= 2, "the page has the settings");
    let lines = blocks.iter().flat_map(|block| block.lines().take_while(|line| *line != "```"));
    for line in lines {
        assert!(is_in(line), "no file of the template has the line {line}");
    }
}
