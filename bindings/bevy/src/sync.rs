//! Spawns, updates and despawns actors after their components.

use std::mem;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::query::QueryData;
use bevy_transform::components::GlobalTransform;
use lodger_scheduler::{
    self as scheduler, Actor, ActorId, ModuleId, Priority, Quality, Scene, SceneError,
};

use crate::apply::restore_level;
use crate::components::{ForcedLod, Lod, LodActor, LodChanged, LodHidden, LodPriority, LodRange};
use crate::handle::{EntitiesWith, LodHandle, LodQueue};
use crate::module::{LodError, LodModule, LodProblem};
use crate::plan::LodPlan;

#[derive(QueryData)]
#[query_data(mutable)]
pub(crate) struct ActorQuery<M: LodModule> {
    actor: Ref<'static, LodActor<M>>,
    transform: Option<&'static GlobalTransform>,
    forced: Option<&'static ForcedLod<M>>,
    range: Option<&'static LodRange<M>>,
    priority: Option<&'static LodPriority<M>>,
    is_hidden: Has<LodHidden<M>>,
    handle: &'static mut LodHandle<M>,
    lod: Option<&'static mut Lod<M>>,
}

type ActorsQuery<'w, 's, M> = Query<'w, 's, ActorQuery<M>, Allow<Disabled>>;

impl<'w, M: LodModule> ActorQueryReadOnlyItem<'w, '_, M> {
    fn components(self, entity: Entity) -> ActorComponents<'w> {
        let actor = self.actor.into_inner();
        ActorComponents {
            key: entity.to_bits(),
            position: self.transform.map_or([f32::NAN; 3], |at| at.translation().to_array()),
            radius: actor.radius(),
            work: actor.work(),
            qualities: actor.qualities(),
            forced: self.forced.map(|lod| scheduler::Lod::new(lod.level(), lod.fraction())),
            range: self.range.map(|range| (range.lowest(), range.highest())),
            priority: self.priority.map(LodPriority::factor),
            is_hidden: self.is_hidden,
        }
    }
}

/// Despawns the actors whose entities are no longer actors, and reports actors without a transform.
pub(crate) fn despawn_removed<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    entities: EntitiesWith<LodHandle<M>>,
    handles: Query<(&LodHandle<M>, Has<GlobalTransform>), Allow<Disabled>>,
    mut without_transform: RemovedComponents<GlobalTransform>,
    mut commands: Commands,
    mut errors: MessageWriter<LodError>,
) {
    queue.layout_version += u64::from(!queue.gone.is_empty());
    for (entity, actor) in queue.gone.drain(..) {
        if let Some(Err(error)) = actor.map(|actor| plan.scene.despawn(actor)) {
            errors.write(LodError::of_module::<M>(entity, LodProblem::Invalid(error)));
        }
        if entities.contains(entity) {
            // The entity may be an actor again when the command runs.
            commands.entity(entity).queue_silenced(|mut entity: EntityWorldMut| {
                if !entity.contains::<LodActor<M>>() {
                    entity.remove::<(Lod<M>, LodHandle<M>)>();
                }
            });
        }
    }
    for entity in without_transform.read() {
        if let Ok((handle, false)) = handles.get(entity)
            && handle.actor.is_some()
        {
            errors.write(LodError::of_module::<M>(entity, LodProblem::NoTransform));
        }
    }
}

pub(crate) fn reconcile<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    mut actors: ActorsQuery<M>,
    entities: EntitiesWith<LodHandle<M>>,
    mut new_actors: Local<Vec<(Entity, bool)>>,
    mut messages: MessageWriter<LodChanged<M>>,
    mut errors: MessageWriter<LodError>,
) {
    let Some(module) = plan.module_id::<M>() else { return };
    let (scene, queue) = (&mut plan.scene, &mut *queue);
    queue.fresh.append(&mut queue.found);
    queue.fresh.retain(|&entity| {
        let Ok(mut actor) = actors.get_mut(entity) else { return entities.contains(entity) };
        if !mem::replace(&mut actor.handle.queued, true) {
            queue.changed.push(entity);
        }
        false
    });
    let mut is_quiet = true;
    queue.changed.retain(|&entity| {
        let Ok(actor) = actors.get_mut(entity) else { return entities.contains(entity) };
        is_quiet = false;
        let restored = actor.lod.and_then(|lod| restore_level(scene, entity, &actor.handle, lod));
        messages.write_batch(restored);
        let problem = sync_entity(scene, entity, &mut actors, &mut new_actors);
        errors.write_batch(problem.map(|problem| LodError::of_module::<M>(entity, problem)));
        false
    });
    queue.layout_version += u64::from(!is_quiet);
    // The remaining entities are disabled, perhaps with duplicates.
    for rest in [&mut queue.fresh, &mut queue.changed] {
        rest.sort_unstable();
        rest.dedup();
    }
    // Actors without their own qualities are spawned as a batch.
    for batch in new_actors.chunk_by(|(_, a), (_, b)| *a && *b) {
        if batch.len() < 2 || !spawn_batch(scene, module, batch, &mut actors) {
            for &(entity, _) in batch {
                let problem = spawn_entity(scene, module, entity, &mut actors).err();
                errors
                    .write_batch(problem.map(|problem| LodError::of_module::<M>(entity, problem)));
            }
        }
    }
    new_actors.clear();
}

/// Applies the components of an entity to its actor, if the entity is still queued. A new actor is added to
/// `new_actors`.
fn sync_entity<M: LodModule>(
    scene: &mut Scene<f32>,
    entity: Entity,
    actors: &mut ActorsQuery<M>,
    new_actors: &mut Vec<(Entity, bool)>,
) -> Option<LodProblem> {
    let mut item = actors.get_mut(entity).ok()?;
    if !mem::take(&mut item.handle.queued) {
        return None;
    }
    let position = item.transform.map(GlobalTransform::translation);
    item.handle.waits = position.is_none();
    let is_new = item.actor.is_changed();
    if let Some(actor) = item.handle.actor {
        let components = actors.get(entity).ok()?.components(entity);
        update(scene, actor, &components, is_new).err().map(LodProblem::Invalid)
    } else if let Some(position) = position {
        new_actors.push((entity, item.actor.qualities().is_empty()));
        (!position.is_finite()).then_some(LodProblem::NotFinite)
    } else {
        Some(LodProblem::NoTransform)
    }
}

/// Spawns an actor for each entity, or none if the scene rejects one of them.
fn spawn_batch<M: LodModule>(
    scene: &mut Scene<f32>,
    module: ModuleId,
    batch: &[(Entity, bool)],
    actors: &mut ActorsQuery<M>,
) -> bool {
    if scene.reserve(module, batch.len()).is_err() {
        return false;
    }
    let items = actors.as_readonly();
    let components =
        |&(entity, _): &(Entity, bool)| Some(items.get_inner(entity).ok()?.components(entity));
    if batch.iter().filter_map(components).any(|components| components.priority().is_err()) {
        return false;
    }
    let batched = batch.iter().filter_map(components).filter_map(|it| it.actor().ok());
    let Ok(spawned) = scene.spawn_many(module, batched) else { return false };
    for (&(entity, _), actor) in batch.iter().zip(spawned.ids()) {
        if let Ok(mut item) = actors.get_mut(entity) {
            item.handle.actor = Some(actor);
        }
    }
    true
}

fn spawn_entity<M: LodModule>(
    scene: &mut Scene<f32>,
    module: ModuleId,
    entity: Entity,
    actors: &mut ActorsQuery<M>,
) -> Result<(), LodProblem> {
    let Ok(item) = actors.get(entity) else { return Ok(()) };
    let actor = spawn(scene, module, &item.components(entity)).map_err(LodProblem::Invalid)?;
    if let Ok(mut item) = actors.get_mut(entity) {
        item.handle.actor = Some(actor);
    }
    Ok(())
}

#[derive(Debug, Clone, Copy)]
struct ActorComponents<'a> {
    /// The bits of its entity.
    key: u64,
    position: [f32; 3],
    radius: f32,
    work: &'a [u32],
    /// Empty for the qualities of the module.
    qualities: &'a [f32],
    forced: Option<scheduler::Lod>,
    range: Option<(u8, u8)>,
    priority: Option<f32>,
    is_hidden: bool,
}

impl<'a> ActorComponents<'a> {
    /// Returns the actor to spawn, without its own qualities.
    fn actor(&self) -> Result<Actor<'a, f32>, SceneError> {
        let mut actor = Actor::at(self.position, self.radius, self.work);
        if let Some((lowest, highest)) = self.range {
            actor = actor.lod_range(lowest..=highest);
        }
        if let Some(lod) = self.forced {
            actor = actor.forced(lod);
        }
        Ok(actor.priority(self.priority()?).visible(!self.is_hidden).key(self.key))
    }

    fn priority(&self) -> Result<Priority, SceneError> {
        Ok(self.priority.map_or(Ok(Priority::ONE), |factor| Priority::new(factor.into()))?)
    }

    fn own_qualities(&self) -> Result<Option<Vec<Quality>>, SceneError> {
        if self.qualities.is_empty() {
            return Ok(None);
        }
        let qualities = self.qualities.iter().map(|&quality| Quality::new(quality.into()));
        Ok(Some(qualities.collect::<Result<_, _>>()?))
    }
}

fn spawn(
    scene: &mut Scene<f32>,
    module: ModuleId,
    components: &ActorComponents<'_>,
) -> Result<ActorId, SceneError> {
    let qualities = components.own_qualities()?;
    let actor = components.actor()?;
    match &qualities {
        Some(qualities) => scene.spawn(module, actor.qualities(qualities)),
        None => scene.spawn(module, actor),
    }
}

/// Updates an actor; `is_new` if its radius, work or qualities may have changed.
///
/// Returns the first rejected value. The actor keeps its previous value of it; radius, work and qualities change
/// together or not at all.
fn update(
    scene: &mut Scene<f32>,
    id: ActorId,
    components: &ActorComponents<'_>,
    is_new: bool,
) -> Result<(), SceneError> {
    let shape = if is_new { set_shape(scene, id, components) } else { Ok(()) };
    let range = set_range(scene, id, components);
    scene.force_lod(id, components.forced)?;
    if scene.is_visible(id) != Some(!components.is_hidden) {
        scene.set_visible(id, !components.is_hidden)?;
    }
    let priority = components.priority().and_then(|priority| scene.set_priority(id, priority));
    shape.and(range).and(priority)
}

/// Sets radius, work and qualities: all of them, or none if one is rejected.
fn set_shape(
    scene: &mut Scene<f32>,
    id: ActorId,
    components: &ActorComponents<'_>,
) -> Result<(), SceneError> {
    let qualities = components.own_qualities()?;
    let (radius, before) = (scene.radius(id), scene.work(id).map(<[u32]>::to_vec));
    let (range, old_qualities) = (scene.lod_range(id), scene.qualities(id));
    scene.set_radius(id, components.radius)?;
    let mut outcome = scene.set_work(id, components.work);
    if outcome.is_ok() && qualities.is_some() {
        outcome = scene.set_qualities(id, qualities.as_deref());
    }
    if outcome.is_err()
        && let (Some(radius), Some(work), Some(range)) = (radius, before, range)
    {
        scene.set_radius(id, radius)?;
        scene.set_work(id, &work)?;
        scene.set_qualities(id, old_qualities.as_deref())?;
        scene.set_lod_range(id, range)?;
    }
    outcome
}

fn set_range(
    scene: &mut Scene<f32>,
    id: ActorId,
    components: &ActorComponents<'_>,
) -> Result<(), SceneError> {
    let levels = scene.work(id).map_or(1, <[u32]>::len);
    let all = (0, u8::try_from(levels.saturating_sub(1)).unwrap_or(u8::MAX));
    let (lowest, highest) = components.range.unwrap_or(all);
    let range = lowest..=highest;
    if scene.lod_range(id).as_ref() == Some(&range) {
        return Ok(());
    }
    scene.set_lod_range(id, range)
}
