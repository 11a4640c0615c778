//! A sweep as a picture.

use std::ffi::OsStr;
use std::fmt::Write as _;
use std::path::Path;

use lodger_opensim::pricing::SweepPoint;
use lodger_plot::Picture;
use lodger_terminal::{Diagnostic, plain, tail};

use super::super::report::Sweep;
use super::sweep::{variable, without_flip};

/// Characters of a name that the heading has room for.
const LONGEST_NAME: usize = 44;

/// The points of a sweep as SVG.
pub(crate) fn plot(sweep: &Sweep, points: &[SweepPoint]) -> Result<String, Diagnostic> {
    let file = Path::new(&sweep.file).file_name().map(OsStr::to_string_lossy);
    let file = plain(file.as_deref().unwrap_or(&sweep.file));
    let rules = if sweep.rules == "grid" { "grid (unverified)" } else { sweep.rules };
    let mut conditions = format!("{rules} rules, shape type {}", sweep.shape);
    if sweep.physical {
        conditions += ", physical";
    }
    let unchanged = without_flip(sweep);
    if let Some(why) = &unchanged {
        let _ = write!(conditions, "; {why}");
    }
    let picture = Picture {
        heading: &format!("What {} costs at every size", tail(&file, LONGEST_NAME)),
        conditions: &conditions,
        size: &variable(sweep),
        physics: unchanged.and(points.first()).map(|point| point.price.physics.representation),
        points,
        chosen: None,
    };
    lodger_plot::svg(&picture).map_err(|error| Diagnostic::error(error.to_string()))
}
