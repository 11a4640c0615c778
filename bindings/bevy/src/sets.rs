//! When things happen.

use bevy_app::App;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{InternedScheduleLabel, SystemSet};

/// What happens in a frame, in this order, in the schedule of [`LodgerPlugin`](crate::LodgerPlugin): by
/// default [`PostUpdate`](bevy_app::PostUpdate), after transforms are propagated.
///
/// Sets may have run conditions. While `Decide` rests nothing is applied again; when `Apply` runs again after
/// it missed decisions, all levels are compared with the plan. An actor of which something is said again has
/// its level compared in `Sync`, whether `Apply` rests or not.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub enum LodSystems {
    /// The scene hears what the world says: who came, went and moved, where the cameras are, what the
    /// modules took.
    Sync,
    /// The scene decides.
    Decide,
    /// The world hears what changed: [`Lod`](crate::Lod), [`LodChanged`](crate::LodChanged),
    /// [`LodSwap`](crate::LodSwap).
    Apply,
}

/// The sync of one module, by how many there were when it was added, itself included.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, SystemSet)]
pub(crate) struct LodTurn(pub(crate) usize);

impl LodTurn {
    /// That of the module that was added before it.
    pub(crate) fn before(self) -> Option<Self> {
        self.0.checked_sub(1).filter(|&turn| turn > 0).map(Self)
    }
}

/// The schedule in which all of this happens.
#[derive(Debug, Clone, Copy, Resource)]
pub(crate) struct LodSchedule(pub(crate) InternedScheduleLabel);

impl LodSchedule {
    /// # Panics
    /// If [`LodgerPlugin`](crate::LodgerPlugin) was not added.
    pub(crate) fn of(app: &App) -> InternedScheduleLabel {
        let schedule = app.world().get_resource::<Self>();
        schedule.expect("LodgerPlugin is to be added before plugins that belong to it").0
    }
}
