//! What `ingest` makes and queries read: Parquet files of two tables, and a manifest that says which of them count.
//!
//! ```text
//! DATASET/
//!   lodger-grid.json                 the manifest; a file that it does not name does not count
//!   assets/00000.parquet …           one row for each asset
//!   parts/00000.parquet …            one row for each part of each object
//! ```

mod asset;
mod forget;
mod lock;
mod manifest;
mod object_parts;
mod part;
mod rows_of_file;
mod shown;
mod table_file;
mod write_error;
mod writer;

pub use asset::{AssetColumns, AssetKind, AssetRow};
pub(crate) use forget::Going;
pub use manifest::{DataFile, Manifest, ManifestError, SourceEntry, SourceKind, Table};
pub use part::{PartColumns, PartKind, PartRow};
pub(crate) use rows_of_file::each_rows;
pub use write_error::WriteError;
pub use writer::Writer;
