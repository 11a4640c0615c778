//! The plugins of the scene and of its modules.

use std::marker::PhantomData;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::prelude::*;
use bevy_ecs::schedule::{InternedScheduleLabel, ScheduleLabel};
use bevy_transform::TransformSystems;
use lodger_scheduler::{Budget, Module};

use crate::apply::{apply, apply_fractions, decide, trigger_observers};
use crate::clock::{LodTimes, age, read_clock};
use crate::components::{ForcedLod, Lod, LodActor, LodChanged, LodHidden, LodPriority, LodRange};
use crate::handle::{self, LodHandle, LodQueue};
use crate::module::{LodError, LodModule};
use crate::plan::LodPlan;
use crate::settings::{LodBudget, LodSchedule, LodSettings, LodSystems, LodTurn, sync_settings};
use crate::sync::{despawn_removed, reconcile};
use crate::transforms::{LodProjection, LodView, LodViews, sync_transforms, sync_views};

/// Divides a budget among the actors of all modules, once a frame.
///
/// Add a [`LodModulePlugin`] for each module after it. The systems run after a
/// [`TransformPlugin`](bevy_transform::TransformPlugin) in the same schedule.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use scheduler::Budget;
/// let mut app = bevy_app::App::new();
/// app.add_plugins((bevy_transform::TransformPlugin, LodgerPlugin::new(Budget::from_ms(2.0)?)));
/// assert_eq!(app.world().resource::<LodBudget>().0, Budget::from_ns(2_000_000));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct LodgerPlugin {
    budget: Budget,
    settings: LodSettings,
    schedule: InternedScheduleLabel,
}

impl LodgerPlugin {
    /// Creates the plugin with a budget for each frame, the initial [`LodBudget`].
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let mut app = bevy_app::App::new();
    /// app.add_plugins(LodgerPlugin::new(scheduler::Budget::from_ns(700)));
    /// assert_eq!(app.world().resource::<LodBudget>().0.ns(), Some(700));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget, settings: LodSettings::default(), schedule: PostUpdate.intern() }
    }

    /// Sets the initial [`LodSettings`].
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// let settings = LodSettings { max_upgrades: Some(20), ..LodSettings::default() };
    /// let plugin = LodgerPlugin::new(scheduler::Budget::from_ms(2.0)?).with_settings(settings);
    /// let mut app = bevy_app::App::new();
    /// app.add_plugins(plugin);
    /// app.update();
    /// assert_eq!(app.world().resource::<LodPlan>().scene().max_upgrades(), Some(20));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_settings(mut self, settings: LodSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets the schedule of the systems; [`PostUpdate`] by default.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// use bevy_app::{App, Last};
    ///
    /// let mut app = App::new();
    /// app.add_plugins(LodgerPlugin::new(scheduler::Budget::from_ns(700)).in_schedule(Last));
    /// app.world_mut().run_schedule(Last);
    /// assert_eq!(app.world().resource::<LodPlan>().plan().budget().ns(), Some(700));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn in_schedule(mut self, schedule: impl ScheduleLabel) -> Self {
        self.schedule = schedule.intern();
        self
    }
}

impl Plugin for LodgerPlugin {
    fn build(&self, app: &mut App) {
        let sets = (LodSystems::Sync, LodSystems::Decide, LodSystems::Apply).chain();
        app.register_type::<LodView>()
            .register_type::<LodProjection>()
            .add_message::<LodError>()
            .insert_resource(LodSchedule(self.schedule))
            .insert_resource(LodBudget(self.budget))
            .insert_resource(self.settings)
            .insert_resource(LodPlan::empty())
            .init_resource::<LodViews>()
            .configure_sets(self.schedule, sets.after(TransformSystems::Propagate))
            .add_systems(
                self.schedule,
                (
                    (sync_settings, sync_views).in_set(LodSystems::Sync),
                    decide.in_set(LodSystems::Decide),
                ),
            );
    }
}

/// Adds a module. Its actors are the entities with [`LodActor<M>`], including entities that exist already.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// # use scheduler::{BenefitValue, Module, UnitCost};
/// #[derive(bevy_reflect::TypePath)]
/// struct Sparks;
///
/// let sparks = Module::new("sparks", UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
/// app.add_plugins(LodModulePlugin::<Sparks>::new(sparks));
/// app.world_mut().entity_mut(cape).insert(LodActor::<Sparks>::new(0.1, &[0, 20]));
/// app.update();
/// assert_eq!(app.world().get::<Lod<Sparks>>(cape).map(Lod::level), Some(1));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Panics
/// When it is added: if [`LodgerPlugin`] was not added before, and with the errors of
/// [`Scene::add_module`](lodger_scheduler::Scene::add_module).
#[derive(Debug)]
pub struct LodModulePlugin<M: LodModule> {
    module: Module<f32>,
    has_observers: bool,
    has_ages: bool,
    marker: PhantomData<fn() -> M>,
}

impl<M: LodModule> LodModulePlugin<M> {
    /// Creates the plugin of a module.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # #[derive(bevy_reflect::TypePath)] struct Sparks;
    /// # use scheduler::{BenefitValue, Module, UnitCost};
    /// let sparks = Module::new("sparks", UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// app.add_plugins(LodModulePlugin::<Sparks>::new(sparks));
    /// assert_eq!(app.world().resource::<LodPlan>().scene().modules().count(), 2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(module: Module<f32>) -> Self {
        Self { module, has_observers: false, has_ages: false, marker: PhantomData }
    }

    /// Triggers [`LodChanged<M>`] also as an event, for observers.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # #[derive(bevy_reflect::TypePath)] struct Sparks;
    /// # #[derive(Resource, Default)] struct LastLevel(u8);
    /// # use scheduler::{BenefitValue, Module, UnitCost};
    /// let sparks = Module::new("sparks", UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// app.add_plugins(LodModulePlugin::<Sparks>::new(sparks).with_observers());
    /// app.init_resource::<LastLevel>();
    /// app.add_observer(|change: On<LodChanged<Sparks>>, mut last: ResMut<LastLevel>| last.0 = change.to);
    /// app.world_mut().entity_mut(cape).insert(LodActor::<Sparks>::new(0.1, &[0, 20]));
    /// app.update();
    /// assert_eq!(app.world().resource::<LastLevel>().0, 1);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_observers(mut self) -> Self {
        self.has_observers = true;
        self
    }

    /// Adds the app's [`Time`](bevy_time::Time) to the ages of actors, which start at 0, for rules that weight ages. It
    /// needs a [`TimePlugin`](bevy_time::TimePlugin).
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// # #[derive(bevy_reflect::TypePath)] struct Sparks;
    /// # use scheduler::{BenefitValue, Module, UnitCost};
    /// use bevy_time::{TimePlugin, TimeUpdateStrategy};
    /// use std::time::Duration;
    ///
    /// let sparks = Module::new("sparks", UnitCost::from_ns(80.0)?).benefit_value(BenefitValue::from_ms(1.0)?);
    /// app.add_plugins((TimePlugin, LodModulePlugin::<Sparks>::new(sparks).with_ages()));
    /// app.insert_resource(TimeUpdateStrategy::ManualDuration(Duration::from_millis(125)));
    /// app.world_mut().entity_mut(cape).insert(LodActor::<Sparks>::new(0.1, &[0, 20]));
    /// (0..9).for_each(|_| app.update());
    /// let actor = app.world().get::<LodHandle<Sparks>>(cape).and_then(LodHandle::actor).unwrap();
    /// let age = app.world().resource::<LodPlan>().scene().state(actor).unwrap().age;
    /// assert!(age > 0.8 && age < 1.2);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_ages(mut self) -> Self {
        self.has_ages = true;
        self
    }
}

impl<M: LodModule> Plugin for LodModulePlugin<M> {
    fn build(&self, app: &mut App) {
        let schedule = LodSchedule::of(app);
        let mut plan = app.world_mut().resource_mut::<LodPlan>();
        if let Err(error) = plan.add_module::<M>(self.module.clone()) {
            panic!("the scene rejects module {}: {error}", M::short_type_path());
        }
        let id = plan.module_id::<M>();
        let is_continuous = id.and_then(|id| plan.scene().is_continuous(id)) == Some(true);
        let place = LodTurn(plan.modules());
        register::<M>(app);
        queue_existing::<M>(app);
        let sync =
            (read_clock::<M>, despawn_removed::<M>, sync_transforms::<M>, reconcile::<M>).chain();
        app.configure_sets(schedule, place.in_set(LodSystems::Sync));
        app.add_systems(schedule, (sync.in_set(place), apply::<M>.in_set(LodSystems::Apply)));
        // A fixed order of modules gives actors the same slots in every run, which break ties between equal benefits.
        if let Some(before) = place.before() {
            app.configure_sets(schedule, place.after(before));
        }
        if self.has_ages {
            let age = age::<M>.in_set(LodSystems::Sync).before(reconcile::<M>);
            app.add_systems(schedule, age);
        }
        if is_continuous {
            let fractions = apply_fractions::<M>.in_set(LodSystems::Apply).after(apply::<M>);
            app.add_systems(schedule, fractions);
        }
        if self.has_observers {
            let observers = trigger_observers::<M>.in_set(LodSystems::Apply).after(apply::<M>);
            app.add_systems(schedule, observers);
        }
    }
}

fn register<M: LodModule>(app: &mut App) {
    app.register_type::<LodActor<M>>()
        .register_type::<Lod<M>>()
        .register_type::<ForcedLod<M>>()
        .register_type::<LodRange<M>>()
        .register_type::<LodPriority<M>>()
        .register_type::<LodHidden<M>>()
        .init_resource::<LodQueue<M>>()
        .init_resource::<LodTimes<M>>()
        .add_message::<LodChanged<M>>();
}

/// Queues the actors that exist before the plugin, including disabled entities.
fn queue_existing<M: LodModule>(app: &mut App) {
    let world = app.world_mut();
    let early = handle::entities_with::<LodActor<M>>(world);
    for &entity in &early {
        if let Some(mut handle) = world.get_mut::<LodHandle<M>>(entity) {
            handle.queued = true;
        }
    }
    world.resource_mut::<LodQueue<M>>().changed.extend(early);
}
