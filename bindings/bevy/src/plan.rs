//! The scene with its last plan, by handle and by entity.

use std::any::TypeId;
use std::fmt;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use lodger_scheduler::{
    ActorId, ActorPlan, BenefitRule, BenefitValue, Budget, ModuleId, ModulePlan, Plan, Reason,
    Scene, SceneError, UnitCost,
};

use crate::handle::LodHandle;
use crate::module::LodModule;

/// The scene, and the plan of the last [`LodSystems::Decide`](crate::LodSystems::Decide).
///
/// Look up an actor by its [`LodHandle`], or by entity through [`LodReport`]. An actor's key is the bits of its
/// entity.
#[derive(Resource)]
pub struct LodPlan {
    pub(crate) scene: Scene<f32>,
    modules: Vec<(TypeId, ModuleId)>,
    ticks: u64,
}

impl fmt::Debug for LodPlan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("LodPlan").field("actors", &self.scene.len()).finish_non_exhaustive()
    }
}

impl LodPlan {
    pub(crate) fn empty() -> Self {
        let mut scene = Scene::new(Budget::UNLIMITED);
        scene.track_changes(true);
        Self { scene, modules: Vec::new(), ticks: 0 }
    }

    /// The plan of the last tick.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        self.scene.plan()
    }

    /// The scene, with the inputs of the next tick.
    #[must_use]
    pub fn scene(&self) -> &Scene<f32> {
        &self.scene
    }

    /// The plan of an actor; `None` before its first tick.
    #[must_use]
    pub fn actor<M: LodModule>(&self, handle: &LodHandle<M>) -> Option<ActorPlan> {
        handle.actor.and_then(|actor: ActorId| self.plan().actor(actor))
    }

    /// The plan of a module; `None` if it was not added, or before the first tick. This sums over the module's
    /// actors.
    #[must_use]
    pub fn module<M: LodModule>(&self) -> Option<ModulePlan<'_>> {
        self.plan().module(self.module_id::<M>()?)
    }

    /// The handle of a module in the scene; `None` if it was not added.
    #[must_use]
    pub fn module_id<M: LodModule>(&self) -> Option<ModuleId> {
        let modules = &self.modules;
        modules.iter().find(|(module, _)| *module == TypeId::of::<M>()).map(|&(_, id)| id)
    }

    /// The settings of a module, used from the next tick on; `None` if it was not added.
    pub fn module_mut<M: LodModule>(&mut self) -> Option<LodModuleMut<'_>> {
        let id = self.module_id::<M>()?;
        Some(LodModuleMut { scene: &mut self.scene, id })
    }

    /// The number of modules.
    pub(crate) fn modules(&self) -> usize {
        self.modules.len()
    }

    pub(crate) fn tick(&mut self) {
        self.scene.tick();
        self.ticks += 1;
    }

    /// The number of ticks.
    pub(crate) fn ticks(&self) -> u64 {
        self.ticks
    }

    pub(crate) fn add_module<M: LodModule>(
        &mut self,
        module: lodger_scheduler::Module<f32>,
    ) -> Result<(), SceneError> {
        let id = self.scene.add_module(module)?;
        self.modules.push((TypeId::of::<M>(), id));
        Ok(())
    }
}

/// The settings of a module that can change in a running game, with the errors of [`Scene`].
#[derive(Debug)]
pub struct LodModuleMut<'a> {
    scene: &'a mut Scene<f32>,
    id: ModuleId,
}

impl LodModuleMut<'_> {
    /// Sets the highest level of actors that are not forced, for example as a quality setting; `None` removes it.
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_lod_cap(&mut self, level: Option<u8>) -> Result<(), SceneError> {
        self.scene.set_lod_cap(self.id, level)
    }

    /// Sets whether the scheduler chooses levels; otherwise every actor that is not forced has its highest level.
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_managed(&mut self, managed: bool) -> Result<(), SceneError> {
        self.scene.set_managed(self.id, managed)
    }

    /// Sets the cost of a unit of work; calibration restarts from this cost.
    ///
    /// # Errors
    /// The errors of [`Scene::set_unit_cost`].
    pub fn set_unit_cost(&mut self, cost: UnitCost) -> Result<(), SceneError> {
        self.scene.set_unit_cost(self.id, cost)
    }

    /// Sets the constant part of the work, in units.
    ///
    /// # Errors
    /// The errors of [`Scene::set_overhead`].
    pub fn set_overhead(&mut self, units: u32) -> Result<(), SceneError> {
        self.scene.set_overhead(self.id, units)
    }

    /// Sets the cost that a benefit of 1 is worth.
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_benefit_value(&mut self, value: BenefitValue) -> Result<(), SceneError> {
        self.scene.set_benefit_value(self.id, value)
    }

    /// Sets the rule that computes benefits.
    ///
    /// # Errors
    /// The errors of [`Scene::set_benefit_rule`].
    pub fn set_benefit_rule(&mut self, rule: BenefitRule<f32>) -> Result<(), SceneError> {
        self.scene.set_benefit_rule(self.id, rule)
    }
}

/// The plan of a module by entity, as a system parameter.
#[derive(Debug, SystemParam)]
pub struct LodReport<'w, 's, M: LodModule> {
    plan: Res<'w, LodPlan>,
    handles: Query<'w, 's, &'static LodHandle<M>, Allow<Disabled>>,
}

impl<M: LodModule> LodReport<'_, '_, M> {
    /// The plan of an entity; `None` if it is not an actor of the module, or before its first tick.
    #[must_use]
    pub fn actor(&self, entity: Entity) -> Option<ActorPlan> {
        self.plan.actor(self.handles.get(entity).ok()?)
    }

    /// The reason for the level of an entity.
    #[must_use]
    pub fn reason(&self, entity: Entity) -> Option<Reason> {
        self.actor(entity).map(|plan| plan.reason)
    }

    /// The plan of the module; `None` before the first tick. This sums over its actors.
    #[must_use]
    pub fn module(&self) -> Option<ModulePlan<'_>> {
        self.plan.module::<M>()
    }
}
