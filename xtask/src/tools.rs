//! Installs the programs that commands need beside cargo, if they are missing.

use std::path::Path;

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;

pub(crate) const GRID_MANIFEST: &str = "--manifest-path secondlife/query/Cargo.toml";

/// The version that is installed unless there is another.
pub(crate) const CARGO_DENY: &str = "0.20.2";
const MDBOOK: &str = "0.5.4";

/// Adds the component of rustup that brings `cargo <subcommand>`.
pub(crate) fn component(
    steps: &mut Steps,
    component: &str,
    subcommand: &str,
) -> Result<(), TaskError> {
    let probe = steps.cargo(&format!("{subcommand} --version"));
    if steps.ask(&probe).is_some() {
        return Ok(());
    }
    rustup(steps, component, &format!("component add {component}"))
}

pub(crate) fn target(steps: &mut Steps, target: &str) -> Result<(), TaskError> {
    let probe = Command::new("rustc").args(&format!("--print target-libdir --target {target}"));
    if steps.ask(&probe).is_some_and(|folder| Path::new(folder.trim()).is_dir()) {
        return Ok(());
    }
    rustup(steps, target, &format!("target add {target}"))
}

pub(crate) fn cargo_deny(steps: &mut Steps) -> Result<(), TaskError> {
    let probe = steps.cargo("deny --version");
    let why = "which checks the licences of the dependencies";
    cargo_install(steps, &probe, ["cargo-deny", CARGO_DENY], why, "")
}

/// Installs mdBook without server, watcher and search.
pub(crate) fn mdbook(steps: &mut Steps) -> Result<(), TaskError> {
    let probe = Command::new("mdbook").args("--version");
    let why = "which builds the guide";
    cargo_install(steps, &probe, ["mdbook", MDBOOK], why, "--no-default-features")
}

/// Installs a program with its version unless `probe` succeeds; without optimisation, because a release build takes longer
/// than all runs save.
fn cargo_install(
    steps: &mut Steps,
    probe: &Command,
    [name, version]: [&str; 2],
    why: &str,
    options: &str,
) -> Result<(), TaskError> {
    if steps.ask(probe).is_some() {
        return Ok(());
    }
    eprintln!("\nset-up: installs {name} {version}, {why}");
    let install =
        steps.cargo(&format!("install {name} --version {version} --locked {options} --debug"));
    steps.install(&format!("set-up {name}"), &install)
}

/// Installs a Debian package unless `program` works; fails with `missing` if there is no apt-get.
pub(crate) fn from_apt(
    steps: &mut Steps,
    program: &'static str,
    package: &str,
    why: &str,
    missing: TaskError,
) -> Result<(), TaskError> {
    if works(steps, program) { Ok(()) } else { apt(steps, package, why, missing) }
}

const UPDATE: &str = "set-up apt";

/// Installs Debian packages; fails with `missing` if there is no apt-get.
pub(crate) fn apt(
    steps: &mut Steps,
    packages: &str,
    why: &str,
    missing: TaskError,
) -> Result<(), TaskError> {
    if !works(steps, "apt-get") {
        return Err(missing);
    }
    eprintln!("\nset-up: installs {packages} through apt-get, {why}");
    let apt = |args| Command::new("apt-get").args(args);
    if !steps.has_run(UPDATE) {
        steps.install(UPDATE, &apt("update --quiet"))?;
    }
    let install = format!("install --yes --quiet --no-install-recommends {packages}");
    steps.install(&format!("set-up {packages}"), &apt(&install))
}

/// Installs compilers for lodger-pack: meshopt is C++, and `CMake` configures zlib-ng.
pub(crate) fn for_packing(steps: &mut Steps) -> Result<(), TaskError> {
    let needed = [
        ("gcc", "gcc", "which compiles zlib-ng for lodger-pack"),
        ("g++", "g++", "which compiles meshopt for lodger-pack"),
        ("cmake", "cmake make", "which configures zlib-ng for lodger-pack"),
    ];
    needed.into_iter().try_for_each(|(program, package, why)| {
        from_apt(steps, program, package, why, TaskError::NoProgram(program))
    })
}

fn works(steps: &Steps, program: &'static str) -> bool {
    steps.ask(&Command::new(program).args("--version")).is_some()
}

fn rustup(steps: &mut Steps, what: &str, args: &str) -> Result<(), TaskError> {
    if steps.ask(&Command::new("rustup").args("--version")).is_none() {
        return Err(TaskError::NoRustup(what.to_owned()));
    }
    eprintln!("\nset-up: adds {what} to the toolchain in use, because a check below needs it");
    steps.install(&format!("set-up {what}"), &Command::new("rustup").args(args))
}
