//! `cargo xtask report`: the page of a packed model, in headless Chromium.

use crate::boards::target_folder;
use crate::command::Command;
use crate::failure::Failure;
use crate::steps::Steps;
use crate::{tools, web};

/// Where the tests of lodger-pack leave a page, in the target folder.
const PAGE: &str = "tmp/report.html";

/// Makes a page by a test that packs a model, and looks at it in light and dark colours, wide and narrow.
pub(crate) fn run(steps: &mut Steps) -> Result<(), Failure> {
    tools::for_packing(steps)?;
    web::browsers(steps)?;
    // As all tests are built, so that nothing is built anew.
    let test = steps.cargo("test --workspace --all-features --locked --test pack page::");
    steps.run("report", &test)?;
    let page = target_folder(steps)?.join(PAGE);
    let script = steps.root().join("grid/pack/tests/report.mjs");
    let show = Command::new("node").env("LODGER_REPORT", page.to_string_lossy());
    steps.run("report in Chromium", &show.arg(script.to_string_lossy()))
}
