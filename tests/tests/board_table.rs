//! The table of boards agrees with the features of the programs. `boards.rs` is compiled into three packages, so its tests are
//! here.

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
fn a_board_is_a_row_and_a_feature() {
    #[derive(Deserialize)]
    struct BoardManifest {
        features: BTreeMap<String, Vec<String>>,
    }
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR")).join("../firmware/programs/Cargo.toml");
    let BoardManifest { features } =
        toml::from_str(&fs::read_to_string(manifest).unwrap()).unwrap();
    for board in all().iter().filter(|board| !board.template) {
        let feature = features.get(&board.name).unwrap_or_else(|| panic!("{}", board.name));
        let has = |name: &str| feature.iter().any(|other| other == name);
        assert_eq!(has("emulated"), board.emulated, "{}", board.name);
        assert_eq!(has("rtt"), !board.emulated, "{}", board.name);
    }
}

#[test]
fn an_unknown_name_is_an_error_that_lists_the_boards() {
    let error = named("micro").unwrap_err().to_string();
    assert!(error.contains("micro;") && error.contains("mps2-an505"), "{error}");
}
