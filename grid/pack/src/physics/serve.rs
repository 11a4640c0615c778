//! The process that takes a mesh apart, and may fail at it.

use std::io::{self, Write};
use std::process::ExitCode;

use parry3d_f64::math::Vector;
use parry3d_f64::transformation::vhacd::{VHACD, VHACDParameters};

use super::wire::{Request, write_answer};

/// What it ends with where it fails.
const FAILED: u8 = 2;

/// Reads a mesh from the standard input, takes it apart within the limits that it was sent with, and writes the hulls
/// to the standard output: what [`ChildProcess`](super::ChildProcess) starts. A failure is told in one line on the
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
    let request = Request::read(&mut io::stdin().lock())?;
    limit(&request)?;
    let hulls = decompose(&request);
    let mut out = io::BufWriter::new(io::stdout().lock());
    write_answer(&mut out, &hulls)?;
    out.flush()
}

/// Holds this process to its memory and its time, and to leave no core file.
#[cfg(unix)]
fn limit(request: &Request) -> io::Result<()> {
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
fn limit(_request: &Request) -> io::Result<()> {
    Ok(())
}

/// The points of each part: those of the surface within its voxels. Their hull is the part.
#[expect(clippy::cast_possible_truncation, reason = "to floats, as they came")]
pub(super) fn decompose(request: &Request) -> Vec<Vec<[f32; 3]>> {
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
