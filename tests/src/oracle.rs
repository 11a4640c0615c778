//! The rules once more, in the textbook's form: `f64` for importance, wide integers for money.

pub mod cost;
pub mod importance;
pub mod ledger;
