//! The threads of the work.

use std::env;
use std::ffi::OsStr;
use std::num::NonZero;
use std::thread;

use rayon::ThreadPoolBuilder;

use crate::{Diagnostic, Severity};

/// How many threads work, if somebody said it. rayon reads the same variable.
const VARIABLE: &str = "RAYON_NUM_THREADS";
/// More threads are a mistake.
const MOST: usize = 1024;

/// Does work whose parts rayon shares out, on as many threads as `RAYON_NUM_THREADS` says, or else the
/// machine has. Where they cannot be started, this thread works alone, and that is told as a warning.
///
/// # Errors
/// The variable is neither empty nor a whole number from 0, which stands for the machine's own, to 1 024.
pub fn on_threads<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Diagnostic> {
    let said = count(env::var_os(VARIABLE).as_deref())?;
    let threads = said.or(thread::available_parallelism().ok()).unwrap_or(NonZero::<usize>::MIN);
    on_so_many_threads(threads, work)
}

/// Does work whose parts rayon shares out on so many threads, but on no more than 1 024. Where they cannot be
/// started, this thread works alone, and that is told as a warning.
///
/// # Errors
/// Not even this thread can work so.
pub fn on_so_many_threads<T: Send>(
    threads: NonZero<usize>,
    work: impl FnOnce() -> T + Send,
) -> Result<T, Diagnostic> {
    let builder = || ThreadPoolBuilder::new().num_threads(threads.get().min(MOST));
    match builder().build() {
        Ok(pool) => Ok(pool.install(work)),
        Err(error) => {
            let message = format!("no threads can be started, so one does all the work: {error}");
            Diagnostic::new(Severity::Warning, message).print();
            let alone = builder().num_threads(1).use_current_thread().build_global();
            alone.map_err(|error| Diagnostic::error(format!("cannot start to work: {error}")))?;
            Ok(work())
        }
    }
}

/// The number of threads that was asked for, if one was.
fn count(said: Option<&OsStr>) -> Result<Option<NonZero<usize>>, Diagnostic> {
    let Some(said) = said.filter(|said| !said.is_empty()) else { return Ok(None) };
    let number = said.to_str().and_then(|said| said.parse().ok());
    let Some(number) = number.filter(|number| *number <= MOST) else {
        let message = format!("{VARIABLE} is `{}`, which is no number of threads", said.display());
        return Err(Diagnostic::error(message)
            .help("give a whole number from 1 to 1024, or 0 for as many as the machine has"));
    };
    Ok(NonZero::new(number))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_threads_is_a_small_whole_number() {
        let count = |said: &str| count(Some(OsStr::new(said))).map(|count| count.map(NonZero::get));
        for (said, threads) in [("", None), ("0", None), ("1", Some(1)), ("1024", Some(1024))] {
            assert_eq!(count(said).expect("a number"), threads, "{said:?}");
        }
        for wrong in ["1025", "-1", "1.5", "two", " 2", "99999999999999999999"] {
            let message = count(wrong).expect_err("refused").message;
            assert!(message.starts_with(&format!("RAYON_NUM_THREADS is `{wrong}`")), "{message}");
        }
        assert_eq!(super::count(None).expect("nothing"), None);
    }
}
