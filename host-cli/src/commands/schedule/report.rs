//! What comes out: a plan in the words and units of the user.

use std::collections::HashMap;

use lodger_core::budget::Leftovers;
use lodger_core::units::ms;
use lodger_scenes::{LadderSource, NamedActor, SceneFile};
use lodger_scheduler::{Control, Plan, Reason, Scene};
use serde::{Serialize, Serializer};

/// The version of the JSON.
const SCHEMA: u32 = 1;
/// How the budget is shared out: all targets are scaled by the same factor.
const POLICY: &str = "proportional";

/// A decided plan. Serialised, it is the JSON of schema 1, where infinity is null.
#[derive(Serialize)]
pub(super) struct Report<'a> {
    /// The version of this shape.
    pub(super) schema: u32,
    /// Milliseconds; infinite if unlimited.
    pub(super) budget_ms: f64,
    /// How the budget was shared out.
    pub(super) policy: &'static str,
    /// What was done with what the shares left over.
    pub(super) leftovers: Leftovers,
    /// The part of their targets that the modules got, 0 to 1.
    pub(super) scale: f64,
    /// Whether nothing is overcommitted.
    pub(super) feasible: bool,
    /// Milliseconds that the fixed charges and the minimums need beyond the budget.
    pub(super) overcommit_ms: f64,
    /// Milliseconds charged for forced and unmanaged actors.
    pub(super) fixed_ms: f64,
    /// Milliseconds charged in total, fixed ones included.
    pub(super) assigned_ms: f64,
    /// How many actors are quarantined.
    pub(super) quarantined: usize,
    /// The modules, in file order.
    pub(super) modules: Vec<ModuleReport<'a>>,
    /// The actors, in file order.
    pub(super) actors: Actors<'a>,
}

/// Actors of which each is described when it is asked for. Serialised, they are a list.
pub(super) struct Actors<'a> {
    count: usize,
    describe: Box<dyn Fn(usize) -> Option<ActorReport<'a>> + 'a>,
}

impl<'a> Actors<'a> {
    pub(super) fn new(
        count: usize,
        describe: impl Fn(usize) -> Option<ActorReport<'a>> + 'a,
    ) -> Self {
        Self { count, describe: Box::new(describe) }
    }

    pub(super) const fn len(&self) -> usize {
        self.count
    }

    pub(super) fn get(&self, index: usize) -> Option<ActorReport<'a>> {
        (self.describe)(index)
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = ActorReport<'a>> {
        (0..self.count).filter_map(|index| self.get(index))
    }
}

impl Serialize for Actors<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

/// What a module got.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ModuleReport<'a> {
    /// Its name in the scene.
    pub(super) name: &'a str,
    /// Whether the budget decides about its actors.
    pub(super) enabled: bool,
    /// The sum of the benefits of all its actors.
    pub(super) benefit: f64,
    /// Milliseconds that its automatic actors ask for.
    pub(super) target_ms: f64,
    /// Milliseconds that all its actors are charged.
    pub(super) assigned_ms: f64,
}

/// What an actor got, and what it is.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ActorReport<'a> {
    /// Its name in the scene.
    pub(super) name: &'a str,
    /// The name of its module.
    pub(super) module: &'a str,
    /// Its benefit.
    pub(super) benefit: f64,
    /// Milliseconds that it could spend; none for forced and unmanaged actors.
    pub(super) share_ms: Option<f64>,
    /// Its LOD; fractional only in continuous modules.
    #[serde(serialize_with = "whole_where_possible")]
    pub(super) lod: f64,
    /// Milliseconds that it is charged.
    pub(super) cost_ms: f64,
    /// Who chose its LOD.
    pub(super) control: Control,
    /// Where it is, in metres; none where the benefit is given.
    pub(super) position: Option<[f32; 3]>,
    /// The radius of the sphere around it, in metres; none where the benefit is given.
    pub(super) radius: Option<f32>,
    /// The units of each of its levels.
    pub(super) work: &'a [u32],
    /// Where its levels come from.
    #[serde(serialize_with = "in_words")]
    pub(super) ladder: LadderSource,
    /// Why it has this LOD, for the table.
    #[serde(skip)]
    pub(super) reason: Reason,
}

impl<'a> Report<'a> {
    /// What the last tick decided. Modules and actors are asked for by their handles.
    pub(super) fn new(file: &'a SceneFile, leftovers: Leftovers) -> Self {
        let plan = file.scene.plan();
        let names: HashMap<_, _> =
            file.modules.iter().map(|module| (module.id, &*module.name)).collect();
        let actors = Actors::new(file.actors.len(), move |index| {
            let actor = file.actors.get(index)?;
            let module = names.get(&actor.module).copied().unwrap_or_default();
            ActorReport::new(actor, module, &file.scene, plan)
        });
        let modules = file.modules.iter().filter_map(|module| {
            let decided = plan.module(module.id)?;
            Some(ModuleReport {
                name: &module.name,
                enabled: decided.managed,
                benefit: decided.benefit,
                target_ms: decided.target_ms(),
                assigned_ms: decided.assigned_ms(),
            })
        });
        Self {
            schema: SCHEMA,
            budget_ms: plan.budget().ns().map_or(f64::INFINITY, ms),
            policy: POLICY,
            leftovers,
            scale: plan.scale().to_f64(),
            feasible: plan.is_feasible(),
            overcommit_ms: ms(plan.overcommit_ns()),
            fixed_ms: ms(plan.fixed_ns()),
            assigned_ms: ms(plan.assigned_ns()),
            quarantined: plan.quarantined(),
            modules: modules.collect(),
            actors,
        }
    }
}

impl<'a> ActorReport<'a> {
    fn new(
        actor: &'a NamedActor,
        module: &'a str,
        scene: &'a Scene<f32>,
        plan: Plan<'_>,
    ) -> Option<Self> {
        let decided = plan.actor(actor.id)?;
        let is_seen = scene.given_benefit(actor.id)?.is_none();
        Some(Self {
            name: &actor.name,
            module,
            benefit: decided.benefit.to_f64(),
            share_ms: decided.share_ms(),
            lod: decided.lod.to_f64(),
            cost_ms: decided.cost_ms(),
            control: decided.control,
            position: scene.position(actor.id).filter(|_| is_seen),
            radius: scene.radius(actor.id).filter(|_| is_seen),
            work: scene.work(actor.id)?,
            ladder: actor.ladder,
            reason: decided.reason,
        })
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
fn in_words<S: Serializer>(ladder: &LadderSource, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(ladder)
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes fields by reference")]
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole LOD is at most 255"
)]
fn whole_where_possible<S: Serializer>(lod: &f64, serializer: S) -> Result<S::Ok, S::Error> {
    if lod.fract() == 0.0 {
        serializer.serialize_u8(*lod as u8)
    } else {
        serializer.serialize_f64(*lod)
    }
}
