//! The whole way: sources in, a dataset out.

use std::path::Path;

use super::error::IngestError;
use super::known::Known;
use super::options::{Options, SourceSpec};
use super::outlet::Outlet;
use super::plan::Plan;
use super::step::{Step, Summary};
use super::work::Work;
use crate::dataset::Writer;

/// Reads sources into the dataset in a folder, which is made if it is not there. What is there and whole is not read
/// again. `stop` is asked often; once it is true, what is whole is kept and the work ends.
///
/// # Errors
/// A source cannot be opened, or the dataset cannot be written. What was read until then is kept.
pub fn ingest(
    sources: &[SourceSpec],
    dataset: &Path,
    options: Options,
    watch: &(dyn Fn(Step) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Summary, IngestError> {
    let plan = Plan::of(sources, stop)?;
    plan.check_apart(dataset)?;
    let writer = Writer::open(dataset, options.with_names)?.file_rows(options.file_rows);
    let known = Known::load(dataset, writer.manifest())?;
    let summary = Summary::default();
    let outlet = Outlet::new(writer);
    let mut work =
        Work { options, known, summary, outlet, watch, stop, untold: 0, once_more: false };
    let done = plan.run(&mut work);
    // What was read before an error is kept.
    let written = work.outlet.finish();
    done?;
    written?;
    Ok(work.summary)
}
