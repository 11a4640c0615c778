//! The scene decides, and the world hears what changed.

use bevy_ecs::change_detection::DetectChangesMut;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::{Allow, With};
use bevy_ecs::system::{Commands, Query, Res, ResMut};
use lodger_scheduler::Change;

use crate::changed::LodChanged;
use crate::handle::LodHandle;
use crate::kind::LodModule;
use crate::lod::Lod;
use crate::plan::LodPlan;

pub(crate) fn decide(mut plan: ResMut<LodPlan>) {
    plan.scene.tick();
}

/// The changes of a module, by entity.
pub(crate) fn changes<M: LodModule>(plan: &LodPlan) -> impl Iterator<Item = (Entity, &Change)> {
    let changes = plan.module_id::<M>().into_iter().flat_map(|id| plan.plan().module_changes(id));
    changes.filter_map(|change| Some((Entity::try_from_bits(change.key)?, change)))
}

/// Writes the levels that changed, and says so.
pub(crate) fn apply<M: LodModule>(
    plan: Res<LodPlan>,
    mut lods: Query<&mut Lod<M>, Allow<Disabled>>,
    mut messages: MessageWriter<LodChanged<M>>,
) {
    for (entity, change) in changes::<M>(&plan) {
        if let Ok(mut lod) = lods.get_mut(entity) {
            lod.set_if_neq(Lod::new(change.to, change.fraction));
            messages.write(LodChanged::new(entity, change.from, change.to));
        }
    }
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

/// Triggers what [`apply`] says as events of the entities.
pub(crate) fn tell_observers<M: LodModule>(
    plan: Res<LodPlan>,
    actors: Query<(), With<Lod<M>>>,
    mut commands: Commands,
) {
    for (entity, change) in changes::<M>(&plan) {
        if actors.contains(entity) {
            commands.trigger(LodChanged::<M>::new(entity, change.from, change.to));
        }
    }
}
