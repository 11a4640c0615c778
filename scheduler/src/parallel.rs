//! Loops over many rows: compiled for the vectors of this processor, and split between the threads of the
//! current rayon pool. Only this file uses `lodger-cpu` and rayon.
//!
//! [`SimdKernel::run`], into which core's loops are inlined, is compiled for each kind of vectors. All kinds give the same
//! bits.

use lodger_core::budget::{Kernel, ModuleView, PartialResult};

use crate::bits::ROWS_PER_BLOCK;
pub(crate) use lodger_cpu::SimdKernel;
#[doc(hidden)]
pub use lodger_cpu::SimdLevel;
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

#[cfg(feature = "threads")]
mod pool {
    pub(crate) fn thread_count() -> usize {
        rayon::current_num_threads()
    }

    pub(crate) fn join<A: Default + Send, B: Default + Send>(
        first: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        let (mut first, mut other) = (Some(first), Some(other));
        let mut results = (A::default(), B::default());
        call_both(
            &mut || results.0 = first.take().map_or_else(A::default, |first| first()),
            &mut || results.1 = other.take().map_or_else(B::default, |other| other()),
        );
        results
    }

    /// Compiled once, for all results.
    fn call_both(first: &mut (dyn FnMut() + Send), other: &mut (dyn FnMut() + Send)) {
        rayon::join(first, other);
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

    pub(crate) fn join<A: Default + Send, B: Default + Send>(
        first: impl FnOnce() -> A + Send,
        other: impl FnOnce() -> B + Send,
    ) -> (A, B) {
        (first(), other())
    }

    pub(crate) fn enter_pool<R: Send>(work: impl FnOnce() -> R + Send) -> R {
        work()
    }
}
