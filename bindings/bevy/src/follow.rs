//! Actors move.

use bevy_ecs::change_detection::{ContiguousRef, DetectChanges, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::error::Result;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::{Has, With};
use bevy_ecs::system::{Local, Query, ResMut};
use bevy_transform::components::GlobalTransform;
use lodger_scheduler::ActorId;

use crate::actor::LodActor;
use crate::error::{LodError, LodProblem};
use crate::handle::{LodHandle, LodQueue};
use crate::kind::LodModule;
use crate::plan::LodPlan;
use crate::rows::Rows;

/// So many rows are looked at together for one that has changed.
const GROUP: usize = 64;

/// Entities, and whether they are disabled: they are followed nevertheless.
type Places<'w, 's, M> = Query<
    'w,
    's,
    (Entity, &'static LodHandle<M>, Ref<'static, GlobalTransform>, Has<Disabled>),
    With<LodActor<M>>,
>;

/// Moves the actors whose transforms were changed since the last frame.
///
/// A world that stands still costs a look at the tick of each transform, and nothing else. Where half of the
/// module moves it is written as columns.
pub(crate) fn follow<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    actors: Places<M>,
    mut rows: Local<Rows>,
    mut errors: MessageWriter<LodError>,
) -> Result {
    let Some(module) = plan.module_id::<M>() else { return Ok(()) };
    let moved = count(&actors);
    if moved == 0 {
        return Ok(());
    }
    let scene = &mut plan.scene;
    let mut report = |entity, problem| {
        errors.write(LodError { entity: Some(entity), module: M::short_type_path(), problem });
    };
    if moved < scene.module_len(module).unwrap_or(0).div_ceil(2) {
        each(&actors, &mut queue.found, |entity, actor, place| match place {
            Some(place) => {
                if let Err(error) = scene.set_position(actor, place) {
                    report(entity, LodProblem::Refused(error));
                }
            }
            None => report(entity, LodProblem::NotFinite),
        });
        return Ok(());
    }
    let columns = scene.positions_mut(module, ..)?;
    rows.keep_up(queue.regroupings, columns.slots);
    each(&actors, &mut queue.found, |entity, actor, place| {
        let Some([x, y, z]) = place else { return report(entity, LodProblem::NotFinite) };
        let row = rows.of(actor);
        (columns.x[row], columns.y[row], columns.z[row]) = (x, y, z);
    });
    Ok(())
}

/// How many transforms were changed.
fn count<M: LodModule>(actors: &Places<M>) -> usize {
    let Ok(tables) = actors.contiguous_iter() else {
        return actors.iter().filter(|(_, _, transform, _)| transform.is_changed()).count();
    };
    let mut moved = 0;
    for (_, _, transforms, _) in tables {
        let (_, ticks) = ContiguousRef::split(transforms);
        let (last_run, this_run) = (ticks.last_run(), ticks.this_run());
        let changed = ticks.changed().iter();
        moved +=
            changed.map(|tick| usize::from(tick.is_newer_than(last_run, this_run))).sum::<usize>();
    }
    moved
}

/// Calls for each actor that was moved, with its place if that is finite. Entities that are no actors yet
/// because they had no transform are noted.
fn each<M: LodModule>(
    actors: &Places<M>,
    waiting: &mut Vec<Entity>,
    mut moved: impl FnMut(Entity, ActorId, Option<[f32; 3]>),
) {
    let mut found = |entity: Entity, handle: &LodHandle<M>, transform: &GlobalTransform| {
        if let Some(actor) = handle.actor {
            let place = transform.translation();
            moved(entity, actor, place.is_finite().then(|| place.to_array()));
        } else if handle.waits {
            waiting.push(entity);
        }
    };
    // A disabling component that is no column of tables makes the query look at each entity.
    let Ok(tables) = actors.contiguous_iter() else {
        let changed = actors.iter().filter(|(_, _, transform, _)| transform.is_changed());
        return changed.for_each(|(entity, handle, at, _)| found(entity, handle, &at));
    };
    for (entities, handles, transforms, _) in tables {
        let (transforms, ticks) = ContiguousRef::split(transforms);
        let (last_run, this_run) = (ticks.last_run(), ticks.this_run());
        let has_changed = |tick: &Tick| tick.is_newer_than(last_run, this_run);
        let groups = ticks.changed().chunks(GROUP).zip(transforms.chunks(GROUP));
        let groups = groups.zip(handles.chunks(GROUP)).zip(entities.chunks(GROUP));
        for (((changed, transforms), handles), entities) in groups {
            if !changed.iter().fold(false, |any, tick| any | has_changed(tick)) {
                continue;
            }
            let group = changed.iter().zip(transforms).zip(handles).zip(entities);
            for (((tick, transform), handle), &entity) in group {
                if has_changed(tick) {
                    found(entity, handle, transform);
                }
            }
        }
    }
}
