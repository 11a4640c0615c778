//! What was decided for an actor or a module, and why.

use std::fmt;

use lodger_core::Benefit;
use lodger_core::budget::{Lod, Quality};
use lodger_core::units::{UnitCost, ms};

use crate::handle::{ActorId, ModuleId};

/// Who chose an actor's LOD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Control {
    /// The ledger chose it.
    Automatic,
    /// The application chose it.
    Forced,
    /// Nobody chose it: the module is not managed and the LOD is the highest.
    Unmanaged,
}

impl fmt::Display for Control {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Automatic => "automatic",
            Self::Forced => "forced",
            Self::Unmanaged => "unmanaged",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for Control {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// Why an actor has the LOD that it has. Serialised, it is a word such as `not-worth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// The application forced it.
    Forced,
    /// The application forced another one, which is not valid for the actor.
    ForcedIntoRange,
    /// The module is not managed, so it has the highest, up to the module's cap.
    Unmanaged,
    /// The actor is invisible, so it has the lowest, at benefit 0.
    Invisible,
    /// The actor's position, age or speed is not a sound number, so it has the lowest,
    /// at benefit 0.
    Quarantined,
    /// The budget does not even pay the minimums, so it has the lowest.
    Overcommitted,
    /// The share is below the minimum cost, so it has the lowest.
    Pinned,
    /// The share pays no higher one.
    Share,
    /// The share pays the highest valid one.
    Highest,
    /// The share pays the highest one that the module's cap allows.
    Capped,
    /// The share was not enough for it; what others left over was.
    Leftovers,
    /// Of the optimal policy: it is worth its price, and it is the highest valid one.
    WorthHighest,
    /// Of the optimal policy: it is worth its price, and the module's cap allows no higher one.
    WorthCapped,
    /// Of the optimal policy: a higher one costs more than it is worth.
    NotWorth,
    /// Of the optimal policy: a higher one is worth its price, but there is no room for it.
    NoRoom,
}

impl fmt::Display for Reason {
    /// The reason in a few words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Forced => "forced",
            Self::ForcedIntoRange => "forced, clamped to its range",
            Self::Unmanaged => "module disabled: highest",
            Self::Invisible => "invisible: lowest",
            Self::Quarantined => "quarantined: not a sound state",
            Self::Overcommitted => "minimum: the budget is overcommitted",
            Self::Pinned => "minimum: more than its share",
            Self::Share => "all that its share pays",
            Self::Highest => "highest, within its share",
            Self::Capped => "the module's cap, within its share",
            Self::Leftovers => "raised from leftovers",
            Self::WorthHighest => "highest, worth its price",
            Self::WorthCapped => "the module's cap, worth its price",
            Self::NotWorth => "more is not worth it",
            Self::NoRoom => "no room for more",
        })
    }
}

/// What was decided for one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActorPlan {
    /// The actor.
    pub actor: ActorId,
    /// The user's own number for it.
    pub key: u64,
    /// Its module.
    pub module: ModuleId,
    /// Its benefit.
    pub benefit: Benefit,
    /// What it could spend in nanoseconds; `None` if nobody asked the ledger, or the policy knows no
    /// shares.
    pub share_ns: Option<u64>,
    /// Its level of detail.
    pub lod: Lod,
    /// How good that level is, between two the lower one.
    pub quality: Quality,
    /// What that LOD costs, in nanoseconds.
    pub cost_ns: u32,
    /// Who chose the LOD.
    pub control: Control,
    /// Why it is that LOD.
    pub reason: Reason,
}

impl ActorPlan {
    /// What it could spend, in milliseconds.
    #[must_use]
    pub fn share_ms(&self) -> Option<f64> {
        self.share_ns.map(ms)
    }

    /// What its LOD costs, in milliseconds.
    #[must_use]
    pub fn cost_ms(&self) -> f64 {
        ms(self.cost_ns.into())
    }
}

/// What was decided for one module.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ModulePlan<'a> {
    /// The module.
    pub module: ModuleId,
    /// Its name.
    pub name: &'a str,
    /// Whether the ledger chooses the LODs of its actors.
    #[doc(alias = "setLODEnabled")]
    pub managed: bool,
    /// How many actors it has.
    pub actors: usize,
    /// The sum of the benefits of all its actors.
    pub benefit: f64,
    /// What its automatic actors may cost when there is enough, in nanoseconds.
    pub target_ns: u64,
    /// What all its actors and its overhead cost, in nanoseconds.
    pub assigned_ns: u64,
    /// The units of work that the levels of all its actors add up to; those of a level between two
    /// are rounded up for each actor.
    pub units: u64,
    /// The constant part of its work, in units, beside those.
    pub overhead: u32,
    /// What a unit of work was planned to cost.
    pub unit_cost: UnitCost,
    /// What a unit of work cost by the measurements alone.
    pub raw_unit_cost: UnitCost,
    /// The highest level that was allowed to those that are not forced; `None` for all levels.
    pub lod_cap: Option<u8>,
}

impl ModulePlan<'_> {
    /// What its automatic actors may cost when there is enough, in milliseconds.
    #[must_use]
    pub fn target_ms(&self) -> f64 {
        ms(self.target_ns)
    }

    /// What all its actors and its overhead cost, in milliseconds.
    #[must_use]
    pub fn assigned_ms(&self) -> f64 {
        ms(self.assigned_ns)
    }
}

/// An actor that has another whole level than before the tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct Change {
    /// The actor.
    pub actor: ActorId,
    /// The user's own number for it.
    pub key: u64,
    /// Its module.
    pub module: ModuleId,
    /// The level that it had before; `None` if this was its first tick.
    pub from: Option<u8>,
    /// The level that it has now.
    pub to: u8,
    /// How far it is on the way to the next level, in 2⁻¹⁶; 0 unless its module is continuous.
    pub fraction: u16,
}
