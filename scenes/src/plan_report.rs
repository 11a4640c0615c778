//! The plan of a scene, with the names and the unit of its file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use lodger_core::budget::{Leftovers, OptimalityCertificate, Policy};
use lodger_scheduler::{LodSource, Plan, Reason};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::numbers::{CostAmount, CostUnit};
use crate::scene_file::{LadderSource, NamedActor, PolicyName, SceneFile};

/// The version of the JSON.
const SCHEMA: u32 = 1;
/// Nanoseconds in a millisecond.
const NS_PER_MS: f64 = 1e6;

/// A report of a plan, serialised as the JSON of schema 1:
///
/// - keys of costs end in `_ms` if costs are times; otherwise they have no ending, the numbers are integers, and `unit` is
///   the unit. An unlimited budget is null
/// - `leftovers`, `scale`, and the targets and shares of modules and actors are null unless `policy` is proportional
/// - `value` is Σ benefit × quality over the automatic actors of managed modules, `upper_bound` the bound of all plans of
///   this budget, and `gap` the largest possible loss as a share of the bound
/// - `levels` is the number of actors at each level of the file, if the file numbers levels differently
/// - `price` is the benefit × quality that a millisecond or a unit is worth: null if the policy has no price, or if the
///   budget does not pay the minimums
#[derive(Debug)]
pub struct PlanReport<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The policy.
    pub policy: Policy,
    /// The budget.
    pub budget: CostAmount,
    /// The share of their targets that the modules got, 0 to 1; `None` without targets.
    pub scale: Option<f64>,
    /// Whether the plan is not overcommitted.
    pub feasible: bool,
    /// The excess of reserved costs and minimums over the budget.
    pub overcommit: CostAmount,
    /// The reserved cost of forced and unmanaged actors.
    pub fixed: CostAmount,
    /// The total cost, including reserved cost.
    pub assigned: CostAmount,
    /// The optimality certificate.
    pub certificate: OptimalityCertificate,
    /// The benefit × quality that a millisecond or a unit is worth.
    pub price: Option<f64>,
    /// The number of quarantined actors.
    pub quarantined: usize,
    /// The modules, in file order.
    pub modules: Vec<PlannedModule<'a>>,
    /// The number of actors at each level of the file, the finest first, if the file numbers levels differently.
    pub levels: Vec<LevelReport<'a>>,
    /// The actors, in file order.
    pub actors: ActorReports<'a>,
}

/// The plan of a module.
#[derive(Clone, Debug)]
pub struct PlannedModule<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The name.
    pub name: &'a str,
    /// Whether the module is managed.
    pub enabled: bool,
    /// The sum of the benefits of all its actors.
    pub benefit: f64,
    /// The target of its automatic actors; `None` without targets.
    pub target: Option<CostAmount>,
    /// The cost of all its actors.
    pub assigned: CostAmount,
}

/// The actors at a level of the file, and their cost.
#[derive(Clone, Copy, Debug)]
pub struct LevelReport<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The number of the level in the file.
    pub file_lod: u8,
    /// The number of actors.
    pub actors: usize,
    /// Their cost.
    pub assigned: CostAmount,
}

impl<'a> PlanReport<'a> {
    /// Reports the plan of the last tick.
    #[must_use]
    pub fn new(file: &'a mut SceneFile) -> Self {
        let certificate = file.scene.plan().certificate();
        let certificate = certificate.unwrap_or_else(|| file.scene.certify());
        let file = &*file;
        let (unit, plan) = (&file.unit, file.scene.plan());
        let names: HashMap<_, _> =
            file.modules.iter().map(|module| (module.id, &*module.name)).collect();
        let actors = ActorReports::new(file.actors.len(), move |index| {
            let actor = file.actors.get(index)?;
            let module = names.get(&actor.module).copied().unwrap_or_default();
            PlannedActor::new(actor, module, file, plan)
        });
        let is_proportional = PolicyName::of(plan.policy()) == PolicyName::Proportional;
        Self {
            unit,
            policy: plan.policy(),
            budget: plan.budget().ns().map_or(CostAmount::Unlimited, |money| unit.amount(money)),
            scale: is_proportional.then(|| plan.scale().to_f64()),
            feasible: plan.is_feasible(),
            overcommit: unit.amount(plan.overcommit_ns()),
            fixed: unit.amount(plan.reserved_ns()),
            assigned: unit.amount(plan.assigned_ns()),
            certificate,
            price: (!is_proportional && plan.is_feasible()).then(|| price(unit, plan)),
            quarantined: plan.quarantined(),
            modules: modules(file, is_proportional).collect(),
            levels: levels(file),
            actors,
        }
    }

    /// The use of leftover budget; `None` without shares.
    #[must_use]
    pub const fn leftovers(&self) -> Option<Leftovers> {
        match self.policy {
            Policy::Proportional(leftovers) => Some(leftovers),
            Policy::Optimal => None,
        }
    }
}

fn price(unit: &CostUnit, plan: Plan<'_>) -> f64 {
    let of_one = plan.price().to_f64();
    match unit {
        CostUnit::Time => of_one * NS_PER_MS,
        CostUnit::Named(_) => of_one,
    }
}

fn modules(file: &SceneFile, has_targets: bool) -> impl Iterator<Item = PlannedModule<'_>> {
    let (unit, plan) = (&file.unit, file.scene.plan());
    file.modules.iter().filter_map(move |module| {
        let decided = plan.module(module.id)?;
        Some(PlannedModule {
            unit,
            name: &module.name,
            enabled: decided.managed,
            benefit: decided.benefit,
            target: has_targets.then(|| unit.amount(decided.target_ns)),
            assigned: unit.amount(decided.assigned_ns),
        })
    })
}

fn levels(file: &SceneFile) -> Vec<LevelReport<'_>> {
    let (unit, plan) = (&file.unit, file.scene.plan());
    let mut levels: BTreeMap<u8, (usize, u64)> = BTreeMap::new();
    for actor in &file.actors {
        let Some(file_levels) = &actor.file_levels else { continue };
        let Some(decided) = plan.actor(actor.id) else { continue };
        if let Some(&file_lod) = file_levels.get(usize::from(decided.lod.level())) {
            let (actors, assigned) = levels.entry(file_lod).or_default();
            *actors += 1;
            *assigned += u64::from(decided.cost_ns);
        }
    }
    let report = |(file_lod, (actors, assigned))| LevelReport {
        unit,
        file_lod,
        actors,
        assigned: unit.amount(assigned),
    };
    levels.into_iter().map(report).collect()
}

impl Serialize for PlanReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("schema", &SCHEMA)?;
        if let Some(unit) = self.unit.name() {
            map.serialize_entry("unit", unit)?;
        }
        map.serialize_entry(cost_key(self.unit, "budget_ms"), &self.budget)?;
        map.serialize_entry("policy", &PolicyName::of(self.policy))?;
        map.serialize_entry("leftovers", &self.leftovers())?;
        map.serialize_entry("scale", &self.scale)?;
        map.serialize_entry("feasible", &self.feasible)?;
        map.serialize_entry(cost_key(self.unit, "overcommit_ms"), &self.overcommit)?;
        map.serialize_entry(cost_key(self.unit, "fixed_ms"), &self.fixed)?;
        map.serialize_entry(cost_key(self.unit, "assigned_ms"), &self.assigned)?;
        map.serialize_entry("value", &self.certificate.value())?;
        map.serialize_entry("upper_bound", &self.certificate.upper_bound())?;
        map.serialize_entry("gap", &self.certificate.gap())?;
        map.serialize_entry("price", &self.price)?;
        map.serialize_entry("quarantined", &self.quarantined)?;
        map.serialize_entry("modules", &self.modules)?;
        if !self.levels.is_empty() {
            map.serialize_entry("levels", &self.levels)?;
        }
        map.serialize_entry("actors", &self.actors)?;
        map.end()
    }
}

impl Serialize for PlannedModule<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("enabled", &self.enabled)?;
        map.serialize_entry("benefit", &self.benefit)?;
        map.serialize_entry(cost_key(self.unit, "target_ms"), &self.target)?;
        map.serialize_entry(cost_key(self.unit, "assigned_ms"), &self.assigned)?;
        map.end()
    }
}

impl Serialize for LevelReport<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("file_lod", &self.file_lod)?;
        map.serialize_entry("actors", &self.actors)?;
        map.serialize_entry(cost_key(self.unit, "assigned_ms"), &self.assigned)?;
        map.end()
    }
}

/// Reports of actors, each computed on access, serialised as a list.
pub struct ActorReports<'a> {
    count: usize,
    describe: Box<dyn Fn(usize) -> Option<PlannedActor<'a>> + 'a>,
}

impl<'a> ActorReports<'a> {
    /// Creates a list of `count` reports, computed from their indices.
    pub fn new(count: usize, describe: impl Fn(usize) -> Option<PlannedActor<'a>> + 'a) -> Self {
        Self { count, describe: Box::new(describe) }
    }

    /// The number of actors.
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no actors.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The report of an actor.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<PlannedActor<'a>> {
        (self.describe)(index)
    }

    /// All reports, in file order.
    pub fn iter(&self) -> impl Iterator<Item = PlannedActor<'a>> {
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

/// The plan of an actor, with its properties.
#[derive(Clone, Debug)]
pub struct PlannedActor<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The name.
    pub name: &'a str,
    /// The name of its module.
    pub module: &'a str,
    /// Its benefit.
    pub benefit: f64,
    /// Its share; `None` for forced and unmanaged actors, and without shares.
    pub share: Option<CostAmount>,
    /// Its LOD; fractional only in continuous modules.
    pub lod: f64,
    /// The file's number of the LOD, if the file numbers levels differently.
    pub file_lod: Option<u8>,
    /// The quality of the LOD, from 0 to 1; between two levels the quality of the lower one.
    pub quality: f64,
    /// Its cost.
    pub cost: CostAmount,
    /// The source of its LOD.
    pub control: LodSource,
    /// Its position, in metres; `None` if its benefit is overridden.
    pub position: Option<[f32; 3]>,
    /// The radius of its bounding sphere, in metres; `None` if its benefit is overridden.
    pub radius: Option<f32>,
    /// The units of each of its levels.
    pub work: &'a [u32],
    /// The source of its levels.
    pub ladder: LadderSource,
    /// The reason for its LOD.
    pub reason: Reason,
}

impl<'a> PlannedActor<'a> {
    fn new(
        actor: &'a NamedActor,
        module: &'a str,
        file: &'a SceneFile,
        plan: Plan<'_>,
    ) -> Option<Self> {
        let (unit, scene) = (&file.unit, &file.scene);
        let decided = plan.actor(actor.id)?;
        let is_computed = scene.benefit_override(actor.id)?.is_none();
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
            control: decided.source,
            position: scene.position(actor.id).filter(|_| is_computed),
            radius: scene.radius(actor.id).filter(|_| is_computed),
            work: scene.work(actor.id)?,
            ladder: actor.ladder,
            reason: decided.reason,
        })
    }
}

impl Serialize for PlannedActor<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("name", self.name)?;
        map.serialize_entry("module", self.module)?;
        map.serialize_entry("benefit", &self.benefit)?;
        map.serialize_entry(cost_key(self.unit, "share_ms"), &self.share)?;
        map.serialize_entry("lod", &MaybeInteger(self.lod))?;
        if let Some(level) = self.file_lod {
            map.serialize_entry("file_lod", &level)?;
        }
        map.serialize_entry("quality", &self.quality)?;
        map.serialize_entry(cost_key(self.unit, "cost_ms"), &self.cost)?;
        map.serialize_entry("control", &self.control)?;
        map.serialize_entry("reason", &self.reason)?;
        map.serialize_entry("position", &self.position)?;
        map.serialize_entry("radius", &self.radius)?;
        map.serialize_entry("work", self.work)?;
        map.serialize_entry("ladder", &self.ladder.to_string())?;
        map.end()
    }
}

/// A number that is serialised as an integer if it is one.
struct MaybeInteger(f64);

impl Serialize for MaybeInteger {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an integral LOD is at most 255"
    )]
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.fract() == 0.0 {
            serializer.serialize_u8(self.0 as u8)
        } else {
            serializer.serialize_f64(self.0)
        }
    }
}

/// The JSON key of a cost, without its ending `_ms` if costs are not times.
fn cost_key(unit: &CostUnit, in_time: &'static str) -> &'static str {
    match unit {
        CostUnit::Time => in_time,
        CostUnit::Named(_) => in_time.strip_suffix("_ms").unwrap_or(in_time),
    }
}
