//! What comes out: a plan in the words and units of the user.

use serde::{Serialize, Serializer};

/// A decided plan. Serialised, it is the JSON of schema 1, where infinity is null.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Report {
    /// The version of this shape.
    pub(crate) schema: u32,
    /// Milliseconds; infinite if unlimited.
    pub(crate) budget_ms: f64,
    /// How the budget was shared out.
    pub(crate) policy: Policy,
    /// What was done with what the shares left over.
    pub(crate) leftovers: Leftovers,
    /// The part of their targets that the modules got, 0 to 1.
    pub(crate) scale: f64,
    /// Whether nothing is overcommitted.
    pub(crate) feasible: bool,
    /// Milliseconds that the fixed charges and the minimums need beyond the budget.
    pub(crate) overcommit_ms: f64,
    /// Milliseconds charged for forced and unmanaged actors.
    pub(crate) fixed_ms: f64,
    /// Milliseconds charged in total, fixed ones included.
    pub(crate) assigned_ms: f64,
    /// How many actors are quarantined.
    pub(crate) quarantined: usize,
    /// The modules, in file order.
    pub(crate) modules: Vec<ModuleReport>,
    /// The actors, in file order.
    pub(crate) actors: Vec<ActorReport>,
}

/// What a module got.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ModuleReport {
    /// Its name in the scene.
    pub(crate) name: String,
    /// Whether the budget decides about its actors.
    pub(crate) enabled: bool,
    /// The sum of the benefits of all its actors.
    pub(crate) benefit: f64,
    /// Milliseconds that its automatic actors ask for.
    pub(crate) target_ms: f64,
    /// Milliseconds that all its actors are charged.
    pub(crate) assigned_ms: f64,
}

/// What an actor got.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct ActorReport {
    /// Its name in the scene.
    pub(crate) name: String,
    /// The name of its module.
    pub(crate) module: String,
    /// Its benefit.
    pub(crate) benefit: f64,
    /// Milliseconds that it could spend; none for forced and unmanaged actors.
    pub(crate) share_ms: Option<f64>,
    /// Its LOD; fractional only in continuous modules.
    #[serde(serialize_with = "whole_where_possible")]
    pub(crate) lod: f64,
    /// Milliseconds that it is charged.
    pub(crate) cost_ms: f64,
    /// Who chose its LOD.
    pub(crate) control: Control,
    /// Why it has this LOD, in a few words for the table.
    #[serde(skip)]
    pub(crate) reason: String,
}

/// How the budget is shared out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Policy {
    /// All targets are scaled by the same factor.
    Proportional,
}

/// What is done with what the shares leave over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Leftovers {
    /// Nothing: every actor gets what its share pays
    Keep,
    /// Each module spends what its own actors left over
    WithinModule,
    /// The scene spends what any actor left over
    AcrossModules,
    /// The scene spends all that is left of the budget
    WholeBudget,
}

/// Who chose an actor's LOD.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Control {
    /// The budget.
    Automatic,
    /// The scene, by `force_lod`.
    Forced,
    /// Nobody: its module is disabled, so it runs at its best.
    Unmanaged,
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
