//! A small APEX: cloths and particles that share a budget, frame by frame.
//!
//! # A frame
//!
//! The viewer walks on. The [`Scene`] makes every actor's benefit in the board's number type, and turns
//! benefits into levels. Each module does its work at those levels while the clock runs, and the scene
//! learns what it took. The pin goes high when the work took longer than the budget and low when it did
//! not. Everything is reported, then drawn.
//!
//! # Who owns what
//!
//! The [`App`] owns the scene, the bodies, the clock and the pin; nothing is allocated and everything has
//! its size from the type. A [`BodyModule`] that is full gives the actor back. The display and the report
//! belong to the caller, who lends them for a frame.
//!
//! The budget is for the work of the modules. The ledger's own time is reported beside it; drawing
//! and showing are not measured.

mod module;

use embedded_graphics::pixelcolor::BinaryColor;
use embedded_hal::digital::{OutputPin, PinState};
use lodger_core::Real;
use lodger_core::units::Budget;
pub use lodger_heapless::ActorId;
use lodger_heapless::{ModuleId, SceneError, Stability};
use micromath::F32;

pub use module::{Body, BodyActor, BodyModule, BodySpawnError, SpawnProblem, Step};

use crate::clock::Clock;
use crate::display::{Camera, Display, Viewer};
use crate::report::{FrameReport, MAX_LEVELS, ModuleReport, Report};

/// How many levels the bodies of both modules may have together.
pub const COSTS: usize = 2 * MAX_LEVELS;
/// Which module of the scene the cloths are.
pub const CLOTH: ModuleId = ModuleId::new(0);
/// Which module of the scene the particles are.
pub const PARTICLES: ModuleId = ModuleId::new(1);

/// The scene of up to `ACTORS` cloths and swarms.
pub type Scene<N, const ACTORS: usize> = lodger_heapless::Scene<N, 2, ACTORS, COSTS>;

/// The wind's greatest acceleration, in m/s².
const GALE: f32 = 4.0;
/// How fast the wind turns, in radians a frame.
const TURN: f32 = 0.05;

/// What an app is made of, and all that it holds but the number of its frame.
///
/// `A` is the body of up to `CLOTHS` cloths, `B` that of up to `SWARMS` swarms of particles; `ACTORS` is
/// how many both are.
#[derive(Debug)]
pub struct Parts<N: Real, A, B, C, P, const CLOTHS: usize, const SWARMS: usize, const ACTORS: usize>
{
    /// Where everybody is, and what they cost.
    pub scene: Scene<N, ACTORS>,
    /// The bodies of the cloths.
    pub cloth: BodyModule<A, CLOTHS>,
    /// The bodies of the particles.
    pub particles: BodyModule<B, SWARMS>,
    /// The clock that measures the work.
    pub clock: C,
    /// The pin that is high after a frame that ran over budget.
    pub pin: P,
    /// The viewer, from whose eye the scene is seen.
    pub viewer: Viewer<N>,
    /// What the work of all actors may take in a frame.
    pub budget: Budget,
    /// The time from one frame to the next, in seconds.
    pub time: N,
}

/// What went wrong in a frame, after all of the frame that could be done was done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Fault<D, P> {
    /// The display did not take the picture.
    Display(D),
    /// The pin did not move.
    Pin(P),
}

/// The app: [`Parts`] in motion.
#[derive(Debug)]
pub struct App<N: Real, A, B, C, P, const CLOTHS: usize, const SWARMS: usize, const ACTORS: usize> {
    parts: Parts<N, A, B, C, P, CLOTHS, SWARMS, ACTORS>,
    frame: u32,
}

impl<N, A, B, C, P, const CLOTHS: usize, const SWARMS: usize, const ACTORS: usize>
    App<N, A, B, C, P, CLOTHS, SWARMS, ACTORS>
where
    N: Real,
    A: Body<N>,
    B: Body<N>,
    C: Clock,
    P: OutputPin,
{
    /// An app before its first frame, whose scene has no modules yet. Fewer `ACTORS` than both modules
    /// have do not compile.
    #[must_use]
    pub const fn new(parts: Parts<N, A, B, C, P, CLOTHS, SWARMS, ACTORS>) -> Self {
        const { assert!(CLOTHS + SWARMS <= ACTORS) };
        Self { parts, frame: 0 }
    }

    /// Adds both modules to the scene, which has none yet, and has levels stand still where little
    /// changes.
    ///
    /// # Errors
    /// That of a module that is refused.
    pub fn add_modules(
        &mut self,
        cloth: lodger_heapless::Module<N>,
        particles: lodger_heapless::Module<N>,
    ) -> Result<(), SceneError> {
        let scene = &mut self.parts.scene;
        scene.set_stability(Stability::STEADY);
        scene.add_module(cloth)?;
        scene.add_module(particles)?;
        Ok(())
    }

    /// The parts, to spawn and move actors or to change the budget between two frames.
    pub const fn parts(&mut self) -> &mut Parts<N, A, B, C, P, CLOTHS, SWARMS, ACTORS> {
        &mut self.parts
    }

    /// Decides, works, reports and draws one frame.
    ///
    /// # Errors
    /// The first of what the pin and the display said. The frame was decided, worked and reported
    /// nevertheless, and the next one may be begun.
    pub fn frame<D, R>(&mut self, display: &mut D, report: &mut R) -> Outcome<D, P>
    where
        D: Display,
        R: Report + ?Sized,
    {
        self.parts.viewer.walk();
        let frame = self.work();
        self.frame = self.frame.wrapping_add(1);
        let pin = self.parts.pin.set_state(PinState::from(frame.over_budget() > 0));
        report.frame(&frame);
        let drawn = self.parts.draw(display);
        pin.map_err(Fault::Pin)?;
        drawn.map_err(Fault::Display)
    }

    /// Decides, works, measures and tells the scene.
    fn work(&mut self) -> FrameReport {
        let Parts { scene, cloth, particles, clock, viewer, budget, time, .. } = &mut self.parts;
        let step = Step { time: *time, wind: wind(self.frame) };
        let start = clock.now();
        // A time or an eye that is no number leaves ages or the last eye as they were.
        let _ = scene.advance_ages(*time);
        let _ = scene.look_from(&[viewer.eye()]);
        let plan = scene.tick(*budget);
        FrameReport {
            frame: self.frame,
            budget: plan.budget(),
            fixed: plan.fixed_ns(),
            headroom: plan.headroom(),
            load: plan.load(),
            decision: plan.decision(),
            ledger: clock.now().saturating_sub(start),
            cloth: measure(scene, cloth, clock, step),
            particles: measure(scene, particles, clock, step),
        }
    }
}

/// What a frame ends in.
pub type Outcome<D, P> = Result<
    (),
    Fault<
        <D as embedded_graphics::draw_target::DrawTarget>::Error,
        <P as embedded_hal::digital::ErrorType>::Error,
    >,
>;

/// A module's work of a frame, between two readings of the clock, which the scene is told.
fn measure<N: Real, B: Body<N>, C: Clock, const LEN: usize, const ACTORS: usize>(
    scene: &mut Scene<N, ACTORS>,
    module: &mut BodyModule<B, LEN>,
    clock: &mut C,
    step: Step<N>,
) -> ModuleReport {
    let id = module.id();
    let start = clock.now();
    let (units, levels) = module.step(scene.plan(), step);
    let measured = clock.now().saturating_sub(start);
    let Some(plan) = scene.plan().module(id) else { return ModuleReport::NONE };
    // The module is there.
    let _ = scene.measured_units(id, units.into(), measured);
    let count = |actors: usize| u16::try_from(actors).unwrap_or(u16::MAX);
    ModuleReport {
        levels,
        forced: count(plan.actors.saturating_sub(plan.automatic)),
        quarantined: count(plan.quarantined),
        units,
        planned: plan.assigned_ns,
        measured,
        unit_cost: scene.unit_cost(id).unwrap_or(plan.unit_cost),
        raw_unit_cost: scene.raw_unit_cost(id).unwrap_or(plan.unit_cost),
    }
}

/// The wind of a frame: it comes and goes.
#[allow(clippy::cast_precision_loss)] // a short period of frames
fn wind<N: Real>(frame: u32) -> N {
    // A period of 125 frames turns once, but for half a degree.
    let gale = GALE * F32((frame % 125) as f32 * TURN).sin().0;
    N::from_f64(gale.into()).unwrap_or(N::ZERO)
}

impl<N, A, B, C, P, const CLOTHS: usize, const SWARMS: usize, const ACTORS: usize>
    Parts<N, A, B, C, P, CLOTHS, SWARMS, ACTORS>
where
    N: Real,
    A: Body<N>,
    B: Body<N>,
{
    fn draw<D: Display>(&self, display: &mut D) -> Result<(), D::Error> {
        display.clear(BinaryColor::Off)?;
        let camera = Camera::new(self.viewer.eye(), display.bounding_box().size);
        self.cloth.draw(&self.scene, &camera, display)?;
        self.particles.draw(&self.scene, &camera, display)?;
        display.show()
    }
}

#[cfg(test)]
mod tests;
