//! Choices that come again with the same seed.

use crate::splitmix::SplitMix64;

/// A generator of choices.
#[derive(Clone, Debug)]
pub(super) struct Random(SplitMix64);

impl Random {
    /// The generator of a case: that of no other class or number, whatever runs beside it.
    pub(super) fn of_case(seed: u64, class: &str, number: u64) -> Self {
        // FNV-1a over the name, so that neighbouring classes have nothing in common.
        let hash = class.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
            (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
        });
        let mixed = SplitMix64::new(seed ^ hash).next();
        Self(SplitMix64::new(mixed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15)))
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `end`, or 0 where `end` is 0.
    pub(super) fn below(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next()) * (end as u128);
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    /// A number from `first` to `last`.
    pub(super) fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.below(last.saturating_sub(first) + 1)
    }

    /// A number up to `last` whose number of bits is as likely as any other: mostly small.
    pub(super) fn spread(&mut self, last: usize) -> usize {
        let bits = usize::try_from(last.ilog2()).unwrap_or_default() + 1;
        let end = 1 << self.between(1, bits);
        self.below(end).min(last)
    }

    /// Whether the one chance in so many came.
    pub(super) fn one_in(&mut self, chances: usize) -> bool {
        self.below(chances) == 0
    }

    /// One of a list that is not empty.
    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// So many bytes of noise.
    pub(super) fn noise(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend(self.next().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::Random;

    #[test]
    fn a_case_comes_again_and_is_like_no_other() {
        let draw = |seed, class, number| Random::of_case(seed, class, number).noise(32);
        assert_eq!(draw(1, "tar", 5), draw(1, "tar", 5));
        assert_ne!(draw(1, "tar", 5), draw(1, "tar", 6));
        assert_ne!(draw(1, "tar", 5), draw(1, "xml", 5));
        assert_ne!(draw(1, "tar", 5), draw(2, "tar", 5));
    }

    #[test]
    fn choices_keep_to_their_range_and_reach_its_ends() {
        let mut random = Random::of_case(7, "ends", 0);
        let drawn: Vec<_> = (0..500).map(|_| random.between(3, 6)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&3), Some(&6)));
        assert!((0..500).all(|_| random.spread(1000) <= 1000));
        assert_eq!(random.below(0), 0);
    }
}
