//! Loops over many rows: compiled for the vectors of this processor, and split between the threads of the
//! current rayon pool. Only this file uses pulp and rayon.
//!
//! pulp compiles [`SimdKernel::run`], into which core's loops are inlined, for each kind of vectors. All kinds
//! give the same bits.

use lodger_core::budget::{Kernel, ModuleView, PartialResult};

use crate::bits::ROWS_PER_BLOCK;
use pool::enter_pool;
pub(crate) use pool::{join, thread_count};

const CHUNK_ROWS: usize = 16 * 1024;
/// The number of actors from which a second thread gains time.
const ACTORS_FOR_THREADS: usize = 200_000;

#[derive(Debug, Clone, Copy)]
pub(crate) struct ExecutionSettings {
    pub(crate) simd_level: SimdLevel,
    /// The rows of a thread's chunk; `None` for one thread.
    chunk_rows: Option<usize>,
}

impl ExecutionSettings {
    pub(crate) fn new(simd_level: SimdLevel, actors: usize, chunk_rows: Option<usize>) -> Self {
        let chunk_rows = chunk_rows.or((actors >= ACTORS_FOR_THREADS).then_some(CHUNK_ROWS));
        Self { simd_level, chunk_rows: chunk_rows.filter(|_| thread_count() > 1) }
    }

    pub(crate) fn single_threaded(simd_level: SimdLevel) -> Self {
        Self { simd_level, chunk_rows: None }
    }

    pub(crate) fn enter<R: Send>(self, work: impl FnOnce() -> R + Send) -> R {
        if self.chunk_rows.is_some() { enter_pool(work) } else { work() }
    }

    pub(crate) fn map_reduce<Q: Kernel>(
        self,
        kernel: &Q,
        mut module_view: ModuleView<'_>,
    ) -> Q::Partial {
        if let Some(half) = self.half(module_view.input.benefits.len()) {
            let (first, others) = module_view.split_at(half);
            let (first, others) =
                join(|| self.map_reduce(kernel, first), || self.map_reduce(kernel, others));
            return first.plus(others);
        }
        self.simd_level.run(KernelRun { kernel, module_view: &mut module_view })
    }

    /// Returns the row at which `rows` rows are split between two threads, if they are.
    pub(crate) fn half(self, rows: usize) -> Option<usize> {
        let chunk = self.chunk_rows?.max(1).next_multiple_of(ROWS_PER_BLOCK);
        (rows > chunk).then(|| (rows / 2).next_multiple_of(chunk))
    }
}

struct KernelRun<'a, 'b, Q> {
    kernel: &'a Q,
    module_view: &'a mut ModuleView<'b>,
}

impl<Q: Kernel> SimdKernel for KernelRun<'_, '_, Q> {
    type Output = Q::Partial;

    #[inline(always)]
    #[allow(clippy::inline_always)] // compiled for the vectors of its caller
    fn run(self) -> Q::Partial {
        self.kernel.run(self.module_view)
    }
}

/// The vector instructions of a scene's loops.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
#[doc(hidden)]
pub enum SimdLevel {
    /// The widest vectors of the processor.
    #[default]
    Widest,
    /// The vectors of every processor of this architecture: SSE2, NEON.
    Baseline,
    /// AVX2.
    Avx2,
    /// AVX-512.
    Avx512,
}

impl SimdLevel {
    /// Returns the vectors that this processor has.
    #[doc(hidden)]
    #[must_use]
    pub fn all() -> Vec<Self> {
        let all = [Self::Widest, Self::Baseline, Self::Avx2, Self::Avx512];
        all.into_iter().filter(|vectors| vectors.are_there()).collect()
    }
}

/// A loop over many rows. Implementations inline it.
pub(crate) trait SimdKernel {
    type Output;

    fn run(self) -> Self::Output;
}

#[cfg(feature = "vectors")]
mod simd {
    use pulp::{Scalar, Simd, WithSimd};

    use super::{SimdKernel, SimdLevel};

    struct Compiled<W>(W);

    impl<W: SimdKernel> WithSimd for Compiled<W> {
        type Output = W::Output;

        #[inline(always)]
        #[allow(clippy::inline_always)] // otherwise it is not compiled for these vectors
        fn with_simd<S: Simd>(self, _: S) -> W::Output {
            self.0.run()
        }
    }

    impl SimdLevel {
        /// Calls each kind of vectors in one place only: a loop is inlined at each call, and the baseline
        /// forms at four calls would be more than half of this crate's code.
        pub(crate) fn run<W: SimdKernel>(self, work: W) -> W::Output {
            let work = Compiled(work);
            #[cfg(target_arch = "x86_64")]
            {
                if matches!(self, Self::Widest | Self::Avx512)
                    && let Some(avx512) = pulp::x86::V4::try_new()
                {
                    return Simd::vectorize(avx512, work);
                }
                if self != Self::Baseline
                    && let Some(avx2) = pulp::x86::V3::try_new()
                {
                    return Simd::vectorize(avx2, work);
                }
            }
            Simd::vectorize(Scalar::new(), work)
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
impl SimdLevel {
    #[allow(clippy::unused_self)] // there is only one kind
    pub(crate) fn run<W: SimdKernel>(self, work: W) -> W::Output {
        work.run()
    }

    fn are_there(self) -> bool {
        self == Self::Widest
    }
}

#[cfg(feature = "threads")]
mod pool {
    pub(crate) fn thread_count() -> usize {
        rayon::current_num_threads()
    }

    pub(crate) fn join<A: Send, B: Send>(
        first: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        rayon::join(first, other)
    }

    /// Calls a function on a thread of the pool, which avoids a wake-up for each chunk.
    pub(crate) fn enter_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        if rayon::current_thread_index().is_some() { work() } else { rayon::scope(|_| work()) }
    }
}

#[cfg(not(feature = "threads"))]
mod pool {
    pub(crate) fn thread_count() -> usize {
        1
    }

    pub(crate) fn join<A: Send, B: Send>(
        first: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        (first(), other())
    }

    pub(crate) fn enter_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}
