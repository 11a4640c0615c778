//! Steps: external commands that are announced, timed and listed at the end.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::command::Command;
use crate::failure::Failure;

/// The workspace, the cargo that started us, and what has been run so far.
///
/// Everything said here goes to stderr, as cargo does; stdout belongs to the tools.
pub(crate) struct Steps {
    root: PathBuf,
    cargo: OsString,
    done: Vec<Step>,
}

struct Step {
    name: String,
    took: Duration,
    passed: bool,
}

impl Steps {
    /// The workspace that cargo found us in.
    pub(crate) fn of_workspace() -> Result<Self, Failure> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = manifest_dir.as_deref().and_then(|folder| folder.parent());
        let root = root.ok_or(Failure::NotUnderCargo)?.to_owned();
        let cargo = env::var_os("CARGO").ok_or(Failure::NotUnderCargo)?;
        Ok(Self { root, cargo, done: Vec::new() })
    }

    /// A cargo command, by the same cargo that started us.
    pub(crate) fn cargo(&self, args: &str) -> Command {
        Command::at("cargo", &self.cargo).args(args)
    }

    /// Announces, runs and times a step.
    pub(crate) fn run(&mut self, name: &str, command: &Command) -> Result<(), Failure> {
        eprintln!("\n== {name}: {command}");
        let start = Instant::now();
        let passed = command.passes(&self.root)?;
        self.done.push(Step { name: name.to_owned(), took: start.elapsed(), passed });
        if passed {
            return Ok(());
        }
        Err(Failure::Step { name: name.to_owned(), command: command.to_string() })
    }

    /// Announces and times work that is no external command.
    pub(crate) fn work<T>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        eprintln!("\n== {name}");
        let start = Instant::now();
        let outcome = work();
        let passed = outcome.is_ok();
        self.done.push(Step { name: name.to_owned(), took: start.elapsed(), passed });
        outcome
    }

    /// The workspace's folder.
    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// What a command prints, quietly; nothing where it fails or does not exist.
    pub(crate) fn ask(&self, command: &Command) -> Option<String> {
        command.output(&self.root)
    }
}

impl fmt::Display for Steps {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.done.iter().map(|step| step.name.len());
        let width = names.max().unwrap_or(0).max("total".len());
        for Step { name, took, passed } in &self.done {
            let outcome = if *passed { "" } else { "  FAILED" };
            writeln!(f, "{name:width$} {:8.1} s{outcome}", took.as_secs_f64())?;
        }
        let total: Duration = self.done.iter().map(|step| step.took).sum();
        writeln!(f, "{:width$} {:8.1} s", "total", total.as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::{Step, Steps};
    use std::time::Duration;

    #[test]
    fn the_table_lists_every_step_and_the_sum() {
        let step = |name: &str, millis, passed| Step {
            name: name.to_owned(),
            took: Duration::from_millis(millis),
            passed,
        };
        let done = vec![step("fmt", 800, true), step("clippy", 21_200, false)];
        let steps = Steps { root: "".into(), cargo: "cargo".into(), done };
        assert_eq!(
            steps.to_string(),
            "fmt         0.8 s\nclippy     21.2 s  FAILED\ntotal      22.0 s\n"
        );
    }
}
