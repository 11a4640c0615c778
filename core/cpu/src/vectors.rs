//! Loops over many numbers, compiled for each kind of vectors.
//!
//! A compiler translates a loop without branches to vectors that every processor of the target has. This module compiles it
//! once more for each wider kind, and chooses when it runs.

#[cfg(all(feature = "detect", target_arch = "x86_64"))]
use std::sync::OnceLock;
use std::vec::Vec;

/// A loop over many numbers. [`run`](Self::run) and all that its loop calls is inlined; a function that is not is compiled
/// for the vectors of every processor.
pub trait SimdKernel {
    /// The result.
    type Output;

    /// Runs the loop.
    fn run(self) -> Self::Output;
}

/// A kind of vector instructions. One that the processor does not have stands for the widest narrower one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum SimdLevel {
    /// The widest vectors of the processor.
    #[default]
    Widest,
    /// The vectors of every processor of this architecture: SSE2, NEON.
    Baseline,
    /// AVX2, and what processors with it have: x86-64-v3.
    Avx2,
    /// AVX-512, and what servers with it have: x86-64-v4.
    Avx512,
}

impl SimdLevel {
    /// Returns the kinds that this processor has.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let wider = match widest() {
            Self::Avx512 => &[Self::Avx2, Self::Avx512][..],
            Self::Avx2 => &[Self::Avx2],
            Self::Baseline | Self::Widest => &[],
        };
        [&[Self::Widest, Self::Baseline], wider].concat()
    }

    /// Runs a loop with vectors of this kind.
    ///
    /// Each kind is called in one place only: a loop is inlined at each call.
    #[inline]
    pub fn run<K: SimdKernel>(self, kernel: K) -> K::Output {
        #[cfg(all(feature = "detect", target_arch = "x86_64"))]
        {
            let widest = widest();
            if matches!(self, Self::Widest | Self::Avx512) && widest == Self::Avx512 {
                #[allow(unsafe_code, reason = "a function for some processors")]
                // SAFETY: this processor has all instructions for which the function is compiled.
                return unsafe { avx512::run(kernel) };
            }
            if self != Self::Baseline && widest != Self::Baseline {
                #[allow(unsafe_code, reason = "a function for some processors")]
                // SAFETY: as above; those of AVX-512 contain those of AVX2.
                return unsafe { avx2::run(kernel) };
            }
        }
        kernel.run()
    }
}

/// Returns the widest kind of this processor.
#[cfg(all(feature = "detect", target_arch = "x86_64"))]
fn widest() -> SimdLevel {
    static WIDEST: OnceLock<SimdLevel> = OnceLock::new();
    *WIDEST.get_or_init(|| match (avx2::is_there(), avx512::is_there()) {
        (true, true) => SimdLevel::Avx512,
        (true, false) => SimdLevel::Avx2,
        (false, _) => SimdLevel::Baseline,
    })
}

#[cfg(not(all(feature = "detect", target_arch = "x86_64")))]
const fn widest() -> SimdLevel {
    SimdLevel::Baseline
}

/// Makes a module with a function for a kind of vectors, and whether this processor has it.
#[cfg(all(feature = "detect", target_arch = "x86_64"))]
macro_rules! compiled_for {
    ($name:ident: $($feature:tt)*) => {
        mod $name {
            use super::SimdKernel;

            pub(super) fn is_there() -> bool {
                $(std::arch::is_x86_feature_detected!($feature))&&*
            }

            $(#[target_feature(enable = $feature)])*
            pub(super) fn run<K: SimdKernel>(kernel: K) -> K::Output {
                kernel.run()
            }
        }
    };
}

#[cfg(all(feature = "detect", target_arch = "x86_64"))]
compiled_for!(avx2: "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2" "fma" "lzcnt");
#[cfg(all(feature = "detect", target_arch = "x86_64"))]
compiled_for!(avx512: "sse3" "ssse3" "sse4.1" "sse4.2" "popcnt" "avx" "avx2" "bmi1" "bmi2" "fma" "lzcnt"
    "avx512f" "avx512bw" "avx512cd" "avx512dq" "avx512vl");

#[cfg(test)]
mod tests {
    use super::*;

    struct Roots<'a>(&'a [f32]);

    impl SimdKernel for Roots<'_> {
        type Output = u32;

        #[inline(always)]
        #[allow(clippy::inline_always, reason = "compiled for the vectors of its caller")]
        fn run(self) -> u32 {
            let bits = |value: &f32| (value * 3.0 + 0.1).sqrt().to_bits();
            self.0.iter().fold(0, |sum, value| sum.wrapping_mul(31).wrapping_add(bits(value)))
        }
    }

    #[test]
    fn all_kinds_give_the_same_bits() {
        let values: Vec<f32> = (1_u16..=1_000).map(|number| 1.0 / f32::from(number)).collect();
        let all = SimdLevel::all();
        assert!(all.contains(&widest()) && all.contains(&SimdLevel::Baseline));
        let expected = Roots(&values).run();
        for level in [SimdLevel::Widest, SimdLevel::Baseline, SimdLevel::Avx2, SimdLevel::Avx512] {
            assert_eq!(level.run(Roots(&values)), expected, "{level:?}");
        }
    }
}
