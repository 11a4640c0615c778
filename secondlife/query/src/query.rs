//! Questions to a dataset.

mod engine;
mod error;
mod keep;
mod location;
mod options;
mod question;
mod session;
mod tables;
mod views;

pub use error::QueryError;
pub use options::Options;
pub use session::Session;
