//! Scenes in TOML.

use lodger_core::budget::Leftovers;
use lodger_core::importance::DistanceImportance;
use lodger_gltf::FixedArray;
use lodger_quota::Quota;
use serde::Deserialize;

use crate::builder::{Builder, check_unique, refused_view};
use crate::camera_lens::CameraLens;
use crate::error::{SceneFileError, locate};
use crate::scene_file::{FilePolicy, PolicyName, SceneFile, SceneLimits, SceneOverrides};
use crate::spans::{ACTORS, Subject};
use crate::toml_text::{TableListFile, Tables, read_tables};
use quality::RawQuality;

mod actor;
mod module;
mod quality;
mod view;

#[cfg(test)]
mod tests;

/// Bytes of a view with its lens, in lists that double.
const VIEW: u64 = 1_024;

impl SceneFile {
    /// Reads a scene in TOML, parsing one `[[actor]]` at a time. [`EXAMPLE`](crate::EXAMPLE) explains all keys.
    ///
    /// # Errors
    /// Every [`SceneFileErrorKind`](crate::SceneFileErrorKind) except
    /// [`NoCamera`](crate::SceneFileErrorKind::NoCamera), with spans. If the quota is
    /// too small to parse the whole text, the reported error may not be the first.
    ///
    /// # Examples
    /// ```
    /// use lodger_quota::Quota;
    /// use lodger_scenes::{EXAMPLE, SceneLimits, SceneFile, SceneOverrides};
    ///
    /// let quota = Quota::default();
    /// let (overrides, limits) = (SceneOverrides::default(), SceneLimits::default());
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// let cape = &file.actors[0];
    /// assert_eq!(&*cape.name, "hero cape");
    /// let plan = file.scene.tick();
    /// assert_eq!(plan.lod(cape.id).map(|lod| lod.level()), Some(3));
    /// assert!(plan.is_feasible());
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    pub fn from_toml(
        text: &str,
        overrides: &SceneOverrides,
        limits: SceneLimits,
        quota: &Quota,
    ) -> Result<Self, SceneFileError> {
        let reader = TomlReader { overrides, limits, quota };
        let read = read_tables(text, quota, |raw, actors| reader.build(raw, actors));
        let mut file = read.map_err(|error| error.locate(text))?;
        locate(&mut file.warnings, text);
        Ok(file)
    }
}

#[derive(Clone, Copy)]
struct TomlReader<'a> {
    overrides: &'a SceneOverrides,
    limits: SceneLimits,
    quota: &'a Quota,
}

impl<'a> TomlReader<'a> {
    /// Parse errors of actors precede other errors.
    fn build(
        self,
        raw: &RawScene,
        actors: Tables<'_, RawActor>,
    ) -> Result<SceneFile, SceneFileError> {
        match self.begin(raw) {
            Ok(mut builder) => {
                actor::spawn_all(&mut builder, raw, actors)?;
                Ok(builder.file)
            }
            Err(error) => {
                for actor in actors {
                    actor?;
                }
                Err(error)
            }
        }
    }

    fn begin(self, raw: &RawScene) -> Result<Builder<'a>, SceneFileError> {
        let unit = module::unit(raw)?;
        let budget = module::budget(raw, &unit, self.overrides)?;
        let policy = FilePolicy {
            policy: raw.policy,
            leftovers: raw.leftovers,
            otherwise: PolicyName::Proportional,
        };
        let kept = (self.limits.warnings, self.quota);
        let mut builder = Builder::new((budget, unit), policy, self.overrides, kept)?;
        builder.file.scene.set_unmanaged_in_budget(raw.count_unmanaged);
        self.quota.charge_memory(VIEW * raw.view.len() as u64)?;
        let views = raw.view.iter().enumerate().map(|(index, raw)| view::read(index, raw));
        let views = views.collect::<Result<Vec<_>, _>>()?;
        let given = self.overrides.view.map(|view| vec![(view, CameraLens::default())]);
        let views = given.unwrap_or(views);
        builder.file.lens = views.first().map_or_else(CameraLens::default, |(_, lens)| *lens);
        for (index, (view, _)) in views.iter().enumerate() {
            builder.file.scene.add_view(*view).map_err(|error| refused_view(index, error))?;
        }
        let modules = &raw.module;
        let name = |index: usize| modules[index].name.as_str();
        let called = ("module", Subject::Module as fn(usize) -> Subject);
        check_unique(modules.len(), name, called, self.quota)?;
        for (index, raw) in modules.iter().enumerate() {
            module::add(&mut builder, index, raw)?;
        }
        Ok(builder)
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a scene")]
struct RawScene {
    unit: Option<String>,
    budget_ms: Option<f64>,
    /// In whole units of `unit`.
    budget: Option<f64>,
    policy: Option<PolicyName>,
    leftovers: Option<Leftovers>,
    #[serde(default = "yes")]
    count_unmanaged: bool,
    #[serde(default)]
    view: Vec<RawView>,
    #[serde(default)]
    module: Vec<RawModule>,
    actor: Option<Vec<RawActor>>,
}

impl TableListFile for RawScene {
    type Table = RawActor;
    const LIST: &'static str = ACTORS;

    fn take_tables(&mut self) -> Option<Vec<RawActor>> {
        self.actor.take()
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[view]] table")]
struct RawView {
    /// Metres.
    eye: FixedArray<f64, 3>,
    /// A point in the middle of the picture, in metres.
    look: Option<FixedArray<f64, 3>>,
    /// A direction.
    up: Option<FixedArray<f64, 3>>,
    /// Degrees, vertically.
    fov: Option<f64>,
    aspect: Option<f64>,
    #[serde(default)]
    frustum: bool,
    /// Degrees.
    margin: Option<f64>,
    zoom: Option<f64>,
    /// Degrees.
    reference_fov: Option<f64>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "a [[module]] table")]
struct RawModule {
    name: String,
    unit_cost_ms: Option<f64>,
    /// In the scene's unit.
    unit_cost: Option<f64>,
    /// Milliseconds, or in the scene's unit.
    benefit_value: Option<f64>,
    quality: Option<RawQuality>,
    priority: Option<f64>,
    outside: Option<f64>,
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

#[derive(Clone, Copy, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default, expecting = "a table of weights")]
struct RawWeights {
    distance: f64,
    age: f64,
    speed: f64,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields, expecting = "an [[actor]] table")]
struct RawActor {
    name: String,
    module: String,
    benefit: Option<f64>,
    position: Option<FixedArray<f64, 3>>,
    radius: Option<f64>,
    age: Option<f64>,
    speed: Option<f64>,
    work: Vec<u32>,
    quality: Option<RawQuality>,
    priority: Option<f64>,
    lod_range: Option<FixedArray<u32, 2>>,
    force_lod: Option<f64>,
}

fn yes() -> bool {
    true
}
