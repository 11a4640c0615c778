//! What a user says beside the file: settings, policies by their names, and limits.

use std::fmt;

use lodger_core::budget::{Leftovers, Policy};
use lodger_core::units::{BenefitValue, Budget, UnitCost};
use lodger_scheduler::View;
use serde::{Deserialize, Serialize};

use crate::error::{Error, ErrorKind};
use crate::place::Subject;
use crate::unit::Unit;

/// What replaces a value of the file, or what its format cannot say.
#[derive(Debug, Clone, Copy, Default)]
pub struct Settings {
    /// The budget in time, in place of the file's; a glTF scene has 16.6 ms unless it is given.
    pub budget: Option<Budget>,
    /// The budget in whole units, for a scene whose money counts something else than time.
    pub units: Option<Budget>,
    /// The policy, in place of the file's.
    pub policy: Option<PolicyName>,
    /// What is done with what shares leave over, in place of what the file says.
    pub leftovers: Option<Leftovers>,
    /// Where the scene is seen from, in place of all the file's views.
    pub view: Option<View<f32>>,
    /// What a triangle of a glTF scene costs, 1 ns unless it is given; TOML says it itself.
    pub unit_cost: Option<UnitCost>,
    /// What a unit of benefit may cost in a glTF scene, 1 ms unless it is given; TOML says it itself.
    pub benefit_value: Option<BenefitValue>,
    /// Which scene of a glTF file is read, from 0; unless it is given the default one, else the first.
    pub scene: Option<usize>,
}

impl Settings {
    /// The budget that is given for a scene whose money counts this; one in another unit is an error.
    pub(crate) fn budget_in(&self, unit: &Unit) -> Result<Option<Budget>, Error> {
        match (unit, self.budget, self.units) {
            (Unit::Time, _, Some(_)) => {
                let message = "the budget is in whole units, but the money of this scene is time";
                Err(Error::of_file(message).of_kind(ErrorKind::BudgetInUnits))
            }
            (Unit::Named(name), Some(_), _) => {
                let counts = format!("the money of this scene counts `{name}`");
                let message = format!("the budget is in milliseconds, but {counts}");
                Err(Error::of_file(message).of_kind(ErrorKind::BudgetInTime))
            }
            (Unit::Time, given, None) | (Unit::Named(_), None, given) => Ok(given),
        }
    }

    /// The policy of a scene. Only the proportional policy has a choice of leftovers: one beside another
    /// policy is an error, except `keep` beside `apex`. `apex` or `optimal` in the settings replaces the policy and
    /// the leftovers of the file; `proportional` keeps the file's leftovers.
    pub(crate) fn policy_for(&self, file: FilePolicy) -> Result<Policy, Error> {
        let of_file = file.policy.unwrap_or(file.otherwise);
        policy(of_file, file.leftovers, "leftovers").map_err(|error| {
            error.with_help("remove `leftovers`, or write `policy = \"proportional\"`")
        })?;
        let name = self.policy.unwrap_or(of_file);
        let of_file = file.leftovers.filter(|_| name == PolicyName::Proportional);
        policy(name, self.leftovers.or(of_file), "")
    }
}

/// The policy of a name with these leftovers; an error is about a key of the file.
fn policy(
    name: PolicyName,
    leftovers: Option<Leftovers>,
    key: &'static str,
) -> Result<Policy, Error> {
    let (kind, message) = match (name, leftovers) {
        (PolicyName::Proportional, leftovers) => {
            return Ok(Policy::Proportional(leftovers.unwrap_or_default()));
        }
        (PolicyName::Apex, None | Some(Leftovers::Keep)) => return Ok(Policy::APEX),
        (PolicyName::Optimal, None) => return Ok(Policy::Optimal),
        (PolicyName::Apex, Some(_)) => (
            ErrorKind::LeftoversOfApex,
            "the policy `apex` keeps leftovers; only the proportional policy can spend them",
        ),
        (PolicyName::Optimal, Some(_)) => (
            ErrorKind::LeftoversOfOptimal,
            "what is done with leftovers is a matter of the proportional policy: the optimal one has \
             no shares that could leave anything over",
        ),
    };
    Err(Error::new(message, Subject::File, key).of_kind(kind))
}

/// A policy by its name. Displayed and serialised, it is a word.
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

    /// The name of a policy, beside which leftovers have theirs: [`Policy::APEX`] is `proportional`.
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
    /// Where the file says nothing.
    pub(crate) otherwise: PolicyName,
}

impl FilePolicy {
    /// The policy of a format that has no word for it.
    pub(crate) const fn unsaid(otherwise: PolicyName) -> Self {
        Self { policy: None, leftovers: None, otherwise }
    }
}

/// How much is said about a file. How much of it is taken is up to an
/// [`Quota`](lodger_quota::Quota).
///
/// How deeply a file may be nested is up to the parsers, and not more than the stack bears: 80 tables or
/// arrays of TOML, 128 of JSON.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The warnings that are kept, 5 by default: more of them say nothing new and are only counted.
    pub warnings: usize,
}

/// As much as anybody may take.
#[cfg(test)]
pub(crate) fn plenty() -> lodger_quota::Quota {
    lodger_quota::Quota::new(lodger_quota::QuotaLimits::default())
}

impl Default for Limits {
    fn default() -> Self {
        Self { warnings: 5 }
    }
}
