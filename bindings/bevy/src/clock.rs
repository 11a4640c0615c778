//! Measured times of modules, and ages of actors.

use std::marker::PhantomData;
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use bevy_ecs::prelude::*;
use bevy_ecs::system::SystemParam;
use bevy_platform::time::Instant;
use bevy_time::Time;

use crate::module::{LodError, LodModule, LodProblem};
use crate::plan::LodPlan;

#[derive(Debug, Resource)]
pub(crate) struct LodTimes<M: LodModule> {
    nanoseconds: AtomicU64,
    readings: AtomicU32,
    module: PhantomData<fn() -> M>,
}

impl<M: LodModule> Default for LodTimes<M> {
    fn default() -> Self {
        Self { nanoseconds: AtomicU64::new(0), readings: AtomicU32::new(0), module: PhantomData }
    }
}

/// Times the work of a module, so that its unit cost follows; see
/// [`Scene::observe_time`](lodger_scheduler::Scene::observe_time).
///
/// Times of all systems and threads add up, and the next [`LodSystems::Sync`](crate::LodSystems::Sync) takes the sum as
/// the time of the last plan. Timed systems must run as often as the plugin's schedule; otherwise the time of several
/// frames counts for one plan. Disabled entities, on which no system works, count in the units: hide them with
/// [`LodHidden`](crate::LodHidden), or a unit appears too cheap.
///
/// In a browser this needs the feature `web` of `bevy_platform`, which Bevy's feature `web` enables.
///
/// # Examples
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// fn simulate(clock: LodClock<Cloth>, capes: Query<&Lod<Cloth>>) {
///     let _timer = clock.start(); // until the system ends
///     for lod in &capes {
///         // simulate as many vertices as the level has
///         # std::thread::sleep(std::time::Duration::from_millis(4 * u64::from(lod.level())));
///     }
/// }
/// app.add_systems(bevy_app::Update, simulate);
/// (0..20).for_each(|_| app.update());
///
/// // Vertices take longer than the assumed 500 ns.
/// let measured = app.world().resource::<LodPlan>().module::<Cloth>().unwrap().raw_unit_cost;
/// assert!(measured.ns() > 500.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, SystemParam)]
pub struct LodClock<'w, M: LodModule> {
    times: Res<'w, LodTimes<M>>,
}

impl<M: LodModule> LodClock<'_, M> {
    /// Starts a timer that stops when it is dropped. Each thread may have its own.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// app.add_systems(bevy_app::Update, |clock: LodClock<Cloth>| {
    ///     let _timer = clock.start();
    ///     std::thread::sleep(std::time::Duration::from_millis(4));
    /// });
    /// (0..20).for_each(|_| app.update());
    /// // 1600 vertices, or 400, in at least 4 ms.
    /// let cloth = app.world().resource::<LodPlan>().module::<Cloth>().unwrap();
    /// assert!(cloth.raw_unit_cost.ns() > 1_000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use = "a timer that is dropped at once measures nothing"]
    pub fn start(&self) -> LodTimer<'_, M> {
        LodTimer { times: &self.times, start: Instant::now() }
    }

    /// Adds a time from another source, for example the GPU.
    ///
    /// ```
    /// # use bevy_ecs::prelude::*; use bevy_lodger::*;
    /// # #[derive(bevy_reflect::TypePath)] struct Cloth;
    /// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
    /// use std::time::Duration;
    ///
    /// app.add_systems(bevy_app::Update, |clock: LodClock<Cloth>| clock.add(Duration::from_millis(2)));
    /// (0..20).for_each(|_| app.update());
    /// let cloth = app.world().resource::<LodPlan>().module::<Cloth>().unwrap();
    /// assert!(cloth.raw_unit_cost.ns() > 1_000.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn add(&self, time: Duration) {
        self.times.add(time);
    }
}

impl<M: LodModule> LodTimes<M> {
    fn add(&self, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(u64::MAX);
        self.nanoseconds.fetch_add(nanoseconds, Ordering::Relaxed);
        self.readings.fetch_add(1, Ordering::Relaxed);
    }
}

/// A timer of a [`LodClock`], which adds its time when it is dropped.
///
/// ```
/// # use bevy_ecs::prelude::*; use bevy_lodger::*;
/// # #[derive(bevy_reflect::TypePath)] struct Cloth;
/// # let (mut app, cape) = include!(concat!(env!("CARGO_MANIFEST_DIR"), "/doc/app.rs"))?;
/// app.add_systems(bevy_app::Update, |clock: LodClock<Cloth>| {
///     let timer: LodTimer<Cloth> = clock.start();
///     std::thread::sleep(std::time::Duration::from_millis(4));
///     drop(timer); // later work of this system is not timed
/// });
/// (0..20).for_each(|_| app.update());
/// let cloth = app.world().resource::<LodPlan>().module::<Cloth>().unwrap();
/// assert!(cloth.raw_unit_cost.ns() > 1_000.0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct LodTimer<'a, M: LodModule> {
    times: &'a LodTimes<M>,
    start: Instant,
}

impl<M: LodModule> Drop for LodTimer<'_, M> {
    fn drop(&mut self) {
        self.times.add(self.start.elapsed());
    }
}

pub(crate) fn read_clock<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    mut times: ResMut<LodTimes<M>>,
    mut errors: MessageWriter<LodError>,
) {
    let times = &mut *times;
    let nanoseconds = mem::take(times.nanoseconds.get_mut());
    if mem::take(times.readings.get_mut()) == 0 {
        return;
    }
    // Before the first tick no plan says which units the time is for.
    let Some(module) = plan.module::<M>() else { return };
    let (id, units) = (module.module, module.units);
    if let Err(error) = plan.scene.observe_time(id, units, Duration::from_nanos(nanoseconds)) {
        errors.write(LodError::of_module::<M>(None, LodProblem::Invalid(error)));
    }
}

pub(crate) fn age<M: LodModule>(
    mut plan: ResMut<LodPlan>,
    time: Option<Res<Time>>,
    mut errors: MessageWriter<LodError>,
) {
    let (Some(id), Some(time)) = (plan.module_id::<M>(), time) else { return };
    match plan.scene.ages_mut(id, ..) {
        Ok(ages) => ages.values.iter_mut().for_each(|age| *age += time.delta_secs()),
        Err(error) => {
            errors.write(LodError::of_module::<M>(None, LodProblem::Invalid(error)));
        }
    }
}
