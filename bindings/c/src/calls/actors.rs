//! Batches of actors: spawn, change, despawn.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use std::cell::Cell;
use std::ffi::c_void;

use lodger_scheduler::lodger_core::ValueError;
use lodger_scheduler::lodger_core::budget::MAX_ACTORS;
use lodger_scheduler::lodger_core::error::{Quantity, ValueProblem};
use lodger_scheduler::{ActorId, Priority, SceneError};

use crate::abi::{ActorDesc, ActorHandle, ModuleHandle, SceneHandle, Status, column};
use crate::desc::{self, SpawnRequest};
use crate::error::{BatchError, CallError};
use crate::handle_table;
use crate::memory::{In, Out, Pod};
use crate::origin::OriginScene;

/// Adds actors, all or none.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_spawn(
    scene: SceneHandle,
    module: ModuleHandle,
    descs: In<ActorDesc>,
    stride: usize,
    count: usize,
    out: Out<ActorHandle>,
) -> Status {
    handle_table::change_batch(scene, |target| {
        let module = handle_table::module(module)?;
        let descs = descs.descs(count, stride)?;
        if !out.is_null() {
            out.check_many(count, size_of::<ActorHandle>())?;
        }
        let requests = validate(target, count, descs)?;
        let rounding = requests.iter().map(SpawnRequest::rounding_error).fold(0.0, f64::max);
        let reached = Cell::new(None);
        let actors = requests.iter().enumerate().map(|(row, request)| {
            reached.set(Some(row));
            request.actor()
        });
        let spawned = target.scene.spawn_many(module, actors);
        let spawned =
            spawned.map_err(|error| BatchError { error: error.into(), index: reached.get() })?;
        if !out.is_null() {
            let handles = spawned.ids().map(handle_table::of_actor);
            out.write_all(count, size_of::<ActorHandle>(), handles)?;
        }
        target.note_rounding(rounding);
        Ok(())
    })
}

/// Validates descriptions without changing the scene.
fn validate(
    target: &OriginScene,
    count: usize,
    descs: impl Iterator<Item = Result<ActorDesc, CallError>>,
) -> Result<Vec<SpawnRequest>, BatchError> {
    if count > (MAX_ACTORS as usize).saturating_sub(target.scene.len()) {
        return Err(ValueError::new(Quantity::Count, ValueProblem::TooLarge).into());
    }
    let mut requests = Vec::new();
    let no_memory = CallError::Invalid("out of memory for so many actors");
    requests.try_reserve_exact(count).map_err(|_| no_memory)?;
    for (row, desc) in descs.enumerate() {
        let request = desc.and_then(|desc| SpawnRequest::new(desc, target));
        requests.push(request.map_err(|error| BatchError { error, index: Some(row) })?);
    }
    Ok(requests)
}

/// Removes actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_despawn(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
) -> Status {
    handle_table::change_batch(scene, |target| {
        let actors = actors.slice(count)?;
        handle_table::for_each(actors.iter(), |&actor| {
            Ok(target.scene.despawn(handle_table::actor(actor)?)?)
        })
    })
}

/// Sets a column of actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_set(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    column: u32,
    values: In<c_void>,
    stride: usize,
) -> Status {
    handle_table::change_batch(scene, |target| {
        let batch = SpawnBatch { actors: actors.slice(count)?, values, stride };
        match column {
            column::POSITION => {
                batch.set(target, |target, id, at: [f32; 3]| target.scene.set_position(id, at))
            }
            column::POSITION_F64 => {
                batch.set(target, |target, id, at: [f64; 3]| target.set_position(id, at))
            }
            column::RADIUS => {
                batch.set(target, |target, id, radius| target.scene.set_radius(id, radius))
            }
            column::AGE => batch.set(target, |target, id, age| target.scene.set_age(id, age)),
            column::SPEED => {
                batch.set(target, |target, id, speed| target.scene.set_speed(id, speed))
            }
            column::BENEFIT => batch.set(target, |target, id, benefit| {
                target.scene.set_benefit_override(id, desc::given(benefit)?)
            }),
            column::FORCED => {
                batch.set(target, |target, id, level| target.scene.force_physical_lod(id, level))
            }
            column::VISIBLE => batch
                .set(target, |target, id, visible: u8| target.scene.set_visible(id, visible != 0)),
            column::PRIORITY => batch.set(target, |target, id, priority: f32| {
                target.scene.set_priority(id, Priority::new(priority.into())?)
            }),
            column::IN_VIEW => batch.set(target, |target, id, is_in_view: u8| {
                target.scene.set_actor_in_view(id, is_in_view != 0)
            }),
            column::KEY => batch.set(target, |target, id, key| target.scene.set_key(id, key)),
            _ => Err(CallError::Argument("there is no such column").into()),
        }
    })
}

/// Sets the valid levels.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_set_range(
    scene: SceneHandle,
    actor: ActorHandle,
    lowest: u8,
    highest: u8,
) -> Status {
    handle_table::change(scene, |target| {
        let id = handle_table::actor(actor)?;
        let levels = target.scene.work(id).map_or(0, <[u32]>::len);
        let range = lowest..=desc::highest(highest, levels);
        Ok(target.scene.set_lod_range(id, range)?)
    })
}

/// Sets the units of work at each level.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_set_work(
    scene: SceneHandle,
    actor: ActorHandle,
    work: In<u32>,
    levels: u32,
) -> Status {
    handle_table::change(scene, |target| {
        let id = handle_table::actor(actor)?;
        let work = work.slice(desc::level_count(Quantity::Work, levels)?)?;
        Ok(target.scene.set_work(id, work)?)
    })
}

/// Sets the quality of each level.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_set_qualities(
    scene: SceneHandle,
    actor: ActorHandle,
    qualities: In<f32>,
    levels: u32,
) -> Status {
    handle_table::change(scene, |target| {
        let id = handle_table::actor(actor)?;
        let even = qualities.is_null() && levels == 0;
        let qualities = (!even).then(|| desc::qualities(qualities, levels)).transpose()?;
        Ok(target.scene.set_qualities(id, qualities.as_deref())?)
    })
}

struct SpawnBatch<'a> {
    actors: &'a [ActorHandle],
    values: In<c_void>,
    stride: usize,
}

impl SpawnBatch<'_> {
    #[inline]
    fn set<T: Pod>(
        &self,
        target: &mut OriginScene,
        mut set: impl FnMut(&mut OriginScene, ActorId, T) -> Result<(), SceneError>,
    ) -> Result<(), BatchError> {
        let values = self.values.cast::<T>();
        let values = values.strided(self.actors.len(), self.stride)?;
        handle_table::for_each(self.actors.iter().zip(values), |(&actor, value)| {
            Ok(set(target, handle_table::actor(actor)?, value)?)
        })
    }
}
