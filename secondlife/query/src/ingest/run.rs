//! A run of an ingest: reads assets and objects in parallel, and stores their rows in order.

use std::ops::ControlFlow::{self, Break, Continue};

use arrow::error::ArrowError;
use lodger_quota::{Quota, QuotaExceeded, QuotaPool};
use rayon::prelude::*;

use super::dataset_index::DatasetIndex;
use super::options::{IngestError, IngestOptions, IngestProgress, IngestSummary};
use super::row_sink::{RowMessage, RowSink, TableRows};
use super::rows::IngestedRows;
use crate::dataset::{AssetRowColumns, DatasetTable, PartColumns, SourceKind};

/// Assets and objects that are read in parallel, before their rows are stored.
const ROUND: usize = 2048;
/// Assets and objects whose rows form one batch of columns.
const BATCH: usize = 256;
const REPORT_AFTER: u64 = 1000;
const FEED_BYTES: usize = 64 << 20;

pub(super) trait IngestTask: Sync {
    fn read(&self, with_names: bool, quota: &Quota) -> Result<IngestedRows, QuotaExceeded>;
    fn exceeded(&self, exceeded: QuotaExceeded) -> IngestedRows;
    /// Whether its asset has a row already, with missing bytes.
    fn is_retry(&self) -> bool {
        false
    }
}

pub(super) struct IngestRun<'w> {
    pub(super) options: IngestOptions,
    pub(super) index: DatasetIndex,
    pub(super) summary: IngestSummary,
    pub(super) sink: RowSink,
    watch: &'w (dyn Fn(IngestProgress) + Sync),
    stop: &'w (dyn Fn() -> bool + Sync),
    /// Assets and objects that are done but not reported.
    unreported: u64,
    /// Whether sources are read again for recovered assets; all others were counted before.
    pub(super) is_second_pass: bool,
}

impl<'w> IngestRun<'w> {
    pub(super) fn new(
        options: IngestOptions,
        index: DatasetIndex,
        sink: RowSink,
        watch: &'w (dyn Fn(IngestProgress) + Sync),
        stop: &'w (dyn Fn() -> bool + Sync),
    ) -> Self {
        let summary = IngestSummary::default();
        Self { options, index, summary, sink, watch, stop, unreported: 0, is_second_pass: false }
    }

    pub(super) fn is_stopped(&self) -> bool {
        (self.stop)()
    }

    pub(super) fn begin(
        &mut self,
        name: &str,
        kind: SourceKind,
        total: Option<u64>,
    ) -> Result<(), IngestError> {
        (self.watch)(IngestProgress::Source { name: name.to_owned(), total });
        Ok(self.sink.send(RowMessage::Source(name.to_owned(), kind))?)
    }

    /// Ends the source, which is complete unless the run is stopped.
    pub(super) fn end(&mut self) -> Result<(), IngestError> {
        self.report_progress();
        let is_complete = !self.is_stopped();
        Ok(self.sink.send(RowMessage::End(is_complete))?)
    }

    pub(super) fn skip_known(&mut self) {
        self.count_known(false);
        self.count_done();
    }

    pub(super) fn skip_other(&mut self) {
        self.count_other();
        self.count_done();
    }

    fn count_known(&mut self, is_bad: bool) {
        if !self.is_second_pass {
            self.summary.known += 1;
            self.summary.bad += u64::from(is_bad);
        }
    }

    fn count_other(&mut self) {
        self.summary.passed_over += u64::from(!self.is_second_pass);
    }

    fn count_done(&mut self) {
        self.unreported += 1;
        if self.unreported >= REPORT_AFTER {
            self.report_progress();
        }
    }

    fn report_progress(&mut self) {
        if self.unreported > 0 {
            (self.watch)(IngestProgress::Done(std::mem::take(&mut self.unreported)));
        }
    }

    /// Reads assets and objects, and stores their rows, which may be committed together.
    pub(super) fn store(
        &mut self,
        source: &str,
        tasks: &[impl IngestTask],
    ) -> Result<(), IngestError> {
        let mut out = Vec::new();
        self.read(source, tasks, &mut out)?;
        self.send(out)
    }

    pub(super) fn send(&mut self, rows: Vec<TableRows>) -> Result<(), IngestError> {
        self.sink.send(RowMessage::Rows(rows))?;
        Ok(self.sink.send(RowMessage::Complete)?)
    }

    /// Reads assets and objects in parallel, and appends their rows to `out` in order. Returns
    /// whether all were read.
    pub(super) fn read(
        &mut self,
        source: &str,
        tasks: &[impl IngestTask],
        out: &mut Vec<TableRows>,
    ) -> Result<bool, IngestError> {
        let mut from = 0;
        while let Some(rest) = tasks.get(from..).filter(|rest| !rest.is_empty()) {
            if self.is_stopped() {
                return Ok(false);
            }
            let round = rest.get(..ROUND).unwrap_or(rest);
            let rows = self.read_first(round);
            from += rows.len();
            self.unreported += rows.len() as u64;
            let rows = self.retain_new(source, round, rows);
            let batches: Result<Vec<_>, _> =
                rows.par_chunks(BATCH).map(|rows| batches(source, rows)).collect();
            let batches = batches.map_err(|error| IngestError::new(source, error.to_string()))?;
            out.extend(batches.into_iter().flatten());
            self.report_progress();
        }
        Ok(true)
    }

    /// The rows of the first tasks: of all that fit the quota together, at least one.
    fn read_first(&self, tasks: &[impl IngestTask]) -> Vec<IngestedRows> {
        let pool = QuotaPool::new(self.options.limits);
        let with_names = self.options.with_names;
        let read = |task: &_, quota: &Quota| IngestTask::read(task, with_names, quota);
        let outcomes = pool.run_each(tasks, |_| true, read);
        let mut done = Vec::with_capacity(tasks.len());
        for (task, outcome) in tasks.iter().zip(outcomes) {
            match outcome {
                Ok(rows) => done.push(rows),
                // The rows before it use up the quota: the next round begins with this task.
                Err(QuotaExceeded::Rows { .. }) if !done.is_empty() => break,
                Err(exceeded) => done.push(task.exceeded(exceeded)),
            }
        }
        done
    }

    fn retain_new(
        &mut self,
        source: &str,
        tasks: &[impl IngestTask],
        rows: Vec<IngestedRows>,
    ) -> Vec<IngestedRows> {
        let mut new = Vec::with_capacity(rows.len());
        for (task, rows) in tasks.iter().zip(rows) {
            if rows.is_skipped {
                self.count_other();
                continue;
            }
            if let Some(asset) = &rows.asset {
                if task.is_retry() {
                    // A recovered asset is read again after its old row is deleted.
                    if !self.index.insert_recovered(asset) {
                        self.count_known(true);
                    }
                    continue;
                }
                if asset.id.is_none() && !self.index.insert_unnamed(source, asset) {
                    self.count_known(asset.error.is_some());
                    continue;
                }
                self.index.insert_hash(asset);
                let mesh = asset.mesh.as_ref().and_then(|mesh| mesh.error.as_ref());
                self.summary.assets += 1;
                self.summary.bad += u64::from(asset.error.is_some() || mesh.is_some());
            }
            self.summary.objects += rows.objects;
            self.summary.parts += rows.parts.len() as u64;
            new.push(rows);
        }
        new
    }
}

fn batches(source: &str, rows: &[IngestedRows]) -> Result<Vec<TableRows>, ArrowError> {
    let (mut assets, mut parts) = (AssetRowColumns::default(), PartColumns::default());
    for rows in rows {
        rows.asset.iter().for_each(|asset| assets.append(source, asset));
        rows.parts.iter().for_each(|part| parts.append(source, part));
    }
    let batches = [
        (DatasetTable::Assets, assets.finish_batch()?),
        (DatasetTable::Parts, parts.finish_batch()?),
    ];
    Ok(batches.into_iter().filter(|(_, batch)| batch.num_rows() > 0).collect())
}

pub(super) struct Feed<'f, 'w, T> {
    pub(super) run: &'f mut IngestRun<'w>,
    source: &'f str,
    max: usize,
    tasks: Vec<T>,
    bytes: usize,
    failed: Option<IngestError>,
    is_stopped: bool,
}

impl<'f, 'w, T: IngestTask> Feed<'f, 'w, T> {
    pub(super) fn new(run: &'f mut IngestRun<'w>, source: &'f str) -> Self {
        let max = run.options.file_rows.clamp(1, ROUND);
        let tasks = Vec::with_capacity(max);
        Self { run, source, max, tasks, bytes: 0, failed: None, is_stopped: false }
    }

    pub(super) fn push(&mut self, task: T, bytes: usize) -> ControlFlow<()> {
        self.tasks.push(task);
        self.bytes += bytes;
        if self.tasks.len() < self.max && self.bytes < FEED_BYTES {
            return self.flow();
        }
        match self.flush() {
            Ok(()) => self.flow(),
            Err(error) => {
                self.failed = Some(error);
                Break(())
            }
        }
    }

    pub(super) fn flow(&mut self) -> ControlFlow<()> {
        self.is_stopped |= self.run.is_stopped();
        if self.is_stopped { Break(()) } else { Continue(()) }
    }

    pub(super) fn finish(mut self) -> Result<(), IngestError> {
        match self.failed.take() {
            Some(error) => Err(error),
            None => self.flush(),
        }
    }

    fn flush(&mut self) -> Result<(), IngestError> {
        let mut out = Vec::new();
        self.is_stopped |= !self.run.read(self.source, &self.tasks, &mut out)?;
        self.tasks.clear();
        self.bytes = 0;
        self.run.send(out)
    }
}
