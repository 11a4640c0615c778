//! Where files are: on this machine, or in a bucket.

use std::sync::Arc;

use datafusion::error::{DataFusionError, Result};
use datafusion::execution::object_store::{
    DefaultObjectStoreRegistry, ObjectStoreRegistry, ObjectStoreUrl,
};
use object_store::ObjectStore;
use object_store::aws::AmazonS3Builder;
use object_store::local::LocalFileSystem;
use url::Url;

use super::named_files::NamedFiles;

/// Local files, what was registered, and buckets of S3.
///
/// A bucket (`s3://BUCKET/…`) is opened when it is first asked for, by what the environment says: `AWS_ENDPOINT`,
/// `AWS_REGION`, `AWS_ACCESS_KEY_ID`, `AWS_SECRET_ACCESS_KEY`, `AWS_ALLOW_HTTP`, …. So each process of a cluster has its
/// own keys, and none goes over the wire. A Parquet file that is named and not there is an error, of a query too.
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

    fn deregister_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        self.known.deregister_store(url)
    }

    fn get_store(&self, url: &Url) -> Result<Arc<dyn ObjectStore>> {
        match (self.known.get_store(url), url.scheme(), url.host_str()) {
            (Err(_), "s3", Some(bucket)) => {
                let store: Arc<dyn ObjectStore> =
                    Arc::new(NamedFiles(Arc::new(bucket_of(bucket)?)));
                self.known.register_store(url, Arc::clone(&store));
                Ok(store)
            }
            (found, ..) => found,
        }
    }
}

fn bucket_of(bucket: &str) -> Result<object_store::aws::AmazonS3> {
    AmazonS3Builder::from_env()
        .with_bucket_name(bucket)
        .build()
        .map_err(|error| DataFusionError::ObjectStore(Box::new(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn local_files_and_buckets_are_found_and_nothing_else() {
        let stores = Stores::default();
        let get = |url: &str| stores.get_store(&Url::parse(url).unwrap());
        assert!(get("file:///tmp").unwrap().to_string().starts_with("LocalFileSystem"));
        let bucket = get("s3://grid/dataset").unwrap();
        assert_eq!(bucket.to_string(), "AmazonS3(grid)");
        assert!(Arc::ptr_eq(&bucket, &get("s3://grid/other").unwrap()));
        assert!(get("gopher://grid/dataset").is_err());
    }
}
