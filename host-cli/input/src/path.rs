//! Where a camera goes, as a file says it.

use std::path::Path;

use lodger_allowance::Allowance;
use lodger_opensim::files::{Kind, Problem, Stream};
use lodger_scenes::CameraPath;
use lodger_terminal::Diagnostic;

use crate::mistake::{decode, spent, told, unwanted};

/// What a file should have been that is none.
const WANTED: &str =
    "a camera path is a TOML file in UTF-8, of `[[waypoint]]` with `eye = [x, y, z]`";

/// Reads and checks a camera path.
///
/// # Errors
/// What is wrong with the file, and where.
pub fn camera_path(path: &Path, allowance: &Allowance) -> Result<CameraPath, Diagnostic> {
    let name = path.display().to_string();
    let refused = |problem| match problem {
        Problem::Spent(why) => spent(&name, why),
        Problem::Unreadable(why) => {
            let message = format!("cannot read the camera path `{name}`: {why}");
            Diagnostic::error(message).help("--path is orbit, line, still, or a .toml file")
        }
        problem => Diagnostic::error(format!("cannot read the camera path `{name}`: {problem}")),
    };
    let stream = Stream::open(path).map_err(refused)?;
    let kind = stream.kind();
    if !kind.may_be_text() && kind != Kind::Unknown {
        return Err(unwanted(&name, kind, "a camera path").help(WANTED));
    }
    let bytes = stream.whole(allowance).map_err(refused)?;
    let source = decode(name.clone(), bytes, WANTED)?;
    let text = source.text.as_ref().map_or("", |text| text);
    CameraPath::from_toml(text, allowance).map_err(|error| told(&error, &source))
}
