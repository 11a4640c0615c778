//! The table of boards agrees with the programs. Its file is a module of three packages, so it has no tests of its own.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use lodger_wire::boards::{Architecture, all, named};
use serde::Deserialize;

#[test]
fn an_emulated_board_has_a_machine_and_a_real_one_a_chip() {
    assert!(all().iter().filter(|board| board.emulated).count() >= 7);
    for board in all() {
        let begins = match board.architecture() {
            Architecture::CortexM => "thumb",
            Architecture::RiscV32 => "riscv32",
        };
        assert!(board.target.starts_with(begins), "{}", board.name);
        assert!(board.machine.is_some() || !board.emulated, "{}", board.name);
        assert!(board.chip.is_some() || board.emulated || board.template, "{}", board.name);
    }
}

#[test]
fn a_board_is_a_row_a_feature_and_a_name_in_a_file() {
    #[derive(Deserialize)]
    struct BoardManifest {
        features: BTreeMap<String, Vec<String>>,
    }
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware/programs");
    let manifest = fs::read_to_string(programs.join("Cargo.toml")).unwrap();
    let BoardManifest { features } = toml::from_str(&manifest).unwrap();
    let source = |path: &Path| fs::read_to_string(path).unwrap();
    let folder = programs.join("src/board");
    let emulated = folder.join("emulated.rs");
    let files = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let real = files.filter(|file| *file != emulated).map(|file| source(&file));
    let real: String = real.filter(|text| text.contains("pub const NAME: ")).collect();
    let emulated = source(&emulated);
    for board in all().iter().filter(|board| !board.template) {
        let feature = features.get(&board.name).unwrap_or_else(|| panic!("{}", board.name));
        let has = |name: &str| feature.iter().any(|other| other == name);
        assert_eq!(has("emulated"), board.emulated, "{}", board.name);
        assert_eq!(has("rtt"), !board.emulated, "{}", board.name);
        // The value of `NAME`, at the end of a line, of a block or of the constant.
        let values = ["\n", " }", ";"].map(|end| format!("\"{}\"{end}", board.name));
        let [is_real, is_emulated] =
            [&real, &emulated].map(|text| values.iter().any(|value| text.contains(value)));
        assert_eq!((is_real, is_emulated), (!board.emulated, board.emulated), "{}", board.name);
    }
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_boards() {
    let error = named("micro").unwrap_err().to_string();
    assert!(error.contains("micro;") && error.contains("mps2-an505"), "{error}");
}
