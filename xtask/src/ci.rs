//! `cargo xtask ci`: the checks before a change lands, in parts that also run alone.

use clap::{Args, ValueEnum};

use crate::error::TaskError;
use crate::steps::Steps;
use crate::{board_checks, c, callgrind, dist, instructions, licences, lint, packages, tasks, web};

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CiPart {
    /// Formatting, builds without std, clippy on every target and on a board of each kind, rustdoc.
    Lint,
    /// Packages as they would be published, the oldest Rust, licences of all dependencies.
    Packages,
    /// The tests of all packages, bad input, the page of a packed model, and instructions of a tick.
    Test,
    /// The C library and the ES module, in the languages and browsers that use them.
    Bindings,
    /// Programs for boards: conformance, panics, faults, logs, on-device tests, examples, instructions.
    Boards,
    /// Before a release: all boards, long conformance, cargo-deny, and an archive by `dist`.
    Deep,
}

impl CiPart {
    /// The parts of a run that names none.
    pub(crate) const DEFAULT: [Self; 5] =
        [Self::Lint, Self::Packages, Self::Test, Self::Bindings, Self::Boards];

    /// The part's name, and its checks from cheap to expensive.
    const fn content(self) -> (&'static str, &'static [Check]) {
        match self {
            Self::Lint => ("lint", LINT),
            Self::Test => ("test", TEST),
            Self::Boards => ("boards", BOARDS),
            Self::Bindings => ("bindings", BINDINGS),
            Self::Packages => ("packages", PACKAGES),
            Self::Deep => ("deep", DEEP),
        }
    }
}

/// The options of `cargo xtask ci`.
#[derive(Args)]
pub(crate) struct CiOptions {
    /// The parts to run, in this order; without any, all parts but `deep`.
    #[arg(value_enum, value_name = "PART")]
    parts: Vec<CiPart>,
    /// Print the checks of these parts, or of all parts, and run nothing.
    #[arg(long)]
    list: bool,
}

/// A name, a text for `--list`, and the function that runs the steps.
type Check = (&'static str, &'static str, fn(&mut Steps) -> Result<(), TaskError>);

const LINT: &[Check] = &[
    ("format", "rustfmt in both workspaces", lint::format),
    ("no-std", "core and heapless without std, with each of their features", lint::no_std),
    ("clippy", "every target of the workspace, and the fuzz targets", lint::clippy),
    ("clippy-boards", "a board of each kind, and the examples of firmware", lint::clippy_boards),
    ("doc", "rustdoc without warnings", lint::doc),
];

const PACKAGES: &[Check] = &[
    ("licences", "licences and sources of all dependencies, lock files", licences::check),
    ("package", "builds of what would be published", packages::run),
    ("msrv", "core, heapless and scheduler with the Rust that they promise", packages::msrv),
];

const TEST: &[Check] = &[
    ("tests", "unit, integration and doc tests of all packages", tasks::test_workspace),
    ("report", "the page of a packed model in Chromium", tasks::report),
    ("callgrind", "instructions of a tick by policy", |steps| callgrind::run(steps, false)),
    #[cfg(target_os = "linux")]
    ("hostile", "random bad input for the release build, with a new seed", crate::hostile::short),
];

const BINDINGS: &[Check] = &[
    ("c", "C, C++, Python, C#, valgrind, sanitizers, s390x", c::test),
    ("web", "Node, Chromium and TypeScript", web::test),
];

const BOARDS: &[Check] = &[
    ("build", "all programs of emulated boards", board_checks::build),
    ("conform", "the host's bits on eleven targets, 500 vectors each", board_checks::conform_short),
    ("panics", "no panics, no allocation, no 128 bits", board_checks::panics),
    ("faults", "the message of a fault", board_checks::faults),
    ("on-target", "stored logs and on-device tests in QEMU", board_checks::on_target),
    ("link", "all programs of two real boards", |steps| board_checks::link(steps, true)),
    ("examples", "other people's firmware in QEMU", board_checks::examples),
    ("probe", "lodger board behind an emulated debug probe", board_checks::probe),
    ("instructions", "instructions and bytes", |steps| instructions::run(steps, false)),
];

const DEEP: &[Check] = &[
    ("cargo-deny", "licences and sources by cargo-deny, installed", licences::cargo_deny),
    ("clippy-boards", "the boards that `lint` leaves out", lint::clippy_other_boards),
    ("link", "real boards that `boards` leaves out", |steps| board_checks::link(steps, false)),
    ("template", "the firmware template for every board", board_checks::template),
    ("conform", "6 000 vectors on each Cortex-M", board_checks::conform_long),
    ("dist", "an archive of the release programs", |steps| dist::run(steps, false)),
];

pub(crate) fn run(steps: &mut Steps, options: &CiOptions) -> Result<(), TaskError> {
    let CiOptions { parts, list } = options;
    if *list {
        let parts = if parts.is_empty() { CiPart::value_variants() } else { parts };
        for (part, checks) in parts.iter().map(|part| part.content()) {
            for (name, about, _) in checks {
                println!("{part:9} {name:14} {about}");
            }
        }
        return Ok(());
    }
    run_parts(steps, if parts.is_empty() { &CiPart::DEFAULT } else { parts })
}

pub(crate) fn run_parts(steps: &mut Steps, parts: &[CiPart]) -> Result<(), TaskError> {
    for (part, checks) in parts.iter().map(|part| part.content()) {
        steps.enter(part);
        checks.iter().try_for_each(|(_, _, run)| run(steps))?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use clap::ValueEnum as _;

    use super::CiPart;

    fn workflow() -> String {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
        fs::read_to_string(root.join(".github/workflows/ci.yml")).unwrap()
    }

    #[test]
    fn every_part_has_checks_with_names_of_their_own() {
        for part in CiPart::value_variants() {
            let (name, checks) = part.content();
            assert_eq!(part.to_possible_value().unwrap().get_name(), name);
            let mut names: Vec<_> = checks.iter().map(|(name, ..)| name).collect();
            let all = names.len();
            names.sort_unstable();
            names.dedup();
            assert!(all > 0 && names.len() == all, "{part:?}: {names:?}");
            assert_eq!(CiPart::DEFAULT.contains(part), *part != CiPart::Deep);
        }
    }

    #[test]
    fn the_hosted_workflow_runs_the_same_parts() {
        let workflow = workflow();
        let lists: Vec<_> = workflow
            .lines()
            .filter_map(|line| line.trim().strip_prefix("part: [")?.strip_suffix(']'))
            .collect();
        let mut listed: Vec<_> = lists.iter().flat_map(|list| list.split(", ")).collect();
        let mut parts = CiPart::DEFAULT.map(|part| part.content().0);
        listed.sort_unstable();
        parts.sort_unstable();
        assert_eq!(listed, parts);
        for command in ["xtask ci ${{ matrix.part }}", "xtask ci deep"] {
            assert!(workflow.contains(command), "{command}");
        }
    }

    #[test]
    fn the_hosted_workflow_checks_advisories_of_both_workspaces_with_our_cargo_deny() {
        let workflow = workflow();
        let version = format!("cargo-deny --version {} ", crate::tools::CARGO_DENY);
        assert!(workflow.contains(&version), "{version}");
        let advisories: Vec<_> =
            workflow.lines().filter(|line| line.ends_with("check advisories")).collect();
        let of_grid = advisories.iter().filter(|line| line.contains(crate::tools::GRID_MANIFEST));
        assert_eq!((advisories.len(), of_grid.count()), (2, 1));
    }
}
