//! The views over a dataset's tables, which are SQL: `views.sql`.

use datafusion::prelude::SessionContext;
use lodger_core::cost::streaming::Rules;

use super::error::QueryError;

const VIEWS: &str = include_str!("views.sql");

/// Makes the views, by rules.
pub(super) async fn make(context: &SessionContext, rules: &str) -> Result<(), QueryError> {
    let named = Rules::NAMED.map(|rules| rules.name);
    if !named.contains(&rules) {
        let problem = format!("there are no rules `{rules}`: there are {}", named.join(", "));
        return Err(QueryError::Question { problem, help: Vec::new() });
    }
    let views = VIEWS.replace("{rules}", rules);
    for view in views.split_inclusive(";\n").filter(|view| !view.trim().is_empty()) {
        context.sql(view).await.map_err(|error| QueryError::told(&error))?;
    }
    Ok(())
}
