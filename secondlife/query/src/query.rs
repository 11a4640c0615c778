//! SQL queries on a dataset.

mod error;
mod location;
mod session;

pub use error::QueryError;
pub use session::{QueryOptions, QuerySession};
