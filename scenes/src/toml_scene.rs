//! Scenes in TOML.

mod actor;
mod module;

#[cfg(test)]
mod tests;

use std::ops::Range;

use lodger_core::budget::Leftovers;
use lodger_core::importance::DistanceImportance;
use lodger_gltf::Numbers;
use lodger_quota::Quota;
use lodger_scheduler::View;
use serde::Deserialize;

use crate::builder::{Builder, refused_view, unique};
use crate::error::{Error, ErrorKind, locate};
use crate::numbers::place;
use crate::place::{ACTORS, Subject};
use crate::scene_file::SceneFile;
use crate::settings::{FilePolicy, Limits, PolicyName, Settings};
use crate::toml_outline::Outline;
use crate::toml_text::{parse, parse_to_keep};

/// The bytes of what was parsed but for actors, for each byte of its text.
const PARSED: u64 = 16;

impl SceneFile {
    /// Reads a scene in TOML; [`EXAMPLE`](crate::EXAMPLE) explains all of its keys. Of each `[[actor]]`
    /// no more is kept at a time than one and what a scene is made of.
    ///
    /// # Errors
    /// Every [`ErrorKind`] but [`NoCamera`](ErrorKind::NoCamera), each with its place. Where a text is too long to be parsed as a whole within the quota, and several things
    /// are wrong, it may be another one of them that is told.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::{Quota, QuotaLimits};
    /// use lodger_scenes::{EXAMPLE, Limits, SceneFile, Settings};
    ///
    /// let quota = Quota::new(QuotaLimits::default());
    /// let (settings, limits) = (Settings::default(), Limits::default());
    /// let mut file = SceneFile::from_toml(EXAMPLE, &settings, limits, &quota)?;
    /// let cape = &file.actors[0];
    /// assert_eq!(&*cape.name, "hero cape");
    /// let plan = file.scene.tick();
    /// assert_eq!(plan.lod(cape.id).map(|lod| lod.level()), Some(3));
    /// assert!(plan.is_feasible());
    /// # Ok::<(), lodger_scenes::Error>(())
    /// ```
    pub fn from_toml(
        text: &str,
        settings: &Settings,
        limits: Limits,
        quota: &Quota,
    ) -> Result<Self, Error> {
        let reading = Reading { settings, limits, quota };
        let mut file = reading.read(text).map_err(|error| error.locate(text))?;
        locate(&mut file.warnings, text);
        Ok(file)
    }
}

/// How a scene is read.
#[derive(Clone, Copy)]
struct Reading<'a> {
    settings: &'a Settings,
    limits: Limits,
    quota: &'a Quota,
}

impl<'a> Reading<'a> {
    /// Reads the actors one by one, unless they are written in another way than as `[[actor]]`, or the text
    /// is wrong: then the whole is parsed, as several things may be.
    fn read(self, text: &str) -> Result<SceneFile, Error> {
        let outline = Outline::new(text, ACTORS);
        let rest = outline.rest(self.quota)?;
        let has_actors = outline.elements().next().is_some();
        let mut raw = match parse::<RawScene>(&rest.text, self.quota) {
            Ok(raw) => raw,
            Err(error) if has_actors && !error.is_quota_exceeded() => {
                return self.read_whole(text, Some(error.moved(|span| rest.in_text(span))));
            }
            Err(error) => return Err(error),
        };
        self.quota.charge_memory(PARSED * rest.text.len() as u64)?;
        match raw.actor.take() {
            Some(_) if has_actors => self.read_whole(text, None),
            Some(listed) => self.build(&raw, listed.into_iter().map(Ok)),
            None => {
                let actors = outline.elements().map(|part| self.actor(text, part));
                self.build(&raw, actors).or_else(|error| match error.kind() {
                    ErrorKind::Toml => self.read_whole(text, Some(error)),
                    _ => Err(error),
                })
            }
        }
    }

    /// Reads a text that is parsed as a whole, if there is room for that. Otherwise it is what was found in
    /// a part of it that is wrong.
    fn read_whole(self, text: &str, found: Option<Error>) -> Result<SceneFile, Error> {
        let mut raw: RawScene = parse_to_keep(text, found, self.quota)?;
        let listed = raw.actor.take().unwrap_or_default();
        self.build(&raw, listed.into_iter().map(Ok))
    }

    /// Parses a part of a text that is one actor.
    fn actor(self, text: &str, part: Range<usize>) -> Result<RawActor, Error> {
        let parsed = parse::<RawActors>(&text[part.clone()], self.quota);
        let RawActors { actor: [actor] } = parsed
            .map_err(|error| error.moved(|span| part.start + span.start..part.start + span.end))?;
        Ok(actor)
    }

    /// Makes a scene, unless an actor cannot be parsed: whatever else is wrong, that is told.
    fn build(
        self,
        raw: &RawScene,
        mut actors: impl Iterator<Item = Result<RawActor, Error>>,
    ) -> Result<SceneFile, Error> {
        match self.begin(raw) {
            Ok(mut builder) => {
                actor::spawn_all(&mut builder, raw, actors)?;
                Ok(builder.file)
            }
            Err(error) => actors.try_for_each(|actor| actor.map(drop)).and(Err(error)),
        }
    }

    /// A scene without actors.
    fn begin(self, raw: &RawScene) -> Result<Builder<'a>, Error> {
        let unit = module::unit(raw)?;
        let budget = module::budget(raw, &unit, self.settings)?;
        let policy = FilePolicy {
            policy: raw.policy,
            leftovers: raw.leftovers,
            otherwise: PolicyName::Proportional,
        };
        let kept = (self.limits.warnings, self.quota);
        let mut builder = Builder::new((budget, unit), policy, self.settings, kept)?;
        builder.file.scene.set_count_unmanaged(raw.count_unmanaged);
        let views = raw.view.iter().enumerate().map(|(index, view)| eye(index, view));
        let views = views.collect::<Result<Vec<_>, _>>()?;
        let views = self.settings.view.map_or(views, |view| vec![view]);
        for (index, view) in views.iter().enumerate() {
            builder.file.scene.add_view(*view).map_err(|error| refused_view(index, error))?;
        }
        let modules = &raw.module;
        let name = |index: usize| modules[index].name.as_str();
        let called = ("module", Subject::Module as fn(usize) -> Subject);
        unique(modules.len(), name, called, self.quota)?;
        for (index, raw) in modules.iter().enumerate() {
            module::add(&mut builder, index, raw)?;
        }
        Ok(builder)
    }
}

fn eye(index: usize, view: &RawView) -> Result<View<f32>, Error> {
    place(view.eye.0).and_then(View::eye).map_err(|error| {
        match view.eye.0.iter().find(|component| !component.is_finite()) {
            Some(&component) => Error::number(Subject::View(index), "eye", component, error),
            None => refused_view(index, error).about("eye"),
        }
    })
}

/// The whole file.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scene")]
pub(super) struct RawScene {
    /// What money counts, unless it is time.
    unit: Option<String>,
    /// Milliseconds.
    budget_ms: Option<f64>,
    /// Whole units.
    budget: Option<f64>,
    policy: Option<PolicyName>,
    leftovers: Option<Leftovers>,
    /// Whether disabled modules are on the books.
    #[serde(default = "yes")]
    count_unmanaged: bool,
    /// `[[view]]`.
    #[serde(default)]
    view: Vec<RawView>,
    /// `[[module]]`.
    #[serde(default)]
    module: Vec<RawModule>,
    /// `[[actor]]`.
    actor: Option<Vec<RawActor>>,
}

/// A part of the file that is one `[[actor]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scene")]
struct RawActors {
    actor: [RawActor; 1],
}

/// One `[[view]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[view]] table")]
struct RawView {
    /// Metres.
    eye: Numbers<f64, 3>,
}

/// One `[[module]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[module]] table")]
struct RawModule {
    name: String,
    unit_cost_ms: Option<f64>,
    /// In the scene's unit.
    unit_cost: Option<f64>,
    /// Milliseconds, or in the scene's unit.
    benefit_value: Option<f64>,
    quality: Option<Vec<f64>>,
    /// Units of work.
    #[serde(default)]
    overhead: u32,
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    continuous: bool,
    #[serde(default)]
    distance_importance: DistanceImportance,
    weights: Option<RawWeights>,
    #[serde(default)]
    bias: f64,
    max_distance: Option<f64>,
    max_age: Option<f64>,
    max_speed: Option<f64>,
}

/// The weights of a module, each by itself so that each has a place; what is left out counts nothing.
#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of weights")]
struct RawWeights {
    distance: f64,
    age: f64,
    speed: f64,
}

/// One `[[actor]]`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[actor]] table")]
struct RawActor {
    name: String,
    module: String,
    benefit: Option<f64>,
    position: Option<Numbers<f64, 3>>,
    radius: Option<f64>,
    age: Option<f64>,
    speed: Option<f64>,
    work: Vec<u32>,
    quality: Option<Vec<f64>>,
    lod_range: Option<Numbers<u32, 2>>,
    force_lod: Option<f64>,
}

fn yes() -> bool {
    true
}
