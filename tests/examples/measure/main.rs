//! Measures release builds on large inputs, for `cargo xtask bounds` and `cargo xtask grid-figures`.
//!
//! ```text
//! measure TARGET_FOLDER bounds
//! measure TARGET_FOLDER grid ASSETS OBJECTS SEED
//! ```

mod bounds;
mod grid;
mod region;
mod scenes;

use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::{Child, Command, ExitStatus};
use std::thread;
use std::time::{Duration, Instant};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

fn main() -> Result<()> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        [target, "bounds"] => bounds::run(&Path::new(target).join("release")),
        [target, "grid", assets, objects, seed] => {
            grid::run(Path::new(target), [assets, objects, seed])
        }
        _ => Err("usage: measure TARGET_FOLDER (bounds | grid ASSETS OBJECTS SEED)".into()),
    }
}

/// The time between two readings of the memory. The peak never decreases, so only the last interval is missed.
const INTERVAL: Duration = Duration::from_millis(2);

struct ResourceUsage {
    seconds: f64,
    mebibytes: Option<f64>,
}

fn measure_run(command: &mut Command) -> Result<ResourceUsage> {
    let start = Instant::now();
    let child = command.spawn().map_err(|error| format!("{command:?}: {error}"))?;
    let (status, mebibytes) = follow(child)?;
    let seconds = start.elapsed().as_secs_f64();
    if status.success() {
        Ok(ResourceUsage { seconds, mebibytes })
    } else {
        Err(format!("{command:?}: {status}").into())
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
        peak = peak_mebibytes(&status).or(peak);
        thread::sleep(INTERVAL);
    }
}

/// Reads the peak of resident memory (proc(5)); `None` before exec, when the child is a copy of this process.
fn peak_mebibytes(status: &str) -> Option<f64> {
    let name = status.strip_prefix("Name:")?.trim_start();
    if !["lodger", "gltfpack", "grid_figures"].iter().any(|program| name.starts_with(program)) {
        return None;
    }
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kibibytes: u32 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(f64::from(kibibytes) / 1024.0)
}

#[cfg(test)]
mod tests {
    use super::peak_mebibytes;

    #[test]
    fn the_peak_is_read_from_the_status_of_a_measured_program() {
        let status =
            |name: &str| format!("Name:\t{name}\nVmPeak:\t  999 kB\nVmHWM:\t    2048 kB\n");
        assert_eq!(peak_mebibytes(&status("lodger")), Some(2.0));
        assert_eq!(peak_mebibytes(&status("lodger-pack")), Some(2.0));
        assert_eq!(peak_mebibytes(&status("measure")), None);
        assert_eq!(peak_mebibytes("Name:\tlodger\n"), None);
    }
}
