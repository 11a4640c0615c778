//! A dataset that is asked, and who waits for the answer.

use std::path::{Path, PathBuf};

use lodger_grid::dataset::Manifest;
use lodger_grid::query::{Options, QueryError, Session};
use lodger_terminal::{Diagnostic, check_outputs, output};
use tokio::runtime::{Builder, Runtime};

use super::args::QueryArgs;

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
        spare(
            dataset,
            session.manifest(),
            &[("--output", places.output.as_deref()), ("--plot", plot)],
        )?;
        Ok(Self { session, runtime })
    }

    /// What becomes of a piece of work.
    pub(super) fn wait<T>(&self, work: impl Future<Output = T>) -> T {
        self.runtime.block_on(work)
    }
}

/// What is told of a question without an answer.
pub(super) fn told(error: &QueryError) -> Diagnostic {
    error.help().into_iter().fold(Diagnostic::error(error.to_string()), Diagnostic::help)
}

/// Refuses results that would lie in the dataset, or take the place of one of its files.
fn spare(
    dataset: &str,
    manifest: &Manifest,
    outputs: &[(&str, Option<&Path>)],
) -> Result<(), Diagnostic> {
    let folder = PathBuf::from(dataset.strip_prefix("file://").unwrap_or(dataset));
    let files = manifest.files.iter().map(|file| file.path.as_str()).chain([Manifest::FILE]);
    let files: Vec<_> = files.map(|path| folder.join(path)).collect();
    check_outputs(outputs, |is_it| files.iter().find(|file| is_it(file)).cloned())?;
    let Ok(folder) = folder.canonicalize() else { return Ok(()) };
    for (option, place) in outputs {
        let parent = place.and_then(Path::parent).map(|parent| parent.canonicalize());
        if parent.is_some_and(|parent| parent.is_ok_and(|parent| parent.starts_with(&folder))) {
            let message = format!("{option} names a file within the dataset");
            return Err(Diagnostic::error(message).help("give it a place elsewhere"));
        }
    }
    Ok(())
}
