use std::io;

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;

use crate::cluster::ClusterError;

/// A query failed, or its dataset cannot be opened.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct QueryError {
    /// The problem, in one line.
    pub message: String,
    /// Remedies and known names, line by line.
    pub help: Vec<String>,
}

impl QueryError {
    /// Creates an error without help.
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Self { message: message.into(), help: Vec::new() }
    }

    fn with_help(self, help: impl Into<String>) -> Self {
        Self { help: vec![help.into()], ..self }
    }

    pub(super) fn dataset(name: &str, problem: &str) -> Self {
        Self::new(format!("cannot read the dataset `{name}`: {problem}"))
            .with_help("make one with: lodger grid ingest SOURCE --out DATASET")
    }

    /// The error of a statement that does not only read, from its text.
    pub(super) fn not_read_only(sql: &str) -> Self {
        let word = sql.split_whitespace().next().unwrap_or_default().to_uppercase();
        Self::new(format!("a dataset is only read: {word} is refused"))
            .with_help("use SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES are allowed too")
    }

    fn memory(message: &str, remedy: &str) -> Self {
        Self::new(message).with_help(format!(
            "{remedy} with --memory, or write the smaller table of a join first, because it is held in memory"
        ))
    }

    /// Converts an error of the engine, without its wrappers.
    #[must_use]
    pub fn from_error(error: &DataFusionError) -> Self {
        match root(error) {
            DataFusionError::ResourcesExhausted(_) => {
                Self::memory("the query needs more memory than allowed", "allow more")
            }
            DataFusionError::ObjectStore(error) => store_error(error),
            DataFusionError::External(error) => cluster_error(&**error),
            DataFusionError::SQL(error, _) => {
                invalid(error.to_string().trim_start_matches("sql parser error: "))
            }
            DataFusionError::SchemaError(error, _) => schema_error(error),
            DataFusionError::Plan(problem) | DataFusionError::NotImplemented(problem) => {
                invalid(problem)
            }
            DataFusionError::ArrowError(error, _) => Self::new(one_line(&error.to_string())),
            DataFusionError::Execution(problem) => Self::new(one_line(problem)),
            other => Self::new(one_line(&other.strip_backtrace())),
        }
    }

    /// Converts an error, with the existing names if a name is not found.
    pub(super) fn with_names(error: &DataFusionError, context: &SessionContext) -> Self {
        let error = Self::from_error(error);
        match known_names(&error.message, context) {
            Some(names) if error.help.is_empty() => error.with_help(names),
            _ => error,
        }
    }

    pub(super) fn disk(error: &io::Error) -> Self {
        Self::new(format!("cannot write to the temporary folder: {error}"))
    }
}

fn cluster_error(error: &(dyn std::error::Error + 'static)) -> QueryError {
    match error.downcast_ref::<ClusterError>() {
        Some(error) if error.is_memory => QueryError::memory(
            "the query needs more memory than an executor has",
            "give executors more",
        ),
        _ => QueryError::new(one_line(&error.to_string())),
    }
}

fn store_error(error: &object_store::Error) -> QueryError {
    match error {
        object_store::Error::NotFound { path, .. } => QueryError::new(format!(
            "a file of the dataset is missing: {path}"
        ))
        .with_help(
            "a dataset needs all of its files: copy all, or make it again with lodger grid ingest",
        ),
        other => QueryError::new(one_line(&other.to_string())),
    }
}

fn root(error: &DataFusionError) -> &DataFusionError {
    match error {
        DataFusionError::Context(_, inner) | DataFusionError::Diagnostic(_, inner) => root(inner),
        DataFusionError::Shared(inner) => root(inner),
        DataFusionError::Collection(all) => all.first().map_or(error, root),
        DataFusionError::External(inner) => match inner.downcast_ref::<DataFusionError>() {
            Some(inner) => root(inner),
            None => error,
        },
        DataFusionError::ArrowError(inner, _) => match &**inner {
            datafusion::arrow::error::ArrowError::ExternalError(inner) => {
                inner.downcast_ref::<DataFusionError>().map_or(error, root)
            }
            _ => error,
        },
        _ => error,
    }
}

fn invalid(problem: &str) -> QueryError {
    let message = problem.trim().trim_start_matches("Error during planning: ");
    let unknown_name = |kind: &str| {
        let rest = message.strip_prefix(&format!("{kind} '"))?;
        let (name, _) = rest.split_once('\'')?;
        let name = name.trim_start_matches("datafusion.public.");
        Some(format!("there is no {} `{name}`", kind.trim_start_matches("Invalid ")))
    };
    let known = ["table", "Invalid function"].into_iter().find_map(|kind| {
        let missing = message.contains("not found") || kind.starts_with("Invalid");
        missing.then(|| unknown_name(kind)).flatten()
    });
    QueryError::new(known.unwrap_or_else(|| one_line(message)))
}

fn schema_error(error: &SchemaError) -> QueryError {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let mut names: Vec<_> = valid_fields.iter().map(|field| field.name.as_str()).collect();
            names.dedup();
            let error = QueryError::new(format!("there is no column `{}`", field.flat_name()));
            if names.is_empty() {
                return error;
            }
            error.with_help(format!("columns: {}", names.join(", ")))
        }
        other => invalid(&other.to_string()),
    }
}

/// The existing names of the kind that was not found.
fn known_names(problem: &str, context: &SessionContext) -> Option<String> {
    if problem.starts_with("there is no table") {
        return Some("tables: assets, parts; views: uses, prices, objects".to_owned());
    }
    if !problem.starts_with("there is no function") {
        return None;
    }
    let mut names: Vec<_> =
        lodger_functions::all().iter().map(|own| own.name().to_owned()).collect();
    names.sort();
    names.retain(|name| context.state().scalar_functions().contains_key(name));
    Some(format!("lodger's functions: {}; all others: SHOW FUNCTIONS", names.join(", ")))
}

/// A message of the engine in one line, without the names of its errors.
fn one_line(text: &str) -> String {
    const WRAPPERS: [&str; 5] = [
        "Error during planning: ",
        "Execution error: ",
        "External error: ",
        "DataFusion error: ",
        "Arrow error: ",
    ];
    let bare = WRAPPERS.iter().fold(text.to_owned(), |text, wrapper| text.replace(wrapper, ""));
    bare.split_whitespace().collect::<Vec<_>>().join(" ")
}
