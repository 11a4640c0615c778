//! Watching of a query that runs on a cluster.
//!
//! A query that arrives before the first executor would wait for ever. Therefore the scheduler's
//! health is polled while no rows arrive, and a query that cannot go on ends with one error. A
//! query that loses an executor before its first row is submitted again.

use std::fmt;
use std::sync::Arc;
use std::time::{Duration, Instant};

use datafusion::arrow::array::RecordBatch;
use datafusion::common::tree_node::TreeNodeRecursion;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::physical_expr::PhysicalExpr;
use datafusion::physical_plan::stream::RecordBatchStreamAdapter;
use datafusion::physical_plan::{DisplayAs, DisplayFormatType, ExecutionPlan, PlanProperties};
use futures::{StreamExt as _, stream};

use super::address::{Address, ClusterError, READY, health};
use super::submission::{Query, QueryGuard, SubmittedQuery};

const POLL_INTERVAL: Duration = Duration::from_secs(2);
/// The time after which a missing executor or scheduler is an error.
const TIMEOUT: Duration = Duration::from_secs(20);

const MAX_SUBMISSIONS: usize = 4;

#[derive(Debug)]
pub(super) struct WatchedExec {
    query: Arc<Query>,
    submitted: Arc<SubmittedQuery>,
}

impl WatchedExec {
    pub(super) fn new(query: Query) -> Self {
        Self { submitted: query.submit(), query: Arc::new(query) }
    }
}

impl DisplayAs for WatchedExec {
    fn fmt_as(&self, kind: DisplayFormatType, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.submitted.fmt_as(kind, f)
    }
}

impl ExecutionPlan for WatchedExec {
    fn name(&self) -> &'static str {
        "WatchedExec"
    }

    fn properties(&self) -> &Arc<PlanProperties> {
        self.submitted.properties()
    }

    fn children(&self) -> Vec<&Arc<dyn ExecutionPlan>> {
        Vec::new()
    }

    fn apply_expressions(
        &self,
        _: &mut dyn FnMut(&Arc<dyn PhysicalExpr>) -> Result<TreeNodeRecursion>,
    ) -> Result<TreeNodeRecursion> {
        Ok(TreeNodeRecursion::Continue)
    }

    fn with_new_children(
        self: Arc<Self>,
        _: Vec<Arc<dyn ExecutionPlan>>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        Ok(self)
    }

    fn execute(
        &self,
        partition: usize,
        context: Arc<TaskContext>,
    ) -> Result<SendableRecordBatchStream> {
        let (query, schema) = (Arc::clone(&self.query), self.schema());
        let pending = PendingStream { query, partition, context, submissions: 0 };
        let watched = WatchedStream::new(pending)?;
        let rows = stream::unfold(watched, |mut watched| async move {
            let item = watched.next().await?;
            Some((item, watched))
        });
        Ok(Box::pin(RecordBatchStreamAdapter::new(schema, rows)))
    }
}

/// A stream of the rows of a partition, before its query is submitted.
struct PendingStream {
    query: Arc<Query>,
    partition: usize,
    context: Arc<TaskContext>,
    submissions: usize,
}

impl PendingStream {
    fn submit(&mut self) -> Result<(SendableRecordBatchStream, QueryGuard)> {
        self.submissions += 1;
        let submitted = self.query.submit();
        let rows = submitted.execute(self.partition, Arc::clone(&self.context));
        Ok((rows.map_err(planning_error)?, QueryGuard::new(submitted, self.query.address.clone())))
    }
}

struct WatchedStream {
    pending: PendingStream,
    rows: SendableRecordBatchStream,
    guard: QueryGuard,
    stall: Option<StallTimer>,
    has_rows: bool,
    is_ended: bool,
}

impl WatchedStream {
    fn new(mut pending: PendingStream) -> Result<Self> {
        let (rows, guard) = pending.submit()?;
        Ok(Self { pending, rows, guard, stall: None, has_rows: false, is_ended: false })
    }

    async fn next(&mut self) -> Option<Result<RecordBatch>> {
        loop {
            if self.is_ended {
                return None;
            }
            let item = tokio::select! {
                item = self.rows.next() => item,
                cause = stalled(&self.guard.address, &mut self.stall) => {
                    self.is_ended = true;
                    let error = ClusterError::new(&self.guard.address, cause.to_string());
                    return Some(Err(error.into()));
                }
            };
            let error = match item {
                Some(Err(error)) => error,
                Some(Ok(rows)) => {
                    self.has_rows = true;
                    return Some(Ok(rows));
                }
                None => {
                    self.is_ended = true;
                    self.guard.finish();
                    return None;
                }
            };
            if self.has_rows
                || self.pending.submissions >= MAX_SUBMISSIONS
                || !is_loss(&error.to_string())
            {
                self.is_ended = true;
                return Some(Err(cluster_error(error, &self.guard.address).await));
            }
            match self.pending.submit() {
                Ok((rows, guard)) => (self.rows, self.guard) = (rows, guard),
                Err(error) => {
                    self.is_ended = true;
                    return Some(Err(error));
                }
            }
        }
    }
}

/// Whether a query failed because an executor was lost: its job was cancelled, or rows could not be
/// fetched.
fn is_loss(text: &str) -> bool {
    let is_cancelled = text.trim_end().ends_with(" failed: Cancelled");
    is_cancelled || text.contains(" has failed 1 times") || text.contains("FetchFailed")
}

/// Converts an error to one line; a lost scheduler takes precedence.
async fn cluster_error(error: DataFusionError, address: &Address) -> DataFusionError {
    let text = error.strip_backtrace();
    let fail = |problem: &str| ClusterError::new(address, problem);
    let error = match stall_cause(address).await {
        Some(cause @ StallCause::NoScheduler) => fail(&cause.to_string()),
        _ if is_loss(&text) => fail("an executor was lost while its rows were fetched; try again"),
        _ => {
            let error = fail(&format!("the query failed: {}", cause(&text)));
            ClusterError { is_memory: is_memory(&text), ..error }
        }
    };
    error.into()
}

/// Converts the error of a plan that cannot be submitted. `DataFusion` cannot encode tables without
/// files.
fn planning_error(error: DataFusionError) -> DataFusionError {
    if error.to_string().contains("LogicalExtensionCodec is not provided") {
        let problem = "a function that makes a table works only in one process, without a cluster";
        return DataFusionError::Plan(problem.to_owned());
    }
    error
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum StallCause {
    NoExecutor,
    NoScheduler,
}

impl fmt::Display for StallCause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::NoExecutor => "the scheduler has no executor that could run the query; start one",
            Self::NoScheduler => "the scheduler does not answer any more",
        })
    }
}

struct StallTimer {
    cause: StallCause,
    since: Instant,
}

/// Waits until a stall reaches the time limit. Cancel-safe: `timer` keeps the time.
async fn stalled(address: &Address, timer: &mut Option<StallTimer>) -> StallCause {
    loop {
        tokio::time::sleep(POLL_INTERVAL).await;
        let Some(cause) = stall_cause(address).await else {
            *timer = None;
            continue;
        };
        let stall = timer.get_or_insert_with(|| StallTimer { cause, since: Instant::now() });
        stall.cause = cause;
        if stall.since.elapsed() >= TIMEOUT {
            return cause;
        }
    }
}

async fn stall_cause(address: &Address) -> Option<StallCause> {
    match health(address, READY).await {
        Ok(response) if response.status == 200 => None,
        Ok(_) => Some(StallCause::NoExecutor),
        Err(_) => Some(StallCause::NoScheduler),
    }
}

const WRAPPERS: [&str; 4] =
    ["Execution error: ", " failed: ", " failed due to ", "runtime execution error: "];

const DEBUG_PREFIX: &str = "DataFusionError(";

fn cause(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if let Some(cause) = line.find(DEBUG_PREFIX).and_then(|begin| innermost(line.get(begin..)?)) {
        return cause;
    }
    let ends = WRAPPERS.iter().filter_map(|wrapper| Some(line.rfind(wrapper)? + wrapper.len()));
    let cause = ends.max().and_then(|end| line.get(end..)).filter(|cause| !cause.is_empty());
    cause.unwrap_or(&line).to_owned()
}

fn is_memory(text: &str) -> bool {
    text.contains("ResourcesExhausted(") || text.contains("Resources exhausted: ")
}

/// Returns the cause in the debug format of an error, as
/// `DataFusionError(ArrowError(DivideByZero))`: its last quoted text, or the name of the innermost
/// variant.
fn innermost(debug: &str) -> Option<String> {
    quoted(debug).or_else(|| {
        let name = debug.rsplit('(').next()?.trim_end_matches(')');
        Some(words(name)).filter(|words| !words.is_empty())
    })
}

/// Returns the last quoted text that is not empty.
fn quoted(cause: &str) -> Option<String> {
    let (mut last, mut text, mut letters) = (None, None::<String>, cause.chars());
    while let Some(letter) = letters.next() {
        match (letter, &mut text) {
            ('"', None) => text = Some(String::new()),
            ('"', Some(_)) => last = text.take().filter(|text| !text.is_empty()).or(last),
            ('\\', Some(text)) => text.extend(letters.next().map(unescaped)),
            (letter, Some(text)) => text.push(letter),
            (_, None) => {}
        }
    }
    last.map(|text: String| text.split_whitespace().collect::<Vec<_>>().join(" "))
}

fn unescaped(letter: char) -> char {
    if matches!(letter, 'n' | 'r' | 't') { ' ' } else { letter }
}

fn words(name: &str) -> String {
    let mut words = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !words.is_empty() {
            words.push(' ');
        }
        words.extend(letter.to_lowercase());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_differ_from_other_errors() {
        assert!(is_loss("Execution error: Job 038 failed: Cancelled\n"));
        assert!(is_loss(
            "Job failed due to stage 3 failed: Stage 3 has failed 1 times, most recent failure reason: x"
        ));
        assert!(!is_loss("Job 038 failed: Job failed due to stage 1 failed: DivideByZero"));
    }

    #[test]
    fn the_cause_of_an_error_is_found() {
        let job = "Execution error: Job 038 failed: Job failed due to stage 1 failed: Task failed due to runtime";
        let cause_of = |debug: &str| cause(&format!("{job} execution error: {debug}\n\n"));
        assert_eq!(
            cause_of("DataFusionError(Shared(External(ArrowError(DivideByZero))))"),
            "divide by zero"
        );
        let cast = r#"DataFusionError(ArrowError(CastError("Cannot cast string \"it failed: 1\" to Int8")))"#;
        assert_eq!(cause_of(cast), r#"Cannot cast string "it failed: 1" to Int8"#);
        let parquet = r#"Parquet error: a "file" of 6 bytes"#;
        assert_eq!(cause_of(parquet), parquet);
        assert_eq!(cause_of("DataFusionError()"), "DataFusionError()");
        assert_eq!(cause("a\nb"), "a b");
        assert_eq!(cause("it failed: "), "it failed:");
    }

    #[test]
    fn errors_of_memory_are_detected() {
        assert!(is_memory(r#"DataFusionError(ResourcesExhausted("Failed to allocate"))"#));
        assert!(!is_memory("DataFusionError(ArrowError(DivideByZero))"));
    }
}
