//! Programs that commands need beside cargo. Each is installed only if it is missing, with a line that says so.

use std::path::Path;

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;

/// The option that selects the workspace in secondlife/query, which is built with `DataFusion`.
pub(crate) const GRID_MANIFEST: &str = "--manifest-path secondlife/query/Cargo.toml";

/// A fixed version, so that a new release changes nothing here by itself. Any other that is there will do.
pub(crate) const CARGO_DENY: &str = "0.20.2";
/// The same of mdBook.
const MDBOOK: &str = "0.5.4";

/// Makes `cargo <subcommand>` work, which rustup's `component` brings.
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

/// Makes the standard crates of `target` available, which its builds need.
pub(crate) fn target(steps: &mut Steps, target: &str) -> Result<(), TaskError> {
    let probe = Command::new("rustc").args(&format!("--print target-libdir --target {target}"));
    if steps.ask(&probe).is_some_and(|folder| Path::new(folder.trim()).is_dir()) {
        return Ok(());
    }
    rustup(steps, target, &format!("target add {target}"))
}

/// Makes `cargo deny` work, which checks licences and sources of the dependencies.
///
/// Without optimisation, because cargo-deny's release profile (fat LTO) takes much longer to build
/// than all of its runs would save.
pub(crate) fn cargo_deny(steps: &mut Steps) -> Result<(), TaskError> {
    if steps.ask(&steps.cargo("deny --version")).is_some() {
        return Ok(());
    }
    eprintln!(
        "\nset-up: installs cargo-deny {CARGO_DENY}, which checks the licences of the dependencies"
    );
    let install =
        steps.cargo(&format!("install cargo-deny --version {CARGO_DENY} --locked --debug"));
    steps.install("set-up cargo-deny", &install)
}

/// Makes `mdbook` work, which makes a book of the guide; without its server, its watcher and its search.
pub(crate) fn mdbook(steps: &mut Steps) -> Result<(), TaskError> {
    if steps.ask(&Command::new("mdbook").args("--version")).is_some() {
        return Ok(());
    }
    eprintln!("\nset-up: installs mdbook {MDBOOK}, which builds the guide");
    let install = steps.cargo(&format!(
        "install mdbook --version {MDBOOK} --locked --no-default-features --debug"
    ));
    steps.install("set-up mdbook", &install)
}

/// Makes a program work, which a Debian package of that name brings; it is `missing` where there is no apt-get.
pub(crate) fn from_apt(
    steps: &mut Steps,
    program: &'static str,
    package: &str,
    why: &str,
    missing: TaskError,
) -> Result<(), TaskError> {
    if works(steps, program) { Ok(()) } else { apt(steps, package, why, missing) }
}

/// The step that brings apt-get's lists up to date, once in a run.
const UPDATE: &str = "set-up apt";

/// Installs Debian packages; it is `missing` where there is no apt-get.
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

/// Installs the compilers that lodger-pack needs: meshopt is C++, and `CMake` configures zlib-ng.
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
