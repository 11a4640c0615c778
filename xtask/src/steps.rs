//! Steps: external commands, announced, timed and listed at the end.

use std::env;
use std::ffi::OsString;
use std::fmt;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::command::Command;
use crate::error::TaskError;

/// The locked file in the target folder while something is installed.
const INSTALLS: &str = "installs.lock";

/// The steps so far. Messages go to stderr; stdout belongs to the commands.
pub(crate) struct Steps {
    root: PathBuf,
    cargo: OsString,
    part: &'static str,
    done: Vec<RecordedStep>,
}

struct RecordedStep {
    part: &'static str,
    name: String,
    took: Duration,
    passed: bool,
}

impl Steps {
    pub(crate) fn of_workspace() -> Result<Self, TaskError> {
        let manifest_dir = env::var_os("CARGO_MANIFEST_DIR").map(PathBuf::from);
        let root = manifest_dir.as_deref().and_then(|folder| folder.parent());
        let root = root.ok_or(TaskError::NotUnderCargo)?.to_owned();
        let cargo = env::var_os("CARGO").ok_or(TaskError::NotUnderCargo)?;
        Ok(Self { root, cargo, part: "", done: Vec::new() })
    }

    pub(crate) fn enter(&mut self, part: &'static str) {
        self.part = part;
    }

    /// A command of the cargo that started this program.
    pub(crate) fn cargo(&self, args: &str) -> Command {
        Command::at("cargo", &self.cargo).args(args)
    }

    pub(crate) fn run(&mut self, name: &str, command: &Command) -> Result<(), TaskError> {
        eprintln!("\n== {name}: {command}");
        let start = Instant::now();
        let passed = command.succeeds(&self.root)?;
        self.note(name, start, passed);
        if passed {
            return Ok(());
        }
        Err(TaskError::Step { name: name.to_owned(), command: command.to_string() })
    }

    /// Runs a step that installs something, while no other run of this program installs anything.
    pub(crate) fn install(&mut self, name: &str, command: &Command) -> Result<(), TaskError> {
        let folder = self.target_folder()?;
        let lock = fs::create_dir_all(&folder).and_then(|()| File::create(folder.join(INSTALLS)));
        let lock = lock.and_then(|file| file.lock().map(|()| file));
        let lock = lock.map_err(|error| TaskError::Invalid(format!("{INSTALLS}: {error}")))?;
        let outcome = self.run(name, command);
        drop(lock);
        outcome
    }

    /// Times work that is no external command.
    pub(crate) fn work<T>(
        &mut self,
        name: &str,
        work: impl FnOnce() -> Result<T, TaskError>,
    ) -> Result<T, TaskError> {
        eprintln!("\n== {name}");
        let start = Instant::now();
        let outcome = work();
        self.note(name, start, outcome.is_ok());
        outcome
    }

    fn note(&mut self, name: &str, start: Instant, passed: bool) {
        let (name, took) = (name.to_owned(), start.elapsed());
        self.done.push(RecordedStep { part: self.part, name, took, passed });
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.done.is_empty()
    }

    pub(crate) fn has_run(&self, name: &str) -> bool {
        self.done.iter().any(|step| step.passed && step.name == name)
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    pub(crate) fn metadata(&self, args: &str) -> Result<Value, TaskError> {
        let metadata = self.cargo("metadata --format-version 1 --locked").args(args);
        let text = self.ask(&metadata).ok_or(TaskError::Metadata("the command fails"))?;
        serde_json::from_str(&text).map_err(|_| TaskError::Metadata("it is not JSON"))
    }

    pub(crate) fn target_folder(&self) -> Result<PathBuf, TaskError> {
        let metadata = self.metadata("--no-deps")?;
        let folder = metadata["target_directory"].as_str();
        folder.map(PathBuf::from).ok_or(TaskError::Metadata("it names no target directory"))
    }

    /// The standard output, or `None` if the command fails or cannot be started.
    pub(crate) fn ask(&self, command: &Command) -> Option<String> {
        command.output(&self.root)
    }
}

impl fmt::Display for Steps {
    /// A row for each step, the sums of CI's parts, and the total.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let longest = |cells: &mut dyn Iterator<Item = &str>| cells.map(str::len).max();
        let parts = longest(&mut self.done.iter().map(|step| step.part)).unwrap_or(0);
        let names = longest(&mut self.done.iter().map(|step| step.name.as_str())).unwrap_or(0);
        let names = names.max("total".len());
        let gap = if parts == 0 { "" } else { "  " };
        let mut row = |part: &str, name: &str, took: Duration, outcome: &str| {
            let seconds = took.as_secs_f64();
            writeln!(f, "{part:parts$}{gap}{name:names$} {seconds:8.1} s{outcome}")
        };
        for RecordedStep { part, name, took, passed } in &self.done {
            row(part, name, *took, if *passed { "" } else { "  FAILED" })?;
        }
        for steps in
            self.done.chunk_by(|a, b| a.part == b.part).filter(|steps| !steps[0].part.is_empty())
        {
            row(steps[0].part, "total", steps.iter().map(|step| step.took).sum(), "")?;
        }
        row("", "total", self.done.iter().map(|step| step.took).sum(), "")
    }
}

#[cfg(test)]
mod tests {
    use super::{RecordedStep, Steps};
    use std::time::Duration;

    fn table(steps: &[(&'static str, &str, u64, bool)]) -> String {
        let step = |&(part, name, millis, passed): &(&'static str, &str, u64, bool)| RecordedStep {
            part,
            name: name.to_owned(),
            took: Duration::from_millis(millis),
            passed,
        };
        let done = steps.iter().map(step).collect();
        Steps { root: "".into(), cargo: "cargo".into(), part: "", done }.to_string()
    }

    #[test]
    fn the_table_lists_every_step_and_the_sum() {
        assert_eq!(
            table(&[("", "fmt", 800, true), ("", "clippy", 21_200, false)]),
            "fmt         0.8 s\nclippy     21.2 s  FAILED\ntotal      22.0 s\n"
        );
    }

    #[test]
    fn the_table_has_a_sum_for_each_part() {
        assert_eq!(
            table(&[
                ("lint", "fmt", 800, true),
                ("lint", "doc", 1_200, true),
                ("c", "run", 500, false)
            ]),
            "lint  fmt        0.8 s\nlint  doc        1.2 s\nc     run        0.5 s  FAILED\n\
             lint  total      2.0 s\nc     total      0.5 s\n      total      2.5 s\n"
        );
    }
}
