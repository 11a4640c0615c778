//! Runs `lodger-pack` in a folder of its own.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

/// A folder with models in it.
pub(super) struct Folder(TempDir);

/// What came of a run.
pub(super) struct Outcome {
    pub(super) code: Option<i32>,
    pub(super) stdout: String,
    pub(super) stderr: String,
}

impl Folder {
    pub(super) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(super) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).expect("a file");
        self
    }

    pub(super) fn command(&self, arguments: &[&str]) -> Command {
        #[cfg(unix)]
        lodger_terminal::signals::reset_for_children().expect("handlers");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lodger-pack"));
        command.args(arguments).current_dir(self.0.path()).env_remove("CLICOLOR_FORCE");
        command.stdin(Stdio::null());
        command
    }

    pub(super) fn run(&self, arguments: &[&str]) -> Outcome {
        Outcome::of(self.command(arguments).output().expect("it runs"))
    }

    /// The names of what is in a folder of it, in order; none if it is not there.
    pub(super) fn files(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten();
        let name = |entry: std::io::Result<fs::DirEntry>| {
            entry.expect("an entry").file_name().to_string_lossy().into_owned()
        };
        let mut names: Vec<_> = entries.map(name).collect();
        names.sort();
        names
    }
}

impl Outcome {
    pub(super) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }

    /// It ended well.
    #[track_caller]
    pub(super) fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{}{}", self.stdout, self.stderr);
        self
    }

    /// Something was made, whatever lint says of it, and nothing was told on stderr.
    #[track_caller]
    pub(super) fn packed(self) -> Self {
        assert!(
            matches!(self.code, Some(0 | 1)),
            "{:?}\n{}{}",
            self.code,
            self.stdout,
            self.stderr
        );
        assert_eq!(self.stderr, "");
        self
    }

    /// It ended with exactly one error, which says all of this.
    #[track_caller]
    pub(super) fn refused(self, parts: &[&str]) {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in:\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        assert!(!self.stderr.contains(|c: char| c.is_control() && c != '\n'), "{:?}", self.stderr);
    }
}
