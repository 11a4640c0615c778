//! From what a grid has to a dataset.

mod engine;
pub mod tables;

pub use engine::{IngestError, Options, SourceSpec, Step, Summary, ingest};
