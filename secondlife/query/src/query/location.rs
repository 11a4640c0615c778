use std::io;
use std::path::{self, Component, Path, PathBuf};
use std::sync::Arc;

use datafusion::catalog::TableProvider;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::execution::object_store::ObjectStoreUrl;
use datafusion::prelude::SessionContext;
use lodger_core::cost::streaming::StreamingRules;
use object_store::ObjectStoreExt as _;
use object_store::path::Path as StorePath;
use url::Url;

use super::error::QueryError;
use crate::dataset::{DatasetManifest, DatasetTable};

/// A local folder, or a folder of an object store.
#[derive(Debug)]
pub(super) struct DatasetLocation {
    name: String,
    url: Url,
}

impl DatasetLocation {
    pub(super) fn parse(dataset: &str) -> Result<Self, QueryError> {
        let problem = |problem: &str| QueryError::dataset(dataset, problem);
        let url = if dataset.contains("://") {
            let mut url =
                Url::parse(dataset).map_err(|error| problem(&format!("it is no URL: {error}")))?;
            if !matches!(url.scheme(), "file" | "s3") {
                return Err(problem("a dataset is a folder, or a URL of file:// or s3://"));
            }
            if !url.path().ends_with('/') {
                url.set_path(&format!("{}/", url.path()));
            }
            url
        } else {
            let path = absolute(Path::new(dataset)).map_err(|error| problem(&error.to_string()))?;
            let no_folder = || problem("it is no folder");
            if !path.metadata().map_err(|error| problem(&error.to_string()))?.is_dir() {
                return Err(no_folder());
            }
            Url::from_directory_path(path).map_err(|()| no_folder())?
        };
        Ok(Self { name: dataset.to_owned(), url })
    }

    pub(super) fn folder(&self) -> Option<PathBuf> {
        let is_local = self.url.scheme() == "file";
        is_local.then(|| self.url.to_file_path().ok()).flatten()
    }

    fn file(&self, path: &str) -> Result<Url, QueryError> {
        let mut url = self.url.clone();
        match url.path_segments_mut() {
            Ok(mut segments) => {
                segments.pop_if_empty().extend(path.split('/'));
            }
            Err(()) => return Err(self.problem("it has no files")),
        }
        Ok(url)
    }

    pub(super) async fn manifest(
        &self,
        context: &SessionContext,
    ) -> Result<DatasetManifest, QueryError> {
        let url = self.file(DatasetManifest::FILE)?;
        let root = format!("{}://{}", url.scheme(), url.host_str().unwrap_or_default());
        let fail = |error| self.problem(&QueryError::from_error(&error).message);
        let store = ObjectStoreUrl::parse(root).map_err(fail)?;
        let store = context.runtime_env().object_store(store).map_err(fail)?;
        let path = StorePath::from_url_path(url.path());
        let path = path.map_err(|error| self.problem(&error.to_string()))?;
        let found = match store.get(&path).await {
            Err(object_store::Error::NotFound { .. }) => {
                let problem =
                    format!("there is no {} in it: it is no dataset", DatasetManifest::FILE);
                return Err(self.problem(&problem));
            }
            found => found.map_err(|error| self.problem(&first_line(&error)))?,
        };
        let bytes = found.bytes().await.map_err(|error| self.problem(&first_line(&error)))?;
        DatasetManifest::parse(&bytes).map_err(|problem| self.problem(&problem))
    }

    fn problem(&self, problem: &str) -> QueryError {
        QueryError::dataset(&self.name, problem)
    }
}

/// An absolute path. Links, which may differ on other machines of a cluster, are followed only in a
/// path with `..`.
fn absolute(path: &Path) -> io::Result<PathBuf> {
    let absolute = path::absolute(path)?;
    let goes_up = absolute.components().any(|part| part == Component::ParentDir);
    if goes_up { absolute.canonicalize() } else { Ok(absolute) }
}

fn first_line(error: &object_store::Error) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// Registers the tables `assets` and `parts`: exactly the files of the manifest, with known
/// columns.
pub(super) fn register_tables(
    context: &SessionContext,
    location: &DatasetLocation,
    manifest: &DatasetManifest,
) -> Result<(), QueryError> {
    for table in DatasetTable::ALL {
        let provider = provider(location, manifest, table)?;
        context
            .register_table(table.folder(), provider)
            .map_err(|error| QueryError::from_error(&error))?;
    }
    Ok(())
}

fn provider(
    location: &DatasetLocation,
    manifest: &DatasetManifest,
    table: DatasetTable,
) -> Result<Arc<dyn TableProvider>, QueryError> {
    let fail = |error| QueryError::from_error(&error);
    let url = |path| {
        location.file(path).and_then(|url| ListingTableUrl::try_new(url, None).map_err(fail))
    };
    let urls = manifest.paths(table).map(url).collect::<Result<Vec<_>, _>>()?;
    if urls.is_empty() {
        return Ok(Arc::new(EmptyTable::new(table.schema())));
    }
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()));
    let config = ListingTableConfig::new_with_multi_paths(urls)
        .with_listing_options(options)
        .with_schema(table.schema());
    Ok(Arc::new(ListingTable::try_new(config).map_err(fail)?))
}

const VIEWS: &str = include_str!("views.sql");

pub(super) async fn create_views(context: &SessionContext, rules: &str) -> Result<(), QueryError> {
    let named = StreamingRules::NAMED.map(|rules| rules.name);
    if !named.contains(&rules) {
        let problem = format!("there are no rules `{rules}`: there are {}", named.join(", "));
        return Err(QueryError::new(problem));
    }
    let views = VIEWS.replace("{rules}", rules);
    for view in views.split_inclusive(";\n").filter(|view| !view.trim().is_empty()) {
        context.sql(view).await.map_err(|error| QueryError::from_error(&error))?;
    }
    Ok(())
}
