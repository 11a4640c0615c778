//! Where rows go: to a thread that writes them.

use std::path::Path;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};

use arrow::array::RecordBatch;

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
    /// All so far is committed.
    Commit,
    /// What was not committed is dropped.
    Abandon,
    /// The source ends, and whether all of it was read.
    End(bool),
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
            Self::Here(writer) => obey(writer, message),
            Self::Broken => Ok(()),
        }
    }

    /// Commits all, and ends.
    pub(super) fn finish(mut self) -> Result<(), WriteError> {
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
            Self::Here(mut writer) => writer.commit(),
            Self::Broken => Ok(()),
        }
    }
}

fn write(mut writer: Writer, messages: &Receiver<Message>) -> Result<(), WriteError> {
    messages.iter().try_for_each(|message| obey(&mut writer, message))?;
    writer.commit()
}

fn obey(writer: &mut Writer, message: Message) -> Result<(), WriteError> {
    match message {
        Message::Source(name, kind) => writer.source(&name, kind),
        Message::Rows(rows) => rows.iter().try_for_each(|(table, rows)| writer.push(*table, rows)),
        Message::Whole if writer.is_full() => writer.commit(),
        Message::Whole => Ok(()),
        Message::Commit => writer.commit(),
        Message::Abandon => {
            writer.abandon();
            Ok(())
        }
        Message::End(whole) => writer.end_source(whole),
    }
}
