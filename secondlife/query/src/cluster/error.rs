//! Why there is no cluster, or no answer of it.

use std::fmt;

use datafusion::error::DataFusionError;

/// Why there is no cluster, or no answer of it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ClusterError {
    /// The scheduler or the address that is meant.
    pub address: String,
    /// What is wrong, in one line.
    pub problem: String,
    /// Whether an executor had not the memory that a query needs.
    pub is_memory: bool,
}

impl ClusterError {
    pub(super) fn new(address: impl fmt::Display, problem: impl Into<String>) -> Self {
        Self { address: address.to_string(), problem: problem.into(), is_memory: false }
    }
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.address, self.problem)
    }
}

impl std::error::Error for ClusterError {}

impl From<ClusterError> for DataFusionError {
    fn from(error: ClusterError) -> Self {
        Self::External(Box::new(error))
    }
}
