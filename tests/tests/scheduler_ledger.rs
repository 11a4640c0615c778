//! scheduler_ledger
