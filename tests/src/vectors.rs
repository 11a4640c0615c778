//! Numbers that belong to no engine: `vectors/*.toml`, read into plain types.
//!
//! Inputs are decimals that Q16.16 holds exactly wherever the last bit matters, so that every number type and every
//! processor can be asked the same question.

mod benefit;
pub mod cost;
mod importance;
mod ledger;
mod q16;

pub use benefit::{BenefitVectors, Direct, Kind, Weighted};
pub use importance::{Age, Distance, Expected, ImportanceVectors, Speed};
pub use ledger::{LedgerCase, LedgerVectors, NoCase};
pub use q16::{NotQ16, exact_q16};

/// The text of `vectors/importance.toml`.
pub const IMPORTANCE: &str = include_str!("../vectors/importance.toml");
/// The text of `vectors/benefit.toml`.
pub const BENEFIT: &str = include_str!("../vectors/benefit.toml");
/// The text of `vectors/ledger.toml`.
pub const LEDGER: &str = include_str!("../vectors/ledger.toml");
