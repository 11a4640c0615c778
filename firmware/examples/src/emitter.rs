//! An emitter: sparks that fly and fall, as many as its level has.

/// How many emitters there are.
pub const EMITTERS: usize = 6;
/// The sparks at each level.
pub const SPARKS: [u32; 5] = [6, 12, 24, 48, 96];
/// The most sparks, and a fifth more.
const MOST: usize = 116;

/// A source of sparks.
#[derive(Debug, Clone)]
pub struct Emitter {
    height: [f32; MOST],
    rise: [f32; MOST],
}

impl Emitter {
    /// A source whose sparks are on the ground.
    #[must_use]
    pub const fn new() -> Self {
        Self { height: [0.0; MOST], rise: [0.0; MOST] }
    }

    /// Moves so many sparks by 4 ms, and returns how many of them are in the air.
    // A function of its own: a spark takes the same wherever it flies.
    #[inline(never)]
    pub fn fly(&mut self, sparks: u32) -> u32 {
        let sparks = usize::try_from(sparks).unwrap_or(MOST).min(MOST);
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

impl Default for Emitter {
    fn default() -> Self {
        Self::new()
    }
}
