//! What a tick decided, as lodger.js tells it.

use lodger_scheduler::{ActorId, ActorPlan, Certificate, Lod, ModulePlan, Reason};
use serde_json::{Value, json};

use super::log::{Log, number};

impl Log {
    /// Decides a frame, and writes down all that it decided.
    pub(super) fn tick(&mut self) {
        self.scene.tick();
        let narrowing = self.narrowing();
        let here: Vec<(usize, ActorId)> = self.actors.iter().copied().enumerate().collect();
        let here = here.into_iter().filter(|&(_, id)| self.scene.contains(id));
        let (indices, here): (Vec<usize>, Vec<ActorId>) = here.unzip();
        let plan = self.scene.plan();
        let lods = here.iter().map(|&id| plan.lod(id).unwrap_or(Lod::ZERO));
        let lods: Vec<Lod> = lods.collect();
        let levels: Vec<u8> = lods.iter().map(|lod| lod.level()).collect();
        let told = json!({
            "report": self.report(narrowing),
            "actors": indices,
            "levels": levels,
            "lods": lods.iter().map(|lod| number(lod.to_f64())).collect::<Value>(),
            "changes": self.scene.tracks_changes().then(|| self.changes()),
            "modules": self.modules.iter().map(|&id| plan.module(id).map(|it| module(&it))).collect::<Value>(),
            "plans": here.iter().map(|&id| plan.actor(id).map(|it| actor(&it))).collect::<Value>(),
        });
        self.calls.push(json!(["tick", [], 0, told]));
    }

    /// Finds what the last plan is worth.
    pub(super) fn certify(&mut self) {
        let certificate = self.scene.certify();
        let told = json!({"value": number(certificate.value()), "upperBound": number(certificate.upper_bound())});
        self.calls.push(json!(["certify", [], 0, told]));
    }

    fn report(&self, narrowing: f64) -> Value {
        let plan = self.scene.plan();
        let certificate = plan.certificate();
        json!({
            "load": plan.load().to_string(),
            "budgetNs": plan.budget().ns().map_or_else(|| number(f64::INFINITY), Value::from),
            "assignedNs": plan.assigned_ns(),
            "fixedNs": plan.fixed_ns(),
            "overcommitNs": plan.overcommit_ns(),
            "scale": number(plan.scale().to_f64()),
            "headroom": number(plan.headroom().to_f64()),
            "value": certificate.map(Certificate::value).map(number),
            "upperBound": certificate.map(Certificate::upper_bound).map(number),
            "narrowing": number(narrowing),
            "actors": self.scene.len(),
            "quarantined": plan.quarantined(),
            "changes": plan.changes().len(),
            "flips": plan.flips(),
        })
    }

    fn changes(&self) -> Value {
        let index = |id: ActorId| self.actors.iter().position(|&other| other == id);
        let changes = self.scene.plan().changes().iter();
        changes
            .map(|change| {
                json!([
                    index(change.actor),
                    change.key.to_string(),
                    change.module.index(),
                    change.from,
                    change.to,
                    change.fraction
                ])
            })
            .collect()
    }
}

fn module(plan: &ModulePlan<'_>) -> Value {
    json!({
        "managed": plan.managed,
        "actors": plan.actors,
        "assignedNs": plan.assigned_ns,
        "targetNs": plan.target_ns,
        "units": plan.units,
        "benefit": number(plan.benefit),
        "unitCostNs": number(plan.unit_cost.ns()),
        "rawUnitCostNs": number(plan.raw_unit_cost.ns()),
        "overhead": plan.overhead,
        "lodCap": plan.lod_cap,
    })
}

fn actor(plan: &ActorPlan) -> Value {
    json!([
        word(plan.reason),
        plan.key.to_string(),
        plan.share_ns,
        number(plan.benefit.to_f64()),
        number(plan.quality.to_f64()),
        number(plan.lod.to_f64()),
        plan.cost_ns,
        plan.module.index(),
    ])
}

fn word(reason: Reason) -> &'static str {
    match reason {
        Reason::Forced => "forced",
        Reason::ForcedIntoRange => "forced-into-range",
        Reason::Unmanaged => "unmanaged",
        Reason::Invisible => "invisible",
        Reason::Quarantined => "quarantined",
        Reason::Overcommitted => "overcommitted",
        Reason::Pinned => "pinned",
        Reason::Share => "share",
        Reason::Highest => "highest",
        Reason::Capped => "capped",
        Reason::Leftovers => "leftovers",
        Reason::WorthHighest => "worth-highest",
        Reason::WorthCapped => "worth-capped",
        Reason::NotWorth => "not-worth",
        Reason::NoRoom => "no-room",
        _ => "a reason that lodger.js has no word for",
    }
}
