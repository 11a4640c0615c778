//! The views of a TOML scene.

use lodger_core::error::{Quantity, ValueError, ValueProblem};
use lodger_core::view::DEFAULT_MARGIN;
use lodger_scheduler::View;

use super::RawView;
use crate::builder::refused_view;
use crate::camera_lens::CameraLens;
use crate::error::SceneFileError;
use crate::spans::Subject;

/// Reads a view, and its lens.
pub(super) fn read(index: usize, raw: &RawView) -> Result<(View<f32>, CameraLens), SceneFileError> {
    let subject = Subject::View(index);
    check_keys(subject, raw)?;
    check_numbers(subject, raw)?;
    let lens = CameraLens::default();
    let lens = CameraLens {
        fov: raw.fov,
        aspect: raw.aspect.unwrap_or(lens.aspect),
        up: raw.up.map_or(lens.up, |up| up.0),
        zoom: raw.zoom.unwrap_or(lens.zoom),
        reference_fov: raw.reference_fov,
        margin: raw.frustum.then(|| raw.margin.unwrap_or(DEFAULT_MARGIN)),
    };
    let view = lens.view(raw.eye.0, direction(raw)).map_err(|error| refused(index, raw, error))?;
    Ok((view, lens))
}

fn direction(raw: &RawView) -> Option<[f64; 3]> {
    raw.look.map(|look| [0, 1, 2].map(|axis| look.0[axis] - raw.eye.0[axis]))
}

fn check_keys(subject: Subject, raw: &RawView) -> Result<(), SceneFileError> {
    const LOOK: &str = "add `look = [x, y, z]`: a point in metres, in the middle of the picture";
    const FOV: &str = "add `fov`: the vertical field of view in degrees";
    let (look, fov) = (("look", raw.look.is_some(), LOOK), ("fov", raw.fov.is_some(), FOV));
    let frustum = ("frustum", raw.frustum, "add `frustum = true`, or remove `margin`");
    for (key, is_given, (needed, is_present, help)) in [
        ("frustum", raw.frustum, look),
        ("frustum", raw.frustum, fov),
        ("margin", raw.margin.is_some(), frustum),
        ("up", raw.up.is_some(), look),
        ("aspect", raw.aspect.is_some(), fov),
        ("reference_fov", raw.reference_fov.is_some(), fov),
    ] {
        if is_given && !is_present {
            let message = format!("`{key}` needs `{needed}`");
            return Err(SceneFileError::new(message, subject, key).with_help(help));
        }
    }
    if raw.zoom.is_some() && raw.reference_fov.is_some() {
        let message = "a view cannot have both `zoom` and `reference_fov`";
        let error = SceneFileError::new(message, subject, "reference_fov");
        return Err(error.with_help("remove one: `reference_fov` computes the zoom from `fov`"));
    }
    Ok(())
}

fn check_numbers(subject: Subject, raw: &RawView) -> Result<(), SceneFileError> {
    let points = [("eye", Some(raw.eye)), ("look", raw.look), ("up", raw.up)];
    for (key, point) in points {
        let wrong = point.and_then(|point| point.0.into_iter().find(|along| !along.is_finite()));
        if let Some(along) = wrong {
            let error = ValueError::new(Quantity::Position, ValueProblem::NotFinite);
            return Err(SceneFileError::number(subject, key, along, error));
        }
    }
    let is_zero = |numbers: [f64; 3]| numbers.iter().all(|number| *number == 0.0);
    let wrong = |key, why: String| Err(SceneFileError::new(format!("`{key}` {why}"), subject, key));
    if direction(raw).is_some_and(is_zero) {
        return wrong("look", "is at `eye`, but must be another point".to_owned());
    }
    if raw.up.is_some_and(|up| is_zero(up.0)) {
        return wrong("up", "is [0, 0, 0], but must be a direction".to_owned());
    }
    if let Some(fov) = raw.fov.filter(|fov| !CameraLens::FOVS.contains(fov)) {
        return wrong("fov", format!("is {fov}, but must be from 0.001 to 179 degrees"));
    }
    match raw.aspect {
        Some(aspect) if !CameraLens::ASPECTS.contains(&aspect) => {
            wrong("aspect", format!("is {aspect}, but must be from 0.05 to 20"))
        }
        _ => Ok(()),
    }
}

fn refused(index: usize, raw: &RawView, error: ValueError) -> SceneFileError {
    let subject = Subject::View(index);
    let of = |key, value: Option<f64>| {
        value.map(|value| SceneFileError::number(subject, key, value, error))
    };
    let found = match (error.quantity(), error.problem()) {
        (Quantity::Zoom, _) => of("zoom", raw.zoom),
        (Quantity::ReferenceFov, _) => of("reference_fov", raw.reference_fov),
        (Quantity::Margin, ValueProblem::TooLarge) => None,
        (Quantity::Margin, _) => of("margin", raw.margin),
        _ => None,
    };
    let key = match error.quantity() {
        Quantity::Position | Quantity::View => "eye",
        // The zoom that follows from both fields of view.
        Quantity::Zoom => "reference_fov",
        Quantity::Margin if raw.margin.is_some() => "margin",
        _ => "fov",
    };
    found.unwrap_or_else(|| refused_view(index, error).with_key(key))
}
