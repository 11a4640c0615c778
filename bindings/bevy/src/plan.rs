//! The scene with its last plan, by handle and by entity.

use std::any::TypeId;
use std::fmt;

use bevy_ecs::entity_disabling::Disabled;
use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use lodger_scheduler::{
    ActorId, ActorPlan, BenefitRule, BenefitValue, Budget, ModuleId, ModulePlan, OutsideFactor,
    Plan, Priority, Reason, Scene, SceneError, UnitCost,
};

use crate::handle::LodHandle;
use crate::module::LodModule;

/// The scene, and the plan of the last [`LodSystems::Decide`](crate::LodSystems::Decide).
///
/// Look up an actor by its [`LodHandle`], or by entity through [`LodReport`]. An actor's key is the bits of its
/// entity.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.update();
/// let plan = app.world().resource::<LodPlan>().plan();
/// // 1600 vertices at 0.5 µs, of 1 ms.
/// assert_eq!((plan.assigned_ns(), plan.budget().ns()), (800_000, Some(1_000_000)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
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
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// assert_eq!(app.world().resource::<LodPlan>().plan().assigned_ns(), 800_000);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn plan(&self) -> Plan<'_> {
        self.scene.plan()
    }

    /// The scene, with the inputs of the next tick.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// assert_eq!(app.world().resource::<LodPlan>().scene().len(), 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn scene(&self) -> &Scene<f32> {
        &self.scene
    }

    /// The plan of an actor; `None` before its first tick.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// let handle = app.world().get::<LodHandle<Cloth>>(cape).unwrap();
    /// let plan = app.world().resource::<LodPlan>().actor(handle).unwrap();
    /// assert_eq!((plan.lod.level(), plan.reason), (2, scheduler::Reason::Highest));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn actor<M: LodModule>(&self, handle: &LodHandle<M>) -> Option<ActorPlan> {
        handle.actor.and_then(|actor: ActorId| self.plan().actor(actor))
    }

    /// The plan of a module, summed over its actors; `None` if it was not added, or before the first tick.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// let cloth = app.world().resource::<LodPlan>().module::<Cloth>().unwrap();
    /// assert_eq!((cloth.actors, cloth.units), (1, 1_600));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn module<M: LodModule>(&self) -> Option<ModulePlan<'_>> {
        self.plan().module(self.module_id::<M>()?)
    }

    /// The handle of a module in the scene; `None` if it was not added.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let plan = app.world().resource::<LodPlan>();
    /// assert_eq!(plan.module_id::<Cloth>().and_then(|id| plan.scene().module_name(id)), Some("cloth"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn module_id<M: LodModule>(&self) -> Option<ModuleId> {
        let modules = &self.modules;
        modules.iter().find(|(module, _)| *module == TypeId::of::<M>()).map(|&(_, id)| id)
    }

    /// The settings of a module, used from the next tick on; `None` if it was not added.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_lod_cap(Some(1))?;
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn module_mut<M: LodModule>(&mut self) -> Option<LodModuleMut<'_>> {
        let id = self.module_id::<M>()?;
        Some(LodModuleMut { scene: &mut self.scene, id })
    }

    pub(crate) fn modules(&self) -> usize {
        self.modules.len()
    }

    pub(crate) fn tick(&mut self) {
        self.scene.tick();
        self.ticks += 1;
    }

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

/// The settings of a module that can change in a running game.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use scheduler::UnitCost;
/// let mut plan = app.world_mut().resource_mut::<LodPlan>();
/// let mut cloth: LodModuleMut<'_> = plan.module_mut::<Cloth>().unwrap();
/// cloth.set_unit_cost(UnitCost::from_ns(100.0)?)?;
/// cloth.set_overhead(50)?;
/// app.update();
/// assert_eq!(app.world().resource::<LodPlan>().plan().assigned_ns(), (1_600 + 50) * 100);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LodModuleMut<'a> {
    scene: &'a mut Scene<f32>,
    id: ModuleId,
}

impl LodModuleMut<'_> {
    /// Sets the highest level of actors that are not forced, for example as a quality setting; `None` removes it.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_lod_cap(Some(1))?;
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_lod_cap(&mut self, level: Option<u8>) -> Result<(), SceneError> {
        self.scene.set_lod_cap(self.id, level)
    }

    /// Sets whether the scheduler picks levels; otherwise every actor that is not forced has its highest level.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.insert_resource(LodBudget(scheduler::Budget::from_ns(1)));
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_managed(false)?;
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(2));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_managed(&mut self, managed: bool) -> Result<(), SceneError> {
        self.scene.set_managed(self.id, managed)
    }

    /// Sets the cost of a unit of work; calibration restarts from this cost.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// let vertex = scheduler::UnitCost::from_ns(100.0)?;
    /// plan.module_mut::<Cloth>().unwrap().set_unit_cost(vertex)?;
    /// app.update();
    /// assert_eq!(app.world().resource::<LodPlan>().plan().assigned_ns(), 1_600 * 100);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Scene::set_unit_cost`].
    pub fn set_unit_cost(&mut self, cost: UnitCost) -> Result<(), SceneError> {
        self.scene.set_unit_cost(self.id, cost)
    }

    /// Sets the units of work that do not depend on the number of actors.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_overhead(50)?;
    /// app.update();
    /// assert_eq!(app.world().resource::<LodPlan>().plan().reserved_ns(), 50 * 500);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Scene::set_overhead`].
    pub fn set_overhead(&mut self, units: u32) -> Result<(), SceneError> {
        self.scene.set_overhead(self.id, units)
    }

    /// Sets how much the module matters: a factor of the benefits of all its actors, beside their own priorities.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_priority(scheduler::Priority::from_bits(0))?;
    /// app.update();
    /// let handle = app.world().get::<LodHandle<Cloth>>(cape).unwrap();
    /// let plan = app.world().resource::<LodPlan>().actor(handle).unwrap();
    /// assert_eq!(plan.benefit, scheduler::Benefit::ZERO);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_priority(&mut self, priority: Priority) -> Result<(), SceneError> {
        self.scene.set_module_priority(self.id, priority)
    }

    /// Sets the factor of benefits outside of the views' frusta; see [`LodProjection`](crate::LodProjection).
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_outside(scheduler::OutsideFactor::ZERO)?;
    /// app.update();
    /// assert_eq!(app.world().get::<Lod<Cloth>>(cape).map(Lod::level), Some(2)); // no view has a frustum
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_outside(&mut self, factor: OutsideFactor) -> Result<(), SceneError> {
        self.scene.set_outside(self.id, factor)
    }

    /// Says whether an actor is in view, as the app's own culling found it, for example Bevy's `ViewVisibility`. After the first
    /// call, no frustum is tested for the module until [`test_views`](Self::test_views); its other actors are in view.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// fn cull(mut plan: ResMut<LodPlan>, capes: Query<&LodHandle<Cloth>>) -> Result {
    ///     let mut cloth = plan.module_mut::<Cloth>().unwrap();
    ///     for cape in capes.iter().filter_map(LodHandle::actor) {
    ///         cloth.set_in_view(cape, false)?; // all capes are behind a wall
    ///     }
    ///     Ok(())
    /// }
    ///
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_outside(scheduler::OutsideFactor::ZERO)?;
    /// app.add_systems(bevy_app::Update, cull);
    /// app.update(); // the cape becomes an actor
    /// app.update();
    /// let handle = app.world().get::<LodHandle<Cloth>>(cape).unwrap();
    /// let plan = app.world().resource::<LodPlan>().actor(handle).unwrap();
    /// assert_eq!(plan.benefit, scheduler::Benefit::ZERO);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Scene::set_actor_in_view`].
    pub fn set_in_view(&mut self, actor: ActorId, is_in_view: bool) -> Result<(), SceneError> {
        self.scene.set_actor_in_view(actor, is_in_view)
    }

    /// Tests the views' frusta again; see [`set_in_view`](Self::set_in_view).
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.update();
    /// let cape = app.world().get::<LodHandle<Cloth>>(cape).and_then(LodHandle::actor).unwrap();
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// let mut cloth = plan.module_mut::<Cloth>().unwrap();
    /// cloth.set_in_view(cape, false)?;
    /// cloth.test_views()?;
    /// assert_eq!(plan.scene().is_in_view(cape), Some(true)); // no view has a frustum
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None: the module exists.
    pub fn test_views(&mut self) -> Result<(), SceneError> {
        self.scene.test_views(self.id)
    }

    /// Sets the cost that a benefit of 1 is worth.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let value = scheduler::BenefitValue::from_ms(1.0)?;
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_benefit_value(value)?;
    /// let plan = app.world().resource::<LodPlan>();
    /// assert_eq!(plan.module_id::<Cloth>().and_then(|id| plan.scene().benefit_value(id)), Some(value));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// None: the module exists.
    pub fn set_benefit_value(&mut self, value: BenefitValue) -> Result<(), SceneError> {
        self.scene.set_benefit_value(self.id, value)
    }

    /// Sets the rule that computes benefits.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # use scheduler::{BenefitRule, BenefitTerms};
    /// let terms = BenefitTerms { max_distance: Some(1.0), ..BenefitTerms::default() };
    /// let mut plan = app.world_mut().resource_mut::<LodPlan>();
    /// plan.module_mut::<Cloth>().unwrap().set_benefit_rule(BenefitRule::new(terms)?)?;
    /// app.update();
    /// let handle = app.world().get::<LodHandle<Cloth>>(cape).unwrap();
    /// // At 2 m the benefit is 0.
    /// let plan = app.world().resource::<LodPlan>().actor(handle).unwrap();
    /// assert_eq!(plan.benefit.to_f64(), 0.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The errors of [`Scene::set_benefit_rule`].
    pub fn set_benefit_rule(&mut self, rule: BenefitRule<f32>) -> Result<(), SceneError> {
        self.scene.set_benefit_rule(self.id, rule)
    }
}

/// The plan of a module by entity, as a system parameter.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.add_systems(bevy_app::Last, move |report: LodReport<Cloth>| {
///     assert_eq!(report.reason(cape), Some(scheduler::Reason::Highest));
///     assert_eq!(report.module().map(|cloth| cloth.assigned_ns), Some(800_000));
/// });
/// app.update();
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, SystemParam)]
pub struct LodReport<'w, 's, M: LodModule> {
    plan: Res<'w, LodPlan>,
    handles: Query<'w, 's, &'static LodHandle<M>, Allow<Disabled>>,
}

impl<M: LodModule> LodReport<'_, '_, M> {
    /// The plan of an entity; `None` if it is not an actor of the module, or before its first tick.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.add_systems(bevy_app::Last, move |report: LodReport<Cloth>| {
    ///     assert_eq!(report.actor(cape).map(|plan| plan.cost_ns), Some(800_000));
    /// });
    /// app.update();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn actor(&self, entity: Entity) -> Option<ActorPlan> {
        self.plan.actor(self.handles.get(entity).ok()?)
    }

    /// The reason for the level of an entity.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.world_mut().entity_mut(cape).insert(ForcedLod::<Cloth>::new(0));
    /// app.add_systems(bevy_app::Last, move |report: LodReport<Cloth>| {
    ///     assert_eq!(report.reason(cape), Some(scheduler::Reason::Forced));
    /// });
    /// app.update();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn reason(&self, entity: Entity) -> Option<Reason> {
        self.actor(entity).map(|plan| plan.reason)
    }

    /// The plan of the module, summed over its actors; `None` before the first tick.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.add_systems(bevy_app::Last, |report: LodReport<Cloth>| {
    ///     assert_eq!(report.module().map(|cloth| cloth.units), Some(1_600));
    /// });
    /// app.update();
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn module(&self) -> Option<ModulePlan<'_>> {
        self.plan.module::<M>()
    }
}
