//! Distributed queries: Ballista's scheduler and executors with lodger's functions registered.
//!
//! [`Scheduler`] and [`Executor`] are Ballista's processes with these functions and [object
//! stores](Stores), and [`connect`] returns a context whose plans go to a scheduler. All plan in
//! the same way, read the same files, and soon detect a lost process: then a query is submitted
//! again, or ends with one error.

mod address;
mod client;
mod executor;
mod scheduler;
mod session;
mod stores;
mod submission;
mod watch;

pub use address::{Address, ClusterError};
pub use client::connect;
pub use executor::{Executor, ExecutorOptions};
pub use scheduler::{Scheduler, SchedulerOptions};
pub use stores::Stores;
pub use submission::RunningQueries;
