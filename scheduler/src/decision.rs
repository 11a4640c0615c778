use std::fmt;

use lodger_core::Benefit;
use lodger_core::budget::{Lod, Quality};
use lodger_core::units::{UnitCost, ms};

use crate::handle::{ActorId, ModuleId};

/// The source of an actor's LOD.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, near, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// scene.force_lod(near, Some(Lod::new(1, 0)))?;
/// let plan = scene.tick();
/// let sources = plan.actors().map(|actor| actor.source).collect::<Vec<_>>();
/// assert_eq!(sources, [LodSource::Forced, LodSource::Automatic]);
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum LodSource {
    /// The scheduler picked it.
    Automatic,
    /// The application forced it.
    Forced,
    /// The module is not managed, so the LOD is the highest.
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
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let plan = scene.tick();
/// let reasons = plan.actors().map(|actor| actor.reason).collect::<Vec<_>>();
/// assert_eq!(reasons, [Reason::Highest, Reason::Share]);
/// assert_eq!(Reason::Share.to_string(), "all that its share pays");
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize), serde(rename_all = "kebab-case"))]
#[non_exhaustive]
pub enum Reason {
    /// The application forced it.
    Forced,
    /// The application forced a LOD that is not valid for the actor.
    ForcedIntoRange,
    /// The module is not managed: the highest LOD up to the module's cap.
    Unmanaged,
    /// The actor is invisible: the lowest LOD.
    Invisible,
    /// The position, age or speed is invalid: the lowest LOD.
    Quarantined,
    /// The budget does not pay the minimums: the lowest LOD.
    Overcommitted,
    /// The share is below the minimum cost: the lowest LOD.
    Pinned,
    /// The share pays no higher LOD.
    Share,
    /// The share pays the highest valid LOD.
    Highest,
    /// The share pays the highest LOD up to the module's cap.
    Capped,
    /// The leftover budget paid more than the share.
    Leftovers,
    /// Optimal policy: the highest valid LOD is worth the price.
    WorthHighest,
    /// Optimal policy: the highest LOD up to the module's cap is worth the price.
    WorthCapped,
    /// Optimal policy: a higher LOD is not worth its cost at the price.
    #[cfg_attr(feature = "serde", serde(rename = "not-worth"))]
    BelowPrice,
    /// Optimal policy: a higher LOD is worth the price, but the remaining budget does not pay it.
    #[cfg_attr(feature = "serde", serde(rename = "no-room"))]
    NoBudget,
}

impl fmt::Display for Reason {
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
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let plan = scene.tick().actor(far).ok_or(SceneError::StaleActor)?;
/// assert_eq!((plan.key, plan.lod.level(), plan.cost_ns), (2, 1, 200_000));
/// assert_eq!((plan.share_ns, plan.reason), (Some(275_847), Reason::Share));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct ActorPlan {
    /// The actor.
    pub actor: ActorId,
    /// The actor's key.
    pub key: u64,
    /// The actor's module.
    pub module: ModuleId,
    /// The actor's benefit.
    pub benefit: Benefit,
    /// The share in nanoseconds; `None` if the actor is not automatic, or the policy has no shares.
    pub share_ns: Option<u64>,
    /// The level of detail.
    pub lod: Lod,
    /// The quality of that level, or of the lower level between two.
    pub quality: Quality,
    /// The cost of the LOD, in nanoseconds.
    pub cost_ns: u32,
    /// The source of the LOD.
    pub source: LodSource,
    /// The reason for the LOD.
    pub reason: Reason,
}

impl ActorPlan {
    /// Returns the share in milliseconds.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick().actor(far);
    /// assert_eq!(plan.and_then(|plan| plan.share_ms()), Some(0.275_847));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn share_ms(&self) -> Option<f64> {
        self.share_ns.map(ms)
    }

    /// Returns the cost of the LOD in milliseconds.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.tick().actor(far).map(|plan| plan.cost_ms()), Some(0.2));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn cost_ms(&self) -> f64 {
        ms(self.cost_ns.into())
    }
}

/// The plan of one module.
///
/// # Examples
/// ```
/// # use lodger_scheduler::*;
/// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// let plan = scene.tick().module(cloth).ok_or(SceneError::NoSuchModule)?;
/// assert_eq!((plan.name, plan.actors, plan.units), ("cloth", 2, 2_800));
/// assert_eq!((plan.assigned_ns, plan.unit_cost.ns()), (1_400_000, 500.0));
/// # Ok::<(), SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub struct ModulePlan<'a> {
    /// The module.
    pub module: ModuleId,
    /// The name of the module.
    pub name: &'a str,
    /// Whether the scheduler picks the LODs of the module's actors.
    #[doc(alias = "setLODEnabled")]
    pub managed: bool,
    /// The number of actors.
    pub actors: usize,
    /// The sum of the benefits of all actors.
    pub benefit: f64,
    /// The target of the automatic actors, in nanoseconds: their cost if the budget suffices.
    pub target_ns: u64,
    /// The cost of all actors and of the overhead, in nanoseconds.
    pub assigned_ns: u64,
    /// The units of work of all actors. Units between two levels are rounded up for each actor.
    pub units: u64,
    /// The constant part of the module's work, in units; not in [`units`](Self::units).
    pub overhead: u32,
    /// The unit cost of the plan.
    pub unit_cost: UnitCost,
    /// The unit cost by the measurements alone.
    pub raw_unit_cost: UnitCost,
    /// The highest level of actors that are not forced; `None` for all levels.
    pub lod_cap: Option<u8>,
}

impl ModulePlan<'_> {
    /// Returns the target of the automatic actors, in milliseconds.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// let plan = scene.tick().module(cloth);
    /// assert!(plan.is_some_and(|plan| (plan.target_ms() - 2.733).abs() < 1e-3));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn target_ms(&self) -> f64 {
        ms(self.target_ns)
    }

    /// Returns the cost of all actors and of the overhead, in milliseconds.
    ///
    /// # Examples
    /// ```
    /// # let (mut scene, .., cloth, _) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
    /// assert_eq!(scene.tick().module(cloth).map(|plan| plan.assigned_ms()), Some(1.4));
    /// # Ok::<(), lodger_scheduler::SceneError>(())
    /// ```
    #[must_use]
    pub fn assigned_ms(&self) -> f64 {
        ms(self.assigned_ns)
    }
}

/// A change of an actor's whole level in a tick.
///
/// # Examples
/// ```
/// # let (mut scene, _, far, ..) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/scene.rs"));
/// scene.tick();
/// scene.track_changes(true);
/// scene.set_position(far, [0.0, 1.0, 0.0])?;
/// for change in scene.tick().changes().iter().filter(|change| change.actor == far) {
///     assert_eq!((change.key, change.from, change.to), (2, Some(1), 2));
/// }
/// # Ok::<(), lodger_scheduler::SceneError>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct LevelChange {
    /// The actor.
    pub actor: ActorId,
    /// The actor's key.
    pub key: u64,
    /// The actor's module.
    pub module: ModuleId,
    /// The level before the tick; `None` in the actor's first tick.
    pub from: Option<u8>,
    /// The level after the tick.
    pub to: u8,
    /// The fraction of the way to the next level, in 2⁻¹⁶; 0 unless its module is continuous.
    pub fraction: u16,
}
