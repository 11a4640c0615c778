//! Choices that come again with the same seed.

use crate::splitmix::SplitMix64;

/// A generator of choices.
#[derive(Clone, Debug)]
pub(super) struct Random(SplitMix64);

impl Random {
    pub(super) const fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// The next 64 bits.
    pub(super) fn next(&mut self) -> u64 {
        self.0.next()
    }

    /// A number below `end`, which is not 0.
    pub(super) fn below(&mut self, end: u32) -> u32 {
        u32::try_from((u128::from(self.next()) * u128::from(end)) >> 64).unwrap_or_default()
    }

    /// A number from `first` to `last`.
    pub(super) fn between(&mut self, first: u32, last: u32) -> u32 {
        first + self.below(last - first + 1)
    }

    /// Whether the one chance in so many came.
    pub(super) fn one_in(&mut self, chances: u32) -> bool {
        self.below(chances) == 0
    }

    /// A number from `low` to below `high`, with all the bits that a double has.
    #[allow(clippy::cast_precision_loss)] // 53 bits are a double's
    pub(super) fn real(&mut self, low: f64, high: f64) -> f64 {
        low + (high - low) * ((self.next() >> 11) as f64 / (1_u64 << 53) as f64)
    }

    /// The same, narrowed.
    #[allow(clippy::cast_possible_truncation)] // that is what is wanted
    pub(super) fn float(&mut self, low: f64, high: f64) -> f32 {
        self.real(low, high) as f32
    }

    /// One of a list that is not empty.
    pub(super) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(u32::try_from(list.len()).unwrap_or(u32::MAX)) as usize]
    }
}
