//! Work that does not take what it should.

/// Numbers that look random, and are the same in every run.
#[derive(Debug, Clone)]
pub struct Noise(u32);

impl Noise {
    /// The seed must not be 0, from which nothing comes.
    #[must_use]
    pub const fn new(seed: u32) -> Self {
        Self(if seed == 0 { 1 } else { seed })
    }

    /// So many units, and up to a fifth more or less: uniform.
    pub fn around(&mut self, units: u32) -> u32 {
        // Marsaglia's xorshift of 32 bits (2003).
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 17;
        self.0 ^= self.0 << 5;
        // From 0.8 to 1.2, in 2⁻¹⁶.
        let factor = 52_429 + (((self.0 >> 16) * 26_214) >> 16);
        (units * factor + (1 << 15)) >> 16
    }
}

#[cfg(test)]
mod tests {
    use super::Noise;

    #[test]
    fn noise_is_a_fifth_to_both_sides_and_nothing_on_the_mean() {
        let mut noise = Noise::new(7);
        let all: Vec<_> = (0..10_000).map(|_| noise.around(1_000)).collect();
        assert!(all.iter().all(|units| (800..=1_200).contains(units)));
        assert!(all.iter().min() < Some(&805) && all.iter().max() > Some(&1_195));
        let mean = f64::from(all.iter().sum::<u32>()) / 10_000.0;
        assert!((mean - 1_000.0).abs() < 5.0, "{mean}");
    }
}
