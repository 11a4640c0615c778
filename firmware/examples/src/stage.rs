//! The work of both modules: what takes time in a frame, and never quite what it should.

use core::hint::black_box;

use crate::emitter::{EMITTERS, Emitter, SPARKS};
use crate::noise::Noise;
use crate::voice::{SAMPLES, VOICES, Voice};

/// All voices.
#[derive(Debug)]
pub struct Sound {
    voices: [Voice; VOICES],
    noise: Noise,
}

impl Sound {
    /// Voices that have not sounded yet.
    #[must_use]
    pub fn new() -> Self {
        let mut semitones = 0..;
        let voices = core::array::from_fn(|_| Voice::new(semitones.next().unwrap_or(0)));
        Self { voices, noise: Noise::new(0x1_0D6E) }
    }

    /// Sounds at those levels.
    pub fn work(&mut self, levels: &[u8; VOICES]) {
        for (voice, &level) in self.voices.iter_mut().zip(levels) {
            let samples = SAMPLES.get(usize::from(level)).copied().unwrap_or(0);
            black_box(voice.sound(self.noise.around(samples)));
        }
    }
}

impl Default for Sound {
    fn default() -> Self {
        Self::new()
    }
}

/// All emitters. They are large: keep them in a static.
#[derive(Debug)]
pub struct Sparks {
    emitters: [Emitter; EMITTERS],
    noise: Noise,
}

impl Sparks {
    /// Emitters that have not begun yet.
    #[must_use]
    pub const fn new() -> Self {
        Self { emitters: [const { Emitter::new() }; EMITTERS], noise: Noise::new(0x5_9A2C) }
    }

    /// Moves the sparks of those levels.
    pub fn work(&mut self, levels: &[u8; EMITTERS]) {
        for (emitter, &level) in self.emitters.iter_mut().zip(levels) {
            let sparks = SPARKS.get(usize::from(level)).copied().unwrap_or(0);
            black_box(emitter.fly(self.noise.around(sparks)));
        }
    }
}

impl Default for Sparks {
    fn default() -> Self {
        Self::new()
    }
}
