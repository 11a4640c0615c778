//! Convex decomposition by V-HACD in a child process, because it may panic, run away or exhaust
//! memory. The protocol between the processes consists of little-endian words.

use std::io::{self, BufWriter, ErrorKind, Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, ExitCode, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

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

    fn ask(&self, request: DecomposeRequest) -> Result<Vec<u8>, String> {
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
        let answer = self.ask(request).map_err(failed)?;
        read_answer(&answer).map_err(|error| failed(format!("the answer makes no sense: {error}")))
    }
}

/// The output of a child, read by threads, as a grandchild could keep the pipes open.
struct ChildOutput {
    answer: Receiver<Vec<u8>>,
    errors: Receiver<Vec<u8>>,
}

impl ChildOutput {
    fn start(child: &mut Child, request: DecomposeRequest) -> std::io::Result<Self> {
        if let Some(stdin) = child.stdin.take() {
            thread::Builder::new().spawn(move || {
                let mut stdin = BufWriter::new(stdin);
                // The exit status shows that a child ended early.
                drop(request.write(&mut stdin).and_then(|()| stdin.flush()));
            })?;
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
    let request = DecomposeRequest::read(&mut io::stdin().lock())?;
    limit(&request)?;
    let hulls = decompose(&request);
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_answer(&mut out, &hulls)?;
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

/// The first word of a request, and of an answer.
const REQUEST: u32 = u32::from_le_bytes(*b"apt1");
const ANSWER: u32 = u32::from_le_bytes(*b"hul1");
const MAX_POINTS: u32 = 1 << 22;
const MAX_HULLS: u32 = 1 << 12;

/// The length of the longest answer in bytes.
pub(crate) const MAX_ANSWER: u64 = 8 + 4 * MAX_HULLS as u64 + 12 * MAX_POINTS as u64;

#[derive(Clone, Debug, PartialEq)]
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
    pub(crate) fn write(&self, to: &mut impl Write) -> io::Result<()> {
        for word in [REQUEST, self.hulls, self.resolution, self.seconds] {
            word_to(to, word)?;
        }
        to.write_all(&self.memory.to_le_bytes())?;
        word_to(to, count(self.points.len())?)?;
        word_to(to, count(self.triangles.len())?)?;
        write_points(to, &self.points)?;
        self.triangles.as_flattened().iter().try_for_each(|&index| word_to(to, index))
    }

    pub(crate) fn read(from: &mut impl Read) -> io::Result<Self> {
        if word(from)? != REQUEST {
            return Err(wrong("it is no request"));
        }
        let [hulls, resolution, seconds] = [word(from)?, word(from)?, word(from)?];
        let mut memory = [0; 8];
        from.read_exact(&mut memory)?;
        let [point_count, triangle_count] = [word(from)?, word(from)?];
        if point_count > MAX_POINTS || triangle_count > MAX_POINTS {
            return Err(wrong("it has too many points or triangles"));
        }
        let points = read_points(from, point_count)?;
        let mut triangle =
            || -> io::Result<[u32; 3]> { Ok([word(from)?, word(from)?, word(from)?]) };
        let triangles: Vec<_> =
            (0..triangle_count).map(|_| triangle()).collect::<io::Result<_>>()?;
        if triangles.as_flattened().iter().any(|&index| index >= point_count) {
            return Err(wrong("a triangle has no such point"));
        }
        Ok(Self {
            hulls,
            resolution,
            seconds,
            memory: u64::from_le_bytes(memory),
            points,
            triangles,
        })
    }
}

pub(crate) fn write_answer(to: &mut impl Write, hulls: &[Vec<[f32; 3]>]) -> io::Result<()> {
    word_to(to, ANSWER)?;
    word_to(to, count(hulls.len())?)?;
    for hull in hulls {
        word_to(to, count(hull.len())?)?;
        write_points(to, hull)?;
    }
    Ok(())
}

/// Reads the hulls of an answer; further bytes are an error.
pub(crate) fn read_answer(mut bytes: &[u8]) -> io::Result<Vec<Vec<[f32; 3]>>> {
    let from = &mut bytes;
    if word(from)? != ANSWER {
        return Err(wrong("it is no answer"));
    }
    let count = word(from)?;
    if count > MAX_HULLS {
        return Err(wrong("it has too many hulls"));
    }
    let mut hulls = Vec::new();
    for _ in 0..count {
        let points = word(from)?;
        // Each point has twelve bytes.
        if points as usize > from.len() / 12 {
            return Err(wrong("it ends too early"));
        }
        hulls.push(read_points(from, points)?);
    }
    if from.is_empty() { Ok(hulls) } else { Err(wrong("it has too many bytes")) }
}

fn wrong(text: &'static str) -> io::Error {
    io::Error::new(ErrorKind::InvalidData, text)
}

fn count(items: usize) -> io::Result<u32> {
    match u32::try_from(items) {
        Ok(items) if items <= MAX_POINTS => Ok(items),
        _ => Err(wrong("it has too many points or triangles")),
    }
}

fn word(from: &mut impl Read) -> io::Result<u32> {
    let mut bytes = [0; 4];
    from.read_exact(&mut bytes)?;
    Ok(u32::from_le_bytes(bytes))
}

fn word_to(to: &mut impl Write, word: u32) -> io::Result<()> {
    to.write_all(&word.to_le_bytes())
}

fn read_points(from: &mut impl Read, count: u32) -> io::Result<Vec<[f32; 3]>> {
    let mut points = Vec::new();
    for _ in 0..count {
        let point = [word(from)?, word(from)?, word(from)?].map(f32::from_bits);
        if !point.iter().all(|x| x.is_finite()) {
            return Err(wrong("a point is not finite"));
        }
        points.push(point);
    }
    Ok(points)
}

fn write_points(to: &mut impl Write, points: &[[f32; 3]]) -> io::Result<()> {
    points.as_flattened().iter().try_for_each(|x| word_to(to, x.to_bits()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn request() -> DecomposeRequest {
        DecomposeRequest {
            hulls: 7,
            resolution: 64,
            seconds: 9,
            memory: 1 << 40,
            points: vec![[0.0, 1.0, -2.5], [3.0; 3], [4.0; 3]],
            triangles: vec![[0, 1, 2], [2, 1, 0]],
        }
    }

    #[test]
    fn messages_of_the_protocol_round_trip() {
        let mut bytes = Vec::new();
        request().write(&mut bytes).unwrap();
        assert_eq!(DecomposeRequest::read(&mut &bytes[..]).unwrap(), request());
        for end in 0..bytes.len() {
            assert!(DecomposeRequest::read(&mut &bytes[..end]).is_err());
        }
        let hulls = vec![vec![[1.0; 3], [2.0; 3]], vec![], vec![[3.0; 3]]];
        let mut answer = Vec::new();
        write_answer(&mut answer, &hulls).unwrap();
        assert_eq!(read_answer(&answer).unwrap(), hulls);
        for end in 0..answer.len() {
            assert!(read_answer(&answer[..end]).is_err());
        }
        answer.push(0);
        assert_eq!(read_answer(&answer).unwrap_err().to_string(), "it has too many bytes");
    }

    #[test]
    fn nonsense_is_refused() {
        let refused = |request: DecomposeRequest| {
            let mut bytes = Vec::new();
            request.write(&mut bytes).unwrap();
            DecomposeRequest::read(&mut &bytes[..]).unwrap_err().to_string()
        };
        let nan = DecomposeRequest { points: vec![[f32::NAN; 3]; 3], ..request() };
        assert_eq!(refused(nan), "a point is not finite");
        let outside = DecomposeRequest { triangles: vec![[0, 1, 3]], ..request() };
        assert_eq!(refused(outside), "a triangle has no such point");
        let mut many = ANSWER.to_le_bytes().to_vec();
        many.extend([1, 0, 0, 0, 255, 255, 255, 255]);
        assert_eq!(read_answer(&many).unwrap_err().to_string(), "it ends too early");
        many[4..8].fill(255);
        assert_eq!(read_answer(&many).unwrap_err().to_string(), "it has too many hulls");
    }
}
