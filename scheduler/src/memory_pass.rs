//! The least that any tick does: it reads what benefits depend on, and writes a benefit and a level.
//!
//! A measure for `lodger bench`, and nobody's business otherwise. It decides nothing.

use lodger_core::benefit::Columns;

use crate::scene::Scene;

impl Scene<f32> {
    /// Reads 28 bytes of each actor (position, age, speed and the two constants of its importance), and
    /// writes 5 into memory that is lent: `words` and `bytes` of as many as there are actors. The scene
    /// stays as it is.
    #[doc(hidden)]
    pub fn memory_pass(&self, words: &mut [u32], bytes: &mut [u8]) {
        let (mut words, mut bytes) = (words, bytes);
        for module in &self.modules {
            let rows = module.rows.len().min(words.len()).min(bytes.len());
            let (of_module, others) = words.split_at_mut(rows);
            let (least, other_bytes) = bytes.split_at_mut(rows);
            pass(module.rows.observed(), of_module, least);
            (words, bytes) = (others, other_bytes);
        }
    }
}

/// One loop without a branch, over slices of one length.
#[allow(clippy::inline_always)] // into callers that may use wider vectors
#[inline(always)]
fn pass(columns: Columns<'_, f32>, words: &mut [u32], bytes: &mut [u8]) {
    let rows = words.len();
    let Columns { x, y, z, age, speed, curve } = columns;
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

#[cfg(test)]
mod tests {
    use lodger_core::units::{BenefitValue, Budget, UnitCost};

    use crate::{Actor, Module, Scene};

    #[test]
    fn every_row_is_read_and_written_once() {
        let mut scene = Scene::<f32>::new(Budget::from_ns(1_000));
        for (module, actors) in [("a", 3_u8), ("b", 0), ("c", 130)] {
            let price = (UnitCost::from_ns(1.0).unwrap(), BenefitValue::from_ns(1_000));
            let id = scene.add_module(Module::new(module, price.0, price.1)).unwrap();
            for n in 0..actors {
                scene.spawn(id, Actor::seen([n.into(), 1.0, 2.0], 1.0, &[0, 5])).unwrap();
            }
        }
        let (mut words, mut bytes) = ([0; 133], [0; 133]);
        scene.memory_pass(&mut words, &mut bytes);
        assert!(
            words.iter().zip(bytes).all(|(word, byte)| *word != 0 && (word >> 24) as u8 == byte)
        );
        assert_eq!(words[..3], words[3..6], "equal actors, equal words");
        scene.memory_pass(&mut words[..1], &mut []);
    }
}
