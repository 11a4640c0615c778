//! Folders for runs of `lodger`, and scenes to start from.

pub(crate) use lodger_testkit::run::{Case, RunOutput, Sink, TestFolder};

/// A scene without actors.
pub(crate) const BASE: &str = "\
budget_ms = 5
[[view]]
eye = [0, 0, 0]
[[module]]
name = \"cloth\"
unit_cost_ms = 0.001
benefit_value = 3
";

/// An actor for it.
pub(crate) const CAPE: &str = "\
[[actor]]
name = \"cape\"
module = \"cloth\"
position = [1, 2, 3]
radius = 1
work = [0, 10, 20]
";

/// A scene in bytes: two tiles of 0, 40 or 100 kilobytes, and a budget for one and a half.
pub(crate) const TILES: &str = "\
unit = \"byte\"
budget = 140_000
policy = \"optimal\"
[[module]]
name = \"tiles\"
quality = [0, 0.7, 1]
[[actor]]
name = \"near\"
module = \"tiles\"
benefit = 1
work = [0, 40_000, 100_000]
[[actor]]
name = \"far\"
module = \"tiles\"
benefit = 0.5
work = [0, 40_000, 100_000]
";

/// An empty folder for `lodger`.
pub(crate) fn lodger() -> TestFolder {
    #[cfg(unix)]
    lodger_terminal::signals::reset_for_children().expect("handlers");
    TestFolder::new(env!("CARGO_BIN_EXE_lodger"))
}

/// Runs `lodger schedule`.
#[track_caller]
pub(crate) fn schedule(folder: &TestFolder, args: &[&str]) -> RunOutput {
    folder.run(&[&["schedule"], args].concat())
}

/// Asserts that a scene file is refused, with an error that contains all of these parts.
#[track_caller]
pub(crate) fn assert_rejected(scene: impl AsRef<[u8]>, parts: &[&str]) {
    schedule(&lodger().with("scene.toml", scene), &["scene.toml"]).fails_with(parts);
}
