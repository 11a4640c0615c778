//! Work on many sources beside each other.

use lodger_allowance::{Allowance, Limits, Pool, Spent};

use crate::error::{FileError, Problem};
use crate::source::Source;

/// Works on all sources that were found, on as many threads as rayon has, each within limits of its own,
/// and returns what came of each, in their order. Those that do not fit together wait for each other
/// ([`Pool::each`]).
///
/// # Examples
/// ```
/// use lodger_allowance::Limits;
/// use lodger_files::{Search, Source, each, find};
///
/// let found = find(&["a".into(), "b".into()], Search::Everything);
/// let work = |source: &Source, _: &_| Ok(source.name().to_owned());
/// let names: Result<Vec<_>, _> = each(found, Limits::default(), work).into_iter().collect();
/// assert_eq!(names?, ["a", "b"]);
/// # Ok::<(), lodger_files::FileError>(())
/// ```
pub fn each<T: Send>(
    found: Vec<Result<Source, FileError>>,
    limits: Limits,
    work: impl Fn(&Source, &Allowance) -> Result<T, Spent> + Sync,
) -> Vec<Result<T, FileError>> {
    let sources: Vec<_> = found.iter().flatten().collect();
    let pool = Pool::new(limits);
    let done = pool.each(&sources, |source| source.may_repeat(), |source, own| work(source, own));
    let mut done = done.into_iter();
    let told = |found: Result<Source, FileError>| {
        let source = found?;
        let crowded = || Err(Spent::Crowded);
        let done = done.next().unwrap_or_else(crowded);
        done.map_err(|spent| FileError::new(source.name(), Problem::Spent(spent)))
    };
    found.into_iter().map(told).collect()
}
