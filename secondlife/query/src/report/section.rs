use datafusion::arrow::array::{Array as _, AsArray, RecordBatch};
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::{Int64Type, SchemaRef};
use serde::Serialize;

use crate::dataset::SourceEntry;
use crate::query::{QueryError, QuerySession};

/// A report: totals, lists and a distribution.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct QueryReport {
    /// `top`, `waste` or `whatif`.
    pub name: &'static str,
    /// Names and values of the options.
    pub parameters: Vec<(&'static str, String)>,
    /// Sources of the dataset.
    pub sources: Vec<SourceEntry>,
    /// The totals, in one row.
    pub totals: ReportSection,
    /// The lists; CSV and Parquet contain the first.
    pub lists: Vec<ReportSection>,
    /// The distribution in the plot.
    pub distribution: Vec<Bin>,
    /// Notes on the interpretation.
    pub notes: Vec<String>,
}

/// Rows of a report. Columns that end in `_millionths` are integer millionths of a weight.
#[derive(Clone, Debug)]
pub struct ReportSection {
    /// The name in JSON.
    pub name: &'static str,
    /// The heading in a table.
    pub heading: String,
    /// The columns.
    pub schema: SchemaRef,
    /// The rows.
    pub rows: RecordBatch,
}

impl ReportSection {
    pub(super) async fn query(
        session: &QuerySession,
        name: &'static str,
        heading: impl Into<String>,
        sql: &str,
    ) -> Result<Self, QueryError> {
        let (schema, batches) = session.sql(sql).await?;
        let rows = concat_batches(&schema, &batches);
        let rows = rows.map_err(|error| QueryError::new(error.to_string()))?;
        Ok(Self { name, heading: heading.into(), schema, rows })
    }
}

/// A class of a distribution.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Bin {
    /// The name of the class.
    pub label: String,
    /// The number of bytes or objects in the class.
    pub value: u64,
}

/// Groups counts of integers from 1 into classes of doubling size: 1, 2, 3–4, 5–8 and so on.
pub(super) fn doubling(counts: impl IntoIterator<Item = (u64, u64)>) -> Vec<Bin> {
    let mut bins: Vec<u64> = Vec::new();
    for (number, count) in counts {
        let part =
            number.max(1).saturating_sub(1).checked_ilog2().map_or(0, |power| power as usize + 1);
        if bins.len() <= part {
            bins.resize(part + 1, 0);
        }
        bins[part] = bins[part].saturating_add(count);
    }
    bins.into_iter().enumerate().map(|(part, value)| Bin { label: label(part), value }).collect()
}

fn label(part: usize) -> String {
    let last = 1_u128 << part.min(64);
    match part {
        0 | 1 => last.to_string(),
        _ => format!("{}–{last}", last / 2 + 1),
    }
}

const WIDE: &str = "DECIMAL(38, 0)";

/// The SQL of a saturating sum of integers, 0 for no rows.
///
/// Two untrusted assets with a cost beyond 64 bits would overflow. They are summed as decimal
/// numbers, and the sum saturates at 64 bits.
pub(super) fn saturating_sum(column: &str) -> String {
    let (min, max) = (i64::MIN, i64::MAX);
    format!(
        "CAST(least(greatest(coalesce(sum(CAST({column} AS {WIDE})), 0), CAST('{min}' AS {WIDE})), \
         CAST('{max}' AS {WIDE})) AS BIGINT)"
    )
}

/// Objects in inventories that could not be read completely.
const UNREAD: &str =
    "SELECT count(*) AS objects FROM assets WHERE kind = 'object' AND error IS NOT NULL";

pub(super) async fn object_notes(
    session: &QuerySession,
    totals: &ReportSection,
    lists: &[ReportSection],
) -> Result<Vec<String>, QueryError> {
    let unread = unread_objects(session).await?;
    let notes = [unpriced(totals), unread, unknown_owner(lists), several_sources(session)];
    Ok(notes.into_iter().flatten().collect())
}

/// A note on objects that could not be read.
pub(super) async fn unread_objects(session: &QuerySession) -> Result<Option<String>, QueryError> {
    let found =
        ReportSection::query(session, "unread", "Objects that could not be read", UNREAD).await?;
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

fn unpriced(totals: &ReportSection) -> Option<String> {
    count(&totals.rows, "unpriced").map(|count| {
        let (objects, they_count) =
            if count == 1 { ("object has", "counts") } else { ("objects have", "count") };
        format!(
            "{count} {objects} no price, since a mesh is not in the dataset or cannot be read, and {they_count} nowhere"
        )
    })
}

fn unknown_owner(lists: &[ReportSection]) -> Option<String> {
    let has_null = |list: &ReportSection| {
        let columns = ["owner", "region"].into_iter();
        columns
            .filter_map(|name| list.rows.column_by_name(name))
            .any(|column| column.null_count() > 0)
    };
    lists.iter().any(has_null).then(|| {
        "rows without an owner or region are objects in inventories, or of files without them"
            .to_owned()
    })
}

fn several_sources(session: &QuerySession) -> Option<String> {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_double_in_size() {
        let counts = [(1, 5), (2, 1), (3, 2), (4, 1), (5, 7), (8, 1), (9, 1), (0, 1)];
        let bins: Vec<_> =
            doubling(counts).into_iter().map(|Bin { label, value }| (label, value)).collect();
        let expected = [("1", 6), ("2", 1), ("3–4", 3), ("5–8", 8), ("9–16", 1)];
        assert_eq!(bins, expected.map(|(label, value)| (label.to_owned(), value)));
        assert_eq!(doubling([]), []);
        let max = doubling([(u64::MAX, 1), (u64::from(u32::MAX), u64::MAX)]);
        assert_eq!(max.len(), 65);
        assert_eq!(max[64].label, "9223372036854775809–18446744073709551616");
    }
}
