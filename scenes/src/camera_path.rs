//! Camera paths in TOML.

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_gltf::FixedArray;
use lodger_quota::Quota;
use serde::Deserialize;

use crate::error::SceneFileError;
use crate::numbers::{coordinate, place};
use crate::spans::Subject;
use crate::toml_text::parse;

const HELP: &str = "write at least two `[[waypoint]]`, each with `eye = [x, y, z]` in metres";

/// A path of a camera along straight lines between waypoints.
///
/// # Examples
/// ```
/// use lodger_quota::Quota;
/// use lodger_scenes::CameraPath;
///
/// let text = "closed = true\n[[waypoint]]\neye = [0, 1.7, 9]\n[[waypoint]]\neye = [8, 1.7, 0]";
/// let path = CameraPath::from_toml(text, &Quota::default())?;
/// assert_eq!((path.closed, path.speed, path.eyes.len()), (true, CameraPath::SPEED, 2));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct CameraPath {
    /// Speed in metres a second, above 0.
    pub speed: f64,
    /// Whether the path leads from the last waypoint to the first; otherwise the camera turns back.
    pub closed: bool,
    /// The waypoints in metres, at least two.
    pub eyes: Vec<[f32; 3]>,
    /// The point that the camera looks at, in metres, at each waypoint; empty if the path has no direction.
    pub looks: Vec<[f32; 3]>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a camera path")]
struct RawPath {
    speed: Option<f64>,
    #[serde(default)]
    closed: bool,
    #[serde(default)]
    waypoint: Vec<RawWaypoint>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[waypoint]] table")]
struct RawWaypoint {
    /// Metres.
    eye: FixedArray<f64, 3>,
    /// Metres.
    look: Option<FixedArray<f64, 3>>,
}

impl CameraPath {
    /// The default speed, in metres a second.
    pub const SPEED: f64 = 5.0;

    /// Reads a camera path in TOML.
    ///
    /// # Errors
    /// [`Toml`](crate::SceneFileErrorKind::Toml), [`QuotaExceeded`](crate::SceneFileErrorKind::QuotaExceeded), and
    /// errors with spans for fewer than two waypoints, a speed that is not above 0 or is too large, and a waypoint
    /// that is not finite.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::Quota;
    /// use lodger_scenes::{CameraPath, Subject};
    ///
    /// let quota = Quota::default();
    /// let text = "speed = 3.0\n[[waypoint]]\neye = [0, 1.7, 9]\n[[waypoint]]\neye = [0, 1.7, -9]";
    /// let path = CameraPath::from_toml(text, &quota)?;
    /// assert_eq!((path.speed, path.closed, path.eyes[1]), (3.0, false, [0.0, 1.7, -9.0]));
    ///
    /// let text = text.replace("-9", "nan");
    /// let error = CameraPath::from_toml(&text, &quota).expect_err("nan");
    /// assert_eq!(error.to_string(), "`eye` is NaN, but must be a finite number");
    /// assert_eq!(error.subject(), Subject::Waypoint(1));
    /// assert_eq!(&text[error.span().expect("a place")], "[0, 1.7, nan]");
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    pub fn from_toml(text: &str, quota: &Quota) -> Result<Self, SceneFileError> {
        read(text, quota).map_err(|error| error.locate(text))
    }
}

fn read(text: &str, quota: &Quota) -> Result<CameraPath, SceneFileError> {
    let raw: RawPath = parse(text, quota)?;
    let speed = raw.speed.unwrap_or(CameraPath::SPEED);
    let problem = if !speed.is_finite() {
        Some(ValueProblem::NotFinite)
    } else if speed <= 0.0 {
        Some(ValueProblem::NotPositive)
    } else {
        coordinate(speed).err().map(ValueError::problem)
    };
    if let Some(problem) = problem {
        let refused = ValueError::new(Quantity::Speed, problem);
        return Err(SceneFileError::number(Subject::File, "speed", speed, refused));
    }
    if raw.waypoint.len() < 2 {
        let message = "a camera path needs at least two waypoints";
        let few = SceneFileError::new(message, Subject::File, "waypoint");
        return Err(few.with_help(HELP));
    }
    let has_looks = raw.waypoint.iter().any(|waypoint| waypoint.look.is_some());
    let points = raw.waypoint.len() * if has_looks { 2 } else { 1 };
    quota.charge_memory((points * size_of::<[f32; 3]>()) as u64)?;
    let mut eyes = Vec::with_capacity(raw.waypoint.len());
    let mut looks = Vec::with_capacity(if has_looks { raw.waypoint.len() } else { 0 });
    for (index, RawWaypoint { eye, look }) in raw.waypoint.iter().enumerate() {
        let subject = Subject::Waypoint(index);
        eyes.push(point(subject, "eye", eye.0)?);
        match look {
            Some(look) => looks.push(point(subject, "look", look.0)?),
            None if has_looks => {
                let message = "`look` is missing: another waypoint has it";
                return Err(SceneFileError::new(message, subject, "look")
                    .with_help("write `look = [x, y, z]` in each waypoint, or in none"));
            }
            None => {}
        }
    }
    Ok(CameraPath { speed, closed: raw.closed, eyes, looks })
}

fn point(
    subject: Subject,
    key: &'static str,
    numbers: [f64; 3],
) -> Result<[f32; 3], SceneFileError> {
    let wrong = |number, refused| SceneFileError::number(subject, key, number, refused);
    if let Some(number) = numbers.into_iter().find(|number| !number.is_finite()) {
        return Err(wrong(number, ValueError::new(Quantity::Position, ValueProblem::NotFinite)));
    }
    place(numbers).map_err(|refused| wrong(numbers[0], refused))
}

#[cfg(test)]
mod tests {
    use lodger_quota::Quota;

    use super::CameraPath;

    fn error_of(text: &str) -> (String, Option<String>) {
        let error = CameraPath::from_toml(text, &Quota::default());
        let error = error.expect_err("it is wrong");
        (error.to_string(), error.span().map(|span| text[span].to_owned()))
    }

    #[test]
    fn errors_have_messages_and_spans() {
        let points = "[[waypoint]]\neye = [0, 1, 2]\n[[waypoint]]\neye = [3, 1, 2]\n";
        let with_points = |text: &str| error_of(&format!("{text}\n{points}"));
        for (speed, why) in [
            ("0", "but must be a finite number above 0"),
            ("inf", "but must be a finite number"),
            ("1e308", "but must be below 3.4e38, to fit a 32-bit float"),
        ] {
            let (message, place) = with_points(&format!("speed = {speed}"));
            assert_eq!(message, format!("`speed` is {speed}, {why}"));
            assert_eq!(place.as_deref(), Some(speed));
        }
        assert!(with_points("sped = 2").0.contains("unknown key `sped`"));
        let (message, _) = error_of("[[waypoint]]\neye = [0, 1, 2]");
        assert_eq!(message, "a camera path needs at least two waypoints");
        let (message, place) = error_of(&points.replace("3, 1", "3e39, 1"));
        assert!(message.contains("too large"), "{message}");
        assert_eq!(place.as_deref(), Some("[3e39, 1, 2]"));
        let (message, place) = error_of(&points.replace("2]\n", "2]\nlook = [0, 1, inf]\n"));
        assert_eq!(message, "`look` is inf, but must be a finite number");
        assert_eq!(place.as_deref(), Some("[0, 1, inf]"));
        let (message, _) = error_of(&points.replacen("2]\n", "2]\nlook = [0, 1, 0]\n", 1));
        assert_eq!(message, "`look` is missing: another waypoint has it");
        assert!(error_of(&points.replace("3, 1", "3")).0.contains("an array of 3 numbers"));
    }
}
