//! `whatif`: what other rules would change.

use super::notes;
use super::section::{Report, Section};
use super::sum::whole_sum;
use crate::query::{QueryError, Session};

/// What is compared of each object.
const OBJECTS: &str =
    "SELECT source, object, owner, region, prims, streaming_millionths, land_impact FROM objects";
/// Each object by both rules.
const BOTH: &str = "SELECT now.source, now.object, now.owner, now.region, now.prims, \
     now.land_impact AS land_impact_now, changed.land_impact AS land_impact_then, \
     changed.land_impact - now.land_impact AS change, \
     now.streaming_millionths AS streaming_now_millionths, changed.streaming_millionths AS streaming_then_millionths \
     FROM now JOIN changed ON now.source = changed.source AND now.object = changed.object";
/// Sums over all objects that have a price by both.
fn totals() -> String {
    let sum = |column: &str| {
        let priced = format!("CASE WHEN change IS NOT NULL THEN {column} END");
        format!("{} AS {column}", whole_sum(&priced))
    };
    let sums = [
        "land_impact_now",
        "land_impact_then",
        "change",
        "streaming_now_millionths",
        "streaming_then_millionths",
    ];
    let counts = "count(change) AS objects, count(*) - count(change) AS unpriced, \
         coalesce(sum(CASE WHEN change <> 0 THEN 1 ELSE 0 END), 0) AS changed";
    format!("SELECT {counts}, {} FROM compared", sums.map(sum).join(", "))
}

/// Compares `rules` with those that are `against` them. The views of the session count by `rules` afterwards.
///
/// # Errors
/// Those of [`Session::sql`], or there are no such rules.
pub async fn whatif(
    session: &Session,
    rules: &str,
    against: &str,
    limit: u32,
) -> Result<Report, QueryError> {
    session.price_by(against).await?;
    session.keep("now", OBJECTS).await?;
    session.price_by(rules).await?;
    session.keep("changed", OBJECTS).await?;
    session.keep("compared", BOTH).await?;
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
    let totals = Section::ask(session, "totals", "All objects", &totals()).await?;
    let lists = vec![
        Section::ask(session, "objects", heading("Objects"), &objects).await?,
        Section::ask(session, "owners", heading("Owners"), &owners).await?,
    ];
    Ok(Report {
        name: "whatif",
        asked: vec![("rules", rules.to_owned()), ("against", against.to_owned())],
        sources: session.manifest().sources.clone(),
        distribution: Vec::new(),
        notes: notes::of_objects(session, &totals, &lists).await?,
        totals,
        lists,
    })
}
