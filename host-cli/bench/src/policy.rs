//! Policies by their names.

use clap::ValueEnum;
use lodger_scheduler::{Leftovers, Policy};

/// A policy of the scheduler.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum PolicyName {
    /// Shares by benefit; leftovers are kept: the APEX LOD document to the letter, also `apex`
    #[value(alias = "apex")]
    Keep,
    /// Leftovers go to the worthiest of the same module
    WithinModule,
    /// Leftovers go to the worthiest of all: what a scene does by itself
    AcrossModules,
    /// All that is left of the budget goes to the worthiest
    WholeBudget,
    /// The most benefit times quality that the budget buys; without trials
    Optimal,
}

impl PolicyName {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 5] =
        [Self::Keep, Self::WithinModule, Self::AcrossModules, Self::WholeBudget, Self::Optimal];

    /// What reports call it.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Keep => "keep",
            Self::WithinModule => "within_module",
            Self::AcrossModules => "across_modules",
            Self::WholeBudget => "whole_budget",
            Self::Optimal => "optimal",
        }
    }

    /// Whether its growth is drawn; that of the others is as that of `AcrossModules`.
    #[must_use]
    pub const fn is_drawn(self) -> bool {
        matches!(self, Self::Keep | Self::AcrossModules | Self::Optimal)
    }

    /// Whether it is measured where little changes from frame to frame.
    #[must_use]
    pub const fn is_incremental(self) -> bool {
        matches!(self, Self::Keep | Self::AcrossModules)
    }
}

impl From<PolicyName> for Policy {
    fn from(name: PolicyName) -> Self {
        match name {
            PolicyName::Keep => Self::Proportional(Leftovers::Keep),
            PolicyName::WithinModule => Self::Proportional(Leftovers::WithinModule),
            PolicyName::AcrossModules => Self::Proportional(Leftovers::AcrossModules),
            PolicyName::WholeBudget => Self::Proportional(Leftovers::WholeBudget),
            PolicyName::Optimal => Self::Optimal,
        }
    }
}
