//! Runs the program on a case: within limits, watched, and ended when it takes too much.

use std::ffi::OsString;
use std::fs::{self, File};
use std::io::{self, Read};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal as System, kill_process_group};

use super::case::{Case, Signal, Sink, Stdin};
use super::folder::{After, Folder, TEMPORARY};
use super::limits::{Limits, data_limit};

/// How often a run is looked at.
const INTERVAL: Duration = Duration::from_millis(1);
/// The files that may be open at a time.
const OPEN_FILES: u32 = 256;
/// The users that cases are run as that are denied something; each worker has one of its own, as the
/// system counts threads by user.
const FIRST_USER: usize = 60_100;
/// The code with which the shell says that no disk could be mounted.
pub(super) const NO_DISK: i32 = 125;
/// The code with which the shell says that something was left on the disk.
pub(super) const LEFT_ON_DISK: i32 = 121;

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum End {
    Code(i32),
    Signal(i32),
    /// We ended it, as it took too long.
    TooLong,
    /// We ended it, as it took too much memory.
    TooMuch,
}

/// What a run came to.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) end: End,
    pub(super) stdout: Vec<u8>,
    pub(super) stderr: Vec<u8>,
    /// The most bytes of memory that were seen.
    pub(super) peak: u64,
    pub(super) seconds: f64,
    pub(super) after: After,
}

/// Where runs happen.
#[derive(Debug)]
pub(super) struct Ground {
    /// The program, in a folder of its own with those beside it.
    pub(super) program: PathBuf,
    /// The folder for the folders of runs.
    pub(super) folder: PathBuf,
    /// Whether it can become another user and mount disks.
    pub(super) root: bool,
}

impl Ground {
    /// Runs a case, as the worker of this number.
    pub(super) fn run(&self, case: &Case, limits: &Limits, worker: usize) -> io::Result<Outcome> {
        let folder = Folder::make(self.folder.join(format!("run{worker}")), case)?;
        let start = Instant::now();
        let mut child = self.command(case, limits, worker, folder.path())?.spawn()?;
        let reading = [
            child.stdout.take().map(|pipe| read(pipe, case.stdout)),
            child.stderr.take().map(|pipe| read(pipe, case.stderr)),
        ];
        let writing = child.stdin.take().map(|pipe| feed(pipe, &case.stdin));
        let (end, peak) = follow(&mut child, case, limits, start)?;
        let seconds = start.elapsed().as_secs_f64();
        let [stdout, stderr] =
            reading.map(|it| it.and_then(|it| it.join().ok()).unwrap_or_default());
        // A program that has ended reads no more; the feeder has noticed.
        drop(writing);
        Ok(Outcome { end, stdout, stderr, peak, seconds, after: folder.after(case)? })
    }

    fn command(
        &self,
        case: &Case,
        limits: &Limits,
        worker: usize,
        folder: &Path,
    ) -> io::Result<Command> {
        let words = self.words(case, limits, worker);
        let mut command = Command::new(&words[0]);
        command.args(&words[1..]).args(case.arguments()).current_dir(folder).process_group(0);
        command.env_remove("RUST_BACKTRACE").env_remove("RAYON_NUM_THREADS");
        command.env("TMPDIR", folder.join(TEMPORARY)).envs(case.env.iter().cloned());
        command.stdin(match case.stdin {
            Stdin::Null | Stdin::Closed => Stdio::null(),
            Stdin::Bytes(_) | Stdin::Slow(..) => Stdio::piped(),
        });
        command.stdout(sink(case.stdout)?).stderr(sink(case.stderr)?);
        Ok(command)
    }

    /// The program behind what sets its limits.
    fn words(&self, case: &Case, limits: &Limits, worker: usize) -> Vec<OsString> {
        let mut words: Vec<OsString> = Vec::new();
        let mut add = |text: &str| words.extend(text.split(' ').map(OsString::from));
        if case.denied.disk.is_some() {
            add("unshare --mount");
        }
        if let Some(script) = script(case) {
            add("sh -c");
            words.push(script.into());
            words.push("sh".into());
        }
        let mut add = |text: &str| words.extend(text.split(' ').map(OsString::from));
        let cpu = limits.seconds * 8.0 + 5.0;
        let data = data_limit(limits);
        add(&format!("prlimit --core=0 --data={data} --cpu={cpu:.0} --nofile={OPEN_FILES}"));
        if let Some(bytes) = case.denied.file_bytes {
            add(&format!("--fsize={bytes}"));
        }
        if case.denied.threads {
            add("--nproc=1");
        }
        // Whoever stops us stops the program too.
        add("setpriv --pdeathsig KILL");
        if case.denied.threads || case.denied.privileges {
            let user = FIRST_USER + worker;
            add(&format!("--reuid={user} --regid={user} --clear-groups"));
        }
        add("--");
        if case.signal.is_some() {
            // Who started us in the background ignores some signals, and so would the program.
            add("env --default-signal");
        }
        words.push(self.program.clone().into());
        words
    }
}

/// What a shell has to do around the program, if anything.
fn script(case: &Case) -> Option<String> {
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
        // A pipe that breaks has said what it had to say.
        let _ = match sink {
            Sink::Leaving(count) => pipe.take(count as u64).read_to_end(&mut bytes),
            _ => pipe.read_to_end(&mut bytes),
        };
        bytes
    })
}

fn feed(mut pipe: impl io::Write + Send + 'static, stdin: &Stdin) -> JoinHandle<()> {
    let stdin = stdin.clone();
    thread::spawn(move || {
        // A reader that goes away has read enough.
        let _ = match stdin {
            Stdin::Null | Stdin::Closed => Ok(()),
            Stdin::Bytes(bytes) => pipe.write_all(&bytes),
            Stdin::Slow(bytes, piece, pause) => bytes.chunks(piece.max(1)).try_for_each(|piece| {
                thread::sleep(pause);
                pipe.write_all(piece)
            }),
        };
    })
}

/// Waits for the end, or makes it.
fn follow(
    child: &mut Child,
    case: &Case,
    limits: &Limits,
    start: Instant,
) -> io::Result<(End, u64)> {
    let status_file = format!("/proc/{}/status", child.id());
    let mut signal = case.signal;
    let mut peak = 0;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((ended(status), peak));
        }
        let status = fs::read_to_string(&status_file).unwrap_or_default();
        peak = crate::peak::peak(&status).unwrap_or(peak).max(peak);
        let elapsed = start.elapsed();
        let over = if peak > limits.memory {
            Some(End::TooMuch)
        } else {
            let late = elapsed.as_secs_f64() > limits.seconds;
            let its_own = || (elapsed.saturating_sub(kept_waiting(child.id()))).as_secs_f64();
            let too_long = late
                && (its_own() > limits.seconds || elapsed.as_secs_f64() > 3.0 * limits.seconds);
            too_long.then_some(End::TooLong)
        };
        if let Some(end) = over {
            kill(child, System::KILL);
            child.wait()?;
            return Ok((end, peak));
        }
        if let Some((which, after)) = signal
            && elapsed >= after
        {
            kill(child, system(which));
            signal = None;
        }
        thread::sleep(INTERVAL);
    }
}

/// How long the thread that had to wait longest for a processor waited, because others had them all.
fn kept_waiting(process: u32) -> Duration {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let waited = tasks.filter_map(|task| {
        let text = fs::read_to_string(task.path().join("schedstat")).ok()?;
        text.split_whitespace().nth(1)?.parse().ok()
    });
    Duration::from_nanos(waited.max().unwrap_or_default())
}

fn ended(status: ExitStatus) -> End {
    match (status.code(), status.signal()) {
        (Some(code), _) => End::Code(code),
        (None, signal) => End::Signal(signal.unwrap_or_default()),
    }
}

/// Sends a signal to the program and what it started.
fn kill(child: &Child, signal: System) {
    let group = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    // It may have ended by itself.
    let _ = group.map(|group| kill_process_group(group, signal));
}

/// What the system calls a signal.
pub(super) fn system(signal: Signal) -> System {
    match signal {
        Signal::Interrupt => System::INT,
        Signal::Terminate => System::TERM,
        Signal::HangUp => System::HUP,
    }
}
