//! Reading of a grid's archives, asset stores and databases into a dataset.

mod dataset_index;
mod from_files;
mod from_stores;
mod options;
mod row_sink;
mod rows;
mod run;
mod sources;
pub mod tables;
mod tree;

use std::path::Path;

use crate::dataset::DatasetWriter;
use dataset_index::DatasetIndex;
pub use options::{IngestError, IngestOptions, IngestProgress, IngestSummary, SourceSpec};
use row_sink::RowSink;
use run::IngestRun;
use sources::OpenSources;

/// Reads sources into the dataset in a folder, which is created if necessary. Complete parts of the
/// dataset are not read again. `stop` is called often; once it returns true, the ingest keeps
/// complete rows and ends.
///
/// # Errors
///
/// A source cannot be opened, or the dataset cannot be written. Rows that were read before are
/// kept.
pub fn ingest(
    sources: &[SourceSpec],
    dataset: &Path,
    options: IngestOptions,
    watch: &(dyn Fn(IngestProgress) + Sync),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<IngestSummary, IngestError> {
    let sources = OpenSources::open(sources, stop)?;
    sources.check_apart(dataset)?;
    let writer = DatasetWriter::open(dataset, options.with_names)?.file_rows(options.file_rows);
    let index = DatasetIndex::load(dataset, writer.manifest())?;
    let sink = RowSink::new(writer);
    let mut run = IngestRun::new(options, index, sink, watch, stop);
    let done = sources.read(&mut run);
    // Rows that were read before an error are kept.
    let written = run.sink.finish();
    done?;
    written?;
    Ok(run.summary)
}
