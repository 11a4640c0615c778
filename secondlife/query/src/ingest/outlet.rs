//! Where rows go: to a thread that writes them.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow::array::RecordBatch;

use super::lacking::Found;
use crate::dataset::{SourceKind, Table, WriteError, Writer};

/// Messages that wait for the writer.
const WAITING: usize = 2;

/// Rows of a table.
pub(super) type TableRows = (Table, RecordBatch);

/// What the writer is told.
pub(super) enum Message {
    /// What follows is of this source.
    Source(String, SourceKind),
    /// Rows.
    Rows(Vec<TableRows>),
    /// All so far is whole: it may be committed.
    Whole,
    /// The source ends, and whether all of it was read.
    End(bool),
    /// Rows of assets whose bytes could not be had go, because they are there by now.
    Forget(Found),
    /// All so far is committed, and nothing follows.
    Finish,
}

/// Where rows go: to a thread that writes them, or into the writer itself where no thread can start.
pub(super) enum Outlet {
    Thread {
        sender: SyncSender<Message>,
        thread: JoinHandle<Result<(), WriteError>>,
    },
    Here(Box<Writer>),
    /// The thread ended with an error, which was told.
    Broken,
}

impl Outlet {
    /// An outlet to a dataset.
    pub(super) fn new(writer: Writer) -> Self {
        let (give, given) = sync_channel::<Writer>(1);
        let (sender, receiver) = sync_channel(WAITING);
        let work = move || given.recv().map_or(Ok(()), |writer| write(writer, &receiver));
        match thread::Builder::new().name("writer".to_owned()).spawn(work) {
            Ok(thread) => match give.send(writer) {
                Ok(()) => Self::Thread { sender, thread },
                Err(writer) => Self::Here(Box::new(writer.0)),
            },
            Err(_) => Self::Here(Box::new(writer)),
        }
    }

    /// Tells the writer something, and waits while it has enough to do.
    pub(super) fn send(&mut self, message: Message) -> Result<(), WriteError> {
        match self {
            Self::Thread { sender, .. } => match sender.send(message) {
                Ok(()) => Ok(()),
                Err(_) => self.end(),
            },
            Self::Here(writer) => {
                let obeyed = obey(writer, message);
                if obeyed.is_err() {
                    *self = Self::Broken;
                }
                obeyed
            }
            Self::Broken => Ok(()),
        }
    }

    /// Commits all, and ends. Without it, what was not committed is dropped.
    pub(super) fn finish(mut self) -> Result<(), WriteError> {
        self.send(Message::Finish)?;
        self.end()
    }

    fn end(&mut self) -> Result<(), WriteError> {
        match std::mem::replace(self, Self::Broken) {
            Self::Thread { sender, thread } => {
                drop(sender);
                let lost = WriteError {
                    path: Path::new("the writer").into(),
                    problem: "it is gone".to_owned(),
                };
                thread.join().unwrap_or(Err(lost))
            }
            Self::Here(_) | Self::Broken => Ok(()),
        }
    }
}

fn write(mut writer: Writer, messages: &Receiver<Message>) -> Result<(), WriteError> {
    messages.iter().try_for_each(|message| obey(&mut writer, message))
}

fn obey(writer: &mut Writer, message: Message) -> Result<(), WriteError> {
    match message {
        Message::Source(name, kind) => writer.source(&name, kind),
        Message::Rows(rows) => rows.iter().try_for_each(|(table, rows)| writer.push(*table, rows)),
        Message::Whole if writer.is_full() => writer.commit(),
        Message::Whole => Ok(()),
        Message::End(whole) => writer.end_source(whole),
        Message::Forget(found) => writer.forget(&found),
        Message::Finish => writer.commit(),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use arrow::array::{ArrayRef, Int64Array};

    use crate::dataset::{AssetColumns, AssetKind, Manifest};
    use crate::ingest::rows::blank;

    use super::*;

    fn rows() -> Message {
        let mut columns = AssetColumns::default();
        columns.push("a source", &blank(None, None, AssetKind::Mesh));
        Message::Rows(vec![(Table::Assets, columns.finish().unwrap())])
    }

    fn source() -> Message {
        Message::Source("a source".to_owned(), SourceKind::Files)
    }

    fn files(dataset: &Path) -> usize {
        Manifest::read(dataset).unwrap().unwrap().files.len()
    }

    /// Waits until the writer is gone.
    fn opened(dataset: &Path) -> Writer {
        loop {
            match Writer::open(dataset, false) {
                Ok(writer) => return writer,
                Err(_) => thread::yield_now(),
            }
        }
    }

    #[test]
    fn rows_count_when_the_work_is_finished_and_not_when_it_is_dropped() {
        let folder = tempfile::tempdir().unwrap();
        for (finishes, expected) in [(false, 0), (true, 1)] {
            let mut outlet = Outlet::new(opened(folder.path()));
            outlet.send(source()).unwrap();
            outlet.send(rows()).unwrap();
            if finishes {
                outlet.finish().unwrap();
            } else {
                drop(outlet);
            }
            drop(opened(folder.path()));
            assert_eq!(files(folder.path()), expected);
        }
    }

    #[test]
    fn nothing_is_committed_after_a_mistake() {
        let folder = tempfile::tempdir().unwrap();
        let mut outlet = Outlet::Here(Box::new(opened(folder.path())));
        outlet.send(source()).unwrap();
        outlet.send(rows()).unwrap();
        let number: ArrayRef = Arc::new(Int64Array::from(vec![1]));
        let other = RecordBatch::try_from_iter([("number", number)]).unwrap();
        assert!(outlet.send(Message::Rows(vec![(Table::Assets, other)])).is_err());
        outlet.finish().unwrap();
        assert_eq!(files(folder.path()), 0);
    }
}
