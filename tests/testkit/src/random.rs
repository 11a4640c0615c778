//! Random numbers that repeat.

use crate::{FNV_START, fnv1a};

/// The `SplitMix64` generator of Steele, Lea and Flood (2014), the same on every machine.
#[derive(Clone, Debug)]
pub struct SplitMix64(u64);

impl SplitMix64 {
    #[must_use]
    pub const fn new(seed: u64) -> Self {
        Self(seed)
    }

    pub fn of_case(seed: u64, class: &str, number: u64) -> Self {
        let mixed = Self::new(seed ^ fnv1a(FNV_START, class.as_bytes())).next_u64();
        Self::new(mixed ^ number.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    pub const fn next_u64(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// Returns a number below `end`, which must not be 0.
    pub const fn below(&mut self, end: u64) -> u64 {
        self.next_u64() % end
    }

    /// Returns a number from `min` to `max`, as [`below`](Self::below) draws it.
    pub fn within<T: TryFrom<u64>>(&mut self, min: T, max: T) -> T
    where
        u64: TryFrom<T>,
    {
        let bound = |bound: T| u64::try_from(bound).unwrap_or_default();
        let (min, max) = (bound(min), bound(max));
        T::try_from(min + self.below(max - min + 1)).ok().expect("at most the maximum")
    }

    /// Returns true in `share` of 100 cases.
    pub const fn percent(&mut self, share: u64) -> bool {
        self.below(100) < share
    }

    /// Returns a number of at least 0 and below 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub const fn unit(&mut self) -> f64 {
        (self.next_u64() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub const fn real(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.unit()
    }

    /// Returns a number of at least `min` and below `max`, each order of magnitude as likely as another.
    pub fn log_real(&mut self, min: f64, max: f64) -> f64 {
        self.real(min.ln(), max.ln()).exp()
    }

    /// Returns a number below `end`, or 0 if `end` is 0.
    pub fn index(&mut self, end: usize) -> usize {
        let wide = u128::from(self.next_u64()) * (end as u128);
        usize::try_from(wide >> 64).unwrap_or_default()
    }

    pub fn between(&mut self, first: usize, last: usize) -> usize {
        first + self.index(last.saturating_sub(first) + 1)
    }

    /// Returns a number up to `last`, mostly small: each number of bits is as likely as another.
    pub fn spread(&mut self, last: usize) -> usize {
        let bits = usize::try_from(last.ilog2()).unwrap_or_default() + 1;
        let end = 1 << self.between(1, bits);
        self.index(end).min(last)
    }

    /// Returns a number of at most `bits` bits, each number of bits as likely as another.
    pub fn magnitude(&mut self, bits: usize) -> u64 {
        let bits = self.index(bits + 1);
        if bits == 0 { 0 } else { self.next_u64() >> (64 - bits) }
    }

    pub fn one_in(&mut self, chances: usize) -> bool {
        self.index(chances) == 0
    }

    pub fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.index(list.len())]
    }

    pub fn shuffle<T>(&mut self, list: &mut [T]) {
        for end in (1..list.len()).rev() {
            list.swap(end, self.index(end + 1));
        }
    }

    pub fn noise(&mut self, count: usize) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(count + 8);
        while bytes.len() < count {
            bytes.extend(self.next_u64().to_le_bytes());
        }
        bytes.truncate(count);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::SplitMix64;

    /// Compares with the published numbers of seed 1234567.
    #[test]
    fn the_sequence_is_the_published_one() {
        let mut random = SplitMix64::new(1_234_567);
        let first = [6_457_827_717_110_365_317, 3_203_168_211_198_807_973];
        assert_eq!([random.next_u64(), random.next_u64()], first);
    }

    #[test]
    fn a_case_repeats_and_differs_from_others() {
        let draw = |seed, class, number| SplitMix64::of_case(seed, class, number).noise(32);
        assert_eq!(draw(1, "tar", 5), draw(1, "tar", 5));
        assert_ne!(draw(1, "tar", 5), draw(1, "tar", 6));
        assert_ne!(draw(1, "tar", 5), draw(1, "xml", 5));
        assert_ne!(draw(1, "tar", 5), draw(2, "tar", 5));
    }

    #[test]
    fn numbers_stay_in_their_range_and_reach_its_ends() {
        let mut random = SplitMix64::of_case(7, "ends", 0);
        let drawn: Vec<_> = (0..500).map(|_| random.between(3, 6)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&3), Some(&6)));
        assert!((0..500).all(|_| random.spread(1000) <= 1000));
        assert_eq!(random.index(0), 0);
    }
}
