//! What should be known about a report.

use datafusion::arrow::array::{Array as _, AsArray, RecordBatch};
use datafusion::arrow::datatypes::Int64Type;

use super::section::Section;
use crate::query::{QueryError, Session};

/// Objects as they lie in inventories of which something is missing.
const UNREAD: &str =
    "SELECT count(*) AS objects FROM assets WHERE kind = 'object' AND error IS NOT NULL";

/// What should be known of objects that were counted, and of lists of them.
pub(super) async fn of_objects(
    session: &Session,
    totals: &Section,
    lists: &[Section],
) -> Result<Vec<String>, QueryError> {
    let unread = unread_objects(session).await?;
    let notes = [unpriced(totals), unread, nobody_says(lists), several_sources(session)];
    Ok(notes.into_iter().flatten().collect())
}

/// That some objects could not be read.
pub(super) async fn unread_objects(session: &Session) -> Result<Option<String>, QueryError> {
    let found = Section::ask(session, "unread", "Objects that could not be read", UNREAD).await?;
    Ok(count(&found.rows, "objects").map(|count| {
        let (objects, they_count, they_show) = match count {
            1 => ("object", "it counts", "it shows"),
            _ => ("objects", "they count", "they show"),
        };
        format!(
            "{count} {objects} could not be read: {they_count} nowhere, and what {they_show} may be among \
             `unreferenced`"
        )
    }))
}

/// That some objects have no price.
fn unpriced(totals: &Section) -> Option<String> {
    count(&totals.rows, "unpriced").map(|count| {
        let (objects, they_count) =
            if count == 1 { ("object has", "counts") } else { ("objects have", "count") };
        format!(
            "{count} {objects} no price, since a mesh is not in the dataset or cannot be read, and {they_count} nowhere"
        )
    })
}

/// That rows do not say whose or where their objects are.
fn nobody_says(lists: &[Section]) -> Option<String> {
    let is_open = |list: &Section| {
        let columns = ["owner", "region"].into_iter();
        columns
            .filter_map(|name| list.rows.column_by_name(name))
            .any(|column| column.null_count() > 0)
    };
    lists.iter().any(is_open).then(|| {
        "rows without an owner or region are objects in inventories, or of files that do not say it".to_owned()
    })
}

/// How objects of several sources count.
fn several_sources(session: &Session) -> Option<String> {
    let several = session.manifest().sources.len() > 1;
    several.then(|| "objects of all sources are summed; one that several of them hold counts once by its identifier, \
         and in each of them without one"
            .to_owned())
}

/// A number of the first row, if it is above 0.
fn count(rows: &RecordBatch, column: &str) -> Option<i64> {
    let column = rows.column_by_name(column)?.as_primitive_opt::<Int64Type>()?;
    column.values().first().copied().filter(|count| *count > 0)
}
