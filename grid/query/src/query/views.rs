//! The views over a dataset's tables, which are SQL: `views.sql`.

use datafusion::prelude::SessionContext;

use super::error::QueryError;

const VIEWS: &str = include_str!("views.sql");
/// The rules that there are.
const RULES: [&str; 3] = ["wiki", "viewer", "grid"];

/// Makes the views, by rules.
pub(super) async fn make(context: &SessionContext, rules: &str) -> Result<(), QueryError> {
    if !RULES.contains(&rules) {
        let problem = format!("there are no rules `{rules}`: there are {}", RULES.join(", "));
        return Err(QueryError::Question { problem, help: Vec::new() });
    }
    let views = VIEWS.replace("{rules}", rules);
    for view in views.split_inclusive(";\n").filter(|view| !view.trim().is_empty()) {
        context.sql(view).await.map_err(|error| QueryError::told(&error))?;
    }
    Ok(())
}
