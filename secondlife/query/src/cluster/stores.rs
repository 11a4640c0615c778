//! Object stores: local files and buckets of S3.

use std::fmt;
use std::future::ready;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use datafusion::error::{DataFusionError, Result as DataFusionResult};
use datafusion::execution::object_store::{
    DefaultObjectStoreRegistry, ObjectStoreRegistry, ObjectStoreUrl,
};
use futures::stream::{self, BoxStream};
use futures::{FutureExt as _, StreamExt as _};
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, RenameOptions, Result,
};
use url::Url;

/// Object stores: local files, registered stores, and buckets of S3.
///
/// A bucket (`s3://BUCKET/…`) is opened at its first use with the settings in the environment:
/// `AWS_ENDPOINT`, `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ALLOW_HTTP`, ….
/// So each process of a cluster has its own keys, and none is transmitted. A missing Parquet file
/// is an error, in a query too.
#[derive(Debug)]
pub struct Stores {
    known: DefaultObjectStoreRegistry,
}

impl Default for Stores {
    fn default() -> Self {
        let stores = Self { known: DefaultObjectStoreRegistry::new() };
        let here = ObjectStoreUrl::local_filesystem();
        stores.register_store(here.as_ref(), Arc::new(LocalFileSystem::new()));
        stores
    }
}

impl ObjectStoreRegistry for Stores {
    fn register_store(
        &self,
        url: &Url,
        store: Arc<dyn ObjectStore>,
    ) -> Option<Arc<dyn ObjectStore>> {
        self.known.register_store(url, Arc::new(NamedFiles(store)))
    }

    fn deregister_store(&self, url: &Url) -> DataFusionResult<Arc<dyn ObjectStore>> {
        self.known.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> DataFusionResult<Arc<dyn ObjectStore>> {
        match (self.known.get_store(url), url.scheme(), url.host_str()) {
            (Err(_), "s3", Some(bucket)) => {
                let store: Arc<dyn ObjectStore> =
                    Arc::new(NamedFiles(Arc::new(open_bucket(bucket)?)));
                self.known.register_store(url, Arc::clone(&store));
                Ok(store)
            }
            (found, ..) => found,
        }
    }
}

fn open_bucket(bucket: &str) -> DataFusionResult<object_store::aws::AmazonS3> {
    AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .build()
        .map_err(|error| DataFusionError::ObjectStore(Box::new(error)))
}

type Bytes = <PutPayload as IntoIterator>::Item;

/// A store in which a missing Parquet file is an error. `DataFusion` would list it as a folder,
/// find nothing, and return fewer rows.
#[derive(Debug)]
struct NamedFiles(Arc<dyn ObjectStore>);

impl fmt::Display for NamedFiles {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

#[async_trait]
impl ObjectStore for NamedFiles {
    fn list(&self, prefix: Option<&Path>) -> BoxStream<'static, Result<ObjectMeta>> {
        let found = self.0.list(prefix);
        match prefix.filter(|prefix| prefix.as_ref().ends_with(".parquet")) {
            Some(prefix) => or_missing(found, prefix.to_string()),
            None => found,
        }
    }

    // All other methods delegate.

    async fn put_opts(
        &self,
        location: &Path,
        payload: PutPayload,
        options: PutOptions,
    ) -> Result<PutResult> {
        self.0.put_opts(location, payload, options).await
    }

    async fn put_multipart_opts(
        &self,
        location: &Path,
        options: PutMultipartOptions,
    ) -> Result<Box<dyn MultipartUpload>> {
        self.0.put_multipart_opts(location, options).await
    }

    async fn get_opts(&self, location: &Path, options: GetOptions) -> Result<GetResult> {
        self.0.get_opts(location, options).await
    }

    async fn get_ranges(&self, location: &Path, ranges: &[Range<u64>]) -> Result<Vec<Bytes>> {
        self.0.get_ranges(location, ranges).await
    }

    fn delete_stream(
        &self,
        locations: BoxStream<'static, Result<Path>>,
    ) -> BoxStream<'static, Result<Path>> {
        self.0.delete_stream(locations)
    }

    fn list_with_offset(
        &self,
        prefix: Option<&Path>,
        offset: &Path,
    ) -> BoxStream<'static, Result<ObjectMeta>> {
        self.0.list_with_offset(prefix, offset)
    }

    async fn list_with_delimiter(&self, prefix: Option<&Path>) -> Result<ListResult> {
        self.0.list_with_delimiter(prefix).await
    }

    async fn copy_opts(&self, from: &Path, to: &Path, options: CopyOptions) -> Result<()> {
        self.0.copy_opts(from, to, options).await
    }

    async fn rename_opts(&self, from: &Path, to: &Path, options: RenameOptions) -> Result<()> {
        self.0.rename_opts(from, to, options).await
    }
}

/// Returns the files of a list, or an error if there are none.
fn or_missing(
    found: BoxStream<'static, Result<ObjectMeta>>,
    path: String,
) -> BoxStream<'static, Result<ObjectMeta>> {
    let checked = |(first, rest): (Option<Result<ObjectMeta>>, _)| {
        let source = "it is neither a file nor a folder with files".into();
        let first = first.unwrap_or(Err(Error::NotFound { path, source }));
        stream::once(ready(first)).chain(rest)
    };
    found.into_future().map(checked).flatten_stream().boxed()
}

#[cfg(test)]
mod tests {
    use futures::TryStreamExt as _;
    use object_store::ObjectStoreExt as _;
    use object_store::memory::InMemory;

    use super::*;

    #[test]
    fn only_local_files_and_buckets_are_found() {
        let stores = Stores::default();
        let get = |url: &str| stores.get_store(&Url::parse(url).unwrap());
        assert!(get("file:///tmp").unwrap().to_string().starts_with("LocalFileSystem"));
        let bucket = get("s3://grid/dataset").unwrap();
        assert_eq!(bucket.to_string(), "AmazonS3(grid)");
        assert!(Arc::ptr_eq(&bucket, &get("s3://grid/other").unwrap()));
        assert!(get("gopher://grid/dataset").is_err());
    }

    #[test]
    fn missing_parquet_files_are_errors() {
        let files = NamedFiles(Arc::new(InMemory::new()));
        let list = |path: &str| {
            let found: Result<Vec<_>> =
                files.list(Some(&Path::from(path))).try_collect().now_or_never().unwrap();
            found.map(|found| found.len())
        };
        let path = Path::from("folder.parquet/0");
        let put = files.put(&path, PutPayload::from_static(b"x")).now_or_never();
        put.unwrap().unwrap();
        assert_eq!(list("folder.parquet").unwrap(), 1);
        assert_eq!(list("folder").unwrap(), 0);
        assert!(
            matches!(list("file.parquet"), Err(Error::NotFound { path, .. }) if path == "file.parquet")
        );
    }
}
