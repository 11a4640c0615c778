//! Scenes in TOML.

mod actor;
mod module;
mod raw;

#[cfg(test)]
mod tests;

use lodger_core::units::Budget;
use lodger_scheduler::{Scene, View};

use crate::error::{Error, ErrorKind};
use crate::limits::Limits;
use crate::names;
use crate::number::place;
use crate::place::Subject;
use crate::scene_file::SceneFile;
use crate::settings::Settings;
use crate::text;
use crate::warning::locate;
use raw::{RawScene, RawView};

impl SceneFile {
    /// Reads a scene in TOML; [`EXAMPLE`](crate::EXAMPLE) explains all of its keys.
    ///
    /// # Errors
    /// Every [`ErrorKind`] but those of glTF, of linksets and of texts that are not UTF-8, each with its
    /// place.
    ///
    /// # Examples
    /// ```
    /// use lodger_scenes::{EXAMPLE, Limits, SceneFile, Settings};
    ///
    /// let mut file = SceneFile::from_toml(EXAMPLE, &Settings::default(), Limits::default())?;
    /// let cape = &file.actors[0];
    /// assert_eq!(cape.name, "hero cape");
    /// let plan = file.scene.tick();
    /// assert_eq!(plan.lod(cape.id).map(|lod| lod.level()), Some(3));
    /// assert!(plan.is_feasible());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_toml(text: &str, settings: &Settings, limits: Limits) -> Result<Self, Error> {
        let raw = text::parse(text, limits)?;
        let mut file = build(&raw, settings, limits).map_err(|error| error.locate(text))?;
        locate(&mut file.warnings, text);
        Ok(file)
    }
}

fn build(raw: &RawScene, settings: &Settings, limits: Limits) -> Result<SceneFile, Error> {
    let written = raw.budget_ms.map(|budget_ms| {
        Budget::from_ms(budget_ms)
            .map_err(|error| Error::number(Subject::File, "budget_ms", budget_ms, error))
    });
    let budget = settings.budget.or(written.transpose()?).ok_or_else(no_budget)?;
    let mut file = SceneFile::new(Scene::new(budget));
    file.scene.set_count_unmanaged(raw.count_unmanaged);
    let views = raw.view.iter().enumerate().map(|(index, view)| eye(index, view));
    let views = views.collect::<Result<Vec<_>, _>>()?;
    let views = settings.view.map_or(views, |view| vec![view]);
    for (index, view) in views.iter().enumerate() {
        let what = || format!("view {}", index + 1);
        file.scene
            .add_view(*view)
            .map_err(|error| Error::refused(Subject::View(index), what(), error))?;
    }
    names::unique(raw.module.iter().map(|m| m.name.as_str()), "module", Subject::Module)?;
    for (index, module) in raw.module.iter().enumerate() {
        file.modules.push(module::add(&mut file.scene, index, module)?);
    }
    names::unique(raw.actor.iter().map(|a| a.name.as_str()), "actor", Subject::Actor)?;
    actor::spawn_all(&mut file, raw, !views.is_empty(), limits)?;
    Ok(file)
}

fn no_budget() -> Error {
    Error::new(ErrorKind::NoBudget, Subject::File, "budget_ms").with_help(
        "write `budget_ms = 16.6` (milliseconds; `inf` is unlimited) above the first table",
    )
}

fn eye(index: usize, view: &RawView) -> Result<View<f32>, Error> {
    let subject = Subject::View(index);
    place(view.eye.0).and_then(View::eye).map_err(|error| {
        match view.eye.0.iter().find(|component| !component.is_finite()) {
            Some(&component) => Error::number(subject, "eye", component, error),
            None => {
                Error::refused(subject, format!("view {}", index + 1), error.into()).about("eye")
            }
        }
    })
}
