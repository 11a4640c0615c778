//! What is asked for.

use std::path::PathBuf;

use url::Url;

use crate::dataset::Writer;

/// Something to be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SourceSpec {
    /// A file or a folder; what it is, its content says.
    Path(PathBuf),
    /// `mysql://` or `postgres://`.
    Database(Url),
}

/// How a dataset is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether names and descriptions are taken in; they are personal data.
    pub with_names: bool,
    /// What each file, asset or object may take.
    pub limits: lodger_quota::QuotaLimits,
    /// Rows that a Parquet file has at most: as many may be read again after a crash.
    pub file_rows: usize,
}

impl Default for Options {
    /// No names, and what everything else of lodger may take.
    fn default() -> Self {
        let limits = lodger_quota::QuotaLimits::default();
        Self { with_names: false, limits, file_rows: Writer::FILE_ROWS }
    }
}
