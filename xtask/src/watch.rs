//! What a program takes, from outside of it.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

use crate::boards::unfit;
use crate::failure::Failure;

/// How often the memory is looked at. The peak only grows, so no more is missed than what the program
/// takes in its last moment.
const INTERVAL: Duration = Duration::from_millis(2);

/// What a run took.
pub(crate) struct Spent {
    pub(crate) seconds: f64,
    /// The most memory that it had at a time; only Linux tells.
    pub(crate) mebibytes: Option<f64>,
}

/// Runs a program of lodger's and waits for its end. Where it fails, the error says what it was asked for.
pub(crate) fn watch(command: &mut Command) -> Result<Spent, Failure> {
    let start = Instant::now();
    let child = command.spawn();
    let watched = child.and_then(follow);
    let (status, mebibytes) =
        watched.map_err(|error| unfit(Path::new(command.get_program()), &error))?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() {
        Ok(Spent { seconds, mebibytes })
    } else {
        Err(Failure::Unfit(format!("{command:?}: {status}")))
    }
}

fn follow(mut child: Child) -> std::io::Result<(ExitStatus, Option<f64>)> {
    let status_file = format!("/proc/{}/status", child.id());
    let mut peak = None;
    loop {
        if let Some(status) = child.try_wait()? {
            return Ok((status, peak));
        }
        let status = fs::read_to_string(&status_file).unwrap_or_default();
        peak = crate::peak::peak(&status).map(mebibytes).or(peak);
        thread::sleep(INTERVAL);
    }
}

#[allow(clippy::cast_precision_loss)] // memory is below 2^53 bytes
fn mebibytes(bytes: u64) -> f64 {
    bytes as f64 / f64::from(1 << 20)
}
