//! The memory traffic of a minimal tick, as a baseline for `lodger bench`: reads the inputs of benefits, and
//! writes a benefit and a level.

use lodger_core::benefit::StateColumns;

use crate::parallel::{ExecutionSettings, SimdKernel, join};
use crate::scene::Scene;

impl Scene<f32> {
    /// Reads 28 bytes of each actor (position, age, speed, two constants of its importance), and writes 5 bytes to
    /// `words` and `bytes`, one element of each for an actor.
    #[doc(hidden)]
    pub fn memory_pass(&self, words: &mut [u32], bytes: &mut [u8]) {
        let exec = self.data.execution();
        let (mut words, mut bytes) = (words, bytes);
        for states in &self.states {
            let rows = states.age.len().min(words.len()).min(bytes.len());
            let columns = states.columns(0..rows);
            let (words_of_module, other_words) = words.split_at_mut(rows);
            let (bytes_of_module, other_bytes) = bytes.split_at_mut(rows);
            Pass { columns, words: words_of_module, bytes: bytes_of_module }.on(exec);
            (words, bytes) = (other_words, other_bytes);
        }
    }
}

struct Pass<'a> {
    columns: StateColumns<'a, f32>,
    words: &'a mut [u32],
    bytes: &'a mut [u8],
}

impl Pass<'_> {
    fn on(self, exec: ExecutionSettings) {
        if let Some(half) = exec.half(self.words.len()) {
            let columns = self.columns.rows(0, half);
            let other_columns = self.columns.rows(half, self.words.len() - half);
            let (words, other_words) = self.words.split_at_mut(half);
            let (bytes, other_bytes) = self.bytes.split_at_mut(half);
            let first = Pass { columns, words, bytes };
            let other = Pass { columns: other_columns, words: other_words, bytes: other_bytes };
            join(|| first.on(exec), || other.on(exec));
            return;
        }
        exec.simd_level.run(self);
    }
}

impl SimdKernel for Pass<'_> {
    type Output = ();

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) {
        let Pass { columns: StateColumns { x, y, z, age, speed, curve }, words, bytes } = self;
        let rows = words.len();
        let (x, y, z, age) = (&x[..rows], &y[..rows], &z[..rows], &age[..rows]);
        let (speed, curve, bytes) = (&speed[..rows], &curve[..rows], &mut bytes[..rows]);
        for row in 0..rows {
            let place = x[row].to_bits() ^ y[row].to_bits() ^ z[row].to_bits();
            let constants = curve[row].a.to_bits() ^ curve[row].minus_b.to_bits();
            let word = place ^ age[row].to_bits() ^ speed[row].to_bits() ^ constants;
            words[row] = word;
            bytes[row] = word.to_le_bytes()[3];
        }
    }
}
