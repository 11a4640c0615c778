//! Why there is no answer.

use std::fmt;
use std::io;

use datafusion::common::SchemaError;
use datafusion::error::DataFusionError;
use datafusion::prelude::SessionContext;

use crate::cluster::ClusterError;

/// Why there is no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum QueryError {
    /// There is no dataset, or it cannot be read.
    Dataset {
        /// What it was called.
        name: String,
        /// What is wrong.
        problem: String,
    },
    /// There is no cluster.
    Cluster(ClusterError),
    /// A statement that does not read; its first word.
    Refused(String),
    /// A question that cannot be understood.
    Question {
        /// What is wrong.
        problem: String,
        /// What there is instead, line by line.
        help: Vec<String>,
    },
    /// A file that the dataset's manifest names is not there; its path.
    Missing(String),
    /// The plan needs more memory than it may take; what `DataFusion` says.
    Memory(String),
    /// An executor has less memory than the plan needs; what it says.
    ExecutorMemory(String),
    /// The work failed.
    Failed(String),
}

impl QueryError {
    /// What to do about it, line by line.
    #[must_use]
    pub fn help(&self) -> Vec<String> {
        match self {
            Self::Dataset { .. } => vec!["make one with: lodger grid ingest SOURCE --out DATASET".to_owned()],
            Self::Missing(_) => vec![
                "a dataset counts as a whole: copy all of its files, or make it again with lodger grid ingest".to_owned(),
            ],
            Self::Refused(_) => vec![
                "ask with SELECT or WITH; EXPLAIN, DESCRIBE and SHOW TABLES are allowed too".to_owned(),
            ],
            Self::Question { help, .. } => help.clone(),
            Self::Memory(_) => vec![
                "give more with --memory, or write the smaller table of a join first: it is the one that is held"
                    .to_owned(),
            ],
            Self::ExecutorMemory(_) => vec![
                "give executors more with --memory, or write the smaller table of a join first: it is the one that is held"
                    .to_owned(),
            ],
            Self::Cluster(_) | Self::Failed(_) => Vec::new(),
        }
    }

    /// What became of a question, without the wrappers of the engine.
    #[must_use]
    pub fn told(error: &DataFusionError) -> Self {
        match root(error) {
            DataFusionError::ResourcesExhausted(problem) => Self::Memory(one_line(problem)),
            DataFusionError::ObjectStore(error) => of_store(error),
            DataFusionError::External(error) => of_cluster(&**error),
            DataFusionError::SQL(error, _) => {
                question(error.to_string().trim_start_matches("sql parser error: "))
            }
            DataFusionError::SchemaError(error, _) => of_schema(error),
            DataFusionError::Plan(problem) | DataFusionError::NotImplemented(problem) => {
                question(problem)
            }
            DataFusionError::ArrowError(error, _) => Self::Failed(one_line(&error.to_string())),
            DataFusionError::Execution(problem) => Self::Failed(one_line(problem)),
            other => Self::Failed(one_line(&other.strip_backtrace())),
        }
    }

    /// The same, with what there is where a name is not found.
    pub(super) fn of(error: &DataFusionError, context: &SessionContext) -> Self {
        match Self::told(error) {
            Self::Question { problem, help } if help.is_empty() => {
                let help = names_instead(&problem, context).into_iter().collect();
                Self::Question { problem, help }
            }
            told => told,
        }
    }

    /// A disk that cannot be written to.
    pub(super) fn disk(error: &io::Error) -> Self {
        Self::Failed(format!("cannot write to the temporary folder: {error}"))
    }
}

impl fmt::Display for QueryError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Dataset { name, problem } => {
                write!(f, "cannot read the dataset `{name}`: {problem}")
            }
            Self::Cluster(error) => write!(f, "no cluster at {error}"),
            Self::Refused(word) => write!(f, "a dataset is only read: {word} is refused"),
            Self::Question { problem, .. } | Self::Failed(problem) => f.write_str(problem),
            Self::Missing(path) => write!(f, "a file of the dataset is missing: {path}"),
            Self::Memory(_) => f.write_str("the question needs more memory than it may take"),
            Self::ExecutorMemory(_) => {
                f.write_str("the question needs more memory than an executor may take")
            }
        }
    }
}

impl std::error::Error for QueryError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Cluster(error) => Some(error),
            _ => None,
        }
    }
}

fn of_cluster(error: &(dyn std::error::Error + 'static)) -> QueryError {
    match error.downcast_ref::<ClusterError>() {
        Some(error) if error.is_memory => QueryError::ExecutorMemory(one_line(&error.problem)),
        _ => QueryError::Failed(one_line(&error.to_string())),
    }
}

fn of_store(error: &object_store::Error) -> QueryError {
    match error {
        object_store::Error::NotFound { path, .. } => QueryError::Missing(path.clone()),
        other => QueryError::Failed(one_line(&other.to_string())),
    }
}

/// The error inside of all wrappers.
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

fn question(problem: &str) -> QueryError {
    let said = problem.trim().trim_start_matches("Error during planning: ");
    let not_there = |kind: &str| {
        let rest = said.strip_prefix(&format!("{kind} '"))?;
        let (name, _) = rest.split_once('\'')?;
        let name = name.trim_start_matches("datafusion.public.");
        Some(format!("there is no {} `{name}`", kind.trim_start_matches("Invalid ")))
    };
    let known = ["table", "Invalid function"].into_iter().find_map(|kind| {
        let missing = said.contains("not found") || kind.starts_with("Invalid");
        missing.then(|| not_there(kind)).flatten()
    });
    QueryError::Question { problem: known.unwrap_or_else(|| one_line(said)), help: Vec::new() }
}

fn of_schema(error: &SchemaError) -> QueryError {
    match error {
        SchemaError::FieldNotFound { field, valid_fields } => {
            let mut names: Vec<_> = valid_fields.iter().map(|field| field.name.as_str()).collect();
            names.dedup();
            let help = if names.is_empty() {
                Vec::new()
            } else {
                vec![format!("columns: {}", names.join(", "))]
            };
            QueryError::Question {
                problem: format!("there is no column `{}`", field.flat_name()),
                help,
            }
        }
        other => question(&other.to_string()),
    }
}

/// What there is of what is not there.
fn names_instead(problem: &str, context: &SessionContext) -> Option<String> {
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

/// What an engine says, in one line and without the names of its own errors.
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
