//! core_budget
