//! Runs programs in temporary folders, within limits of the system, and checks their promises.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub use crate::case::{
    Case, CaseInput, Denied, FileBytes, Form, InputKind, Sink, Stdin, good_files,
};
pub use crate::output::{FolderChanges, RunEnd, RunLimits, RunOutput};

use crate::SplitMix64;
use crate::output::FolderState;
use crate::promises::assert_promises;

const INTERVAL: Duration = Duration::from_millis(1);
const PIECE: usize = 1 << 20;
const USUAL: RunLimits = RunLimits { memory: 2 << 30, seconds: 300.0 };
/// Exit code of the wrapper around a run if it cannot mount a disk.
#[cfg(target_os = "linux")]
pub(crate) const NO_DISK: i32 = 125;

#[derive(Debug)]
pub struct TestFolder {
    dir: TempDir,
    program: PathBuf,
}

impl TestFolder {
    pub fn new(program: impl Into<PathBuf>) -> Self {
        Self::of_dir(tempfile::tempdir().expect("a folder"), program.into())
    }

    pub fn below(parent: &Path, program: impl Into<PathBuf>) -> Self {
        Self::of_dir(tempfile::tempdir_in(parent).expect("a folder"), program.into())
    }

    fn of_dir(dir: TempDir, program: PathBuf) -> Self {
        for inner in ["work", "tmp"] {
            fs::create_dir(dir.path().join(inner)).expect("a folder");
        }
        Self { dir, program }
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.dir.path().join("work").join(name)
    }

    pub fn with(self, name: impl AsRef<Path>, content: impl AsRef<[u8]>) -> Self {
        let path = self.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
        self
    }

    #[track_caller]
    pub fn read(&self, name: impl AsRef<Path>) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    /// The sorted names of the entries of an inner folder; empty if it does not exist.
    pub fn files_in(&self, folder: &str) -> Vec<String> {
        let entries = fs::read_dir(self.path(folder)).into_iter().flatten().flatten();
        let mut names: Vec<_> =
            entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
        names.sort();
        names
    }

    pub fn files(&self) -> Vec<String> {
        self.files_in("")
    }

    /// A command for a test that controls the process; promises are not checked.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command.args(args).current_dir(self.path("")).stdin(Stdio::null());
        command.env_remove("CLICOLOR_FORCE");
        command
    }

    #[track_caller]
    pub fn run(&self, args: &[&str]) -> RunOutput {
        self.run_case(&Case::of_args(args))
    }

    /// Runs a case and asserts the promises.
    #[track_caller]
    pub fn run_case(&self, case: &Case) -> RunOutput {
        let output = self.run_unchecked(case);
        assert_promises(&output);
        output
    }

    /// Runs a case without asserting promises.
    #[track_caller]
    pub fn run_unchecked(&self, case: &Case) -> RunOutput {
        self.execute(case, USUAL).expect("it runs")
    }

    /// Runs a command without limits and checks.
    pub fn output_of(command: &mut Command) -> RunOutput {
        let case = Case::of_args(command.get_args());
        let output = command.output().expect("it runs");
        run_output(end_of(output.status), &output.stdout, &output.stderr, case, USUAL)
    }

    /// Adds the inputs of a case and runs it within limits.
    ///
    /// # Errors
    /// The system cannot make an input or start the program.
    pub fn execute(&self, case: &Case, limits: RunLimits) -> io::Result<RunOutput> {
        let folder = self.path("");
        for input in &case.inputs {
            add_input(&folder, input)?;
        }
        if case.denied.disk.is_some() {
            fs::create_dir_all(self.path("disk"))?;
        }
        let before = FolderState::read(&folder)?;
        let start = Instant::now();
        let mut child = self.start(case, &limits)?;
        let reading = [
            child.stdout.take().map(|pipe| read(pipe, case.stdout)),
            child.stderr.take().map(|pipe| read(pipe, case.stderr)),
        ];
        let writing = child.stdin.take().map(|pipe| feed(pipe, &case.stdin));
        let (end, peak) = watch(&mut child, case, &limits, start)?;
        let seconds = start.elapsed().as_secs_f64();
        let [stdout, stderr] =
            reading.map(|it| it.and_then(|it| it.join().ok()).unwrap_or_default());
        drop(writing);
        let mut changes = before.changes(&FolderState::read(&folder)?, &folder, case);
        let temporary = fs::read_dir(self.dir.path().join("tmp"))?.flatten();
        changes.strays.extend(temporary.map(|entry| entry.path().display().to_string()));
        let output = run_output(end, &stdout, &stderr, case.clone(), limits);
        Ok(RunOutput { peak, seconds, changes, ..output })
    }

    fn start(&self, case: &Case, limits: &RunLimits) -> io::Result<Child> {
        let mut command_line = self.wrapper(case, limits)?;
        command_line.extend(case.args.iter().cloned());
        let mut command = Command::new(&command_line[0]);
        command.args(&command_line[1..]).current_dir(self.path(""));
        for name in ["RUST_BACKTRACE", "RAYON_NUM_THREADS", "CLICOLOR_FORCE"] {
            command.env_remove(name);
        }
        command.env("TMPDIR", self.dir.path().join("tmp")).envs(case.env.iter().cloned());
        command.stdin(match case.stdin {
            Stdin::Null | Stdin::Closed => Stdio::null(),
            Stdin::Bytes(_) | Stdin::Slow(..) => Stdio::piped(),
            Stdin::File(name) => File::open(self.path(name))?.into(),
        });
        command.stdout(sink(case.stdout)?).stderr(sink(case.stderr)?);
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        command.spawn()
    }

    #[cfg(not(target_os = "linux"))]
    #[expect(clippy::unnecessary_wraps, reason = "it fails on Linux")]
    fn wrapper(&self, _: &Case, _: &RunLimits) -> io::Result<Vec<OsString>> {
        Ok(vec![self.program.clone().into()])
    }

    /// The command line, with the commands that set limits.
    #[cfg(target_os = "linux")]
    fn wrapper(&self, case: &Case, limits: &RunLimits) -> io::Result<Vec<OsString>> {
        const OPEN_FILES: u32 = 256;
        let denied = case.denied;
        let is_other_user = denied.threads || denied.privileges;
        let mut command_line: Vec<OsString> = Vec::new();
        if denied.disk.is_some() {
            command_line.extend(["unshare", "--mount"].map(OsString::from));
        }
        if let Some(script) = script(case) {
            command_line.extend(["sh".into(), "-c".into(), script.into(), "sh".into()]);
        }
        let mut add = |text: &str| command_line.extend(text.split(' ').map(OsString::from));
        // `watch` ends a run before the system denies memory.
        let data = limits.memory * 2 + (512 << 20);
        let cpu = limits.seconds * 8.0 + 5.0;
        add(&format!("prlimit --core=0 --data={data} --cpu={cpu:.0} --nofile={OPEN_FILES}"));
        if let Some(bytes) = denied.file_bytes {
            add(&format!("--fsize={bytes}"));
        }
        if denied.threads {
            add("--nproc=1");
        }
        // The end of this process ends the program, too.
        add("setpriv --pdeathsig KILL");
        if is_other_user {
            let user = unused_user();
            add(&format!("--reuid={user} --regid={user} --clear-groups"));
        }
        add("--");
        if case.signal.is_some() {
            // Background jobs of a shell ignore some signals.
            add("env --default-signal");
        }
        command_line
            .push(if is_other_user { self.open_to_all()? } else { self.program.clone() }.into());
        Ok(command_line)
    }

    /// Lets every user write here and run a copy of the program; returns the copy.
    #[cfg(target_os = "linux")]
    fn open_to_all(&self) -> io::Result<PathBuf> {
        use std::os::unix::fs::PermissionsExt as _;

        let name = self.program.file_name().unwrap_or_default();
        let copy = self.dir.path().join(name);
        if !copy.exists() {
            fs::copy(&self.program, &copy)?;
        }
        for folder in ["", "work", "tmp"] {
            let folder = self.dir.path().join(folder);
            fs::set_permissions(folder, fs::Permissions::from_mode(0o777))?;
        }
        Ok(copy)
    }
}

fn run_output(
    end: RunEnd,
    stdout: &[u8],
    stderr: &[u8],
    case: Case,
    limits: RunLimits,
) -> RunOutput {
    RunOutput {
        end,
        code: if let RunEnd::Code(code) = end { Some(code) } else { None },
        is_utf8: str::from_utf8(stdout).is_ok() && str::from_utf8(stderr).is_ok(),
        stdout: String::from_utf8_lossy(stdout).into_owned(),
        stderr: String::from_utf8_lossy(stderr).into_owned(),
        peak: 0,
        seconds: 0.0,
        changes: FolderChanges::default(),
        case,
        limits,
    }
}

/// A user id of no other run, as the system counts threads by user.
#[cfg(target_os = "linux")]
fn unused_user() -> u32 {
    use std::sync::atomic::{AtomicU32, Ordering};

    static RUNS: AtomicU32 = AtomicU32::new(0);
    let run = RUNS.fetch_add(1, Ordering::Relaxed);
    60_100 + (std::process::id().wrapping_mul(31).wrapping_add(run)) % 5_000
}

#[cfg(target_os = "linux")]
fn script(case: &Case) -> Option<String> {
    use crate::promises::LEFT_ON_DISK;

    if let Some(kibibytes) = case.denied.disk {
        return Some(format!(
            "mount -t tmpfs -o size={kibibytes}k none disk || exit {NO_DISK}; \"$@\"; code=$?; \
             [ -z \"$(ls -A disk)\" ] || exit {LEFT_ON_DISK}; exit $code"
        ));
    }
    let closed = [
        (matches!(case.stdin, Stdin::Closed), " <&-"),
        (case.stdout == Sink::Closed, " >&-"),
        (case.stderr == Sink::Closed, " 2>&-"),
    ];
    let closed: String = closed.iter().filter(|(is, _)| *is).map(|(_, how)| *how).collect();
    (!closed.is_empty()).then(|| format!("exec \"$@\"{closed}"))
}

fn sink(sink: Sink) -> io::Result<Stdio> {
    Ok(match sink {
        Sink::Pipe | Sink::Leaving(_) => Stdio::piped(),
        Sink::Full => File::options().write(true).open("/dev/full")?.into(),
        Sink::Closed => Stdio::null(),
    })
}

fn read(mut pipe: impl Read + Send + 'static, sink: Sink) -> JoinHandle<Vec<u8>> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        // Bytes before a failure are kept.
        let _ = match sink {
            Sink::Leaving(count) => pipe.take(count as u64).read_to_end(&mut bytes),
            _ => pipe.read_to_end(&mut bytes),
        };
        bytes
    })
}

fn feed(mut pipe: impl Write + Send + 'static, stdin: &Stdin) -> JoinHandle<()> {
    let stdin = stdin.clone();
    thread::spawn(move || {
        // A reader may close the pipe early.
        let _ = match stdin {
            Stdin::Null | Stdin::Closed | Stdin::File(_) => Ok(()),
            Stdin::Bytes(bytes) => pipe.write_all(&bytes),
            Stdin::Slow(bytes, piece, pause) => bytes.chunks(piece.max(1)).try_for_each(|piece| {
                thread::sleep(pause);
                pipe.write_all(piece)
            }),
        };
    })
}

/// Ends a program above a limit; returns its end and the peak of memory.
fn watch(
    child: &mut Child,
    case: &Case,
    limits: &RunLimits,
    start: Instant,
) -> io::Result<(RunEnd, u64)> {
    let (mut signal, mut peak) = (case.signal, 0);
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((end_of(status), peak));
        }
        peak = peak_memory(child.id()).unwrap_or(0).max(peak);
        let elapsed = start.elapsed();
        let is_late = |limit: f64| elapsed.as_secs_f64() > limit;
        let over = if peak > limits.memory {
            Some(RunEnd::OutOfMemory)
        } else if is_late(limits.seconds)
            && (elapsed.saturating_sub(kept_waiting(child.id())).as_secs_f64() > limits.seconds
                || is_late(3.0 * limits.seconds))
        {
            Some(RunEnd::OutOfTime)
        } else {
            None
        };
        if let Some(end) = over {
            send(child, "KILL");
            child.wait()?;
            return Ok((end, peak));
        }
        if let Some((name, after)) = signal
            && elapsed >= after
        {
            send(child, name);
            signal = None;
        }
        thread::sleep(INTERVAL);
    }
}

fn send(child: &Child, signal: &str) {
    let group = format!("-{}", child.id());
    // The program may have ended.
    let _ = Command::new("kill").args(["-s", signal, "--", &group]).output();
}

/// Reads the peak of resident memory in bytes (proc(5)); `None` before exec, when the child is a copy of this
/// process.
fn peak_memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    status.strip_prefix("Name:")?.trim_start().strip_prefix("lodger")?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(kibibytes * 1024)
}

/// The longest time that a thread of a process waited for a processor.
fn kept_waiting(process: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let waited = tasks.filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse().ok()
    });
    Duration::from_nanos(waited.max().unwrap_or_default())
}

#[cfg(unix)]
fn end_of(status: ExitStatus) -> RunEnd {
    use std::os::unix::process::ExitStatusExt as _;

    let signal = || RunEnd::Signal(status.signal().unwrap_or_default());
    status.code().map_or_else(signal, RunEnd::Code)
}

#[cfg(not(unix))]
fn end_of(status: ExitStatus) -> RunEnd {
    RunEnd::Code(status.code().unwrap_or_default())
}

pub(crate) fn add_input(folder: &Path, input: &CaseInput) -> io::Result<()> {
    let path = folder.join(&input.path);
    if let Some(parent) = path.parent() {
        fs::create_dir_all(parent)?;
    }
    match &input.kind {
        InputKind::File(bytes) => write(&path, bytes),
        InputKind::Unreadable(bytes) => {
            write(&path, bytes)?;
            make_unreadable(&path)
        }
        InputKind::Folder => fs::create_dir_all(&path),
        InputKind::Fifo => {
            let made = Command::new("mkfifo").arg("--").arg(&path).status()?;
            if made.success() { Ok(()) } else { Err(io::Error::other("mkfifo failed")) }
        }
        InputKind::Link(target) => symlink(Path::new(target), &path),
        InputKind::HardLink(target) => fs::hard_link(folder.join(target), &path),
    }
}

fn write(path: &Path, bytes: &FileBytes) -> io::Result<()> {
    let mut file = File::create(path)?;
    match bytes {
        FileBytes::Bytes(bytes) => file.write_all(bytes),
        FileBytes::Repeated(0, count) => file.set_len(*count as u64),
        FileBytes::Repeated(byte, count) => {
            let mut bytes = io::repeat(*byte).take(*count as u64);
            io::copy(&mut bytes, &mut BufWriter::with_capacity(PIECE, file)).map(|_| ())
        }
        FileBytes::Noise(count) => {
            let piece = SplitMix64::new(1).noise(PIECE);
            (0..count / PIECE).try_for_each(|_| file.write_all(&piece))
        }
    }
}

#[cfg(unix)]
fn make_unreadable(path: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;

    fs::set_permissions(path, fs::Permissions::from_mode(0o000))
}

#[cfg(unix)]
fn symlink(target: &Path, path: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(target, path)
}

#[cfg(not(unix))]
fn make_unreadable(_: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(not(unix))]
fn symlink(_: &Path, _: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}
