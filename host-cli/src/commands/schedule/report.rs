//! What comes out: a plan in the words and units of the user.

use std::collections::HashMap;
use std::error::Error;

use lodger_core::budget::Leftovers;
use lodger_core::units::ms;
use lodger_scenes::SceneFile;
use lodger_scheduler::{ActorPlan, Control, Reason};
use lodger_terminal::Diagnostic;
use serde::{Serialize, Serializer};

/// The version of the JSON.
const SCHEMA: u32 = 1;
/// How the budget is shared out: all targets are scaled by the same factor.
const POLICY: &str = "proportional";
/// The keys of an actor, which are there even when no actor is.
const ACTOR_KEYS: [&str; 7] =
    ["name", "module", "benefit", "share_ms", "lod", "cost_ms", "control"];

/// A decided plan. Serialised, it is the JSON of schema 1, where infinity is null.
#[derive(Clone, Debug, Serialize)]
pub(super) struct Report {
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
    pub(super) modules: Vec<ModuleReport>,
    /// The actors, in file order.
    pub(super) actors: Vec<ActorReport>,
}

/// What a module got.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ModuleReport {
    /// Its name in the scene.
    pub(super) name: String,
    /// Whether the budget decides about its actors.
    pub(super) enabled: bool,
    /// The sum of the benefits of all its actors.
    pub(super) benefit: f64,
    /// Milliseconds that its automatic actors ask for.
    pub(super) target_ms: f64,
    /// Milliseconds that all its actors are charged.
    pub(super) assigned_ms: f64,
}

/// What an actor got.
#[derive(Clone, Debug, Serialize)]
pub(super) struct ActorReport {
    /// Its name in the scene.
    pub(super) name: String,
    /// The name of its module.
    pub(super) module: String,
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
    /// Why it has this LOD, for the table.
    #[serde(skip)]
    pub(super) reason: Reason,
}

impl Report {
    /// Decides every actor's LOD and reports it. Modules and actors are asked for by their handles.
    pub(super) fn tick(file: &mut SceneFile, leftovers: Leftovers) -> Self {
        let plan = file.scene.tick();
        let names: HashMap<_, _> =
            file.modules.iter().map(|module| (module.id, module.name.as_str())).collect();
        let actors = file.actors.iter().filter_map(|actor| {
            let module = names.get(&actor.module).copied().unwrap_or_default();
            Some(ActorReport::new(&actor.name, module, &plan.actor(actor.id)?))
        });
        let modules = file.modules.iter().filter_map(|module| {
            let decided = plan.module(module.id)?;
            Some(ModuleReport {
                name: module.name.clone(),
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
            actors: actors.collect(),
        }
    }

    /// The actors as CSV, one row each.
    pub(super) fn csv(&self) -> Result<Vec<u8>, Diagnostic> {
        let failed =
            |error: &dyn Error| Diagnostic::error(format!("cannot show the plan as CSV: {error}"));
        let mut writer = csv::WriterBuilder::new().has_headers(false).from_writer(Vec::new());
        writer.write_record(ACTOR_KEYS).map_err(|error| failed(&error))?;
        for actor in &self.actors {
            writer.serialize(actor).map_err(|error| failed(&error))?;
        }
        writer.into_inner().map_err(|error| failed(&error))
    }
}

impl ActorReport {
    fn new(name: &str, module: &str, decided: &ActorPlan) -> Self {
        Self {
            name: name.to_owned(),
            module: module.to_owned(),
            benefit: decided.benefit.to_f64(),
            share_ms: decided.share_ms(),
            lod: decided.lod.to_f64(),
            cost_ms: decided.cost_ms(),
            control: decided.control,
            reason: decided.reason,
        }
    }
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
