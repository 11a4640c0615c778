//! The work on the assets and objects of a source: side by side, and told in their order.

use lodger_quota::{Quota, QuotaExceeded, QuotaPool};
use rayon::prelude::*;

use super::error::IngestError;
use super::known::Known;
use super::options::Options;
use super::outlet::{Message, Outlet, TableRows};
use super::rows::Rows;
use super::step::{Step, Summary};
use crate::dataset::{AssetColumns, PartColumns, SourceKind, Table};

/// Assets and objects that are worked on side by side, before their rows are handed on.
const ROUND: usize = 2048;
/// Of those, so many become columns as one.
const PIECE: usize = 256;
/// Assets and objects that are passed over before that is told.
const TOLD: u64 = 1000;

/// An asset or object to be worked on.
pub(super) trait Job: Sync {
    /// Reads it.
    fn read(&self, quota: &Quota) -> Result<Rows, QuotaExceeded>;
    /// What is told of one that needs more than it may take.
    fn refused(&self, spent: QuotaExceeded) -> Rows;
    /// Whether its asset has a row already, because its bytes could not be had.
    fn is_again(&self) -> bool {
        false
    }
}

/// The work on all sources.
pub(super) struct Work<'w> {
    pub(super) options: Options,
    pub(super) known: Known,
    pub(super) summary: Summary,
    pub(super) outlet: Outlet,
    pub(super) watch: &'w (dyn Fn(Step) + Sync),
    pub(super) stop: &'w (dyn Fn() -> bool + Sync),
    /// What is done and not told.
    pub(super) untold: u64,
    /// Whether what was read is read once more, for the sake of some of it: the rest was counted.
    pub(super) once_more: bool,
}

impl Work<'_> {
    /// Whether there is to be no more.
    pub(super) fn is_over(&self) -> bool {
        (self.stop)()
    }

    /// A source begins.
    pub(super) fn begin(
        &mut self,
        name: &str,
        kind: SourceKind,
        total: Option<u64>,
    ) -> Result<(), IngestError> {
        (self.watch)(Step::Source { name: name.to_owned(), total });
        Ok(self.outlet.send(Message::Source(name.to_owned(), kind))?)
    }

    /// The source ends; all of it was read unless somebody said stop.
    pub(super) fn end(&mut self) -> Result<(), IngestError> {
        self.tell();
        let whole = !self.is_over();
        Ok(self.outlet.send(Message::End(whole))?)
    }

    /// One was there before.
    pub(super) fn is_known(&mut self) {
        self.count_known(false);
        self.is_done();
    }

    /// One is of no kind that counts.
    pub(super) fn passes_over(&mut self) {
        self.count_passed_over();
        self.is_done();
    }

    fn count_known(&mut self, is_bad: bool) {
        if !self.once_more {
            self.summary.known += 1;
            self.summary.bad += u64::from(is_bad);
        }
    }

    fn count_passed_over(&mut self) {
        self.summary.passed_over += u64::from(!self.once_more);
    }

    /// What was done and not told is told.
    pub(super) fn tell(&mut self) {
        if self.untold > 0 {
            (self.watch)(Step::Done(std::mem::take(&mut self.untold)));
        }
    }

    fn is_done(&mut self) {
        self.untold += 1;
        if self.untold >= TOLD {
            self.tell();
        }
    }

    /// Reads assets and objects side by side, and hands their rows on in their order. Whether all were read.
    pub(super) fn round(
        &mut self,
        source: &str,
        jobs: &[impl Job],
        out: &mut Vec<TableRows>,
    ) -> Result<bool, IngestError> {
        let mut from = 0;
        while let Some(rest) = jobs.get(from..).filter(|rest| !rest.is_empty()) {
            if self.is_over() {
                return Ok(false);
            }
            let piece = rest.get(..ROUND).unwrap_or(rest);
            let done = self.side_by_side(piece);
            from += done.len();
            self.untold += done.len() as u64;
            let done = self.count(source, piece, done);
            let columns = |piece: &[Rows]| columns(source, piece);
            let columns: Result<Vec<_>, _> = done.par_chunks(PIECE).map(columns).collect();
            let columns =
                columns.map_err(|error| IngestError::source(source, error.to_string()))?;
            out.extend(columns.into_iter().flatten());
            self.tell();
        }
        Ok(true)
    }

    /// What came of the jobs at the front: of all that fit beside each other, and of one at least.
    fn side_by_side(&self, jobs: &[impl Job]) -> Vec<Rows> {
        let pool = QuotaPool::new(self.options.limits);
        let read = |job: &_, quota: &Quota| Job::read(job, quota);
        let outcomes = pool.run_each(jobs, |_| true, read);
        let mut done = Vec::with_capacity(jobs.len());
        for (job, outcome) in jobs.iter().zip(outcomes) {
            match outcome {
                Ok(rows) => done.push(rows),
                // The rows of those before it take all the room: the next round begins with it.
                Err(QuotaExceeded::Rows { .. }) if !done.is_empty() => break,
                Err(spent) => done.push(job.refused(spent)),
            }
        }
        done
    }

    /// Leaves what was not there before, and counts it.
    fn count(&mut self, source: &str, jobs: &[impl Job], rows: Vec<Rows>) -> Vec<Rows> {
        let mut new = Vec::with_capacity(rows.len());
        for (job, rows) in jobs.iter().zip(rows) {
            if rows.passed_over {
                self.count_passed_over();
                continue;
            }
            if let Some(asset) = &rows.asset {
                if job.is_again() {
                    // One that is there by now is read once more, after its older row is gone.
                    if !self.known.has_found(asset) {
                        self.count_known(true);
                    }
                    continue;
                }
                if asset.id.is_none() && !self.known.take_nameless(source, asset) {
                    self.count_known(asset.error.is_some());
                    continue;
                }
                self.known.take_bytes(asset);
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

/// Rows as columns.
fn columns(source: &str, rows: &[Rows]) -> Result<Vec<TableRows>, arrow::error::ArrowError> {
    let (mut assets, mut parts) = (AssetColumns::default(), PartColumns::default());
    for rows in rows {
        rows.asset.iter().for_each(|asset| assets.push(source, asset));
        rows.parts.iter().for_each(|part| parts.push(source, part));
    }
    let mut columns = Vec::new();
    if assets.rows() > 0 {
        columns.push((Table::Assets, assets.finish()?));
    }
    if parts.rows() > 0 {
        columns.push((Table::Parts, parts.finish()?));
    }
    Ok(columns)
}
