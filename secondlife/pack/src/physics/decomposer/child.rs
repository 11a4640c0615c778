//! Taking a mesh apart in a process of its own, because that is known to panic, to run away and to eat memory.

use std::io::{self, BufWriter, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

use crate::physics::Decompose;
use crate::physics::decomposer::protocol::{
    DecomposeRequest, MOST_ANSWER, read_answer, write_answer,
};

/// What a program is started with that is to call [`serve_decomposition`](crate::serve_decomposition): no path that
/// anybody names.
pub const DECOMPOSE: &str = "--internal-decompose";

/// Takes meshes apart in a child process: `PROGRAM` with [`DECOMPOSE`], which is to call
/// [`serve_decomposition`](crate::serve_decomposition).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildProcess {
    /// The program.
    pub program: PathBuf,
    /// How long it may take before it is ended.
    pub time: Duration,
    /// The bytes of address space that it may have, where the system holds it to that (Unix).
    pub memory: u64,
}

impl ChildProcess {
    /// A child of that program that may take one minute and 2 GiB.
    #[must_use]
    pub const fn new(program: PathBuf) -> Self {
        Self { program, time: Duration::from_mins(1), memory: 2 << 30 }
    }

    fn ask(&self, request: DecomposeRequest) -> Result<Vec<u8>, String> {
        let mut command = Command::new(&self.program);
        command.arg(DECOMPOSE).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A backtrace would hide its last words.
        command.stderr(Stdio::piped()).env("RUST_BACKTRACE", "0");
        let child = command.spawn().map_err(|error| format!("it could not be started: {error}"))?;
        let mut child = Guard(child);
        let deadline = Instant::now() + self.time;
        let said = ChildOutput::start(&mut child.0, request).map_err(|error| error.to_string())?;
        let answer = said.answer.recv_timeout(self.time);
        if answer.as_ref().is_ok_and(|answer| answer.len() as u64 > MOST_ANSWER) {
            return Err("it answered more than it was asked for".to_owned());
        }
        let Some(status) = child.wait_until(deadline)? else {
            return Err(format!("it took longer than {} s", self.time.as_secs_f64()));
        };
        if status.success() {
            return answer.map_err(|_| "it gave no answer".to_owned());
        }
        Err(failure(status, &said.last_words()))
    }
}

impl Decompose for ChildProcess {
    fn decompose(
        &self,
        points: &[[f32; 3]],
        triangles: &[[u32; 3]],
        hulls: u32,
        resolution: u32,
    ) -> Result<Vec<Vec<[f32; 3]>>, String> {
        let seconds = u32::try_from(self.time.as_secs()).unwrap_or(u32::MAX);
        let (points, triangles) = (points.to_vec(), triangles.to_vec());
        let request =
            DecomposeRequest { hulls, resolution, seconds, memory: self.memory, points, triangles };
        let told = |problem| format!("taking it apart failed: {problem}");
        let answer = self.ask(request).map_err(told)?;
        read_answer(&answer).map_err(|error| told(format!("the answer makes no sense: {error}")))
    }
}

/// What a child says, read by threads that nobody waits for longer than for the child: somebody else might have its
/// pipes.
struct ChildOutput {
    answer: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

impl ChildOutput {
    fn start(child: &mut Child, request: DecomposeRequest) -> std::io::Result<Self> {
        if let Some(stdin) = child.stdin.take() {
            thread::Builder::new().spawn(move || {
                let mut stdin = BufWriter::new(stdin);
                // A child that ends early is seen by its status.
                drop(request.write(&mut stdin).and_then(|()| stdin.flush()));
            })?;
        }
        let answer = read(child.stdout.take(), |stdout, bytes| {
            stdout.take(MOST_ANSWER + 1).read_to_end(bytes).map(|_| ())
        })?;
        let errors = read(child.stderr.take(), |mut stderr, bytes| last_bytes(&mut stderr, bytes))?;
        Ok(Self { answer, errors })
    }

    /// The last line on the standard error that says something.
    fn last_words(&self) -> String {
        /// How long to wait for it, once the child is gone.
        const WAIT: Duration = Duration::from_secs(1);
        let errors = self.errors.recv_timeout(WAIT).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        let mut lines = errors.lines().rev().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with("note:"));
        line.unwrap_or_default().to_owned()
    }
}

/// Reads in a thread.
fn read<R: Read + Send + 'static>(
    from: Option<R>,
    all: impl FnOnce(R, &mut Vec<u8>) -> std::io::Result<()> + Send + 'static,
) -> std::io::Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = channel();
    if let Some(from) = from {
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            // What was read before a failure may still say something.
            drop(all(from, &mut bytes));
            // Nobody waits any more where this fails.
            drop(sender.send(bytes));
        })?;
    }
    Ok(receiver)
}

/// Reads to the end and keeps the last bytes.
fn last_bytes(from: &mut impl Read, bytes: &mut Vec<u8>) -> std::io::Result<()> {
    const KEPT: usize = 1 << 12;
    let mut piece = [0; KEPT];
    loop {
        match from.read(&mut piece)? {
            0 => return Ok(()),
            count => bytes.extend_from_slice(&piece[..count]),
        }
        bytes.drain(..bytes.len().saturating_sub(KEPT));
    }
}

/// A child that does not outlive this.
struct Guard(Child);

impl Guard {
    /// How it ended; `None` if it has not by then.
    fn wait_until(&mut self, deadline: Instant) -> Result<Option<ExitStatus>, String> {
        const PAUSE: Duration = Duration::from_millis(2);
        loop {
            let status = self.0.try_wait().map_err(|error| error.to_string())?;
            if status.is_some() || Instant::now() >= deadline {
                return Ok(status);
            }
            thread::sleep(PAUSE);
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // It has ended already, or ends now: neither call can do more.
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

/// How it failed, in one line without what would not print.
fn failure(status: ExitStatus, words: &str) -> String {
    const MOST: usize = 200;
    let mut text = status.to_string();
    if !words.is_empty() {
        let plain = words.chars().filter(|c| !c.is_control()).take(MOST);
        text.push_str(": ");
        text.extend(plain);
    }
    text
}

/// What it ends with where it fails.
const FAILED: u8 = 2;

/// Reads a mesh from the standard input, takes it apart within the limits that it was sent with, and writes the hulls
/// to the standard output: what [`ChildProcess`](ChildProcess) starts. A failure is told in one line on the
/// standard error, a panic in more.
#[must_use]
pub fn serve_decomposition() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Where not even this can be told, the code is all that is left.
            drop(writeln!(io::stderr(), "{error}"));
            ExitCode::from(FAILED)
        }
    }
}

fn serve() -> io::Result<()> {
    let request = DecomposeRequest::read(&mut io::stdin().lock())?;
    limit(&request)?;
    let hulls = decompose(&request);
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_answer(&mut out, &hulls)?;
    out.flush()
}

/// Holds this process to its memory and its time, and to leave no core file.
#[cfg(unix)]
fn limit(request: &DecomposeRequest) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let seconds = u64::from(request.seconds).saturating_add(1);
    for (resource, most) in
        [(Resource::As, request.memory), (Resource::Cpu, seconds), (Resource::Core, 0)]
    {
        setrlimit(resource, Rlimit { current: Some(most), maximum: Some(most) })?;
    }
    Ok(())
}

/// Elsewhere the parent's watch alone holds it to its time.
#[cfg(not(unix))]
fn limit(_request: &DecomposeRequest) -> io::Result<()> {
    Ok(())
}

/// The points of each part: those of the surface within its voxels. Their hull is the part.
#[expect(clippy::cast_possible_truncation, reason = "to floats, as they came")]
pub(crate) fn decompose(request: &DecomposeRequest) -> Vec<Vec<[f32; 3]>> {
    /// A part is cut while that gains the least; how many there are is what ends it.
    const CONCAVITY: f64 = 1e-4;
    let wide = |point: &[f32; 3]| Vector::from_array(point.map(f64::from));
    let points: Vec<Vector> = request.points.iter().map(wide).collect();
    let parameters = VHACDParameters {
        resolution: request.resolution,
        max_convex_hulls: request.hulls,
        concavity: CONCAVITY,
        ..VHACDParameters::default()
    };
    let parts = VHACD::decompose(&parameters, &points, &request.triangles, true);
    let parts = parts.compute_primitive_intersections(&points, &request.triangles);
    let narrow = |part: &Vec<Vector>| {
        let mut points: Vec<[f32; 3]> =
            part.iter().map(|point| point.to_array().map(|x| x as f32)).collect();
        points.sort_by(|a, b| a.partial_cmp(b).unwrap_or(std::cmp::Ordering::Equal));
        points.dedup();
        points
    };
    parts.iter().map(narrow).filter(|part| !part.is_empty()).collect()
}
