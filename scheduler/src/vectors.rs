//! The loops of core, compiled for the vectors of this processor. The only file that names pulp.
//!
//! Core's loops have no branch and are inlined into [`Work::run`]; pulp compiles that once for each kind of
//! vectors. The results are the same bits, as wider vectors do the same operations, only more at a time.

/// Which vectors a scene uses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[doc(hidden)]
pub enum Vectors {
    /// The widest that the processor has.
    #[default]
    Widest,
    /// What every processor of this kind has: SSE2, NEON.
    Baseline,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

impl Vectors {
    /// Those that this processor has.
    #[doc(hidden)]
    #[must_use]
    pub fn all() -> Vec<Self> {
        let all = [Self::Widest, Self::Baseline, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|vectors| vectors.are_there()).collect()
    }
}

/// A loop over many rows. Implementations inline it.
pub(crate) trait Work {
    type Output;

    fn run(self) -> Self::Output;
}

#[cfg(feature = "vectors")]
mod compiled {
    use pulp::{Arch, Scalar, Simd, WithSimd};

    use super::{Vectors, Work};

    struct Compiled<W>(W);

    impl<W: Work> WithSimd for Compiled<W> {
        type Output = W::Output;

        #[inline(always)]
        #[allow(clippy::inline_always)] // or it is not compiled for the vectors that it was called for
        fn with_simd<S: Simd>(self, _: S) -> W::Output {
            self.0.run()
        }
    }

    impl Vectors {
        pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
            let work = Compiled(work);
            match self {
                #[cfg(target_arch = "x86_64")]
                Self::Avx2 => match pulp::x86::V3::try_new() {
                    Some(avx2) => Simd::vectorize(avx2, work),
                    None => Arch::new().dispatch(work),
                },
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => match pulp::x86::V4::try_new() {
                    Some(avx512) => Simd::vectorize(avx512, work),
                    None => Arch::new().dispatch(work),
                },
                Self::Baseline => Simd::vectorize(Scalar::new(), work),
                _ => Arch::new().dispatch(work),
            }
        }

        pub(super) fn are_there(self) -> bool {
            match self {
                #[cfg(target_arch = "x86_64")]
                Self::Avx2 => pulp::x86::V3::is_available(),
                #[cfg(target_arch = "x86_64")]
                Self::Avx512 => pulp::x86::V4::is_available(),
                #[cfg(not(target_arch = "x86_64"))]
                Self::Avx2 | Self::Avx512 => false,
                Self::Widest | Self::Baseline => true,
            }
        }
    }
}

#[cfg(not(feature = "vectors"))]
impl Vectors {
    #[allow(clippy::unused_self)] // as there is one kind only
    pub(crate) fn run<W: Work>(self, work: W) -> W::Output {
        work.run()
    }

    fn are_there(self) -> bool {
        self == Self::Widest
    }
}
