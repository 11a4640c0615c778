//! Actors come, change and go, in batches.
#![allow(unsafe_code, reason = "a function that C calls has a name of its own in the program")]

use std::cell::Cell;
use std::ffi::c_void;

use lodger_scheduler::lodger_core::Error;
use lodger_scheduler::lodger_core::budget::MAX_ACTORS;
use lodger_scheduler::lodger_core::error::{Problem, Quantity};
use lodger_scheduler::{ActorId, SceneError};

use crate::abi::{ActorDesc, ActorHandle, ModuleHandle, SceneHandle, Status, column};
use crate::desc::{self, Newcomer};
use crate::failure::Failure;
use crate::handle;
use crate::memory::{In, Out, Plain};
use crate::place::Placed;
use crate::shelf::{self, Outcome};

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
    shelf::change_many(scene, |placed| {
        let module = handle::module(module).map_err(alone)?;
        let descs = descs.descs(count, stride).map_err(alone)?;
        if !out.is_null() {
            out.check_many(count, size_of::<ActorHandle>()).map_err(alone)?;
        }
        let newcomers = newcomers(placed, count, descs)?;
        let lost = newcomers.iter().map(Newcomer::lost).fold(0.0, f64::max);
        let reached = Cell::new(None);
        let actors = newcomers.iter().enumerate().map(|(row, newcomer)| {
            reached.set(Some(row));
            newcomer.actor()
        });
        let spawned = placed.scene.spawn_many(module, actors);
        let spawned = spawned.map_err(|error| (error.into(), reached.get()))?;
        if !out.is_null() {
            let handles = spawned.ids().map(handle::of_actor);
            out.write_all(count, size_of::<ActorHandle>(), handles).map_err(alone)?;
        }
        placed.note_lost(lost);
        Ok(())
    })
}

/// What callers say of so many actors, looked at; the scene is not changed.
fn newcomers(
    placed: &Placed,
    count: usize,
    descs: impl Iterator<Item = Result<ActorDesc, Failure>>,
) -> Result<Vec<Newcomer>, (Failure, Option<usize>)> {
    if count > (MAX_ACTORS as usize).saturating_sub(placed.scene.len()) {
        return Err(alone(Error::new(Quantity::Count, Problem::TooLarge).into()));
    }
    let mut newcomers = Vec::new();
    let no_memory = Failure::Refused("there is no memory for so many actors");
    newcomers.try_reserve_exact(count).map_err(|_| alone(no_memory))?;
    for (row, desc) in descs.enumerate() {
        let newcomer = desc.and_then(|desc| Newcomer::new(desc, placed));
        newcomers.push(newcomer.map_err(|failure| (failure, Some(row)))?);
    }
    Ok(newcomers)
}

/// Removes actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_despawn(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
) -> Status {
    shelf::change_many(scene, |placed| {
        let actors = actors.slice(count).map_err(alone)?;
        shelf::each(actors.iter(), |&actor| Ok(placed.scene.despawn(handle::actor(actor)?)?))
    })
}

/// Sets a number of many actors.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actors_set(
    scene: SceneHandle,
    actors: In<ActorHandle>,
    count: usize,
    column: u32,
    values: In<c_void>,
    stride: usize,
) -> Status {
    shelf::change_many(scene, |placed| {
        let batch = Batch { actors: actors.slice(count).map_err(alone)?, values, stride };
        match column {
            column::POSITION => {
                batch.set(placed, |placed, id, at: [f32; 3]| placed.scene.set_position(id, at))
            }
            column::POSITION_F64 => {
                batch.set(placed, |placed, id, at: [f64; 3]| placed.set_position(id, at))
            }
            column::RADIUS => {
                batch.set(placed, |placed, id, radius| placed.scene.set_radius(id, radius))
            }
            column::AGE => batch.set(placed, |placed, id, age| placed.scene.set_age(id, age)),
            column::SPEED => {
                batch.set(placed, |placed, id, speed| placed.scene.set_speed(id, speed))
            }
            column::BENEFIT => batch.set(placed, |placed, id, benefit| {
                placed.scene.set_benefit(id, desc::given(benefit)?)
            }),
            column::FORCED => {
                batch.set(placed, |placed, id, level| placed.scene.force_physical_lod(id, level))
            }
            column::VISIBLE => batch
                .set(placed, |placed, id, visible: u8| placed.scene.set_visible(id, visible != 0)),
            column::KEY => batch.set(placed, |placed, id, key| placed.scene.set_key(id, key)),
            _ => Err(alone(Failure::Argument("there is no such column"))),
        }
    })
}

/// Sets which levels are valid.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_set_range(
    scene: SceneHandle,
    actor: ActorHandle,
    lowest: u8,
    highest: u8,
) -> Status {
    shelf::change(scene, |placed| {
        let id = handle::actor(actor)?;
        let levels = placed.scene.work(id).map_or(0, <[u32]>::len);
        let range = lowest..=desc::highest(highest, levels);
        Ok(placed.scene.set_lod_range(id, range)?)
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
    shelf::change(scene, |placed| {
        let id = handle::actor(actor)?;
        let work = work.slice(desc::level_count(Quantity::Work, levels)?)?;
        Ok(placed.scene.set_work(id, work)?)
    })
}

/// Sets how good each level is.
#[unsafe(no_mangle)]
pub extern "C" fn lodger_actor_set_qualities(
    scene: SceneHandle,
    actor: ActorHandle,
    qualities: In<f32>,
    levels: u32,
) -> Status {
    shelf::change(scene, |placed| {
        let id = handle::actor(actor)?;
        let even = qualities.is_null() && levels == 0;
        let qualities = (!even).then(|| desc::qualities(qualities, levels)).transpose()?;
        Ok(placed.scene.set_qualities(id, qualities.as_deref())?)
    })
}

pub(super) fn alone(failure: Failure) -> (Failure, Option<usize>) {
    (failure, None)
}

/// Actors, and a value for each.
struct Batch<'a> {
    actors: &'a [ActorHandle],
    values: In<c_void>,
    stride: usize,
}

impl Batch<'_> {
    #[inline]
    fn set<T: Plain>(
        &self,
        placed: &mut Placed,
        mut set: impl FnMut(&mut Placed, ActorId, T) -> Result<(), SceneError>,
    ) -> Outcome {
        let values = self.values.cast::<T>();
        let values = values.strided(self.actors.len(), self.stride).map_err(alone)?;
        shelf::each(self.actors.iter().zip(values), |(&actor, value)| {
            Ok(set(placed, handle::actor(actor)?, value)?)
        })
    }
}
