//! What the last frame decided: the scene, to be read.

use std::any::TypeId;
use std::fmt;

use bevy_ecs::resource::Resource;
use lodger_scheduler::{
    ActorId, ActorPlan, BenefitRule, BenefitValue, Budget, ModuleId, ModulePlan, Plan, Scene,
    SceneError, UnitCost,
};

use crate::handle::LodHandle;
use crate::kind::LodModule;

/// What was decided, for whom, and why: the scene behind the world.
///
/// The plan is that of the last [`LodSystems::Decide`](crate::LodSystems::Decide). Actors are asked for by
/// their [`LodHandle`], or by entity through [`LodReport`](crate::LodReport); an actor's key is the bits of
/// its entity.
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

    /// What the last tick decided.
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        self.scene.plan()
    }

    /// The scene, with what the next tick will go by.
    #[must_use]
    pub fn scene(&self) -> &Scene<f32> {
        &self.scene
    }

    /// All that was decided for an actor, and why; `None` before its first tick.
    #[must_use]
    pub fn actor<M: LodModule>(&self, handle: &LodHandle<M>) -> Option<ActorPlan> {
        handle.actor.and_then(|actor: ActorId| self.plan().actor(actor))
    }

    /// What was decided for a module; `None` if it was not added, or before the first tick. This adds up
    /// over the module's actors.
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

    /// A module, to be set otherwise from the next tick on; `None` if it was not added.
    pub fn module_mut<M: LodModule>(&mut self) -> Option<LodModuleMut<'_>> {
        let id = self.module_id::<M>()?;
        Some(LodModuleMut { scene: &mut self.scene, id })
    }

    /// How many modules were added.
    pub(crate) fn modules(&self) -> usize {
        self.modules.len()
    }

    pub(crate) fn tick(&mut self) {
        self.scene.tick();
        self.ticks += 1;
    }

    /// How often the scene decided.
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

/// What can be set of a module while the game runs. Each is as [`Scene`] has it, with its errors.
#[derive(Debug)]
pub struct LodModuleMut<'a> {
    scene: &'a mut Scene<f32>,
    id: ModuleId,
}

impl LodModuleMut<'_> {
    /// Sets the highest level of those that are not forced, as a setting of quality does; `None` lifts it.
    ///
    /// # Errors
    /// None that is known: the module is there.
    pub fn set_lod_cap(&mut self, level: Option<u8>) -> Result<(), SceneError> {
        self.scene.set_lod_cap(self.id, level)
    }

    /// Sets whether levels are chosen; else every actor that is not forced has its highest.
    ///
    /// # Errors
    /// None that is known: the module is there.
    pub fn set_managed(&mut self, managed: bool) -> Result<(), SceneError> {
        self.scene.set_managed(self.id, managed)
    }

    /// Prices the work anew; its calibration starts again from this price.
    ///
    /// # Errors
    /// Those of [`Scene::set_unit_cost`].
    pub fn set_unit_cost(&mut self, cost: UnitCost) -> Result<(), SceneError> {
        self.scene.set_unit_cost(self.id, cost)
    }

    /// Sets the constant part of the work, in units.
    ///
    /// # Errors
    /// Those of [`Scene::set_overhead`].
    pub fn set_overhead(&mut self, units: u32) -> Result<(), SceneError> {
        self.scene.set_overhead(self.id, units)
    }

    /// Sets what a unit of benefit may cost.
    ///
    /// # Errors
    /// None that is known: the module is there.
    pub fn set_benefit_value(&mut self, value: BenefitValue) -> Result<(), SceneError> {
        self.scene.set_benefit_value(self.id, value)
    }

    /// Sets how the benefit of the actors is computed.
    ///
    /// # Errors
    /// Those of [`Scene::set_benefit_rule`].
    pub fn set_benefit_rule(&mut self, rule: BenefitRule<f32>) -> Result<(), SceneError> {
        self.scene.set_benefit_rule(self.id, rule)
    }
}
