//! Positions of actors and of cameras.

use bevy_ecs::change_detection::Tick;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::GlobalTransform;
use lodger_scheduler::lodger_core::ValueError;
use lodger_scheduler::{ActorId, Scene, SceneError, View, ViewId};

use crate::components::LodActor;
use crate::handle::{LodHandle, LodQueue};
use crate::module::{LodError, LodModule, LodProblem};
use crate::plan::LodPlan;

/// The number of rows that are tested together for a change.
const BLOCK_ROWS: usize = 64;

/// Entities with their transforms. `Has<Disabled>` includes disabled entities.
type Transforms<'w, 's, M> = Query<
    'w,
    's,
    (Entity, &'static LodHandle<M>, Ref<'static, GlobalTransform>, Has<Disabled>),
    With<LodActor<M>>,
>;

/// Moves the actors whose transforms were changed since the last frame.
///
/// An unchanged world costs a comparison of the change tick of each transform. If half of the module moves, positions
/// are written as columns.
pub(crate) fn sync_transforms<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut queue: ResMut<LodQueue<M>>,
    actors: Transforms<M>,
    mut rows: Local<RowIndex>,
    mut errors: MessageWriter<LodError>,
) -> Result {
    let Some(module) = plan.module_id::<M>() else { return Ok(()) };
    let moved = count_changed(&actors);
    if moved == 0 {
        return Ok(());
    }
    let scene = &mut plan.scene;
    let mut report = |entity, problem| {
        errors.write(LodError::of_module::<M>(entity, problem));
    };
    if moved < scene.module_len(module).unwrap_or(0).div_ceil(2) {
        for_each_moved(&actors, &mut queue.found, |entity, actor, place| match place {
            Some(place) => {
                if let Err(error) = scene.set_position(actor, place) {
                    report(entity, LodProblem::Invalid(error));
                }
            }
            None => report(entity, LodProblem::NotFinite),
        });
        return Ok(());
    }
    let columns = scene.positions_mut(module, ..)?;
    rows.update(queue.layout_version, columns.slots);
    for_each_moved(&actors, &mut queue.found, |entity, actor, place| {
        let Some([x, y, z]) = place else { return report(entity, LodProblem::NotFinite) };
        let row = rows.row_of(actor);
        (columns.x[row], columns.y[row], columns.z[row]) = (x, y, z);
    });
    Ok(())
}

fn count_changed<M: LodModule>(actors: &Transforms<M>) -> usize {
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

/// Calls `moved` for each moved actor, with its position if that is finite. Entities that waited for a transform are
/// added to `waiting`.
fn for_each_moved<M: LodModule>(
    actors: &Transforms<M>,
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
    // A disabling component in a sparse set excludes contiguous iteration.
    let Ok(tables) = actors.contiguous_iter() else {
        let changed = actors.iter().filter(|(_, _, transform, _)| transform.is_changed());
        return changed.for_each(|(entity, handle, at, _)| found(entity, handle, &at));
    };
    for (entities, handles, transforms, _) in tables {
        let (transforms, ticks) = ContiguousRef::split(transforms);
        let (last_run, this_run) = (ticks.last_run(), ticks.this_run());
        let has_changed = |tick: &Tick| tick.is_newer_than(last_run, this_run);
        let groups = ticks.changed().chunks(BLOCK_ROWS).zip(transforms.chunks(BLOCK_ROWS));
        let groups = groups.zip(handles.chunks(BLOCK_ROWS)).zip(entities.chunks(BLOCK_ROWS));
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

/// The row of each of a module's actors in the module's columns, by slot.
#[derive(Debug, Default)]
pub(crate) struct RowIndex {
    by_slot: Vec<u32>,
    /// The [layout](LodQueue::layout_version) that the rows belong to.
    layout_version: Option<u64>,
}

impl RowIndex {
    fn update(&mut self, layout_version: u64, slots: &[u32]) {
        if self.layout_version.replace(layout_version) == Some(layout_version) {
            return;
        }
        let end = slots.iter().max().map_or(0, |&slot| slot as usize + 1);
        if self.by_slot.len() < end {
            self.by_slot.resize(end, 0);
        }
        for (&slot, row) in slots.iter().zip(0..) {
            self.by_slot[slot as usize] = row;
        }
    }

    fn row_of(&self, actor: ActorId) -> usize {
        self.by_slot[actor.slot() as usize] as usize
    }
}

/// Marks a camera: benefits are computed from its `GlobalTransform`. If there are several, the nearest one counts.
/// Remove it from a camera that is switched off.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use bevy_transform::components::Transform;
/// app.world_mut().spawn((Transform::from_xyz(2.0, 0.0, 5.0), LodView));
/// app.update();
/// assert_eq!(app.world().resource::<LodPlan>().scene().views().count(), 2);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Component, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct LodView;

/// The perspective of a camera with [`LodView`], which gives the view a zoom, a frustum, or both. Without it a view is the
/// position of the camera.
///
/// In an app with cameras, `LodProjection::new(projection.get_clip_from_view().to_cols_array_2d())` reads the `Projection` of
/// a `Camera3d`. Insert it again when the projection changes. An orthographic projection is rejected with a
/// [`LodError`](crate::LodError), and the view keeps its last state.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use bevy_transform::components::Transform;
/// // 30° from the lower to the upper side, with Bevy's infinite depth; zoom 1 is 60°.
/// let scale = 1.0 / f32::tan(15_f32.to_radians());
/// let clip_from_view =
///     [[scale, 0.0, 0.0, 0.0], [0.0, scale, 0.0, 0.0], [0.0, 0.0, 0.0, -1.0], [0.0, 0.0, 0.1, 0.0]];
/// let scope = LodProjection::new(clip_from_view).with_reference_fov(60.0).with_frustum();
/// app.world_mut().spawn((Transform::default(), LodView, scope));
/// app.update();
/// let plan = app.world().resource::<LodPlan>();
/// assert!(plan.scene().views().any(|(_, view)| view.has_frustum() && view.zoom_factor() > 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Component, Reflect)]
#[reflect(Component, Debug, PartialEq, Clone)]
pub struct LodProjection {
    /// The projection matrix, in columns.
    pub clip_from_view: [[f32; 4]; 4],
    /// The vertical field of view of zoom 1, in degrees; `None` for zoom 1 in any case.
    pub reference_fov: Option<f32>,
    /// The margin of the frustum, in degrees; `None` for no frustum. See [`View::frustum_with_margin`].
    pub margin: Option<f32>,
}

impl LodProjection {
    /// Takes a projection matrix in columns; it changes nothing without a reference or a frustum.
    ///
    /// ```
    /// # use bevy_lodger::LodProjection;
    /// assert_eq!(LodProjection::new([[0.0; 4]; 4]).margin, None);
    /// ```
    #[must_use]
    pub const fn new(clip_from_view: [[f32; 4]; 4]) -> Self {
        Self { clip_from_view, reference_fov: None, margin: None }
    }

    /// Takes the zoom from the projection: 1 if its vertical field of view is `degrees`, more if it is narrower.
    ///
    /// ```
    /// # use bevy_lodger::LodProjection;
    /// assert_eq!(LodProjection::new([[0.0; 4]; 4]).with_reference_fov(60.0).reference_fov, Some(60.0));
    /// ```
    #[must_use]
    pub const fn with_reference_fov(self, degrees: f32) -> Self {
        Self { reference_fov: Some(degrees), ..self }
    }

    /// Tests the sides of the projection with the usual margin of 2°. Outside of them, the benefit of an actor is multiplied
    /// by [`Module::outside`](lodger_scheduler::Module::outside).
    ///
    /// ```
    /// # use bevy_lodger::LodProjection;
    /// assert_eq!(LodProjection::new([[0.0; 4]; 4]).with_frustum().margin, Some(2.0));
    /// ```
    #[must_use]
    pub const fn with_frustum(self) -> Self {
        Self { margin: Some(2.0), ..self }
    }

    fn view(&self, camera: &GlobalTransform) -> Result<View<f32>, ValueError> {
        let view_from_world = camera.to_matrix().inverse().to_cols_array_2d();
        let mut view = View::from_matrices(view_from_world, self.clip_from_view)?;
        if let Some(degrees) = self.reference_fov {
            view = view.reference_fov(degrees.into())?;
        }
        if let Some(degrees) = self.margin {
            view = view.frustum_with_margin(degrees.into())?;
        }
        view.moved_to(camera.translation().to_array())
    }
}

/// The views of the scene, in no order.
#[derive(Debug, Default, Resource)]
pub(crate) struct LodViews(Vec<ViewState>);

#[derive(Debug)]
struct ViewState {
    entity: Entity,
    /// `None` until the camera has a valid position.
    id: Option<ViewId>,
    /// The last reported problem; each is reported once.
    problem: Option<LodProblem>,
    is_present: bool,
}

/// Compares all cameras with the views of the scene, which are few.
pub(crate) fn sync_views(
    mut plan: ResMut<LodPlan>,
    mut views: ResMut<LodViews>,
    cameras: Query<(Entity, Option<&GlobalTransform>, Option<&LodProjection>), With<LodView>>,
    mut errors: MessageWriter<LodError>,
) {
    let (scene, states) = (&mut plan.scene, &mut views.0);
    for state in states.iter_mut() {
        state.is_present = false;
    }
    for (entity, transform, projection) in &cameras {
        let index = states.iter().position(|state| state.entity == entity);
        let index = index.unwrap_or_else(|| {
            states.push(ViewState { entity, id: None, problem: None, is_present: true });
            states.len() - 1
        });
        let state = &mut states[index];
        state.is_present = true;
        let problem = set_view(scene, &mut state.id, transform, projection).err();
        if problem != state.problem {
            state.problem.clone_from(&problem);
            if let Some(problem) = problem {
                errors.write(LodError { entity: Some(entity), module: "", problem });
            }
        }
    }
    states.retain(|state| {
        if let (false, Some(id)) = (state.is_present, state.id) {
            // Only this list adds and removes views.
            let removed = scene.remove_view(id);
            debug_assert_eq!(removed, Ok(()));
        }
        state.is_present
    });
}

fn set_view(
    scene: &mut Scene<f32>,
    id: &mut Option<ViewId>,
    transform: Option<&GlobalTransform>,
    projection: Option<&LodProjection>,
) -> Result<(), LodProblem> {
    let transform = transform.ok_or(LodProblem::NoTransform)?;
    let position = transform.translation().to_array();
    let mut view = View::from_position(position).map_err(|_| LodProblem::NotFinite)?;
    let invalid = |error: SceneError| LodProblem::Invalid(error);
    if let Some(projection) = projection {
        view = projection.view(transform).map_err(|error| invalid(error.into()))?;
    }
    if let Some(id) = *id {
        scene.set_view(id, view).map_err(invalid)
    } else {
        *id = Some(scene.add_view(view).map_err(invalid)?);
        Ok(())
    }
}
