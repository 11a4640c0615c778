//! Budget and settings as resources, and the system sets.

use bevy_app::App;
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::InternedScheduleLabel;
use lodger_scheduler::{Budget, HeadroomTarget, Hysteresis, Policy, Scene};

use crate::module::{LodError, LodProblem};
use crate::plan::LodPlan;

/// The budget of a frame for all actors together. It may change at any time.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.world_mut().resource_mut::<LodBudget>().0 = scheduler::Budget::from_ms(0.5)?;
/// app.update();
/// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Resource)]
pub struct LodBudget(pub Budget);

/// Settings of the scene. They may change at any time.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use scheduler::{Hysteresis, Policy};
/// app.insert_resource(LodSettings {
///     policy: Policy::Optimal,
///     hysteresis: Hysteresis::TYPICAL,
///     ..LodSettings::default()
/// });
/// app.update();
/// assert_eq!(app.world().resource::<LodPlan>().plan().policy(), Policy::Optimal);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Resource)]
pub struct LodSettings {
    /// See [`Scene::set_policy`].
    pub policy: Policy,
    /// See [`Scene::set_hysteresis`].
    pub hysteresis: Hysteresis,
    /// See [`Scene::set_max_upgrades`].
    pub max_upgrades: Option<u32>,
    /// See [`Scene::set_headroom_target`].
    pub headroom: Option<HeadroomTarget>,
    /// See [`Scene::set_search_moves`].
    pub search_moves: usize,
    /// See [`Scene::set_unmanaged_in_budget`].
    pub unmanaged_in_budget: bool,
}

impl Default for LodSettings {
    fn default() -> Self {
        let scene = Scene::<f32>::new(Budget::UNLIMITED);
        Self {
            policy: scene.policy(),
            hysteresis: scene.hysteresis(),
            max_upgrades: scene.max_upgrades(),
            headroom: scene.headroom_target(),
            search_moves: scene.search_moves(),
            unmanaged_in_budget: scene.is_unmanaged_in_budget(),
        }
    }
}

pub(crate) fn sync_settings(
    mut plan: ResMut<LodPlan>,
    budget: Res<LodBudget>,
    settings: Res<LodSettings>,
    mut errors: MessageWriter<LodError>,
) {
    let scene = &mut plan.scene;
    if budget.is_changed() {
        scene.set_budget(budget.0);
    }
    if settings.is_changed() {
        if let Err(error) = scene.set_policy(settings.policy) {
            errors.write(LodError::of_scene(LodProblem::Invalid(error)));
        }
        scene.set_hysteresis(settings.hysteresis);
        scene.set_max_upgrades(settings.max_upgrades);
        scene.set_headroom_target(settings.headroom);
        scene.set_search_moves(settings.search_moves);
        scene.set_unmanaged_in_budget(settings.unmanaged_in_budget);
    }
}

/// The system sets of a frame, in this order, in the schedule of [`LodgerPlugin`](crate::LodgerPlugin).
///
/// Sets may have run conditions. If `Decide` does not run, `Apply` writes nothing. If `Apply` missed decisions, its next
/// run compares all levels with the plan.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use bevy_app::PostUpdate;
/// // A system that reads the levels of this frame.
/// let check = move |lods: Query<&Lod<Cloth>>| assert_eq!(lods.get(cape).unwrap().level(), 2);
/// app.add_systems(PostUpdate, check.after(LodSystems::Apply));
/// app.update();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub enum LodSystems {
    /// Applies the world to the scene: actors, positions, cameras, measured times.
    Sync,
    /// Ticks the scene.
    Decide,
    /// Writes changed levels to the world: [`Lod`](crate::Lod), [`LodChanged`](crate::LodChanged),
    /// [`LodSwap`](crate::LodSwap).
    Apply,
}

/// The sync of one module, by the number of modules when it was added, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub(crate) struct LodTurn(pub(crate) usize);

impl LodTurn {
    /// Returns the sync of the module that was added before this one.
    pub(crate) fn before(self) -> Option<Self> {
        self.0.checked_sub(1).filter(|&turn| turn > 0).map(Self)
    }
}

#[derive(Debug, Clone, Copy, Resource)]
pub(crate) struct LodSchedule(pub(crate) InternedScheduleLabel);

impl LodSchedule {
    /// # Panics
    /// If [`LodgerPlugin`](crate::LodgerPlugin) was not added.
    pub(crate) fn of(app: &App) -> InternedScheduleLabel {
        let schedule = app.world().get_resource::<Self>();
        schedule.expect("LodgerPlugin must be added before the plugins of its modules").0
    }
}
