use std::io;

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;

use crate::cluster::ClusterError;

/// A query failed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum QueryError {
    /// The dataset does not exist or cannot be read.
    #[error("cannot read the dataset `{name}`: {problem}")]
    Dataset {
        /// The name in the command line.
        name: String,
        /// The problem.
        problem: String,
    },
    /// The cluster cannot be reached.
    #[error("no cluster at {0}")]
    Cluster(#[source] ClusterError),
    /// The statement does not only read; contains its first word.
    #[error("a dataset is only read: {0} is refused")]
    NotReadOnly(String),
    /// The query is invalid.
    #[error("{problem}")]
    Invalid {
        /// The problem.
        problem: String,
        /// Alternatives, line by line.
        help: Vec<String>,
    },
    /// A file of the manifest is missing; contains its path.
    #[error("a file of the dataset is missing: {0}")]
    Missing(String),
    /// The plan exceeds its memory; contains the message of `DataFusion`.
    #[error("the query needs more memory than allowed")]
    Memory(String),
    /// The plan exceeds the memory of an executor; contains its message.
    #[error("the query needs more memory than an executor has")]
    ExecutorMemory(String),
    /// The execution failed.
    #[error("{0}")]
    Failed(String),
}

impl QueryError {
    /// Remedies, line by line.
    #[must_use]
    pub fn help(&self) -> Vec<String> {
        match self {
            Self::Dataset { .. } => vec!["make one with: lodger grid ingest SOURCE --out DATASET".to_owned()],
            Self::Missing(_) => vec![
                "a dataset needs all of its files: copy all, or make it again with lodger grid ingest".to_owned(),
            ],
            Self::NotReadOnly(_) => vec![
                "use SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES are allowed too".to_owned(),
            ],
            Self::Invalid { help, .. } => help.clone(),
            Self::Memory(_) => vec![
                "allow more with --memory, or write the smaller table of a join first, because it is held in memory"
                    .to_owned(),
            ],
            Self::ExecutorMemory(_) => vec![
                "give executors more with --memory, or write the smaller table of a join first, because it is held in memory"
                    .to_owned(),
            ],
            Self::Cluster(_) | Self::Failed(_) => Vec::new(),
        }
    }

    /// Converts an error of the engine, without its wrappers.
    #[must_use]
    pub fn from_error(error: &DataFusionError) -> Self {
        match root(error) {
            DataFusionError::ResourcesExhausted(problem) => Self::Memory(one_line(problem)),
            DataFusionError::ObjectStore(error) => store_error(error),
            DataFusionError::External(error) => cluster_error(&**error),
            DataFusionError::SQL(error, _) => {
                invalid(error.to_string().trim_start_matches("sql parser error: "))
            }
            DataFusionError::SchemaError(error, _) => schema_error(error),
            DataFusionError::Plan(problem) | DataFusionError::NotImplemented(problem) => {
                invalid(problem)
            }
            DataFusionError::ArrowError(error, _) => Self::Failed(one_line(&error.to_string())),
            DataFusionError::Execution(problem) => Self::Failed(one_line(problem)),
            other => Self::Failed(one_line(&other.strip_backtrace())),
        }
    }

    /// Converts an error, with the existing names if a name is not found.
    pub(super) fn with_names(error: &DataFusionError, context: &SessionContext) -> Self {
        match Self::from_error(error) {
            Self::Invalid { problem, help } if help.is_empty() => {
                let help = known_names(&problem, context).into_iter().collect();
                Self::Invalid { problem, help }
            }
            error => error,
        }
    }

    pub(super) fn disk(error: &io::Error) -> Self {
        Self::Failed(format!("cannot write to the temporary folder: {error}"))
    }
}

fn cluster_error(error: &(dyn std::error::Error + 'static)) -> QueryError {
    match error.downcast_ref::<ClusterError>() {
        Some(error) if error.is_memory => QueryError::ExecutorMemory(one_line(&error.problem)),
        _ => QueryError::Failed(one_line(&error.to_string())),
    }
}

fn store_error(error: &object_store::Error) -> QueryError {
    match error {
        object_store::Error::NotFound { path, .. } => QueryError::Missing(path.clone()),
        other => QueryError::Failed(one_line(&other.to_string())),
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
    QueryError::Invalid { problem: known.unwrap_or_else(|| one_line(message)), help: Vec::new() }
}

fn schema_error(error: &SchemaError) -> QueryError {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let mut names: Vec<_> = valid_fields.iter().map(|field| field.name.as_str()).collect();
            names.dedup();
            let help = if names.is_empty() {
                Vec::new()
            } else {
                vec![format!("columns: {}", names.join(", "))]
            };
            QueryError::Invalid {
                problem: format!("there is no column `{}`", field.flat_name()),
                help,
            }
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
