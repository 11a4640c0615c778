//! The bodies of one module's actors.

use embedded_graphics::draw_target::DrawTarget;
use embedded_graphics::pixelcolor::BinaryColor;
use heapless::Vec;
use lodger_core::Real;
use lodger_core::benefit::State;
use lodger_heapless::{ActorId, ModuleId, Plan, Scene, SceneError};

use super::actor::{Actor, Refusal, Refused};
use crate::app::{Body, Step};
use crate::display::Camera;
use crate::report::MAX_LEVELS;

/// Up to `LEN` bodies of a type, whose actors are in a module of the scene.
#[derive(Debug)]
pub struct Module<B, const LEN: usize> {
    id: ModuleId,
    bodies: Vec<(ActorId, B), LEN>,
}

impl<B, const LEN: usize> Module<B, LEN> {
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
        actor: Actor<N, B>,
    ) -> Result<ActorId, Refused<N, B>>
    where
        N: Real,
        B: Body<N>,
    {
        if self.bodies.is_full() {
            return Err(Refused { actor, why: Refusal::Full });
        }
        match self.admit(scene, actor.state, actor.radius) {
            Ok(id) => {
                // There is room.
                let _ = self.bodies.push((id, actor.body));
                Ok(id)
            }
            Err(SceneError::Invalid(error)) => Err(Refused { actor, why: Refusal::Invalid(error) }),
            Err(_) => Err(Refused { actor, why: Refusal::Full }),
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
