use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow::array::RecordBatch;

use super::dataset_index::RecoveredAssets;
use crate::dataset::{DatasetError, DatasetTable, DatasetWriter, SourceKind};

const CAPACITY: usize = 2;

pub(super) type TableRows = (DatasetTable, RecordBatch);

pub(super) enum RowMessage {
    Source(String, SourceKind),
    Rows(Vec<TableRows>),
    /// All rows so far are complete and may be committed.
    Complete,
    /// The source ends; true if all of it was read.
    End(bool),
    Delete(RecoveredAssets),
    Finish,
}

/// A sink for rows: a thread that writes them, or the writer itself if no thread can start.
pub(super) enum RowSink {
    Thread {
        sender: SyncSender<RowMessage>,
        thread: JoinHandle<Result<(), DatasetError>>,
    },
    Here(Box<DatasetWriter>),
    /// The thread ended with an error, which was returned.
    Broken,
}

impl RowSink {
    pub(super) fn new(writer: DatasetWriter) -> Self {
        let (give, receive) = sync_channel::<DatasetWriter>(1);
        let (sender, receiver) = sync_channel(CAPACITY);
        let work = move || receive.recv().map_or(Ok(()), |writer| write(writer, &receiver));
        match thread::Builder::new().name("writer".to_owned()).spawn(work) {
            Ok(thread) => match give.send(writer) {
                Ok(()) => Self::Thread { sender, thread },
                Err(writer) => Self::Here(Box::new(writer.0)),
            },
            Err(_) => Self::Here(Box::new(writer)),
        }
    }

    pub(super) fn send(&mut self, message: RowMessage) -> Result<(), DatasetError> {
        match self {
            Self::Thread { sender, .. } => match sender.send(message) {
                Ok(()) => Ok(()),
                Err(_) => self.end(),
            },
            Self::Here(writer) => {
                let result = apply(writer, message);
                if result.is_err() {
                    *self = Self::Broken;
                }
                result
            }
            Self::Broken => Ok(()),
        }
    }

    /// Commits all rows and ends. Dropping the sink loses rows that are not committed.
    pub(super) fn finish(mut self) -> Result<(), DatasetError> {
        self.send(RowMessage::Finish)?;
        self.end()
    }

    fn end(&mut self) -> Result<(), DatasetError> {
        match std::mem::replace(self, Self::Broken) {
            Self::Thread { sender, thread } => {
                drop(sender);
                let lost = || DatasetError::new(Path::new("the writer"), "it is gone");
                thread.join().unwrap_or_else(|_| Err(lost()))
            }
            Self::Here(_) | Self::Broken => Ok(()),
        }
    }
}

fn write(mut writer: DatasetWriter, messages: &Receiver<RowMessage>) -> Result<(), DatasetError> {
    messages.iter().try_for_each(|message| apply(&mut writer, message))
}

fn apply(writer: &mut DatasetWriter, message: RowMessage) -> Result<(), DatasetError> {
    match message {
        RowMessage::Source(name, kind) => writer.begin_source(&name, kind),
        RowMessage::Rows(rows) => {
            rows.iter().try_for_each(|(table, rows)| writer.push(*table, rows))
        }
        RowMessage::Complete if writer.is_full() => writer.commit(),
        RowMessage::Complete => Ok(()),
        RowMessage::End(is_complete) => writer.end_source(is_complete),
        RowMessage::Delete(assets) => writer.delete_rows(&assets),
        RowMessage::Finish => writer.commit(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array};

    use super::*;
    use crate::dataset::{AssetKind, AssetRow, AssetRowColumns, DatasetManifest};

    fn rows() -> RowMessage {
        let mut columns = AssetRowColumns::default();
        columns.append("a source", &AssetRow::new(AssetKind::Mesh));
        RowMessage::Rows(vec![(DatasetTable::Assets, columns.finish_batch().unwrap())])
    }

    fn source() -> RowMessage {
        RowMessage::Source("a source".to_owned(), SourceKind::Files)
    }

    fn files(dataset: &Path) -> usize {
        DatasetManifest::read(dataset).unwrap().unwrap().files.len()
    }

    fn opened(dataset: &Path) -> DatasetWriter {
        loop {
            match DatasetWriter::open(dataset, false) {
                Ok(writer) => return writer,
                Err(_) => thread::yield_now(),
            }
        }
    }

    #[test]
    fn finished_rows_are_valid_and_dropped_rows_are_not() {
        let folder = tempfile::tempdir().unwrap();
        for (finishes, expected) in [(false, 0), (true, 1)] {
            let mut sink = RowSink::new(opened(folder.path()));
            sink.send(source()).unwrap();
            sink.send(rows()).unwrap();
            if finishes {
                sink.finish().unwrap();
            } else {
                drop(sink);
            }
            drop(opened(folder.path()));
            assert_eq!(files(folder.path()), expected);
        }
    }

    #[test]
    fn nothing_is_committed_after_an_error() {
        let folder = tempfile::tempdir().unwrap();
        let mut sink = RowSink::Here(Box::new(opened(folder.path())));
        sink.send(source()).unwrap();
        sink.send(rows()).unwrap();
        let number: ArrayRef = Arc::new(Int64Array::from(vec![1]));
        let other = RecordBatch::try_from_iter([("number", number)]).unwrap();
        assert!(sink.send(RowMessage::Rows(vec![(DatasetTable::Assets, other)])).is_err());
        sink.finish().unwrap();
        assert_eq!(files(folder.path()), 0);
    }
}
