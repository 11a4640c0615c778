//! A component for each level.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bevy_app::{App, Plugin};
use bevy_ecs::change_detection::{DetectChanges, Ref};
use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::message::MessageReader;
use bevy_ecs::query::Allow;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::IntoScheduleConfigs;
use bevy_ecs::system::{Commands, Query, Res, ResMut};
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;

use crate::apply;
use crate::changed::LodChanged;
use crate::handle::LodHandle;
use crate::kind::LodModule;
use crate::living::{self, Living};
use crate::lod::Lod;
use crate::plan::LodPlan;
use crate::sets::{LodSchedule, LodSystems};

/// Gives an actor of module `M` another component `C` at each level: a mesh, a material, a collider, a
/// marker. It needs a [`LodSwapPlugin`] for `M` and `C`.
///
/// `C` is inserted when the scene first decides, when this is inserted later than that, and whenever another
/// level asks for another place of the table; else it is not touched. Levels beyond the table have its last
/// place. When this is removed `C` stays as it is.
///
/// # Examples
/// ```
/// use bevy_ecs::component::Component;
/// use bevy_lodger::LodSwap;
/// use bevy_reflect::TypePath;
///
/// #[derive(TypePath)]
/// struct Crowd;
///
/// #[derive(Component, Clone)]
/// struct Mesh(&'static str);
///
/// #[derive(Component, Clone)]
/// struct Ragdoll;
///
/// let meshes = LodSwap::<Crowd, _>::new([Mesh("card"), Mesh("low"), Mesh("high")]);
/// // A marker at level 2 alone; below it is taken away.
/// let ragdoll = LodSwap::<Crowd, _>::some([None, None, Some(Ragdoll)]);
/// # let _ = (meshes, ragdoll);
/// ```
#[derive(Component, Reflect)]
#[component(immutable, on_insert)]
#[reflect(opaque)]
#[reflect(Component, Clone)]
pub struct LodSwap<M: LodModule, C: Component + Clone> {
    table: Arc<[Option<C>]>,
    module: PhantomData<fn() -> M>,
}

impl<M: LodModule, C: Component + Clone> Clone for LodSwap<M, C> {
    /// The table is shared.
    fn clone(&self) -> Self {
        Self { table: Arc::clone(&self.table), module: PhantomData }
    }
}

impl<M: LodModule, C: Component + Clone> fmt::Debug for LodSwap<M, C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LodSwap").field("levels", &self.table.len()).finish_non_exhaustive()
    }
}

impl<M: LodModule, C: Component + Clone> LodSwap<M, C> {
    /// The component at levels 0, 1, 2 and so on. With an empty table nothing is ever swapped.
    pub fn new(levels: impl IntoIterator<Item = C>) -> Self {
        Self::some(levels.into_iter().map(Some))
    }

    /// The component at levels 0, 1, 2 and so on; `None` where the entity shall not have it.
    pub fn some(levels: impl IntoIterator<Item = Option<C>>) -> Self {
        Self { table: levels.into_iter().collect(), module: PhantomData }
    }

    /// The place of a level in the table; `None` if that is empty.
    fn place(&self, level: u8) -> Option<usize> {
        Some(usize::from(level).min(self.table.len().checked_sub(1)?))
    }

    fn on_insert(mut world: DeferredWorld<'_>, context: HookContext) {
        if let Some(mut queue) = world.get_resource_mut::<Swaps<M, C>>() {
            queue.given.push(context.entity);
        }
    }
}

/// Entities that were given a table since the last frame.
#[derive(Resource)]
struct Swaps<M: LodModule, C: Component + Clone> {
    given: Vec<Entity>,
    table: PhantomData<fn() -> (M, C)>,
}

/// Swaps components `C` by the level in module `M`; see [`LodSwap`].
pub struct LodSwapPlugin<M: LodModule, C: Component + Clone>(PhantomData<fn() -> (M, C)>);

impl<M: LodModule, C: Component + Clone> Default for LodSwapPlugin<M, C> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<M: LodModule, C: Component + Clone> Plugin for LodSwapPlugin<M, C> {
    /// # Panics
    /// If [`LodgerPlugin`](crate::LodgerPlugin) was not added before.
    fn build(&self, app: &mut App) {
        let schedule = LodSchedule::of(app);
        let world = app.world_mut();
        let given = living::all::<LodSwap<M, C>>(world);
        world.insert_resource(Swaps::<M, C> { given, table: PhantomData });
        app.add_message::<LodChanged<M>>();
        app.add_systems(schedule, swap::<M, C>.in_set(LodSystems::Apply).after(apply::apply::<M>));
    }
}

fn swap<M: LodModule, C: Component + Clone>(
    plan: Res<LodPlan>,
    mut queue: ResMut<Swaps<M, C>>,
    mut changes: MessageReader<LodChanged<M>>,
    swaps: Query<(Ref<LodSwap<M, C>>, &LodHandle<M>, &Lod<M>), Allow<Disabled>>,
    living: Living<LodSwap<M, C>>,
    handles: Living<LodHandle<M>>,
    mut commands: Commands,
) {
    let mut put = |entity: Entity, component: &Option<C>| match component {
        Some(component) => {
            commands.entity(entity).try_insert(component.clone());
        }
        None => {
            commands.entity(entity).try_remove::<C>();
        }
    };
    queue.given.retain(|&entity| {
        let Ok((swap, handle, lod)) = swaps.get(entity) else {
            return living.has(entity) && handles.has(entity);
        };
        let was_decided = handle.actor().is_some_and(|actor| plan.plan().lod(actor).is_some());
        if let (true, Some(place)) = (was_decided, swap.place(lod.level())) {
            put(entity, &swap.table[place]);
        }
        false
    });
    for change in changes.read() {
        let Ok((swap, ..)) = swaps.get(change.entity) else { continue };
        if swap.is_changed() {
            continue; // it was given above
        }
        let before = change.from.and_then(|level| swap.place(level));
        let now = swap.place(change.to);
        if let (true, Some(place)) = (before != now, now) {
            put(change.entity, &swap.table[place]);
        }
    }
}
