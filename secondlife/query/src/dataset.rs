//! A dataset: Parquet files of two tables, and a manifest that lists the valid files.
//!
//! ```text
//! DATASET/
//!   lodger-grid.json                 the manifest; files that it does not list are ignored
//!   assets/00000.parquet …           one row for each asset
//!   parts/00000.parquet …            one row for each part of each object
//! ```

mod files;
mod manifest;
mod rows;
mod writer;

pub(crate) use files::for_each_batch;
pub use manifest::{
    DataFile, DatasetError, DatasetManifest, DatasetTable, SourceEntry, SourceKind,
};
pub use rows::{AssetKind, AssetRow, AssetRowColumns, PartColumns, PartKind, PartRow};
pub use writer::DatasetWriter;
pub(crate) use writer::RowFilter;
