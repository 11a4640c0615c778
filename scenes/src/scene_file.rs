//! A scene file, overrides, policies and limits.

use std::fmt;
use std::sync::Arc;

use lodger_core::budget::{Leftovers, Policy};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::{ActorId, ModuleId, OutsideFactor, Scene, View};
use serde::{Deserialize, Serialize};

use crate::camera_lens::CameraLens;
use crate::error::{SceneFileError, SceneFileErrorKind, Warning};
use crate::numbers::CostUnit;
use crate::spans::Subject;

/// A scene that is ready to tick, with the names of its file.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// let gate = file.actors.iter().find(|actor| &*actor.name == "falling gate").expect("an actor");
/// let planned = file.scene.tick().actor(gate.id).expect("a plan");
/// assert_eq!((planned.lod.to_f64(), planned.cost_ns), (3.0, 2_400_000));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SceneFile {
    /// The scene, with all views, modules and actors.
    pub scene: Scene<f32>,
    /// The unit of the scene's costs.
    pub unit: CostUnit,
    /// The lens of the first view, for views that move.
    pub lens: CameraLens,
    /// The modules, in file order; names are unique.
    pub modules: Vec<NamedModule>,
    /// The actors, in file order; names are unique.
    pub actors: Vec<NamedActor>,
    /// Warnings about unusual values.
    pub warnings: Vec<Warning>,
    /// The number of warnings beyond [`SceneLimits::warnings`].
    pub more_warnings: usize,
}

/// A module with its name.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// let clothing = &file.modules[0];
/// assert_eq!(&*clothing.name, "clothing");
/// assert_eq!(file.scene.tick().module(clothing.id).map(|module| module.assigned_ns), Some(1_550_000));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedModule {
    /// The module's handle in [`SceneFile::scene`].
    pub id: ModuleId,
    /// The module's name in the file.
    pub name: Arc<str>,
}

/// An actor with its name.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// let cape = &file.actors[0];
/// assert_eq!((&*cape.name, cape.module), ("hero cape", file.modules[0].id));
/// assert_eq!(file.scene.work(cape.id), Some(&[0, 200, 600, 1500, 3000][..]));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedActor {
    /// The actor's handle in [`SceneFile::scene`].
    pub id: ActorId,
    /// The module of the actor.
    pub module: ModuleId,
    /// The actor's name in the file, or a unique one made from it.
    pub name: Arc<str>,
    /// The source of the actor's levels.
    pub ladder: LadderSource,
    /// The file's number of each level, if the file numbers levels differently.
    pub file_levels: Option<Arc<[u8]>>,
}

impl SceneFile {
    pub(crate) fn new(scene: Scene<f32>, unit: CostUnit) -> Self {
        Self {
            scene,
            unit,
            lens: CameraLens::default(),
            modules: Vec::new(),
            actors: Vec::new(),
            warnings: Vec::new(),
            more_warnings: 0,
        }
    }
}

/// Triangles at LOD 0 to 4 of a glTF mesh without levels, in thousandths of its triangles. At 0 it is not drawn.
///
/// # Examples
/// ```
/// # use lodger_scenes::{SceneFile, SceneOverrides};
/// # use lodger_scheduler::View;
/// # let (limits, quota) = Default::default();
/// # let overrides = SceneOverrides { view: Some(View::from_position([0.0; 3])?), ..SceneOverrides::default() };
/// let rock = br#"{"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}],
///     "nodes": [{"name": "rock", "mesh": 0}],
///     "meshes": [{"primitives": [{"attributes": {"POSITION": 0}, "indices": 1}]}],
///     "accessors": [
///         {"componentType": 5126, "type": "VEC3", "count": 502, "min": [0, 0, 0], "max": [1, 1, 1]},
///         {"componentType": 5125, "type": "SCALAR", "count": 3000}]}"#;
/// let file = SceneFile::from_gltf(rock, &overrides, limits, &quota)?;
/// assert_eq!(file.scene.work(file.actors[0].id), Some(&[0, 15, 60, 250, 1000][..]));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub const ASSUMED_SHARES: [u16; 5] = [0, 15, 60, 250, 1000];

/// The source of an actor's levels.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// assert_eq!(file.actors[0].ladder, LadderSource::File);
/// assert_eq!(LadderSource::Assumed.to_string(), "assumed");
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LadderSource {
    /// The file lists the levels.
    File,
    /// The levels are [`ASSUMED_SHARES`] of the file's only level.
    Assumed,
}

impl fmt::Display for LadderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::File => "file",
            Self::Assumed => "assumed",
        })
    }
}

/// Values that replace values of a file, or that its format lacks; `None` keeps the file's.
///
/// # Examples
/// ```
/// # use lodger_core::{budget::Policy, units::Budget};
/// # use lodger_scenes::{EXAMPLE, PolicyName, SceneFile, SceneOverrides};
/// # let (limits, quota) = Default::default();
/// let overrides = SceneOverrides {
///     budget: Some(Budget::from_ns(4_000_000)),
///     policy: Some(PolicyName::Optimal),
///     ..SceneOverrides::default()
/// };
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// let plan = file.scene.tick();
/// assert_eq!((plan.budget().ns(), plan.policy()), (Some(4_000_000), Policy::Optimal));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct SceneOverrides {
    /// The budget in time; a glTF scene has 16.6 ms by default.
    pub budget: Option<Budget>,
    /// The budget in whole units, for a scene whose costs are not times.
    pub units: Option<Budget>,
    /// The policy of the scene.
    pub policy: Option<PolicyName>,
    /// The use of leftover budget.
    pub leftovers: Option<Leftovers>,
    /// The only view, instead of all views of the file.
    pub view: Option<View<f32>>,
    /// The cost of a triangle of a glTF scene; 1 ns by default.
    pub unit_cost: Option<UnitCost>,
    /// The cost that a benefit of 1 is worth in a glTF scene; 1 ms by default.
    pub benefit_value: Option<BenefitValue>,
    /// The factor of benefits outside of the frustum of a glTF scene's camera; by default 1, without a frustum.
    pub outside: Option<OutsideFactor>,
    /// The index of a glTF file's scene; by default the file's default scene, else the first.
    pub scene: Option<usize>,
}

impl SceneOverrides {
    /// A budget in another unit is an error.
    pub(crate) fn budget_in(&self, unit: &CostUnit) -> Result<Option<Budget>, SceneFileError> {
        match (unit, self.budget, self.units) {
            (CostUnit::Time, _, Some(_)) => {
                let message = "the budget is in whole units, but the costs of this scene are times";
                Err(SceneFileError::for_file(message).of_kind(SceneFileErrorKind::BudgetInUnits))
            }
            (CostUnit::Named(name), Some(_), _) => {
                let counts = format!("the costs of this scene are in `{name}`");
                let message = format!("the budget is in milliseconds, but {counts}");
                Err(SceneFileError::for_file(message).of_kind(SceneFileErrorKind::BudgetInTime))
            }
            (CostUnit::Time, given, None) | (CostUnit::Named(_), None, given) => Ok(given),
        }
    }

    /// `apex` or `optimal` here replaces the file's policy and leftovers; `proportional` keeps the file's leftovers.
    pub(crate) fn policy_for(&self, file: FilePolicy) -> Result<Policy, SceneFileError> {
        let of_file = file.policy.unwrap_or(file.otherwise);
        policy(of_file, file.leftovers, "leftovers").map_err(|error| {
            error.with_help("remove `leftovers`, or write `policy = \"proportional\"`")
        })?;
        let name = self.policy.unwrap_or(of_file);
        let of_file = file.leftovers.filter(|_| name == PolicyName::Proportional);
        policy(name, self.leftovers.or(of_file), "")
    }
}

/// `key` is the key at fault in an error.
fn policy(
    name: PolicyName,
    leftovers: Option<Leftovers>,
    key: &'static str,
) -> Result<Policy, SceneFileError> {
    let (kind, message) = match (name, leftovers) {
        (PolicyName::Proportional, leftovers) => {
            return Ok(Policy::Proportional(leftovers.unwrap_or_default()));
        }
        (PolicyName::Apex, None | Some(Leftovers::Keep)) => return Ok(Policy::APEX),
        (PolicyName::Optimal, None) => return Ok(Policy::Optimal),
        (PolicyName::Apex, Some(_)) => (
            SceneFileErrorKind::LeftoversOfApex,
            "the policy `apex` keeps leftovers; only the proportional policy can spend them",
        ),
        (PolicyName::Optimal, Some(_)) => (
            SceneFileErrorKind::LeftoversOfOptimal,
            "what is done with leftovers is a matter of the proportional policy: the optimal one has \
             no shares that could leave anything over",
        ),
    };
    Err(SceneFileError::new(message, Subject::File, key).of_kind(kind))
}

/// The name of a policy, displayed and serialised in lower case.
///
/// # Examples
/// ```
/// use lodger_scenes::PolicyName;
///
/// let names = PolicyName::ALL.map(|name| name.to_string());
/// assert_eq!(names, ["proportional", "apex", "optimal"]);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PolicyName {
    /// [`Policy::Proportional`], with leftovers named separately.
    Proportional,
    /// [`Policy::APEX`].
    Apex,
    /// [`Policy::Optimal`].
    Optimal,
}

impl PolicyName {
    /// All names.
    pub const ALL: [Self; 3] = [Self::Proportional, Self::Apex, Self::Optimal];

    /// Returns the name of a policy. [`Policy::APEX`] is `Proportional`, because leftovers are named separately.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::budget::{Leftovers, Policy};
    /// # use lodger_scenes::PolicyName;
    /// assert_eq!(PolicyName::of(Policy::Optimal), PolicyName::Optimal);
    /// assert_eq!(PolicyName::of(Policy::Proportional(Leftovers::Keep)), PolicyName::Proportional);
    /// ```
    #[must_use]
    pub const fn of(policy: Policy) -> Self {
        match policy {
            Policy::Proportional(_) => Self::Proportional,
            Policy::Optimal => Self::Optimal,
        }
    }
}

impl fmt::Display for PolicyName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Proportional => "proportional",
            Self::Apex => "apex",
            Self::Optimal => "optimal",
        })
    }
}

#[derive(Debug, Clone, Copy)]
pub(crate) struct FilePolicy {
    pub(crate) policy: Option<PolicyName>,
    pub(crate) leftovers: Option<Leftovers>,
    /// The default policy of the format.
    pub(crate) otherwise: PolicyName,
}

impl FilePolicy {
    pub(crate) const fn unsaid(otherwise: PolicyName) -> Self {
        Self { policy: None, leftovers: None, otherwise }
    }
}

/// The limit of warnings. Memory and work are limited by a [`Quota`](lodger_quota::Quota), nesting by the parsers: 80
/// tables or arrays of TOML, 128 of JSON.
///
/// # Examples
/// ```
/// # use lodger_scenes::{EXAMPLE, SceneFile, SceneLimits};
/// # let (overrides, quota) = Default::default();
/// let work = "work = [0, 200, 600, 1500]\n"; // of both guards' capes
/// let text = EXAMPLE.replace(work, &format!("{work}force_lod = 9\n"));
/// let file = SceneFile::from_toml(&text, &overrides, SceneLimits { warnings: 1 }, &quota)?;
/// assert_eq!((file.warnings.len(), file.more_warnings), (1, 1));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneLimits {
    /// The number of warnings that are kept, 5 by default; the others are counted.
    pub warnings: usize,
}

impl Default for SceneLimits {
    fn default() -> Self {
        Self { warnings: 5 }
    }
}
