//! Voices, each a saw wave through a low pass, and emitters of flying sparks, with noise in the time of their work. A
//! level is a number of samples or sparks.

use core::hint::black_box;

pub const VOICES: usize = 12;
/// The samples of a frame at each level.
pub const SAMPLES: [u32; 5] = [24, 48, 96, 192, 384];

#[derive(Debug, Clone)]
struct Voice {
    phase: u32,
    step: u32,
    low: i32,
}

impl Voice {
    /// The pitch is in semitones above the lowest voice.
    const fn new(semitone: u32) -> Self {
        Self { phase: 0, step: 9_000_000 + 540_000 * semitone, low: 0 }
    }

    // Not inlined, so that a sample takes the same time everywhere.
    #[inline(never)]
    fn sound(&mut self, samples: u32) -> i32 {
        for _ in 0..samples {
            self.phase = self.phase.wrapping_add(self.step);
            let saw = (self.phase >> 16).cast_signed() - 0x8000;
            self.low += (saw - self.low) >> 4;
        }
        self.low
    }
}

pub const EMITTERS: usize = 6;
pub const SPARKS: [u32; 5] = [6, 12, 24, 48, 96];
/// The maximum number of sparks plus a fifth.
const MAX_SPARKS: usize = 116;

#[derive(Debug, Clone)]
struct Emitter {
    height: [f32; MAX_SPARKS],
    rise: [f32; MAX_SPARKS],
}

impl Emitter {
    const fn new() -> Self {
        Self { height: [0.0; MAX_SPARKS], rise: [0.0; MAX_SPARKS] }
    }

    /// Moves sparks by 4 ms, and returns how many of them are in the air.
    // Not inlined, so that a spark takes the same time everywhere.
    #[inline(never)]
    fn fly(&mut self, sparks: u32) -> u32 {
        let sparks = usize::try_from(sparks).unwrap_or(MAX_SPARKS).min(MAX_SPARKS);
        let mut flying = 0;
        for (height, rise) in self.height.iter_mut().zip(&mut self.rise).take(sparks) {
            *rise -= 9.81 * 0.004;
            *height += *rise * 0.004;
            if *height > 0.0 {
                flying += 1;
            } else {
                (*height, *rise) = (0.0, 3.0 - *rise * 0.25);
            }
        }
        flying
    }
}

#[derive(Debug, Clone)]
struct VoiceNoise(u32);

impl VoiceNoise {
    /// Replaces a seed of 0, which yields only zeros.
    const fn new(seed: u32) -> Self {
        Self(if seed == 0 { 1 } else { seed })
    }

    /// Returns a uniform random number from 80 % to 120 % of `units`.
    fn around(&mut self, units: u32) -> u32 {
        // Marsaglia's xorshift of 32 bits (2003).
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        // From 0.8 to 1.2, in 2⁻¹⁶.
        let factor = 52_429 + (((self.0 >> 16) * 26_214) >> 16);
        (units * factor + (1 << 15)) >> 16
    }
}

#[derive(Debug)]
pub struct Sound {
    voices: [Voice; VOICES],
    noise: VoiceNoise,
}

impl Default for Sound {
    fn default() -> Self {
        let mut semitones = 0..;
        let voices = core::array::from_fn(|_| Voice::new(semitones.next().unwrap_or(0)));
        Self { voices, noise: VoiceNoise::new(0x1_0D6E) }
    }
}

impl Sound {
    pub fn work(&mut self, levels: &[u8; VOICES]) {
        for (voice, &level) in self.voices.iter_mut().zip(levels) {
            let samples = SAMPLES.get(usize::from(level)).copied().unwrap_or(0);
            black_box(voice.sound(self.noise.around(samples)));
        }
    }
}

/// All emitters, which are large: keep them in a static.
#[derive(Debug)]
pub struct Sparks {
    emitters: [Emitter; EMITTERS],
    noise: VoiceNoise,
}

impl Default for Sparks {
    fn default() -> Self {
        Self { emitters: [const { Emitter::new() }; EMITTERS], noise: VoiceNoise::new(0x5_9A2C) }
    }
}

impl Sparks {
    pub fn work(&mut self, levels: &[u8; EMITTERS]) {
        for (emitter, &level) in self.emitters.iter_mut().zip(levels) {
            let sparks = SPARKS.get(usize::from(level)).copied().unwrap_or(0);
            black_box(emitter.fly(self.noise.around(sparks)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn noise_is_at_most_a_fifth_and_its_mean_is_zero() {
        let mut noise = VoiceNoise::new(7);
        let all: Vec<_> = (0..10_000).map(|_| noise.around(1_000)).collect();
        assert!(all.iter().all(|units| (800..=1_200).contains(units)));
        assert!(all.iter().min() < Some(&805) && all.iter().max() > Some(&1_195));
        let mean = f64::from(all.iter().sum::<u32>()) / 10_000.0;
        assert!((mean - 1_000.0).abs() < 5.0, "{mean}");
    }
}
