//! What is asked: SQL that reads.

use datafusion::dataframe::DataFrame;
use datafusion::prelude::{SQLOptions, SessionContext};
use datafusion::sql::parser::{DFParser, Statement};
use datafusion::sql::sqlparser::ast::Statement as Sql;

use super::error::QueryError;

/// Plans a question.
///
/// # Errors
/// It is no SQL or several statements, names what is not there, or does something else than to read.
pub(super) async fn plan(context: &SessionContext, sql: &str) -> Result<DataFrame, QueryError> {
    let told = |error| QueryError::of(&error, context);
    let mut statements = DFParser::parse_sql(sql).map_err(told)?;
    let (Some(statement), None) = (statements.pop_front(), statements.pop_front()) else {
        let problem = "a question is one statement of SQL".to_owned();
        return Err(QueryError::Question { problem, help: Vec::new() });
    };
    if !reads(&statement) {
        return Err(QueryError::Refused(first_word(&statement)));
    }
    let plan = context.state().statement_to_plan(statement).await.map_err(told)?;
    let only_reading =
        SQLOptions::new().with_allow_ddl(false).with_allow_dml(false).with_allow_statements(false);
    only_reading.verify_plan(&plan).map_err(|_| QueryError::Refused(first_of(sql)))?;
    context.execute_logical_plan(plan).await.map_err(told)
}

/// Whether a statement asks for an answer and for nothing else.
fn reads(statement: &Statement) -> bool {
    match statement {
        Statement::Statement(sql) => matches!(
            **sql,
            Sql::Query(_)
                | Sql::Explain { .. }
                | Sql::ExplainTable { .. }
                | Sql::ShowTables { .. }
                | Sql::ShowColumns { .. }
                | Sql::ShowFunctions { .. }
        ),
        Statement::Explain(explain) => reads(&explain.statement),
        _ => false,
    }
}

fn first_word(statement: &Statement) -> String {
    first_of(&statement.to_string())
}

fn first_of(sql: &str) -> String {
    sql.split_whitespace().next().unwrap_or_default().to_uppercase()
}
