use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use lodger_grid::cluster::RunningQueries;
use lodger_grid::dataset::DatasetManifest;
use lodger_grid::query::{QueryError, QueryOptions, QuerySession};
use lodger_terminal::{Diagnostic, check_outputs};
use tokio::runtime::{Builder, Handle, Runtime};

use super::args::QueryArgs;

/// The time limit of the cancellation of a query on a cluster after Ctrl-C.
const CANCEL_TIMEOUT: Duration = Duration::from_secs(2);

pub(super) struct QueryRunner {
    pub(super) session: QuerySession,
    runtime: Runtime,
}

impl QueryRunner {
    /// Opens a dataset, if the outputs can be written and replace none of its files.
    pub(super) fn open(
        query: &QueryArgs,
        rules: &'static str,
        plot: Option<&Path>,
    ) -> Result<Self, Diagnostic> {
        let QueryArgs { dataset, engine, output } = query;
        output.check(plot)?;
        let started = Builder::new_multi_thread().enable_all().build();
        let runtime = started
            .map_err(|error| Diagnostic::error(format!("no threads can be started: {error}")))?;
        let options = QueryOptions {
            rules,
            partitions: engine.partitions,
            memory: engine.memory.get().saturating_mul(1 << 20),
            cluster: engine.cluster.clone(),
        };
        let session = runtime
            .block_on(QuerySession::open(dataset, &options))
            .map_err(|error| to_diagnostic(&error))?;
        lodger_terminal::output::remove_on_interrupt(session.folder());
        if let Some(running) = session.running() {
            cancel_on_interrupt(running, runtime.handle().clone());
        }
        check_apart(&session, &[("--output", output.output.as_deref()), ("--plot", plot)])?;
        Ok(Self { session, runtime })
    }

    pub(super) fn run<T>(
        &self,
        report: impl Future<Output = Result<T, QueryError>>,
    ) -> Result<T, Diagnostic> {
        self.wait(report).map_err(|error| to_diagnostic(&error))
    }

    pub(super) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

fn cancel_on_interrupt(running: Arc<RunningQueries>, runtime: Handle) {
    lodger_terminal::output::on_interrupt(move || {
        let (sender, receiver) = mpsc::channel();
        runtime.spawn(async move {
            running.cancel().await;
            // The receiver may have timed out.
            let _ = sender.send(());
        });
        // A scheduler that does not respond is ignored.
        let _ = receiver.recv_timeout(CANCEL_TIMEOUT);
    });
}

pub(super) fn to_diagnostic(error: &QueryError) -> Diagnostic {
    error.help.iter().cloned().fold(Diagnostic::error(error.to_string()), Diagnostic::help)
}

/// Rejects outputs in the folder of the dataset, and outputs that replace one of its files.
fn check_apart(
    session: &QuerySession,
    outputs: &[(&str, Option<&Path>)],
) -> Result<(), Diagnostic> {
    let folder = session.local_folder();
    let files = session.manifest().files.iter().map(|file| file.path.as_str());
    let files = files.chain([DatasetManifest::FILE]);
    let files: Vec<_> = files.filter_map(|path| Some(folder?.join(path))).collect();
    check_outputs(outputs, |is_same| files.iter().find(|file| is_same(file)).cloned())?;
    let Some(folder) = folder.and_then(|folder| folder.canonicalize().ok()) else { return Ok(()) };
    for (option, path) in outputs {
        if path.and_then(parent_folder).is_some_and(|parent| parent.starts_with(&folder)) {
            let message = format!("{option} names a file within the dataset");
            return Err(Diagnostic::error(message).help("choose a file elsewhere"));
        }
    }
    Ok(())
}

/// The canonical folder of a file. A link is followed, even if its target does not exist yet.
fn parent_folder(file: &Path) -> Option<PathBuf> {
    let parent = |path: &Path| match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let file = match (file.canonicalize(), file.read_link()) {
        (Ok(existing), _) => existing,
        (_, Ok(target)) => parent(file).join(target),
        _ => file.to_owned(),
    };
    parent(&file).canonicalize().ok()
}
