//! What comes one by one, worked on in rounds.

use super::error::IngestError;
use super::outlet::Message;
use super::tables::Flow;
use super::work::{Job, Work};

/// Assets or objects that wait for each other, unless a file has fewer rows.
const WAITING: usize = 2048;
/// Bytes of those that come with their bytes.
const BYTES: usize = 64 << 20;

/// What comes one by one, worked on in rounds.
pub(super) struct Feed<'f, 'w, J> {
    pub(super) work: &'f mut Work<'w>,
    source: &'f str,
    most: usize,
    jobs: Vec<J>,
    bytes: usize,
    failed: Option<IngestError>,
    stopped: bool,
}

impl<'f, 'w, J: Job> Feed<'f, 'w, J> {
    /// Nothing so far, of a source.
    pub(super) fn new(work: &'f mut Work<'w>, source: &'f str) -> Self {
        let most = work.options.file_rows.clamp(1, WAITING);
        let jobs = Vec::with_capacity(most);
        Self { work, source, most, jobs, bytes: 0, failed: None, stopped: false }
    }

    /// One more that holds so many bytes.
    pub(super) fn push(&mut self, job: J, bytes: usize) -> Flow {
        self.jobs.push(job);
        self.bytes += bytes;
        if self.jobs.len() < self.most && self.bytes < BYTES {
            return self.go();
        }
        match self.flush() {
            Ok(()) => self.go(),
            Err(error) => {
                self.failed = Some(error);
                Flow::Stop
            }
        }
    }

    /// Whether there is to be more.
    pub(super) fn go(&mut self) -> Flow {
        self.stopped |= self.work.is_over();
        if self.stopped { Flow::Stop } else { Flow::Go }
    }

    /// The rest.
    pub(super) fn finish(mut self) -> Result<(), IngestError> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.flush(),
        }
    }

    fn flush(&mut self) -> Result<(), IngestError> {
        let mut out = Vec::new();
        self.stopped |= !self.work.round(self.source, &self.jobs, &mut out)?;
        self.jobs.clear();
        self.bytes = 0;
        self.work.outlet.send(Message::Rows(out))?;
        Ok(self.work.outlet.send(Message::Whole)?)
    }
}
