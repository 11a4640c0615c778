//! Numbers by chance that come again with the same seed.

/// A generator of 64 bits: small, and the same on every machine.
#[derive(Clone, Debug)]
pub(crate) struct Chance(u64);

impl Chance {
    /// The generator of one thing of a kind.
    pub(crate) const fn of(seed: u64, kind: u64, number: u64) -> Self {
        Self(mix(mix(seed ^ mix(kind)) ^ number))
    }

    /// The next 64 bits.
    pub(crate) const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        mix(self.0)
    }

    /// A whole number below `end`, which is above 0.
    pub(crate) fn below(&mut self, end: u64) -> u64 {
        let wide = u128::from(self.next()) * u128::from(end);
        u64::try_from(wide >> 64).unwrap_or(0)
    }

    /// Whether something of this chance, in percent, is so.
    pub(crate) fn percent(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }

    /// A number from 0 to below 1.
    #[allow(clippy::cast_precision_loss)] // 24 bits fit
    pub(crate) fn part(&mut self) -> f32 {
        (self.next() >> 40) as f32 / (1 << 24) as f32
    }

    /// A number between two.
    pub(crate) fn between(&mut self, from: f32, to: f32) -> f32 {
        from + (to - from) * self.part()
    }
}

/// The finaliser of `SplitMix64`; no two numbers give the same.
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}
