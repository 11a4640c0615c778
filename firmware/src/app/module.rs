//! The bodies of a module's actors: their work at each level, and how an actor comes in.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use heapless::Vec;
use lodger_core::benefit::State;
use lodger_core::{Error, Real};
use lodger_heapless::{ActorId, ModuleId, Plan, Scene, SceneError};

use crate::display::Camera;
use crate::report::MAX_LEVELS;

/// One frame as a body sees it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Step<N> {
    /// The time since the last frame, in seconds.
    pub time: N,
    /// The wind's acceleration along z, in m/s².
    pub wind: N,
}

/// The part of an actor that works: what is behind its position.
///
/// # For implementors
/// All bodies of a type have the same levels and the same work at each. What a step takes is about
/// proportional to its units, whatever the level: that is what makes a unit cost mean something.
/// Neither function panics; a level that there is not does nothing.
pub trait Body<N: Real> {
    /// The units of work of a step at a level; `None` beyond the highest. They do not decrease.
    fn units(level: u8) -> Option<u32>;

    /// Does the work of a frame.
    fn step(&mut self, level: u8, step: Step<N>);

    /// Draws what is seen of it when it stands at `at`, in metres.
    ///
    /// # Errors
    /// Those of the display.
    fn draw<D>(&self, at: [N; 3], camera: &Camera<N>, display: &mut D) -> Result<(), D::Error>
    where
        D: DrawTarget<Color = BinaryColor>;
}

/// What a module takes in: where something is, how large it is and what it does.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodyActor<N, B> {
    /// Position, age and speed.
    pub state: State<N>,
    /// The radius of its bounding sphere, in metres.
    pub radius: N,
    /// What the actor does.
    pub body: B,
}

/// An actor that was not taken, and why.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BodySpawnError<N, B> {
    /// The actor, as it was given.
    pub actor: BodyActor<N, B>,
    /// Why it was not taken.
    pub problem: SpawnProblem,
}

/// Why an actor was not taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum SpawnProblem {
    /// There is no memory for another one.
    Full,
    /// Its radius makes no sense.
    Invalid(Error),
}

/// Up to `LEN` bodies of a type, whose actors are in a module of the scene.
#[derive(Debug)]
pub struct BodyModule<B, const LEN: usize> {
    id: ModuleId,
    bodies: Vec<(ActorId, B), LEN>,
}

impl<B, const LEN: usize> BodyModule<B, LEN> {
    /// No bodies yet.
    #[must_use]
    pub const fn new(id: ModuleId) -> Self {
        Self { id, bodies: Vec::new() }
    }

    /// Which module of the scene it is.
    #[must_use]
    pub const fn id(&self) -> ModuleId {
        self.id
    }

    /// How many bodies there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.bodies.len()
    }

    /// Whether there is no body.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bodies.is_empty()
    }

    /// Takes an actor in.
    ///
    /// # Errors
    /// Gives the actor back when there is no memory for it or its radius is refused.
    pub fn spawn<N, const MODULES: usize, const ACTORS: usize, const COSTS: usize>(
        &mut self,
        scene: &mut Scene<N, MODULES, ACTORS, COSTS>,
        actor: BodyActor<N, B>,
    ) -> Result<ActorId, BodySpawnError<N, B>>
    where
        N: Real,
        B: Body<N>,
    {
        if self.bodies.is_full() {
            return Err(BodySpawnError { actor, problem: SpawnProblem::Full });
        }
        match self.admit(scene, actor.state, actor.radius) {
            Ok(id) => {
                // There is room.
                let _ = self.bodies.push((id, actor.body));
                Ok(id)
            }
            Err(SceneError::Invalid(error)) => {
                Err(BodySpawnError { actor, problem: SpawnProblem::Invalid(error) })
            }
            Err(_) => Err(BodySpawnError { actor, problem: SpawnProblem::Full }),
        }
    }

    /// Adds an actor with the work of the bodies to the scene.
    fn admit<N, const MODULES: usize, const ACTORS: usize, const COSTS: usize>(
        &self,
        scene: &mut Scene<N, MODULES, ACTORS, COSTS>,
        state: State<N>,
        radius: N,
    ) -> Result<ActorId, SceneError>
    where
        N: Real,
        B: Body<N>,
    {
        let work: Vec<u32, MAX_LEVELS> =
            (0..=u8::MAX).map_while(B::units).take(MAX_LEVELS).collect();
        let actor = lodger_heapless::Actor::in_state(state, radius, &work);
        scene.spawn(self.id, actor).map_err(SceneError::from)
    }

    /// Takes an actor out and gives its body back; `None` if it is gone already.
    pub fn despawn<N: Real, const MODULES: usize, const ACTORS: usize, const COSTS: usize>(
        &mut self,
        scene: &mut Scene<N, MODULES, ACTORS, COSTS>,
        id: ActorId,
    ) -> Option<B> {
        let place = self.bodies.iter().position(|(other, _)| *other == id)?;
        // It may have left by itself.
        let _ = scene.despawn(id);
        Some(self.bodies.swap_remove(place).1)
    }

    /// Does everybody's work as it was planned, and returns how many units it was, and how many are at
    /// each level.
    pub(super) fn step<N, const MODULES: usize, const ACTORS: usize, const COSTS: usize>(
        &mut self,
        plan: Plan<'_, N, MODULES, ACTORS, COSTS>,
        step: Step<N>,
    ) -> (u32, [u16; MAX_LEVELS])
    where
        N: Real,
        B: Body<N>,
    {
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

    /// Draws everybody.
    pub(super) fn draw<D, N, const MODULES: usize, const ACTORS: usize, const COSTS: usize>(
        &self,
        scene: &Scene<N, MODULES, ACTORS, COSTS>,
        camera: &Camera<N>,
        display: &mut D,
    ) -> Result<(), D::Error>
    where
        N: Real,
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
