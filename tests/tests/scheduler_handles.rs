//! scheduler_handles
