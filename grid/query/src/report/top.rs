//! `top`: what is most expensive.

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;

use super::bin::{Bin, doubling};
use super::section::{Report, Section};
use crate::query::{QueryError, Session};

/// What is ranked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TopBy {
    /// Objects.
    Object,
    /// Who owns them.
    Owner,
    /// Where they stand.
    Region,
    /// Who made them.
    Creator,
}

impl TopBy {
    /// The column that it stands in.
    #[must_use]
    pub const fn column(self) -> &'static str {
        match self {
            Self::Object => "object",
            Self::Owner => "owner",
            Self::Region => "region",
            Self::Creator => "creator",
        }
    }

    const fn heading(self) -> &'static str {
        match self {
            Self::Object => "The most expensive objects",
            Self::Owner => "The owners of the most land impact",
            Self::Region => "The regions with the most land impact",
            Self::Creator => "The creators of the most land impact",
        }
    }
}

/// What is counted of each object.
const COUNTED: &str = "prims, meshes, scripts, streaming_millionths, physics_millionths, server_millionths, land_impact";
/// The greatest land impact first, then the greatest weight.
const ORDER: &str = "land_impact DESC NULLS LAST, \
                     greatest(streaming_millionths, physics_millionths, server_millionths) DESC NULLS LAST";

/// Ranks, by the rules of the session.
///
/// # Errors
/// Those of [`Session::sql`].
pub async fn top(
    session: &Session,
    rules: &str,
    by: TopBy,
    limit: u32,
) -> Result<Report, QueryError> {
    let with_names = session.manifest().with_names;
    let key = match (by, with_names) {
        (TopBy::Object, false) => "object, owner, region, source",
        (TopBy::Object, true) => "object, name, owner, region, source",
        _ => by.column(),
    };
    session.keep("priced", &format!("SELECT {key}, {COUNTED} FROM objects")).await?;
    let list = match by {
        TopBy::Object => format!(
            "SELECT land_impact, streaming_millionths, physics_millionths, server_millionths, prims, meshes, \
             scripts, {key} FROM priced WHERE land_impact IS NOT NULL ORDER BY {ORDER}, source, object LIMIT {limit}"
        ),
        _ => format!(
            "SELECT * FROM (SELECT {key}, {SUMS} FROM priced GROUP BY {key}) ORDER BY {ORDER}, {key} NULLS LAST \
             LIMIT {limit}"
        ),
    };
    let totals = format!("SELECT {SUMS} FROM priced");
    let mut report = Report {
        name: "top",
        asked: vec![("rules", rules.to_owned()), ("by", by.column().to_owned())],
        sources: session.manifest().sources.clone(),
        totals: Section::ask(session, "totals", "All objects", &totals).await?,
        lists: vec![Section::ask(session, "rows", by.heading(), &list).await?],
        distribution: land_impacts(session).await?,
        notes: Vec::new(),
    };
    report.notes.extend(unpriced(&report.totals));
    Ok(report)
}

/// Sums of objects that have a price, and how many have none.
const SUMS: &str = "count(land_impact) AS objects, count(*) - count(land_impact) AS unpriced, \
     coalesce(sum(CASE WHEN land_impact IS NOT NULL THEN prims END), 0) AS prims, \
     coalesce(sum(CASE WHEN land_impact IS NOT NULL THEN streaming_millionths END), 0) AS streaming_millionths, \
     coalesce(sum(CASE WHEN land_impact IS NOT NULL THEN physics_millionths END), 0) AS physics_millionths, \
     coalesce(sum(CASE WHEN land_impact IS NOT NULL THEN server_millionths END), 0) AS server_millionths, \
     coalesce(sum(land_impact), 0) AS land_impact";

async fn land_impacts(session: &Session) -> Result<Vec<Bin>, QueryError> {
    let sql = "SELECT land_impact, count(*) AS objects FROM priced WHERE land_impact IS NOT NULL GROUP BY land_impact";
    let (_, batches) = session.sql(sql).await?;
    let counts = batches.iter().flat_map(|batch| {
        let [impacts, counts] =
            [0, 1].map(|column| batch.column(column).as_primitive::<Int64Type>());
        impacts.values().iter().zip(counts.values())
    });
    Ok(doubling(counts.map(|(impact, count)| (impact.unsigned_abs(), count.unsigned_abs()))))
}

/// That some objects are not counted.
fn unpriced(totals: &Section) -> Option<String> {
    let column = totals.rows.column_by_name("unpriced")?;
    let count = column.as_primitive_opt::<Int64Type>()?.values().first().copied()?;
    let objects = if count == 1 { "object has" } else { "objects have" };
    (count > 0).then(|| {
        format!("{count} {objects} no price, since a mesh is not in the dataset or cannot be read, and count nowhere")
    })
}
