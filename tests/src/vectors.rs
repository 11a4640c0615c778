//! Numbers that belong to no engine: `vectors/*.toml`, read into plain types.
//!
//! Inputs are decimals that Q16.16 holds exactly wherever the last bit matters, so that every number type and every
//! processor can be asked the same question.

mod benefit;
pub mod cost;
mod importance;
mod ledger;

pub use benefit::{BenefitVectors, Direct, Kind, Weighted};
pub use importance::{Age, Distance, Expected, ImportanceVectors, Speed};
pub use ledger::{LedgerCase, LedgerVectors};

/// The text of `vectors/importance.toml`.
pub const IMPORTANCE: &str = include_str!("../vectors/importance.toml");
/// The text of `vectors/benefit.toml`.
pub const BENEFIT: &str = include_str!("../vectors/benefit.toml");
/// The text of `vectors/ledger.toml`.
pub const LEDGER: &str = include_str!("../vectors/ledger.toml");

/// Q16.16 of a decimal that has no bits beyond it.
///
/// # Errors
/// Names a decimal that is negative, too great, or between two values.
pub fn exact_q16(decimal: f64) -> Result<u32, String> {
    let bits = decimal * 65_536.0;
    if bits.fract() != 0.0 || !(0.0..=f64::from(u32::MAX)).contains(&bits) {
        return Err(format!("{decimal} is not a value of Q16.16"));
    }
    // A whole number in the range of the type: the cast cuts nothing.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
    let exact = bits as u32;
    Ok(exact)
}
