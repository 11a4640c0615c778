//! Convex decomposition by V-HACD in a child process, because it may panic, run away or exhaust
//! memory. The messages between the processes are in postcard's format.

use std::io::{self, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};
use serde::{Deserialize, Serialize};

use crate::physics::Decompose;

/// The argument that makes a program call [`run_decomposer`].
pub const DECOMPOSE_ARG: &str = "--internal-decompose";

/// Decomposes meshes in a child process: `PROGRAM` with [`DECOMPOSE_ARG`], which calls
/// [`run_decomposer`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChildDecomposer {
    /// The program to start.
    pub program: PathBuf,
    /// The time after which the child is killed.
    pub time: Duration,
    /// The limit of the child's address space in bytes, on Unix.
    pub memory: u64,
}

impl ChildDecomposer {
    /// Creates a decomposer with limits of one minute and 2 GiB.
    #[must_use]
    pub const fn new(program: PathBuf) -> Self {
        Self { program, time: Duration::from_mins(1), memory: 2 << 30 }
    }

    fn ask(&self, request: &DecomposeRequest) -> Result<Vec<u8>, String> {
        let request = postcard::to_stdvec(request).map_err(|error| error.to_string())?;
        let mut command = Command::new(&self.program);
        command.arg(DECOMPOSE_ARG).stdin(Stdio::piped()).stdout(Stdio::piped());
        // A backtrace would hide the last line of stderr.
        command.stderr(Stdio::piped()).env("RUST_BACKTRACE", "0");
        let child = command.spawn().map_err(|error| format!("it could not be started: {error}"))?;
        let mut child = Guard(child);
        let deadline = Instant::now() + self.time;
        let said = ChildOutput::start(&mut child.0, request).map_err(|error| error.to_string())?;
        let answer = said.answer.recv_timeout(self.time);
        if answer.as_ref().is_ok_and(|answer| answer.len() as u64 > MAX_ANSWER) {
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

impl Decompose for ChildDecomposer {
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
        let failed = |problem| format!("taking it apart failed: {problem}");
        let answer = self.ask(&request).map_err(failed)?;
        read_answer(&answer).map_err(|error| failed(format!("the answer makes no sense: {error}")))
    }
}

/// The output of a child, read by threads, as a grandchild could keep the pipes open.
struct ChildOutput {
    answer: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

impl ChildOutput {
    fn start(child: &mut Child, request: Vec<u8>) -> std::io::Result<Self> {
        if let Some(mut stdin) = child.stdin.take() {
            // The exit status shows that a child ended early.
            thread::Builder::new().spawn(move || drop(stdin.write_all(&request)))?;
        }
        let answer = read_in_thread(child.stdout.take(), |stdout, bytes| {
            stdout.take(MAX_ANSWER + 1).read_to_end(bytes).map(|_| ())
        })?;
        let errors = read_in_thread(child.stderr.take(), |mut stderr, bytes| {
            last_bytes(&mut stderr, bytes)
        })?;
        Ok(Self { answer, errors })
    }

    fn last_words(&self) -> String {
        const WAIT: Duration = Duration::from_secs(1);
        let errors = self.errors.recv_timeout(WAIT).unwrap_or_default();
        let errors = String::from_utf8_lossy(&errors);
        let mut lines = errors.lines().rev().map(str::trim);
        let line = lines.find(|line| !line.is_empty() && !line.starts_with("note:"));
        line.unwrap_or_default().to_owned()
    }
}

fn read_in_thread<R: Read + Send + 'static>(
    from: Option<R>,
    all: impl FnOnce(R, &mut Vec<u8>) -> std::io::Result<()> + Send + 'static,
) -> std::io::Result<Receiver<Vec<u8>>> {
    let (sender, receiver) = channel();
    if let Some(from) = from {
        thread::Builder::new().spawn(move || {
            let mut bytes = Vec::new();
            drop(all(from, &mut bytes));
            drop(sender.send(bytes));
        })?;
    }
    Ok(receiver)
}

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

struct Guard(Child);

impl Guard {
    /// The exit status; `None` if the child still runs at the deadline.
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
        drop(self.0.kill());
        drop(self.0.wait());
    }
}

fn failure(status: ExitStatus, words: &str) -> String {
    const MAX_CHARS: usize = 200;
    let mut text = status.to_string();
    if !words.is_empty() {
        let plain = words.chars().filter(|c| !c.is_control()).take(MAX_CHARS);
        text.push_str(": ");
        text.extend(plain);
    }
    text
}

const FAILED: u8 = 2;

/// Reads a mesh from stdin, decomposes it within the limits of the request, and writes the hulls to
/// stdout: the main function of the child of a [`ChildDecomposer`]. A failure is one line on
/// stderr, a panic more.
#[must_use]
pub fn run_decomposer() -> ExitCode {
    match serve() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            // Without stderr, the exit code remains.
            drop(writeln!(io::stderr(), "{error}"));
            ExitCode::from(FAILED)
        }
    }
}

fn serve() -> io::Result<()> {
    let mut bytes = Vec::new();
    io::stdin().lock().read_to_end(&mut bytes)?;
    let request = DecomposeRequest::read(&bytes)?;
    limit(&request)?;
    let answer = postcard::to_stdvec(&decompose(&request)).map_err(io::Error::other)?;
    let mut out = io::stdout().lock();
    out.write_all(&answer)?;
    out.flush()
}

/// Limits memory and time of this process, and disables core files.
#[cfg(unix)]
fn limit(request: &DecomposeRequest) -> io::Result<()> {
    use rustix::process::{Resource, Rlimit, setrlimit};
    let seconds = u64::from(request.seconds).saturating_add(1);
    for (resource, max) in
        [(Resource::As, request.memory), (Resource::Cpu, seconds), (Resource::Core, 0)]
    {
        setrlimit(resource, Rlimit { current: Some(max), maximum: Some(max) })?;
    }
    Ok(())
}

/// Does nothing: on other systems only the parent limits the time.
#[cfg(not(unix))]
fn limit(_request: &DecomposeRequest) -> io::Result<()> {
    Ok(())
}

/// The points of each part, whose hull is the part: surface points within its voxels.
#[expect(clippy::cast_possible_truncation, reason = "to floats, as they came")]
pub(crate) fn decompose(request: &DecomposeRequest) -> Vec<Vec<[f32; 3]>> {
    /// Parts of less concavity are not cut; the number of parts ends the work.
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

/// The limit of the length of an answer in bytes: of four million points.
const MAX_ANSWER: u64 = 12 << 22;
/// The limit of the number of hulls of an answer.
const MAX_HULLS: usize = 1 << 12;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct DecomposeRequest {
    pub(crate) hulls: u32,
    pub(crate) resolution: u32,
    /// The limit of processor time in seconds; the next field is the limit of memory in bytes.
    pub(crate) seconds: u32,
    pub(crate) memory: u64,
    pub(crate) points: Vec<[f32; 3]>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl DecomposeRequest {
    fn read(bytes: &[u8]) -> io::Result<Self> {
        let Ok((request, [])) = postcard::take_from_bytes::<Self>(bytes) else {
            return Err(wrong("it is no request"));
        };
        check_points(&request.points)?;
        let count = request.points.len();
        if request.triangles.as_flattened().iter().any(|&index| index as usize >= count) {
            return Err(wrong("a triangle has no such point"));
        }
        Ok(request)
    }
}

/// Reads the hulls of an answer; further bytes are an error. The number of hulls is checked before
/// they are read, because a hull without points has one byte in the answer and 24 in memory.
fn read_answer(bytes: &[u8]) -> io::Result<Vec<Vec<[f32; 3]>>> {
    let no_answer = |_| wrong("it is no answer");
    let (count, mut rest) = postcard::take_from_bytes::<usize>(bytes).map_err(no_answer)?;
    if count > MAX_HULLS {
        return Err(wrong("it has too many hulls"));
    }
    let mut hulls = Vec::new();
    for _ in 0..count {
        let hull: Vec<[f32; 3]>;
        (hull, rest) = postcard::take_from_bytes(rest).map_err(no_answer)?;
        check_points(&hull)?;
        hulls.push(hull);
    }
    if rest.is_empty() { Ok(hulls) } else { Err(wrong("it is no answer")) }
}

fn check_points(points: &[[f32; 3]]) -> io::Result<()> {
    let is_finite = points.as_flattened().iter().all(|x| x.is_finite());
    if is_finite { Ok(()) } else { Err(wrong("a point is not finite")) }
}

fn wrong(text: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_come_back_and_nonsense_is_refused() {
        let request = DecomposeRequest {
            hulls: 7,
            resolution: 64,
            seconds: 9,
            memory: 1 << 40,
            points: vec![[0.0, 1.0, -2.5], [3.0; 3], [4.0; 3]],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
        };
        let read = |request: &DecomposeRequest| {
            DecomposeRequest::read(&postcard::to_stdvec(request).unwrap())
        };
        let refused = |request: &DecomposeRequest| read(request).unwrap_err().to_string();
        assert_eq!(read(&request).unwrap(), request);
        let nan = DecomposeRequest { points: vec![[f32::NAN; 3]; 3], ..request.clone() };
        assert_eq!(refused(&nan), "a point is not finite");
        let outside = DecomposeRequest { triangles: vec![[0, 1, 3]], ..request.clone() };
        assert_eq!(refused(&outside), "a triangle has no such point");

        let bytes = postcard::to_stdvec(&request).unwrap();
        assert!((0..bytes.len()).all(|end| DecomposeRequest::read(&bytes[..end]).is_err()));
        let hulls = vec![vec![[1.0; 3], [2.0; 3]], vec![], vec![[3.0; 3]]];
        let mut answer = postcard::to_stdvec(&hulls).unwrap();
        assert_eq!(read_answer(&answer).unwrap(), hulls);
        assert!((0..answer.len()).all(|end| read_answer(&answer[..end]).is_err()));
        answer.push(0);
        let refused = |answer: &[u8]| read_answer(answer).unwrap_err().to_string();
        assert_eq!(refused(&answer), "it is no answer");
        let nan: Vec<Vec<[f32; 3]>> = vec![vec![[f32::NAN; 3]]];
        assert_eq!(refused(&postcard::to_stdvec(&nan).unwrap()), "a point is not finite");

        let without_points = |count: usize| postcard::to_stdvec(&vec![vec![[0.0; 3]; 0]; count]);
        let most = without_points(MAX_HULLS).unwrap();
        assert_eq!(read_answer(&most).unwrap().len(), MAX_HULLS);
        assert_eq!(refused(&without_points(MAX_HULLS + 1).unwrap()), "it has too many hulls");
        // The longest answer, of empty hulls, is refused by its count alone.
        let count = usize::try_from(MAX_ANSWER).unwrap() - 4;
        let mut longest = postcard::to_stdvec(&count).unwrap();
        assert_eq!(refused(&longest), "it has too many hulls");
        longest.resize(longest.len() + count, 0);
        assert_eq!(refused(&longest), "it has too many hulls");
        // A hull of more points than the answer has bytes.
        let points = [&[1][..], &postcard::to_stdvec(&usize::MAX).unwrap()].concat();
        assert_eq!(refused(&points), "it is no answer");
    }
}
