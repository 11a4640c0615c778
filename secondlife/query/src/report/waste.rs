use datafusion::arrow::array::AsArray;
use datafusion::arrow::compute::concat_batches;
use datafusion::arrow::datatypes::Int64Type;

use super::section::{Bin, QueryReport, ReportSection, unread_objects};
use crate::query::{QueryError, QuerySession};

const DUPLICATES: &str = "SELECT hash, count(*) AS copies, max(bytes) AS bytes FROM assets \
     WHERE kind = 'mesh' AND hash IS NOT NULL AND id IS NOT NULL AND bytes IS NOT NULL \
     GROUP BY hash HAVING count(*) > 1";
const UNREFERENCED: &str = "SELECT id, hash, name, bytes FROM assets WHERE kind = 'mesh' AND id IS NOT NULL \
     AND NOT EXISTS (SELECT 1 FROM parts WHERE parts.mesh = assets.id)";

/// Queries of the findings with their order. All have the columns `finding`, `id`, `hash`, `name`,
/// `count` and `bytes`.
const FINDINGS: [(&str, &str); 5] = [
    (
        "SELECT 'copied-lods' AS finding, id, hash, name, CAST(copied AS BIGINT) AS count, copied_bytes AS bytes \
         FROM assets WHERE kind = 'mesh' AND copied > 0",
        "bytes DESC, id, hash",
    ),
    (
        "SELECT 'duplicates' AS finding, arrow_cast(NULL, 'Utf8') AS id, hash, arrow_cast(NULL, 'Utf8') AS name, \
         copies AS count, (copies - 1) * bytes AS bytes FROM duplicates",
        "bytes DESC NULLS LAST, hash",
    ),
    (
        "SELECT 'thin-triangles' AS finding, id, hash, name, CAST(thin AS BIGINT) AS count, \
         CAST(NULL AS BIGINT) AS bytes FROM assets WHERE kind = 'mesh' AND thin > 0",
        "count DESC, id, hash",
    ),
    (
        "SELECT 'degenerate-triangles' AS finding, id, hash, name, CAST(degenerate AS BIGINT) AS count, \
         CAST(NULL AS BIGINT) AS bytes FROM assets WHERE kind = 'mesh' AND degenerate > 0",
        "count DESC, id, hash",
    ),
    (
        "SELECT 'unreferenced' AS finding, id, hash, name, CAST(1 AS BIGINT) AS count, bytes FROM unreferenced",
        "bytes DESC NULLS LAST, id",
    ),
];

const TOTALS: &str = "SELECT count(*) AS meshes, coalesce(sum(bytes), 0) AS bytes, count(error) AS with_errors, \
     coalesce(sum(CASE WHEN copied > 0 THEN 1 ELSE 0 END), 0) AS with_copied_lods, \
     coalesce(sum(copied_bytes), 0) AS copied_bytes, \
     (SELECT coalesce(sum(copies - 1), 0) FROM duplicates) AS duplicates, \
     (SELECT coalesce(sum((copies - 1) * bytes), 0) FROM duplicates) AS duplicate_bytes, \
     coalesce(sum(CASE WHEN thin > 0 THEN 1 ELSE 0 END), 0) AS with_thin_triangles, \
     coalesce(sum(thin), 0) AS thin_triangles, \
     coalesce(sum(CASE WHEN degenerate > 0 THEN 1 ELSE 0 END), 0) AS with_degenerate_triangles, \
     coalesce(sum(degenerate), 0) AS degenerate_triangles, \
     (SELECT count(*) FROM unreferenced) AS unreferenced, \
     (SELECT coalesce(sum(bytes), 0) FROM unreferenced) AS unreferenced_bytes, \
     coalesce(sum(lowest), 0) AS lowest_bytes, coalesce(sum(low), 0) AS low_bytes, \
     coalesce(sum(medium), 0) AS medium_bytes, coalesce(sum(high), 0) AS high_bytes \
     FROM assets WHERE kind = 'mesh'";

/// Finds waste, which does not depend on rules.
///
/// # Errors
///
/// Errors of [`QuerySession::sql`].
pub async fn waste(session: &QuerySession, limit: u32) -> Result<QueryReport, QueryError> {
    session.materialize("duplicates", DUPLICATES).await?;
    session.materialize("unreferenced", UNREFERENCED).await?;
    let totals = ReportSection::query(session, "totals", "All meshes", TOTALS).await?;
    let mut notes = vec![
        "unreferenced: no object of the sources that were read shows the mesh; other regions, attachments and \
         inventories may"
            .to_owned(),
        "duplicates: FSAssets keeps equal bytes once; viewers fetch and keep each copy".to_owned(),
    ];
    notes.extend(unread_objects(session).await?);
    Ok(QueryReport {
        name: "waste",
        parameters: Vec::new(),
        sources: session.manifest().sources.clone(),
        distribution: by_lod(&totals),
        totals,
        lists: vec![findings(session, limit).await?],
        notes,
    })
}

async fn findings(session: &QuerySession, limit: u32) -> Result<ReportSection, QueryError> {
    let (name, heading) = ("findings", "Most expensive meshes of each finding");
    let mut all: Option<ReportSection> = None;
    for (sql, order) in FINDINGS {
        let sql = format!("SELECT * FROM ({sql}) ORDER BY {order} LIMIT {limit}");
        let found = ReportSection::query(session, name, heading, &sql).await?;
        all = Some(match all {
            None => found,
            Some(before) => ReportSection {
                rows: concat_batches(&before.schema, [&before.rows, &found.rows])
                    .map_err(|error| QueryError::new(error.to_string()))?,
                ..before
            },
        });
    }
    all.ok_or_else(|| QueryError::new("there are no findings to look for"))
}

/// The bytes of all meshes by LOD.
fn by_lod(totals: &ReportSection) -> Vec<Bin> {
    let sum = |name: &str| {
        let column = totals.rows.column_by_name(name);
        let column = column.and_then(|column| column.as_primitive_opt::<Int64Type>());
        column.and_then(|column| column.values().first().copied()).unwrap_or(0).unsigned_abs()
    };
    let lods = ["lowest", "low", "medium", "high"].map(|lod| (lod, sum(&format!("{lod}_bytes"))));
    let rest = sum("bytes").saturating_sub(lods.iter().map(|(_, bytes)| bytes).sum());
    let parts = lods.into_iter().chain([("physics, skin and head", rest)]);
    parts.map(|(label, value)| Bin { label: label.to_owned(), value }).collect()
}
