//! A dataset that is asked, and who waits for the answer.

use std::path::{Path, PathBuf};
use std::sync::{Arc, mpsc};
use std::time::Duration;

use lodger_grid::cluster::Running;
use lodger_grid::dataset::Manifest;
use lodger_grid::query::{Options, QueryError, Session};
use lodger_terminal::{Diagnostic, check_outputs, output};
use tokio::runtime::{Builder, Handle, Runtime};

use super::args::QueryArgs;

/// How long a scheduler may take to end a query that Ctrl-C ended here.
const FAREWELL: Duration = Duration::from_secs(2);

/// A dataset that is asked.
pub(super) struct Asking {
    pub(super) session: Session,
    runtime: Runtime,
}

impl Asking {
    /// Opens a dataset, if there are places for the answer. Results may not take the place of a file of it.
    pub(super) fn open(
        query: &QueryArgs,
        rules: &'static str,
        plot: Option<&Path>,
    ) -> Result<Self, Diagnostic> {
        let QueryArgs { dataset, engine, places } = query;
        places.check(plot)?;
        let started = Builder::new_multi_thread().enable_all().build();
        let runtime = started
            .map_err(|error| Diagnostic::error(format!("no threads can be started: {error}")))?;
        let options = Options {
            rules,
            partitions: engine.partitions,
            memory: engine.memory.get().saturating_mul(1 << 20),
            cluster: engine.cluster.clone(),
        };
        let session = runtime.block_on(Session::open(dataset, &options)).map_err(|e| told(&e))?;
        output::remove_on_interrupt(session.folder());
        if let Some(running) = session.running() {
            end_on_interrupt(running, runtime.handle().clone());
        }
        spare(&session, &[("--output", places.output.as_deref()), ("--plot", plot)])?;
        Ok(Self { session, runtime })
    }

    /// What becomes of a piece of work.
    pub(super) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

/// Lets Ctrl-C end what a cluster works on.
fn end_on_interrupt(running: Arc<Running>, runtime: Handle) {
    output::before_interrupt(move || {
        let (told, ended) = mpsc::channel();
        runtime.spawn(async move {
            running.cancel().await;
            // Whoever waits may have waited long enough.
            let _ = told.send(());
        });
        // A scheduler that does not answer is not waited for.
        let _ = ended.recv_timeout(FAREWELL);
    });
}

/// What is told of a question without an answer.
pub(super) fn told(error: &QueryError) -> Diagnostic {
    error.help().into_iter().fold(Diagnostic::error(error.to_string()), Diagnostic::help)
}

/// Refuses results that would lie in the dataset, or take the place of one of its files.
fn spare(session: &Session, outputs: &[(&str, Option<&Path>)]) -> Result<(), Diagnostic> {
    let folder = session.local_folder();
    let files = session.manifest().files.iter().map(|file| file.path.as_str());
    let files = files.chain([Manifest::FILE]);
    let files: Vec<_> = files.filter_map(|path| Some(folder?.join(path))).collect();
    check_outputs(outputs, |is_it| files.iter().find(|file| is_it(file)).cloned())?;
    let Some(folder) = folder.and_then(|folder| folder.canonicalize().ok()) else { return Ok(()) };
    for (option, place) in outputs {
        if place.and_then(written_in).is_some_and(|parent| parent.starts_with(&folder)) {
            let message = format!("{option} names a file within the dataset");
            return Err(Diagnostic::error(message).help("give it a place elsewhere"));
        }
    }
    Ok(())
}

/// The folder that a file is written in, free of links: a link to a file is followed, be it there or still to be made.
fn written_in(place: &Path) -> Option<PathBuf> {
    let here = |path: &Path| match path.parent() {
        Some(parent) if parent != Path::new("") => parent.to_owned(),
        _ => PathBuf::from("."),
    };
    let place = match (place.canonicalize(), place.read_link()) {
        (Ok(there), _) => there,
        (_, Ok(to_be_made)) => here(place).join(to_be_made),
        _ => place.to_owned(),
    };
    here(&place).canonicalize().ok()
}
