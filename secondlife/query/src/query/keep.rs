//! Answers that others ask about.

use std::collections::BTreeSet;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use datafusion::dataframe::{DataFrame, DataFrameWriteOptions};
use datafusion::prelude::{ParquetReadOptions, SessionContext};

use super::error::QueryError;

/// The names of answers that are kept.
#[derive(Debug, Default)]
pub(super) struct Kept {
    names: Mutex<BTreeSet<String>>,
    folders: AtomicUsize,
}

impl Kept {
    /// Forgets an answer that is kept under a name. A table of that name that is none stays.
    pub(super) fn forget(&self, context: &SessionContext, name: &str) -> Result<(), QueryError> {
        if self.names().remove(name) {
            context.deregister_table(name).map_err(|error| QueryError::told(&error))?;
        }
        Ok(())
    }

    /// Remembers that an answer is kept.
    pub(super) fn remember(&self, name: &str) {
        self.names().insert(name.to_owned());
    }

    /// A number that no folder of an answer has: one that failed may have left files in its own.
    pub(super) fn number(&self) -> usize {
        self.folders.fetch_add(1, Ordering::Relaxed)
    }

    fn names(&self) -> MutexGuard<'_, BTreeSet<String>> {
        self.names.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Works out an answer into Parquet files in a folder, and makes them a table.
pub(super) async fn on_disk(
    context: &SessionContext,
    name: &str,
    answer: DataFrame,
    folder: &Path,
) -> Result<(), QueryError> {
    let told = |error| QueryError::told(&error);
    // A folder is meant, which a slash says.
    let place = format!("{}/", folder.display());
    let schema = std::sync::Arc::new(answer.schema().as_arrow().clone());
    std::fs::create_dir_all(folder).map_err(|error| QueryError::disk(&error))?;
    let (options, mut parquet) =
        (DataFrameWriteOptions::new(), context.state().table_options().parquet.clone());
    parquet.global.compression = Some("uncompressed".to_owned());
    answer.write_parquet(&place, options, Some(parquet)).await.map_err(told)?;
    let read = ParquetReadOptions::default().schema(&schema);
    context.register_parquet(name, &place, read).await.map_err(told)
}

/// Makes an answer a view.
pub(super) fn as_view(
    context: &SessionContext,
    name: &str,
    answer: DataFrame,
) -> Result<(), QueryError> {
    let view = answer.into_view();
    context.register_table(name, view).map(drop).map_err(|error| QueryError::told(&error))
}
