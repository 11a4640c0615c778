use datafusion::arrow::array::AsArray;
use datafusion::arrow::datatypes::Int64Type;

use super::section::{Bin, QueryReport, ReportSection, doubling, object_notes, saturating_sum};
use crate::query::{QueryError, QuerySession};

/// Groups of objects that `top` ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum TopBy {
    /// Each object.
    Object,
    /// All objects of an owner.
    Owner,
    /// All objects of a region.
    Region,
    /// All objects with a root of a creator.
    Creator,
}

impl TopBy {
    /// The name of its column.
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

const COUNTED: &str = "prims, meshes, scripts, streaming_millionths, physics_millionths, server_millionths, land_impact";
/// Descending land impact, then descending weight.
const ORDER: &str = "land_impact DESC NULLS LAST, \
                     greatest(streaming_millionths, physics_millionths, server_millionths) DESC NULLS LAST";

/// Ranks objects or groups of objects by land impact, with the rules of the session.
///
/// # Errors
///
/// Errors of [`QuerySession::sql`].
pub async fn top(
    session: &QuerySession,
    rules: &str,
    by: TopBy,
    limit: u32,
) -> Result<QueryReport, QueryError> {
    let with_names = session.manifest().with_names;
    let key = match (by, with_names) {
        (TopBy::Object, false) => "object, owner, region, source",
        (TopBy::Object, true) => "object, name, owner, region, source",
        _ => by.column(),
    };
    session.materialize("priced", &format!("SELECT {key}, {COUNTED} FROM objects")).await?;
    let sums = top_sums();
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
    let totals = ReportSection::query(session, "totals", "All objects", &totals).await?;
    let lists = vec![ReportSection::query(session, "rows", by.heading(), &list).await?];
    Ok(QueryReport {
        name: "top",
        parameters: vec![("rules", rules.to_owned()), ("by", by.column().to_owned())],
        sources: session.manifest().sources.clone(),
        distribution: land_impacts(session).await?,
        notes: object_notes(session, &totals, &lists).await?,
        totals,
        lists,
    })
}

fn top_sums() -> String {
    let columns =
        ["prims", "streaming_millionths", "physics_millionths", "server_millionths", "land_impact"];
    let counts = "count(land_impact) AS objects, count(*) - count(land_impact) AS unpriced";
    format!("{counts}, {}", sums(&columns, "land_impact"))
}

/// Sums of columns over the rows in which `priced` is not null.
fn sums(columns: &[&str], priced: &str) -> String {
    let sum = |column: &&str| {
        let value = format!("CASE WHEN {priced} IS NOT NULL THEN {column} END");
        format!("{} AS {column}", saturating_sum(&value))
    };
    columns.iter().map(sum).collect::<Vec<_>>().join(", ")
}

async fn land_impacts(session: &QuerySession) -> Result<Vec<Bin>, QueryError> {
    let sql = "SELECT land_impact, count(*) AS objects FROM priced WHERE land_impact IS NOT NULL GROUP BY land_impact";
    let (_, batches) = session.sql(sql).await?;
    let counts = batches.iter().flat_map(|batch| {
        let [impacts, counts] =
            [0, 1].map(|column| batch.column(column).as_primitive::<Int64Type>());
        impacts.values().iter().zip(counts.values())
    });
    Ok(doubling(counts.map(|(impact, count)| (impact.unsigned_abs(), count.unsigned_abs()))))
}

const OBJECTS: &str =
    "SELECT source, object, owner, region, prims, streaming_millionths, land_impact FROM objects";
const BOTH: &str = "SELECT now.source, now.object, now.owner, now.region, now.prims, \
     now.land_impact AS land_impact_now, changed.land_impact AS land_impact_then, \
     changed.land_impact - now.land_impact AS change, \
     now.streaming_millionths AS streaming_now_millionths, changed.streaming_millionths AS streaming_then_millionths \
     FROM now JOIN changed ON now.source = changed.source AND now.object = changed.object";
fn whatif_totals() -> String {
    let columns = [
        "land_impact_now",
        "land_impact_then",
        "change",
        "streaming_now_millionths",
        "streaming_then_millionths",
    ];
    let counts = "count(change) AS objects, count(*) - count(change) AS unpriced, \
         coalesce(sum(CASE WHEN change <> 0 THEN 1 ELSE 0 END), 0) AS changed";
    format!("SELECT {counts}, {} FROM compared", sums(&columns, "change"))
}

/// Compares `rules` with the rules `against`. The session uses `rules` afterwards.
///
/// # Errors
///
/// Errors of [`QuerySession::sql`], or the rules do not exist.
pub async fn whatif(
    session: &QuerySession,
    rules: &str,
    against: &str,
    limit: u32,
) -> Result<QueryReport, QueryError> {
    session.set_rules(against).await?;
    session.materialize("now", OBJECTS).await?;
    session.set_rules(rules).await?;
    session.materialize("changed", OBJECTS).await?;
    session.materialize("compared", BOTH).await?;
    let objects = format!(
        "SELECT object, owner, region, prims, land_impact_now, land_impact_then, change, source FROM compared \
         WHERE change <> 0 ORDER BY greatest(change, -change) DESC, source, object LIMIT {limit}"
    );
    let owners = format!(
        "SELECT * FROM (SELECT owner, count(change) AS objects, sum(land_impact_now) AS land_impact_now, \
         sum(land_impact_then) AS land_impact_then, sum(change) AS change FROM compared WHERE change IS NOT NULL \
         GROUP BY owner) WHERE change <> 0 ORDER BY greatest(change, -change) DESC, owner NULLS LAST LIMIT {limit}"
    );
    let heading = |what: &str| format!("{what} whose land impact changes most");
    let totals = ReportSection::query(session, "totals", "All objects", &whatif_totals()).await?;
    let lists = vec![
        ReportSection::query(session, "objects", heading("Objects"), &objects).await?,
        ReportSection::query(session, "owners", heading("Owners"), &owners).await?,
    ];
    Ok(QueryReport {
        name: "whatif",
        parameters: vec![("rules", rules.to_owned()), ("against", against.to_owned())],
        sources: session.manifest().sources.clone(),
        distribution: Vec::new(),
        notes: object_notes(session, &totals, &lists).await?,
        totals,
        lists,
    })
}
