//! Where a dataset is.

use std::io;
use std::path::{self, Component, Path, PathBuf};

use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::SessionContext;
use object_store::ObjectStoreExt as _;
use object_store::path::Path as StorePath;
use url::Url;

use super::error::QueryError;
use crate::dataset::Manifest;

/// A folder of this machine, or of an object store.
#[derive(Debug)]
pub(super) struct Location {
    /// What it was called.
    name: String,
    /// With a slash at its end.
    url: Url,
}

impl Location {
    /// What a path or a URL names.
    ///
    /// # Errors
    /// It is no folder, or a URL of a kind that is not supported.
    pub(super) fn of(dataset: &str) -> Result<Self, QueryError> {
        let problem = |problem: String| QueryError::Dataset { name: dataset.to_owned(), problem };
        let url = if dataset.contains("://") {
            let mut url =
                Url::parse(dataset).map_err(|error| problem(format!("no URL: {error}")))?;
            if !matches!(url.scheme(), "file" | "s3") {
                return Err(problem(
                    "a dataset is a folder, or a URL of file:// or s3://".to_owned(),
                ));
            }
            if !url.path().ends_with('/') {
                url.set_path(&format!("{}/", url.path()));
            }
            url
        } else {
            let path = absolute(Path::new(dataset)).map_err(|error| problem(error.to_string()))?;
            let no_folder = || problem("it is no folder".to_owned());
            if !path.metadata().map_err(|error| problem(error.to_string()))?.is_dir() {
                return Err(no_folder());
            }
            Url::from_directory_path(path).map_err(|()| no_folder())?
        };
        Ok(Self { name: dataset.to_owned(), url })
    }

    /// The folder of this machine, if it is one.
    pub(super) fn folder(&self) -> Option<PathBuf> {
        let is_here = self.url.scheme() == "file";
        is_here.then(|| self.url.to_file_path().ok()).flatten()
    }

    /// A file of the dataset, by its path in it.
    pub(super) fn file(&self, path: &str) -> Result<Url, QueryError> {
        let mut url = self.url.clone();
        match url.path_segments_mut() {
            Ok(mut segments) => {
                segments.pop_if_empty().extend(path.split('/'));
            }
            Err(()) => return Err(self.problem("it has no files".to_owned())),
        }
        Ok(url)
    }

    /// Reads the manifest through the object store.
    pub(super) async fn manifest(&self, context: &SessionContext) -> Result<Manifest, QueryError> {
        let url = self.file(Manifest::FILE)?;
        let root = format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default());
        let told = |error| self.problem(QueryError::told(&error).to_string());
        let store = ObjectStoreUrl::parse(root).map_err(told)?;
        let store = context.runtime_env().object_store(store).map_err(told)?;
        let path = StorePath::from_url_path(url.path());
        let path = path.map_err(|error| self.problem(error.to_string()))?;
        let found = match store.get(&path).await {
            Err(object_store::Error::NotFound { .. }) => {
                let problem = format!("there is no {} in it: it is no dataset", Manifest::FILE);
                return Err(self.problem(problem));
            }
            found => found.map_err(|error| self.problem(first_line(&error)))?,
        };
        let bytes = found.bytes().await.map_err(|error| self.problem(first_line(&error)))?;
        Manifest::parse(&bytes).map_err(|problem| self.problem(problem))
    }

    fn problem(&self, problem: String) -> QueryError {
        QueryError::Dataset { name: self.name.clone(), problem }
    }
}

/// A path from the root, by the names that were said: on the other machines of a cluster, links may lead elsewhere. Only
/// where a `..` may stand behind a link, they are followed.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let absolute = path::absolute(path)?;
    let goes_up = absolute.components().any(|part| part == Component::ParentDir);
    if goes_up { absolute.canonicalize() } else { Ok(absolute) }
}

fn first_line(error: &object_store::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}
