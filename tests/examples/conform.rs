//! Compares the answers of programs with the host's, bit for bit, for `cargo xtask conform`.
//!
//! ```text
//! conform [VECTORS] -- TARGET PROGRAM ARGUMENTS... -- TARGET PROGRAM ARGUMENTS...
//! ```
//!
//! Each program evaluates `VECTORS` test vectors in each number type over its standard input and output; by default as many
//! as `lodger board conform`.

use std::collections::BTreeSet;
use std::error::Error;
use std::io::{self, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitCode, ExitStatus, Stdio};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::thread;
use std::time::{Duration, Instant};

use lodger_wire::conform::{Mismatch, NumberType, SchedulerBackend, VECTORS, compare, end};
use lodger_wire::{FramedTransport, Transport};

/// The time without an answer after which a program is killed; answers take less than a tenth of it.
const TIMEOUT: Duration = Duration::from_mins(2);

struct Row {
    target: String,
    backend: NumberType,
    differing: u32,
}

fn main() -> Result<ExitCode, Box<dyn Error>> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut groups = args.split(|arg| arg == "--");
    let vectors = groups.next().and_then(|group| group.first());
    let vectors = vectors.map_or(Ok(VECTORS), |vectors| vectors.parse())?;
    let mut rows = Vec::new();
    for group in groups {
        let [target, program, args @ ..] = group else {
            return Err("a target needs a program".into());
        };
        let start = Instant::now();
        let answered = compare_with(target, Command::new(program).args(args), vectors);
        rows.extend(answered.map_err(|error| format!("{target}: {error}"))?);
        eprintln!("{target}: {:.1} s", start.elapsed().as_secs_f64());
    }
    println!("\n{:27} {:8} {:>8} {:>8}", "target", "backend", "vectors", "differ");
    for Row { target, backend, differing } in &rows {
        println!("{target:27} {backend:8} {vectors:8} {differing:8}");
    }
    let targets: BTreeSet<_> = rows.iter().map(|row| &row.target).collect();
    let answers = u64::from(vectors) * rows.len() as u64;
    let differing: u32 = rows.iter().map(|row| row.differing).sum();
    println!("\n{} targets, {answers} answers, {differing} differ", targets.len());
    Ok(if differing == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Prints the first different answer in each number type.
fn compare_with(
    target: &str,
    program: &mut Command,
    vectors: u32,
) -> Result<Vec<Row>, Box<dyn Error>> {
    let (running, pipes) = Running::start(program)?;
    let mut frames = FramedTransport::new(pipes);
    let mut rows = Vec::new();
    for backend in NumberType::ALL {
        let mut differing = 0;
        let compared = compare(&mut frames, backend, vectors, &mut SchedulerBackend, |mismatch| {
            let _ = running.answered.send(());
            if let Some(Mismatch { request, device, host, .. }) = mismatch {
                if differing == 0 {
                    eprintln!("{request:x?}\n  board {device:08x?}\n  host  {host:08x?}");
                }
                differing += 1;
            }
        });
        compared.map_err(|_| "the program stopped answering")?;
        rows.push(Row { target: target.to_owned(), backend, differing });
    }
    end(&mut frames).map_err(|_| "the program stopped answering")?;
    let status = running.wait()?;
    if status.success() { Ok(rows) } else { Err(format!("the program ended with {status}").into()) }
}

/// A running program, killed when dropped or after [`TIMEOUT`] without an answer.
struct Running {
    child: Arc<Mutex<Child>>,
    answered: mpsc::Sender<()>,
}

impl Running {
    fn start(program: &mut Command) -> Result<(Self, Pipes), Box<dyn Error>> {
        let mut child = program.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn()?;
        let pipes = child.stdin.take().zip(child.stdout.take());
        let (input, output) = pipes.ok_or("no pipes")?;
        let child = Arc::new(Mutex::new(child));
        let (answered, answers) = mpsc::channel();
        let watched = Arc::clone(&child);
        thread::spawn(move || {
            let silence = loop {
                if let Err(silence) = answers.recv_timeout(TIMEOUT) {
                    break silence;
                }
            };
            if silence == mpsc::RecvTimeoutError::Timeout {
                eprintln!("killed after {} s without an answer", TIMEOUT.as_secs());
                kill(&watched);
            }
        });
        Ok((Self { child, answered }, Pipes { input, output }))
    }

    fn wait(&self) -> io::Result<ExitStatus> {
        loop {
            let mut child = self.child.lock().unwrap_or_else(PoisonError::into_inner);
            if let Some(status) = child.try_wait()? {
                return Ok(status);
            }
            drop(child);
            thread::sleep(Duration::from_millis(10));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        kill(&self.child);
    }
}

fn kill(child: &Mutex<Child>) {
    let mut child = child.lock().unwrap_or_else(PoisonError::into_inner);
    let _ = child.kill();
    let _ = child.wait();
}

struct Pipes {
    input: ChildStdin,
    output: ChildStdout,
}

impl Transport for Pipes {
    type Error = io::Error;

    fn receive(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.output.read(buffer)
    }

    fn send(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.input.write_all(bytes)
    }
}
