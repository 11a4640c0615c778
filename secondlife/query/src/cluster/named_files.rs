//! Files that are named and not there.

use std::fmt;
use std::future::ready;
use std::ops::Range;
use std::sync::Arc;

use async_trait::async_trait;
use futures::stream::{self, BoxStream};
use futures::{FutureExt as _, StreamExt as _};
use object_store::path::Path;
use object_store::{
    CopyOptions, Error, GetOptions, GetResult, ListResult, MultipartUpload, ObjectMeta,
    ObjectStore, PutMultipartOptions, PutOptions, PutPayload, PutResult, RenameOptions, Result,
};

/// What a store gives of a file.
type Bytes = <PutPayload as IntoIterator>::Item;

/// A store in which a Parquet file that is named and not there is an error.
///
/// `DataFusion` takes the name of a file that is not there for that of a folder. It lists the folder, finds nothing in it,
/// and answers with fewer rows.
#[derive(Debug)]
pub(super) struct NamedFiles(pub(super) Arc<dyn ObjectStore>);

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

    // All else is as it is.

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

/// What was found; where that is nothing, that it is missing.
fn or_missing(
    found: BoxStream<'static, Result<ObjectMeta>>,
    path: String,
) -> BoxStream<'static, Result<ObjectMeta>> {
    let checked = |(first, rest): (Option<Result<ObjectMeta>>, _)| {
        let source = "it was named, and is neither a file nor a folder with files".into();
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
    fn a_file_that_is_named_is_there_or_missing() {
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
