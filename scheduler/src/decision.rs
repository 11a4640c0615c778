//! The plans of actors and modules, and their reasons.

use std::fmt;

use lodger_core::Benefit;
use lodger_core::budget::{Lod, Quality};
use lodger_core::units::{UnitCost, ms};

use crate::handle::{ActorId, ModuleId};

/// The source of an actor's LOD.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LodSource {
    /// The scheduler picked it.
    Automatic,
    /// The application forced it.
    Forced,
    /// The module is not managed, and the LOD is the highest.
    Unmanaged,
}

impl fmt::Display for LodSource {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Automatic => "automatic",
            Self::Forced => "forced",
            Self::Unmanaged => "unmanaged",
        })
    }
}

#[cfg(feature = "serde")]
impl serde::Serialize for LodSource {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// The reason for an actor's LOD. It serialises as a keyword such as `not-worth`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// The application forced it.
    Forced,
    /// The application forced another LOD, which is not valid for the actor.
    ForcedIntoRange,
    /// The module is not managed, so the LOD is the highest, up to the module's cap.
    Unmanaged,
    /// The actor is invisible, so the LOD is the lowest, at benefit 0.
    Invisible,
    /// The actor's position, age or speed is invalid, so the LOD is the lowest, at benefit 0.
    Quarantined,
    /// The budget does not even pay the minimums, so the LOD is the lowest.
    Overcommitted,
    /// The share is below the minimum cost, so the LOD is the lowest.
    Pinned,
    /// The share pays no higher LOD.
    Share,
    /// The share pays the highest valid LOD.
    Highest,
    /// The share pays the highest LOD that the module's cap allows.
    Capped,
    /// The share did not pay the LOD, but the leftover budget did.
    Leftovers,
    /// Optimal policy: its value is worth the price, and it is the highest valid LOD.
    WorthHighest,
    /// Optimal policy: its value is worth the price, and the module's cap allows no higher LOD.
    WorthCapped,
    /// Optimal policy: a higher LOD is not worth its cost at the price.
    #[cfg_attr(feature = "serde", serde(rename = "not-worth"))]
    BelowPrice,
    /// Optimal policy: a higher LOD is worth the price, but the remaining budget does not pay it.
    #[cfg_attr(feature = "serde", serde(rename = "no-room"))]
    NoBudget,
}

impl fmt::Display for Reason {
    /// Displays the reason in a few words.
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
            Self::BelowPrice => "more is not worth it",
            Self::NoBudget => "no room for more",
        })
    }
}

/// The plan of one actor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActorPlan {
    /// The actor.
    pub actor: ActorId,
    /// The user's key of the actor.
    pub key: u64,
    /// The module of the actor.
    pub module: ModuleId,
    /// The benefit of the actor.
    pub benefit: Benefit,
    /// Its share in nanoseconds; `None` if the actor is not automatic, or the policy has no shares.
    pub share_ns: Option<u64>,
    /// The level of detail.
    pub lod: Lod,
    /// The quality of that level, or of the lower one between two.
    pub quality: Quality,
    /// The cost of that LOD, in nanoseconds.
    pub cost_ns: u32,
    /// The source of the LOD.
    pub source: LodSource,
    /// The reason for the LOD.
    pub reason: Reason,
}

impl ActorPlan {
    /// Returns its share, in milliseconds.
    #[must_use]
    pub fn share_ms(&self) -> Option<f64> {
        self.share_ns.map(ms)
    }

    /// Returns the cost of its LOD, in milliseconds.
    #[must_use]
    pub fn cost_ms(&self) -> f64 {
        ms(self.cost_ns.into())
    }
}

/// The plan of one module.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ModulePlan<'a> {
    /// The module.
    pub module: ModuleId,
    /// The name of the module.
    pub name: &'a str,
    /// Whether the scheduler picks the LODs of its actors.
    #[doc(alias = "setLODEnabled")]
    pub managed: bool,
    /// The number of actors.
    pub actors: usize,
    /// The sum of the benefits of all actors.
    pub benefit: f64,
    /// The target of its automatic actors, in nanoseconds: their cost if the budget suffices.
    pub target_ns: u64,
    /// The cost of all actors and of the overhead, in nanoseconds.
    pub assigned_ns: u64,
    /// The units of work at the levels of all actors; units of a level between two are rounded up for each
    /// actor.
    pub units: u64,
    /// The constant part of its work, in units; not in [`units`](Self::units).
    pub overhead: u32,
    /// The unit cost that the tick was planned with.
    pub unit_cost: UnitCost,
    /// The unit cost by the measurements alone.
    pub raw_unit_cost: UnitCost,
    /// The highest level for actors that are not forced; `None` for all levels.
    pub lod_cap: Option<u8>,
}

impl ModulePlan<'_> {
    /// Returns the target of its automatic actors, in milliseconds.
    #[must_use]
    pub fn target_ms(&self) -> f64 {
        ms(self.target_ns)
    }

    /// Returns the cost of all actors and of the overhead, in milliseconds.
    #[must_use]
    pub fn assigned_ms(&self) -> f64 {
        ms(self.assigned_ns)
    }
}

/// A change of an actor's whole level in a tick.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LevelChange {
    /// The actor.
    pub actor: ActorId,
    /// The user's key of the actor.
    pub key: u64,
    /// The module of the actor.
    pub module: ModuleId,
    /// The level before the tick; `None` if this was the actor's first tick.
    pub from: Option<u8>,
    /// The level after the tick.
    pub to: u8,
    /// The fraction of the way to the next level, in 2⁻¹⁶; 0 unless its module is continuous.
    pub fraction: u16,
}
