//! Quotas of several inputs.

use std::sync::{Arc, Mutex, PoisonError};

use rayon::prelude::*;

use crate::quota::{MemoryPool, Quota, QuotaExceeded, QuotaLimits};

/// Quotas of several inputs, which share their memory.
#[derive(Debug)]
pub struct QuotaPool {
    limits: QuotaLimits,
    memory: Arc<MemoryPool>,
}

/// The result of an input, and the bytes of its rows.
type ChargedResult<T> = Result<(T, u64), QuotaExceeded>;

impl QuotaPool {
    /// Creates a pool for inputs that each have these limits.
    #[must_use]
    pub fn new(limits: QuotaLimits) -> Self {
        Self { limits, memory: Arc::new(MemoryPool::new(limits.memory)) }
    }

    /// Processes all inputs on rayon's threads, and returns their results in order. Inputs run concurrently while
    /// they fit into memory. An input that does not fit is started again alone, so `work` may run twice on an input
    /// for which `may_repeat` is true; the others run alone from the beginning.
    ///
    /// The rows of all inputs together may use as much memory again as one input.
    pub fn run_each<I: Sync, T: Send>(
        &self,
        inputs: &[I],
        may_repeat: impl Fn(&I) -> bool + Sync,
        work: impl Fn(&I, &Quota) -> Result<T, QuotaExceeded> + Sync,
    ) -> Vec<Result<T, QuotaExceeded>> {
        let beside = |input: &I| match inputs {
            [_] => Err(QuotaExceeded::Contended),
            _ if may_repeat(input) => self.run(input, false, &work),
            _ => Err(QuotaExceeded::Contended),
        };
        let outcomes: Vec<ChargedResult<T>> = on_all_threads(inputs, beside);
        let limit = self.limits.memory;
        let mut sum = 0_u64;
        let in_order = outcomes.into_iter().zip(inputs).map(|(outcome, input)| {
            let outcome = match outcome {
                // Beside an input that runs alone there are only the rows of earlier inputs.
                Err(QuotaExceeded::Contended) => self.run(input, true, &work),
                outcome => outcome,
            };
            let (done, rows) = outcome?;
            if sum.saturating_add(rows) > limit {
                self.memory.release(rows);
                return Err(QuotaExceeded::Rows { limit });
            }
            sum += rows;
            Ok(done)
        });
        in_order.collect()
    }

    fn run<I, T>(
        &self,
        input: &I,
        is_alone: bool,
        work: impl Fn(&I, &Quota) -> Result<T, QuotaExceeded>,
    ) -> ChargedResult<T> {
        let quota = Quota::in_pool(self.limits, Arc::clone(&self.memory), is_alone);
        let done = work(input, &quota)?;
        Ok((done, quota.finish()))
    }
}

/// Returns the results of all inputs in order.
fn on_all_threads<I: Sync, T: Send>(inputs: &[I], work: impl Fn(&I) -> T + Sync) -> Vec<T> {
    let with_places = inputs.iter().map(|input| (input, Mutex::new(None)));
    let with_places: Vec<(&I, Mutex<Option<T>>)> = with_places.collect();
    run_indices(with_places.len(), &|index| {
        if let Some((input, place)) = with_places.get(index) {
            let done = work(input);
            *place.lock().unwrap_or_else(PoisonError::into_inner) = Some(done);
        }
    });
    let done = with_places.into_iter().map(|(_, place)| place.into_inner());
    done.filter_map(|done| done.unwrap_or_else(PoisonError::into_inner)).collect()
}

/// Calls `work` with each index below `count` on rayon's threads. It is not generic, so that rayon's code is compiled once and
/// not for each type of inputs and results.
fn run_indices(count: usize, work: &(dyn Fn(usize) + Sync)) {
    (0..count).into_par_iter().for_each(work);
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

    use rayon::ThreadPoolBuilder;

    use super::*;

    const MEMORY: u64 = 100;

    fn pool() -> QuotaPool {
        QuotaPool::new(QuotaLimits { memory: MEMORY, work: 1_000 })
    }

    #[derive(Clone, Debug)]
    struct Input {
        keeps: Vec<u64>,
        reserves: Vec<u64>,
        rows: u64,
        work: u64,
    }

    fn consume(input: &Input, quota: &Quota) -> Result<u64, QuotaExceeded> {
        input.keeps.iter().try_for_each(|&bytes| quota.charge_memory(bytes))?;
        input.reserves.par_iter().try_for_each(|&bytes| {
            let _reserved = quota.reserve(bytes)?;
            quota.charge_work(input.work)
        })?;
        quota.charge_rows(input.rows)?;
        Ok(input.rows)
    }

    /// Computes the outcomes sequentially.
    fn expected(inputs: &[Input]) -> Vec<Result<u64, QuotaExceeded>> {
        let mut rows = 0;
        let one = |input: &Input| {
            let kept: u64 = input.keeps.iter().sum();
            let largest = input.reserves.iter().max().copied().unwrap_or(0);
            if kept + largest + input.rows > MEMORY {
                return Err(QuotaExceeded::Memory { limit: MEMORY });
            }
            if input.work * input.reserves.len() as u64 > 1_000 {
                return Err(QuotaExceeded::Work { limit: 1_000 });
            }
            if rows + input.rows > MEMORY {
                return Err(QuotaExceeded::Rows { limit: MEMORY });
            }
            rows += input.rows;
            Ok(input.rows)
        };
        inputs.iter().map(one).collect()
    }

    #[test]
    fn no_number_of_threads_changes_the_outcomes() {
        let mut seed = 1_u64;
        let mut random = move |below: u64| {
            seed = seed
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for case in 0..60 {
            let inputs: Vec<Input> = (0..40)
                .map(|_| Input {
                    keeps: (0..random(4)).map(|_| random(40)).collect(),
                    reserves: (0..random(6)).map(|_| random(90)).collect(),
                    rows: random(8),
                    work: random(260),
                })
                .collect();
            let expected = expected(&inputs);
            for threads in [1, 2, 7] {
                let pool = pool();
                let rayon = ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
                let found = rayon.install(|| pool.run_each(&inputs, |_| true, consume));
                for ((found, expected), input) in found.iter().zip(&expected).zip(&inputs) {
                    match (found, expected) {
                        // Either of two exceeded limits may be reported.
                        (
                            Err(QuotaExceeded::Memory { .. } | QuotaExceeded::Work { .. }),
                            Err(QuotaExceeded::Memory { .. } | QuotaExceeded::Work { .. }),
                        ) => {}
                        _ => {
                            assert_eq!(
                                found, expected,
                                "case {case}, {threads} threads: {input:?}"
                            );
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn inputs_that_may_not_repeat_run_once() {
        let begun = AtomicUsize::new(0);
        let done = pool().run_each(
            &[90, 90, 90],
            |_| false,
            |&bytes, quota| {
                begun.fetch_add(1, SeqCst);
                quota.charge_memory(bytes)
            },
        );
        assert_eq!((done, begun.into_inner()), (vec![Ok(()); 3], 3));
    }

    #[test]
    fn memory_is_released() {
        let pool = pool();
        for _ in 0..3 {
            let done = pool.run_each(&[(); 4], |()| true, |(), quota| quota.charge_memory(MEMORY));
            assert_eq!(done, [Ok(()); 4]);
        }
    }
}
