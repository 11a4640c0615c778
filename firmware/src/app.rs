//! A small APEX: cloths and particles that share a budget, frame by frame.
//!
//! # A frame
//!
//! The viewer walks on. Every actor's benefit is made in the board's number type, and the ledger of
//! [`lodger_core::budget`] turns benefits into levels. Each module does its work at those levels
//! while the clock runs, and what it took corrects the module's unit cost and the headroom. The pin goes
//! high when the work took longer than the budget and low when it did not. Everything is reported, then
//! drawn.
//!
//! # Who owns what
//!
//! The [`App`] owns its modules, clock and pin; nothing is allocated and everything has its size from
//! the type. A [`Module`] that is full gives the actor back. The display and the report belong to
//! the caller, who lends them for a frame.
//!
//! The budget is for the work of the modules. The ledger's own time is reported beside it; drawing
//! and showing are not measured.

mod actor;
mod body;
mod decide;
mod module;
mod past;
mod rows;
mod viewer;

use embedded_graphics::pixelcolor::BinaryColor;
use embedded_hal::digital::{OutputPin, PinState};
use lodger_core::Real;
use lodger_core::calibration::HeadroomTarget;
use lodger_core::units::Budget;
use micromath::F32;

pub use actor::{Actor, ActorId, Refusal, Refused};
pub use body::{Body, Step};
pub use decide::MAX_ACTORS;
pub use module::Module;
pub use viewer::Viewer;

use self::past::Past;
use crate::clock::Clock;
use crate::display::{Camera, Display};
use crate::report::{FrameReport, ModuleReport, Report};

/// The wind's greatest acceleration, in m/s².
const GALE: f32 = 4.0;
/// How fast the wind turns, in radians a frame.
const TURN: f32 = 0.05;

/// What an app is made of, and all that it holds but the number of its frame.
///
/// `A` is the body of up to `CLOTHS` cloths, `B` that of up to `SWARMS` swarms of particles.
#[derive(Debug)]
pub struct Parts<N: Real, A, B, C, P, const CLOTHS: usize, const SWARMS: usize> {
    /// The module of the cloths.
    pub cloth: Module<N, A, CLOTHS>,
    /// The module of the particles.
    pub particles: Module<N, B, SWARMS>,
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
pub struct App<N: Real, A, B, C, P, const CLOTHS: usize, const SWARMS: usize> {
    parts: Parts<N, A, B, C, P, CLOTHS, SWARMS>,
    past: Past,
    frame: u32,
}

impl<N, A, B, C, P, const CLOTHS: usize, const SWARMS: usize> App<N, A, B, C, P, CLOTHS, SWARMS>
where
    N: Real,
    A: Body<N>,
    B: Body<N>,
    C: Clock,
    P: OutputPin,
{
    /// An app before its first frame. More than [`MAX_ACTORS`] do not compile.
    #[must_use]
    pub const fn new(parts: Parts<N, A, B, C, P, CLOTHS, SWARMS>) -> Self {
        const { assert!(CLOTHS + SWARMS <= MAX_ACTORS) };
        Self { parts, past: Past::NONE, frame: 0 }
    }

    /// The parts, to spawn and move actors or to change the budget between two frames.
    pub const fn parts(&mut self) -> &mut Parts<N, A, B, C, P, CLOTHS, SWARMS> {
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

    /// Decides, works, measures and corrects the unit costs.
    fn work(&mut self) -> FrameReport {
        let step = Step { time: self.parts.time, wind: wind(self.frame) };
        let start = self.parts.clock.now();
        let (request, decision) = self.parts.decide(&mut self.past);
        let Parts { cloth, particles, clock, .. } = &mut self.parts;
        let report = FrameReport {
            frame: self.frame,
            budget: request.budget,
            fixed: request.fixed,
            headroom: request.headroom,
            load: self.past.observe(&request, &decision),
            decision,
            ledger: clock.now().saturating_sub(start),
            cloth: measure(cloth, clock, step),
            particles: measure(particles, clock, step),
        };
        let is_known = |settled, report: &ModuleReport| settled || report.units == 0;
        if is_known(cloth.is_settled(), &report.cloth)
            && is_known(particles.is_settled(), &report.particles)
        {
            self.past.headroom.observe(
                request.budget,
                report.measured(),
                HeadroomTarget::ONE_PERCENT,
            );
        }
        report
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

/// A module's work of a frame, between two readings of the clock.
fn measure<N: Real, B: Body<N>, C: Clock, const ACTORS: usize>(
    module: &mut Module<N, B, ACTORS>,
    clock: &mut C,
    step: Step<N>,
) -> ModuleReport {
    let start = clock.now();
    let units = module.step(step);
    let measured = clock.now().saturating_sub(start);
    module.report(units, measured)
}

/// The wind of a frame: it comes and goes.
#[allow(clippy::cast_precision_loss)] // a short period of frames
fn wind<N: Real>(frame: u32) -> N {
    // A period of 125 frames turns once, but for half a degree.
    let gale = GALE * F32((frame % 125) as f32 * TURN).sin().0;
    N::from_f64(gale.into()).unwrap_or(N::ZERO)
}

impl<N, A, B, C, P, const CLOTHS: usize, const SWARMS: usize> Parts<N, A, B, C, P, CLOTHS, SWARMS>
where
    N: Real,
    A: Body<N>,
    B: Body<N>,
{
    fn draw<D: Display>(&self, display: &mut D) -> Result<(), D::Error> {
        display.clear(BinaryColor::Off)?;
        let camera = Camera::new(self.viewer.eye(), display.bounding_box().size);
        self.cloth.draw(&camera, display)?;
        self.particles.draw(&camera, display)?;
        display.show()
    }
}

#[cfg(test)]
mod tests;
