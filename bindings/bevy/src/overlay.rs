//! Marks of actors, their levels and reasons for an app to draw.

use std::marker::PhantomData;

use bevy_app::{App, Plugin};
use bevy_ecs::prelude::*;
use bevy_transform::components::GlobalTransform;
use lodger_scheduler::Reason;

use crate::apply::apply;
use crate::handle::LodHandle;
use crate::module::LodModule;
use crate::plan::LodPlan;
use crate::settings::{LodSchedule, LodSystems};

/// A sphere around an actor, coloured by its level, and the reason for it.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.add_plugins(LodOverlayPlugin::<Cloth>::default());
/// app.update();
/// let marks = &app.world().resource::<LodOverlay<Cloth>>().marks;
/// // Red is the highest level.
/// let mark: &LodMark = &marks[0];
/// assert_eq!((mark.colour, mark.level, mark.radius), ([1.0, 0.0, 0.0], 2, 1.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct LodMark {
    /// The entity.
    pub entity: Entity,
    /// The centre, in metres.
    pub position: [f32; 3],
    /// The radius of the actor's bounding sphere, in metres.
    pub radius: f32,
    /// Red, green and blue of sRGB, from 0 to 1: from blue at level 0 over green to red at the highest.
    pub colour: [f32; 3],
    /// The level.
    pub level: u8,
    /// The reason for the level; its `Display` is a few words.
    pub reason: Reason,
}

/// The marks of module `M`, updated each frame after [`LodSystems::Apply`] while the overlay is on.
///
/// This crate depends on no render crate. A game draws the marks with Bevy's gizmos:
///
/// ```text
/// fn draw(overlay: Res<LodOverlay<Animation>>, mut gizmos: Gizmos) {
///     for mark in &overlay.marks {
///         let ([r, g, b], place) = (mark.colour, Vec3::from(mark.position));
///         gizmos.sphere(place, mark.radius, Color::srgb(r, g, b));
///         gizmos.text(place, &format!("{}: {}", mark.level, mark.reason), 12.0, Vec2::ZERO, Color::WHITE);
///     }
/// }
/// ```
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.add_plugins(LodOverlayPlugin::<Cloth>::default());
/// app.update();
/// app.world_mut().resource_mut::<LodOverlay<Cloth>>().is_on = false;
/// app.update();
/// assert_eq!(app.world().resource::<LodOverlay<Cloth>>().marks, []);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Resource)]
pub struct LodOverlay<M: LodModule> {
    /// Whether marks are updated, which visits every actor; on by default.
    pub is_on: bool,
    /// A mark for each actor of the last tick; empty while the overlay is off.
    pub marks: Vec<LodMark>,
    module: PhantomData<fn() -> M>,
}

/// Adds and updates [`LodOverlay<M>`].
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.add_plugins(LodOverlayPlugin::<Cloth>::default());
/// app.update();
/// assert_eq!(app.world().resource::<LodOverlay<Cloth>>().marks[0].entity, cape);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LodOverlayPlugin<M: LodModule>(PhantomData<fn() -> M>);

impl<M: LodModule> Default for LodOverlayPlugin<M> {
    fn default() -> Self {
        Self(PhantomData)
    }
}

impl<M: LodModule> Plugin for LodOverlayPlugin<M> {
    /// # Panics
    /// If [`LodgerPlugin`](crate::LodgerPlugin) was not added before.
    fn build(&self, app: &mut App) {
        let schedule = LodSchedule::of(app);
        app.insert_resource(LodOverlay::<M> {
            is_on: true,
            marks: Vec::new(),
            module: PhantomData,
        });
        app.add_systems(schedule, mark::<M>.in_set(LodSystems::Apply).after(apply::<M>));
    }
}

fn mark<M: LodModule>(
    plan: Res<LodPlan>,
    mut overlay: ResMut<LodOverlay<M>>,
    actors: Query<(Entity, &LodHandle<M>, &GlobalTransform)>,
) {
    overlay.marks.clear();
    if !overlay.is_on {
        return;
    }
    let marks = actors.iter().filter_map(|(entity, handle, transform)| {
        let decided = plan.actor(handle)?;
        let levels = plan.scene().work(decided.actor)?.len();
        Some(LodMark {
            entity,
            position: transform.translation().to_array(),
            radius: plan.scene().radius(decided.actor)?,
            colour: colour(decided.lod.to_f64(), levels),
            level: decided.lod.level(),
            reason: decided.reason,
        })
    });
    overlay.marks.extend(marks);
}

#[allow(clippy::cast_possible_truncation, clippy::cast_precision_loss)] // at most 256 levels
fn colour(lod: f64, levels: usize) -> [f32; 3] {
    let highest = levels.saturating_sub(1).max(1) as f64;
    let part = (lod / highest).clamp(0.0, 1.0) as f32;
    if part < 0.5 {
        [0.0, 2.0 * part, 1.0 - 2.0 * part]
    } else {
        [2.0 * part - 1.0, 2.0 - 2.0 * part, 0.0]
    }
}
