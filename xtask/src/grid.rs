//! `cargo xtask test --grid`: checks and tests of the workspace in secondlife/query.
//!
//! All steps use the dev profile and one target folder, so that the 400 dependencies are checked once and built once.

use std::path::{Path, PathBuf};

use crate::command::Command;
use crate::error::TaskError;
use crate::steps::Steps;
use crate::tools::{self, GRID_MANIFEST};
use crate::{licences, lint, packages};

/// Debian's `PostgreSQL`, which is not on PATH.
const POSTGRESQL: &str = "/usr/lib/postgresql";

pub(crate) fn run(steps: &mut Steps) -> Result<(), TaskError> {
    eprintln!(
        "\nset-up: DataFusion, Arrow and Ballista are built for this, which takes half an hour the first time; \
         the tests start PostgreSQL and MariaDB, which are installed if they are missing"
    );
    servers(steps)?;
    tools::component(steps, "clippy", "clippy")?;
    lint::format(steps)?;
    licences::check(steps)?;
    let cargo = InTarget::of(steps)?;
    let clippy = cargo.command(steps, "clippy", "--workspace --all-targets --all-features");
    steps.run("grid: clippy", &clippy.args("-- -D warnings"))?;
    let doc = cargo.command(steps, "doc", "--workspace --no-deps --all-features");
    steps.run("grid: doc", &doc.env("RUSTDOCFLAGS", "-D warnings"))?;
    packages::of_grid(steps, &cargo.0)?;
    let test = cargo.command(steps, "test", "--workspace --all-features");
    steps.run("grid: test", &test)
}

struct InTarget(PathBuf);

impl InTarget {
    fn of(steps: &Steps) -> Result<Self, TaskError> {
        Ok(Self(steps.target_folder()?.join("grid")))
    }

    fn command(&self, steps: &Steps, subcommand: &str, args: &str) -> Command {
        let cargo = steps.cargo(&format!("{subcommand} {GRID_MANIFEST} --locked --target-dir"));
        cargo.arg(self.0.to_string_lossy()).args(args)
    }
}

fn servers(steps: &mut Steps) -> Result<(), TaskError> {
    let postgres = Command::new("postgres").args("--version");
    if steps.ask(&postgres).is_none() && !has_server(Path::new(POSTGRESQL)) {
        let why = "which the tests of lodger-grid read tables from";
        tools::apt(steps, "postgresql", why, TaskError::NoProgram("postgres"))?;
    }
    let why = "whose MariaDB the tests of lodger-grid read tables from";
    tools::from_apt(steps, "mariadbd", "mariadb-server", why, TaskError::NoProgram("mariadbd"))
}

fn has_server(folder: &Path) -> bool {
    let versions = folder.read_dir().into_iter().flatten().flatten();
    versions.into_iter().any(|version| version.path().join("bin/postgres").is_file())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::has_server;

    #[test]
    fn a_server_needs_its_program() {
        let folder = tempfile::tempdir().unwrap();
        assert!(!has_server(&folder.path().join("none")));
        fs::create_dir_all(folder.path().join("15/bin")).unwrap();
        assert!(!has_server(folder.path()));
        fs::write(folder.path().join("15/bin/postgres"), "").unwrap();
        assert!(has_server(folder.path()));
    }
}
