//! Ticks the scene and writes changed levels to the world.

use std::mem;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use lodger_scheduler::Scene;

use crate::components::{Lod, LodChanged};
use crate::handle::{EntitiesWith, LodHandle, LodQueue};
use crate::module::LodModule;
use crate::plan::LodPlan;

pub(crate) fn decide(mut plan: ResMut<LodPlan>) {
    plan.tick();
}

/// Writes the levels that changed since the last run, and sends messages. If the system missed ticks, it compares all
/// levels with the plan.
pub(crate) fn apply<M: LodModule>(
    plan: Res<LodPlan>,
    mut last_tick: Local<u64>,
    mut lods: Query<(Entity, &LodHandle<M>, &mut Lod<M>), Allow<Disabled>>,
    mut queue: ResMut<LodQueue<M>>,
    entities: EntitiesWith<LodHandle<M>>,
    mut messages: MessageWriter<LodChanged<M>>,
) {
    let Some(id) = plan.module_id::<M>() else { return };
    let ticks = plan.ticks() - mem::replace(&mut *last_tick, plan.ticks());
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
        } else if entities.contains(entity) {
            queue.fresh.push(entity);
        }
    }
    if ticks > 1 {
        for (entity, handle, lod) in &mut lods {
            messages.write_batch(restore_level(&plan.scene, entity, handle, lod));
        }
    }
}

/// Writes the decided level of an entity if its component differs, because ticks were missed or other code wrote it.
pub(crate) fn restore_level<M: LodModule>(
    scene: &Scene<f32>,
    entity: Entity,
    handle: &LodHandle<M>,
    mut lod: Mut<Lod<M>>,
) -> Option<LodChanged<M>> {
    let decided = scene.plan().lod(handle.actor()?)?;
    let before = lod.replace_if_neq(Lod::new(decided.level(), decided.fraction()))?.level();
    (before != decided.level()).then(|| LodChanged::new(entity, Some(before), decided.level()))
}

/// Writes the fractions of a continuous module, which the list of changes does not contain.
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

/// Triggers each message as an event of its entity, if the entity still exists.
pub(crate) fn trigger_observers<M: LodModule>(
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
