//! `top`: what is most expensive.

use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;

use super::bin::{Bin, doubling};
use super::notes;
use super::section::{Report, Section};
use super::sum::whole_sum;
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
    let sums = sums();
    let list = match by {
        TopBy::Object => format!(
            "SELECT land_impact, streaming_millionths, physics_millionths, server_millionths, prims, meshes, \
             scripts, {key} FROM priced WHERE land_impact IS NOT NULL ORDER BY {ORDER}, source, object LIMIT {limit}"
        ),
        _ => format!(
            "SELECT * FROM (SELECT {key}, {sums} FROM priced GROUP BY {key}) ORDER BY {ORDER}, {key} NULLS LAST \
             LIMIT {limit}"
        ),
    };
    let totals = format!("SELECT {sums} FROM priced");
    let totals = Section::ask(session, "totals", "All objects", &totals).await?;
    let lists = vec![Section::ask(session, "rows", by.heading(), &list).await?];
    Ok(Report {
        name: "top",
        asked: vec![("rules", rules.to_owned()), ("by", by.column().to_owned())],
        sources: session.manifest().sources.clone(),
        distribution: land_impacts(session).await?,
        notes: notes::of_objects(session, &totals, &lists).await?,
        totals,
        lists,
    })
}

/// Sums of objects that have a price, and how many have none.
fn sums() -> String {
    let sum = |column: &str| {
        let priced = format!("CASE WHEN land_impact IS NOT NULL THEN {column} END");
        format!("{} AS {column}", whole_sum(&priced))
    };
    let sums =
        ["prims", "streaming_millionths", "physics_millionths", "server_millionths", "land_impact"];
    let counts = "count(land_impact) AS objects, count(*) - count(land_impact) AS unpriced";
    format!("{counts}, {}", sums.map(sum).join(", "))
}

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
