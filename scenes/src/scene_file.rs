//! A scene file: the scene with the names of its file, overrides, policies and limits.

use std::fmt;
use std::sync::Arc;

use lodger_core::budget::{Leftovers, Policy};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::{ActorId, ModuleId, Scene, View};
use serde::{Deserialize, Serialize};

use crate::error::{SceneFileError, SceneFileErrorKind, Warning};
use crate::numbers::CostUnit;
use crate::spans::Subject;

/// A scene of a file, ready to tick, with the names of the file.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct SceneFile {
    /// The scene, with all its views, modules and actors.
    pub scene: Scene<f32>,
    /// The unit of its costs.
    pub unit: CostUnit,
    /// The modules, in file order; names are unique.
    pub modules: Vec<NamedModule>,
    /// The actors, in file order; names are unique.
    pub actors: Vec<NamedActor>,
    /// Warnings about unusual values.
    pub warnings: Vec<Warning>,
    /// The number of warnings beyond the limit.
    pub more_warnings: usize,
}

/// A module with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedModule {
    /// Its handle in the scene.
    pub id: ModuleId,
    /// Its name.
    pub name: Arc<str>,
}

/// An actor with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NamedActor {
    /// Its handle in the scene.
    pub id: ActorId,
    /// The module that it belongs to.
    pub module: ModuleId,
    /// Its name.
    pub name: Arc<str>,
    /// The source of its levels; [`LadderSource::File`] in a TOML scene.
    pub ladder: LadderSource,
    /// The file's number of each level, if the file numbers levels differently.
    pub file_levels: Option<Arc<[u8]>>,
}

impl SceneFile {
    /// A scene without modules and actors.
    pub(crate) fn new(scene: Scene<f32>, unit: CostUnit) -> Self {
        Self {
            scene,
            unit,
            modules: Vec::new(),
            actors: Vec::new(),
            warnings: Vec::new(),
            more_warnings: 0,
        }
    }
}

/// The shares of a mesh's triangles, in thousandths, at LOD 0 to 4 of a glTF mesh without levels; at 0 the mesh is not
/// drawn.
///
/// # Examples
/// ```
/// assert_eq!(lodger_scenes::ASSUMED_SHARES, [0, 15, 60, 250, 1000]);
/// ```
pub const ASSUMED_SHARES: [u16; 5] = [0, 15, 60, 250, 1000];

/// The source of an actor's levels.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LadderSource {
    /// The file lists them.
    File,
    /// They are [`ASSUMED_SHARES`] of the triangles, as the file has only the highest level.
    Assumed,
}

/// `file` or `assumed`.
impl fmt::Display for LadderSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::File => "file",
            Self::Assumed => "assumed",
        })
    }
}

/// Values that replace values of the file, or that its format does not have.
#[derive(Debug, Clone, Copy, Default)]
pub struct SceneOverrides {
    /// The budget in time instead of the file's; the default of a glTF scene is 16.6 ms.
    pub budget: Option<Budget>,
    /// The budget in whole units, for a scene whose costs are not times.
    pub units: Option<Budget>,
    /// The policy instead of the file's.
    pub policy: Option<PolicyName>,
    /// The use of leftover budget instead of the file's.
    pub leftovers: Option<Leftovers>,
    /// The view instead of all views of the file.
    pub view: Option<View<f32>>,
    /// The cost of a triangle of a glTF scene, 1 ns by default; not used for TOML.
    pub unit_cost: Option<UnitCost>,
    /// The cost that a benefit of 1 is worth in a glTF scene, 1 ms by default; not used for TOML.
    pub benefit_value: Option<BenefitValue>,
    /// The index of the scene of a glTF file; by default the file's default scene, else the first.
    pub scene: Option<usize>,
}

impl SceneOverrides {
    /// The budget for a scene with this unit; a budget in another unit is an error.
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

    /// The policy of a scene. Leftovers need the proportional policy, except `keep` beside `apex`. `apex` or `optimal`
    /// here replaces the policy and the leftovers of the file; `proportional` keeps the file's leftovers.
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

/// The policy of a name with leftovers; `key` is the key at fault in an error.
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
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum PolicyName {
    /// [`Policy::Proportional`], with leftovers by a name of their own
    Proportional,
    /// [`Policy::APEX`]
    Apex,
    /// [`Policy::Optimal`]
    Optimal,
}

impl PolicyName {
    /// Every name.
    pub const ALL: [Self; 3] = [Self::Proportional, Self::Apex, Self::Optimal];

    /// The name of a policy; [`Policy::APEX`] is `proportional`, with its leftovers named separately.
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

/// The policy of a file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct FilePolicy {
    pub(crate) policy: Option<PolicyName>,
    pub(crate) leftovers: Option<Leftovers>,
    /// The default.
    pub(crate) otherwise: PolicyName,
}

impl FilePolicy {
    /// The policy of a format without a key for it.
    pub(crate) const fn unsaid(otherwise: PolicyName) -> Self {
        Self { policy: None, leftovers: None, otherwise }
    }
}

/// The limit of warnings; a [`Quota`](lodger_quota::Quota) limits memory and work. The parsers limit nesting to 80
/// tables or arrays of TOML and 128 of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SceneLimits {
    /// The number of warnings that are kept, 5 by default; further ones are counted.
    pub warnings: usize,
}

/// The default quota.
#[cfg(test)]
pub(crate) fn default_quota() -> lodger_quota::Quota {
    lodger_quota::Quota::new(lodger_quota::QuotaLimits::default())
}

impl Default for SceneLimits {
    fn default() -> Self {
        Self { warnings: 5 }
    }
}
