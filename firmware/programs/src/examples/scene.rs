//! The scene: modules and actors that share the budget, and their levels.

use heapless::Vec;
use lodger_heapless::{
    Actor, ActorId, Benefit, BenefitRule, BenefitTerms, BenefitValue, Budget, Hysteresis, Module,
    ModuleId, SceneError, UnitCost,
};

use super::modules::{EMITTERS, SAMPLES, SPARKS, VOICES};

/// Sparks count up to a distance of 20 m.
static NEARBY: BenefitRule<f32> =
    match BenefitRule::new_f32(BenefitTerms { max_distance: Some(20.0), ..BenefitTerms::DISTANCE })
    {
        Ok(rule) => rule,
        Err(_) => panic!("invalid terms"),
    };

pub type ExampleScene = lodger_heapless::Scene<f32, 2, { VOICES + EMITTERS }, 10>;

#[derive(Debug)]
pub struct SceneHandles {
    sound: ModuleId,
    sparks: ModuleId,
    voices: Vec<ActorId, VOICES>,
    emitters: Vec<ActorId, EMITTERS>,
    frame: u16,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ExampleLevels {
    pub voices: [u8; VOICES],
    pub emitters: [u8; EMITTERS],
}

impl SceneHandles {
    /// Fills an empty scene.
    ///
    /// # Errors
    /// If the scene is not empty.
    pub fn new(scene: &mut ExampleScene) -> Result<Self, SceneError> {
        // Estimates, which measurements correct.
        let [sample, spark] = [UnitCost::from_ns(500.0)?, UnitCost::from_ns(2_000.0)?];
        // A voice at full volume is worth 0.4 ms of a frame, and so is a near emitter.
        let worth = BenefitValue::from_ms(0.4)?;
        let sound = scene.add_module(Module::new(sample).benefit_value(worth))?;
        let sparks = scene.add_module(Module::new(spark).benefit_value(worth).rule(&NEARBY))?;
        let mut handles =
            Self { sound, sparks, voices: Vec::new(), emitters: Vec::new(), frame: 0 };
        for voice in 0..VOICES {
            let actor = Actor::from_benefit(volume(voice, 0)?, &SAMPLES);
            // There is space for each.
            let _ = handles.voices.push(scene.spawn(sound, actor)?);
        }
        for place in PLACES {
            let _ = handles.emitters.push(scene.spawn(sparks, Actor::at(place, 0.8, &SPARKS))?);
        }
        scene.set_hysteresis(Hysteresis::TYPICAL);
        Ok(handles)
    }

    /// Starts the next frame: volumes change, and the listener moves.
    ///
    /// # Errors
    /// If it is another scene.
    pub fn next_frame(&mut self, scene: &mut ExampleScene) -> Result<(), SceneError> {
        self.frame = self.frame.wrapping_add(1);
        for (number, &voice) in self.voices.iter().enumerate() {
            scene.set_benefit_override(voice, Some(volume(number, self.frame)?))?;
        }
        scene.set_eyes(&[[swing(self.frame, 512) * 6.0 - 3.0, 0.0, 0.0]])
    }

    pub fn decide(&self, scene: &mut ExampleScene, budget: Budget) -> ExampleLevels {
        let plan = scene.tick(budget);
        let mut levels = ExampleLevels::default();
        let ours = self.voices.iter().chain(&self.emitters);
        for (level, &actor) in levels.voices.iter_mut().chain(&mut levels.emitters).zip(ours) {
            *level = plan.level(actor).unwrap_or(0);
        }
        levels
    }

    /// Reports the time that the work of both modules took, in nanoseconds.
    ///
    /// # Errors
    /// If it is another scene.
    pub fn measured(
        &self,
        scene: &mut ExampleScene,
        [sound, sparks]: [u64; 2],
    ) -> Result<(), SceneError> {
        scene.observe_time(self.sound, sound)?;
        scene.observe_time(self.sparks, sparks)
    }
}

/// The positions of the emitters, in metres.
const PLACES: [[f32; 3]; EMITTERS] = [
    [-4.0, 0.0, 2.0],
    [-2.0, 0.0, 5.0],
    [-1.0, 0.0, 3.0],
    [1.0, 0.0, 9.0],
    [2.0, 0.0, 4.0],
    [3.0, 0.0, 2.5],
];

/// Returns the volume of a voice, from 0.4 to 1.
fn volume(voice: usize, frame: u16) -> Result<Benefit, SceneError> {
    let period = 300 + 40 * u16::try_from(voice).unwrap_or(0);
    Ok(Benefit::new(0.4 + 0.6 * swing(frame, period))?)
}

/// Returns a triangle wave from 0 to 1 and back, with a period in frames.
fn swing(frame: u16, period: u16) -> f32 {
    let part = f32::from(frame % period) / f32::from(period);
    1.0 - (2.0 * part - 1.0).abs()
}
