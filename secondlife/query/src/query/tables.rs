//! The tables of a dataset: exactly the files that its manifest names.

use std::sync::Arc;

use datafusion::arrow::datatypes::SchemaRef;
use datafusion::catalog::TableProvider;
use datafusion::datasource::empty::EmptyTable;
use datafusion::datasource::file_format::parquet::ParquetFormat;
use datafusion::datasource::listing::{
    ListingOptions, ListingTable, ListingTableConfig, ListingTableUrl,
};
use datafusion::prelude::SessionContext;

use super::error::QueryError;
use super::location::Location;
use crate::dataset::{AssetColumns, Manifest, PartColumns, Table};

/// Registers the tables `assets` and `parts`. What their columns are, the files are not asked.
pub(super) fn register(
    context: &SessionContext,
    location: &Location,
    manifest: &Manifest,
) -> Result<(), QueryError> {
    let tables = [
        ("assets", Table::Assets, AssetColumns::schema()),
        ("parts", Table::Parts, PartColumns::schema()),
    ];
    for (name, table, schema) in tables {
        let table = provider(location, manifest, table, schema)?;
        context.register_table(name, table).map_err(|error| QueryError::told(&error))?;
    }
    Ok(())
}

fn provider(
    location: &Location,
    manifest: &Manifest,
    table: Table,
    schema: SchemaRef,
) -> Result<Arc<dyn TableProvider>, QueryError> {
    let told = |error| QueryError::told(&error);
    let url = |path| {
        location.file(path).and_then(|url| ListingTableUrl::try_new(url, None).map_err(told))
    };
    let urls = manifest.paths(table).map(url).collect::<Result<Vec<_>, _>>()?;
    if urls.is_empty() {
        return Ok(Arc::new(EmptyTable::new(schema)));
    }
    let options = ListingOptions::new(Arc::new(ParquetFormat::default()));
    let config = ListingTableConfig::new_with_multi_paths(urls)
        .with_listing_options(options)
        .with_schema(schema);
    Ok(Arc::new(ListingTable::try_new(config).map_err(told)?))
}
