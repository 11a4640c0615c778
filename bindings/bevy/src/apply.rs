//! The scene decides, and the world hears what changed.

use std::mem;

use bevy_ecs::change_detection::{DetectChangesMut, Mut};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::message::{MessageReader, MessageWriter};
use bevy_ecs::query::Allow;
use bevy_ecs::system::{Commands, Local, Query, Res, ResMut};
use bevy_ecs::world::World;
use lodger_scheduler::Scene;

use crate::changed::LodChanged;
use crate::handle::{LodHandle, LodQueue};
use crate::kind::LodModule;
use crate::living::Living;
use crate::lod::Lod;
use crate::plan::LodPlan;

pub(crate) fn decide(mut plan: ResMut<LodPlan>) {
    plan.tick();
}

/// Writes the levels that changed since this ran last, and says so. Where ticks were missed, all levels are
/// compared with the plan.
pub(crate) fn apply<M: LodModule>(
    plan: Res<LodPlan>,
    mut seen: Local<u64>,
    mut lods: Query<(Entity, &LodHandle<M>, &mut Lod<M>), Allow<Disabled>>,
    mut queue: ResMut<LodQueue<M>>,
    living: Living<LodHandle<M>>,
    mut messages: MessageWriter<LodChanged<M>>,
) {
    let Some(id) = plan.module_id::<M>() else { return };
    let ticks = plan.ticks() - mem::replace(&mut *seen, plan.ticks());
    if ticks == 0 {
        return;
    }
    for change in plan.plan().module_changes(id) {
        let Some(entity) = Entity::try_from_bits(change.key) else { continue };
        if let Ok((_, _, mut lod)) = lods.get_mut(entity) {
            let from = change.from.map(|_| lod.level());
            lod.set_if_neq(Lod::new(change.to, change.fraction));
            if from != Some(change.to) {
                messages.write(LodChanged::new(entity, from, change.to));
            }
        } else if living.has(entity) {
            queue.fresh.push(entity);
        }
    }
    if ticks > 1 {
        for (entity, handle, lod) in &mut lods {
            messages.write_batch(remind(&plan.scene, entity, handle, lod));
        }
    }
}

/// Writes the level of an entity again that is not the one that was decided: ticks were missed, or somebody
/// else wrote it.
pub(crate) fn remind<M: LodModule>(
    scene: &Scene<f32>,
    entity: Entity,
    handle: &LodHandle<M>,
    mut lod: Mut<Lod<M>>,
) -> Option<LodChanged<M>> {
    let decided = scene.plan().lod(handle.actor()?)?;
    let before = lod.replace_if_neq(Lod::new(decided.level(), decided.fraction()))?.level();
    (before != decided.level()).then(|| LodChanged::new(entity, Some(before), decided.level()))
}

/// Writes the fractions of a continuous module, which no list of changes has.
pub(crate) fn apply_fractions<M: LodModule>(
    plan: Res<LodPlan>,
    mut lods: Query<(&LodHandle<M>, &mut Lod<M>), Allow<Disabled>>,
) {
    let plan = plan.plan();
    for (handle, mut lod) in &mut lods {
        if let Some(decided) = handle.actor.and_then(|actor| plan.lod(actor)) {
            lod.set_if_neq(Lod::new(decided.level(), decided.fraction()));
        }
    }
}

/// Triggers what messages say as events of the entities that are still there by then.
pub(crate) fn tell_observers<M: LodModule>(
    mut changes: MessageReader<LodChanged<M>>,
    mut commands: Commands,
) {
    for &change in changes.read() {
        commands.queue(move |world: &mut World| {
            if world.get::<Lod<M>>(change.entity).is_some() {
                world.trigger(change);
            }
        });
    }
}
