//! A voice: a saw wave through a low pass, as many samples of it as its level has.

/// How many voices there are.
pub const VOICES: usize = 12;
/// The samples of a frame at each level.
pub const SAMPLES: [u32; 5] = [24, 48, 96, 192, 384];

/// A voice that sounds.
#[derive(Debug, Clone)]
pub struct Voice {
    phase: u32,
    step: u32,
    low: i32,
}

impl Voice {
    /// A voice of the pitch of that many semitones above the lowest.
    #[must_use]
    pub const fn new(semitone: u32) -> Self {
        Self { phase: 0, step: 9_000_000 + 540_000 * semitone, low: 0 }
    }

    /// Makes so many samples, and returns the last.
    // A function of its own: a sample takes the same wherever it is made.
    #[inline(never)]
    pub fn sound(&mut self, samples: u32) -> i32 {
        for _ in 0..samples {
            self.phase = self.phase.wrapping_add(self.step);
            let saw = (self.phase >> 16).cast_signed() - 0x8000;
            self.low += (saw - self.low) >> 4;
        }
        self.low
    }
}
