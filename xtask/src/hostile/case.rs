//! One run of the program: what lies in its folder, how it is called, what it is denied.

use std::ffi::{OsStr, OsString};
use std::sync::Arc;
use std::time::Duration;

use super::good;
use super::input::{Content, Input, Kind};

/// One run of the program, and what is known of its answer beforehand.
#[derive(Clone, Debug)]
pub(super) struct Case {
    /// What is hard about it.
    pub(super) name: String,
    /// What lies in the folder that it runs in.
    pub(super) inputs: Vec<Input>,
    /// The command line.
    pub(super) words: Vec<Word>,
    pub(super) stdin: Stdin,
    pub(super) stdout: Sink,
    pub(super) stderr: Sink,
    /// Variables of the environment besides the usual ones.
    pub(super) env: Vec<(&'static str, String)>,
    /// The files that it is asked to write.
    pub(super) outputs: Vec<OsString>,
    /// The exit codes that are right; without them, any that the program promises.
    pub(super) codes: Option<&'static [i32]>,
    /// The inputs whose rows must be in the result, equal to what they are alone.
    pub(super) good: Vec<OsString>,
    /// Objects that must be in the result, unless the exit code says that something is missing.
    pub(super) objects: &'static [&'static str],
    pub(super) denied: Denied,
    /// The seconds that it may take, where these are more than its class may.
    pub(super) seconds: f64,
    /// A signal, and how long after the start it is sent.
    pub(super) signal: Option<(Signal, Duration)>,
    /// Whether the answers with one thread and with four are compared.
    pub(super) threads: bool,
    /// Whether it is given more to read than there is memory, as devices do.
    pub(super) endless: bool,
    /// Whether it needs lodger-board.
    pub(super) board: bool,
    /// How it was made of one number, for who wants it smaller.
    pub(super) sized: Option<Sized>,
}

/// A number, and what makes a case of it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sized {
    pub(super) number: usize,
    pub(super) make: fn(usize) -> Case,
}

/// One or more words of the command line that belong together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Word {
    /// The command itself, which nothing goes without.
    Command(&'static str),
    /// An option with its value.
    Option(Vec<OsString>),
    /// A path.
    Path(OsString),
}

/// What the program reads.
#[derive(Clone, Debug)]
pub(super) enum Stdin {
    Null,
    Closed,
    Bytes(Arc<Vec<u8>>),
    /// In pieces of so many bytes, with so long a pause between them.
    Slow(Arc<Vec<u8>>, usize, Duration),
}

/// Where the program writes to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sink {
    /// To us.
    Pipe,
    /// To a pipe whose reader goes away after so many bytes.
    Leaving(usize),
    /// To `/dev/full`.
    Full,
    /// Nowhere: it starts without.
    Closed,
}

/// What the system refuses, besides what every case is refused.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Denied {
    /// The most bytes that a file may get.
    pub(super) file_bytes: Option<u64>,
    /// Whether it may start no thread; needs root.
    pub(super) threads: bool,
    /// The KiB of a disk that is mounted at `disk`; needs root.
    pub(super) disk: Option<u64>,
    /// Whether it runs as somebody else; needs root.
    pub(super) privileges: bool,
}

/// A signal that asks a program to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Signal {
    Interrupt,
    Terminate,
    HangUp,
}

/// How a result is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Form {
    Table,
    Json,
    Csv,
    /// Help, or a scene to start from.
    Other,
}

impl Case {
    /// A case of one command.
    pub(super) fn of(command: &'static str) -> Self {
        Self {
            name: String::new(),
            inputs: Vec::new(),
            words: vec![Word::Command(command)],
            stdin: Stdin::Null,
            stdout: Sink::Pipe,
            stderr: Sink::Pipe,
            env: Vec::new(),
            outputs: Vec::new(),
            codes: None,
            good: Vec::new(),
            objects: &[],
            denied: Denied::default(),
            seconds: 0.0,
            signal: None,
            threads: false,
            endless: false,
            board: false,
            sized: None,
        }
    }

    /// Adds a file, and names it.
    pub(super) fn file(self, path: impl Into<OsString>, bytes: impl Into<Vec<u8>>) -> Self {
        let path = path.into();
        self.input(path.clone(), Kind::File(Content::of(bytes))).path(path)
    }

    /// Adds something to the folder without naming it.
    pub(super) fn input(mut self, path: impl Into<OsString>, kind: Kind) -> Self {
        self.inputs.push(Input { path: path.into(), kind });
        self
    }

    /// Names a path.
    pub(super) fn path(mut self, path: impl Into<OsString>) -> Self {
        self.words.push(Word::Path(path.into()));
        self
    }

    /// Adds an option with its value.
    pub(super) fn option(mut self, name: &str, value: impl Into<OsString>) -> Self {
        self.words.push(Word::Option(vec![name.into(), value.into()]));
        self
    }

    /// Adds an option without a value.
    pub(super) fn flag(mut self, name: impl Into<OsString>) -> Self {
        self.words.push(Word::Option(vec![name.into()]));
        self
    }

    /// Adds the option that chooses how the answer is shown.
    pub(super) fn format(self, format: &str) -> Self {
        self.option("--format", format)
    }

    /// Asks for a file.
    pub(super) fn output(mut self, option: &str, path: impl Into<OsString>) -> Self {
        let path = path.into();
        self.outputs.push(path.clone());
        self.option(option, path)
    }

    /// Adds a mesh and an archive with which nothing is wrong.
    pub(super) fn beside_good(mut self) -> Self {
        for (path, bytes) in good::files() {
            self.good.push(path.into());
            self = self.file(path, bytes.clone());
        }
        self
    }

    /// Says which exit codes are right.
    pub(super) const fn codes(mut self, codes: &'static [i32]) -> Self {
        self.codes = Some(codes);
        self
    }

    /// How the answer is shown.
    pub(super) fn form(&self) -> Form {
        let options = || self.words.iter().filter_map(Word::option);
        let has = |name: &str| options().any(|option| option[0] == name);
        let cost = self.words.first() == Some(&Word::Command("cost"));
        if ["--help", "-h", "--version", "--print-example"].into_iter().any(has) || self.board {
            return Form::Other;
        }
        let format = options().rfind(|option| option[0] == "--format");
        match format.and_then(|option| option.get(1)).and_then(|value| value.to_str()) {
            Some("json") => Form::Json,
            Some("csv") => Form::Csv,
            None if cost && has("--sweep") => Form::Csv,
            _ => Form::Table,
        }
    }

    /// The words of the command line.
    pub(super) fn arguments(&self) -> impl Iterator<Item = &OsStr> {
        self.words.iter().flat_map(Word::parts)
    }

    /// The bytes that it is given to read.
    pub(super) fn input_bytes(&self) -> u64 {
        let files = self.inputs.iter().map(|input| match &input.kind {
            Kind::File(content) | Kind::Unreadable(content) => content.len(),
            _ => 0,
        });
        let stdin = match &self.stdin {
            Stdin::Null | Stdin::Closed => 0,
            Stdin::Bytes(bytes) | Stdin::Slow(bytes, ..) => bytes.len() as u64,
        };
        if self.endless { u64::MAX } else { files.sum::<u64>() + stdin }
    }

    /// Whether nothing keeps the program from saying all that it has to say.
    pub(super) fn is_free(&self) -> bool {
        self.denied.file_bytes.is_none()
            && self.denied.disk.is_none()
            && self.signal.is_none()
            && (self.stdout, self.stderr) == (Sink::Pipe, Sink::Pipe)
    }

    /// The same with nothing but the good inputs, to know what their rows are.
    pub(super) fn of_good_alone(&self) -> Self {
        let mut alone = self.clone();
        let is_kept =
            |input: &Input| matches!(input.kind, Kind::Folder) || self.good.contains(&input.path);
        let gone = |path: &OsString| {
            path == "-" || self.inputs.iter().any(|it| it.path == *path && !is_kept(it))
        };
        alone.words.retain(|word| !matches!(word, Word::Path(path) if gone(path)));
        alone.inputs.retain(is_kept);
        alone
    }
}

impl Word {
    /// The words one by one.
    pub(super) fn parts(&self) -> Vec<&OsStr> {
        match self {
            // A command may be of two words.
            Self::Command(command) => command.split(' ').map(OsStr::new).collect(),
            Self::Option(words) => words.iter().map(OsString::as_os_str).collect(),
            Self::Path(path) => vec![path],
        }
    }

    fn option(&self) -> Option<&[OsString]> {
        match self {
            Self::Option(words) => Some(words),
            _ => None,
        }
    }
}
