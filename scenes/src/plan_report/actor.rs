//! What an actor got, and what it is.

use std::fmt;

use lodger_scheduler::{Control, Plan, Reason};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use super::keys::keys;
use crate::ladder::LadderSource;
use crate::scene_file::{NamedActor, SceneFile};
use crate::unit::{Amount, Unit};

/// Actors of which each is described when it is asked for. Serialised, they are a list.
pub struct ActorReports<'a> {
    count: usize,
    describe: Box<dyn Fn(usize) -> Option<ActorReport<'a>> + 'a>,
}

impl<'a> ActorReports<'a> {
    /// So many actors, by their indices.
    pub fn new(count: usize, describe: impl Fn(usize) -> Option<ActorReport<'a>> + 'a) -> Self {
        Self { count, describe: Box::new(describe) }
    }

    /// How many there are.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there is none.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// One of them.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<ActorReport<'a>> {
        (self.describe)(index)
    }

    /// All of them, in file order.
    pub fn iter(&self) -> impl Iterator<Item = ActorReport<'a>> {
        (0..self.count).filter_map(|index| self.get(index))
    }
}

impl fmt::Debug for ActorReports<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ActorReports").field("count", &self.count).finish_non_exhaustive()
    }
}

impl Serialize for ActorReports<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// What an actor got, and what it is.
#[derive(Clone, Debug)]
pub struct ActorReport<'a> {
    /// What money counts.
    pub unit: &'a Unit,
    /// Its name in the scene.
    pub name: &'a str,
    /// The name of its module.
    pub module: &'a str,
    /// Its benefit.
    pub benefit: f64,
    /// What it could spend; none for forced and unmanaged actors, and where there are no shares.
    pub share: Option<Amount>,
    /// Its LOD; fractional only in continuous modules.
    pub lod: f64,
    /// What the file calls that LOD, if it counts in another way.
    pub file_lod: Option<u8>,
    /// How good that LOD is, from 0 to 1; between two levels it is the lower one.
    pub quality: f64,
    /// What it is charged.
    pub cost: Amount,
    /// Who chose its LOD.
    pub control: Control,
    /// Where it is, in metres; none where the benefit is given.
    pub position: Option<[f32; 3]>,
    /// The radius of the sphere around it, in metres; none where the benefit is given.
    pub radius: Option<f32>,
    /// The units of each of its levels.
    pub work: &'a [u32],
    /// Where its levels come from.
    pub ladder: LadderSource,
    /// Why it has this LOD.
    pub reason: Reason,
}

impl<'a> ActorReport<'a> {
    pub(super) fn new(
        actor: &'a NamedActor,
        module: &'a str,
        file: &'a SceneFile,
        plan: Plan<'_>,
    ) -> Option<Self> {
        let (unit, scene) = (&file.unit, &file.scene);
        let decided = plan.actor(actor.id)?;
        let is_seen = scene.given_benefit(actor.id)?.is_none();
        let level = usize::from(decided.lod.level());
        Some(Self {
            unit,
            name: &actor.name,
            module,
            benefit: decided.benefit.to_f64(),
            share: decided.share_ns.map(|money| unit.amount(money)),
            lod: decided.lod.to_f64(),
            file_lod: actor.file_levels.as_ref().and_then(|levels| levels.get(level).copied()),
            quality: decided.quality.to_f64(),
            cost: unit.amount(decided.cost_ns.into()),
            control: decided.control,
            position: scene.position(actor.id).filter(|_| is_seen),
            radius: scene.radius(actor.id).filter(|_| is_seen),
            work: scene.work(actor.id)?,
            ladder: actor.ladder,
            reason: decided.reason,
        })
    }
}

impl Serialize for ActorReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let keys = keys(self.unit);
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("module", self.module)?;
        map.serialize_entry("benefit", &self.benefit)?;
        map.serialize_entry(keys.share, &self.share)?;
        map.serialize_entry("lod", &Whole(self.lod))?;
        if let Some(level) = self.file_lod {
            map.serialize_entry("file_lod", &level)?;
        }
        map.serialize_entry("quality", &self.quality)?;
        map.serialize_entry(keys.cost, &self.cost)?;
        map.serialize_entry("control", &self.control)?;
        map.serialize_entry("reason", &self.reason)?;
        map.serialize_entry("position", &self.position)?;
        map.serialize_entry("radius", &self.radius)?;
        map.serialize_entry("work", self.work)?;
        map.serialize_entry("ladder", &self.ladder.to_string())?;
        map.end()
    }
}

/// A number that is written as a whole one where it is one.
struct Whole(f64);

impl Serialize for Whole {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a whole LOD is at most 255"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_u8(self.0 as u8)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}
