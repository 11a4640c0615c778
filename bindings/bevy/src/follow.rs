//! Actors move.

use bevy_ecs::change_detection::{ContiguousRef, Ref, Tick};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::error::Result;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::{Has, With};
use bevy_ecs::system::{Query, ResMut};
use bevy_transform::components::GlobalTransform;

use crate::actor::LodActor;
use crate::error::{LodError, LodProblem};
use crate::handle::{LodHandle, LodQueue};
use crate::kind::LodModule;
use crate::plan::LodPlan;

/// So many rows are looked at together for one that has changed.
const GROUP: usize = 64;

/// Moves the actors whose transforms were changed since the last frame.
///
/// Entities that are disabled are followed too. A world that stands still costs a look at the ticks of each transform, and nothing else.
pub(crate) fn follow<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    actors: Query<(Entity, &LodHandle<M>, Ref<GlobalTransform>, Has<Disabled>), With<LodActor<M>>>,
    mut errors: MessageWriter<LodError>,
) -> Result {
    let mut report = |entity, problem| {
        errors.write(LodError { entity: Some(entity), module: M::short_type_path(), problem });
    };
    for (entities, handles, transforms, _) in actors.contiguous_iter()? {
        let (transforms, ticks) = ContiguousRef::split(transforms);
        let (last_run, this_run) = (ticks.last_run(), ticks.this_run());
        for (group, changed) in ticks.changed().chunks(GROUP).enumerate() {
            let has_changed = |tick: &Tick| tick.is_newer_than(last_run, this_run);
            if !changed.iter().fold(false, |any, tick| any | has_changed(tick)) {
                continue;
            }
            let rows = group * GROUP..group * GROUP + changed.len();
            let columns = entities[rows.clone()].iter().zip(&handles[rows.clone()]);
            for (((&entity, handle), transform), tick) in
                columns.zip(&transforms[rows]).zip(changed)
            {
                if !has_changed(tick) {
                    continue;
                }
                let Some(actor) = handle.actor else {
                    if handle.waits {
                        queue.found.push(entity);
                    }
                    continue;
                };
                let place = transform.translation();
                if !place.is_finite() {
                    report(entity, LodProblem::NotFinite);
                } else if let Err(error) = plan.scene.set_position(actor, place.to_array()) {
                    report(entity, LodProblem::Refused(error));
                }
            }
        }
    }
    Ok(())
}
