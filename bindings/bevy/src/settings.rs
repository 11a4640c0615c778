//! What the whole scene goes by.

use bevy_ecs::change_detection::DetectChanges;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Res, ResMut};
use lodger_scheduler::{Budget, HeadroomTarget, Policy, Scene, Stability};

use crate::plan::LodPlan;

/// What a frame may spend on all actors together. It may change at any time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Resource)]
pub struct LodBudget(pub Budget);

/// How the budget is divided. It may change at any time.
///
/// # Examples
/// ```
/// use bevy_lodger::LodSettings;
/// use bevy_lodger::scheduler::{Policy, Stability};
///
/// let settings = LodSettings {
///     policy: Policy::Optimal,
///     stability: Stability::STEADY,
///     ..LodSettings::default()
/// };
/// assert!(settings.count_unmanaged);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Resource)]
pub struct LodSettings {
    /// See [`Scene::set_policy`].
    pub policy: Policy,
    /// See [`Scene::set_stability`].
    pub stability: Stability,
    /// How many actors a frame may raise above their last level; `None` for all.
    pub max_raises: Option<u32>,
    /// In which part of all frames the work may take more than the budget, once it is measured; see
    /// [`Scene::set_headroom_target`].
    pub headroom: Option<HeadroomTarget>,
    /// See [`Scene::set_trials`].
    pub trials: usize,
    /// Whether modules that are not managed are paid from the budget.
    pub count_unmanaged: bool,
}

impl Default for LodSettings {
    /// Those of a new [`Scene`].
    fn default() -> Self {
        let scene = Scene::<f32>::new(Budget::UNLIMITED);
        Self {
            policy: scene.policy(),
            stability: scene.stability(),
            max_raises: scene.max_raises(),
            headroom: scene.headroom_target(),
            trials: scene.trials(),
            count_unmanaged: scene.counts_unmanaged(),
        }
    }
}

pub(crate) fn sync_settings(
    mut plan: ResMut<LodPlan>,
    budget: Res<LodBudget>,
    settings: Res<LodSettings>,
) {
    let scene = &mut plan.scene;
    if budget.is_changed() {
        scene.set_budget(budget.0);
    }
    if settings.is_changed() {
        scene.set_policy(settings.policy);
        scene.set_stability(settings.stability);
        scene.set_max_raises(settings.max_raises);
        scene.set_headroom_target(settings.headroom);
        scene.set_trials(settings.trials);
        scene.set_count_unmanaged(settings.count_unmanaged);
    }
}
