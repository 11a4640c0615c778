//! A frame: deciding, and what was decided.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use lodger_scheduler::{ActorId, Certificate, Load, Lod, Reason};

use crate::abi::{
    ActorHandle, ActorReport, Change, Report, SceneHandle, Status, UNKNOWN, UNLIMITED,
};
use crate::calls::actors::{alone, id};
use crate::failure::Failure;
use crate::memory::{In, Out, Plain};
use crate::place::Placed;
use crate::shelf;

/// Decides the level of every actor.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_tick(scene: SceneHandle, out: Out<Report>) -> Status {
    shelf::change(scene, |placed| {
        if out.is_null() {
            placed.tick();
            return Ok(());
        }
        let out = out.check_struct()?;
        placed.tick();
        out.write_struct(report(placed))
    })
}

/// What the last tick decided.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_report(scene: SceneHandle, out: Out<Report>) -> Status {
    shelf::read(scene, |placed| out.write_struct(report(placed)))
}

/// What the last plan is worth, and what no plan exceeds.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_scene_certify(
    scene: SceneHandle,
    value: Out<f64>,
    upper_bound: Out<f64>,
) -> Status {
    shelf::change(scene, |placed| {
        let (value, upper_bound) = (value.check()?, upper_bound.check()?);
        let certificate = placed.scene.certify();
        value.write(certificate.value())?;
        upper_bound.write(certificate.upper_bound())
    })
}

/// The whole levels of actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_levels(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    out: Out<u8>,
    stride: usize,
) -> Status {
    lods(scene, actors, count, Rows { out, stride }, Lod::level)
}

/// The levels of actors, with their fractions.
#[unsafe(no_mangle)]
#[allow(clippy::cast_possible_truncation)] // 24 bits are exact
pub extern "C" fn lodger_actors_lods(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    out: Out<f32>,
    stride: usize,
) -> Status {
    lods(scene, actors, count, Rows { out, stride }, |lod| lod.to_f64() as f32)
}

/// Who has another level than before the last tick.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_changes(
    scene: SceneHandle,
    out: Out<Change>,
    capacity: usize,
    count: Out<usize>,
) -> Status {
    shelf::read(scene, |placed| {
        let (out, count) = (out.check_many(capacity, size_of::<Change>())?, count.check()?);
        if !placed.scene.tracks_changes() {
            return Err(Failure::Refused(
                "changes are not tracked: see lodger_scene_track_changes",
            ));
        }
        let changes = placed.scene.plan().changes();
        out.write_all(capacity, size_of::<Change>(), changes.iter().map(change))?;
        count.write(changes.len())
    })
}

/// What was decided for an actor, and why.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_report_of(
    scene: SceneHandle,
    actor: ActorHandle,
    out: Out<ActorReport>,
) -> Status {
    shelf::read(scene, |placed| {
        let (id, out) = (id(actor)?, out.check_struct()?);
        let plan = placed.scene.plan().actor(id);
        let plan = plan.ok_or_else(|| undecided(placed, id))?;
        out.write_struct(ActorReport {
            size: 0,
            reason: reason(plan.reason)?,
            key: plan.key,
            share_ns: plan.share_ns.unwrap_or(UNKNOWN),
            benefit: plan.benefit.to_f64(),
            quality: plan.quality.to_f64(),
            level: plan.lod.to_f64(),
            cost_ns: plan.cost_ns,
            module: plan.module.to_bits(),
        })
    })
}

/// Where levels go.
#[derive(Clone, Copy)]
struct Rows<T> {
    out: Out<T>,
    stride: usize,
}

fn lods<T: Plain + Default>(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    rows: Rows<T>,
    of: impl Fn(Lod) -> T,
) -> Status {
    shelf::read_many(scene, |placed| {
        let actors = actors.slice(count).map_err(alone)?;
        let plan = placed.scene.plan();
        let mut missing = None;
        let levels = actors.iter().enumerate().map(|(row, &actor)| {
            let known = id(actor).and_then(|id| plan.lod(id).ok_or_else(|| undecided(placed, id)));
            match known {
                Ok(lod) => of(lod),
                Err(failure) => {
                    if failure == Failure::NoSuchActor {
                        missing.get_or_insert((failure, Some(row)));
                    }
                    T::default()
                }
            }
        });
        rows.out.write_all(count, rows.stride, levels).map_err(alone)?;
        missing.map_or(Ok(()), Err)
    })
}

/// Why nothing is known of an actor.
fn undecided(placed: &Placed, id: ActorId) -> Failure {
    if placed.scene.contains(id) {
        Failure::Refused("no tick has decided for this actor yet")
    } else {
        Failure::NoSuchActor
    }
}

fn report(placed: &Placed) -> Report {
    let plan = placed.scene.plan();
    let certificate = plan.certificate();
    Report {
        size: 0,
        load: match plan.load() {
            Load::Normal => 0,
            Load::Tight => 1,
            Load::Infeasible => 2,
        },
        budget_ns: plan.budget().ns().unwrap_or(UNLIMITED),
        assigned_ns: plan.assigned_ns(),
        fixed_ns: plan.fixed_ns(),
        overcommit_ns: plan.overcommit_ns(),
        scale: plan.scale().to_f64(),
        headroom: plan.headroom().to_f64(),
        value: certificate.map_or(-1.0, Certificate::value),
        upper_bound: certificate.map_or(-1.0, Certificate::upper_bound),
        narrowing: placed.narrowing(),
        actors: placed.scene.len() as u64,
        quarantined: plan.quarantined() as u64,
        changes: plan.changes().len() as u64,
        flips: plan.flips().into(),
    }
}

fn change(change: &lodger_scheduler::Change) -> Change {
    Change {
        actor: change.actor.to_bits(),
        key: change.key,
        module: change.module.to_bits(),
        from: change.from.map_or(-1, i16::from),
        to: change.to,
        fraction: change.fraction,
        ..Change::default()
    }
}

fn reason(reason: Reason) -> Result<u32, Failure> {
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
        Reason::NotWorth => 13,
        Reason::NoRoom => 14,
        _ => return Err(Failure::Refused("the reason is one that this ABI has no number for")),
    })
}
