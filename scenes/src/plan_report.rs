//! The plan of a scene, with the names and the unit of its file.

use std::collections::{BTreeMap, HashMap};
use std::fmt;

use lodger_core::budget::{Leftovers, OptimalityCertificate, Policy};
use lodger_scheduler::{LodSource, OutsideFactor, Plan, Priority, Reason};
use serde::ser::SerializeMap as _;
use serde::{Serialize, Serializer};

use crate::numbers::{CostAmount, CostUnit};
use crate::scene_file::{LadderSource, NamedActor, PolicyName, SceneFile};

const SCHEMA: u32 = 1;
const NS_PER_MS: f64 = 1e6;

/// A report of a plan, serialised as the JSON of schema 1:
///
/// - keys of costs end in `_ms` if costs are times; otherwise they have no ending, and `unit` is the unit
/// - an unlimited budget is null
/// - `leftovers`, `scale`, targets and shares are null unless `policy` is proportional
/// - `upper_bound` bounds `value` over all plans of this budget, and `gap` is the largest possible loss as a share of
///   the bound
/// - `levels` is left out unless the file numbers levels differently
/// - a priority and a factor `outside` of 1, and `in_view` of an actor that is in view, are left out
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// file.scene.tick();
/// let report = PlanReport::new(&mut file);
/// assert_eq!((report.budget, report.feasible), (CostAmount::Milliseconds(8.0), true));
/// assert_eq!(report.reserved, CostAmount::Milliseconds(1.1216)); // gate banner and courtyard wind
/// let json = serde_json::to_value(&report)?;
/// assert_eq!((&json["fixed_ms"], &json["actors"][0]["lod"]), (&1.1216.into(), &3.into()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct PlanReport<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The policy of the plan.
    pub policy: Policy,
    /// The budget of the plan.
    pub budget: CostAmount,
    /// The share of their targets that the modules got, 0 to 1; `None` without targets.
    pub scale: Option<f64>,
    /// Whether the budget pays reserved costs and minimums.
    pub feasible: bool,
    /// The excess of reserved costs and minimums over the budget.
    pub overcommit: CostAmount,
    /// The cost of forced and unmanaged actors.
    pub reserved: CostAmount,
    /// The cost of all actors.
    pub assigned: CostAmount,
    /// Σ benefit × quality of the automatic actors of managed modules, and its upper bound.
    pub certificate: OptimalityCertificate,
    /// The benefit × quality that a millisecond or a unit is worth; `None` if the policy has no price, or if the plan
    /// is not feasible.
    pub price: Option<f64>,
    /// The number of quarantined actors.
    pub quarantined: usize,
    /// The number of actors that no view sees.
    pub out_of_view: usize,
    /// The modules, in file order.
    pub modules: Vec<PlannedModule<'a>>,
    /// The actors at each level of the file, the finest first; empty unless the file numbers levels differently.
    pub levels: Vec<LevelReport<'a>>,
    /// The actors, in file order.
    pub actors: ActorReports<'a>,
}

/// The plan of a module.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// file.scene.tick();
/// let report = PlanReport::new(&mut file);
/// let wind = &report.modules[3];
/// assert_eq!((wind.name, wind.enabled, wind.benefit), ("turbulence", false, 1.0));
/// assert_eq!(wind.assigned, CostAmount::Milliseconds(0.9216));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlannedModule<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The name of the module.
    pub name: &'a str,
    /// Whether the module is managed.
    pub enabled: bool,
    /// The priority of the module.
    pub priority: Priority,
    /// The factor of benefits outside of views.
    pub outside: OutsideFactor,
    /// The sum of the benefits of all actors.
    pub benefit: f64,
    /// The target of the automatic actors; `None` without targets.
    pub target: Option<CostAmount>,
    /// The cost of all actors.
    pub assigned: CostAmount,
}

/// The actors at a level of the file.
///
/// # Examples
/// ```
/// # use lodger_core::units::Budget;
/// # use lodger_scenes::{CostAmount, PlanReport, SceneFile, SceneOverrides};
/// # use lodger_scheduler::View;
/// # let (limits, quota) = Default::default();
/// # let leaf = r#"{"bound": {"min": [0, 0, 0], "max": [1, 1, 1]},
/// #     "lods": {"0": {"count": 10}, "1": {"count": 5}}}"#;
/// # let overrides = SceneOverrides {
/// #     units: Some(Budget::from_ns(15)),
/// #     view: Some(View::from_position([0.0, 0.0, 9.0])?),
/// #     ..SceneOverrides::default()
/// # };
/// // Two leaves of 10 splats at level 0 of the file, or 5 at level 1, share 15 splats.
/// let text = format!(r#"{{"lodLevels": 2, "tree": {{"children": [{leaf}, {leaf}]}}}}"#);
/// let mut file = SceneFile::from_streamed_sog(&text, &overrides, limits, &quota)?;
/// file.scene.tick();
/// let levels = PlanReport::new(&mut file).levels;
/// let levels: Vec<_> = levels.iter().map(|level| (level.file_lod, level.actors, level.assigned)).collect();
/// assert_eq!(levels, [(0, 1, CostAmount::Whole(10)), (1, 1, CostAmount::Whole(5))]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug)]
pub struct LevelReport<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The number of the level in the file.
    pub file_lod: u8,
    /// The number of actors at the level.
    pub actors: usize,
    /// The cost of these actors.
    pub assigned: CostAmount,
}

impl<'a> PlanReport<'a> {
    /// Reports the plan of the last tick.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let report = PlanReport::new(&mut file);
    /// assert_eq!(report.assigned.to_f64(), 7.999_989);
    /// assert!(report.certificate.gap() < 0.09);
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
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
            budget: plan.budget().ns().map_or(CostAmount::Unlimited, |cost| unit.amount(cost)),
            scale: is_proportional.then(|| plan.scale().to_f64()),
            feasible: plan.is_feasible(),
            overcommit: unit.amount(plan.overcommit_ns()),
            reserved: unit.amount(plan.reserved_ns()),
            assigned: unit.amount(plan.assigned_ns()),
            certificate,
            price: (!is_proportional && plan.is_feasible()).then(|| price(unit, plan)),
            quarantined: plan.quarantined(),
            out_of_view: file.actors.iter().filter(|actor| is_outside(file, actor)).count(),
            modules: modules(file, is_proportional).collect(),
            levels: levels(file),
            actors,
        }
    }

    /// Returns the use of leftover budget; `None` unless the policy is proportional.
    ///
    /// # Examples
    /// ```
    /// # use lodger_core::budget::Leftovers;
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let report = PlanReport::new(&mut file);
    /// assert_eq!(report.leftovers(), Some(Leftovers::AcrossModules));
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    #[must_use]
    pub const fn leftovers(&self) -> Option<Leftovers> {
        match self.policy {
            Policy::Proportional(leftovers) => Some(leftovers),
            Policy::Optimal => None,
        }
    }
}

fn is_outside(file: &SceneFile, actor: &NamedActor) -> bool {
    file.scene.is_in_view(actor.id) == Some(false)
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
            priority: file.scene.module_priority(module.id)?,
            outside: file.scene.outside(module.id)?,
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
        map.serialize_entry(cost_key(self.unit, "fixed_ms"), &self.reserved)?;
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
        if self.priority != Priority::ONE {
            map.serialize_entry("priority", &self.priority.to_f64())?;
        }
        if self.outside != OutsideFactor::ONE {
            map.serialize_entry("outside", &self.outside.to_f64())?;
        }
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

/// A lazy list of [`PlannedActor`], serialised as a list.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// file.scene.tick();
/// let report = PlanReport::new(&mut file);
/// let most_expensive = report.actors.iter().max_by(|a, b| a.cost.to_f64().total_cmp(&b.cost.to_f64()));
/// assert_eq!(most_expensive.map(|actor| actor.name), Some("falling gate"));
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
pub struct ActorReports<'a> {
    count: usize,
    describe: Box<dyn Fn(usize) -> Option<PlannedActor<'a>> + 'a>,
}

impl<'a> ActorReports<'a> {
    /// Creates a list of `count` reports; `describe` computes a report from its index.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let report = PlanReport::new(&mut file);
    /// let clothes = [0, 1, 2];
    /// let reports = ActorReports::new(3, |index| report.actors.get(clothes[index]));
    /// assert_eq!(reports.iter().map(|actor| actor.lod).collect::<Vec<_>>(), [3.0, 2.0, 1.0]);
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    pub fn new(count: usize, describe: impl Fn(usize) -> Option<PlannedActor<'a>> + 'a) -> Self {
        Self { count, describe: Box::new(describe) }
    }

    /// Returns the number of actors.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let report = PlanReport::new(&mut file);
    /// assert_eq!(report.actors.len(), 12);
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    #[must_use]
    pub const fn len(&self) -> usize {
        self.count
    }

    /// Whether there are no actors.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::ActorReports;
    /// assert!(ActorReports::new(0, |_| None).is_empty());
    /// assert!(!ActorReports::new(2, |_| None).is_empty());
    /// ```
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// Computes the report of an actor; `None` if there is no such actor.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let report = PlanReport::new(&mut file);
    /// assert_eq!(report.actors.get(8).map(|actor| actor.name), Some("falling gate"));
    /// assert!(report.actors.get(12).is_none());
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
    #[must_use]
    pub fn get(&self, index: usize) -> Option<PlannedActor<'a>> {
        (self.describe)(index)
    }

    /// Computes all reports, in file order.
    ///
    /// # Examples
    /// ```
    /// # use lodger_scenes::*;
    /// # let (overrides, limits, quota) = Default::default();
    /// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
    /// file.scene.tick();
    /// let report = PlanReport::new(&mut file);
    /// let forced = report.actors.iter().find(|actor| actor.share.is_none());
    /// assert_eq!(forced.map(|actor| actor.name), Some("gate banner"));
    /// # Ok::<(), lodger_scenes::SceneFileError>(())
    /// ```
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

/// The plan of an actor.
///
/// # Examples
/// ```
/// # use lodger_scenes::*;
/// # let (overrides, limits, quota) = Default::default();
/// let mut file = SceneFile::from_toml(EXAMPLE, &overrides, limits, &quota)?;
/// file.scene.tick();
/// let report = PlanReport::new(&mut file);
/// let fountain = report.actors.get(5).expect("an actor");
/// assert_eq!((fountain.name, fountain.module), ("plaza fountain", "fountains"));
/// assert_eq!((fountain.lod, fountain.cost), (2.8736572265625, CostAmount::Milliseconds(1.448389)));
/// assert_eq!(fountain.reason.to_string(), "raised from leftovers");
/// # Ok::<(), lodger_scenes::SceneFileError>(())
/// ```
#[derive(Clone, Debug)]
pub struct PlannedActor<'a> {
    /// The unit of costs.
    pub unit: &'a CostUnit,
    /// The name of the actor.
    pub name: &'a str,
    /// The name of the actor's module.
    pub module: &'a str,
    /// The priority of the actor, without the one of its module.
    pub priority: Priority,
    /// Whether a view sees the actor, or nothing tests it.
    pub in_view: bool,
    /// The benefit of the actor, with all factors.
    pub benefit: f64,
    /// The actor's share of the budget; `None` for forced and unmanaged actors, and without shares.
    pub share: Option<CostAmount>,
    /// The LOD of the actor; fractional only in continuous modules.
    pub lod: f64,
    /// The file's number of the LOD, if the file numbers levels differently.
    pub file_lod: Option<u8>,
    /// The quality of the LOD, 0 to 1; between two levels, of the lower one.
    pub quality: f64,
    /// The cost of the LOD.
    pub cost: CostAmount,
    /// The source of the LOD.
    pub control: LodSource,
    /// The position in metres; `None` if the benefit is overridden.
    pub position: Option<[f32; 3]>,
    /// The radius of the bounding sphere in metres; `None` if the benefit is overridden.
    pub radius: Option<f32>,
    /// The units of work of each level.
    pub work: &'a [u32],
    /// The source of the levels.
    pub ladder: LadderSource,
    /// The reason for the LOD.
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
            priority: scene.priority(actor.id)?,
            in_view: !is_outside(file, actor),
            benefit: decided.benefit.to_f64(),
            share: decided.share_ns.map(|cost| unit.amount(cost)),
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
        if self.priority != Priority::ONE {
            map.serialize_entry("priority", &self.priority.to_f64())?;
        }
        if !self.in_view {
            map.serialize_entry("in_view", &self.in_view)?;
        }
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

/// Drops the ending `_ms` of a key if costs are not times.
fn cost_key(unit: &CostUnit, in_time: &'static str) -> &'static str {
    match unit {
        CostUnit::Time => in_time,
        CostUnit::Named(_) => in_time.strip_suffix("_ms").unwrap_or(in_time),
    }
}
