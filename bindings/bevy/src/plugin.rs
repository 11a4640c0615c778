//! What an app adds.

use std::marker::PhantomData;

use bevy_app::{App, Plugin, PostUpdate};
use bevy_ecs::schedule::{InternedScheduleLabel, IntoScheduleConfigs, ScheduleLabel};

use bevy_transform::TransformSystems;
use lodger_scheduler::{Budget, Module};

use crate::actor::LodActor;
use crate::ages::age;
use crate::apply::{apply, apply_fractions, decide, tell_observers};
use crate::changed::LodChanged;
use crate::clock::{LodTimes, read_clock};
use crate::error::LodError;
use crate::exceptions::{ForcedLod, LodHidden, LodRange};
use crate::follow::follow;
use crate::handle::{LodHandle, LodQueue};
use crate::kind::LodModule;
use crate::living;
use crate::lod::Lod;
use crate::plan::LodPlan;
use crate::sets::{LodSchedule, LodSystems, LodTurn};
use crate::settings::{LodBudget, LodSettings, sync_settings};
use crate::sync::{leave, reconcile};
use crate::view::{LodView, LodViews, sync_views};

/// Hands out a budget to the actors of all modules, once a frame.
///
/// Modules are added after it, each with a [`LodModulePlugin`]. Where the app has a
/// [`TransformPlugin`](bevy_transform::TransformPlugin) in the same schedule, this comes after it.
#[derive(Debug, Clone)]
pub struct LodgerPlugin {
    budget: Budget,
    settings: LodSettings,
    schedule: InternedScheduleLabel,
}

impl LodgerPlugin {
    /// With that budget a frame, which becomes the resource [`LodBudget`].
    #[must_use]
    pub fn new(budget: Budget) -> Self {
        Self { budget, settings: LodSettings::default(), schedule: PostUpdate.intern() }
    }

    /// Sets how the budget is divided: the resource [`LodSettings`], at first.
    #[must_use]
    pub fn with_settings(mut self, settings: LodSettings) -> Self {
        self.settings = settings;
        self
    }

    /// Sets in which schedule the scene is synced and decided: [`PostUpdate`], unless this is called.
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

/// A module, whose actors are the entities with [`LodActor<M>`].
///
/// Entities that have it already when the plugin is added become actors too.
///
/// # Panics
/// When it is added: if [`LodgerPlugin`] was not added before, and if the scene refuses the module, as
/// [`Scene::add_module`](lodger_scheduler::Scene::add_module) says.
#[derive(Debug)]
pub struct LodModulePlugin<M: LodModule> {
    module: Module<f32>,
    has_observers: bool,
    has_ages: bool,
    marker: PhantomData<fn() -> M>,
}

impl<M: LodModule> LodModulePlugin<M> {
    /// A module with its prices and its rule.
    #[must_use]
    pub fn new(module: Module<f32>) -> Self {
        Self { module, has_observers: false, has_ages: false, marker: PhantomData }
    }

    /// Triggers [`LodChanged<M>`] on entities too, for observers; a message is sent anyway.
    #[must_use]
    pub fn with_observers(mut self) -> Self {
        self.has_observers = true;
        self
    }

    /// Lets actors age from 0 by the app's [`Time`](bevy_time::Time), for rules in which ages count. Without a
    /// [`TimePlugin`](bevy_time::TimePlugin) nobody ages.
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
            panic!("the module {} is refused: {error}", M::short_type_path());
        }
        let id = plan.module_id::<M>();
        let is_continuous = id.and_then(|id| plan.scene().is_continuous(id)) == Some(true);
        let place = LodTurn(plan.modules());
        register::<M>(app);
        adopt::<M>(app);
        let sync = (read_clock::<M>, leave::<M>, follow::<M>, reconcile::<M>).chain();
        app.configure_sets(schedule, place.in_set(LodSystems::Sync));
        app.add_systems(schedule, (sync.in_set(place), apply::<M>.in_set(LodSystems::Apply)));
        // Slots are handed out in the same order in every run, and so are levels where benefits are equal.
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
            let observers = tell_observers::<M>.in_set(LodSystems::Apply).after(apply::<M>);
            app.add_systems(schedule, observers);
        }
    }
}

fn register<M: LodModule>(app: &mut App) {
    app.register_type::<LodActor<M>>()
        .register_type::<Lod<M>>()
        .register_type::<ForcedLod<M>>()
        .register_type::<LodRange<M>>()
        .register_type::<LodHidden<M>>()
        .init_resource::<LodQueue<M>>()
        .init_resource::<LodTimes<M>>()
        .add_message::<LodChanged<M>>();
}

/// Queues the entities that were here before the plugin, whatever disables them.
fn adopt<M: LodModule>(app: &mut App) {
    let world = app.world_mut();
    let early = living::all::<LodActor<M>>(world);
    for &entity in &early {
        if let Some(mut handle) = world.get_mut::<LodHandle<M>>(entity) {
            handle.queued = true;
        }
    }
    world.resource_mut::<LodQueue<M>>().changed.extend(early);
}
