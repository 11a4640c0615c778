//! Where the scene is seen from.

use bevy_ecs::component::Component;
use bevy_ecs::entity::Entity;
use bevy_ecs::message::MessageWriter;
use bevy_ecs::query::With;
use bevy_ecs::reflect::ReflectComponent;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Query, ResMut};
use bevy_reflect::Reflect;
use bevy_reflect::std_traits::ReflectDefault;
use bevy_transform::components::GlobalTransform;
use lodger_scheduler::{Scene, SceneError, View, ViewId};

use crate::error::{LodError, LodProblem};
use crate::plan::LodPlan;

/// Marks a camera: benefits are computed for who looks from its `GlobalTransform`. Several may; an actor
/// matters as much as it does to the nearest. A camera that is off should not have it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Component, Reflect)]
#[reflect(Component, Default, Debug, PartialEq, Clone)]
pub struct LodView;

/// The views that the scene has, in no order.
#[derive(Debug, Default, Resource)]
pub(crate) struct LodViews(Vec<Seer>);

#[derive(Debug)]
struct Seer {
    entity: Entity,
    /// `None` while it never was at a sound place.
    id: Option<ViewId>,
    /// What was reported last, so that it is reported once.
    problem: Option<LodProblem>,
    is_here: bool,
}

/// Views are few, so all are looked at: whoever is not found any more is gone, whatever happened to it.
pub(crate) fn sync_views(
    mut plan: ResMut<LodPlan>,
    mut views: ResMut<LodViews>,
    cameras: Query<(Entity, Option<&GlobalTransform>), With<LodView>>,
    mut errors: MessageWriter<LodError>,
) {
    let (scene, seers) = (&mut plan.scene, &mut views.0);
    for seer in seers.iter_mut() {
        seer.is_here = false;
    }
    for (entity, transform) in &cameras {
        let index = seers.iter().position(|seer| seer.entity == entity);
        let index = index.unwrap_or_else(|| {
            seers.push(Seer { entity, id: None, problem: None, is_here: true });
            seers.len() - 1
        });
        let seer = &mut seers[index];
        seer.is_here = true;
        let problem = look(scene, &mut seer.id, transform).err();
        if problem != seer.problem {
            seer.problem = problem;
            if let Some(problem) = problem {
                errors.write(LodError { entity: Some(entity), module: "", problem });
            }
        }
    }
    seers.retain(|seer| {
        if let (false, Some(id)) = (seer.is_here, seer.id) {
            // It is in the scene: only this list adds and removes views.
            let removed = scene.remove_view(id);
            debug_assert_eq!(removed, Ok(()));
        }
        seer.is_here
    });
}

fn look(
    scene: &mut Scene<f32>,
    id: &mut Option<ViewId>,
    transform: Option<&GlobalTransform>,
) -> Result<(), LodProblem> {
    let place = transform.ok_or(LodProblem::NoTransform)?.translation();
    let view = View::eye(place.to_array()).map_err(|_| LodProblem::NotFinite)?;
    let refused = |error: SceneError| LodProblem::Refused(error);
    if let Some(id) = *id {
        scene.set_view(id, view).map_err(refused)
    } else {
        *id = Some(scene.add_view(view).map_err(refused)?);
        Ok(())
    }
}
