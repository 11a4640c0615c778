//! How long the work of a module takes.

use std::marker::PhantomData;
use std::mem;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Duration;

use bevy_ecs::message::MessageWriter;
use bevy_ecs::resource::Resource;
use bevy_ecs::system::{Res, ResMut, SystemParam};
use bevy_platform::time::Instant;

use crate::error::{LodError, LodProblem};
use crate::kind::LodModule;
use crate::plan::LodPlan;

/// The times of a module since the last sync.
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
/// [`Scene::measured`](lodger_scheduler::Scene::measured).
///
/// What all systems and threads read between two frames adds up, and is taken at the next
/// [`LodSystems::Sync`](crate::LodSystems::Sync) for what the levels of the last plan took. A frame in which
/// nothing was read measures nothing. So systems that are timed belong where they run as often as the plugin's
/// schedule does: if the plugin is in a schedule that rests for some frames, the times of all of them are
/// charged to the units of one plan, and a unit seems to cost several times what it does.
///
/// The units are those of all actors of the module. Entities that are disabled count, though no system works
/// on them: where many are, a unit seems to cost less than it does. [`LodHidden`](crate::LodHidden) takes them
/// to their lowest levels.
///
/// In a browser the clock is that of `bevy_platform` with its feature `web`, which Bevy's feature `web` turns
/// on. To know the units the plan is added up then, which visits the module's
/// actors once.
///
/// # Examples
/// ```
/// use bevy_ecs::system::Query;
/// use bevy_lodger::{Lod, LodClock};
/// # use bevy_reflect::TypePath;
/// # #[derive(TypePath)]
/// # struct Cloth;
///
/// fn simulate(clock: LodClock<Cloth>, capes: Query<&Lod<Cloth>>) {
///     let _timer = clock.start(); // until the system ends
///     for lod in &capes {
///         // so many vertices as the level has
///         # let _ = lod.level();
///     }
/// }
/// # bevy_ecs::system::assert_is_system(simulate);
/// ```
#[derive(Debug, SystemParam)]
pub struct LodClock<'w, M: LodModule> {
    times: Res<'w, LodTimes<M>>,
}

impl<M: LodModule> LodClock<'_, M> {
    /// Reads the clock now and once more when what it returns is dropped. Each thread may have its own.
    #[must_use = "what is dropped at once has measured nothing"]
    pub fn start(&self) -> LodTimer<'_, M> {
        LodTimer { times: &self.times, start: Instant::now() }
    }

    /// Adds a time that was measured otherwise, on the GPU for instance.
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

/// Time that runs until this is dropped; see [`LodClock::start`].
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
    // Before the first tick no plan says what was worked on, and the time is of no use.
    let Some(module) = plan.module::<M>() else { return };
    let (id, units) = (module.module, module.units);
    if let Err(error) = plan.scene.measured(id, units, Duration::from_nanos(nanoseconds)) {
        let (module, problem) = (M::short_type_path(), LodProblem::Refused(error));
        errors.write(LodError { entity: None, module, problem });
    }
}
