//! The tests of `lodger-board`: the real program and real probe-rs, against boards that are emulated
//! behind an emulated debug probe.

use std::path::Path;

use crate::failure::Failure;
use crate::steps::Steps;
use crate::{boards, qemu};

/// The variable that tells the tests where the programs are: a folder for each board.
const PROGRAMS: &str = "LODGER_BOARD_PROGRAMS";
/// Boards that QEMU has and probe-rs can attach to, and the feature that their programs need besides.
const BOARDS: [(&str, Option<&str>); 2] = [("microbit-v1", None), ("mps2-an386", Some("rtt"))];
/// What the tests run on them.
const RUN: [&str; 4] = ["conform", "decide", "demo", "panics"];

/// Builds the programs and runs the tests.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    qemu::install_boards(steps)?;
    // As all tests are built, so that nothing is built anew.
    let mut test = steps.cargo("test --workspace --all-features --locked --test boards");
    for (board, feature) in BOARDS {
        let built = boards::build_with(steps, boards::named(board)?, feature, &RUN)?;
        let folder = built.parent().unwrap_or(Path::new("."));
        test = test.env(PROGRAMS, folder.display().to_string());
    }
    steps.run("boards behind an emulated probe", &test)
}
