//! Random numbers that are the same on every machine.

use std::f64::consts::TAU;

/// Independent streams of one seed: a further draw from one does not change another.
#[derive(Debug, Clone, Copy)]
pub(crate) enum StreamKind {
    Actors = 1,
    Walkers = 2,
    Costs = 3,
}

/// A generator of 64 bits at a time.
///
/// Source: `SplitMix64`, in Steele, Lea and Flood, "Fast splittable pseudorandom number
/// generators", 2014.
#[derive(Debug, Clone)]
pub(crate) struct RandomStream(u64);

impl RandomStream {
    pub(crate) fn new(seed: u64, stream: StreamKind) -> Self {
        let mut streams = Self(stream as u64);
        Self(seed ^ streams.bits())
    }

    fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    /// A number from 0 to below 1.
    #[expect(clippy::cast_precision_loss, reason = "53 bits fit")]
    pub(crate) fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn between(&mut self, min: f64, max: f64) -> f64 {
        min + (max - min) * self.unit()
    }

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "below the count")]
    pub(crate) fn one_of(&mut self, count: u32) -> usize {
        (self.unit() * f64::from(count)) as usize
    }

    pub(crate) fn heading(&mut self) -> [f64; 2] {
        let angle = self.between(0.0, TAU);
        [libm::cos(angle), libm::sin(angle)]
    }

    /// A number of the standard normal distribution, by Box and Muller.
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * libm::log(1.0 - self.unit())).sqrt();
        radius * libm::cos(TAU * self.unit())
    }

    /// A factor whose logarithm is normal, with a mean of 1 and about this relative deviation.
    pub(crate) fn factor(&mut self, deviation: f64) -> f64 {
        libm::exp(deviation * self.normal() - deviation * deviation / 2.0)
    }
}

#[cfg(test)]
mod tests {
    use super::{RandomStream, StreamKind};

    #[test]
    fn the_numbers_are_those_of_the_paper() {
        // The first numbers of SplitMix64 from the seed 1234567.
        let mut random = RandomStream(1_234_567);
        assert_eq!(
            [random.bits(), random.bits()],
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973]
        );
    }

    #[test]
    fn factors_have_the_requested_mean_and_deviation() {
        let mut random = RandomStream::new(1, StreamKind::Costs);
        let factors: Vec<_> = (0..20_000).map(|_| random.factor(0.2)).collect();
        let mean = factors.iter().sum::<f64>() / 20_000.0;
        let variance = factors.iter().map(|factor| (factor - mean).powi(2)).sum::<f64>() / 20_000.0;
        assert!((mean - 1.0).abs() < 0.005, "{mean}");
        assert!((variance.sqrt() - 0.2).abs() < 0.01, "{variance}");
    }

    #[test]
    fn streams_differ() {
        let first = |stream| RandomStream::new(7, stream).bits();
        assert_ne!(first(StreamKind::Costs), first(StreamKind::Actors));
        assert_eq!(first(StreamKind::Costs), first(StreamKind::Costs));
    }
}
