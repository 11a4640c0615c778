//! Questions to a dataset.

mod session;

pub use session::{Options, QueryError, Session};
