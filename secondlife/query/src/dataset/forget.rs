//! Rows that are taken out of a dataset, because better ones take their place.

use std::path::Path;

use arrow::array::{BooleanArray, RecordBatch};
use arrow::compute::{filter_record_batch, not};

use super::asset::AssetColumns;
use super::manifest::{DataFile, Table};
use super::rows_of_file::each_rows;
use super::table_file::TableFile;
use super::write_error::WriteError;
use super::writer::Writer;

/// Which rows of `assets` go.
pub(crate) trait Going {
    /// The columns that tell.
    fn columns(&self) -> &'static [&'static str];
    /// True for each row that goes; none of it is null.
    fn of(&self, rows: &RecordBatch) -> BooleanArray;
}

impl Writer {
    /// Takes rows out of `assets`. Files that have some are written anew without them, and count in their place by one
    /// replacement of the manifest; their sources are not whole then. The older files stay until the dataset is
    /// opened again, for those who read them now.
    pub(crate) fn forget(&mut self, going: &dyn Going) -> Result<(), WriteError> {
        self.commit()?;
        let mut manifest = self.manifest().clone();
        let mut files = Vec::with_capacity(manifest.files.len());
        for file in manifest.files {
            let path = self.dataset().join(&file.path);
            if file.table != Table::Assets || !has_some(&path, going)? {
                files.push(file);
                continue;
            }
            if let Some(source) = manifest.sources.get_mut(file.source) {
                source.whole = false;
            }
            files.extend(self.without(&path, file.source, going)?);
        }
        manifest.files = files;
        self.replace(manifest)
    }

    /// Writes a file anew without some rows; none if no row stays.
    fn without(
        &mut self,
        path: &Path,
        source: usize,
        going: &dyn Going,
    ) -> Result<Option<DataFile>, WriteError> {
        let name = self.next_path(Table::Assets);
        let mut copy = TableFile::create(self.dataset().join(&name), AssetColumns::schema())?;
        each_rows(path, &[], |rows| copy.push(&staying(rows, going, path)?))?;
        let rows = copy.rows() as u64;
        copy.finish()?;
        let file = DataFile { table: Table::Assets, path: name, rows, source };
        Ok((rows > 0).then_some(file))
    }
}

fn has_some(path: &Path, going: &dyn Going) -> Result<bool, WriteError> {
    let mut some = false;
    each_rows(path, going.columns(), |rows| {
        some |= going.of(rows).true_count() > 0;
        Ok::<_, WriteError>(())
    })?;
    Ok(some)
}

fn staying(rows: &RecordBatch, going: &dyn Going, path: &Path) -> Result<RecordBatch, WriteError> {
    let stay = not(&going.of(rows)).and_then(|stay| filter_record_batch(rows, &stay));
    let stay =
        stay.and_then(|rows| RecordBatch::try_new(AssetColumns::schema(), rows.columns().to_vec()));
    stay.map_err(|error| WriteError::io(path, "be written anew", &error))
}
