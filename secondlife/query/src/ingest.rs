//! From what a grid has to a dataset.

mod engine;
mod error;
mod feed;
mod from_files;
mod from_tables;
mod from_tree;
mod hash;
mod known;
mod lacking;
mod options;
mod outlet;
mod plan;
mod rows;
mod step;
pub mod tables;
mod tree;
mod unnamed;
mod work;

pub use engine::ingest;
pub use error::IngestError;
pub use options::{Options, SourceSpec};
pub use step::{Step, Summary};
