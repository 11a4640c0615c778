//! lodger-scheduler
