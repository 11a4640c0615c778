//! Swaps a component with the level.

use std::fmt;
use std::marker::PhantomData;
use std::sync::Arc;

use bevy_app::{App, Plugin};
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::lifecycle::HookContext;
use bevy_ecs::prelude::*;
use bevy_ecs::world::DeferredWorld;
use bevy_reflect::Reflect;

use crate::apply;
use crate::components::{Lod, LodChanged};
use crate::handle::{self, EntitiesWith, LodHandle};
use crate::module::LodModule;
use crate::plan::LodPlan;
use crate::settings::{LodSchedule, LodSystems};

/// A component `C` for each level of an actor of module `M`: a mesh, a material, a collider, a marker. It needs a
/// [`LodSwapPlugin`] for `M` and `C`.
///
/// `C` is inserted at the first decision, when the table is inserted, and when the level selects another entry. Levels
/// beyond the table use its last entry. Removing the table keeps `C`.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// #[derive(Component, Clone, Debug, PartialEq)]
/// struct Mesh(&'static str);
///
/// app.add_plugins(LodSwapPlugin::<Cloth, Mesh>::default());
/// let meshes = LodSwap::<Cloth, _>::new([Mesh("card"), Mesh("low"), Mesh("high")]);
/// app.world_mut().entity_mut(cape).insert(meshes);
/// app.update();
/// assert_eq!(app.world().get::<Mesh>(cape), Some(&Mesh("high")));
/// # Ok::<(), Box<dyn std::error::Error>>(())
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
    /// Creates a table of a component for each level, from level 0 on. An empty table swaps nothing.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # #[derive(Component, Clone, Debug, PartialEq)] struct Mesh(&'static str);
    /// # app.add_plugins(LodSwapPlugin::<Cloth, Mesh>::default());
    /// let meshes = LodSwap::<Cloth, _>::new([Mesh("card"), Mesh("low"), Mesh("high")]);
    /// app.world_mut().entity_mut(cape).insert((meshes, LodRange::<Cloth>::new(0, 1)));
    /// app.update();
    /// assert_eq!(app.world().get::<Mesh>(cape), Some(&Mesh("low")));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn new(levels: impl IntoIterator<Item = C>) -> Self {
        Self::some(levels.into_iter().map(Some))
    }

    /// Creates a table in which `None` removes the component.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # #[derive(Component, Clone, Debug, PartialEq)] struct Ragdoll;
    /// # app.add_plugins(LodSwapPlugin::<Cloth, Ragdoll>::default());
    /// let ragdoll = LodSwap::<Cloth, _>::some([None, None, Some(Ragdoll)]);
    /// app.world_mut().entity_mut(cape).insert(ragdoll);
    /// app.update();
    /// assert!(app.world().entity(cape).contains::<Ragdoll>());
    /// app.world_mut().entity_mut(cape).insert(ForcedLod::<Cloth>::new(1));
    /// app.update();
    /// assert!(!app.world().entity(cape).contains::<Ragdoll>());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn some(levels: impl IntoIterator<Item = Option<C>>) -> Self {
        Self { table: levels.into_iter().collect(), module: PhantomData }
    }

    /// Returns the entry of a level; `None` if the table is empty.
    fn entry(&self, level: u8) -> Option<usize> {
        Some(usize::from(level).min(self.table.len().checked_sub(1)?))
    }

    fn on_insert(mut world: DeferredWorld<'_>, context: HookContext) {
        if let Some(mut queue) = world.get_resource_mut::<Swaps<M, C>>() {
            queue.inserted.push(context.entity);
        }
    }
}

#[derive(Resource)]
struct Swaps<M: LodModule, C: Component + Clone> {
    inserted: Vec<Entity>,
    table: PhantomData<fn() -> (M, C)>,
}

/// Swaps components `C` by the level in module `M`; see [`LodSwap`].
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # #[derive(Component, Clone, Debug, PartialEq)] struct Bones(u8);
/// app.add_plugins(LodSwapPlugin::<Cloth, Bones>::default());
/// app.world_mut().entity_mut(cape).insert(LodSwap::<Cloth, _>::new([Bones(8), Bones(64)]));
/// app.update();
/// // Level 2 uses the last entry.
/// assert_eq!(app.world().get::<Bones>(cape), Some(&Bones(64)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
        let inserted = handle::entities_with::<LodSwap<M, C>>(world);
        world.insert_resource(Swaps::<M, C> { inserted, table: PhantomData });
        app.add_message::<LodChanged<M>>();
        app.add_systems(schedule, swap::<M, C>.in_set(LodSystems::Apply).after(apply::apply::<M>));
    }
}

fn swap<M: LodModule, C: Component + Clone>(
    plan: Res<LodPlan>,
    mut queue: ResMut<Swaps<M, C>>,
    mut changes: MessageReader<LodChanged<M>>,
    swaps: Query<(Ref<LodSwap<M, C>>, &LodHandle<M>, &Lod<M>), Allow<Disabled>>,
    entities: EntitiesWith<LodSwap<M, C>>,
    handles: EntitiesWith<LodHandle<M>>,
    mut commands: Commands,
) {
    let mut set = |entity: Entity, component: &Option<C>| match component {
        Some(component) => {
            commands.entity(entity).try_insert(component.clone());
        }
        None => {
            commands.entity(entity).try_remove::<C>();
        }
    };
    queue.inserted.retain(|&entity| {
        let Ok((swap, handle, lod)) = swaps.get(entity) else {
            return entities.contains(entity) && handles.contains(entity);
        };
        let was_decided = handle.actor().is_some_and(|actor| plan.plan().lod(actor).is_some());
        if let (true, Some(entry)) = (was_decided, swap.entry(lod.level())) {
            set(entity, &swap.table[entry]);
        }
        false
    });
    for change in changes.read() {
        let Ok((swap, ..)) = swaps.get(change.entity) else { continue };
        if swap.is_changed() {
            continue; // handled above
        }
        let before = change.from.and_then(|level| swap.entry(level));
        let now = swap.entry(change.to);
        if let (true, Some(entry)) = (before != now, now) {
            set(change.entity, &swap.table[entry]);
        }
    }
}
