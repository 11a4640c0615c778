//! Predefined reports on a dataset.

mod objects;
mod section;
mod waste;

pub use objects::{TopBy, top, whatif};
pub use section::{Bin, QueryReport, ReportSection};
pub use waste::waste;
