//! One run of a program: the inputs in its folder, its command line, and the resources that the system denies it.

use std::ffi::{OsStr, OsString};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use crate::build::{archive, mesh};

#[derive(Clone, Debug)]
pub struct Case {
    pub name: String,
    pub inputs: Vec<CaseInput>,
    pub args: Vec<OsString>,
    pub stdin: Stdin,
    pub stdout: Sink,
    pub stderr: Sink,
    pub env: Vec<(&'static str, String)>,
    /// Inputs that the command line names as outputs, and that must not change.
    pub protected: &'static [&'static str],
    /// The expected exit codes; `None` for all that the program promises.
    pub codes: Option<&'static [i32]>,
    /// Inputs whose rows must be as in a run with these inputs alone.
    pub good: Vec<OsString>,
    /// Objects that must be in the result if the exit code is 0.
    pub objects: &'static [&'static str],
    pub denied: Denied,
    /// A time limit in seconds, if it is longer than usual.
    pub seconds: f64,
    /// The name of a signal, and its time after the start.
    pub signal: Option<(&'static str, Duration)>,
    pub threads: bool,
    /// Whether the input is larger than memory, as devices are.
    pub endless: bool,
    pub board: bool,
}

#[derive(Clone, Debug)]
pub struct CaseInput {
    pub path: OsString,
    pub kind: InputKind,
}

#[derive(Clone, Debug)]
pub enum InputKind {
    File(FileBytes),
    /// A file without permissions; root can read it.
    Unreadable(FileBytes),
    Folder,
    Fifo,
    Link(OsString),
    HardLink(OsString),
}

#[derive(Clone, Debug)]
pub enum FileBytes {
    Bytes(Arc<Vec<u8>>),
    /// One byte, repeated; zeros take no space on the disk.
    Repeated(u8, usize),
    Noise(usize),
}

#[derive(Clone, Debug)]
pub enum Stdin {
    Null,
    Closed,
    Bytes(Arc<Vec<u8>>),
    /// Bytes in pieces, with a pause before each.
    Slow(Arc<Vec<u8>>, usize, Duration),
    File(&'static str),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sink {
    /// A pipe that is read to its end.
    Pipe,
    /// A pipe that its reader closes after this number of bytes.
    Leaving(usize),
    Full,
    Closed,
}

#[derive(Clone, Copy, Debug, Default)]
pub struct Denied {
    pub file_bytes: Option<u64>,
    /// Whether no thread can start; needs root.
    pub threads: bool,
    /// The KiB of a disk that is mounted at `disk`; needs root.
    pub disk: Option<u64>,
    /// Whether the program runs as another user; needs root.
    pub privileges: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Text on a terminal, without control characters.
    Table,
    Json,
    Csv,
    /// Help or an example file.
    Other,
}

const OUTPUT_OPTIONS: [&str; 4] = ["--output", "--plot", "--report", "--record"];

impl Case {
    /// Makes a run of arguments without blanks.
    pub fn new(args: &str) -> Self {
        Self::of_args(args.split_whitespace())
    }

    pub fn of_args<A: Into<OsString>>(args: impl IntoIterator<Item = A>) -> Self {
        Self {
            name: String::new(),
            inputs: Vec::new(),
            args: args.into_iter().map(Into::into).collect(),
            stdin: Stdin::Null,
            stdout: Sink::Pipe,
            stderr: Sink::Pipe,
            env: Vec::new(),
            protected: &[],
            codes: None,
            good: Vec::new(),
            objects: &[],
            denied: Denied::default(),
            seconds: 0.0,
            signal: None,
            threads: false,
            endless: false,
            board: false,
        }
    }

    pub fn input(mut self, path: impl Into<OsString>, kind: InputKind) -> Self {
        self.inputs.push(CaseInput { path: path.into(), kind });
        self
    }

    pub fn file(self, path: impl Into<OsString>, bytes: impl Into<Vec<u8>>) -> Self {
        self.input(path, InputKind::file(bytes))
    }

    /// Adds a file to the folder and names it on the command line.
    pub fn reads(self, path: impl Into<OsString>, bytes: impl Into<Vec<u8>>) -> Self {
        let path = path.into();
        self.file(path.clone(), bytes).arg(path)
    }

    pub fn arg(mut self, arg: impl Into<OsString>) -> Self {
        self.args.push(arg.into());
        self
    }

    /// Adds arguments without blanks.
    pub fn args(mut self, args: &str) -> Self {
        self.args.extend(args.split_whitespace().map(OsString::from));
        self
    }

    pub fn format(self, format: &str) -> Self {
        self.arg("--format").arg(format)
    }

    /// Adds a valid mesh and a valid archive.
    pub fn beside_good(mut self) -> Self {
        for (path, bytes) in good_files() {
            self.good.push(path.into());
            self = self.reads(*path, bytes.clone());
        }
        self
    }

    pub fn stdin(mut self, stdin: Stdin) -> Self {
        self.stdin = stdin;
        self
    }

    pub fn bytes(self, bytes: impl AsRef<[u8]>) -> Self {
        self.stdin(Stdin::Bytes(Arc::new(bytes.as_ref().to_vec())))
    }

    pub fn stdout(mut self, sink: Sink) -> Self {
        self.stdout = sink;
        self
    }

    pub fn stderr(mut self, sink: Sink) -> Self {
        self.stderr = sink;
        self
    }

    /// Sends a signal, such as `INT`, at a time after the start.
    pub fn signal(mut self, name: &'static str, after: Duration) -> Self {
        self.signal = Some((name, after));
        self
    }

    pub fn protect(mut self, paths: &'static [&'static str]) -> Self {
        self.protected = paths;
        self
    }

    pub fn env(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.env.push((name, value.into()));
        self
    }

    pub const fn codes(mut self, codes: &'static [i32]) -> Self {
        self.codes = Some(codes);
        self
    }

    pub fn form(&self) -> Form {
        let has = |name: &str| self.args.iter().any(|arg| arg == name);
        let command = self.args.first().and_then(|arg| arg.to_str()).unwrap_or_default();
        if ["--help", "-h", "--version", "-V", "--print-example"].into_iter().any(has)
            || self.board
            || matches!(command, "completions" | "man")
        {
            return Form::Other;
        }
        let places = self.args.iter().zip(self.args.iter().skip(1));
        let formats = places.filter(|(option, _)| *option == "--format").map(|(_, value)| value);
        let joined = self.args.iter().filter_map(|arg| arg.to_str()?.strip_prefix("--format="));
        match formats.filter_map(|value| value.to_str()).chain(joined).last() {
            Some("json") => Form::Json,
            Some("csv") => Form::Csv,
            None if command == "cost" && has("--sweep") => Form::Csv,
            _ => Form::Table,
        }
    }

    /// The output files and folders of the command line, without inputs.
    pub fn outputs(&self) -> Vec<OsString> {
        let is_bench = self.args.first().is_some_and(|arg| arg == "bench");
        let is_option = |arg: &OsStr| {
            OUTPUT_OPTIONS.iter().any(|option| arg == *option) || is_bench && arg == "--sweep"
        };
        // The option of `lodger bench` has a default.
        let mut outputs: Vec<OsString> =
            if is_bench { vec!["lodger-bench.svg".into()] } else { Vec::new() };
        let mut others: Vec<&OsStr> = self.protected.iter().map(OsStr::new).collect();
        let mut is_output = false;
        for arg in &self.args {
            let joined = arg.to_str().and_then(|arg| arg.split_once('='));
            if is_output {
                outputs.push(arg.clone());
            } else if let Some((_, value)) = joined.filter(|(it, _)| is_option(it.as_ref())) {
                outputs.push(value.into());
            } else {
                others.push(arg);
            }
            is_output = !is_output && is_option(arg);
        }
        outputs.retain(|output| !others.contains(&output.as_os_str()));
        outputs
    }

    pub fn input_bytes(&self) -> u64 {
        if self.endless {
            return u64::MAX;
        }
        let files = self.inputs.iter().map(|input| match &input.kind {
            InputKind::File(bytes) | InputKind::Unreadable(bytes) => bytes.len(),
            _ => 0,
        });
        let stdin = match &self.stdin {
            Stdin::Bytes(bytes) | Stdin::Slow(bytes, ..) => bytes.len() as u64,
            Stdin::Null | Stdin::Closed | Stdin::File(_) => 0,
        };
        files.sum::<u64>() + stdin
    }

    /// Whether the program can print its complete output.
    pub fn is_free(&self) -> bool {
        let Denied { file_bytes, disk, .. } = self.denied;
        let pipes = (self.stdout, self.stderr) == (Sink::Pipe, Sink::Pipe);
        file_bytes.is_none() && disk.is_none() && self.signal.is_none() && pipes
    }

    pub fn of_good_alone(&self) -> Self {
        let mut alone = self.clone();
        let is_kept = |input: &CaseInput| {
            matches!(input.kind, InputKind::Folder) || self.good.contains(&input.path)
        };
        alone.args.retain(|arg| {
            arg != "-" && !self.inputs.iter().any(|input| input.path == *arg && !is_kept(input))
        });
        alone.inputs.retain(is_kept);
        alone
    }
}

impl InputKind {
    pub fn file(bytes: impl Into<Vec<u8>>) -> Self {
        Self::File(FileBytes::Bytes(Arc::new(bytes.into())))
    }
}

impl FileBytes {
    fn len(&self) -> u64 {
        match self {
            Self::Bytes(bytes) => bytes.len() as u64,
            Self::Repeated(_, count) | Self::Noise(count) => *count as u64,
        }
    }

    pub fn is_at_most(&self, bytes: u64) -> bool {
        self.len() <= bytes
    }
}

/// A valid mesh asset and a valid archive, by name.
pub fn good_files() -> &'static [(&'static str, Vec<u8>); 2] {
    static FILES: LazyLock<[(&str, Vec<u8>); 2]> = LazyLock::new(|| {
        let id = archive::id(1);
        let objects = [archive::cube("good cube"), archive::showing("good mesh", &id)];
        let region = archive::region(&[(id, mesh::good())], &objects);
        [("good.llmesh", mesh::good()), ("good.oar", region)]
    });
    &FILES
}
