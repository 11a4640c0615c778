//! Numbers by chance, the same in every run and everywhere.

use lodger_testkit::SplitMix64;

/// Random choices.
#[derive(Clone)]
pub struct Random(SplitMix64);

impl Random {
    /// The same choices for the same seed.
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    /// 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0.next_u64()
    }

    /// Below an end, which is not 0.
    pub fn below(&mut self, end: u64) -> u64 {
        ((u128::from(self.bits()) * u128::from(end)) >> 64) as u64
    }

    /// The same as a place in a column.
    pub fn index(&mut self, end: usize) -> usize {
        self.below(end as u64) as usize
    }

    /// One of so many times.
    pub fn one_in(&mut self, times: u64) -> bool {
        self.below(times) == 0
    }

    /// Below 2 to the so many, each number of bits as likely as another.
    pub fn magnitude(&mut self, bits: u64) -> u64 {
        let bits = self.below(bits + 1);
        if bits == 0 { 0 } else { self.bits() >> (64 - bits) }
    }

    /// Like [`magnitude`](Self::magnitude), for 32 bits at most.
    pub fn magnitude_32(&mut self, bits: u64) -> u32 {
        self.magnitude(bits.min(32)) as u32
    }

    /// In another order.
    pub fn shuffle<T>(&mut self, items: &mut [T]) {
        for end in (1..items.len()).rev() {
            items.swap(end, self.index(end + 1));
        }
    }
}
