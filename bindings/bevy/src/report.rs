//! The plan by entity.

use bevy_ecs::entity::Entity;
use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::query::Allow;
use bevy_ecs::system::{Query, Res, SystemParam};
use lodger_scheduler::{ActorPlan, ModulePlan, Reason};

use crate::handle::LodHandle;
use crate::kind::LodModule;
use crate::plan::LodPlan;

/// What was decided for the entities of a module.
#[derive(Debug, SystemParam)]
pub struct LodReport<'w, 's, M: LodModule> {
    plan: Res<'w, LodPlan>,
    handles: Query<'w, 's, &'static LodHandle<M>, Allow<Disabled>>,
}

impl<M: LodModule> LodReport<'_, '_, M> {
    /// All that was decided for an entity; `None` if it is no actor of the module, or before its first
    /// tick.
    #[must_use]
    pub fn actor(&self, entity: Entity) -> Option<ActorPlan> {
        self.plan.actor(self.handles.get(entity).ok()?)
    }

    /// Why an entity has its level.
    #[must_use]
    pub fn why(&self, entity: Entity) -> Option<Reason> {
        self.actor(entity).map(|plan| plan.reason)
    }

    /// What was decided for the module; `None` before the first tick. This adds up over its actors.
    #[must_use]
    pub fn module(&self) -> Option<ModulePlan<'_>> {
        self.plan.module::<M>()
    }
}
