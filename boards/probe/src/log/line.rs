//! A line of a log: what it says, how much it matters, when, and from where.

use std::error::Error;
use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

/// How much a line matters.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Every step.
    Trace,
    /// For whoever looks for a mistake.
    Debug,
    /// Good to know.
    Info,
    /// Not as it should be.
    Warn,
    /// Wrong.
    Error,
}

/// Its name, in small letters.
impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Trace => "trace",
            Self::Debug => "debug",
            Self::Info => "info",
            Self::Warn => "warn",
            Self::Error => "error",
        })
    }
}

impl FromStr for Level {
    type Err = NoSuchLevel;

    fn from_str(name: &str) -> Result<Self, NoSuchLevel> {
        let all = [Self::Trace, Self::Debug, Self::Info, Self::Warn, Self::Error];
        let mut named = all.into_iter().filter(|level| level.to_string() == name);
        named.next().ok_or_else(|| NoSuchLevel(name.to_owned()))
    }
}

/// A text that names no level.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoSuchLevel(String);

impl fmt::Display for NoSuchLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "no level is called `{}`", self.0)
    }
}

impl Error for NoSuchLevel {}

/// Where a line stands in the source.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Location {
    /// The file, as the compiler knew it.
    pub file: PathBuf,
    /// The line, from 1.
    pub line: u64,
    /// The module's path.
    pub module: String,
}

impl Location {
    /// A place: a file, a line from 1, and the path of a module.
    #[must_use]
    pub const fn new(file: PathBuf, line: u64, module: String) -> Self {
        Self { file, line, module }
    }
}

/// A line of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogLine {
    /// How much it matters; `None` for `defmt::println!`, and for plain text.
    pub level: Option<Level>,
    /// When, by the board's own clock and in its own words, if it has one.
    pub time: Option<String>,
    /// What it says.
    pub text: String,
    /// Where it stands in the source, if the program has debug information.
    pub location: Option<Location>,
}

impl LogLine {
    /// A line that says this, and nothing of its level, its time and its place.
    #[must_use]
    pub const fn new(text: String) -> Self {
        Self { level: None, time: None, text, location: None }
    }
}
