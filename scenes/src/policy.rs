//! Policies by their names, and what files say of them.

use std::fmt;

use lodger_core::budget::{Leftovers, Policy};
use serde::{Deserialize, Serialize};

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

/// What a file says of its policy.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    pub(crate) policy: Option<PolicyName>,
    pub(crate) leftovers: Option<Leftovers>,
    /// Where the file says nothing.
    pub(crate) otherwise: PolicyName,
}
