//! Ticks and plans.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use lodger_scheduler::{ActorId, Load, Lod, OptimalityCertificate, Reason};

use crate::abi::{
    ActorHandle, ActorReport, LevelChangeRecord, SceneHandle, SceneReport, Status, UNKNOWN,
    UNLIMITED,
};
use crate::error::{BatchError, CallError};
use crate::handle_table;
use crate::memory::{In, Out, Pod};
use crate::origin::OriginScene;

/// Ticks the scene.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_tick(scene: SceneHandle, out: Out<SceneReport>) -> Status {
    handle_table::change(scene, |target| {
        if out.is_null() {
            target.tick();
            return Ok(());
        }
        let out = out.check_struct()?;
        target.tick();
        out.write_struct(report(target))
    })
}

/// Reports the last tick.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_report(scene: SceneHandle, out: Out<SceneReport>) -> Status {
    handle_table::read(scene, |target| out.write_struct(report(target)))
}

/// Certifies the last plan.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_certify(
    scene: SceneHandle,
    value: Out<f64>,
    upper_bound: Out<f64>,
) -> Status {
    handle_table::change(scene, |target| {
        let (value, upper_bound) = (value.check()?, upper_bound.check()?);
        let certificate = target.scene.certify();
        value.write(certificate.value())?;
        upper_bound.write(certificate.upper_bound())
    })
}

/// Writes whole levels.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_levels(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    out: Out<u8>,
    stride: usize,
) -> Status {
    lods(scene, actors, count, PlanRows { out, stride }, Lod::level)
}

/// Writes levels with their fractions.
#[unsafe(no_mangle)]
#[allow(clippy::cast_possible_truncation)] // 24 bits are exact
pub extern "C" fn lodger_actors_lods(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    out: Out<f32>,
    stride: usize,
) -> Status {
    lods(scene, actors, count, PlanRows { out, stride }, |lod| lod.to_f64() as f32)
}

/// Writes the level changes of the last tick.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_changes(
    scene: SceneHandle,
    out: Out<LevelChangeRecord>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    handle_table::read(scene, |target| {
        let (out, count) =
            (out.check_many(capacity, size_of::<LevelChangeRecord>())?, count.check()?);
        if !target.scene.tracks_changes() {
            return Err(CallError::Invalid(
                "changes are not tracked: see lodger_scene_track_changes",
            ));
        }
        let changes = target.scene.plan().changes();
        out.write_all(capacity, size_of::<LevelChangeRecord>(), changes.iter().map(change))?;
        count.write(changes.len())
    })
}

/// Reports an actor's plan.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_report_of(
    scene: SceneHandle,
    actor: ActorHandle,
    out: Out<ActorReport>,
) -> Status {
    handle_table::read(scene, |target| {
        let (id, out) = (handle_table::actor(actor)?, out.check_struct()?);
        let plan = target.scene.plan().actor(id);
        let plan = plan.ok_or_else(|| undecided(target, id))?;
        out.write_struct(ActorReport {
            size: 0,
            reason: reason(plan.reason)?,
            key: plan.key,
            share_ns: plan.share_ns.unwrap_or(UNKNOWN),
            benefit: plan.benefit.to_f64(),
            quality: plan.quality.to_f64(),
            level: plan.lod.to_f64(),
            cost_ns: plan.cost_ns,
            module: handle_table::of_module(plan.module),
        })
    })
}

#[derive(Clone, Copy)]
struct PlanRows<T> {
    out: Out<T>,
    stride: usize,
}

fn lods<T: Pod + Default>(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    rows: PlanRows<T>,
    of: impl Fn(Lod) -> T,
) -> Status {
    handle_table::read_batch(scene, |target| {
        let actors = actors.slice(count)?;
        let plan = target.scene.plan();
        let mut missing = None;
        let levels = actors.iter().enumerate().map(|(row, &actor)| {
            let known = handle_table::actor(actor)
                .and_then(|id| plan.lod(id).ok_or_else(|| undecided(target, id)));
            match known {
                Ok(lod) => of(lod),
                Err(error) => {
                    if error == CallError::NoSuchActor {
                        missing.get_or_insert(BatchError { error, index: Some(row) });
                    }
                    T::default()
                }
            }
        });
        rows.out.write_all(count, rows.stride, levels)?;
        missing.map_or(Ok(()), Err)
    })
}

/// Returns the error for an actor without a plan.
fn undecided(target: &OriginScene, id: ActorId) -> CallError {
    if target.scene.contains(id) {
        CallError::Invalid("no tick has decided for this actor yet")
    } else {
        CallError::NoSuchActor
    }
}

fn report(target: &OriginScene) -> SceneReport {
    let plan = target.scene.plan();
    let certificate = plan.certificate();
    SceneReport {
        size: 0,
        load: match plan.load() {
            Load::Normal => 0,
            Load::Tight => 1,
            Load::Infeasible => 2,
        },
        budget_ns: plan.budget().ns().unwrap_or(UNLIMITED),
        assigned_ns: plan.assigned_ns(),
        reserved_ns: plan.reserved_ns(),
        overcommit_ns: plan.overcommit_ns(),
        scale: plan.scale().to_f64(),
        headroom: plan.headroom().to_f64(),
        value: certificate.map_or(-1.0, OptimalityCertificate::value),
        upper_bound: certificate.map_or(-1.0, OptimalityCertificate::upper_bound),
        rounding_m: target.last_rounding(),
        actors: target.ticked_actors() as u64,
        quarantined: plan.quarantined() as u64,
        changes: plan.changes().len() as u64,
        switches: plan.switches().into(),
    }
}

fn change(change: &lodger_scheduler::LevelChange) -> LevelChangeRecord {
    LevelChangeRecord {
        actor: handle_table::of_actor(change.actor),
        key: change.key,
        module: handle_table::of_module(change.module),
        from: change.from.map_or(-1, i16::from),
        to: change.to,
        fraction: change.fraction,
        ..LevelChangeRecord::default()
    }
}

fn reason(reason: Reason) -> Result<u32, CallError> {
    Ok(match reason {
        Reason::Forced => 0,
        Reason::ForcedIntoRange => 1,
        Reason::Unmanaged => 2,
        Reason::Invisible => 3,
        Reason::Quarantined => 4,
        Reason::Overcommitted => 5,
        Reason::Pinned => 6,
        Reason::Share => 7,
        Reason::Highest => 8,
        Reason::Capped => 9,
        Reason::Leftovers => 10,
        Reason::WorthHighest => 11,
        Reason::WorthCapped => 12,
        Reason::BelowPrice => 13,
        Reason::NoBudget => 14,
        _ => return Err(CallError::Invalid("this ABI has no number for the reason")),
    })
}
