//! A small APEX: cloths and particles that share a budget.
//!
//! In each frame of an [`App`]:
//!
//! 1. The viewer moves.
//! 2. The [`BodyScene`] computes benefits in the number type of the board, and picks levels.
//! 3. Each module works at these levels while the clock runs, and the scene observes the time.
//! 4. The pin becomes high if the work took longer than the budget, else low.
//! 5. The frame is reported, then drawn.
//!
//! The budget is for the work of the modules. The time of the decision is reported; drawing is not measured. Nothing is
//! allocated: all sizes are part of the type.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use embedded_hal::digital::{OutputPin, PinState};
use heapless::Vec;
use lodger_core::benefit::{ActorState, BenefitRule};
use lodger_core::units::Budget;
use lodger_core::{Real, ValueError};
pub use lodger_heapless::ActorId;
use lodger_heapless::{Hysteresis, ModuleId, RuntimeRules, Scene, SceneError};
use micromath::F32;

use crate::clock::Clock;
use crate::display::{Camera, Display, Viewer};
use crate::report::{FrameReport, MAX_LEVELS, ModuleFrameReport};

/// The maximum number of levels of the bodies of both modules.
pub const COSTS: usize = 2 * MAX_LEVELS;
/// The module of the cloths.
pub const CLOTH: ModuleId = ModuleId::new(0);
/// The module of the particles.
pub const PARTICLES: ModuleId = ModuleId::new(1);

/// A scene of up to `ACTORS` cloths and swarms.
pub type BodyScene<N, const ACTORS: usize> = Scene<N, 2, ACTORS, COSTS, RuntimeRules>;

/// The maximum acceleration of the wind, in m/s².
const GALE: f32 = 4.0;
/// The rotation of the wind, in radians per frame.
const TURN: f32 = 0.05;

/// An error of a frame, whose other steps were completed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum FrameError<D, P> {
    /// The display failed.
    Display(D),
    /// The pin failed.
    Pin(P),
}

/// Runs frames with up to `CLOTHS` cloths with bodies `A`, and up to `SWARMS` swarms of particles with bodies `B`. Between
/// frames the fields may change, to spawn and move actors or for another budget.
#[derive(Debug)]
pub struct App<N: Real, A, B, C, P, const CLOTHS: usize, const SWARMS: usize, const ACTORS: usize> {
    /// The positions and costs of all actors; initially without modules.
    pub scene: BodyScene<N, ACTORS>,
    /// The bodies of the cloths.
    pub cloth: BodyModule<A, CLOTHS>,
    /// The bodies of the particles.
    pub particles: BodyModule<B, SWARMS>,
    /// The clock that measures the work.
    pub clock: C,
    /// The pin that is high after a frame that ran over budget.
    pub pin: P,
    /// The viewer.
    pub viewer: Viewer<N>,
    /// The budget of a frame for the work of all actors.
    pub budget: Budget,
    /// The time from one frame to the next, in seconds.
    pub time: N,
    /// The number of the next frame; the first is 0. It wraps.
    pub next_frame: u32,
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
    /// Adds both modules with their rules to the scene, which has none yet, and enables hysteresis.
    ///
    /// # Errors
    /// If a module is invalid.
    pub fn add_modules(
        &mut self,
        cloth: (lodger_heapless::Module<N>, BenefitRule<N>),
        particles: (lodger_heapless::Module<N>, BenefitRule<N>),
    ) -> Result<(), SceneError> {
        self.scene.set_hysteresis(Hysteresis::TYPICAL);
        for (module, rule) in [cloth, particles] {
            self.scene.add_module_with_rule(module, rule)?;
        }
        Ok(())
    }

    /// Decides, works, reports and draws one frame. Does not compile if `ACTORS` is less than `CLOTHS + SWARMS`.
    ///
    /// The app calls `report` after measuring and before drawing: its time is not measured, but delays the frame.
    ///
    /// # Errors
    /// The error of the pin, else of the display. All other steps were done, and the next frame may follow.
    pub fn frame<D: Display>(
        &mut self,
        display: &mut D,
        report: impl FnOnce(&FrameReport),
    ) -> Result<(), FrameError<D::Error, P::Error>> {
        const { assert!(CLOTHS + SWARMS <= ACTORS) };
        self.viewer.step();
        let frame = self.work();
        self.next_frame = self.next_frame.wrapping_add(1);
        let pin = self.pin.set_state(PinState::from(frame.over_budget() > 0));
        report(&frame);
        let drawn = self.draw(display);
        pin.map_err(FrameError::Pin)?;
        drawn.map_err(FrameError::Display)
    }

    fn work(&mut self) -> FrameReport {
        let Self { scene, cloth, particles, clock, viewer, budget, time, next_frame, .. } = self;
        let step = BodyStep { time: *time, wind: wind(*next_frame) };
        let start = clock.now();
        // An invalid time or eye leaves ages or the last eye unchanged.
        let _ = scene.advance_ages(*time);
        let _ = scene.set_eyes(&[viewer.eye()]);
        let plan = scene.tick(*budget);
        FrameReport {
            frame: *next_frame,
            budget: plan.budget(),
            fixed: plan.reserved_ns(),
            headroom: plan.headroom(),
            load: plan.load(),
            decision: plan.decision(),
            decision_time: clock.now().saturating_sub(start),
            cloth: measure(scene, cloth, clock, step),
            particles: measure(scene, particles, clock, step),
        }
    }

    fn draw<D: Display>(&self, display: &mut D) -> Result<(), D::Error> {
        display.clear(BinaryColor::Off)?;
        let camera = Camera::new(self.viewer.eye(), display.bounding_box().size);
        self.cloth.draw(&self.scene, &camera, display)?;
        self.particles.draw(&self.scene, &camera, display)?;
        display.show()
    }
}

/// Does the work of a module, and lets the scene observe its time.
fn measure<N: Real, B: Body<N>, C: Clock, const LEN: usize, const ACTORS: usize>(
    scene: &mut BodyScene<N, ACTORS>,
    module: &mut BodyModule<B, LEN>,
    clock: &mut C,
    step: BodyStep<N>,
) -> ModuleFrameReport {
    let id = module.id();
    let start = clock.now();
    let (units, levels) = module.step(scene, step);
    let measured = clock.now().saturating_sub(start);
    let Some(plan) = scene.plan().module(id) else { return ModuleFrameReport::NONE };
    // The module exists.
    let _ = scene.observe_units(id, units.into(), measured);
    let count = |actors: usize| u16::try_from(actors).unwrap_or(u16::MAX);
    ModuleFrameReport {
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

#[allow(clippy::cast_precision_loss)] // a short period of frames
fn wind<N: Real>(frame: u32) -> N {
    // 125 frames are a whole turn, except for half a degree.
    let gale = GALE * F32((frame % 125) as f32 * TURN).sin().0;
    N::from_f64(gale.into()).unwrap_or(N::ZERO)
}

/// The conditions of a frame for a body.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyStep<N> {
    /// The time since the last frame, in seconds.
    pub time: N,
    /// The wind's acceleration along z, in m/s².
    pub wind: N,
}

/// The part of an actor that does the work.
///
/// # For implementors
/// All bodies of a type have the same levels and the same work at each. The time of a step is about proportional to its
/// units, as unit costs require. No function panics; a level beyond the highest does nothing.
pub trait Body<N: Real> {
    /// Returns the units of a step at a level; `None` beyond the highest. Units do not decrease.
    fn units(level: u8) -> Option<u32>;

    /// Does the work of a frame.
    fn step(&mut self, level: u8, step: BodyStep<N>);

    /// Draws the visible part at the position `at`, in metres.
    ///
    /// # Errors
    /// If the display fails.
    fn draw<D>(&self, at: [N; 3], camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>;
}

/// An actor to spawn.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyActor<N, B> {
    /// Position, age and speed.
    pub state: ActorState<N>,
    /// The radius of its bounding sphere, in metres.
    pub radius: N,
    /// The body.
    pub body: B,
}

/// The error of [`BodyModule::spawn`], which returns the actor.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodySpawnError<N, B> {
    /// The actor that was not spawned.
    pub actor: BodyActor<N, B>,
    /// The reason.
    pub problem: SpawnProblem,
}

/// The reason why an actor was not spawned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SpawnProblem {
    /// There is no space for another actor.
    Full,
    /// The radius is invalid.
    Invalid(ValueError),
}

/// Up to `LEN` bodies of one type, whose actors are in one module of the scene.
#[derive(Debug)]
pub struct BodyModule<B, const LEN: usize> {
    id: ModuleId,
    bodies: Vec<(ActorId, B), LEN>,
}

impl<B, const LEN: usize> BodyModule<B, LEN> {
    /// Makes a module without bodies.
    #[must_use]
    pub const fn new(id: ModuleId) -> Self {
        Self { id, bodies: Vec::new() }
    }

    /// Returns the module of the scene.
    #[must_use]
    pub const fn id(&self) -> ModuleId {
        self.id
    }

    /// Returns the number of bodies.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Spawns an actor.
    ///
    /// # Errors
    /// Returns the actor if there is no space for it or its radius is invalid.
    pub fn spawn<N: Real, const ACTORS: usize>(
        &mut self,
        scene: &mut BodyScene<N, ACTORS>,
        actor: BodyActor<N, B>,
    ) -> Result<ActorId, BodySpawnError<N, B>>
    where
        B: Body<N>,
    {
        if self.bodies.is_full() {
            return Err(BodySpawnError { actor, problem: SpawnProblem::Full });
        }
        let work: Vec<u32, MAX_LEVELS> =
            (0..=u8::MAX).map_while(B::units).take(MAX_LEVELS).collect();
        let spawned = lodger_heapless::Actor::from_state(actor.state, actor.radius, &work);
        match scene.spawn(self.id, spawned).map_err(SceneError::from) {
            Ok(id) => {
                // There is space.
                let _ = self.bodies.push((id, actor.body));
                Ok(id)
            }
            Err(SceneError::Invalid(error)) => {
                Err(BodySpawnError { actor, problem: SpawnProblem::Invalid(error) })
            }
            Err(_) => Err(BodySpawnError { actor, problem: SpawnProblem::Full }),
        }
    }

    /// Despawns an actor and returns its body; `None` if it does not exist.
    pub fn despawn<N: Real, const ACTORS: usize>(
        &mut self,
        scene: &mut BodyScene<N, ACTORS>,
        id: ActorId,
    ) -> Option<B> {
        let place = self.bodies.iter().position(|(other, _)| *other == id)?;
        // The scene may not have it any more.
        let _ = scene.despawn(id);
        Some(self.bodies.swap_remove(place).1)
    }

    /// Does the work of all bodies at the planned levels; returns the units, and the number of bodies at each level.
    fn step<N: Real, const ACTORS: usize>(
        &mut self,
        scene: &BodyScene<N, ACTORS>,
        step: BodyStep<N>,
    ) -> (u32, [u16; MAX_LEVELS])
    where
        B: Body<N>,
    {
        let plan = scene.plan();
        let (mut units, mut levels) = (0_u32, [0_u16; MAX_LEVELS]);
        for (id, body) in &mut self.bodies {
            let Some(level) = plan.level(*id) else { continue };
            body.step(level, step);
            units = units.saturating_add(B::units(level).unwrap_or(0));
            if let Some(count) = levels.get_mut(usize::from(level)) {
                *count = count.saturating_add(1);
            }
        }
        (units, levels)
    }

    fn draw<D, N: Real, const ACTORS: usize>(
        &self,
        scene: &BodyScene<N, ACTORS>,
        camera: &Camera<N>,
        display: &mut D,
    ) -> Result<(), D::Error>
    where
        B: Body<N>,
        D: DrawTarget<Color = BinaryColor>,
    {
        for (id, body) in &self.bodies {
            if let Some(place) = scene.position(*id) {
                body.draw(place, camera, display)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
pub(crate) mod tests;
