//! One machine, then many: Ballista's scheduler and executors with lodger's functions registered.
//!
//! Nothing of an engine is here: [`Scheduler`] and [`Executor`] are Ballista's own processes, told which functions and
//! object stores there are, and [`connect`] is a context whose plans go to a scheduler. All of them agree on
//! how plans are made, read the [same files](Stores), and notice soon who is gone: then a query begins again, or ends
//! with one error.

mod address;
mod cause;
mod client;
mod error;
mod executor;
mod health;
mod job;
mod links;
mod losses;
mod named_files;
mod planner;
mod port;
mod query;
mod running;
mod scheduler;
mod sent;
mod session;
mod stores;
mod watch;

pub use address::Address;
pub use client::connect;
pub use error::ClusterError;
pub use executor::{Executor, ExecutorOptions};
pub use running::Running;
pub use scheduler::{Scheduler, SchedulerOptions};
pub use stores::Stores;
