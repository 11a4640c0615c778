//! When things happen.

use bevy_app::App;
use bevy_ecs::resource::Resource;
use bevy_ecs::schedule::{InternedScheduleLabel, SystemSet};

/// What happens in a frame, in this order, in the schedule of [`LodgerPlugin`](crate::LodgerPlugin): by
/// default [`PostUpdate`](bevy_app::PostUpdate), after transforms are propagated.
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
