//! One writer of a dataset at a time.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;

use super::write_error::WriteError;

/// That nobody else writes a dataset, for as long as this is held. The file stays, as its lock ends with the process.
#[derive(Debug)]
pub(super) struct Lock {
    _file: File,
}

impl Lock {
    /// The name of the file.
    pub(super) const FILE: &str = "lodger-grid.lock";

    /// Takes the lock.
    pub(super) fn take(dataset: &Path) -> Result<Self, WriteError> {
        let path = dataset.join(Self::FILE);
        let opened = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
        let file = opened.map_err(|error| WriteError::io(&path, "be opened", &error))?;
        match file.try_lock() {
            Ok(()) => Ok(Self { _file: file }),
            Err(TryLockError::WouldBlock) => Err(WriteError::new(
                dataset,
                "another ingest writes this dataset; wait for its end, or choose another folder",
            )),
            Err(TryLockError::Error(error)) => Err(WriteError::io(&path, "be locked", &error)),
        }
    }
}
