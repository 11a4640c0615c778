//! Actors come, go and are told otherwise.

use std::mem;

use bevy_ecs::change_detection::{DetectChanges, Ref};
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::RemovedComponents;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::{Allow, Has, QueryData};
use bevy_ecs::system::{Commands, Local, Query, ResMut};
use bevy_ecs::world::EntityWorldMut;
use bevy_transform::components::GlobalTransform;
use lodger_scheduler::{self as scheduler, ModuleId, Scene};

use crate::actor::LodActor;
use crate::apply::remind;
use crate::changed::LodChanged;
use crate::error::{LodError, LodProblem};
use crate::exceptions::{ForcedLod, LodHidden, LodRange};
use crate::handle::{LodHandle, LodQueue};
use crate::kind::LodModule;
use crate::living::Living;
use crate::lod::Lod;
use crate::plan::LodPlan;
use crate::say::{Said, change, spawn};

/// All that the world says of an actor.
#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct Told<M: LodModule> {
    actor: Ref<'static, LodActor<M>>,
    transform: Option<&'static GlobalTransform>,
    forced: Option<&'static ForcedLod<M>>,
    range: Option<&'static LodRange<M>>,
    is_hidden: Has<LodHidden<M>>,
    handle: &'static mut LodHandle<M>,
    lod: Option<&'static mut Lod<M>>,
}

type Actors<'w, 's, M> = Query<'w, 's, Told<M>, Allow<Disabled>>;

impl<'w, M: LodModule> ToldReadOnlyItem<'w, '_, M> {
    fn said(self, entity: Entity) -> Said<'w> {
        let actor = self.actor.into_inner();
        Said {
            key: entity.to_bits(),
            place: self.transform.map_or([f32::NAN; 3], |at| at.translation().to_array()),
            radius: actor.radius(),
            work: actor.work(),
            qualities: actor.qualities(),
            forced: self.forced.map(|lod| scheduler::Lod::new(lod.level(), lod.fraction())),
            range: self.range.map(|range| (range.lowest(), range.highest())),
            is_hidden: self.is_hidden,
        }
    }
}

/// Takes those out of the scene who are no actors any more.
pub(crate) fn leave<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    living: Living<LodHandle<M>>,
    handles: Query<(&LodHandle<M>, Has<GlobalTransform>), Allow<Disabled>>,
    mut misplaced: RemovedComponents<GlobalTransform>,
    mut commands: Commands,
    mut errors: MessageWriter<LodError>,
) {
    queue.regroupings += u64::from(!queue.gone.is_empty());
    for (entity, actor) in queue.gone.drain(..) {
        if let Some(Err(error)) = actor.map(|actor| plan.scene.despawn(actor)) {
            errors.write(error_of::<M>(entity, LodProblem::Refused(error)));
        }
        if living.has(entity) {
            // It may be an actor again by then.
            commands.entity(entity).queue_silenced(|mut entity: EntityWorldMut| {
                if !entity.contains::<LodActor<M>>() {
                    entity.remove::<(Lod<M>, LodHandle<M>)>();
                }
            });
        }
    }
    for entity in misplaced.read() {
        if let Ok((handle, false)) = handles.get(entity)
            && handle.actor.is_some()
        {
            errors.write(error_of::<M>(entity, LodProblem::NoTransform));
        }
    }
}

/// Brings the scene in line with the world for all entities that hooks have noted.
pub(crate) fn reconcile<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    mut actors: Actors<M>,
    living: Living<LodHandle<M>>,
    mut newcomers: Local<Vec<(Entity, bool)>>,
    mut messages: MessageWriter<LodChanged<M>>,
    mut errors: MessageWriter<LodError>,
) {
    let Some(module) = plan.module_id::<M>() else { return };
    let (scene, queue) = (&mut plan.scene, &mut *queue);
    queue.fresh.append(&mut queue.found);
    queue.fresh.retain(|&entity| {
        let Ok(mut told) = actors.get_mut(entity) else { return living.has(entity) };
        if !mem::replace(&mut told.handle.queued, true) {
            queue.changed.push(entity);
        }
        false
    });
    let mut is_quiet = true;
    queue.changed.retain(|&entity| {
        let Ok(told) = actors.get_mut(entity) else { return living.has(entity) };
        is_quiet = false;
        messages.write_batch(told.lod.and_then(|lod| remind(scene, entity, &told.handle, lod)));
        let problem = hear(scene, entity, &mut actors, &mut newcomers);
        errors.write_batch(problem.map(|problem| error_of::<M>(entity, problem)));
        false
    });
    queue.regroupings += u64::from(!is_quiet);
    // Who is left is disabled, and was perhaps noted again and again.
    for rest in [&mut queue.fresh, &mut queue.changed] {
        rest.sort_unstable();
        rest.dedup();
    }
    // Those without qualities of their own come together.
    for party in newcomers.chunk_by(|(_, a), (_, b)| *a && *b) {
        if party.len() < 2 || !welcome_all(scene, module, party, &mut actors) {
            for &(entity, _) in party {
                let problem = welcome(scene, module, entity, &mut actors).err();
                errors.write_batch(problem.map(|problem| error_of::<M>(entity, problem)));
            }
        }
    }
    newcomers.clear();
}

/// Tells the scene what an entity is now, if it is still queued; one that comes is put with the
/// newcomers.
fn hear<M: LodModule>(
    scene: &mut Scene<f32>,
    entity: Entity,
    actors: &mut Actors<M>,
    newcomers: &mut Vec<(Entity, bool)>,
) -> Option<LodProblem> {
    let mut told = actors.get_mut(entity).ok()?;
    if !mem::take(&mut told.handle.queued) {
        return None;
    }
    let place = told.transform.map(GlobalTransform::translation);
    told.handle.waits = place.is_none();
    let is_new = told.actor.is_changed();
    if let Some(actor) = told.handle.actor {
        let said = actors.get(entity).ok()?.said(entity);
        change(scene, actor, &said, is_new).err().map(LodProblem::Refused)
    } else if let Some(place) = place {
        newcomers.push((entity, told.actor.qualities().is_empty()));
        (!place.is_finite()).then_some(LodProblem::NotFinite)
    } else {
        Some(LodProblem::NoTransform)
    }
}

/// Spawns an actor for each entity, or none: then one of them is refused, and has to be found.
fn welcome_all<M: LodModule>(
    scene: &mut Scene<f32>,
    module: ModuleId,
    party: &[(Entity, bool)],
    actors: &mut Actors<M>,
) -> bool {
    if scene.reserve(module, party.len()).is_err() {
        return false;
    }
    let told = actors.as_readonly();
    let said = party.iter().map(|&(entity, _)| (entity, told.get_inner(entity)));
    let Ok(spawned) = scene.spawn_many(
        module,
        said.filter_map(|(entity, told)| Some(told.ok()?.said(entity).actor())),
    ) else {
        return false;
    };
    for (&(entity, _), actor) in party.iter().zip(spawned.ids()) {
        if let Ok(mut told) = actors.get_mut(entity) {
            told.handle.actor = Some(actor);
        }
    }
    true
}

fn welcome<M: LodModule>(
    scene: &mut Scene<f32>,
    module: ModuleId,
    entity: Entity,
    actors: &mut Actors<M>,
) -> Result<(), LodProblem> {
    let Ok(told) = actors.get(entity) else { return Ok(()) };
    let actor = spawn(scene, module, &told.said(entity)).map_err(LodProblem::Refused)?;
    if let Ok(mut told) = actors.get_mut(entity) {
        told.handle.actor = Some(actor);
    }
    Ok(())
}

fn error_of<M: LodModule>(entity: Entity, problem: LodProblem) -> LodError {
    LodError { entity: Some(entity), module: M::short_type_path(), problem }
}
