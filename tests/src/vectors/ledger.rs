//! `vectors/ledger.toml`.

use std::error::Error;
use std::fmt;

use serde::Deserialize;

use super::q16::{NotQ16, exact_q16};
use crate::oracle::ledger::{Actor, Leftovers, Module, Outcome, Plan, Scene};

/// All cases of the file.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerVectors {
    /// Whole ledgers.
    pub case: Vec<LedgerCase>,
}

/// A scene and the whole plan for it.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LedgerCase {
    /// What the case is about.
    pub name: String,
    budget_ns: Option<u64>,
    #[serde(default = "yes")]
    count_unmanaged: bool,
    leftovers: Policy,
    modules: Vec<ModuleRow>,
    actors: Vec<ActorRow>,
    scale: u64,
    fixed_ns: u64,
    overcommit_ns: u64,
    assigned_ns: u64,
    targets_ns: Vec<u64>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Policy {
    Keep,
    WithinModule,
    AcrossModules,
    WholeBudget,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ModuleRow {
    #[serde(default = "yes")]
    enabled: bool,
    #[serde(default)]
    continuous: bool,
    benefit_value_ns: u32,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
struct ActorRow {
    #[serde(default)]
    module: usize,
    benefit: f64,
    costs: Vec<u32>,
    range: Option<(u8, u8)>,
    forced: Option<f64>,
    share: Option<u64>,
    lod: f64,
    cost: u32,
}

/// Why a row of the file is no case.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum NoCase {
    /// A benefit or a LOD is none.
    Number(NotQ16),
    /// A ladder has no level, or more than there are.
    Ladder,
}

impl From<NotQ16> for NoCase {
    fn from(error: NotQ16) -> Self {
        Self::Number(error)
    }
}

impl fmt::Display for NoCase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Number(error) => error.fmt(f),
            Self::Ladder => f.write_str("a ladder has 1 to 256 levels"),
        }
    }
}

impl Error for NoCase {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Number(error) => Some(error),
            Self::Ladder => None,
        }
    }
}

impl LedgerVectors {
    /// Reads the file's text.
    ///
    /// # Errors
    /// Whatever is not a case.
    pub fn parse(text: &str) -> Result<Self, toml::de::Error> {
        toml::from_str(text)
    }
}

impl LedgerCase {
    /// The question.
    ///
    /// # Errors
    /// A benefit or a LOD that Q16.16 does not hold, or a ladder without an end.
    pub fn scene(&self) -> Result<Scene, NoCase> {
        let module = |row: &ModuleRow| Module {
            enabled: row.enabled,
            continuous: row.continuous,
            benefit_value_ns: row.benefit_value_ns,
        };
        let actors = (0..).zip(&self.actors).map(|(id, row)| row.actor(id));
        Ok(Scene {
            budget_ns: self.budget_ns,
            count_unmanaged: self.count_unmanaged,
            leftovers: match self.leftovers {
                Policy::Keep => Leftovers::Keep,
                Policy::WithinModule => Leftovers::WithinModule,
                Policy::AcrossModules => Leftovers::AcrossModules,
                Policy::WholeBudget => Leftovers::WholeBudget,
            },
            modules: self.modules.iter().map(module).collect(),
            actors: actors.collect::<Result<_, _>>()?,
        })
    }

    /// The answer.
    ///
    /// # Errors
    /// A LOD that Q16.16 does not hold.
    pub fn plan(&self) -> Result<Plan, NoCase> {
        let outcomes = self.actors.iter().map(ActorRow::outcome);
        Ok(Plan {
            scale: self.scale,
            fixed_ns: self.fixed_ns,
            overcommit_ns: self.overcommit_ns,
            assigned_ns: self.assigned_ns,
            targets_ns: self.targets_ns.clone(),
            outcomes: outcomes.collect::<Result<_, _>>()?,
        })
    }
}

impl ActorRow {
    fn actor(&self, id: u32) -> Result<Actor, NoCase> {
        let top = self.costs.len().checked_sub(1).and_then(|top| top.try_into().ok());
        let top = top.ok_or(NoCase::Ladder)?;
        Ok(Actor {
            id,
            module: self.module,
            benefit: exact_q16(self.benefit)?,
            costs: self.costs.clone(),
            range: self.range.unwrap_or((0, top)),
            forced: self.forced.map(exact_q16).transpose()?,
        })
    }

    fn outcome(&self) -> Result<Outcome, NoCase> {
        Ok(Outcome { share_ns: self.share, lod: exact_q16(self.lod)?, cost_ns: self.cost })
    }
}

fn yes() -> bool {
    true
}
