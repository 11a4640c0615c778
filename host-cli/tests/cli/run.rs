//! Runs `lodger` in a folder of its own.

use std::fs;
use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use tempfile::TempDir;

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

/// A folder with scenes in it.
pub(crate) struct Folder(TempDir);

/// What came of a run.
pub(crate) struct Outcome {
    pub(crate) code: Option<i32>,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Folder {
    pub(crate) fn new() -> Self {
        Self(tempfile::tempdir().expect("a folder"))
    }

    /// A folder on the disk of the binary.
    #[cfg(unix)]
    pub(crate) fn of_the_build() -> Self {
        Self(tempfile::tempdir_in(env!("CARGO_TARGET_TMPDIR")).expect("a folder"))
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    pub(crate) fn with(self, name: &str, content: impl AsRef<[u8]>) -> Self {
        fs::write(self.path(name), content).expect("a file");
        self
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        #[cfg(unix)]
        lodger_terminal::signals::reset_for_children().expect("handlers");
        let mut command = Command::new(env!("CARGO_BIN_EXE_lodger"));
        command
            .args(arguments)
            .current_dir(self.0.path())
            .env_remove("CLICOLOR_FORCE")
            .stdin(Stdio::null());
        command
    }

    /// Runs `lodger schedule` with some arguments.
    pub(crate) fn schedule(&self, arguments: &[&str]) -> Outcome {
        let arguments = [&["schedule"], arguments].concat();
        Outcome::of(self.command(&arguments).output().expect("it runs"))
    }

    /// The names of the files in it, in order.
    pub(crate) fn files(&self) -> Vec<String> {
        let mut names: Vec<_> = fs::read_dir(self.0.path())
            .expect("a folder")
            .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
            .collect();
        names.sort();
        names
    }
}

impl Outcome {
    pub(crate) fn of(output: Output) -> Self {
        Self {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).expect("stdout is UTF-8"),
            stderr: String::from_utf8(output.stderr).expect("stderr is UTF-8"),
        }
    }

    /// It ended well.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.code, Some(0), "{}", self.stderr);
        self
    }

    /// It ended with exactly one error, which says all of this.
    #[track_caller]
    pub(crate) fn refused(self, parts: &[&str]) -> Self {
        assert_eq!(self.code, Some(2), "{}{}", self.stdout, self.stderr);
        assert_eq!(self.stdout, "");
        assert_eq!(self.stderr.matches("error: ").count(), 1, "{}", self.stderr);
        for part in parts {
            assert!(self.stderr.contains(part), "no {part:?} in:\n{}", self.stderr);
        }
        assert!(!self.stderr.contains("panicked"), "{}", self.stderr);
        assert_harmless(&self.stderr);
        self
    }
}

/// No control character but the newline.
#[track_caller]
pub(crate) fn assert_harmless(text: &str) {
    assert!(!text.contains(|c: char| c.is_control() && c != '\n'), "{text:?}");
}

/// Refuses a scene file, with an error that says all of this.
#[track_caller]
pub(crate) fn refuse(scene: impl AsRef<[u8]>, parts: &[&str]) {
    Folder::new().with("scene.toml", scene).schedule(&["scene.toml"]).refused(parts);
}

/// Runs with something on stdin.
pub(crate) fn with_stdin(mut command: Command, bytes: impl AsRef<[u8]>) -> Outcome {
    let mut child = command
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("it runs");
    let mut stdin = child.stdin.take().expect("a stdin");
    stdin.write_all(bytes.as_ref()).expect("it reads");
    drop(stdin);
    Outcome::of(child.wait_with_output().expect("it ends"))
}
